// view/hub.h: between the feed and the clients: who is to be told what, and what a message does.
// It remembers what has happened so far, and knows nothing of sockets: docs/viewer.md
#ifndef IB_VIEW_HUB_H
#define IB_VIEW_HUB_H

#include "view/client.h"
#include "view/feed.h"
#include "view/memory.h"

enum {
    IB_HUB_CLIENTS = 64,
    IB_HUB_EVENTS = 200,  ///< kept for those who come later
    IB_HUB_HEADROOM = 64, ///< bytes before `out` that whoever sends it may use
    IB_HUB_REFUSALS = 20, ///< messages of a wrong form in a row, then the client is closed
};

#define IB_HUB_RESET_PERIOD 0.5 ///< between two resets of a run, whoever asks for them [s]

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
    double *parameters;                 ///< as they were last changed, SI
    uint64_t *changes;                  ///< the number of that change; 0: unchanged
    uint64_t *changes_seen;             ///< per parameter: how often, as the feed counts it
    uint64_t feed_changes;              ///< and all of them
    uint64_t change_count;

    int takers[IB_FEED_ROBOTS]; ///< client whose TAKE was passed on last; 0: nobody, or it has gone

    double reset_time; ///< when a reset was passed on last [s]

    char *status, *status_new; ///< as it was told last; and as it would be now
    size_t status_size;
    uint64_t status_count; ///< different ones so far
    double status_time;    ///< when it was last looked at [s]

    ib_ViewMessage message; ///< the one being read
    ib_Samples samples;     ///< of a history being sent
    unsigned char *out;     ///< what ib_hub_next has made
} ib_Hub;

ib_Status ib_hub_init(ib_Hub *hub, ib_ViewSource *source, ib_Error *error);
void ib_hub_reset(ib_Hub *hub); ///< gives the memory back

// Takes what the runner has published. About a hundred times a second.
void ib_hub_update(ib_Hub *hub, double now);

// A new client, or NULL when there is no place; and one that has gone: it lets go of all controls.
ib_Client *ib_hub_open(ib_Hub *hub, void *socket, double now);
void ib_hub_close(ib_Hub *hub, ib_Client *client);

typedef enum ib_HubForm { IB_HUB_NOTHING, IB_HUB_TEXT, IB_HUB_BINARY } ib_HubForm;

// Is there something to tell the client? And the next message, as hub->out and its size.
bool ib_hub_pending(const ib_Hub *hub, ib_Client *client, double now);
ib_HubForm ib_hub_next(ib_Hub *hub, ib_Client *client, double now, size_t *size);

// A whole text message from the client. False: the client is to be closed.
bool ib_hub_hear(ib_Hub *hub, ib_Client *client, const char *bytes, size_t size, double now);

#endif
