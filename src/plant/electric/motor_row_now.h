// plant/electric/motor_row_now.h: a row of gearmotors at one instant, for parts and for rates that
// are compiled as one function (docs/performance.md). The equations are
// in plant/electric/motor_row.h.
#ifndef IB_PLANT_ELECTRIC_MOTOR_ROW_NOW_H
#define IB_PLANT_ELECTRIC_MOTOR_ROW_NOW_H

#include "plant/electric/drivetrain.h"
#include "plant/electric/motor_row.h"
#include "plant/feed.h"

// Limits of a bridge, or reasons to open it.
static inline void ib__motor_row_limit(const ib_MotorRow *row, int i, const ib_Wires *w,
                                       ib_Bridge *bridge)
{
    const ib_MotorShaft *shaft = &row->shafts[i];
    int at = row->bridge + i;
    bool open = row->coasts && (!w->on || w->duty[at] == 0);
    bridge->stator = shaft->stator;
    bridge->supply = shaft->supply;
    bridge->current = row->current < 0 ? 0 : w->x[row->current + i];
    bridge->given = row->current >= 0;
    bridge->open = open || !ib_power_reaches(&w->feed->power, w->x, at);
    if (!ib_thermal_on(&row->thermal)) return;
    bridge->R = ib_thermal_resistance(&row->thermal, w->x, i, &shaft->motor);
    bridge->per_R = 1 / bridge->R;
}

// Emf and resistance of each bridge, and its shaft's command.
IB_FORMULA void ib__motor_row_offer(const ib_MotorRow *row, ib_Wires *w)
{
    for (int i = 0; i < row->count; i++) {
        const ib_MotorShaft *shaft = &row->shafts[i];
        int at = row->bridge + i;
        ib_Bridge *bridge = &w->bridge[at];
        bridge->duty = w->on ? w->duty[at] : 0;
        w->turns[at] = shaft->reduction * w->speed[at];
        bridge->emf = shaft->motor.Ke * w->turns[at];
        bridge->count = shaft->motors;
        bridge->R = shaft->motor.R;
        bridge->per_R = shaft->motor.per_R;
        if (!w->free) ib__motor_row_limit(row, i, w, bridge);
    }
}

IB_FORMULA void ib__motor_row_push(const ib_MotorRow *row, ib_MotorRowNotes *notes, ib_Wires *w)
{
    double lost = 0, gear = 0;
    for (int i = 0; i < row->count; i++) {
        const ib_MotorShaft *shaft = &row->shafts[i];
        int at = row->bridge + i;
        double speed = w->turns[at], N = shaft->motors;
        double loss = ib_motor_loss(&shaft->motor, speed);
        double whole = shaft->motor.Kt * w->power.bus.bridge[at].current - loss;
        double T = whole * w->input[row->gain + i], passed = N * shaft->reduction * T;
        if (!row->lossless) {
            double P = T * speed, change = ib_gear_change(shaft->lost, shaft->gained, P, speed);
            gear -= N * P * change;
            passed *= 1 + change;
        }
        notes->torque[i] = T;
        lost += N * (loss * speed + (whole - T) * speed);
        w->torque[at] = passed;
    }
    notes->loss = lost;
    notes->gear = gear;
}

// Rates of currents.
static inline void ib__motor_row_rate_currents(const ib_MotorRow *row, const ib_Wires *w,
                                               double *dx)
{
    for (int i = 0; row->current >= 0 && i < row->count; i++) {
        const ib_MotorShaft *shaft = &row->shafts[i];
        const ib_BridgeResult *r = &w->power.bus.bridge[row->bridge + i];
        double speed = w->turns[row->bridge + i];
        // A bridge that is open, or that nothing feeds, has no current that could change.
        bool idle = w->power.E <= 0 ||
                    (r->drawn == 0 && r->current == 0 && r->volts == shaft->motor.Ke * speed);
        ib_MotorModel motor = ib_thermal_motor_of(&row->thermal, w->x, i, &shaft->motor);
        dx[row->current + i] = idle ? 0
                                    : ib_motor_current_rate(&motor, row->inductance, r->volts,
                                                            w->x[row->current + i], speed);
    }
}

// Windings that warm up: their own rates, and copper with their resistance.
static inline double ib__motor_row_heat_up(const ib_MotorRow *row, const ib_Wires *w, double *dx)
{
    double heat[IB_SHAFTS_MAX], sum = 0;
    for (int i = 0; i < row->count; i++) {
        double I = w->power.bus.bridge[row->bridge + i].current;
        heat[i] = ib_thermal_resistance(&row->thermal, w->x, i, &row->shafts[i].motor) * I * I;
        sum += row->shafts[i].motors * heat[i];
    }
    ib_thermal_rate(&row->thermal, w->x, heat, dx);
    return sum;
}

IB_FORMULA void ib__motor_row_rate(const ib_MotorRow *row, const ib_MotorRowNotes *notes,
                                   const ib_Wires *w, double *dx)
{
    double copper = 0, conversion = 0;
    for (int i = 0; i < row->count; i++) {
        const ib_MotorShaft *shaft = &row->shafts[i];
        double I = w->power.bus.bridge[row->bridge + i].current;
        double speed = w->turns[row->bridge + i];
        copper += shaft->motors * shaft->motor.R * (I * I);
        conversion += shaft->motors * ib_motor_conversion(&shaft->motor, I, speed);
    }
    if (row->current >= 0) ib__motor_row_rate_currents(row, w, dx);
    dx[row->copper] += ib_thermal_on(&row->thermal) ? ib__motor_row_heat_up(row, w, dx) : copper;
    dx[row->conversion] += conversion;
    dx[row->loss] += notes->loss;
    if (!row->lossless) dx[row->gear] += notes->gear;
}

#endif
