// test/view/live_rig.h: a live run without a server: the test speaks through the feed
// as the server would.
#ifndef IB_TEST_VIEW_LIVE_RIG_H
#define IB_TEST_VIEW_LIVE_RIG_H

#include "cmocka_all.h"
#include "scenario/given.h"
#include "sim/pace.h"
#include "view/live.h"

#include <string.h>

enum { RIG_EVENTS = 512 };

typedef struct LiveRig {
    ib_Arena arena;
    ib_Scenario *scenario;
    ib_Live *live;
    ib_ViewSource *source;
    int rows; // so far
    double time;
    uint32_t run;
    bool jumped;        // some row since rig_forget was a jump
    double values[512]; // of the last row
    ib_FeedEvent events[RIG_EVENTS];
    int event_count;
    ib_FeedStatus status;
} LiveRig;

static inline void rig_read(LiveRig *rig, const char *yaml)
{
    *rig = (LiveRig){0};
    rig->scenario = given_with("live.yaml", yaml, NULL);
    assert_true(rig->scenario->model->signals.count <= 512);
}

static inline void rig_start(LiveRig *rig, const char *yaml, ib_LiveOptions options)
{
    ib_Error error = {0};
    rig_read(rig, yaml);
    options.scenario = "live.yaml";
    if (ib_live_create(rig->scenario, &options, &rig->live, &error) != IB_OK)
        fail_msg("%s", error.text);
    rig->source = ib_live_source(rig->live);
    assert_int_equal(ib_live_start(rig->live, &error), IB_OK);
}

static inline void rig_stop(LiveRig *rig)
{
    ib_live_destroy(rig->live);
    ib_scenario_destroy(rig->scenario);
    ib_arena_reset(&rig->arena);
}

// Takes what has come since the last time.
static inline void rig_take(LiveRig *rig)
{
    ib_Feed *feed = rig->source->feed;
    const ib_FeedRow *row;
    while ((row = ib_feed_row(feed)) != NULL) {
        rig->rows++;
        rig->time = row->time;
        rig->run = row->run;
        rig->jumped |= row->jump;
        memcpy(rig->values, row->values, (size_t)rig->source->signal_count * sizeof(double));
        ib_feed_release(feed);
    }
    while (rig->event_count < RIG_EVENTS &&
           ib_feed_next_event(feed, &rig->events[rig->event_count]))
        rig->event_count++;
    ib_feed_status(feed, &rig->status);
}

// Goes on taking for `seconds` of wall time.
static inline void rig_wait(LiveRig *rig, double seconds)
{
    int64_t end = ib_wall_now() + (int64_t)(seconds * 1e9);
    while (ib_wall_now() < end) {
        ib_wall_sleep(ib_wall_now() + IB_SECOND / 1000);
        rig_take(rig);
    }
}

// Waits for `condition`, 30 s at most: a busy machine may be slow, but not for ever.
#define rig_until(rig, condition)                                                                  \
    do {                                                                                           \
        int64_t end_ = ib_wall_now() + 30 * IB_SECOND;                                             \
        for (rig_take(rig); !(condition) && ib_wall_now() < end_;) rig_wait(rig, 0.001);           \
        if (!(condition)) fail_msg("waited in vain for %s", #condition);                           \
    } while (0)

static inline void rig_send(LiveRig *rig, ib_FeedCommand command)
{
    assert_true(ib_feed_command(rig->source->feed, &command));
}

static inline void rig_order(LiveRig *rig, ib_CommandType type, double value)
{
    rig_send(rig, (ib_FeedCommand){.type = type, .client = 1, .value = value});
}

static inline int rig_input(const LiveRig *rig, int robot, const char *name)
{
    const ib_RobotPorts *ports = &rig->scenario->model->robots[robot].ports;
    for (int i = 0; i < ports->input_count; i++)
        if (ports->inputs[i].role == IB_INPUT_COMMAND && strcmp(ports->inputs[i].name, name) == 0)
            return i;
    fail_msg("there is no input %s", name);
    return -1;
}

static inline void rig_drive(LiveRig *rig, int client, int robot, const char *name, double value)
{
    rig_send(rig, (ib_FeedCommand){.type = IB_COMMAND_DRIVE,
                                   .client = client,
                                   .robot = robot,
                                   .index = rig_input(rig, robot, name),
                                   .value = value});
}

static inline double rig_value(const LiveRig *rig, const char *signal)
{
    int index = ib_signals_find(&rig->scenario->model->signals, signal);
    if (index < 0) fail_msg("there is no signal %s", signal);
    return rig->values[index];
}

// The first event of this kind whose text holds `part`, or NULL.
static inline const ib_FeedEvent *rig_event(const LiveRig *rig, int kind, const char *part)
{
    for (int i = 0; i < rig->event_count; i++)
        if (rig->events[i].kind == kind && strstr(rig->events[i].text, part))
            return &rig->events[i];
    return NULL;
}

#endif
