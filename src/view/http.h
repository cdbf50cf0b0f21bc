// view/http.h: takes every connection, reads its request, answers it or lets it through.
//
// All of HTTP happens here: one request a connection, an answer, closed. A request for the socket
// that view/admission.h allows is handed on with its connection; nobody else gets past. Limits: a
// head of IB_REQUEST_HEAD bytes that is whole in time; a number of connections. When a new one
// comes beyond it, room is made by one that has had its answer, by one that has long taken nothing
// of it, or by the oldest that has not finished its request;
// where there is none of these the new one is told so (503).
#ifndef IB_VIEW_HTTP_H
#define IB_VIEW_HTTP_H

#include "view/admission.h"

#include "base/status.h"

typedef struct ib_HttpConfig {
    const ib_Admission *admission;
    int listener;              ///< a listening socket that does not block; it is closed
                               ///< with the server
    int connections;           ///< at a time, those handed on included; 1 .. 64
    double head_time;          ///< for a whole request to arrive [s]
    double stall_time;         ///< without a byte of the answer taken [s]
    int (*inside)(void *self); ///< how many connections were handed on and are open
    // Takes over a connection that may have the socket. `text`: an upgrade in our own words, and
    // whatever the client has sent after its own.
    void (*enter)(void *self, int fd, const char *text, size_t size);
    void *self;
} ib_HttpConfig;

typedef struct ib_HttpServer ib_HttpServer;

// On failure the listener is closed as well.
ib_Status ib_http_create(const ib_HttpConfig *config, ib_HttpServer **http, ib_Error *error);
void ib_http_destroy(ib_HttpServer *http);

// To be polled for reading; when it is readable, ib_http_service does what there is to do. `now` is
// a time that only grows [s].
int ib_http_fd(const ib_HttpServer *http);
void ib_http_service(ib_HttpServer *http, double now);

// Closes what took too long; a few times a second.
void ib_http_update(ib_HttpServer *http, double now);

#endif
