// view/live_loop.c: the runner's thread: wait for the next deadline, take commands, step, show.
#include "base/extreme.h"
#include "view/live_inside.h"

#include <sys/prctl.h>

enum { MAX_COMMANDS = 256 };  // taken at once
enum { MAX_STEPS = 1000000 }; // of one request

#define SLICE       (2 * IB_SECOND / 1000) // longest wait or burst without a check of the commands
#define IDLE        (5 * IB_SECOND / 1000) // the same after the end of a run
#define APART       (IB_SECOND / 2000)     // shortest distance of deadlines: steps are grouped
#define ALONE       (IB_SECOND / 50)       // the same for both while nobody watches
#define ROW_PERIOD  (IB_SECOND / 60)
#define BEHIND      (IB_SECOND / 4) // lost time beyond this is given up
#define RATIO_SPAN  (IB_SECOND / 2)
#define REMIND_SPAN IB_SECOND
#define MANY_LATE   0.1              // share of the deadlines of a second that gives a message
#define LATE_SPAN   (10 * IB_SECOND) // between two such messages

static bool is_running(const ib_Live *live)
{
    return live->status.state == IB_FEED_RUNNING;
}

static bool is_over(const ib_Live *live)
{
    return live->status.state == IB_FEED_ENDED || live->status.state == IB_FEED_FAILED;
}

static bool is_stopped(ib_Live *live)
{
    return atomic_load_explicit(&live->stop, memory_order_relaxed);
}

// -------------------------------------------------------------------------------------------- pace

// Restarts the pace at the present time of the run.
static void anchor(ib_Live *live)
{
    live->anchor_wall = live->ratio_wall = ib_wall_now();
    live->anchor_time = live->ratio_time = live->run.sim ? ib_sim_time(live->run.sim) : 0;
    live->row_due = 0; // the new state is shown at once
}

// Longest wait without a check of the commands.
static int64_t slice_of(const ib_Live *live)
{
    return ib_feed_watched(live->feed) ? SLICE : ALONE;
}

static int64_t deadline_of(const ib_Live *live)
{
    double simulated = (double)(ib_sim_time(live->run.sim) - live->anchor_time);
    return live->anchor_wall + (int64_t)(simulated / live->status.speed);
}

// The time of the run at the next deadline: a step of the grid further, or several if they would
// follow each other too fast for the clock.
static ib_Time next_target(const ib_Live *live)
{
    ib_Time time = ib_sim_time(live->run.sim), step = live->grid;
    double wall = (double)step / live->status.speed;
    double apart = (double)(ib_feed_watched(live->feed) ? APART : ALONE);
    int64_t steps = wall < apart ? (int64_t)(apart / wall + 0.5) : 1;
    return ib_time_next(time, step) + (steps - 1) * step;
}

// Gives up a delay too large to catch up: the run continues from here, with a message. Faster than
// real time a machine may be too slow, which is reported once.
static void give_up_lost_time(ib_Live *live, int64_t late, int64_t wall)
{
    live->anchor_wall += late;
    if (live->status.speed > 1) {
        if (!live->slow_told)
            ib__live_tell(live, IB_EVENT_NOTE, IB_MODE_INFO,
                          "%g times real time is more than this machine can do",
                          live->status.speed);
        live->slow_told = true;
    } else if (wall - live->overrun_told >= REMIND_SPAN) {
        live->overrun_told = wall;
        ib__live_tell(live, IB_EVENT_OVERRUN, IB_MODE_WARNING,
                      "overrun: the simulation was %.0f ms behind the clock and goes on from there",
                      (double)late / 1e6);
    }
}

// Reports repeatedly late steps of a loop that keeps up on average.
static void watch_overruns(ib_Live *live, int64_t wall)
{
    if (wall - live->overrun_wall < IB_SECOND) return;
    int64_t late = live->pace.overruns - live->overruns;
    double all = (double)IB_SECOND / ((double)live->grid / live->status.speed);
    bool fresh = live->overrun_wall == 0;
    live->overrun_wall = wall;
    live->overruns = live->pace.overruns;
    if (fresh || (double)late < MANY_LATE * all || wall - live->overrun_told < LATE_SPAN) return;
    live->overrun_told = wall;
    ib__live_tell(live, IB_EVENT_OVERRUN, IB_MODE_WARNING,
                  "overruns: %lld steps of the last second came late by a step or more; this "
                  "machine is too busy for real time",
                  (long long)late);
}

// Sleeps until the next step is due, at most until the next check of commands. True: it is due.
static bool wait_for_deadline(ib_Live *live)
{
    int64_t wall = ib_wall_now();
    if (!is_running(live)) {
        if (live->steps_due > 0) return false;
        int64_t slice = slice_of(live);
        ib_wall_sleep(wall + (is_over(live) && slice < IDLE ? IDLE : slice));
        return false;
    }
    if (live->status.speed == 0) return true;
    int64_t deadline = deadline_of(live);
    if (wall < deadline) {
        int64_t slice = slice_of(live);
        ib_wall_sleep(deadline - wall > slice ? wall + slice : deadline);
        wall = ib_wall_now();
        if (wall < deadline) return false;
    }
    if (live->status.speed <= 1)
        ib_pace_add(&live->pace, deadline, wall,
                    (int64_t)((double)live->grid / live->status.speed));
    if (wall - deadline > BEHIND) give_up_lost_time(live, wall - deadline, wall);
    if (live->status.speed <= 1) watch_overruns(live, wall);
    return true;
}

// Advances to the next deadline, step by step of the grid and for SLICE of wall time at most.
static void advance(ib_Live *live)
{
    bool paced = live->status.speed > 0;
    ib_Time target = paced ? next_target(live) : IB_TIME_NEVER;
    int64_t begin = ib_wall_now();
    live->run.modes.wall = begin;
    do {
        ib_Time time = ib_sim_time(live->run.sim);
        if (!ib__live_advance(live, ib_time_next(time, live->grid))) {
            anchor(live);
            return;
        }
    } while (ib_sim_time(live->run.sim) < target && ib_wall_now() - begin < SLICE);
}

// Makes the steps requested in a pause, for SLICE of wall time at most.
static void make_steps(ib_Live *live)
{
    int64_t begin = ib_wall_now();
    live->run.modes.wall = begin;
    while (live->steps_due > 0 && ib_wall_now() - begin < SLICE) {
        live->steps_due--;
        if (!ib__live_advance(live, ib_time_next(ib_sim_time(live->run.sim), live->grid)))
            live->steps_due = 0;
    }
    if (live->steps_due == 0) live->row_due = 0; // the new state is shown at once
}

// ---------------------------------------------------------------------------------------- commands

static void set_state(ib_Live *live, ib_FeedState state)
{
    if (is_over(live) || live->status.state == state) return;
    live->status.state = state;
    anchor(live);
}

// Single steps pause the run. This only stores their number: there may be many of them.
static void ask_for_steps(ib_Live *live, double count)
{
    set_state(live, IB_FEED_PAUSED);
    if (!is_over(live) && count >= 1) live->steps_due += (int64_t)ib_min(count, MAX_STEPS);
}

static void set_speed(ib_Live *live, double speed)
{
    if (!(speed >= 0)) return;
    if (speed > 0) speed = ib_min(ib_max(speed, IB_SLOWEST), IB_FASTEST);
    live->status.speed = speed;
    live->slow_told = false;
    anchor(live);
}

// Ends the run and begins it anew, with the present parameters; drivers lose their inputs.
static void reset(ib_Live *live)
{
    if (!is_over(live)) ib__live_end(live, false);
    if (live->run.sim) live->steps_before += ib_sim_steps(live->run.sim);
    ib__live_discard(live);
    ib_seats_reset(&live->seats);
    live->status.run++;
    live->steps_due = 0;
    if (live->status.state != IB_FEED_PAUSED) live->status.state = IB_FEED_RUNNING;
    live->end_status = ib__live_begin(live, &live->end_error);
    if (live->end_status != IB_OK) {
        live->status.state = IB_FEED_FAILED;
        ib__live_tell(live, IB_EVENT_FAILURE, IB_MODE_ERROR, "%s", live->end_error.text);
    }
    live->dirty = live->jump = true;
    anchor(live);
}

static void obey(ib_Live *live, const ib_FeedCommand *command)
{
    switch (command->type) {
    case IB_COMMAND_PAUSE:
        live->steps_due = 0;
        set_state(live, IB_FEED_PAUSED);
        break;
    case IB_COMMAND_PLAY:
        live->steps_due = 0;
        set_state(live, IB_FEED_RUNNING);
        break;
    case IB_COMMAND_STEP:
        ask_for_steps(live, command->value);
        break;
    case IB_COMMAND_SPEED:
        set_speed(live, command->value);
        break;
    case IB_COMMAND_RESET:
        reset(live);
        break;
    case IB_COMMAND_SEEK:
        break; // a live run cannot go back
    case IB_COMMAND_DRIVE:
    case IB_COMMAND_ALIVE:
    case IB_COMMAND_RELEASE:
    case IB_COMMAND_TAKE:
        ib_seats_hear(&live->seats, command, ib_wall_now());
        break;
    case IB_COMMAND_PARAMETER:
        ib__live_change(live, command->data);
        break;
    case IB_COMMAND_QUIT:
        atomic_store(&live->stop, true);
        break;
    }
}

// "client 3 drives red"; a single robot has no name.
static void tell_drivers(ib_Live *live)
{
    for (int i = 0; i < live->seats.count; i++) {
        int client = live->seats.seats[i].client;
        if (client == live->drivers[i]) continue;
        live->drivers[i] = client;
        live->status.drivers[i] = client;
        live->row_due = 0;
        const char *name = live->scenario->model->robots[i].name;
        if (!name[0]) name = "the robot";
        if (client)
            ib__live_tell(live, IB_EVENT_NOTE, IB_MODE_INFO, "client %d drives %s", client, name);
        else
            ib__live_tell(live, IB_EVENT_NOTE, IB_MODE_INFO, "nobody drives %s", name);
    }
}

// Executes the server's commands, and sets the controls of silent drivers to neutral.
static void take_commands(ib_Live *live)
{
    ib_FeedCommand command;
    for (int i = 0; i < MAX_COMMANDS && !is_stopped(live); i++) {
        if (!ib_feed_next_command(live->feed, &command)) break;
        obey(live, &command);
    }
    tell_drivers(live);
    for (int robot; (robot = ib_seats_silence(&live->seats, ib_wall_now())) >= 0;)
        ib__live_tell(live, IB_EVENT_NOTE, IB_MODE_WARNING,
                      "client %d: no input for %d ms, controls set to neutral",
                      live->seats.seats[robot].client, (int)(IB_SEAT_SILENCE / (IB_SECOND / 1000)));
}

// ----------------------------------------------------------------------------------------- showing

static void show_row(ib_Live *live)
{
    if (!live->dirty || !live->run.sim) return;
    ib_FeedRow *row = ib_feed_claim(live->feed);
    if (!row) return;
    row->time = ib_time_to_seconds(ib_sim_time(live->run.sim));
    row->run = live->status.run;
    row->jump = live->jump;
    ib_sim_sample(live->run.sim, row->values);
    double *low = row->values + ib_feed_signals(live->feed);
    ib_extremes_take(&live->run.extremes, row->values, low, low + ib_feed_signals(live->feed));
    row->ranged = true;
    ib_feed_publish(live->feed);
    live->dirty = live->jump = false;
}

static void show_status(ib_Live *live, int64_t wall)
{
    ib_FeedStatus *status = &live->status;
    ib_Time time = live->run.sim ? ib_sim_time(live->run.sim) : 0;
    if (!is_running(live))
        status->ratio = 0;
    else if (wall - live->ratio_wall >= RATIO_SPAN) {
        status->ratio = (double)(time - live->ratio_time) / (double)(wall - live->ratio_wall);
        live->ratio_wall = wall;
        live->ratio_time = time;
    }
    status->time = ib_time_to_seconds(time);
    status->steps = live->run.sim ? ib_sim_steps(live->run.sim) : 0;
    status->overruns = live->pace.overruns;
    status->late_p50 = ib_pace_percentile(&live->pace, 0.5);
    status->late_p99 = ib_pace_percentile(&live->pace, 0.99);
    status->late_p999 = ib_pace_percentile(&live->pace, 0.999);
    status->late_max = ib_pace_max(&live->pace);
    status->expectations_failed = live->run.failed;
    status->expectations_passed = live->run.passed;
    ib_feed_set_status(live->feed, status);
}

// Reports a failed recording at once, so that the driver may stop, and shows it no longer.
static void watch_recording(ib_Live *live, int64_t wall)
{
    if (!live->status.recording || wall - live->record_wall < IB_SECOND) return;
    live->record_wall = wall;
    ib_Error error;
    if (ib_recorder_check(live->run.recorder, &error) == IB_OK) return;
    live->status.recording = false;
    ib__live_tell(live, IB_EVENT_FAILURE, IB_MODE_ERROR, "recording: %s", error.text);
}

static void show(ib_Live *live)
{
    int64_t wall = ib_wall_now();
    if (wall < live->row_due) return;
    live->row_due += ROW_PERIOD;
    if (live->row_due <= wall) live->row_due = wall + ROW_PERIOD; // after a wait, or at once
    watch_recording(live, wall);
    show_row(live);
    show_status(live, wall);
}

// -------------------------------------------------------------------------------------------- loop

void *ib__live_loop(void *self)
{
    ib_Live *live = self;
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); // else every sleep is 50 us too long
    anchor(live);
    live->dirty = live->jump = true;
    while (!is_stopped(live)) {
        bool due = wait_for_deadline(live);
        take_commands(live);
        if (due && is_running(live)) advance(live);
        if (live->steps_due > 0) make_steps(live);
        show(live);
    }
    if (!is_over(live)) ib__live_end(live, false);
    show_status(live, ib_wall_now());
    return NULL;
}
