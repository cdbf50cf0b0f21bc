// cli/cmd_plan.c: `ironbird plan`: how fast an arm of two links gets along its paths, and the
// trajectory for a robot.
#include "cli.h"
#include "desk/plan/plan_text.h"

#include "base/quote.h"
#include "base/word.h"
#include "desk/plan/plan_csv.h"
#include "desk/plan/plan_export.h"
#include "desk/plan/plan_json.h"
#include "report/plan_figures.h"

#include <string.h>

typedef struct Request {
    const char *file;
    CommonOptions common;
    const char *way; ///< of the file's; NULL: the first
    const char *csv, *rows, *export, *plot, *scene;
    bool force;
    ib_Arena arena;
} Request;

static const Option options_table[] = {
    {.common = COMMON_JSON, .sentence = "print all figures as JSON, and nothing else, to stdout"},
    {"--way", "NAME", "which of `paths:` goes into files; the first unless given",
     INTO_TEXT(Request, way)},
    {"--csv", "FILE", "write the trajectory: time, angles, speeds, voltages, place of the hand",
     INTO_TEXT(Request, csv)},
    {"--rows", "FILE", "write the path as rows that `path: {rows: FILE}` reads: kept, not searched",
     INTO_TEXT(Request, rows)},
    {"--plot", "FILE.svg", "draw speeds and voltages along the path", INTO_TEXT(Request, plot)},
    {"--scene", "FILE.svg", "draw obstacles and the way of the hand", INTO_TEXT(Request, scene)},
    {"--export-c", "DIR", "write the trajectories and a follower as C99 for a board, with tests",
     INTO_TEXT(Request, export)},
    {"--force", NULL, "let --export-c overwrite files of others, too", INTO_FLAG(Request, force)},
    {.common = COMMON_SET, .sentence = "change the plan file (repeatable)"},
    {.common = COMMON_QUIET, .sentence = "print no table"},
    {0},
};

static bool take_item(const Options *options, int item, const char *value)
{
    Request *request = options->request;
    (void)item;
    return take_only(options, "plan", value, &request->file);
}

// ----------------------------------------------------------------------------------------- results

// Reports an output's failure and returns its exit code.
static int complain(ib_Status status, const ib_Error *error)
{
    if (status == IB_OK) return EXIT_DONE;
    ib_tell(stderr, "ironbird plan: %s\n", error->text);
    return exit_code_of(status);
}

// The way that --way names, or the first.
static const ib_PlanWay *find_way(const Request *request, const ib_PlanFile *plan)
{
    const char *names[IB_ARM_TRACKS + 1] = {0};
    if (!request->way) return &plan->ways[0];
    const ib_PlanWay *way = ib_plan_way_find(plan, request->way);
    if (way) return way;
    for (int i = 0; i < plan->way_count; i++) names[i] = plan->ways[i].name;
    const char *near = ib_nearest_word(request->way, names);
    ib_tell(stderr, "ironbird plan: --way: there is no path '%s' in the file; %s'%s'%s\n",
            ib_quote(request->way).text, near ? "did you mean " : "expected one such as ",
            near ? near : names[0], near ? "?" : "");
    return NULL;
}

static void print(const Request *request, const ib_PlanFile *plan)
{
    if (request->common.json)
        ib_plan_json_write(plan, stdout);
    else if (!request->common.quiet)
        ib_plan_text(plan, stdout);
}

static int export(const Request *request, const ib_PlanFile *plan)
{
    ib_Error error;
    ib_Status status = ib_plan_export(plan, request->export, request->force, &error);
    if (status == IB_OK && !request->common.json && !request->common.quiet)
        ib_tell(stdout,
                "\nwritten to %s\n  %s.h, %s.c   the trajectories as tables, and how to read them\n"
                "  %s_test.c   checks them against the plan: cc -std=c99 %s.c %s_test.c -lm && "
                "./a.out\n"
                "  %s_follow.h, %s_follow.c   a follower: filter, gains and volts\n"
                "  %s_follow_test.c   replays runs of it: cc -std=c99 %s_follow.c %s_follow_test.c "
                "-lm && ./a.out\n",
                request->export, plan->name, plan->name, plan->name, plan->name, plan->name,
                plan->name, plan->name, plan->name, plan->name, plan->name);
    return complain(status, &error);
}

static int deliver(const Request *request, const ib_PlanFile *plan)
{
    const ib_PlanWay *way = find_way(request, plan);
    ib_Error error;
    int code = EXIT_DONE;
    if (!way) return EXIT_BAD_INPUT;
    print(request, plan);
    if (request->csv) code = complain(ib_plan_csv_write(plan, way, request->csv, &error), &error);
    if (code == EXIT_DONE && request->rows)
        code = complain(ib_plan_rows_write(way, request->rows, &error), &error);
    if (code == EXIT_DONE && request->plot)
        code = complain(ib_plan_figure_passes(plan, way, request->plot, &error), &error);
    if (code == EXIT_DONE && request->scene)
        code = complain(ib_plan_figure_scene(plan, way, request->scene, &error), &error);
    if (code == EXIT_DONE && request->export) code = export(request, plan);
    return code;
}

static int plan_main(Request *request)
{
    int code = EXIT_BAD_INPUT;
    ib_Diagnostics diagnostics = {.arena = &request->arena};
    ib_PlanFile *plan = ib_plan_file_read(request->file, &request->common.scenario, &diagnostics);
    if (!plan) {
        print_diagnostics(request->file, &diagnostics);
        return code;
    }
    if (!request->common.quiet) print_file_warnings(plan->yaml.warnings, plan->yaml.warning_count);
    Files files = {.inputs = {plan->yaml.files},
                   .outputs = {request->csv, request->rows, request->plot, request->scene},
                   .json = request->common.json};
    if (can_write_all("plan", &files)) code = deliver(request, plan);
    ib_plan_file_destroy(plan);
    return code;
}

int cmd_plan(int argc, char **argv)
{
    Request request = {0};
    Options options = {
        .command = "plan",
        .usage = "FILE [options]",
        .about = "Finds the fastest motion of an arm of two links along a path, or the path too,\n"
                 "within the limits of voltage, acceleration, current, speed and battery, and\n"
                 "clear of obstacles; and shows what it asks of the motors. The file: "
                 "docs/design/plan.md",
        .example = "ironbird plan plans/arm_path_a.yaml --csv out.csv",
        TAKEN_INTO(request),
    };
    int code;
    if (options_take(&options, take_item, &code))
        code = request.file ? plan_main(&request) : bad_usage(&options, "no plan was named");
    common_destroy(&request.common);
    ib_arena_reset(&request.arena);
    return code;
}
