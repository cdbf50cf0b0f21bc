// view/seats.h: who drives which robot, and what its controls do when the driver falls silent.
// Its page is docs/viewer.md.
//
// Each robot has one seat. Whoever speaks first sits down; others have to wait until the seat is
// free, or take it. A driver who says nothing for IB_SEAT_SILENCE of wall time lets go of the
// controls: inputs that are not held (a stick, a pedal) go to neutral, switches stay. The seat is
// kept: the driver may go on at any time.
#ifndef IB_VIEW_SEATS_H
#define IB_VIEW_SEATS_H

#include "sim/live_input.h"
#include "view/feed.h"

#define IB_SEAT_SILENCE (IB_SECOND / 10) ///< wall time [ns]

typedef struct ib_Seat {
    int client;    ///< who sits there; 0: nobody
    int64_t heard; ///< wall clock of the last word [ns]
} ib_Seat;

typedef struct ib_Seats {
    const ib_Model *model;
    ib_LiveInput *input;
    int count; ///< robots that can be driven: IB_FEED_ROBOTS at most
    ib_Seat seats[IB_FEED_ROBOTS];
} ib_Seats;

void ib_seats_init(ib_Seats *seats, const ib_Model *model, ib_LiveInput *input);

// May somebody in the seat of `robot` set its input `index`?
bool ib_seats_may_drive(const ib_Model *model, int robot, int index);

// And any of its inputs at all?
bool ib_seats_drivable(const ib_Model *model, int robot);

// IB_COMMAND_DRIVE, _ALIVE, _TAKE or _RELEASE, heard at `wall`. What is not allowed does nothing.
void ib_seats_hear(ib_Seats *seats, const ib_FeedCommand *command, int64_t wall);

// Lets go for the next driver who has been silent for too long while holding the controls, and
// returns the robot; -1: there is none (left).
int ib_seats_silence(ib_Seats *seats, int64_t wall);

// A new run: nobody holds anything, switches included; the seats are kept.
void ib_seats_reset(ib_Seats *seats);

#endif
