// view/client.h: the server's state of one client: its watch list and its unsent messages.
//
// Frames are never queued: a slow client gets the newest row when its socket takes one. Texts wait
// in a queue of fixed room. The functions are pure, except for the client's memory.
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
    int count, next; ///< requested signals; index of the next one to send
    int signals[IB_HISTORY_SIGNALS];
} ib_HistoryRequest;

typedef struct ib_Client {
    int number;   ///< 1, 2, …; 0: free place
    void *socket; ///< for the server
    bool greeted; ///< the hello is out
    int refused;  ///< messages of a wrong form in a row

    int watch_id, watch_count;
    int watch[IB_WATCH_SIGNALS];
    double rate;     ///< wanted frames a second; 0: nothing is watched yet
    double credit;   ///< frames allowed now: grows with time, at most to 2
    double credited; ///< time of its last growth [s]
    uint64_t row;    ///< number of the row last sent; 0: none
    bool jump;       ///< time has jumped since then

    uint64_t event, change, status; ///< numbers of those last sent
    uint64_t came;                  ///< the number of events at its connection
    ib_HistoryRequest histories[IB_CLIENT_HISTORIES];
    int history_first, history_count;

    double closing; ///< time of the close message; 0: none [s]
    double heard;   ///< time of its last message, pongs included [s]
    double pinged;  ///< [s]
    double waiting; ///< time since which its socket takes nothing [s]; 0: it does

    size_t incoming_size;
    char incoming[IB_MESSAGE_SIZE]; ///< of an incomplete message
    size_t text_first, text_end;    ///< bounds of the queue in `text`: sizes, each with its bytes
    char text[IB_CLIENT_TEXT];
} ib_Client;

void ib_client_open(ib_Client *client, int number, void *socket, double now);

// Sets the client's watch list; it gets the newest row at once.
void ib_client_watch(ib_Client *client, const ib_ViewMessage *message, double now);

// True if a frame with row number `row` is due. The mean distance of frames is 1/rate; a row that
// is slightly early need not wait.
bool ib_client_due(ib_Client *client, uint64_t row, double now);
void ib_client_shown(ib_Client *client, uint64_t row);

// Keeps a request (false: too many wait); returns the oldest, or NULL; ends its next signal.
bool ib_client_ask(ib_Client *client, const ib_ViewMessage *message);
const ib_HistoryRequest *ib_client_asked(const ib_Client *client);
void ib_client_answered(ib_Client *client);

// Queues a text (false: no room); returns the oldest (size 0: none); removes it.
bool ib_client_tell(ib_Client *client, const char *text, size_t size);
ib_Span ib_client_text(const ib_Client *client);
void ib_client_told(ib_Client *client);

#endif
