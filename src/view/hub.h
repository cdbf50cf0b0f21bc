// view/hub.h: the link between the feed and the clients: messages for each client, and the effect
// of theirs. It keeps the history so far, and knows nothing of sockets: docs/view/viewer.md
#ifndef IB_VIEW_HUB_H
#define IB_VIEW_HUB_H

#include "view/client.h"
#include "view/feed.h"
#include "view/memory.h"

enum {
    IB_HUB_CLIENTS = 64,
    IB_HUB_EVENTS = 200,  ///< kept for later clients
    IB_HUB_HEADROOM = 64, ///< bytes before `out` for the sender
    IB_HUB_REFUSALS = 20, ///< malformed messages in a row, then the client is closed
};

#define IB_HUB_RESET_PERIOD 0.5 ///< between two resets of a run, for all clients [s]

typedef struct ib_Hub {
    ib_ViewSource *source;
    ib_Arena arena;
    ib_MessageLimits limits;
    ib_Client *clients; ///< IB_HUB_CLIENTS places
    int client_count;   ///< places in use
    int served;         ///< clients so far

    ib_Memory memory;
    double row_time; ///< of the newest row [s]
    uint32_t row_run;
    uint64_t row_count; ///< rows so far: the number of the newest

    ib_FeedEvent events[IB_HUB_EVENTS]; ///< a ring: number n lies at n % IB_HUB_EVENTS
    uint64_t event_count;               ///< events so far
    double *parameters;                 ///< newest values, SI
    uint64_t *changes;                  ///< number of the last change; 0: unchanged
    uint64_t *changes_seen;             ///< per parameter: the feed's count of changes
    uint64_t feed_changes;              ///< the feed's count of all changes
    uint64_t change_count;

    int takers[IB_FEED_ROBOTS]; ///< client whose TAKE was passed on last; 0: none, or it has gone

    double reset_time; ///< time of the last reset passed on [s]

    char *status, *status_new; ///< last sent text; text now
    size_t status_size;
    uint64_t status_count; ///< different ones so far
    double status_time;    ///< time of the last check [s]

    ib_ViewMessage message; ///< the one being read
    ib_Samples samples;     ///< of a history being sent
    unsigned char *out;     ///< result of ib_hub_next
} ib_Hub;

ib_Status ib_hub_init(ib_Hub *hub, ib_ViewSource *source, ib_Error *error);
void ib_hub_reset(ib_Hub *hub); ///< frees the memory

// Takes over the runner's rows and events. Called about a hundred times a second.
void ib_hub_update(ib_Hub *hub, double now);

// Adds a client, or returns NULL without a place; removes one, and releases all its controls.
ib_Client *ib_hub_open(ib_Hub *hub, void *socket, double now);
void ib_hub_close(ib_Hub *hub, ib_Client *client);

typedef enum ib_HubForm { IB_HUB_NOTHING, IB_HUB_TEXT, IB_HUB_BINARY } ib_HubForm;

// True if there is a message for the client; the next message, as hub->out and its size.
bool ib_hub_pending(const ib_Hub *hub, ib_Client *client, double now);
ib_HubForm ib_hub_next(ib_Hub *hub, ib_Client *client, double now, size_t *size);

// Handles a complete text message from the client. False: the client is to be closed.
bool ib_hub_hear(ib_Hub *hub, ib_Client *client, const char *bytes, size_t size, double now);

#endif
