// view/outgoing.h: the server's messages as bytes. docs/view/viewer.md has the messages. Its
// functions are pure.
#ifndef IB_VIEW_OUTGOING_H
#define IB_VIEW_OUTGOING_H

#include "view/client.h"
#include "view/feed.h"
#include "view/memory.h"

enum {
    IB_OUTGOING_EVENTS = 50,     ///< of one log message, at most
    IB_OUTGOING_TEXT = 96 << 10, ///< largest size of any text below except the hello
    IB_OUTGOING_FRAME = 16,      ///< bytes before the values of a frame
    IB_OUTGOING_HISTORY = 16,    ///< bytes before the times of a history
};

// Texts: the length of what was written to `text`, which has room for IB_OUTGOING_TEXT.
size_t ib_outgoing_refused(const char *reason, char *text);
size_t ib_outgoing_parameter(int index, double value, char *text);
size_t ib_outgoing_status(const ib_FeedStatus *status, int clients, int robots, char *text);
// `count` events, the first at number `first` of a ring of `capacity`. `past`: the events precede
// the client's connection.
size_t ib_outgoing_log(const ib_FeedEvent *ring, uint64_t first, int count, int capacity, bool past,
                       char *text);

// `hello` with the client's number inserted; `text` has room for it and 32 bytes.
size_t ib_outgoing_hello(const char *hello, int number, char *text);

// The newest row: the client gets its watched signals, with the bounds since the row last sent to
// it; IB_OUTGOING_FRAME + 12 bytes a signal.
typedef struct ib_OutgoingRow {
    double time;             ///< [s]
    uint32_t run;            ///< as in ib_FeedRow
    uint64_t number;         ///< of the row: 1, 2, …
    const ib_Memory *memory; ///< holds this row and earlier ones
} ib_OutgoingRow;

size_t ib_outgoing_frame(const ib_Client *client, const ib_OutgoingRow *row, unsigned char *bytes);

// The next signal of a request; IB_OUTGOING_HISTORY + 20 bytes a row.
size_t ib_outgoing_history(const ib_HistoryRequest *request, uint32_t run, int rows,
                           ib_Samples samples, unsigned char *bytes);

#endif
