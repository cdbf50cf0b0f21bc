// view/door.h: takes every connection, reads its request, answers it or lets it through.
//
// All of HTTP happens here: one request a connection, an answer, closed. A request for the socket
// that the guard allows is handed on with its connection; nobody else gets past. Limits: a head of
// IB_REQUEST_HEAD bytes that is whole in time; a number of connections. When a new one comes beyond
// it, room is made by one that has had its answer, by one that has long taken nothing of it, or by
// the oldest that has not finished its request;
// where there is none of these the new one is told so (503).
#ifndef IB_VIEW_DOOR_H
#define IB_VIEW_DOOR_H

#include "view/guard.h"

#include "base/status.h"

typedef struct ib_DoorConfig {
    const ib_Guard *guard;
    int listener;              ///< a listening socket that does not block; the door closes it
    int connections;           ///< at a time, those behind the door included; 1 .. 64
    double head_time;          ///< for a whole request to arrive [s]
    double stall_time;         ///< without a byte of the answer taken [s]
    int (*inside)(void *self); ///< how many connections are behind the door
    // Takes over a connection that may have the socket. `text`: an upgrade in our own words, and
    // whatever the client has sent after its own.
    void (*enter)(void *self, int fd, const char *text, size_t size);
    void *self;
} ib_DoorConfig;

typedef struct ib_Door ib_Door;

// On failure the listener is closed as well.
ib_Status ib_door_create(const ib_DoorConfig *config, ib_Door **door, ib_Error *error);
void ib_door_destroy(ib_Door *door);

// To be polled for reading; when it is readable, ib_door_service does what there is to do. `now` is
// a time that only grows [s].
int ib_door_fd(const ib_Door *door);
void ib_door_service(ib_Door *door, double now);

// Closes what took too long; a few times a second.
void ib_door_tick(ib_Door *door, double now);

#endif
