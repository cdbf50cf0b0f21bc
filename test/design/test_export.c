// Tests of the export: the files are compiled by the machine's own compilers and run.
#include "control/loop_rig.h"

#include "cmocka_all.h"
#include "control/feedback/state_feedback.h"
#include "design/export/export.h"
#include "folder.h"

#include <float.h>
#include <math.h>
#include <unistd.h>

static ib_Error error;
static ib_Loop loop;
static LoopRun run;

static const LoopShape shapes[] = {
    {"plain", 2, 1, 1, 0, 1, true, false, false},   {"wide", 16, 8, 8, 4, 1, true, true, false},
    {"geared", 4, 2, 2, 0, 4, true, false, false},  {"integral", 3, 2, 2, 2, 1, true, true, false},
    {"bare", 5, 2, 3, 1, 1, false, false, true},    {"one", 1, 1, 1, 1, 2, true, true, false},
    {"nothing", 4, 1, 0, 0, 2, false, true, false}, {"lifted", 4, 2, 3, 1, 3, true, true, true},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

#define WARNINGS "-std=c99 -Wall -Wextra -Wpedantic -Werror -ffp-contract=off -Isrc "

static bool have(const char *program)
{
    char line[128];
    snprintf(line, sizeof line, "command -v %s > /dev/null", program);
    return system(line) == 0;
}

static ib_ExportTrace trace_of(const LoopRun *recorded, int states)
{
    return (ib_ExportTrace){.steps = RIG_STEPS,
                            .y = recorded->y,
                            .r = recorded->r,
                            .r_next = recorded->r + states,
                            .gear = recorded->gear,
                            .u = recorded->u,
                            .x = recorded->x};
}

// Each shape as double and as float, "plain" and "plain_f".
static void export_all(void)
{
    for (int i = 0; i < SHAPES; i++)
        for (int single = 0; single < 2; single++) {
            rig_random_loop(&shapes[i], (uint64_t)i + 1, &loop);
            rig_run(&loop, (uint64_t)i + 1, 2, &run);
            ib_ExportTrace trace = trace_of(&run, loop.states);
            ib_ExportOptions options = {.single = single};
            snprintf(options.name, sizeof options.name, "%s%s", shapes[i].name, single ? "_f" : "");
            ib_Status status = ib_export_loop(&loop, &options, &trace, folder, &error);
            if (status != IB_OK) fail_msg("%s", error.text);
        }
}

// One program that replays all of them and says which differ.
static void write_judge(const char *ending)
{
    char path[128];
    snprintf(path, sizeof path, "%s/judge%s.c", folder, ending);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("#include <stdio.h>\n", file);
    for (int i = 0; i < SHAPES; i++)
        fprintf(file, "int %s%s_replay(void);\n", shapes[i].name, ending);
    fputs("int main(void)\n{\n    int bad = 0;\n", file);
    for (int i = 0; i < SHAPES; i++)
        fprintf(file,
                "    if (%s%s_replay()) {\n        puts(\"%s%s\");\n        bad = 1;\n    }\n",
                shapes[i].name, ending, shapes[i].name, ending);
    fputs("    return bad;\n}\n", file);
    fclose(file);
}

// All sources of one precision, with their tests less their main().
static void list_all(const char *ending, bool tests, char *list, size_t size)
{
    list[0] = 0;
    for (int i = 0; i < SHAPES; i++) {
        char upper[40], more[256];
        snprintf(upper, sizeof upper, "%s%s", shapes[i].name, ending);
        for (char *c = upper; *c; c++)
            if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
        int used = snprintf(more, sizeof more, "src/%s%s.c ", shapes[i].name, ending);
        if (tests)
            snprintf(more + used, sizeof more - (size_t)used, "-D%s_NO_MAIN extras/%s%s_test.c ",
                     upper, shapes[i].name, ending);
        strncat(list, more, size - strlen(list) - 1);
    }
}

// Goal: what is exported as double gives the same bits as the library, as float stays within the
// bound it states. Method: loops of all shapes (integrals, gears, feed-forward, no observer, points
// that are not zero, up to 16 states), recorded with noise, limits and changes of gear;
// compiled strictly, replayed.
static void exported_loops_replay_their_run(void **state)
{
    (void)state;
    if (!have("cc")) {
        print_message("no cc in PATH: exported code was not compiled\n");
        skip();
    }
    export_all();
    static const char *const endings[] = {"", "_f"};
    for (int i = 0; i < 2; i++) {
        char list[2048], command[3072];
        list_all(endings[i], true, list, sizeof list);
        write_judge(endings[i]);
        snprintf(command, sizeof command, "cc " WARNINGS "-O1 %s judge%s.c -o judge && ./judge",
                 list, endings[i]);
        assert_int_equal(shell(command), 0);
    }
}

// The generated tests print, for which a compiler alone is not enough.
static bool has_library(const char *compiler)
{
    char command[256];
    snprintf(command, sizeof command, "echo '#include <stdio.h>' | %s -E - > %s 2>&1", compiler,
             "library.txt");
    bool there = shell(command) == 0;
    if (!there) print_message("no C library for %s: its test is not compiled\n", compiler);
    return there;
}

// Goal: every export compiles for the boards. Method: their compilers, strict, where installed:
// float for both, double for the Cortex only (on an AVR it is 32 bits, and the source says so).
static void exported_loops_compile_for_boards(void **state)
{
    (void)state;
    export_all();
    char list[2048], command[3072];
    if (have("arm-none-eabi-gcc")) {
        bool library = has_library("arm-none-eabi-gcc");
        for (int single = 0; single < 2; single++) {
            const char *test = single ? "extras/integral_f_test.c" : "extras/integral_test.c";
            list_all(single ? "_f" : "", false, list, sizeof list);
            snprintf(command, sizeof command,
                     "arm-none-eabi-gcc " WARNINGS "-O1 -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 "
                     "-mfloat-abi=hard -c %s %s",
                     list, library ? test : "");
            assert_int_equal(shell(command), 0);
        }
    } else {
        print_message("no arm-none-eabi-gcc: not compiled for Cortex-M\n");
    }
    if (!have("avr-gcc")) {
        print_message("no avr-gcc: not compiled for AVR\n");
        return;
    }
    list_all("_f", false, list, sizeof list);
    snprintf(command, sizeof command, "avr-gcc " WARNINGS "-O1 -mmcu=atmega328p -c %s %s", list,
             has_library("avr-gcc") ? "extras/plain_f_test.c" : "");
    assert_int_equal(shell(command), 0);
    assert_int_equal(
        shell("avr-gcc -std=gnu99 -Wall -Wextra -Werror -Os -mmcu=atmega328p -c src/geared_f.c && "
              "! avr-gcc -std=c99 -mmcu=atmega328p -c src/geared.c"),
        0);
}

// A recorded run from `start` with a battery of 10 V at most; how often 12 V were asked for.
static int run_limited(uint64_t seed, const double *start, double *applied)
{
    double c[IB_FEEDBACK_STATES_MAX];
    int limited = 0;
    rig_run(&loop, seed, 1, &run);
    ib_feedback_reset(&loop, start, 0, c);
    for (int k = 0; k < RIG_STEPS; k++) {
        ib_feedback_correct(&loop, run.y + 2 * k, c);
        const double *r = run.r + 4 * k;
        ib_feedback_output(&loop, r, k + 1 < RIG_STEPS ? r + 4 : NULL, 0, run.u + 2 * k, c);
        for (int i = 0; i < 2; i++) {
            applied[2 * k + i] = fmin(fmax(run.u[2 * k + i], -10), 10);
            limited += fabs(run.u[2 * k + i]) == 12;
        }
        ib_feedback_applied(&loop, applied + 2 * k, c);
        ib_feedback_predict(&loop, r, c);
        memcpy(run.x + 4 * k, c, 4 * sizeof *c);
    }
    return limited;
}

// Goal: the drivetrain of the reference exports and its own main() says so. Method: 12 V met and
// left, another input than asked on the way, in the first drawn run that does both; as
// double and float.
static void drivetrain_exports_with_applied_inputs(void **state)
{
    (void)state;
    if (!have("cc")) skip();
    rig_drivetrain(&loop);
    const double start[4] = {0.1, 0, -0.1, 0};
    static double applied[RIG_STEPS * 2];
    int limited = 0;
    for (uint64_t draw = 0; draw < 50 && (limited < 10 || limited > 120); draw++)
        limited = run_limited(7 + 10 * draw, start, applied);
    assert_in_range(limited, 10, 120);
    ib_ExportTrace trace = {.steps = RIG_STEPS,
                            .start = start,
                            .y = run.y,
                            .r = run.r,
                            .applied = applied,
                            .u = run.u,
                            .x = run.x};
    ib_ExportOptions options[] = {{.single = false}, {.single = true, .name = "drive_f"}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(ib_export_loop(&loop, &options[i], &trace, folder, &error), IB_OK);
    assert_int_equal(shell("cc " WARNINGS "-O2 src/drive.c extras/drive_test.c -o drive_test && "
                           "./drive_test | grep -q '64 periods agree to the last bit'"),
                     0);
    assert_int_equal(shell("cc " WARNINGS
                           "-O2 src/drive_f.c extras/drive_f_test.c -o drive_f_test && "
                           "./drive_f_test | grep -q 'within the bound'"),
                     0);

    // Float has 6e-8 relative; gains of 82 on metres: volts to 1e-4 at the worst.
    ib_ExportBound bound = ib_export_bound(&loop, &trace);
    assert_true(bound.u > 0 && bound.u < 4e-3 && bound.x > 0 && bound.x < 1e-4);
}

// A recorded run of the loop on an actuator that rounds down and gives half of the range. Returns
// true if it held its first integral at times, and let it go on at others.
static bool run_rounded(double *applied)
{
    int n = loop.states, m = loop.inputs, p = ib_loop_measured(&loop), held = 0;
    double c[IB_FEEDBACK_STATES_MAX];
    rig_run(&loop, 7, 3, &run);
    ib_feedback_reset(&loop, NULL, 0, c);
    for (int k = 0; k < RIG_STEPS; k++) {
        double z = c[n];
        ib_feedback_correct(&loop, run.y + p * k, c);
        ib_feedback_output(&loop, run.r + n * k, run.r + n * (k + 1), run.gear[k], run.u + m * k,
                           c);
        for (int i = 0; i < m; i++)
            applied[m * k + i] = fmin(0.03 * floor(run.u[m * k + i] / 0.03), 0.5);
        ib_feedback_applied(&loop, applied + m * k, c);
        ib_feedback_predict(&loop, run.r + n * k, c);
        memcpy(run.x + n * k, c, sizeof *c * (size_t)n);
        held += c[n] == z;
    }
    return held > 5 && held < RIG_STEPS - 5;
}

// Goal: integrals that are told of roundings and of cuts export to the bit. Method: loops with
// integrals, inputs with limits and without, of which one says how much of it is meant to be used;
// the recorded runs hold their integrals now and then, and the exported ones agree. Loops are drawn
// until one does: some never come to their limits. Of the shape that does so least one in twelve
// is fit; were it one in twenty, 300 draws would all fail once in five million. The header says
// what counts as a rounding.
static void integrals_export_with_rounded_inputs(void **state)
{
    (void)state;
    if (!have("cc")) skip();
    static double applied[RIG_STEPS * IB_INPUTS_MAX];
    for (int shape = 3; shape < 6; shape++) {
        bool both = false;
        for (int draw = 0; draw < 300 && !both; draw++) {
            rig_random_loop(&shapes[shape], (uint64_t)(40 + shape + 10 * draw), &loop);
            loop.low[0] = -INFINITY;
            loop.largest[0] = shape == 3 ? 0 : 2;
            both = run_rounded(applied);
        }
        assert_true(both);
        ib_ExportTrace trace = {.steps = RIG_STEPS,
                                .y = run.y,
                                .r = run.r,
                                .r_next = run.r + loop.states,
                                .gear = run.gear,
                                .applied = applied,
                                .u = run.u,
                                .x = run.x};
        ib_ExportOptions options = {.name = "rounded"};
        assert_int_equal(ib_export_loop(&loop, &options, &trace, folder, &error), IB_OK);
        assert_int_equal(shell("cc " WARNINGS
                               "-O2 src/rounded.c extras/rounded_test.c -o rounded_test && "
                               "./rounded_test | grep -q 'agree to the last bit'"),
                         0);
        assert_int_equal(shell(shape == 3 ? "grep -q 'u.0.: a fortieth of u,' src/rounded.h"
                                          : "grep -q 'u.0.: 0.1, a fortieth' src/rounded.h"),
                         0);
    }
}

// One state, both poles of the closed loop at 0.5. The controller alone has its last u in what it
// expects to measure, y = x + D u:
//   x[k+1] = ((1 - M) (A - B K) + M D K) x[k] + M y      pole 0.25 + 0.25 D
static void make_unstable(double D)
{
    memset(&loop, 0, sizeof loop);
    strcpy(loop.name, "swing");
    loop.states = loop.inputs = loop.outputs = loop.gears = 1;
    loop.observer = true;
    loop.period = 0.005;
    loop.low[0] = -INFINITY, loop.high[0] = INFINITY;
    ib_LoopGear *gear = &loop.gear[0];
    gear->plant = ib_state_space_default(1, 1, 1);
    gear->plant.period = loop.period;
    gear->plant.A[0] = gear->plant.B[0] = gear->plant.C[0] = 1;
    gear->plant.D[0] = D;
    gear->K[0] = gear->M[0] = 0.5;
}

// Goal: a controller that is unstable alone is exported as float with a trace that float can
// follow, or not at all, and never with an infinite bound. Method: a pole at 2, which makes 1 % of
// a rounding of 6e-8 in 17 periods (of which the bound has a quarter: 15), so that 64 periods are
// halved to 8; one at 2.5e5, which does so in the second.
static void unstable_controllers_have_short_traces(void **state)
{
    (void)state;
    ib_ExportOptions options = {.single = true}, wide = {.single = false};
    make_unstable(7);
    rig_run(&loop, 3, 1, &run);
    ib_ExportTrace trace = trace_of(&run, 1);
    trace.gear = NULL;
    trace.r_next = NULL; // the last goal that is left is still known
    assert_true(ib_export_bound(&loop, &trace).u > 1);
    assert_int_equal(ib_export_shorten(&loop, &wide, &trace).steps, RIG_STEPS);
    ib_ExportTrace part = ib_export_shorten(&loop, &options, &trace);
    assert_in_range(part.steps, 8, 16);
    assert_int_equal(part.recorded, RIG_STEPS);
    ib_ExportBound bound = ib_export_bound(&loop, &part);
    assert_true(bound.u <= 0.01 * bound.largest_u && bound.x <= 0.01 * bound.largest_x);
    assert_int_equal(ib_export_loop(&loop, &options, &trace, folder, &error), IB_OK);
    assert_int_equal(shell("grep -q 'The first [0-9]* of 64 periods' extras/swing_test.c"), 0);
    if (have("cc"))
        assert_int_equal(shell("cc " WARNINGS
                               "-O2 src/swing.c extras/swing_test.c -o swing_test && "
                               "./swing_test | grep -q 'within the bound'"),
                         0);

    make_unstable(1e6);
    rig_run(&loop, 3, 1, &run);
    assert_int_equal(ib_export_loop(&loop, &options, &trace, folder, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "Expected an export as double"));
    assert_int_equal(ib_export_loop(&loop, &wide, &trace, folder, &error), IB_OK);
}

// Goal: the replay sees a single wrong bit. Method: the source of a loop with one gain an ulp off,
// against the run of the right one.
static void replay_sees_one_wrong_bit(void **state)
{
    (void)state;
    if (!have("cc")) skip();
    rig_drivetrain(&loop);
    rig_run(&loop, 7, 0.05, &run);
    ib_ExportTrace trace = trace_of(&run, 4);
    ib_ExportOptions options = {.name = "wrong"};
    loop.gear[0].K[1] = nextafter(loop.gear[0].K[1], 100);
    assert_int_equal(ib_export_loop(&loop, &options, &trace, folder, &error), IB_OK);
    assert_int_equal(shell("cc " WARNINGS "-O0 src/wrong.c extras/wrong_test.c -o wrong_test && "
                           "! ./wrong_test > said.txt && grep -q differs said.txt"),
                     0);
}

// Goal: what cannot be exported is refused with the reason. Method: one defect each.
static void impossible_exports_are_refused(void **state)
{
    (void)state;
    rig_drivetrain(&loop);
    rig_run(&loop, 7, 1, &run);
    ib_ExportTrace trace = trace_of(&run, 4);
    ib_ExportOptions options = {.name = "2fast"};
    assert_int_equal(ib_export_loop(&loop, &options, &trace, folder, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "name"));

    options = (ib_ExportOptions){.single = true};
    loop.gear[0].K[0] = 1e39;
    assert_int_equal(ib_export_loop(&loop, &options, &trace, folder, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "too large for float"));
    loop.gear[0].K[0] = NAN;
    assert_int_equal(ib_export_loop(&loop, &options, &trace, folder, &error), IB_BAD_INPUT);

    rig_drivetrain(&loop);
    double right = run.u[5];
    run.u[5] = NAN;
    assert_int_equal(ib_export_loop(&loop, &options, &trace, folder, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "trace: u"));
    run.u[5] = right;
    run.gear[3] = 1;
    assert_int_equal(ib_export_loop(&loop, &options, &trace, folder, &error), IB_BAD_INPUT);
    run.gear[3] = 0;
    assert_int_equal(ib_export_loop(&loop, &options, &trace, "/nowhere/at/all", &error), IB_FAILED);
    assert_non_null(strstr(error.text, "/nowhere/at/all/src/drive.h"));
}

// Goal: loops that are not whole are refused. Method: one defect each.
static void broken_loops_are_refused(void **state)
{
    (void)state;
    rig_drivetrain(&loop);
    assert_int_equal(ib_loop_check(&loop, &error), IB_OK);
    loop.fade = 1;
    assert_int_equal(ib_loop_check(&loop, &error), IB_BAD_INPUT);
    rig_drivetrain(&loop);
    loop.gears = 9;
    assert_int_equal(ib_loop_check(&loop, &error), IB_BAD_INPUT);
    rig_drivetrain(&loop);
    loop.low[1] = 13;
    assert_int_equal(ib_loop_check(&loop, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "input 2"));
    rig_drivetrain(&loop);
    loop.gear[0].plant.period = 0;
    assert_int_equal(ib_loop_check(&loop, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "not discrete"));
    rig_drivetrain(&loop);
    loop.gears = 2;
    assert_int_equal(ib_loop_check(&loop, &error), IB_BAD_INPUT);
    rig_drivetrain(&loop);
    loop.gear[0].drift[3] = 0.1;
    assert_int_equal(ib_loop_check(&loop, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "offset"));
    loop.offset = true;
    assert_int_equal(ib_loop_check(&loop, &error), IB_OK);
    loop.gear[0].hold[1] = NAN;
    assert_int_equal(ib_loop_check(&loop, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "hold"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exported_loops_replay_their_run),
        cmocka_unit_test(exported_loops_compile_for_boards),
        cmocka_unit_test(drivetrain_exports_with_applied_inputs),
        cmocka_unit_test(integrals_export_with_rounded_inputs),
        cmocka_unit_test(unstable_controllers_have_short_traces),
        cmocka_unit_test(replay_sees_one_wrong_bit),
        cmocka_unit_test(impossible_exports_are_refused),
        cmocka_unit_test(broken_loops_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
