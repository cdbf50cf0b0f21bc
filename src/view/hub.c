#include "view/hub.h"

#include "view/outgoing.h"

#include <stdlib.h>
#include <string.h>

static const double status_period = 0.2; ///< [s]

ib_Status ib_hub_init(ib_Hub *hub, ib_ViewSource *source, ib_Error *error)
{
    memset(hub, 0, sizeof *hub);
    hub->source = source;
    hub->limits = (ib_MessageLimits){.signals = source->signal_count,
                                     .robots = source->robot_count,
                                     .parameters = source->prepare ? source->parameter_count : 0,
                                     .replay = source->replay,
                                     .design = source->request_trial != NULL,
                                     .knobs = source->knob_count,
                                     .gears = source->gear_count,
                                     .duration = source->duration};
    hub->status_time = -1;
    ib_feed_set_watched(source->feed, false);
    hub->reset_time = -IB_HUB_RESET_PERIOD;

    // The largest message is the hello, a text, a frame of all watchable signals, a history or
    // an answer.
    size_t hello = strlen(source->hello) + 32;
    size_t frame = IB_OUTGOING_FRAME + 12 * (size_t)IB_WATCH_SIGNALS;
    size_t history = IB_OUTGOING_HISTORY + 20 * (size_t)IB_HISTORY_ROWS;
    size_t size = hello > history ? hello : history;
    size = size > frame ? size : frame;
    size = size > IB_OUTGOING_TEXT ? size : IB_OUTGOING_TEXT;
    size = source->answer && size < IB_ANSWER_TEXT ? IB_ANSWER_TEXT : size;

    ib_Arena *arena = &hub->arena;
    size_t parameters = (size_t)source->parameter_count;
    hub->out = ib_arena_alloc(arena, IB_HUB_HEADROOM + size);
    hub->status = ib_arena_alloc(arena, IB_OUTGOING_TEXT);
    hub->status_new = ib_arena_alloc(arena, IB_OUTGOING_TEXT);
    hub->parameters = ib_arena_array(arena, parameters + 1, sizeof(double));
    hub->changes = ib_arena_array(arena, parameters + 1, sizeof(uint64_t));
    hub->changes_seen = ib_arena_array(arena, parameters + 1, sizeof(uint64_t));
    double *times = ib_arena_array(arena, IB_HISTORY_ROWS, sizeof *times);
    float *values = ib_arena_array(arena, 3 * IB_HISTORY_ROWS, sizeof *values);
    // The clients are not from the arena, which clears memory: with calloc unused places cost none.
    hub->clients = calloc(IB_HUB_CLIENTS, sizeof(ib_Client));
    if (!hub->out || !hub->status || !hub->status_new || !hub->parameters || !hub->changes ||
        !hub->changes_seen || !times || !values || !hub->clients ||
        !ib_memory_init(&hub->memory, source->signal_count, arena)) {
        ib_hub_reset(hub);
        return ib_error_set(error, IB_FAILED, "no memory for the viewer's server");
    }
    hub->samples =
        (ib_Samples){times, values, values + IB_HISTORY_ROWS, values + 2 * IB_HISTORY_ROWS};
    hub->out += IB_HUB_HEADROOM;
    return IB_OK;
}

void ib_hub_reset(ib_Hub *hub)
{
    free(hub->clients);
    hub->clients = NULL;
    ib_arena_reset(&hub->arena);
}

// --------------------------------------------------------------------------------- from the runner

static void take_row(ib_Hub *hub, const ib_FeedRow *row)
{
    bool jump = row->jump || row->run != hub->row_run;
    if (jump)
        for (int i = 0; i < IB_HUB_CLIENTS; i++) hub->clients[i].jump = true;
    ib_memory_add(&hub->memory, row);
    hub->row_time = row->time;
    hub->row_run = row->run;
    hub->row_count++;
}

// Changes do not come from the events, which may be dropped: the page would then show an old value
// for ever.
static void take_changes(ib_Hub *hub)
{
    ib_Feed *feed = hub->source->feed;
    uint64_t all = ib_feed_changes(feed);
    if (all == hub->feed_changes) return;
    hub->feed_changes = all;
    for (int i = 0; i < hub->source->parameter_count; i++) {
        uint64_t changes = ib_feed_parameter(feed, i, &hub->parameters[i]);
        if (changes == hub->changes_seen[i]) continue;
        hub->changes_seen[i] = changes;
        hub->changes[i] = ++hub->change_count;
    }
}

// Releases the seat of a client that has gone again: a full queue may have lost the first release.
static void free_lost_seats(ib_Hub *hub, const ib_FeedStatus *status)
{
    for (int i = 0; i < hub->source->robot_count && i < IB_FEED_ROBOTS; i++) {
        bool there = status->drivers[i] == 0;
        for (int k = 0; k < IB_HUB_CLIENTS && !there; k++)
            there = hub->clients[k].number == status->drivers[i];
        ib_FeedCommand command = {
            .type = IB_COMMAND_RELEASE, .client = status->drivers[i], .robot = i};
        bool room = ib_feed_room(hub->source->feed) > IB_HUB_CLIENTS;
        if (!there && room) ib_feed_command(hub->source->feed, &command);
    }
}

// A new status is one with another text: two texts are compared.
static void take_status(ib_Hub *hub, double now)
{
    if (hub->status_time >= 0 && now - hub->status_time < status_period) return;
    hub->status_time = now;
    ib_FeedStatus status;
    ib_feed_status(hub->source->feed, &status);
    free_lost_seats(hub, &status);
    size_t size =
        ib_outgoing_status(&status, hub->client_count, hub->source->robot_count, hub->status_new);
    if (size == hub->status_size && memcmp(hub->status, hub->status_new, size) == 0) return;
    char *old = hub->status;
    hub->status = hub->status_new;
    hub->status_new = old;
    hub->status_size = size;
    hub->status_count++;
}

void ib_hub_update(ib_Hub *hub, double now)
{
    ib_Feed *feed = hub->source->feed;
    const ib_FeedRow *row;
    for (int i = 0; i < IB_FEED_ROWS && (row = ib_feed_row(feed)); i++) {
        take_row(hub, row);
        ib_feed_release(feed);
    }
    ib_FeedEvent event;
    for (int i = 0; i < IB_FEED_EVENTS && ib_feed_next_event(feed, &event); i++)
        hub->events[hub->event_count++ % IB_HUB_EVENTS] = event;
    take_changes(hub);
    take_status(hub, now);
}

// ----------------------------------------------------------------------------------------- clients

ib_Client *ib_hub_open(ib_Hub *hub, void *socket, double now)
{
    for (int i = 0; i < IB_HUB_CLIENTS; i++) {
        ib_Client *client = &hub->clients[i];
        if (client->number) continue;
        ib_client_open(client, ++hub->served, socket, now);
        client->came = hub->event_count;
        hub->client_count++;
        ib_feed_set_watched(hub->source->feed, true);
        return client;
    }
    return NULL;
}

void ib_hub_close(ib_Hub *hub, ib_Client *client)
{
    // Room is usual: each client leaves some for releases (view/hub_hear.c).
    ib_FeedCommand command = {.type = IB_COMMAND_RELEASE, .client = client->number, .robot = -1};
    if (hub->source->forget)
        hub->source->forget(hub->source->self, client->number); // no runner takes commands there
    else
        ib_feed_command(hub->source->feed, &command);
    for (int i = 0; i < IB_FEED_ROBOTS; i++)
        if (hub->takers[i] == client->number) hub->takers[i] = 0;
    client->number = 0;
    client->socket = NULL;
    hub->client_count--;
    ib_feed_set_watched(hub->source->feed, hub->client_count > 0);
}

// ---------------------------------------------------------------------------------- to the clients

static bool is_answered(const ib_Hub *hub, const ib_Client *client)
{
    const ib_ViewSource *source = hub->source;
    return source->answered && source->answered(source->self, client->number);
}

bool ib_hub_pending(const ib_Hub *hub, ib_Client *client, double now)
{
    return !client->greeted || ib_client_text(client).size || client->event < hub->event_count ||
           client->change < hub->change_count || client->status < hub->status_count ||
           ib_client_asked(client) || is_answered(hub, client) ||
           ib_client_due(client, hub->row_count, now);
}

// Up to IB_OUTGOING_EVENTS unsent events; those no longer kept are skipped. Events before the
// client's connection are never in one message with later ones.
static size_t next_log(ib_Hub *hub, ib_Client *client)
{
    uint64_t kept = hub->event_count > IB_HUB_EVENTS ? hub->event_count - IB_HUB_EVENTS : 0;
    if (client->event < kept) client->event = kept;
    bool past = client->event < client->came;
    uint64_t left = (past ? client->came : hub->event_count) - client->event;
    int count = left < IB_OUTGOING_EVENTS ? (int)left : IB_OUTGOING_EVENTS;
    size_t size =
        ib_outgoing_log(hub->events, client->event, count, IB_HUB_EVENTS, past, (char *)hub->out);
    client->event += (uint64_t)count;
    return size;
}

// The oldest unsent change. A parameter that changed again since has its newest value.
static size_t next_change(ib_Hub *hub, ib_Client *client)
{
    int found = -1;
    for (int i = 0; i < hub->source->parameter_count; i++)
        if (hub->changes[i] > client->change &&
            (found < 0 || hub->changes[i] < hub->changes[found]))
            found = i;
    IB_ASSERT(found >= 0);
    client->change = hub->changes[found];
    return ib_outgoing_parameter(found, hub->parameters[found], (char *)hub->out);
}

static size_t next_history(ib_Hub *hub, ib_Client *client)
{
    const ib_HistoryRequest *request = ib_client_asked(client);
    ib_ViewSource *source = hub->source;
    int rows = 0;
    if (request->count > 0) {
        int signal = request->signals[request->next];
        rows = source->history ? source->history(source->self, signal, request->from, request->to,
                                                 request->rows, hub->samples)
                               : ib_memory_read(&hub->memory, signal, request->from, request->to,
                                                request->rows, hub->samples);
        IB_ASSERT(rows >= 0 && rows <= request->rows);
    }
    size_t size = ib_outgoing_history(request, hub->row_run, rows, hub->samples, hub->out);
    ib_client_answered(client);
    return size;
}

// Texts come before frames: they are rare and short. A history comes last: it is long.
ib_HubForm ib_hub_next(ib_Hub *hub, ib_Client *client, double now, size_t *size)
{
    char *text = (char *)hub->out;
    ib_Span queued = ib_client_text(client);
    if (!client->greeted) {
        *size = ib_outgoing_hello(hub->source->hello, client->number, text);
        client->greeted = true;
    } else if (queued.size) {
        memcpy(text, queued.text, *size = queued.size);
        ib_client_told(client);
    } else if (client->event < hub->event_count) {
        *size = next_log(hub, client);
    } else if (client->change < hub->change_count) {
        *size = next_change(hub, client);
    } else if (client->status < hub->status_count) {
        memcpy(text, hub->status, *size = hub->status_size);
        client->status = hub->status_count;
    } else if (is_answered(hub, client)) {
        *size = hub->source->answer(hub->source->self, client->number, text);
    } else if (ib_client_due(client, hub->row_count, now)) {
        ib_OutgoingRow row = {hub->row_time, hub->row_run, hub->row_count, &hub->memory};
        *size = ib_outgoing_frame(client, &row, hub->out);
        ib_client_shown(client, hub->row_count);
        return IB_HUB_BINARY;
    } else if (ib_client_asked(client)) {
        *size = next_history(hub, client);
        return IB_HUB_BINARY;
    } else {
        return IB_HUB_NOTHING;
    }
    return IB_HUB_TEXT;
}
