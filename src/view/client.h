// view/client.h: what the server knows of one client: what it watches, what it has yet to be told.
//
// Frames are never queued: a client that is slow gets the newest row when its socket takes one.
// Texts wait in a queue of fixed room. Pure but for the memory it is given.
#ifndef IB_VIEW_CLIENT_H
#define IB_VIEW_CLIENT_H

#include "view/message.h"
#include "view/request.h"

#include <stdint.h>

enum {
    IB_CLIENT_TEXT = 256 << 10, ///< bytes of texts that may wait
    IB_CLIENT_HISTORIES = 16,   ///< requests that may wait
};

typedef struct ib_HistoryRequest {
    int id, rows;
    double from, to; ///< [s]
    int count, next; ///< signals asked for; the one to be sent next
    int signals[IB_HISTORY_SIGNALS];
} ib_HistoryRequest;

typedef struct ib_Client {
    int number;   ///< 1, 2, …; 0: this place is free
    void *socket; ///< for the server
    bool greeted; ///< the hello is out
    int refused;  ///< messages of a wrong form in a row

    int watch_id, watch_count;
    int watch[IB_WATCH_SIGNALS];
    double rate;     ///< frames wanted a second; 0: nothing is watched yet
    double credit;   ///< frames that may be sent now: grows with time, at most to 2
    double credited; ///< when it last grew [s]
    uint64_t row;    ///< number of the row it has seen last; 0: none
    bool jump;       ///< time has jumped since then

    uint64_t event, change, status; ///< numbers of those it has seen last
    uint64_t came;                  ///< the number of events when it came
    ib_HistoryRequest histories[IB_CLIENT_HISTORIES];
    int history_first, history_count;

    double closing; ///< since when it is told to go; 0: it is not [s]
    double heard;   ///< last word from it, pongs included [s]
    double pinged;  ///< [s]
    double waiting; ///< since when its socket has taken nothing of what there is [s]; 0: it takes

    size_t incoming_size;
    char incoming[IB_MESSAGE_SIZE]; ///< of a message that is not all there yet
    size_t text_first, text_end;    ///< what waits in `text`: sizes, each with its bytes
    char text[IB_CLIENT_TEXT];
} ib_Client;

void ib_client_open(ib_Client *client, int number, void *socket, double now);

// The client's new list; it gets the newest row at once.
void ib_client_watch(ib_Client *client, const ib_ViewMessage *message, double now);

// Is it time for a frame with row number `row`? Between frames lies 1/rate on average; a row that
// comes a little early is not made to wait.
bool ib_client_due(ib_Client *client, uint64_t row, double now);
void ib_client_shown(ib_Client *client, uint64_t row);

// Keeps a request; false: too many wait. The oldest, or NULL; and done with its next signal.
bool ib_client_ask(ib_Client *client, const ib_ViewMessage *message);
const ib_HistoryRequest *ib_client_asked(const ib_Client *client);
void ib_client_answered(ib_Client *client);

// Queues a text; false: no room. The oldest (size 0: none); and done with it.
bool ib_client_tell(ib_Client *client, const char *text, size_t size);
ib_Span ib_client_text(const ib_Client *client);
void ib_client_told(ib_Client *client);

#endif
