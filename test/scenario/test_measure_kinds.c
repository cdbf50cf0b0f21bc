// Measures and expectations beside a recording of every step, for all kinds of robots and solvers.
//
// A scenario runs three times: with a probe of every step; with measures and expectations, whose
// limits lie between the recorded values; and with probes a nanosecond around all that was found.
#include "desk/design/design_loader.h"
#include "scenario/given.h"
#include "scenario/measure.h"

#include <math.h>
#include <stdlib.h>

enum {
    SPREAD = 10, ///< headlines, and signals at even distances, about
    MOST_SIGNALS = 2 * SPREAD,
    POINTS = 2001, ///< of a recording, beside all steps
    LIMITS = 5,    ///< of a signal: its extremes, and three between them
    WINDOWS = 3,
    MEASURES = 1 + 8 * WINDOWS + 4 * LIMITS, ///< of a signal, at most
    EXPECTATIONS = 6 * LIMITS,
    SIDES = 3, ///< looks around an instant
};

static const double ROUNDING = 1e-11; ///< part of a signal's size
static const double DRIFT = 1e-6;     ///< part of its range, of what it does in a nanosecond
static const double LINES = 1e-3;     ///< part of a window over which a mean takes a straight line
static const double MOMENT = 1e-9;    ///< by which times may be off [s]
static const double NOISE = 1e-11;    ///< a range of rounding alone: in SI, and
static const double ROUNDED = 1e-9;   ///< as part of a signal's size

static const char *const measure_words[] = {"min", "max", "mean", "rms", "final", "first"};
static const char *const when_words[] = {"always", "never", "at", "end", "before", "after"};
static const char *const relation_words[] = {"=", "<", "<=", ">", ">="};

// One instant of the recording.
typedef struct Row {
    double seconds;
    bool starts; ///< the start of a step
    bool within; ///< none of its ends, nor a jump
} Row;

typedef struct Track {
    int signal;
    double low, high, size; ///< of the rows, and the larger one's size
} Track;

typedef struct Study {
    const char *file;
    ib_Scenario *scenario;
    ib_Sim *sim;
    ib_Time length, end; ///< asked for, reached
    uint64_t hash;
    Track tracks[MOST_SIGNALS];
    int track_count;
    Row *rows;
    double *values; ///< of each row, all tracks
    int row_count, row_room;
    ib_Time windows[WINDOWS][2];
    ib_Measure measures[MOST_SIGNALS * MEASURES];
    ib_Expectation expectations[MOST_SIGNALS * EXPECTATIONS];
    int measure_count, expectation_count;
    ib_Time looks[SIDES * MOST_SIGNALS * (MEASURES + EXPECTATIONS)]; ///< in order
    double *seen;                                                    ///< then, of all tracks
    int look_count, looked;
} Study;

static int track_of(const Study *study, int signal)
{
    int k = 0;
    while (study->tracks[k].signal != signal) k++;
    return k;
}

static double sized(double y, bool absolute)
{
    return absolute ? fabs(y) : y;
}

// --------------------------------------------------------------------------------------- recording

static ib_Time record_row(void *self, ib_Time time, const double *signals)
{
    Study *study = self;
    ib_Time grid = study->length / POINTS + 1;
    int n = study->track_count;
    if (study->row_count == study->row_room) {
        study->row_room = 2 * study->row_room + 4096;
        study->rows = realloc(study->rows, (size_t)study->row_room * sizeof *study->rows);
        study->values = realloc(study->values, (size_t)(study->row_room * n) * sizeof(double));
        assert_true(study->rows && study->values);
    }
    bool starts = time == ib_sim_time(study->sim);
    study->rows[study->row_count] =
        (Row){ib_time_to_seconds(time), starts, !starts && time % grid == 0};
    for (int k = 0; k < n; k++)
        study->values[study->row_count * n + k] = signals[study->tracks[k].signal];
    study->row_count++;
    return (time / grid + 1) * grid;
}

static double value_of(const Study *study, int row, int track)
{
    return study->values[row * study->track_count + track];
}

// Some headlines, and others at even distances, except residuals, which are rounding.
static void choose_signals(Study *study)
{
    const ib_SignalTable *signals = &study->scenario->model->signals;
    int distance = signals->count / SPREAD + 1, headlines = 0, passed = 0;
    for (int i = 0; i < signals->count; i++) headlines += signals->items[i].means.headline > 0;
    for (int i = 0; i < signals->count; i++) {
        const ib_SignalMeaning *means = &signals->items[i].means;
        bool headline = means->headline > 0 && passed++ % (headlines / SPREAD + 1) == 0;
        if ((headline || i % distance == 0) && means->role != IB_ROLE_BALANCE)
            study->tracks[study->track_count++] = (Track){.signal = i};
    }
}

static void find_ranges(Study *study)
{
    for (int k = 0; k < study->track_count; k++) {
        Track *track = &study->tracks[k];
        track->low = track->high = value_of(study, 0, k);
        for (int i = 0; i < study->row_count; i++) {
            if (study->rows[i].within) continue;
            track->low = fmin(track->low, value_of(study, i, k));
            track->high = fmax(track->high, value_of(study, i, k));
        }
        track->size = fmax(fabs(track->low), fabs(track->high));
    }
}

static void begin_run(Study *study)
{
    ib_Error error;
    assert_int_equal(ib_sim_create(study->scenario->model, &study->sim, &error), IB_OK);
}

// What looks at a run changes nothing of it.
static void end_run(Study *study)
{
    ib_Error error;
    if (ib_sim_advance(study->sim, study->length, &error) != IB_OK)
        fail_msg("%s: %s", study->file, error.text);
    ib_sim_finish(study->sim);
    study->end = ib_sim_time(study->sim);
    uint64_t hash = ib_sim_hash(study->sim);
    if (study->hash && hash != study->hash) fail_msg("%s: another run", study->file);
    study->hash = hash;
    ib_sim_destroy(study->sim);
}

static void make_recording(Study *study)
{
    ib_Error error;
    ib_Probe probe = {.self = study,
                      .each_step = true,
                      .each_jump = true,
                      .each_end = true,
                      .at_end = true,
                      .sample = record_row};
    choose_signals(study);
    begin_run(study);
    assert_int_equal(ib_sim_probe(study->sim, probe, &error), IB_OK);
    end_run(study);
    find_ranges(study);
}

// --------------------------------------------------------------------------------------- measuring

// The start of the first step at this part of the run or behind it.
static ib_Time step_at(const Study *study, double part)
{
    int i = 0;
    while (
        i < study->row_count - 1 &&
        !(study->rows[i].starts && study->rows[i].seconds * IB_SECOND >= part * (double)study->end))
        i++;
    return ib_time_from_seconds(study->rows[i].seconds);
}

// All of the run; a part of it between odd times; one that begins and ends with steps.
static void choose_windows(Study *study)
{
    ib_Time windows[WINDOWS][2] = {{0, IB_TIME_NEVER},
                                   {study->end * 2312 / 10007, study->end * 7171 / 10007},
                                   {step_at(study, 0.3), step_at(study, 0.8)}};
    memcpy(study->windows, windows, sizeof windows);
}

static void add(Study *study, ib_MeasureKind kind, int track, bool absolute, int window,
                ib_Relation relation, double value)
{
    study->measures[study->measure_count++] = (ib_Measure){.kind = kind,
                                                           .signal = study->tracks[track].signal,
                                                           .absolute = absolute,
                                                           .relation = relation,
                                                           .value = sized(value, absolute),
                                                           .from = study->windows[window][0],
                                                           .to = study->windows[window][1]};
}

static void add_for_limit(Study *study, int k, int i)
{
    const Track *track = &study->tracks[k];
    const double parts[LIMITS] = {0, 0.13, 0.52, 0.91, 1};
    const double range = track->high - track->low;
    const double value = i == LIMITS - 1 ? track->high : track->low + range * parts[i];
    for (int r = IB_LESS; r <= IB_AT_LEAST; r++)
        add(study, IB_MEASURE_FIRST, k, track->low < 0 && (r + i) % 2, (r + i + k) % WINDOWS,
            (ib_Relation)r, value);
    for (int when = IB_WHEN_ALWAYS; when <= IB_WHEN_AFTER; when++)
        study->expectations[study->expectation_count++] =
            (ib_Expectation){.when = (ib_When)when,
                             .time = study->windows[1 + k % 2][when == IB_WHEN_BEFORE],
                             .signal = track->signal,
                             .relation = (ib_Relation)((when + i + k) % 5),
                             .value = value,
                             .tolerance = 0.13 * range};
}

static bool is_noise(const Track *track)
{
    double range = track->high - track->low;
    return range > 0 && (range < NOISE || range < ROUNDED * track->size);
}

static void measure_run(Study *study)
{
    ib_Error error;
    choose_windows(study);
    for (int k = 0; k < study->track_count; k++) {
        if (is_noise(&study->tracks[k])) continue;
        add(study, IB_MEASURE_FINAL, k, k % 2, 0, IB_EQUAL, 0);
        for (int kind = IB_MEASURE_MIN; kind <= IB_MEASURE_RMS; kind++)
            for (int w = 0; w < WINDOWS; w++)
                for (int absolute = 0; absolute <= (study->tracks[k].low < 0); absolute++)
                    add(study, (ib_MeasureKind)kind, k, absolute, w, IB_EQUAL, 0);
        for (int i = 0; i < LIMITS; i++) add_for_limit(study, k, i);
    }
    begin_run(study);
    for (int i = 0; i < study->measure_count; i++)
        assert_int_equal(ib_measure_attach(&study->measures[i], study->length, study->sim, &error),
                         IB_OK);
    for (int i = 0; i < study->expectation_count; i++)
        assert_int_equal(ib_expectation_attach(&study->expectations[i], study->sim, &error), IB_OK);
    end_run(study);
    for (int i = 0; i < study->measure_count; i++) ib_measure_finish(&study->measures[i]);
    for (int i = 0; i < study->expectation_count; i++)
        ib_expectation_finish(&study->expectations[i], true);
}

// ----------------------------------------------------------------------------------------- looking

// The last whole nanosecond before an instant, and the first behind it within the run.
static ib_Time before(double seconds)
{
    return (ib_Time)ceil(seconds * 1e9 - 2e-3) - 1;
}

static ib_Time after(const Study *study, double seconds)
{
    return ib_time_min((ib_Time)floor(seconds * 1e9 + 2e-3) + 1, study->end);
}

static void look_around(Study *study, double seconds)
{
    if (isnan(seconds)) return;
    for (ib_Time time = before(seconds); time <= after(study, seconds); time++)
        if (time >= 0) study->looks[study->look_count++] = time;
}

static int compare_times(const void *a, const void *b)
{
    ib_Time x = *(const ib_Time *)a, y = *(const ib_Time *)b;
    return (x > y) - (x < y);
}

static ib_Time take_look(void *self, ib_Time time, const double *signals)
{
    Study *study = self;
    int n = study->track_count;
    for (; study->looked < study->look_count && study->looks[study->looked] <= time;
         study->looked++)
        for (int k = 0; k < n; k++)
            study->seen[study->looked * n + k] = signals[study->tracks[k].signal];
    return study->looked < study->look_count ? study->looks[study->looked] : IB_TIME_NEVER;
}

static double found_at(const ib_Measure *m)
{
    return m->kind == IB_MEASURE_FIRST ? m->found : m->kind <= IB_MEASURE_MAX ? m->found_at : NAN;
}

static void look_at_findings(Study *study)
{
    ib_Error error;
    for (int i = 0; i < study->measure_count; i++)
        look_around(study, found_at(&study->measures[i]));
    for (int i = 0; i < study->expectation_count; i++)
        look_around(study, study->expectations[i].worst_at);
    qsort(study->looks, (size_t)study->look_count, sizeof *study->looks, compare_times);
    study->seen = calloc((size_t)(study->look_count * study->track_count), sizeof(double));
    assert_non_null(study->seen);
    begin_run(study);
    ib_Probe probe = {.self = study, .next = study->looks[0], .at_end = true, .sample = take_look};
    assert_int_equal(ib_sim_probe(study->sim, probe, &error), IB_OK);
    end_run(study);
    assert_int_equal(study->looked, study->look_count);
}

static double seen_at(const Study *study, ib_Time time, int track)
{
    const ib_Time *look = bsearch(&time, study->looks, (size_t)study->look_count,
                                  sizeof *study->looks, compare_times);
    assert_non_null(look);
    return study->seen[(look - study->looks) * study->track_count + track];
}

// True if the signal passes this value within a nanosecond of the instant: between looks, or, where
// it jumps more than once, between rows.
static bool passes(const Study *study, int track, double seconds, double value)
{
    double low = INFINITY, high = -INFINITY;
    for (ib_Time time = before(seconds); time <= after(study, seconds); time++) {
        if (time < 0) continue;
        low = fmin(low, seen_at(study, time, track));
        high = fmax(high, seen_at(study, time, track));
    }
    for (int i = 0; i < study->row_count; i++) {
        if (fabs(study->rows[i].seconds - seconds) > 1.5 * MOMENT) continue;
        low = fmin(low, value_of(study, i, track));
        high = fmax(high, value_of(study, i, track));
    }
    const Track *of = &study->tracks[track];
    double allowed = DRIFT * (of->high - of->low) + ROUNDING * of->size;
    return value >= low - allowed && value <= high + allowed;
}

// --------------------------------------------------------------------------------------- comparing

// True if a row is an end of a step or a jump, and certainly within the window.
static bool counts(const Row *row, ib_Time from, ib_Time to)
{
    double margin = row->starts ? 0 : MOMENT;
    return !row->within && row->seconds >= ib_time_to_seconds(from) + margin &&
           row->seconds <= ib_time_to_seconds(to) - margin;
}

static const char *name_of(const Study *study, int signal)
{
    return study->scenario->model->signals.items[signal].name;
}

__attribute__((format(printf, 3, 4))) static void refuse(const Study *study, const ib_Measure *m,
                                                         const char *format, ...)
{
    char why[200];
    va_list values;
    va_start(values, format);
    vsnprintf(why, sizeof why, format, values);
    va_end(values);
    fail_msg("%s: %s%s %s %s %.17g from %.10g s to %.10g s is %.17g at %.12g s: %s", study->file,
             measure_words[m->kind], m->absolute ? " abs" : "", name_of(study, m->signal),
             relation_words[m->relation], m->value, ib_time_to_seconds(m->from),
             ib_time_to_seconds(m->to), m->found, m->found_at, why);
}

// The same of its size, where that is asked for.
static bool has(const Study *study, int track, const ib_Measure *m, double seconds, double value)
{
    return passes(study, track, seconds, value) ||
           (m->absolute && passes(study, track, seconds, -value));
}

static void check_extreme(const Study *study, const ib_Measure *m)
{
    int k = track_of(study, m->signal);
    for (int i = 0; i < study->row_count; i++) {
        double y = sized(value_of(study, i, k), m->absolute);
        bool beyond = m->kind == IB_MEASURE_MAX ? !(m->found >= y) : !(m->found <= y);
        if (beyond && counts(&study->rows[i], m->from, m->to))
            refuse(study, m, "a step has %.17g at %.12g s", y, study->rows[i].seconds);
    }
    if (!has(study, k, m, m->found_at, m->found)) refuse(study, m, "it has not this value then");
}

// By how much a value meets the relation; negative: by how much it does not.
static double distance(const ib_Measure *m, double y)
{
    bool greater = m->relation == IB_GREATER || m->relation == IB_AT_LEAST;
    return greater ? sized(y, m->absolute) - m->value : m->value - sized(y, m->absolute);
}

static bool meets(const ib_Measure *m, double y)
{
    bool edge = m->relation == IB_AT_MOST || m->relation == IB_AT_LEAST;
    return edge ? distance(m, y) >= 0 : distance(m, y) > 0;
}

static void check_first(const Study *study, const ib_Measure *m)
{
    int k = track_of(study, m->signal), i = 0;
    while (i < study->row_count &&
           !(counts(&study->rows[i], m->from, m->to) && meets(m, value_of(study, i, k))))
        i++;
    if (i < study->row_count && !(m->found <= study->rows[i].seconds + MOMENT))
        refuse(study, m, "a step has %.17g at %.12g s", value_of(study, i, k),
               study->rows[i].seconds);
    if (isnan(m->found)) return;
    double slack = ROUNDING * study->tracks[k].size;
    ib_Time then = before(m->found), soon = after(study, m->found);
    if (m->found < ib_time_to_seconds(m->from)) refuse(study, m, "it is before that");
    if (m->found > ib_time_to_seconds(m->to) + MOMENT) refuse(study, m, "it is behind that");
    if (then >= m->from && then < soon - 1 && distance(m, seen_at(study, then, k)) > slack)
        refuse(study, m, "it was so before: %.17g", seen_at(study, then, k));
    // An extreme may touch the value for an instant alone.
    bool met = has(study, k, m, m->found, m->value);
    for (ib_Time time = then + 1; time <= soon; time++)
        met |= distance(m, seen_at(study, time, k)) >= -slack;
    if (!met) refuse(study, m, "it is not so then: %.17g", seen_at(study, soon, k));
}

// A straight line over a thousandth of a window is off by no more than half of what the signal
// moves meanwhile; the recording's own lines are shorter.
static void check_mean(const Study *study, const ib_Measure *m)
{
    int k = track_of(study, m->signal);
    bool square = m->kind == IB_MEASURE_RMS;
    double from = ib_time_to_seconds(m->from), sum = 0, moved = 0;
    double to = ib_time_to_seconds(ib_time_min(m->to, study->end));
    for (int i = 1; i < study->row_count; i++) {
        double t0 = study->rows[i - 1].seconds, t1 = study->rows[i].seconds;
        double u0 = fmax(t0, from), u1 = fmin(t1, to);
        if (!(u1 > u0)) continue;
        double y0 = value_of(study, i - 1, k), slope = (value_of(study, i, k) - y0) / (t1 - t0);
        double a = sized(y0 + slope * (u0 - t0), m->absolute);
        double b = sized(y0 + slope * (u1 - t0), m->absolute);
        sum += (u1 - u0) * (square ? (a * a + a * b + b * b) / 3 : 0.5 * (a + b));
        moved += fabs(b - a);
    }
    double scale = square ? 2 * study->tracks[k].size : 1;
    double found = square ? m->found * m->found : m->found;
    double allowed = scale * (LINES * moved + ROUNDING * study->tracks[k].size);
    if (!(fabs(found - sum / (to - from)) <= allowed))
        refuse(study, m, "the steps have %.17g, allowed %.3g", sum / (to - from), allowed);
}

static void check_measure(const Study *study, const ib_Measure *m)
{
    if (m->kind <= IB_MEASURE_MAX) check_extreme(study, m);
    if (m->kind == IB_MEASURE_MEAN || m->kind == IB_MEASURE_RMS) check_mean(study, m);
    if (m->kind == IB_MEASURE_FIRST) check_first(study, m);
    double last = value_of(study, study->row_count - 1, track_of(study, m->signal));
    if (m->kind == IB_MEASURE_FINAL && m->found != sized(last, m->absolute))
        refuse(study, m, "the last is %.17g", last);
}

static void refuse_margin(const Study *study, const ib_Expectation *e, const char *why)
{
    fail_msg("%s: %s %.10g s: %s %s %.17g +- %.17g %s by %.17g, with %.17g at %.12g s: %s",
             study->file, when_words[e->when], ib_time_to_seconds(e->time),
             name_of(study, e->signal), relation_words[e->relation], e->value, e->tolerance,
             e->passed ? "holds" : "fails", ib_expectation_margin(e), e->worst, e->worst_at, why);
}

// The margin of one value, by the definition.
static double margin_of(const ib_Expectation *e, double y)
{
    double above = y - e->value;
    double margin = e->relation == IB_EQUAL ? e->tolerance - fabs(above)
                    : e->relation == IB_LESS || e->relation == IB_AT_MOST ? -above
                                                                          : above;
    return e->when == IB_WHEN_NEVER ? -margin : margin;
}

static bool concerns(const Study *study, const ib_Expectation *e, int i)
{
    if (e->when == IB_WHEN_AT) return false; // `passes` knows
    if (e->when == IB_WHEN_END) return i == study->row_count - 1;
    return counts(&study->rows[i], e->when == IB_WHEN_AFTER ? e->time : 0,
                  e->when == IB_WHEN_BEFORE ? e->time : IB_TIME_NEVER);
}

static void check_expectation(const Study *study, const ib_Expectation *e)
{
    int k = track_of(study, e->signal);
    double margin = ib_expectation_margin(e);
    bool best = e->when == IB_WHEN_BEFORE;
    bool strict = e->relation == IB_LESS || e->relation == IB_GREATER;
    bool edge = e->when == IB_WHEN_NEVER ? strict : !strict; // what 0 means
    if (!e->decided || e->passed != (edge ? margin >= 0 : margin > 0))
        refuse_margin(study, e, "another sign than the verdict");
    if (fabs(margin - margin_of(e, e->worst)) > ROUNDING * study->tracks[k].size)
        refuse_margin(study, e, "that value has another margin");
    for (int i = 0; i < study->row_count; i++) {
        double other = margin_of(e, value_of(study, i, k));
        if (concerns(study, e, i) && (best ? other > margin : other < margin))
            refuse_margin(study, e, best ? "a step has a better one" : "a step has a worse one");
    }
    if (!passes(study, k, e->worst_at, e->worst))
        refuse_margin(study, e, "the signal has not this value then");
}

// ------------------------------------------------------------------------------------------ claims

static void study_scenario(const char *file, double seconds)
{
    char path[512];
    Study *study = calloc(1, sizeof *study);
    assert_non_null(study);
    snprintf(path, sizeof path, "%s/scenarios/%s.yaml", IB_SOURCE_DIR, file);
    study->file = file;
    study->scenario = given_with(path, NULL, &(ib_ScenarioOptions){.designs = &ib_design_loader});
    study->length = ib_time_from_seconds(seconds);
    make_recording(study);
    measure_run(study);
    look_at_findings(study);
    for (int i = 0; i < study->measure_count; i++) check_measure(study, &study->measures[i]);
    for (int i = 0; i < study->expectation_count; i++)
        check_expectation(study, &study->expectations[i]);
    ib_scenario_destroy(study->scenario);
    free(study->rows);
    free(study->values);
    free(study->seen);
    free(study);
}

// Goal: measures hold against every step of every kind of robot. Extremes are at least as extreme,
// and have their value when they say; relations become true within a nanosecond; means are
// integrals; margins are those of the worst step, or the best one for `before`, and negative
// exactly where an expectation failed. Method: the start of scenarios with all robots, solvers and
// loops, up to shifts of gears, hits, breakers, switches of inputs and changes of modes.
static void measures_hold_against_every_step(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *files[16];
    } starts[] = {
        {0.05, {"bench_mechanisms", "box_slide", "motor_spin_up", "quadruped_mixed"}},
        {0.1,
         {"bench_transducers", "cylinder_lift", "cylinder_loop_pid", "fit_dynamic", "servo",
          "swerve_path", "tilted_floor", "xdrive_cylinder"}},
        {0.2,
         {"arm_follow", "bench_air", "course_navigate", "goal_climb", "holonomic_presets",
          "leg_motor", "leg_walk", "lift_docking", "marker_drop", "mecanum_odometry", "mjcf_motors",
          "team_brownout"}},
        {0.3,
         {"air_fill", "mjcf_hopper", "mjcf_pendulum", "roomba_noise", "roomba_two", "tank_brownout",
          "xdrive_slip"}},
        {0.5,
         {"arm_free_swing", "arm_tank_brakes", "cylinder_step", "drive_velocity", "gyro_shifter",
          "minerals", "ridge", "roomba_schedule", "tank_two"}},
        {1, {"primer_bounce", "primer_calculus", "tank_launch"}},
        {2, {"cylinder_valves", "tank_box"}},
        {10, {"cylinder_locked"}},
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        for (int k = 0; starts[i].files[k]; k++)
            study_scenario(starts[i].files[k], starts[i].seconds);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {ib_plain_test(measures_hold_against_every_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
