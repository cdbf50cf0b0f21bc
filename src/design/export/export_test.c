// design/export/export_test.c: writes <name>_test.c: the recorded run as tables, and a replay that
// compares every number.
#include "design/export/export_text.h"

static void write_rows(const ib_Export *out, const char *name, int steps, int size, const double *a)
{
    fprintf(out->file, "static const %s_real %s[STEPS][%d] =\n    ", out->name, name, size);
    ib__export_table(out, steps, size, size, 1, a);
    fputs(";\n\n", out->file);
}

static void write_gear_list(const ib_Export *out, const ib_ExportTrace *trace)
{
    fputs("static const unsigned char gear[STEPS] = {", out->file);
    for (int k = 0; k < trace->steps; k++)
        fprintf(out->file, "%s%d", k == 0 ? "" : k % 32 == 0 ? ",\n    " : ", ", trace->gear[k]);
    fputs("};\n\n", out->file);
}

static void write_trace(const ib_Export *out, const ib_ExportTrace *trace)
{
    const ib_Loop *loop = out->loop;
    int n = loop->states, m = loop->inputs, steps = trace->steps;
    fprintf(out->file, "#define STEPS %d\n\n", steps);
    if (trace->start) write_rows(out, "start", 1, n, trace->start);
    write_rows(out, "y", steps, ib_loop_measured(loop), trace->y);
    write_rows(out, "r", steps, n, trace->r);
    if (trace->r_next) write_rows(out, "r_next", steps, n, trace->r_next);
    if (trace->gear) write_gear_list(out, trace);
    if (trace->applied) write_rows(out, "applied", steps, m, trace->applied);
    fputs("// The outputs and estimates.\n", out->file);
    write_rows(out, "u_expected", steps, m, trace->u);
    write_rows(out, "x_expected", steps, n, trace->x);
}

// Doubles are compared by bits, with the sign of a zero; floats by distance, which NaN fails.
static void write_same(const ib_Export *out, const ib_ExportTrace *trace)
{
    if (!out->single) {
        ib__export_text(out, "static int same(const $_real *a, const $_real *b, int count)\n{\n"
                             "    return memcmp(a, b, sizeof *a * (unsigned)count) == 0;\n}\n\n");
        return;
    }
    ib_ExportBound bound = ib_export_bound(out->loop, trace);
    ib__export_text(out, "// Float against the run in double: four times the deviation that was "
                         "found, and 1e-6 of the\n// largest value.\n"
                         "static const $_real u_bound = ");
    ib__export_number(out, bound.u);
    ib__export_text(out, ", x_bound = ");
    ib__export_number(out, bound.x);
    ib__export_text(out, ";\n\n"
                         "static int within(const $_real *a, const $_real *b, int count, $_real "
                         "bound)\n{\n    int i;\n"
                         "    for (i = 0; i < count; i++)\n"
                         "        if (!(a[i] - b[i] <= bound && b[i] - a[i] <= bound)) return 0;\n"
                         "    return 1;\n}\n\n");
}

static void write_replay(const ib_Export *out, const ib_ExportTrace *trace)
{
    const char *gear = trace->gear ? "gear[k]" : "0";
    ib__export_text(out, "// The first period that differs, counted from 1; 0: none. A board can "
                         "call this too.\n"
                         "int $_replay(void);\n"
                         "int $_replay(void)\n{\n"
                         "    $_state c;\n    $_real u[@_INPUTS];\n    int k;\n");
    fprintf(out->file, "    %s_init(&c, %s, %s);\n", out->name, trace->start ? "start[0]" : "0",
            trace->gear ? "gear[0]" : "0");
    ib__export_text(out, "    for (k = 0; k < STEPS; k++) {\n"
                         "        $_correct(&c, y[k]);\n");
    fprintf(out->file, "        %s_output(&c, r[k], %s, %s, u);\n", out->name,
            trace->r_next ? "r_next[k]" : "k + 1 < STEPS ? r[k + 1] : 0", gear);
    if (trace->applied) ib__export_text(out, "        $_applied(&c, applied[k]);\n");
    ib__export_text(out, "        $_predict(&c, r[k]);\n");
    ib__export_text(out, out->single
                             ? "        if (!within(u, u_expected[k], @_INPUTS, u_bound) ||\n"
                               "            !within(c.x, x_expected[k], @_STATES, x_bound))\n"
                             : "        if (!same(u, u_expected[k], @_INPUTS) || !same(c.x, "
                               "x_expected[k], @_STATES))\n");
    ib__export_text(out, "            return k + 1;\n    }\n    return 0;\n}\n\n");
}

void ib_export_test(const ib_Loop *loop, const ib_ExportOptions *options,
                    const ib_ExportTrace *trace, FILE *file)
{
    ib_Export out = ib__export_start(loop, options, file);
    ib__export_text(&out, "// $_test.c: replays a run that Ironbird recorded, against $.c. Build:\n"
                          "//   cc -std=c99 -O2 -ffp-contract=off -Isrc src/$.c extras/$_test.c -o "
                          "$_test && ./$_test\n"
                          "// On a board compile with -D@_NO_MAIN and call $_replay.\n");
    if (trace->recorded > trace->steps)
        fprintf(file,
                "// The first %d of %d periods: this controller alone, without its plant, is "
                "unstable (or nearly),\n// so that in a replay float leaves the run in double.\n",
                trace->steps, trace->recorded);
    ib__export_text(&out, "#include \"$.h\"\n\n");
    fputs(out.single ? "" : "#include <string.h>\n\n", file);
    write_trace(&out, trace);
    write_same(&out, trace);
    write_replay(&out, trace);
    ib__export_text(&out, "#ifndef @_NO_MAIN\n#include <stdio.h>\n\nint main(void)\n{\n"
                          "    int wrong = $_replay();\n"
                          "    if (wrong) {\n"
                          "        printf(\"$: period %d of %d differs\\n\", wrong, STEPS);\n"
                          "        return 1;\n    }\n");
    ib__export_text(&out, out.single
                              ? "    printf(\"$: %d periods agree within the bound\\n\", STEPS);\n"
                              : "    printf(\"$: %d periods agree to the last bit\\n\", STEPS);\n");
    ib__export_text(&out, "    return 0;\n}\n#endif\n");
}
