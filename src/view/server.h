// view/server.h: serves the viewer's page and its socket until it is told to
// stop. docs/view/viewer.md
//
// One thread, one loop: libwebsockets speaks the socket; in front of it stands
// view/http.h, which takes every connection, answers HTTP and lets through only what
// view/admission.h has allowed.
#ifndef IB_VIEW_SERVER_H
#define IB_VIEW_SERVER_H

#include "view/feed.h"

#include <signal.h>

typedef struct ib_ServerConfig {
    const char *host; ///< address to bind to, or a name; default "127.0.0.1"
    int port;         ///< 0: any free one
    // Bound beyond loopback: every request then needs the token in the URL. It is an error with a
    // loopback host, as is its absence with any other host.
    bool open;
    const volatile sig_atomic_t *stop;          ///< not 0: stop; checked 20 times a second or more
    void (*ready)(void *self, const char *url); ///< called once it listens; may be NULL
    void *self;
    int *served; ///< total number of sockets so far; may be NULL

    // Limits; 0: the value of ib_server_default.
    int connections;    ///< at a time, page and sockets together; 1 .. 64
    double head_time;   ///< for a whole request to arrive [s]
    double stall_time;  ///< without a byte taken by the other side, while bytes wait [s]
    double silent_time; ///< without a message from a socket, not even a pong [s]
    double ping_time;   ///< between two pings [s]
} ib_ServerConfig;

enum { IB_SERVER_PORT = 8971, IB_SERVER_CONNECTIONS = 64 };

// Loopback, port 8971, 64 connections, 5 s for a request, 5 s stalled, 30 s silent, 10 s to a ping.
ib_ServerConfig ib_server_default(void);

// Serves `source` until *stop. Fails, without having served, when the address cannot be bound
// ("port 8971 on 127.0.0.1 is in use: …", IB_BAD_INPUT) or when memory is short.
ib_Status ib_server_run(const ib_ServerConfig *config, ib_ViewSource *source, ib_Error *error);

#endif
