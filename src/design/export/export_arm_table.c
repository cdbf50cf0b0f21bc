#include "design/export/export_arm_table.h"

#include "base/extreme.h"
#include "base/output.h"
#include "design/export/export_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHECKS = 64 }; ///< instants of each way in the test

// ------------------------------------------------------------------------------------------ tables

// Columns of each joint in a row: theta, omega, alpha, volts.
enum { PARTS = 4, COLUMNS = 2 * PARTS };
typedef struct Row {
    double value[COLUMNS];
} Row;

static Row row_at(const ib_ArmPlan *plan, const ib_ArmTrack *track, double t)
{
    ib_ArmSample at = ib_arm_sample(&plan->plant, &track->path, &track->timing, t, NULL);
    Row row;
    for (int i = 0; i < 2; i++) {
        const double parts[PARTS] = {at.th[i], at.w[i], at.a[i], at.volts[i]};
        memcpy(row.value + PARTS * i, parts, sizeof parts);
    }
    return row;
}

static double duration_of(const ib_ArmTrack *track)
{
    return track->timing.t[track->path.count - 1];
}

// The last row is the end itself, at rest, at most a period behind the row before.
static int rows_of(const ib_ArmTrack *track, double period)
{
    return (int)ceil(duration_of(track) / period) + 1;
}

// Interpolates between rows as the exported function does: angles by the cubic through both rows'
// angles and speeds, all others linearly.
static Row read_between(const ib_ArmPlan *plan, const ib_ArmTrack *track, double period, double t)
{
    int k = (int)(t / period), last = rows_of(track, period) - 1;
    double h = k + 1 < last ? period : duration_of(track) - (last - 1) * period;
    if (t >= duration_of(track)) return row_at(plan, track, last * period);
    if (k >= last) k = last - 1;
    Row a = row_at(plan, track, k * period), b = row_at(plan, track, (k + 1) * period), row;
    double x = (t - k * period) / h, y = 1 - x;
    for (int i = 0; i < COLUMNS; i++) {
        row.value[i] = y * a.value[i] + x * b.value[i];
        if (i % PARTS) continue;
        row.value[i] = y * y * (1 + 2 * x) * a.value[i] + x * x * (1 + 2 * y) * b.value[i] +
                       h * x * y * (y * a.value[i + 1] - x * b.value[i + 1]);
    }
    return row;
}

// ------------------------------------------------------------------------------------------- files

typedef struct Table {
    const ib_ArmPlan *plan;
    const ib_ArmTableOptions *options;
    ib_Export out; ///< its `loop` is NULL: for texts and numbers only
} Table;

static void put(const Table *table, const char *text)
{
    ib__export_text(&table->out, text);
}

// "MOVES_OUT": the number of a way.
static void put_way(const Table *table, int way)
{
    put(table, "@_WAY_");
    for (const char *c = table->options->names[way]; *c; c++)
        fputc(toupper((unsigned char)*c), table->out.file);
}

static void write_header(const Table *table)
{
    const ib_ArmPlan *plan = table->plan;
    FILE *file = table->out.file;
    put(table,
        "// $.h: timed ways of an arm of two links, written by Ironbird (ironbird plan).\n//\n"
        "// Angles are from straight up, positive forward [rad]; volts are those of each "
        "joint's motors that\n// move a perfect arm so: a controller adds the correction.\n"
        "//   $_sample at = $_at(&$_ways[n], seconds);\n#ifndef @_H\n#define @_H\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nenum {\n");
    for (int i = 0; i < plan->track_count; i++) {
        fprintf(file, "    ");
        put_way(table, i);
        fprintf(file, " = %d, // %s to %s, %.6g s\n", i, plan->goals[plan->tracks[i].from].name,
                plan->goals[plan->tracks[i].to].name, duration_of(&plan->tracks[i]));
    }
    fprintf(file, "    ");
    put(table, "@_WAYS");
    fprintf(file, " = %d\n};\n\n", plan->track_count);
    put(table, "typedef struct $_sample {\n"
               "    double theta[2], omega[2], alpha[2]; // [rad], [rad/s], [rad/s^2]\n"
               "    double volts[2];                     // [V]\n} $_sample;\n\n"
               "typedef struct $_way {\n    double duration; // [s]\n    int rows;\n"
               "    const double (*row)[8]; // theta, omega, alpha, volts of joint 1, then of 2\n"
               "} $_way;\n\nextern const double $_period; // from row to row [s]\n"
               "extern const $_way $_ways[@_WAYS];\n\n"
               "// Before 0 it stands at the start, beyond the end at the goal.\n"
               "$_sample $_at(const $_way *way, double t);\n\n"
               "#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

static void write_row(const Table *table, const Row *row)
{
    fprintf(table->out.file, "    {");
    for (int i = 0; i < COLUMNS; i++) {
        if (i) fputs(i == PARTS ? ",\n     " : ", ", table->out.file);
        ib__export_double(&table->out, row->value[i]);
    }
    fprintf(table->out.file, "},\n");
}

static void write_source(const Table *table)
{
    const ib_ArmPlan *plan = table->plan;
    FILE *file = table->out.file;
    double period = table->options->period;
    put(table, "// $.c: written by Ironbird (ironbird plan).\n#include \"$.h\"\n\n"
               "const double $_period = ");
    ib__export_double(&table->out, period);
    fprintf(file, ";\n");
    for (int i = 0; i < plan->track_count; i++) {
        const ib_ArmTrack *track = &plan->tracks[i];
        fprintf(file, "\nstatic const double rows_%d[%d][%d] = {\n", i, rows_of(track, period),
                COLUMNS);
        for (int k = 0; k < rows_of(track, period); k++) {
            Row row = row_at(plan, track, k * period);
            write_row(table, &row);
        }
        fprintf(file, "};\n");
    }
    put(table, "\nconst $_way $_ways[@_WAYS] = {\n");
    for (int i = 0; i < plan->track_count; i++) {
        fprintf(file, "    {");
        ib__export_double(&table->out, duration_of(&plan->tracks[i]));
        fprintf(file, ", %d, rows_%d},\n", rows_of(&plan->tracks[i], period), i);
    }
    put(table,
        "};\n\n// Angles by the cubic that has both rows' angles and speeds, all else by a line.\n"
        "$_sample $_at(const $_way *way, double t)\n{\n    $_sample at;\n"
        "    double h = $_period, x = 0, y = 1;\n    int k = 0, i, last = way->rows - 1;\n"
        "    const double *a, *b;\n"
        "    if (t >= way->duration)\n        k = last;\n"
        "    else if (t > 0) {\n        k = t / h < last ? (int)(t / h) : last - 1;\n"
        "        t -= k * h;\n"
        "        if (k == last - 1) h = way->duration - k * h; // the last row is the end\n"
        "        x = t / h;\n        y = 1 - x;\n    }\n"
        "    a = way->row[k];\n    b = way->row[k < last ? k + 1 : last];\n"
        "    for (i = 0; i < 2; i++, a += 4, b += 4) {\n"
        "        at.theta[i] = y * y * (1 + 2 * x) * a[0] + x * x * (1 + 2 * y) * b[0] +\n"
        "                      h * x * y * (y * a[1] - x * b[1]);\n"
        "        at.omega[i] = y * a[1] + x * b[1];\n        at.alpha[i] = y * a[2] + x * b[2];\n"
        "        at.volts[i] = y * a[3] + x * b[3];\n    }\n    return at;\n}\n");
}

// The largest errors of a table between its rows, for each column.
typedef struct Errors {
    double of[PARTS];
} Errors;

static Errors write_checks(const Table *table, int way)
{
    const ib_ArmTrack *track = &table->plan->tracks[way];
    Errors errors = {{0}};
    for (int k = 0; k < CHECKS; k++) {
        double t = duration_of(track) * (k + 0.5 + 0.3 * (k % 3 - 1)) / CHECKS;
        Row row = row_at(table->plan, track, t);
        Row read = read_between(table->plan, track, table->options->period, t);
        for (int i = 0; i < COLUMNS; i++)
            errors.of[i % PARTS] = ib_max(errors.of[i % PARTS], fabs(row.value[i] - read.value[i]));
        fprintf(table->out.file, "    {%d, ", way);
        ib__export_double(&table->out, t);
        fprintf(table->out.file, ",\n    ");
        write_row(table, &row);
        fprintf(table->out.file, "    },\n");
    }
    return errors;
}

static void write_test(const Table *table)
{
    FILE *file = table->out.file;
    const double *limit = table->plan->limits.volts;
    Errors errors = {{0}};
    put(table,
        "// $_test.c: holds the tables of $.c against the plan between their rows. Written by "
        "Ironbird.\n//   cc -std=c99 $.c $_test.c -o $_test && ./$_test\n"
        "#include \"$.h\"\n\n#include <stdio.h>\n\n"
        "static const struct {\n    int way;\n    double t, row[8];\n} checks[] = {\n");
    for (int i = 0; i < table->plan->track_count; i++) {
        Errors found = write_checks(table, i);
        for (int k = 0; k < PARTS; k++) errors.of[k] = ib_max(errors.of[k], found.of[k]);
    }
    fprintf(file, "};\n\n// So far a straight line is from the plan, at most, and a rounding more: "
                  "angles, speeds, …\nstatic const double within[4] = {");
    for (int k = 0; k < PARTS; k++) {
        if (k) fputs(", ", file);
        ib__export_double(&table->out, 1.001 * errors.of[k] + 1e-9);
    }
    fprintf(file, "};\nstatic const double limit[2] = {");
    for (int k = 0; k < 2; k++) {
        if (k) fputs(", ", file);
        ib__export_double(&table->out, 1.0001 * limit[k]);
    }
    put(table,
        "};\n\nstatic double size(double x)\n{\n    return x < 0 ? -x : x;\n}\n\n"
        "int main(void)\n{\n    int count = (int)(sizeof checks / sizeof checks[0]), i, k, bad = "
        "0;\n"
        "    for (i = 0; i < count; i++) {\n"
        "        $_sample at = $_at(&$_ways[checks[i].way], checks[i].t);\n"
        "        for (k = 0; k < 8; k++) {\n            int joint = k / 4;\n"
        "            const double got[4] = {at.theta[joint], at.omega[joint], at.alpha[joint],\n"
        "                                   at.volts[joint]};\n"
        "            if (size(got[k % 4] - checks[i].row[k]) <= within[k % 4]) continue;\n"
        "            printf(\"way %d, t = %g s, column %d: %.9g, expected %.9g\\n\", "
        "checks[i].way,\n"
        "                   checks[i].t, k, got[k % 4], checks[i].row[k]);\n            bad++;\n"
        "        }\n    }\n"
        "    for (i = 0; i < 2 * @_WAYS; i++) {\n"
        "        const $_way *way = &$_ways[i / 2];\n"
        "        $_sample at = $_at(way, way->duration + i % 2 * 0.3 * $_period);\n"
        "        for (k = 0; k < 2; k++) {\n"
        "            const double *goal = way->row[way->rows - 1] + 4 * k;\n"
        "            if (at.theta[k] == goal[0] && at.omega[k] == 0 && at.alpha[k] == 0) "
        "continue;\n"
        "            printf(\"way %d: it does not stand behind its end\\n\", i / 2);\n"
        "            bad++;\n        }\n    }\n"
        "    for (i = 0; i < @_WAYS; i++)\n        for (k = 0; k < 2 * $_ways[i].rows; k++)\n"
        "            if (size($_ways[i].row[k / 2][k % 2 * 4 + 3]) > limit[k % 2]) {\n"
        "                printf(\"way %d, row %d: beyond the limit of joint %d\\n\", i, k / 2, "
        "k % 2 + 1);\n                bad++;\n            }\n"
        "    printf(bad ? \"%d of %d checks FAILED\\n\" : \"ok: %d of %d checks failed\\n\", bad, "
        "count);\n    return bad != 0;\n}\n");
}

ib_Status ib_arm_table_path(const char *folder, const char *name, ib_ArmTablePart part, char *path,
                            size_t size, ib_Error *error)
{
    static const char *const endings[IB_ARM_TABLE_PARTS] = {".h", ".c", "_test.c"};
    int length = snprintf(path, size, "%s/%s%s", folder, name, endings[part]);
    if (length >= 0 && (size_t)length < size) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "the folder's name is too long");
}

ib_Status ib_export_arm_table(const ib_ArmPlan *plan, const ib_ArmTableOptions *options,
                              const char *folder, ib_Error *error)
{
    static void (*const writers[IB_ARM_TABLE_PARTS])(const Table *) = {write_header, write_source,
                                                                       write_test};
    for (int i = 0; i < IB_ARM_TABLE_PARTS; i++) {
        char path[4096];
        Table table = {plan, options, {0}};
        snprintf(table.out.name, sizeof table.out.name, "%s", options->name);
        for (int k = 0; table.out.name[k]; k++)
            table.out.upper[k] = (char)toupper((unsigned char)table.out.name[k]);
        ib_Status status =
            ib_arm_table_path(folder, options->name, (ib_ArmTablePart)i, path, sizeof path, error);
        if (status == IB_OK) status = ib_output_begin(path, &table.out.file, error);
        if (status != IB_OK) return status;
        writers[i](&table);
        status = ib_output_end(table.out.file, path, error);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}
