// view/seats.h: the driver of each robot, and neutral controls for silent drivers. Its page
// is docs/view/viewer.md.
//
// Each robot has one seat. The first client to drive gets it; others wait until the seat is free,
// or take it. After IB_SEAT_SILENCE of wall time without a message the driver's controls are
// released: inputs that are not held (a stick, a pedal) go to neutral, switches stay. The driver
// keeps the seat and may continue at any time.
#ifndef IB_VIEW_SEATS_H
#define IB_VIEW_SEATS_H

#include "sim/input/live_input.h"
#include "view/feed.h"

#define IB_SEAT_SILENCE (IB_SECOND / 10) ///< wall time [ns]

typedef struct ib_Seat {
    int client;    ///< driver; 0: none
    int64_t heard; ///< wall clock of the last message [ns]
} ib_Seat;

typedef struct ib_Seats {
    const ib_Model *model;
    ib_LiveInput *input;
    int count; ///< robots that can be driven: IB_FEED_ROBOTS at most
    ib_Seat seats[IB_FEED_ROBOTS];
} ib_Seats;

void ib_seats_init(ib_Seats *seats, const ib_Model *model, ib_LiveInput *input);

// True if the driver of `robot` may set its input `index`.
bool ib_seats_may_drive(const ib_Model *model, int robot, int index);

// True if the driver of `robot` may set any of its inputs.
bool ib_seats_drivable(const ib_Model *model, int robot);

// IB_COMMAND_DRIVE, _ALIVE, _TAKE or _RELEASE, received at `wall`. Commands that are not allowed
// have no effect.
void ib_seats_hear(ib_Seats *seats, const ib_FeedCommand *command, int64_t wall);

// Releases the controls of the next driver who has been silent for too long, and returns the robot;
// -1: none (left).
int ib_seats_silence(ib_Seats *seats, int64_t wall);

// Releases all controls for a new run, switches included; the seats are kept.
void ib_seats_reset(ib_Seats *seats);

#endif
