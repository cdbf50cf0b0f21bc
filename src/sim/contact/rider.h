// sim/contact/rider.h: bodies that ride on a robot until it lets them go. docs/world/world.md,
// "Carried bodies"
//
// A riding body follows its carrier, without contact and weight: its rates are 0, and after each
// piece of a step (and in every look) its pose and velocity are set to those of its place on
// the carrier,
//
//   p = P + R(th) r,    v = V + w x R(th) r
//
// with the growth of its kinetic energy in its book, as given by pushes. It is released, once and
// for all, at the end of the step in which its condition has come true. It passes through bodies
// that it then overlaps until it has separated from them. Internal to sim/.
#ifndef IB_SIM_CONTACT_RIDER_H
#define IB_SIM_CONTACT_RIDER_H

#include "sim/sim_inside.h"

typedef struct ib__Rider {
    int robot, carrier; ///< numbers of robots
    double x, y;        ///< r, its place in the frame of its carrier [m]
    double heading;     ///< there [rad]
    const ib_CarriedConfig *config;
    int signal; ///< `carried`, its own
    int state;  ///< 1: it rides; then, of each element and each body, 1: it passes through it
} ib__Rider;

struct ib__Riders {
    int count;
    ib__Rider *items;
};

// Called in this order, from ib_model_create: riders and carriers, with their signal; their states.
ib_Status ib__riders_create(ib_Model *model, ib_Arena *arena, ib_Error *error);
void ib__riders_lay_out(ib_Model *model);

// Called in this order: at the start all of them ride; later the riders follow from the state,
// after each change of that.
void ib__riders_reset(ib_Sim *sim);
void ib__riders_recall(ib_Sim *sim);

#endif
