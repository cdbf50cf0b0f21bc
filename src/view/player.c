#include "view/player.h"

#include "base/extreme.h"
#include "sim/pace.h"
#include "view/hello.h"
#include "view/playback.h"
#include "view/worker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLICE      (4 * IB_SECOND / 1000) // between checks of the commands
#define ALONE      (IB_SECOND / 50)       // the same while nobody watches
#define ROW_PERIOD (IB_SECOND / 60)
#define FASTEST    100.0 // no one can follow more

#define BACK_SPAN IB_SECOND

enum { MAX_COMMANDS = 64, MAX_EVENTS = 32 }; // at once
enum { MAX_SKIPPED = 200 };                  // events reported after a seek forward

struct ib_Player {
    ib_Arena arena;
    ib_Playback playback;
    ib_Feed *feed;
    ib_ViewSource source;
    ib__Worker worker;
    atomic_bool stop;

    // The player's thread. Times here are those of the recording.
    ib_FeedStatus status;
    ib_Time time;
    int64_t anchor_wall; ///< at this wall clock …
    ib_Time anchor_time; ///< … and this time of the recording
    int64_t row_due;
    int64_t next_event;
    int64_t back_told; ///< wall clock of the last message on a seek back
    bool dirty, jump;  ///< as in view/live
};

// -------------------------------------------------------------------------------------------- time

static void anchor(ib_Player *player)
{
    player->anchor_wall = ib_wall_now();
    player->anchor_time = player->time;
    player->row_due = 0;
}

// Logs a step back in time, which explains repeated events; not at every move of a scrub bar.
static void tell_way_back(ib_Player *player)
{
    int64_t wall = ib_wall_now(), before = player->back_told;
    player->back_told = wall;
    if (wall - before < BACK_SPAN) return;
    ib_FeedEvent event = {.time = ib_time_to_seconds(player->time - player->playback.begin),
                          .run = player->status.run,
                          .kind = IB_EVENT_NOTE,
                          .level = IB_MODE_INFO,
                          .parameter = -1};
    snprintf(event.text, sizeof event.text, "-- back to %.3f s --", event.time);
    ib_feed_event(player->feed, &event);
}

// Seeks a time. On the way forward the last events in between are reported; on the way back none.
static void go_to(ib_Player *player, double seconds)
{
    const ib_Playback *playback = &player->playback;
    double length = ib_time_to_seconds(playback->end - playback->begin);
    ib_Time before = player->time;
    seconds = seconds > 0 ? ib_min(seconds, length) : 0;
    player->time = ib_time_min(playback->end, playback->begin + ib_time_from_seconds(seconds));
    int64_t next = ib_playback_event_after(playback, player->time);
    if (player->time < before) {
        player->next_event = next;
        tell_way_back(player);
    } else if (next - player->next_event > MAX_SKIPPED) {
        player->next_event = next - MAX_SKIPPED;
    }
    player->dirty = player->jump = true;
    if (player->status.state == IB_FEED_ENDED) player->status.state = IB_FEED_PAUSED;
    anchor(player);
}

// Restarts at the begin, with the events of the first instant.
static void restart(ib_Player *player)
{
    go_to(player, 0);
    player->next_event = 0;
    player->status.run++;
}

// Advances time by the wall clock and the chosen speed, at most to the end of the recording.
static void move_on(ib_Player *player)
{
    double speed = player->status.speed > 0 ? player->status.speed : FASTEST;
    double gone = (double)(ib_wall_now() - player->anchor_wall) * speed;
    ib_Time end = player->playback.end;
    bool over = gone >= (double)(end - player->anchor_time);
    player->time = over ? end : player->anchor_time + (ib_Time)gone;
    player->dirty = true;
    if (!over) return;
    player->status.state = IB_FEED_ENDED;
    player->row_due = 0;
}

// ---------------------------------------------------------------------------------------- commands

static void obey(ib_Player *player, const ib_FeedCommand *command)
{
    ib_FeedStatus *status = &player->status;
    bool over = status->state == IB_FEED_ENDED;
    switch (command->type) {
    case IB_COMMAND_PAUSE:
        if (!over) status->state = IB_FEED_PAUSED;
        anchor(player);
        break;
    case IB_COMMAND_PLAY:
        if (over) restart(player);
        status->state = IB_FEED_RUNNING;
        anchor(player);
        break;
    case IB_COMMAND_STEP: {
        double step = ib_time_to_seconds(player->playback.step);
        double here = ib_time_to_seconds(player->time - player->playback.begin);
        status->state = IB_FEED_PAUSED;
        go_to(player, here + step * command->value);
        player->jump = false;
        break;
    }
    case IB_COMMAND_SPEED:
        if (command->value >= 0) status->speed = command->value;
        anchor(player);
        break;
    case IB_COMMAND_RESET:
        restart(player);
        if (over) status->state = IB_FEED_RUNNING;
        break;
    case IB_COMMAND_SEEK:
        go_to(player, command->value);
        break;
    case IB_COMMAND_QUIT:
        atomic_store(&player->stop, true);
        break;
    default:
        break; // a recording has no inputs or parameters
    }
}

// ----------------------------------------------------------------------------------------- showing

static void tell_events(ib_Player *player)
{
    const ib_Playback *playback = &player->playback;
    for (int i = 0; i < MAX_EVENTS && player->next_event < playback->event_count; i++) {
        if (playback->events[player->next_event].time > player->time) return;
        ib_FeedEvent event;
        bool means = ib_playback_describe(playback, player->next_event++, &event);
        event.run = player->status.run;
        if (means) ib_feed_event(player->feed, &event);
    }
}

// Publishes the present row, if new and due, and the status.
static void show(ib_Player *player)
{
    int64_t wall = ib_wall_now();
    if (wall < player->row_due) return;
    player->row_due += ROW_PERIOD;
    if (player->row_due <= wall) player->row_due = wall + ROW_PERIOD;

    ib_FeedStatus *status = &player->status;
    bool running = status->state == IB_FEED_RUNNING;
    status->time = ib_time_to_seconds(player->time - player->playback.begin);
    status->ratio = !running ? 0 : status->speed > 0 ? status->speed : FASTEST;
    ib_FeedRow *row = player->dirty ? ib_feed_claim(player->feed) : NULL;
    if (row) {
        row->time = status->time;
        row->run = status->run;
        row->jump = player->jump;
        ib_playback_row(&player->playback, player->time, row->values);
        ib_feed_publish(player->feed);
        player->dirty = player->jump = false;
    }
    ib_feed_set_status(player->feed, status);
}

// The player's thread: it executes commands, advances, reports events, shows, and sleeps for
// a slice.
static void *play(void *self)
{
    ib_Player *player = self;
    anchor(player);
    while (!atomic_load_explicit(&player->stop, memory_order_relaxed)) {
        ib_FeedCommand command;
        for (int i = 0; i < MAX_COMMANDS && ib_feed_next_command(player->feed, &command); i++)
            obey(player, &command);
        if (player->status.state == IB_FEED_RUNNING) move_on(player);
        tell_events(player);
        show(player);
        ib_wall_sleep(ib_wall_now() + (ib_feed_watched(player->feed) ? SLICE : ALONE));
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------ server

static int history(void *self, int signal, double from, double to, int rows, ib_Samples samples)
{
    const ib_Playback *playback = &((ib_Player *)self)->playback;
    double length = ib_time_to_seconds(playback->end - playback->begin);
    if (signal < 0 || signal >= playback->log->series_count || !(from <= length) || !(to >= 0))
        return 0;
    // The bounds are rounded outwards to the nanosecond, within the recording.
    ib_Time first = playback->begin + (from > 0 ? (ib_Time)floor(from * 1e9) : 0);
    ib_Time last = to < length ? playback->begin + (ib_Time)ceil(to * 1e9) : playback->end;
    return ib_playback_history(playback, signal, first, last, rows, samples);
}

static bool may_drive(void *self, int robot, int index)
{
    (void)self, (void)robot, (void)index;
    return false;
}

// ----------------------------------------------------------------------------- create, start, stop

static ib_Status make(ib_Player *player, const ib_Log *log, const ib_PlayerOptions *options,
                      ib_Error *error)
{
    ib_Playback *playback = &player->playback;
    ib_Status status = ib_playback_init(playback, log, &player->arena, error);
    if (status == IB_OK) status = ib_feed_create(log->series_count, &player->feed, error);
    if (status != IB_OK) return status;
    ib_HelloLog hello = {.log = log,
                         .path = options->path,
                         .duration = ib_time_to_seconds(playback->end - playback->begin),
                         .step = ib_time_to_seconds(playback->step)};
    player->source = (ib_ViewSource){.self = player,
                                     .feed = player->feed,
                                     .hello = ib_hello_log(&hello, &player->arena),
                                     .signal_count = log->series_count,
                                     .replay = true,
                                     .duration = hello.duration,
                                     .history = history,
                                     .may_drive = may_drive};
    if (!player->source.hello) return ib_error_set(error, IB_FAILED, "out of memory");
    player->status = (ib_FeedStatus){.state = options->paused ? IB_FEED_PAUSED : IB_FEED_RUNNING,
                                     .run = 1,
                                     .speed = options->speed};
    player->time = playback->begin;
    player->dirty = player->jump = true;
    ib_feed_set_status(player->feed, &player->status);
    return IB_OK;
}

ib_Status ib_player_create(const ib_Log *log, const ib_PlayerOptions *options, ib_Player **result,
                           ib_Error *error)
{
    ib_Player *player = calloc(1, sizeof *player);
    if (!player) return ib_error_set(error, IB_FAILED, "out of memory for the player");
    ib_Status status = make(player, log, options, error);
    if (status != IB_OK) {
        ib_player_destroy(player);
        return status;
    }
    *result = player;
    return IB_OK;
}

ib_Status ib_player_start(ib_Player *player, ib_Error *error)
{
    return ib__worker_start(&player->worker, play, player, "the player", error);
}

void ib_player_stop(ib_Player *player)
{
    if (!player->worker.started) return;
    atomic_store(&player->stop, true);
    ib__worker_join(&player->worker);
}

ib_ViewSource *ib_player_source(ib_Player *player)
{
    return &player->source;
}

void ib_player_destroy(ib_Player *player)
{
    if (!player) return;
    ib_player_stop(player);
    ib_feed_destroy(player->feed);
    ib_arena_reset(&player->arena);
    free(player);
}
