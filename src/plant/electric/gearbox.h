// plant/electric/gearbox.h: two gears between the motors of a tank and its wheels, as a part of a
// robot. The motors have the reduction of the first one. In the second one their shafts turn k
// times as fast as the wheels and pass k times their torque to them, k = G2/G1. A shift takes no
// time; its equations are ib_drivetrain_shift's, docs/plant/drivetrain.md.
#ifndef IB_PLANT_ELECTRIC_GEARBOX_H
#define IB_PLANT_ELECTRIC_GEARBOX_H

#include "plant/part.h"
#include "plant/wheel/sides.h"

typedef struct ib_Gearbox {
    bool on;               ///< false: there is one gear, and nothing below
    const ib_Sides *sides; ///< whose wheels it turns
    int input;             ///< that asks for a gear, 0 first, 1 second
    int shifter;           ///< the cylinder that shifts instead; -1: none does
    int gear;              ///< state: 0 first, 1 second
    int guard;             ///< of the shifter
    int lost;              ///< entry of the book [J]
} ib_Gearbox;

// The second gear is in, and k.
IB_FORMULA double ib__gearbox_ratio(const ib_Gearbox *box, const double *x)
{
    const double *G = box->sides->drive.reduction;
    return x[box->gear] > 0.5 ? G[1] / G[0] : 1;
}

// Between wheels and motors, in both directions.
IB_FORMULA void ib__gearbox_turn(const ib_Gearbox *box, const double *x, double shafts[])
{
    double k = ib__gearbox_ratio(box, x);
    for (int i = 0; i < 2; i++) shafts[box->sides->shaft + i] *= k;
}

const ib_PartKind *ib_gearbox_part(const ib_Gearbox *box);

// Behind the book; `gear` is the state.
void ib_gearbox_declare(ib_Gearbox *box, ib_Declarations *d);

#endif
