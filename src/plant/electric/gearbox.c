#include "plant/electric/gearbox.h"

#include "plant/feed.h"

static const ib_Mode gear_mode = {
    .kind = IB_MODE_STATE,
    .meanings = {{"first gear", IB_MODE_INFO}, {"second gear", IB_MODE_INFO}}};
static const ib_SignalDef gear_row = {"drive.gear", "1", "0: first gear, 1: second gear", 0,
                                      IB_MEANS(.mode = &gear_mode, .form = IB_STATE)};

void ib_gearbox_declare(ib_Gearbox *box, ib_Declarations *d)
{
    ib_declare(d, "", NULL, &gear_row, 1, &box->gear);
    ib_declare_entry(d, "energy.gear", &box->lost);
    if (box->shifter >= 0) ib_declare_guards(d, 1, &box->guard);
}

// A gear holds until the shifter has passed the middle by a sixth of its stroke.
static double shift_margin(const ib_Gearbox *box, const ib_Feed *feed, const double *x)
{
    const double *cylinder =
        x + feed->air_state + IB_AIR_CYLINDERS + box->shifter * IB_AIR_CYLINDER_STATES;
    double at = cylinder[IB_AIR_CYLINDER_POSITION] / feed->air.cylinders[box->shifter].air.stroke;
    return x[box->gear] > 0.5 ? at - 1.0 / 3 : 2.0 / 3 - at;
}

static void offer(const void *part, void *notes, ib_Wires *w)
{
    (void)notes;
    ib__gearbox_turn(part, w->x, w->speed);
}

static void push(const void *part, void *notes, ib_Wires *w)
{
    (void)notes;
    ib__gearbox_turn(part, w->x, w->torque);
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    (void)notes;
    (void)w;
    dx[((const ib_Gearbox *)part)->gear] = 0;
}

static void guards(const void *part, const void *notes, const ib_Wires *w, double *margins)
{
    const ib_Gearbox *box = part;
    (void)notes;
    margins[box->guard] = shift_margin(box, w->feed, w->x);
}

static bool settle(const void *part, const void *notes, const ib_Wires *w, double *x)
{
    const ib_Gearbox *box = part;
    const ib_Sides *s = box->sides;
    int gear = x[box->gear] > 0.5, wanted = w->input[box->input] > 0.5;
    (void)notes;
    if (box->shifter >= 0) wanted = shift_margin(box, w->feed, x) > 0 ? gear : !gear;
    if (wanted == gear) return false;
    for (int i = 0; s->slips && i < 2; i++) {
        ib_Shift shift = ib_drivetrain_shift(&s->drive, gear, wanted, x[s->speed + i]);
        x[s->speed + i] = shift.speed;
        x[box->lost] += shift.lost;
    }
    x[box->gear] = wanted;
    return true;
}

#define GEARBOX .name = "gearbox", .offer = offer, .push = push, .rate = rate, .settle = settle

const ib_PartKind *ib_gearbox_part(const ib_Gearbox *box)
{
    static const ib_PartKind by_hand = {GEARBOX}, by_air = {GEARBOX, .guards = guards};
    return box->shifter >= 0 ? &by_air : &by_hand;
}
