// view/hub_hear.c: the effect of a client's message: a command to the runner, another view for the
// client, or a refusal.
#include "view/hub.h"
#include "view/outgoing.h"

// Room for commands that is reserved for the releases of clients that go.
enum { RESERVE = IB_HUB_CLIENTS };

static const char no_seat[] = "this robot takes no input from the viewer";
static const char not_the_driver[] = "somebody else drives: take the controls first";

typedef struct Hearing {
    ib_Hub *hub;
    ib_Client *client;
    double now;
} Hearing;

// False when the client does not take its refusals either.
static bool refuse(const Hearing *hearing, const char *reason)
{
    char *text = (char *)hearing->hub->out;
    size_t size = ib_outgoing_refused(reason, text);
    return ib_client_tell(hearing->client, text, size);
}

static bool send(const Hearing *hearing, ib_CommandType type, double value)
{
    ib_Feed *feed = hearing->hub->source->feed;
    if (ib_feed_room(feed) <= RESERVE) return refuse(hearing, "too many commands at a time");
    ib_FeedCommand command = {.type = type,
                              .client = hearing->client->number,
                              .robot = hearing->hub->message.robot,
                              .value = value};
    ib_feed_command(feed, &command);
    return true;
}

// The client in a robot's seat; 0: none. The runner assigns the seats; this refuses only requests
// that would fail. A client that has just taken a seat has it before the status shows it.
static int driver_of(const Hearing *hearing, int robot)
{
    ib_FeedStatus status;
    ib_feed_status(hearing->hub->source->feed, &status);
    int taker = hearing->hub->takers[robot];
    return taker ? taker : status.drivers[robot];
}

static bool seat_taken(const Hearing *hearing, int robot)
{
    if (robot >= IB_FEED_ROBOTS) return true;
    int driver = driver_of(hearing, robot);
    return driver != 0 && driver != hearing->client->number;
}

// True if the client may change time and parameters: while anyone drives, only drivers may.
static bool may_direct(const Hearing *hearing)
{
    bool driven = false;
    for (int i = 0; i < hearing->hub->source->robot_count && i < IB_FEED_ROBOTS; i++) {
        int driver = driver_of(hearing, i);
        if (driver == hearing->client->number) return true;
        driven |= driver != 0;
    }
    return !driven;
}

static bool has_seat(const Hearing *hearing, int robot)
{
    const ib_ViewSource *source = hearing->hub->source;
    return robot < IB_FEED_ROBOTS && (!source->drivable || source->drivable(source->self, robot));
}

static bool take(const Hearing *hearing)
{
    ib_Hub *hub = hearing->hub;
    int robot = hub->message.robot;
    if (!has_seat(hearing, robot)) return refuse(hearing, no_seat);
    // A command refused for lack of room changes nothing.
    if (ib_feed_room(hub->source->feed) > RESERVE) hub->takers[robot] = hearing->client->number;
    return send(hearing, IB_COMMAND_TAKE, 0);
}

static bool release(const Hearing *hearing)
{
    ib_Hub *hub = hearing->hub;
    int robot = hub->message.robot;
    bool own = robot < IB_FEED_ROBOTS && hub->takers[robot] == hearing->client->number;
    if (own && ib_feed_room(hub->source->feed) > RESERVE) hub->takers[robot] = 0;
    return send(hearing, IB_COMMAND_RELEASE, 0);
}

// Commands for the whole run: pause, play, step, speed, seek.
static bool direct(const Hearing *hearing, ib_CommandType type, double value)
{
    if (!may_direct(hearing)) return refuse(hearing, not_the_driver);
    return send(hearing, type, value);
}

// A reset begins another run, and another recording: at most every IB_HUB_RESET_PERIOD, for any
// number of requests. In a recording it is a seek to the start, which is cheap.
static bool reset(const Hearing *hearing)
{
    ib_Hub *hub = hearing->hub;
    bool soon = hearing->now - hub->reset_time < IB_HUB_RESET_PERIOD;
    if (!may_direct(hearing)) return refuse(hearing, not_the_driver);
    if (soon && !hub->source->replay)
        return refuse(hearing, "the run has just begun anew: once in half a second is enough");
    if (ib_feed_room(hub->source->feed) > RESERVE) hub->reset_time = hearing->now;
    return send(hearing, IB_COMMAND_RESET, 0);
}

// Sends all of the values or none of them.
static bool drive(const Hearing *hearing)
{
    ib_ViewSource *source = hearing->hub->source;
    const ib_ViewMessage *message = &hearing->hub->message;
    for (int i = 0; i < message->count; i++)
        if (!source->may_drive ||
            !source->may_drive(source->self, message->robot, message->inputs[i]))
            return refuse(hearing, "this input is not for the viewer to set");
    if (!has_seat(hearing, message->robot)) return refuse(hearing, no_seat);
    if (seat_taken(hearing, message->robot))
        return refuse(hearing, "somebody else drives this robot: take it first");
    if (message->count == 0) return send(hearing, IB_COMMAND_ALIVE, 0);
    if (ib_feed_room(source->feed) <= RESERVE + message->count)
        return refuse(hearing, "too many commands at a time");
    for (int i = 0; i < message->count; i++) {
        ib_FeedCommand command = {.type = IB_COMMAND_DRIVE,
                                  .client = hearing->client->number,
                                  .robot = message->robot,
                                  .index = message->inputs[i],
                                  .value = message->values[i]};
        ib_feed_command(source->feed, &command);
    }
    return true;
}

// Room is checked first: a prepared change then reaches the runner for certain.
static bool change(const Hearing *hearing)
{
    ib_ViewSource *source = hearing->hub->source;
    const ib_ViewMessage *message = &hearing->hub->message;
    if (!may_direct(hearing)) return refuse(hearing, not_the_driver);
    if (ib_feed_room(source->feed) <= RESERVE)
        return refuse(hearing, "too many commands at a time");
    ib_FeedCommand command = {.type = IB_COMMAND_PARAMETER,
                              .client = hearing->client->number,
                              .index = message->index,
                              .value = message->value};
    ib_Error error = {0};
    if (source->prepare(source->self, message->index, message->value, &command.data, &error))
        return refuse(hearing, error.text);
    ib_feed_command(source->feed, &command);
    return true;
}

// The newest request counts: it replaces a waiting one of this client.
static bool request_trial(const Hearing *hearing)
{
    ib_ViewSource *source = hearing->hub->source;
    const ib_ViewMessage *message = &hearing->hub->message;
    ib_TrialRequest made = {.id = message->id,
                            .gear = message->gear,
                            .count = message->count,
                            .knobs = message->signals,
                            .values = message->tries};
    source->request_trial(source->self, hearing->client->number, &made);
    return true;
}

static bool obey(const Hearing *hearing)
{
    const ib_ViewMessage *message = &hearing->hub->message;
    switch (message->type) {
    case IB_MESSAGE_WATCH:
        ib_client_watch(hearing->client, message, hearing->now);
        return true;
    case IB_MESSAGE_HISTORY:
        return ib_client_ask(hearing->client, message) ||
               refuse(hearing, "too many requests for histories at a time");
    case IB_MESSAGE_PAUSE:
        return direct(hearing, IB_COMMAND_PAUSE, 0);
    case IB_MESSAGE_PLAY:
        return direct(hearing, IB_COMMAND_PLAY, 0);
    case IB_MESSAGE_STEP:
        return direct(hearing, IB_COMMAND_STEP, message->value);
    case IB_MESSAGE_SPEED:
        return direct(hearing, IB_COMMAND_SPEED, message->value);
    case IB_MESSAGE_RESET:
        return reset(hearing);
    case IB_MESSAGE_SEEK:
        return direct(hearing, IB_COMMAND_SEEK, message->value);
    case IB_MESSAGE_DRIVE:
        return drive(hearing);
    case IB_MESSAGE_TAKE:
        return take(hearing);
    case IB_MESSAGE_RELEASE:
        return release(hearing);
    case IB_MESSAGE_PARAMETER:
        return change(hearing);
    case IB_MESSAGE_TRY:
        return request_trial(hearing);
    }
    return false;
}

bool ib_hub_hear(ib_Hub *hub, ib_Client *client, const char *bytes, size_t size, double now)
{
    Hearing hearing = {hub, client, now};
    ib_Error error = {0};
    if (ib_message_read(bytes, size, &hub->limits, &hub->message, &error) == IB_OK) {
        client->refused = 0;
        return obey(&hearing);
    }
    return refuse(&hearing, error.text) && ++client->refused < IB_HUB_REFUSALS;
}
