#include "design/export/export_text.h"

#include "base/output.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { STEPS_MAX = 100000, PATH_TEXT = 4096 };

// ------------------------------------------------------------------------------------------ checks

static ib_Status check_fits(const char *what, int count, const double *a, ib_Error *error)
{
    for (int i = 0; i < count; i++)
        if (isfinite(a[i]) && fabs(a[i]) > (double)FLT_MAX)
            return ib_error_set(error, IB_BAD_INPUT, "%s: %g is too large for float", what, a[i]);
    return IB_OK;
}

static ib_Status check_loop_fits(const ib_Loop *loop, ib_Error *error)
{
    int n = loop->states, m = loop->inputs, p = loop->outputs;
    ib_Status status = check_fits("low", m, loop->low, error);
    if (status == IB_OK) status = check_fits("high", m, loop->high, error);
    if (status == IB_OK) status = check_fits("largest", m, loop->largest, error);
    if (status == IB_OK) status = check_fits("start", n, loop->start, error);
    for (int g = 0; status == IB_OK && g < loop->gears; g++) {
        const ib_LoopGear *gear = &loop->gear[g];
        status = check_fits("A", n * n, gear->plant.A, error);
        if (status == IB_OK) status = check_fits("B", n * m, gear->plant.B, error);
        if (status == IB_OK) status = check_fits("C", p * n, gear->plant.C, error);
        if (status == IB_OK) status = check_fits("D", p * m, gear->plant.D, error);
        if (status == IB_OK) status = check_fits("K", m * n, gear->K, error);
        if (status == IB_OK) status = check_fits("F", m * n, gear->F, error);
        if (status == IB_OK) status = check_fits("G", m * loop->integrals, gear->G, error);
        if (status == IB_OK && loop->observer) status = check_fits("M", n * p, gear->M, error);
        if (status == IB_OK) status = check_fits("hold", m, gear->hold, error);
        if (status == IB_OK) status = check_fits("drift", n, gear->drift, error);
        if (status == IB_OK) status = check_fits("zero", p, gear->zero, error);
    }
    return status;
}

static ib_Status check_rows(const char *what, int count, const double *a, bool single,
                            ib_Error *error)
{
    for (int i = 0; a && i < count; i++)
        if (!isfinite(a[i]))
            return ib_error_set(error, IB_BAD_INPUT, "trace: %s is not a number at its place %d",
                                what, i + 1);
    return a && single ? check_fits(what, count, a, error) : IB_OK;
}

static ib_Status check_trace(const ib_Loop *loop, const ib_ExportTrace *trace, bool single,
                             ib_Error *error)
{
    if (trace->steps < 1 || trace->steps > STEPS_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "trace: %d periods, expected 1 to %d",
                            trace->steps, STEPS_MAX);
    int steps = trace->steps, x = steps * loop->states, u = steps * loop->inputs;
    int y = steps * ib_loop_measured(loop);
    ib_Status status = check_rows("start", loop->states, trace->start, single, error);
    if (status == IB_OK) status = check_rows("y", y, trace->y, single, error);
    if (status == IB_OK) status = check_rows("r", x, trace->r, single, error);
    if (status == IB_OK) status = check_rows("r_next", x, trace->r_next, single, error);
    if (status == IB_OK) status = check_rows("applied", u, trace->applied, single, error);
    if (status == IB_OK) status = check_rows("u", u, trace->u, single, error);
    if (status == IB_OK) status = check_rows("x", x, trace->x, single, error);
    for (int k = 0; status == IB_OK && trace->gear && k < steps; k++)
        if (trace->gear[k] < 0 || trace->gear[k] >= loop->gears)
            status = ib_error_set(error, IB_BAD_INPUT, "trace: no gear %d", trace->gear[k]);
    return status;
}

// Shortens a trace to the part that float follows; refuses a loop that float cannot follow at all.
static ib_Status shorten_trace(const ib_Loop *loop, const ib_ExportOptions *options,
                               ib_ExportTrace *trace, ib_Error *error)
{
    ib_ExportTrace part = ib_export_shorten(loop, options, trace);
    if (part.steps > 0) {
        *trace = part;
        return IB_OK;
    }
    return ib_error_set(error, IB_BAD_INPUT,
                        "float is not enough for this loop: within a few periods it leaves the run "
                        "in double by more than 1 %%. Expected an export as double");
}

// ------------------------------------------------------------------------------------------- files

// `$` stands for the name.
static const char *const places[IB_EXPORT_PARTS] = {
    [IB_EXPORT_HEADER] = "src/$.h",
    [IB_EXPORT_SOURCE] = "src/$.c",
    [IB_EXPORT_PROPERTIES] = "library.properties",
    [IB_EXPORT_MANIFEST] = "library.json",
    [IB_EXPORT_PLUGIN] = "extras/$_plugin.c",
    [IB_EXPORT_TEST] = "extras/$_test.c",
};

ib_Status ib_export_path(const char *folder, const char *name, ib_ExportPart part, char *path,
                         size_t size, ib_Error *error)
{
    const char *place = places[part], *after = strchr(place, '$');
    int before = after ? (int)(after - place) : (int)strlen(place);
    int length = snprintf(path, size, "%s/%.*s%s%s", folder, before, place, after ? name : "",
                          after ? after + 1 : "");
    if (length < (int)size) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "the folder's name is too long");
}

// Creates the folder of a file; a failure shows when the file is opened.
static void make_folder_of(char *path)
{
    char *end = strrchr(path, '/');
    *end = '\0';
    mkdir(path, 0777);
    *end = '/';
}

static ib_Status write_part(const ib_Loop *loop, const ib_ExportOptions *options,
                            const ib_ExportTrace *trace, const char *folder, ib_ExportPart part,
                            ib_Error *error)
{
    char path[PATH_TEXT];
    const char *name = options->name[0] ? options->name : loop->name;
    ib_Status status = ib_export_path(folder, name, part, path, sizeof path, error);
    if (status != IB_OK) return status;
    make_folder_of(path);
    FILE *file;
    status = ib_output_begin(path, &file, error);
    if (status != IB_OK) return status;
    if (part == IB_EXPORT_HEADER) ib_export_header(loop, options, file);
    if (part == IB_EXPORT_SOURCE) ib_export_source(loop, options, file);
    if (part == IB_EXPORT_PROPERTIES) ib_export_properties(loop, options, file);
    if (part == IB_EXPORT_MANIFEST) ib_export_manifest(loop, options, file);
    if (part == IB_EXPORT_PLUGIN) ib_export_plugin(loop, options, file);
    if (part == IB_EXPORT_TEST) ib_export_test(loop, options, trace, file);
    return ib_output_end(file, path, error);
}

ib_Status ib_export_loop(const ib_Loop *loop, const ib_ExportOptions *options,
                         const ib_ExportTrace *trace, const char *folder, ib_Error *error)
{
    ib_Loop named = *loop;
    ib_ExportTrace part = trace ? *trace : (ib_ExportTrace){0};
    if (options->name[0]) memcpy(named.name, options->name, sizeof named.name);
    ib_Status status = ib_loop_check(&named, error);
    if (status == IB_OK && options->single) status = check_loop_fits(loop, error);
    if (status == IB_OK && trace) status = check_trace(loop, trace, options->single, error);
    if (status == IB_OK && trace) status = shorten_trace(loop, options, &part, error);
    for (int i = 0; status == IB_OK && i < IB_EXPORT_PARTS; i++)
        if (trace || i != IB_EXPORT_TEST)
            status = write_part(loop, options, &part, folder, (ib_ExportPart)i, error);
    return status;
}
