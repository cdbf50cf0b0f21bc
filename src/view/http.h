// view/http.h: accepts every connection, reads its request, answers it or lets it through.
//
// All of HTTP happens here: one request a connection, an answer, closed. A request for the socket
// that view/admission.h allows is handed on with its connection; no other gets past. Limits: a
// complete head of at most IB_REQUEST_HEAD bytes in time; a number of connections. A new one beyond
// it replaces one with its answer sent, one long stalled, or the oldest with an unfinished request;
// without any of these the new one is refused (503).
#ifndef IB_VIEW_HTTP_H
#define IB_VIEW_HTTP_H

#include "view/admission.h"

#include "base/status.h"

typedef struct ib_HttpConfig {
    const ib_Admission *admission;
    int listener;              ///< a listening socket that does not block; closed with the server
    int connections;           ///< at a time, those handed on included; 1 .. 64
    double head_time;          ///< for a whole request to arrive [s]
    double stall_time;         ///< without a byte of the answer taken [s]
    int (*inside)(void *self); ///< number of open connections that were handed on
    // Takes over a connection that may have the socket. `text`: a rewritten upgrade, and the
    // client's bytes after its own.
    void (*enter)(void *self, int fd, const char *text, size_t size);
    void *self;
} ib_HttpConfig;

typedef struct ib_HttpServer ib_HttpServer;

// On failure the listener is closed as well.
ib_Status ib_http_create(const ib_HttpConfig *config, ib_HttpServer **http, ib_Error *error);
void ib_http_destroy(ib_HttpServer *http);

// A file to poll for reading; when it is readable, ib_http_service does the work. `now` is a
// monotonic time [s].
int ib_http_fd(const ib_HttpServer *http);
void ib_http_service(ib_HttpServer *http, double now);

// Closes connections beyond their time limits; called a few times a second.
void ib_http_update(ib_HttpServer *http, double now);

#endif
