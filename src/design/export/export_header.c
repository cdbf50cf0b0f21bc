// design/export/export_header.c: writes <name>.h: sizes, the state struct, the functions, and
// instructions to build and call them.
#include "control/feedback/saturation.h"
#include "design/export/export_text.h"

// "states x: 0 position, 1 speed"; no name may end the comment or continue it on the next line.
static void write_names(const ib_Export *out, const char *what, int count,
                        const char names[][IB_STATE_NAME + 1])
{
    fprintf(out->file, "//   %s:", what);
    for (int i = 0; i < count; i++) {
        fprintf(out->file, "%s %d ", i > 0 ? "," : "", i);
        for (const char *c = names[i]; *c; c++)
            fputc((unsigned char)*c < ' ' || *c == '\\' || *c == '?' ? '_' : *c, out->file);
    }
    fputc('\n', out->file);
}

static void write_gears(const ib_Export *out)
{
    char names[IB_GEARS_MAX][IB_STATE_NAME + 1];
    for (int g = 0; g < out->loop->gears; g++)
        snprintf(names[g], sizeof names[g], "%s", out->loop->gear[g].name);
    write_names(out, "gears", out->loop->gears, (const char(*)[IB_STATE_NAME + 1]) names);
}

// States without a goal: their values in `r`.
static void write_errors(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    const char *before = "//   of these r has 0 at";
    for (int i = 0; i < loop->states; i++) {
        if (ib__export_is_goal(loop, i)) continue;
        fprintf(out->file, "%s %d", before, i);
        before = ",";
    }
    if (before[0] != ',') return;
    ib__export_text(out, ", always: errors of inputs, which are estimated and made up for\n");
}

// The rounding that $_applied may have without holding the integrals.
static void write_rounding(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    if (loop->integrals == 0) return;
    ib__export_text(out, "// An integral is held while it would push an input further that is cut: "
                         "at its limits, or where\n"
                         "// $_applied tells of less than u by more than a rounding, which is\n");
    for (int i = 0; i < loop->inputs; i++) {
        double play = ib_saturation_play(loop->low[i], loop->high[i], loop->largest[i]);
        fprintf(out->file, "//   u[%d]: ", i);
        if (play < 0)
            ib__export_text(out, "a fortieth of u, so that steps of the actuator stop it near u = "
                                 "0: give the design limits\n");
        else
            fprintf(out->file, "%.3g, a fortieth of its span\n", play);
    }
    ib__export_text(out, "//\n");
}

static void write_purpose(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    const ib_StateSpace *plant = &loop->gear[0].plant;
    ib__export_text(out, "// $.h: the controller \"$\" in plain C99, written by Ironbird. Change "
                         "the design, not this file.\n//\n");
    write_names(out, "states x, wanted r", loop->states, plant->state);
    write_errors(out);
    write_names(out, "inputs u", loop->inputs, plant->input);
    if (loop->observer) {
        write_names(out, "measured y", loop->outputs, plant->output);
    } else {
        ib__export_text(out, "//   measured y: the states themselves\n");
    }
    if (loop->gears > 1) write_gears(out);
    ib__export_text(
        out, "//\n"
             "// At every period:\n"
             "//     $_correct(&c, y);                      measurements; left out if missed\n"
             "//     $_output(&c, r, r_next, gear, u);      inputs to apply now\n"
             "//     $_applied(&c, u);                      only if the plant got something else\n"
             "//     $_predict(&c, r);                      on to the next period\n"
             "// or $_step, which is correct, output and predict in one (after it $_applied comes "
             "too late: x is\n"
             "// predicted already). It allocates nothing and needs no library.\n"
             "//\n"
             "// y must be finite: leave a bad sample out, as a missed one. ");
    ib__export_text(out, loop->observer || loop->integrals > 0
                             ? "Other values stay in the\n"
                               "// state, and appear in every u, until $_init.\n//\n"
                             : "Other values appear in u.\n//\n");
    write_rounding(out);
}

static void write_build_lines(const ib_Export *out)
{
    ib__export_text(
        out,
        "// Build, in the folder above (without contraction, so that the bits are those of the "
        "test); the\n"
        "// Arduino IDE and PlatformIO take that folder as a library:\n"
        "//   host      cc -std=c99 -O2 -ffp-contract=off -c src/$.c\n"
        "//   test      cc -std=c99 -O2 -ffp-contract=off -Isrc src/$.c extras/$_test.c -o "
        "$_test && ./$_test\n"
        "//   Cortex-M  arm-none-eabi-gcc -std=c99 -O2 -ffp-contract=off -mcpu=cortex-m4 "
        "-mthumb\n"
        "//                 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -c src/$.c\n");
    ib__export_text(
        out, out->single
                 ? "//   AVR       avr-gcc -std=gnu99 -O2 -ffp-contract=off -mmcu=atmega328p -c "
                   "src/$.c\n"
                   "//             (gnu99 keeps the gains in flash; with c99 they take RAM)\n"
                 : "//   AVR       has no 64-bit double by default: export as float\n");
}

static void write_sizes(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    ib__export_text(out, "#ifndef @_H\n#define @_H\n\n");
    const char *names[] = {"STATES", "INPUTS", "MEASURED", "INTEGRALS", "GEARS"};
    int sizes[] = {loop->states, loop->inputs, ib_loop_measured(loop), loop->integrals,
                   loop->gears};
    for (int i = 0; i < 5; i++)
        fprintf(out->file, "#define %s_%s %d\n", out->upper, names[i], sizes[i]);
    fprintf(out->file, "#define %s_PERIOD ", out->upper);
    ib__export_number(out, loop->period);
    ib__export_text(out, " // [s]\n\n");
}

static void write_state(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    fprintf(out->file, "typedef %s %s_real;\n\n", out->single ? "float" : "double", out->name);
    ib__export_text(out, "typedef struct $_state {\n"
                         "    $_real x[@_STATES]; // estimate\n");
    if (loop->integrals > 0) ib__export_text(out, "    $_real z[@_INTEGRALS]; // integrals\n");
    ib__export_text(out, "    $_real w[@_INPUTS]; // last output before its limits\n"
                         "    $_real u[@_INPUTS]; // last output, as applied\n");
    if (loop->gears > 1)
        ib__export_text(out, "    $_real carry[@_INPUTS]; // left over from a change of gear\n"
                             "    int gear;\n");
    ib__export_text(out, "} $_state;\n\n");
}

void ib_export_header(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file)
{
    ib_Export out = ib__export_start(loop, options, file);
    write_purpose(&out);
    write_build_lines(&out);
    write_sizes(&out);
    write_state(&out);
    ib__export_text(&out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                          "// At rest in `gear`, with the estimate x0 (a null pointer: ");
    ib__export_text(&out, loop->offset ? "at the point of the design" : "zero");
    ib__export_text(
        &out,
        ").\n"
        "void $_init($_state *c, const $_real *x0, int gear);\n\n"
        "// y: @_MEASURED finite numbers.\n"
        "void $_correct($_state *c, const $_real *y);\n\n"
        "// r and r_next: @_STATES numbers, wanted now and one period later (a null pointer: as "
        "now).\n"
        "// gear: 0 to @_GEARS - 1; any other number keeps the last one. u: @_INPUTS numbers.\n"
        "void $_output($_state *c, const $_real *r, const $_real *r_next, int gear, $_real *u);\n\n"
        "// The actual input of the plant instead of u: between $_output and $_predict, which uses "
        "it.\n"
        "void $_applied($_state *c, const $_real *u);\n\n"
        "void $_predict($_state *c, const $_real *r);\n\n"
        "// y: a null pointer for a missed sample.\n"
        "void $_step($_state *c, const $_real *y, const $_real *r, const $_real *r_next, int "
        "gear,\n            $_real *u);\n\n"
        "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}
