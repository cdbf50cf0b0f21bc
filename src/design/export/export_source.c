// design/export/export_source.c: writes <name>.c: the gains and the arithmetic of control/loop.h.
// Products of matrices are written out term by term, so that their order is fixed; gains are stored
// by columns: docs/performance.md
#include "control/feedback/saturation.h"
#include "design/export/export_text.h"

// ------------------------------------------------------------------------------------------- gains

static void write_gains_struct(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    ib__export_text(out, "// By columns: A[j][i] is row i, column j.\n"
                         "typedef struct gains {\n"
                         "    real A[@_STATES][@_STATES], B[@_INPUTS][@_STATES];\n");
    if (loop->observer)
        ib__export_text(out, "    real C[@_STATES][@_MEASURED], D[@_INPUTS][@_MEASURED];\n"
                             "    real M[@_MEASURED][@_STATES];\n");
    ib__export_text(out, "    real K[@_STATES][@_INPUTS];\n");
    if (loop->feedforward) ib__export_text(out, "    real F[@_STATES][@_INPUTS];\n");
    if (loop->integrals > 0) ib__export_text(out, "    real G[@_INTEGRALS][@_INPUTS];\n");
    if (loop->offset) ib__export_text(out, "    real hold[@_INPUTS], drift[@_STATES];\n");
    if (loop->offset && loop->observer) ib__export_text(out, "    real zero[@_MEASURED];\n");
    ib__export_text(out, "} gains;\n\n");
}

// A matrix of rows x columns, written by columns.
static void write_matrix(const ib_Export *out, const char *name, int rows, int columns,
                         const double *a, const char *end)
{
    fprintf(out->file, "    // %s\n    ", name);
    ib__export_table(out, columns, rows, 1, columns, a);
    fputs(end, out->file);
}

static void write_numbers(const ib_Export *out, int count, const double *a)
{
    fputc('{', out->file);
    for (int i = 0; i < count; i++) {
        if (i > 0) fputs(", ", out->file);
        ib__export_number(out, a[i]);
    }
    fputc('}', out->file);
}

static void write_vector(const ib_Export *out, const char *name, int count, const double *a)
{
    fprintf(out->file, "    // %s\n    ", name);
    write_numbers(out, count, a);
    fputs(",\n", out->file);
}

static void write_gear(const ib_Export *out, const ib_LoopGear *gear)
{
    const ib_Loop *loop = out->loop;
    int n = loop->states, m = loop->inputs, p = loop->outputs;
    const char *more = ",\n";
    write_matrix(out, "A", n, n, gear->plant.A, more);
    write_matrix(out, "B", n, m, gear->plant.B, more);
    if (loop->observer) {
        write_matrix(out, "C", p, n, gear->plant.C, more);
        write_matrix(out, "D", p, m, gear->plant.D, more);
        write_matrix(out, "M", n, p, gear->M, more);
    }
    write_matrix(out, "K", m, n, gear->K, more);
    if (loop->feedforward) write_matrix(out, "F", m, n, gear->F, more);
    if (loop->integrals > 0) write_matrix(out, "G", m, loop->integrals, gear->G, more);
    if (!loop->offset) return;
    write_vector(out, "hold", m, gear->hold);
    write_vector(out, "drift", n, gear->drift);
    if (loop->observer) write_vector(out, "zero", p, gear->zero);
}

static void write_list(const ib_Export *out, const char *name, int count, const double *a)
{
    fprintf(out->file, "static const real %s[] = ", name);
    write_numbers(out, count, a);
    fputs(";\n", out->file);
}

// The allowed rounding of an input, and its share without limits.
static void write_play(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    double play[IB_INPUTS_MAX];
    for (int i = 0; i < loop->inputs; i++)
        play[i] = ib_saturation_play(loop->low[i], loop->high[i], loop->largest[i]);
    write_list(out, "play", loop->inputs, play);
    ib__export_text(out, "static const real share = ");
    ib__export_number(out, IB_SATURATION_SHARE);
    fputs(";\n", out->file);
}

static void write_gains(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    write_gains_struct(out);
    ib__export_text(out, "static const IN_FLASH gains table[@_GEARS] = {\n");
    for (int g = 0; g < loop->gears; g++) {
        fputs("    {\n", out->file);
        write_gear(out, &loop->gear[g]);
        fputs("    },\n", out->file);
    }
    fputs("};\n", out->file);
    if (loop->integrals > 0) {
        write_play(out);
        ib__export_text(out, "static const real Z[@_STATES][@_INTEGRALS] =\n    ");
        ib__export_table(out, loop->states, loop->integrals, 1, loop->states, loop->Z);
        fputs(";\n", out->file);
    }
    write_list(out, "low", loop->inputs, loop->low);
    write_list(out, "high", loop->inputs, loop->high);
    if (loop->offset) write_list(out, "start", loop->states, loop->start);
    if (loop->gears > 1) {
        ib__export_text(out, "static const real fade = ");
        ib__export_number(out, loop->fade);
        fputs(";\n", out->file);
    }
    fputc('\n', out->file);
}

// --------------------------------------------------------------------------------------- functions

static void write_head(const ib_Export *out)
{
    ib__export_text(out, "// $.c: written by Ironbird; see $.h for its use and build.\n"
                         "#include \"$.h\"\n\n"
                         "typedef $_real real;\n\n"
                         "// Each product is rounded before it is added, everywhere.\n"
                         "#ifdef __clang__\n#pragma STDC FP_CONTRACT OFF\n#endif\n\n"
                         "// avr-gcc can read the gains from flash (-std=gnu99).\n"
                         "#if defined(__FLASH) && !defined(__STRICT_ANSI__)\n#define IN_FLASH "
                         "__flash\n#else\n#define IN_FLASH\n"
                         "#endif\n\n");
    if (!out->single)
        ib__export_text(out, "// Fails to compile where double is not 64 bits (AVR): export as "
                             "float instead.\n"
                             "typedef char $_double_has_64_bits[sizeof(real) == 8 ? 1 : -1];\n\n");
}

static const char *gear_index(const ib_Export *out)
{
    return out->loop->gears > 1 ? "c->gear" : "0";
}

static void write_init(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    ib__export_text(out, "void $_init($_state *c, const real *x0, int gear)\n{\n    int i;\n");
    ib__export_text(out, "    for (i = 0; i < @_STATES; i++) c->x[i] = x0 ? x0[i] : ");
    ib__export_text(out, loop->offset ? "start[i];\n" : "0;\n");
    if (loop->integrals > 0)
        ib__export_text(out, "    for (i = 0; i < @_INTEGRALS; i++) c->z[i] = 0;\n");
    ib__export_text(out, "    for (i = 0; i < @_INPUTS; i++) c->w[i] = c->u[i] = 0;\n");
    ib__export_text(out, loop->gears > 1
                             ? "    for (i = 0; i < @_INPUTS; i++) c->carry[i] = 0;\n"
                               "    c->gear = gear >= 0 && gear < @_GEARS ? gear : 0;\n}\n\n"
                             : "    (void)gear;\n}\n\n");
}

static void write_correct(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    if (!loop->observer) {
        ib__export_text(out, "// x <- y\n"
                             "void $_correct($_state *c, const real *y)\n{\n    int i;\n"
                             "    for (i = 0; i < @_STATES; i++) c->x[i] = y[i];\n}\n\n");
        return;
    }
    fprintf(out->file, "// e = y - C x - D u%s,   x <- x + M e\n", loop->offset ? " - zero" : "");
    ib__export_text(out, "void $_correct($_state *c, const real *y)\n{\n");
    fprintf(out->file, "    const IN_FLASH gains *g = &table[%s];\n", gear_index(out));
    ib__export_text(out,
                    "    real e[@_MEASURED];\n    int i;\n"
                    "    for (i = 0; i < @_MEASURED; i++)\n        e[i] = y[i] -\n            ");
    ib__export_product(out, "g->C", "c->x", loop->states);
    fputs(" -\n            ", out->file);
    ib__export_product(out, "g->D", "c->u", loop->inputs);
    if (loop->offset) fputs(" - g->zero[i]", out->file);
    ib__export_text(out, ";\n    for (i = 0; i < @_STATES; i++)\n        c->x[i] +=\n            ");
    ib__export_product(out, "g->M", "e", loop->outputs);
    fputs(";\n}\n\n", out->file);
}

// w = hold + K d + F (r+ - A r) - G z
static void write_wanted(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    ib__export_text(out, "    for (i = 0; i < @_STATES; i++) d[i] = r[i] - c->x[i];\n");
    if (loop->feedforward) {
        ib__export_text(out, "    for (i = 0; i < @_STATES; i++)\n        ahead[i] = r_next[i] -\n"
                             "            ");
        ib__export_product(out, "g->A", "r", loop->states);
        fputs(";\n", out->file);
    }
    ib__export_text(out, "    for (i = 0; i < @_INPUTS; i++)\n        w[i] =\n            ");
    if (loop->offset) fputs("g->hold[i] +\n            ", out->file);
    ib__export_product(out, "g->K", "d", loop->states);
    if (loop->feedforward) {
        fputs(" +\n            ", out->file);
        ib__export_product(out, "g->F", "ahead", loop->states);
    }
    if (loop->integrals > 0) {
        fputs(" -\n            ", out->file);
        ib__export_product(out, "g->G", "c->z", loop->integrals);
    }
    fputs(";\n", out->file);
}

// The carry of a new gear keeps u unchanged, except if w is beyond the same limit anyway.
static void write_carry(const ib_Export *out)
{
    ib__export_text(out, "        if (changed) {\n"
                         "            c->carry[i] = c->u[i] - w[i];\n"
                         "            if ((c->u[i] >= high[i] && c->carry[i] < 0) ||\n"
                         "                (c->u[i] <= low[i] && c->carry[i] > 0))\n"
                         "                c->carry[i] = 0;\n"
                         "        }\n"
                         "        w[i] = changed && c->carry[i] != 0 ? c->u[i] : w[i] + "
                         "c->carry[i];\n");
}

static void write_output(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    bool many = loop->gears > 1;
    fprintf(out->file, "// d = r - x,   w = %sK d%s%s%s,   u = w within its limits\n",
            loop->offset ? "hold + " : "", loop->feedforward ? " + F (r+ - A r)" : "",
            loop->integrals > 0 ? " - G z" : "", many ? " + carry" : "");
    ib__export_text(out, "void $_output($_state *c, const real *r, const real *r_next, int "
                         "gear, real *u)\n{\n");
    if (many)
        ib__export_text(out, "    int known = gear >= 0 && gear < @_GEARS, changed = known && gear "
                             "!= c->gear;\n");
    fprintf(out->file, "    const IN_FLASH gains *g = &table[%s];\n",
            many ? "known ? gear : c->gear" : "0");
    ib__export_text(out, loop->feedforward ? "    real d[@_STATES], ahead[@_STATES], "
                                           : "    real d[@_STATES], ");
    ib__export_text(out, "w[@_INPUTS], cut;\n    int i;\n");
    if (!many) fputs("    (void)gear;\n", out->file);
    fputs(loop->feedforward ? "    if (!r_next) r_next = r;\n" : "    (void)r_next;\n", out->file);
    write_wanted(out);
    ib__export_text(out, "    for (i = 0; i < @_INPUTS; i++) {\n");
    if (many) write_carry(out);
    ib__export_text(out, "        cut = w[i] < low[i] ? low[i] : w[i];\n"
                         "        c->w[i] = w[i];\n"
                         "        u[i] = c->u[i] = cut > high[i] ? high[i] : cut;\n"
                         "    }\n");
    if (many) fputs("    if (known) c->gear = gear;\n", out->file);
    fputs("}\n\n", out->file);
}

// z <- z - (Z d) T, held if it would push a saturated input further, as in
// control/feedback/saturation.h. `play` is negative for an input without limits.
static void write_integrals(const ib_Export *out)
{
    ib__export_text(out, "    for (i = 0; i < @_STATES; i++) d[i] = r[i] - c->x[i];\n"
                         "    for (i = 0; i < @_INTEGRALS; i++) {\n"
                         "        v =\n            ");
    ib__export_product(out, "Z", "d", out->loop->states);
    ib__export_text(out, ";\n"
                         "        for (held = 0, j = 0; j < @_INPUTS; j++) {\n"
                         "            excess = beyond(j, c->w[j], c->u[j]);\n"
                         "            if ((excess > 0 && g->G[i][j] * v > 0) ||\n"
                         "                (excess < 0 && g->G[i][j] * v < 0))\n"
                         "                held = 1;\n"
                         "        }\n"
                         "        if (!held) c->z[i] -= v * @_PERIOD;\n"
                         "    }\n");
}

static void write_beyond(const ib_Export *out)
{
    if (out->loop->integrals == 0) return;
    ib__export_text(out,
                    "// The excess of w over the plant's actual input, beyond a rounding of it.\n"
                    "static real beyond(int j, real w, real u)\n{\n"
                    "    real s = play[j] < 0 ? share * (u < 0 ? -u : u) : play[j];\n"
                    "    real top = u + s, bottom = u - s;\n"
                    "    if (top > high[j]) top = u > high[j] ? u : high[j];\n"
                    "    if (bottom < low[j]) bottom = u < low[j] ? u : low[j];\n"
                    "    return w > top ? w - top : w < bottom ? w - bottom : 0;\n}\n\n");
}

static void write_predict(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    fprintf(out->file, "// %sx <- A x + B u%s%s\n",
            loop->integrals > 0 ? "z <- z - (Z d) T,   " : "", loop->offset ? " + drift" : "",
            loop->gears > 1 ? ",   carry <- fade carry" : "");
    ib__export_text(out, "void $_predict($_state *c, const real *r)\n{\n");
    fprintf(out->file, "    const IN_FLASH gains *g = &table[%s];\n", gear_index(out));
    if (loop->integrals > 0) {
        ib__export_text(out, "    real next[@_STATES], d[@_STATES], v, excess;\n"
                             "    int i, j, held;\n");
        write_integrals(out);
    } else {
        ib__export_text(out, "    real next[@_STATES];\n    int i;\n    (void)r;\n");
    }
    ib__export_text(out, "    for (i = 0; i < @_STATES; i++)\n        next[i] =\n            ");
    ib__export_product(out, "g->A", "c->x", loop->states);
    fputs(" +\n            ", out->file);
    ib__export_product(out, "g->B", "c->u", loop->inputs);
    if (loop->offset) fputs(" + g->drift[i]", out->file);
    ib__export_text(out, ";\n    for (i = 0; i < @_STATES; i++) c->x[i] = next[i];\n");
    if (loop->gears > 1)
        ib__export_text(out, "    for (i = 0; i < @_INPUTS; i++) c->carry[i] *= fade;\n");
    fputs("}\n\n", out->file);
}

void ib_export_source(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file)
{
    ib_Export out = ib__export_start(loop, options, file);
    write_head(&out);
    write_gains(&out);
    write_init(&out);
    write_correct(&out);
    write_output(&out);
    ib__export_text(&out, "void $_applied($_state *c, const real *u)\n{\n    int i;\n"
                          "    for (i = 0; i < @_INPUTS; i++) c->u[i] = u[i];\n}\n\n");
    write_beyond(&out);
    write_predict(&out);
    ib__export_text(&out, "void $_step($_state *c, const real *y, const real *r, const real "
                          "*r_next, int gear,\n            real *u)\n{\n"
                          "    if (y) $_correct(c, y);\n"
                          "    $_output(c, r, r_next, gear, u);\n"
                          "    $_predict(c, r);\n}\n");
}
