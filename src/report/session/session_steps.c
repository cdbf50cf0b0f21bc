// report/session/session_steps.c: the steps of routines in a run: a table for people, and JSON.
#include "report/session/session_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    FEW_STEPS = 40,   ///< of one routine; the others only on request
    LABEL_WIDTH = 28, ///< columns
};

#define DEGREES 57.29577951308232

// As much of a label as fits, in whole characters of UTF-8.
static void put_label(const ib_ControlStep *step, char text[4 * LABEL_WIDTH + 8])
{
    int column = 0, length = 0;
    for (int i = 0; i < step->depth && column < LABEL_WIDTH / 2; i++, column += 2) {
        text[length++] = ' ';
        text[length++] = ' ';
    }
    for (const char *c = step->label; *c; c++) {
        bool begins = ((unsigned char)*c & 0xc0) != 0x80;
        if (begins && column == LABEL_WIDTH) break;
        column += begins;
        if (length < 4 * LABEL_WIDTH) text[length++] = *c;
    }
    while (column++ < LABEL_WIDTH) text[length++] = ' ';
    text[length] = '\0';
}

// A line of the table as it comes.
typedef struct Line {
    char text[512];
    int length;
} Line;

static void put_text(Line *line, int width, const char *text)
{
    int room = (int)sizeof line->text - line->length;
    int length = snprintf(line->text + line->length, (size_t)room, "%*s", width, text);
    line->length += length < room ? length : room - 1;
}

// A number, or nothing if unknown.
static void put_number(Line *line, int width, int decimals, double value)
{
    char text[32] = "";
    if (fabs(value) < (decimals == 3 ? 5e-4 : decimals == 2 ? 5e-3 : 5e-2)) value = 0; // no "-0.0"
    if (!isnan(value)) snprintf(text, sizeof text, "%.*f", decimals, value);
    put_text(line, width, text);
}

static void print_line(Line *line, FILE *file)
{
    while (line->length > 0 && line->text[line->length - 1] == ' ') line->length--;
    fprintf(file, "%.*s\n", line->length, line->text);
}

// The columns behind the outcome: heading and unit of each.
static const struct {
    const char *name, *unit;
    int width, decimals;
} columns[] = {
    {"from", "[s]", 7, 2},    {"took", "[s]", 7, 2},   {"promised", "[s]", 9, 2},
    {"x", "[m]", 8, 3},       {"y", "[m]", 8, 3},      {"heading", "[deg]", 8, 1},
    {"missed", "[cm]", 7, 1}, {"error", "[cm]", 7, 1}, {"off", "[cm]", 6, 1},
    {"most", "[cm]", 6, 1},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static void print_run(const ib_Session *session, const ib_StepRun *run, ib_Paint paint, FILE *file)
{
    const ib_ControlStep *step = &run->step;
    char label[4 * LABEL_WIDTH + 8];
    bool began = run->began != IB_TIME_NEVER, over = run->ended != IB_TIME_NEVER;
    bool good = step->outcome == IB_STEP_DONE, moved = over && step->moves;
    bool posed = moved || (over && run->posed && step->outcome == IB_STEP_LATE);
    double none = (double)NAN;
    const double values[COLUMNS] = {
        began ? ib_time_to_seconds(run->began) : none,
        ib_step_run_took(run, ib_sim_time(session->sim)),
        began && step->moves ? step->promise : none,
        posed ? step->at[0] : none,
        posed ? step->at[1] : none,
        posed ? step->at[2] * DEGREES : none,
        moved ? 100 * step->missed[0] : none,
        moved ? 100 * run->error : none,
        100 * run->off,
        100 * run->most,
    };
    Line line = {.length = 0};
    put_label(step, label);
    for (int i = 0; i < COLUMNS; i++)
        put_number(&line, columns[i].width, columns[i].decimals, values[i]);
    fprintf(file, "%3d  %s  %s%-13s%s", step->number, label, good ? "" : paint.bold,
            ib_step_run_outcome(run), good ? "" : paint.off);
    print_line(&line, file);
}

static void print_heading(ib_Paint paint, FILE *file)
{
    for (int row = 0; row < 2; row++) {
        Line line = {.length = 0};
        for (int i = 0; i < COLUMNS; i++)
            put_text(&line, columns[i].width, row ? columns[i].unit : columns[i].name);
        fprintf(file, "%s%-*s", row ? paint.dim : paint.bold, LABEL_WIDTH + 20,
                row ? "" : "     step");
        fprintf(file, "%s%s\n", line.text, paint.off);
    }
}

// One routine, all of its steps or the first ones.
static void print_routine(const ib_Session *session, int control, bool all, ib_Paint paint,
                          FILE *file)
{
    const ib_Model *model = session->scenario->model;
    const ib_ControlModel *loop = &model->controls[control];
    const char *robot = model->robots[loop->robot].name, *name = loop->controller->name;
    int shown = 0, more = 0, count = ib_step_log_count(session->steps);
    bool called = name[0] && strcmp(name, "routine") != 0; // by another name
    fprintf(file, "steps of the routine%s%s%s%s\n", called ? " " : "", called ? name : "",
            robot[0] ? " of " : "", robot);
    print_heading(paint, file);
    for (int i = 0; i < count; i++) {
        ib_StepRun run = ib_step_log_run(session->steps, i);
        if (run.control != control) continue;
        if (!all && shown == FEW_STEPS) {
            more++;
            continue;
        }
        print_run(session, &run, paint, file);
        shown++;
    }
    if (more) fprintf(file, "and %d more: --all prints them\n", more);
    fputc('\n', file);
}

void ib__session_steps_text(const ib_Session *session, bool all, ib_Paint paint, FILE *file)
{
    const ib_Model *model = session->scenario->model;
    bool any = false;
    for (int i = 0; i < model->control_count; i++) {
        if (model->controls[i].controller->ports.step_count == 0) continue;
        print_routine(session, i, all, paint, file);
        any = true;
    }
    int64_t untold = ib_step_log_untold(session->steps);
    if (untold > 0)
        fprintf(file, "%lld more step%s ran after the first %d, which are kept\n",
                (long long)untold, untold == 1 ? "" : "s", IB_STEP_LOG_ROOM);
    if (any)
        fprintf(file,
                "%sx, y, heading: where the robot took itself to be; missed: from there to the "
                "goal; error: to where it was; off: from\nthere to the goal; most: the largest "
                "distance from where it should have been at the same time%s\n\n",
                paint.dim, paint.off);
}

// -------------------------------------------------------------------------------------------- JSON

static void json_pose(const char *key, const double pose[3], ib_Json *json)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < 3; i++) ib_json_number(json, NULL, pose[i]);
    ib_json_close(json, ']');
}

static double seconds(ib_Time time)
{
    return time == IB_TIME_NEVER ? (double)NAN : ib_time_to_seconds(time);
}

// The remaining error, by its own odometry and in truth.
static void json_miss(const ib_StepRun *run, ib_Json *json)
{
    const ib_ControlStep *step = &run->step;
    json_pose("goal", step->goal, json);
    ib_json_number(json, "promised_s", step->promise);
    ib_json_number(json, "most_off_m", run->most);
    ib_json_number(json, "most_off_at_s", seconds(run->most_time));
    if (run->ended == IB_TIME_NEVER) return;
    ib_json_number(json, "missed_m", step->missed[0]);
    ib_json_number(json, "missed_rad", step->missed[1]);
    ib_json_number(json, "off_m", run->off);
    ib_json_number(json, "off_rad", run->off_angle);
}

void ib__session_steps_json(const ib_Session *session, int control, ib_Json *json)
{
    int count = ib_step_log_count(session->steps);
    ib_json_open(json, "steps", '[');
    for (int i = 0; i < count; i++) {
        ib_StepRun run = ib_step_log_run(session->steps, i);
        const ib_ControlStep *step = &run.step;
        if (run.control != control) continue;
        bool began = run.began != IB_TIME_NEVER, over = run.ended != IB_TIME_NEVER;
        ib_json_open(json, NULL, '{');
        ib_json_integer(json, "step", step->number);
        ib_json_integer(json, "depth", step->depth);
        ib_json_text(json, "label", step->label);
        ib_json_integer(json, "line", step->line);
        ib_json_text(json, "outcome", ib_step_run_outcome(&run));
        ib_json_integer(json, "round", run.round);
        ib_json_number(json, "began_s", seconds(run.began));
        ib_json_number(json, "ended_s", seconds(run.ended));
        if (over && run.posed) {
            json_pose("at", step->at, json);
            json_pose("true_at", run.where, json);
            ib_json_number(json, "astray_m", run.error);
            ib_json_number(json, "astray_rad", run.error_angle);
        }
        if (began && step->moves) json_miss(&run, json);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}
