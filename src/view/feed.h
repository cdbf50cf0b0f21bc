// view/feed.h: messages between the runner's thread and the server's thread. docs/view/viewer.md
// The runner plays a simulation or a recording. Neither ever waits for the other: every queue has
// fixed room and drops, and counts, the rest.
//
//   runner --rows, events, status--> server
//   runner <--commands-------------- server
#ifndef IB_VIEW_FEED_H
#define IB_VIEW_FEED_H

#include "base/clock.h"
#include "base/mode.h"
#include "base/status.h"
#include "view/samples.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    IB_FEED_ROWS = 32,      ///< half a second at 60 Hz
    IB_FEED_EVENTS = 256,   ///< then dropped and counted
    IB_FEED_COMMANDS = 256, ///< then refused
    IB_FEED_TEXT = 240,     ///< bytes of an event's text, NUL included
    IB_FEED_ROBOTS = 16,
};

// All signals at one time.
typedef struct ib_FeedRow {
    double time;     ///< [s]
    uint32_t run;    ///< 1, 2, …: one more after each reset
    bool jump;       ///< time has jumped (a seek or a reset): not joined to earlier rows
    bool ranged;     ///< has the smallest and the largest values, too
    double values[]; ///< one per signal; then the smallest of each since the row before it, both
                     ///< ends included; then the largest
} ib_FeedRow;

typedef enum ib_EventKind {            // the first ones as in ib_ModeKind
    IB_EVENT_NOTE = IB_MODE_LIMIT + 1, ///< a remark
    IB_EVENT_EXPECTATION,
    IB_EVENT_OVERRUN,
    IB_EVENT_FAILURE, ///< the run, or its recording, has failed
    IB_EVENT_CHANGE,  ///< a parameter; its value is kept even if the event is dropped
} ib_EventKind;

typedef struct ib_FeedEvent {
    double time; ///< [s]
    uint32_t run;
    int kind; ///< ib_ModeKind or ib_EventKind
    ib_ModeLevel level;
    int parameter; ///< of a change: its index; otherwise -1
    double value;  ///< of a change
    int times;     ///< of a mode: number of changes to this value in the run; 0: not a mode
    int signal;    ///< of a mode: its index
    char text[IB_FEED_TEXT];
} ib_FeedEvent;

typedef enum ib_FeedState {
    IB_FEED_RUNNING,
    IB_FEED_PAUSED,
    IB_FEED_ENDED,
    IB_FEED_FAILED,
} ib_FeedState;

// The status; the runner replaces it as a whole, the server always reads a complete one.
typedef struct ib_FeedStatus {
    ib_FeedState state;
    uint32_t run;
    double time;   ///< [s]
    double speed;  ///< wanted: 1 is real time; 0: as fast as possible
    double ratio;  ///< actual over the last half second or so, simulated over wall time
    int64_t steps; ///< so far in this run
    int64_t overruns;
    double late_p50, late_p99, late_p999, late_max; ///< of the steps, so far [s]
    int drivers[IB_FEED_ROBOTS];                    ///< client that drives each robot; 0: none
    int64_t dropped_rows, dropped_events;           ///< filled in by the feed
    int expectations_failed, expectations_passed;   ///< so far; the rest is undecided
    bool recording;
} ib_FeedStatus;

typedef enum ib_CommandType {
    IB_COMMAND_PAUSE,
    IB_COMMAND_PLAY,
    IB_COMMAND_STEP,      ///< `value`: number of steps of the grid; pauses
    IB_COMMAND_SPEED,     ///< `value`: 0.1 …; 0: as fast as possible
    IB_COMMAND_RESET,     ///< back to the start
    IB_COMMAND_SEEK,      ///< `value`: time [s]; in a recording only
    IB_COMMAND_DRIVE,     ///< `client` sets input `index` of robot `robot` to `value`, SI
    IB_COMMAND_ALIVE,     ///< `client` still holds the controls of `robot`
    IB_COMMAND_RELEASE,   ///< `client` releases `robot` (-1: all): neutral at once
    IB_COMMAND_TAKE,      ///< `client` takes over the controls of `robot`
    IB_COMMAND_PARAMETER, ///< `data`: a model from the source's `prepare`
    IB_COMMAND_QUIT,
} ib_CommandType;

typedef struct ib_FeedCommand {
    ib_CommandType type;
    int client;       ///< the sender, >= 1
    int robot, index; ///< of the robot and of its input, depending on the type
    double value;     ///< depends on the type, SI
    void *data;       ///< depends on the type; NULL: none
} ib_FeedCommand;

typedef struct ib_Feed ib_Feed;

ib_Status ib_feed_create(int signals, ib_Feed **feed, ib_Error *error);
void ib_feed_destroy(ib_Feed *feed);
// Keeps the newest value of each of `count` parameters beside the events. Called before
// the threads.
ib_Status ib_feed_keep(ib_Feed *feed, int count, ib_Error *error);
int ib_feed_signals(const ib_Feed *feed);

// For the runner. It fills a claimed row (NULL: no room, counted) and then publishes it.
ib_FeedRow *ib_feed_claim(ib_Feed *feed);
void ib_feed_publish(ib_Feed *feed);
void ib_feed_event(ib_Feed *feed, const ib_FeedEvent *event);
void ib_feed_set_status(ib_Feed *feed, const ib_FeedStatus *status);
bool ib_feed_next_command(ib_Feed *feed, ib_FeedCommand *command);
bool ib_feed_watched(ib_Feed *feed); ///< false: nobody watches, low rates suffice

// For the server. `ib_feed_row` is the oldest row not yet taken, valid until the release;
// NULL: none.
const ib_FeedRow *ib_feed_row(ib_Feed *feed);
void ib_feed_release(ib_Feed *feed);
bool ib_feed_next_event(ib_Feed *feed, ib_FeedEvent *event);
void ib_feed_status(ib_Feed *feed, ib_FeedStatus *status);
uint64_t ib_feed_changes(ib_Feed *feed); ///< of kept parameters, so far
// The parameter's number of changes, and its value at that change or later.
uint64_t ib_feed_parameter(ib_Feed *feed, int parameter, double *value);
bool ib_feed_command(ib_Feed *feed, const ib_FeedCommand *command); ///< false: no room
int ib_feed_room(ib_Feed *feed);                       ///< commands that fit for certain
void ib_feed_set_watched(ib_Feed *feed, bool watched); ///< true by default

// A client's request for a design with other values.
typedef struct ib_TrialRequest {
    int id;   ///< the client's own, returned with the answer
    int gear; ///< the one whose response is shown
    int count;
    const int *knobs;     ///< `count` numbers of knobs; the others have the file's values
    const double *values; ///< of these knobs, SI
} ib_TrialRequest;

enum { IB_ANSWER_TEXT = 320 << 10 }; ///< bytes of an answer, at most

// The server's source: a live simulation (view/live.h), a recording (view/player.h) or a
// design (view/live_trial.h).
typedef struct ib_ViewSource {
    void *self;
    ib_Feed *feed;
    const char *hello; ///< JSON object, sent to every client first; without "you"
    int signal_count, robot_count, input_count, parameter_count;
    bool replay;     ///< allows seeks, nothing to drive
    double duration; ///< of the run or of the recording [s]
    // Checks a new value of a live parameter and derives the runner's `data` of
    // IB_COMMAND_PARAMETER. In the server's thread. NULL: no live parameters.
    ib_Status (*prepare)(void *self, int parameter, double value, void **data, ib_Error *error);
    // Samples of one signal in from <= time <= to, at most `rows` of them (view/samples.h), into
    // `samples`; returns their number. In the server's thread. NULL: the server's own memory of the
    // last minutes is used.
    int (*history)(void *self, int signal, double from, double to, int rows, ib_Samples samples);
    // True if the viewer may set input `index` of `robot`. In the server's thread.
    bool (*may_drive)(void *self, int robot, int index);
    bool (*drivable)(void *self, int robot); ///< any such input? NULL: always true

    // A design: the clients' trials, and the answers, each for the newest request of a client. In
    // the server's thread, which waits for none of them. NULL: not a design.
    int knob_count, gear_count;
    void (*request_trial)(void *self, int client, const ib_TrialRequest *request);
    bool (*answered)(void *self, int client); ///< true if an answer waits
    size_t (*answer)(void *self, int client, char text[IB_ANSWER_TEXT]); ///< takes it; size
    void (*forget)(void *self, int client);                              ///< the client has gone
} ib_ViewSource;

#endif
