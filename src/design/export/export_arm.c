// design/export/export_arm.c: the files of an arm's follower, its header, and the replay of runs.
#include "design/export/export_arm_text.h"

#include "base/extreme.h"
#include "base/output.h"
#include "base/random.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// A recorded run: the arm stands, moves, and stands at the goal; the plant has a load unknown to
// the filter, and encoders have noise [kg], [rad].
enum { BEFORE = 10, AFTER = 40, LONGEST = 600, PARTS = 10 };
static const double LOAD = 0.3, NOISE = 1e-3;
static const double LOW = 0.75; ///< of the volts in the plan, in one run

void ib__export_arm_list(const ib_ExportArm *arm, int count, const double *values)
{
    fputc('{', arm->out.file);
    for (int i = 0; i < count; i++) {
        if (i > 0) fputs(i % 4 == 0 ? ",\n     " : ", ", arm->out.file);
        ib__export_double(&arm->out, values[i]);
    }
    fputc('}', arm->out.file);
}

// ------------------------------------------------------------------------------------------ header

static void write_name(const ib_ExportArm *arm, const char *what, const char *name)
{
    ib__export_text(&arm->out, "    @_");
    fputs(what, arm->out.file);
    for (const char *c = name; *c; c++)
        fputc(isalnum((unsigned char)*c) ? toupper((unsigned char)*c) : '_', arm->out.file);
}

void ib__export_arm_header(const ib_ExportArm *arm)
{
    const ib_ArmPlan *plan = arm->follower->plan;
    const ib_Export *out = &arm->out;
    ib__export_text(
        out,
        "// $.h: follows timed ways of an arm of two links, written by Ironbird (ironbird plan).\n"
        "// docs/control/arm_follow.md says how it works. C99, no heap; sin and cos are libm's.\n"
        "//   static $_state arm;\n"
        "//   $_init(&arm, goal at which it stands);\n"
        "//   $_go(&arm, way);                       begins a way from there\n"
        "//   $_supply(&arm, battery);               where the battery is measured [V]\n"
        "//   $_step(&arm, encoders, volts);         once a period\n"
        "// Volts are those at the motors: of a bridge on a battery of U volts, the duty volts/U.\n"
        "// Angles are from straight up, positive forward [rad]. Encoders that are not numbers "
        "are\n"
        "// left out.\n"
        "#ifndef @_H\n#define @_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nenum {\n");
    for (int i = 0; i < plan->goal_count; i++) {
        write_name(arm, "GOAL_", plan->goals[i].name);
        fprintf(out->file, " = %d,\n", i);
    }
    ib__export_text(out, "    @_GOALS");
    fprintf(out->file, " = %d\n};\nenum {\n", plan->goal_count);
    for (int i = 0; i < plan->track_count; i++) {
        const ib_ArmTrack *track = &plan->tracks[i];
        write_name(arm, "WAY_", arm->options->names[i]);
        fprintf(out->file, " = %d, // %s to %s, %.6g s\n", i, plan->goals[track->from].name,
                plan->goals[track->to].name, ib_arm_table_end(&arm->follower->tables[i]));
    }
    ib__export_text(out, "    @_WAYS");
    fprintf(out->file, " = %d\n};\n\n", plan->track_count);
    ib__export_text(out, "#define @_PERIOD ");
    ib__export_double(out, arm->follower->config.period);
    ib__export_text(
        out,
        " // between two steps [s]\n\n"
        "typedef struct $_state {\n"
        "    double x[6];    // estimates: th1, w1, th2, w2, and volts that the model lacks\n"
        "    double P[6][6]; // their covariance\n"
        "    double u[2];    // last volts\n"
        "    double t, pace; // time along the way [s], and how fast it goes on: 1 as planned\n"
        "    int goal, way;  // at which it stands, or -1; which it goes, or -1\n"
        "    int begun;      // it has had a first sample\n"
        "    double supply;  // most that the motors can get [V]; 0: not known\n"
        "    double th[2], w[2]; // reference at the last step\n"
        "} $_state;\n\n"
        "// 0, or -1 without such a goal: then all volts are 0.\n"
        "int $_init($_state *s, int goal);\n\n"
        "// 0: it goes. -1: there is no such way, it begins at another goal than the one at which "
        "the\n"
        "// arm stands, or the arm is still on its way; then nothing changes.\n"
        "int $_go($_state *s, int way);\n"
        "int $_done(const $_state *s); // the way has come to its end\n\n"
        "// With fewer volts than its plan counted on the arm goes slower, on the same way. Not "
        "known,\n"
        "// as at first: 0.\n"
        "void $_supply($_state *s, double volts);\n"
        "void $_step($_state *s, const double encoder[2], double volts[2]);\n\n"
        "#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

// -------------------------------------------------------------------------------------------- test

// One run along a track, as rows: encoders, volts, estimates.
typedef struct Run {
    int rows;
    double supply; ///< [V]; 0: not known
    double row[LONGEST][PARTS];
} Run;

static void record(const ib_ArmFollower *follower, int way, double supply, Run *run)
{
    const ib_ArmPlan *plan = follower->plan;
    const ib_ArmTrack *track = &plan->tracks[way];
    const ib_ArmGoal *from = &plan->goals[track->from];
    ib_ArmPlant real = plan->plant;
    double state[IB_ARM_FOLLOW_STATES], period = follower->config.period;
    double x[IB_ARM_X] = {from->th[0], 0, from->th[1], 0};
    double ticks = ib_arm_table_end(&follower->tables[way]) / period + BEFORE + AFTER;
    real.link = ib_two_link_loaded(&real.link, LOAD);
    run->supply = supply;
    run->rows = ticks < LONGEST ? (int)ticks : LONGEST;
    ib_arm_follow_reset(follower, state);
    for (int k = 0; k < run->rows; k++) {
        double *row = run->row[k], *volts = row + 2;
        uint64_t n = (uint64_t)k;
        row[0] = x[IB_ARM_TH1] + NOISE * ib_random_normal(971, (uint64_t)(2 * way), n);
        row[1] = x[IB_ARM_TH2] + NOISE * ib_random_normal(971, (uint64_t)(2 * way + 1), n);
        ib_arm_follow_step(follower, row, k < BEFORE ? track->from : track->to,
                           supply > 0 ? supply : NAN, state, volts);
        memcpy(row + 4, state + IB_ARM_FOLLOW_X, IB_ARM_X * sizeof *row);
        for (int i = 0; i < 10; i++) ib_arm_advance(&real, volts, period / 10, x);
    }
}

// True if the follower takes this track from its begin: no earlier one leads there as well.
static bool is_first(const ib_ArmPlan *plan, int way)
{
    for (int i = 0; i < way; i++)
        if (plan->tracks[i].from == plan->tracks[way].from &&
            plan->tracks[i].to == plan->tracks[way].to)
            return false;
    return true;
}

static void write_run(const ib_ExportArm *arm, int way, double supply, int number, Run *run)
{
    FILE *file = arm->out.file;
    record(arm->follower, way, supply, run);
    fprintf(file, "static const double run_%d[%d][%d] = {\n", number, run->rows, PARTS);
    for (int k = 0; k < run->rows; k++) {
        fputs("    ", file);
        ib__export_arm_list(arm, PARTS, run->row[k]);
        fputs(",\n", file);
    }
    fputs("};\n", file);
}

// Supply of run number `run`: the first way has a second run, on a low battery.
static double supply_of(const ib_ExportArm *arm, int run)
{
    const double *counts = arm->follower->plan->limits.volts;
    double most = ib_min(arm->follower->config.volts, ib_max(counts[0], counts[1]));
    return run == 0 ? LOW * most : 0;
}

void ib__export_arm_test(const ib_ExportArm *arm)
{
    const ib_ArmPlan *plan = arm->follower->plan;
    const ib_Export *out = &arm->out;
    static Run run;
    int runs = 1;
    ib__export_text(
        out, "// $_test.c: replays runs that Ironbird recorded, against $.c. Written by Ironbird.\n"
             "//   cc -std=c99 $.c $_test.c -lm -o $_test && ./$_test\n"
             "#include \"$.h\"\n\n#include <math.h>\n#include <stdio.h>\n\n"
             "// Encoders, volts, estimates.\n");
    write_run(arm, 0, supply_of(arm, 0), 0, &run);
    for (int i = 0; i < plan->track_count; i++)
        if (is_first(plan, i)) write_run(arm, i, 0, i + 1, &run);
    ib__export_text(out, "\nstatic const struct {\n    int way, from, rows;\n    double supply;\n"
                         "    const double (*row)[10];\n} runs[] = {\n");
    for (int i = -1; i < plan->track_count; i++) {
        int way = i < 0 ? 0 : i;
        if (i >= 0 && !is_first(plan, i)) continue;
        fprintf(out->file, "    {%d, %d, (int)(sizeof run_%d / sizeof run_%d[0]), ", way,
                plan->tracks[way].from, i + 1, i + 1);
        ib__export_double(out, supply_of(arm, i + 1));
        fprintf(out->file, ", run_%d},\n", i + 1);
        runs += i >= 0;
    }
    fprintf(out->file, "};\n\nenum { RUNS = %d, BEFORE = %d };\n", runs, BEFORE);
    ib__export_text(
        out,
        "\nint main(void)\n{\n    static $_state arm;\n    double worst = 0;\n    int i, k, j;\n"
        "    if ($_init(&arm, @_GOALS) == 0 || $_init(&arm, 0) != 0 || $_go(&arm, @_WAYS) == 0 ||\n"
        "        $_go(&arm, -1) == 0)\n        return 1;\n"
        "    for (i = 0; i < RUNS; i++) {\n        $_init(&arm, runs[i].from);\n"
        "        $_supply(&arm, runs[i].supply);\n"
        "        for (k = 0; k < runs[i].rows; k++) {\n"
        "            const double *row = runs[i].row[k];\n            double volts[2];\n"
        "            if (k == BEFORE && $_go(&arm, runs[i].way) != 0) return 1;\n"
        "            $_step(&arm, row, volts);\n"
        "            for (j = 0; j < 8; j++) {\n"
        "                double got = j < 2 ? volts[j] : arm.x[j - 2];\n"
        "                double off = fabs(got - row[j + 2]);\n"
        "                if (!(off <= 1e-9)) {\n"
        "                    printf(\"way %d, step %d, column %d: %.12g, expected %.12g\\n\",\n"
        "                           runs[i].way, k, j, got, row[j + 2]);\n"
        "                    return 1;\n                }\n"
        "                if (off > worst) worst = off;\n            }\n        }\n    }\n"
        "    printf(\"$: %d runs agree within %.1e\\n\", RUNS, worst);\n    return 0;\n}\n");
}

// ------------------------------------------------------------------------------------------- files

ib_Status ib_export_arm_path(const char *folder, const char *name, ib_ExportArmPart part,
                             char *path, size_t size, ib_Error *error)
{
    static const char *const endings[IB_EXPORT_ARM_PARTS] = {".h", ".c", "_test.c"};
    int length = snprintf(path, size, "%s/%s%s", folder, name, endings[part]);
    if (length >= 0 && (size_t)length < size) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "the folder's name is too long");
}

ib_Status ib_export_arm(const ib_ArmFollower *follower, const ib_ExportArmOptions *options,
                        const char *folder, ib_Error *error)
{
    static void (*const writers[IB_EXPORT_ARM_PARTS])(const ib_ExportArm *) = {
        ib__export_arm_header, ib__export_arm_source, ib__export_arm_test};
    ib_ExportArm arm = {.follower = follower, .options = options};
    if (follower->plan->track_count < 1)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the plan has no way: expected one at least to follow");
    if (strlen(options->name) >= sizeof arm.out.name)
        return ib_error_set(error, IB_BAD_INPUT, "the name '%s' is too long: expected at most %d",
                            options->name, IB_STATE_NAME);
    for (int k = 0; options->name[k]; k++) {
        arm.out.name[k] = options->name[k];
        arm.out.upper[k] = (char)toupper((unsigned char)options->name[k]);
    }
    for (int i = 0; i < IB_EXPORT_ARM_PARTS; i++) {
        char path[4096];
        ib_Status status = ib_export_arm_path(folder, options->name, (ib_ExportArmPart)i, path,
                                              sizeof path, error);
        if (status == IB_OK) status = ib_output_begin(path, &arm.out.file, error);
        if (status != IB_OK) return status;
        writers[i](&arm);
        status = ib_output_end(arm.out.file, path, error);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}
