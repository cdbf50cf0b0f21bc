#include "plant/electric/motor_row_now.h"

#include <math.h>

void ib_motor_row_declare(ib_MotorRow *row, const char *book, ib_Declarations *d)
{
    ib_declare_bridges(d, row->count, &row->bridge);
    row->current = row->magnetic = -1;
    row->thermal.state = -1;
    if (row->inductance > 0) ib_declare_states(d, row->count, IB_STATE, &row->current);
    const struct {
        const char *name;
        int *at;
    } entries[] = {{"copper", &row->copper},
                   {"conversion", &row->conversion},
                   {"loss", &row->loss},
                   {"gear", &row->gear}};
    for (int i = 0; row->count > 0 && i < 3 + !row->lossless; i++)
        ib_declare_entry(d, ib_declare_name(d, book, entries[i].name), entries[i].at);
}

const ib_SignalDef ib_motor_row_signals[IB_MOTOR_SIGNALS] = {
    [IB_MOTOR_VOLTAGE] = {"voltage", "V", "voltage at the terminals of this motor", 0,
                          IB_MEANS(.role = IB_ROLE_MOTOR_VOLTAGE)},
    [IB_MOTOR_CURRENT] = {"current", "A", "current in the winding of this motor", 1e4,
                          IB_MEANS(.headline = 3)},
    [IB_MOTOR_SUPPLY] = {"supply", "A",
                         "current drawn from the bus by the motors of this shaft; negative: "
                         "fed back",
                         0, IB_MEANS(.role = IB_ROLE_LOAD)},
    [IB_MOTOR_TORQUE] = {"torque", "N*m", "torque of this motor at its shaft", 0},
    [IB_MOTOR_SPEED] = {"speed", "rad/s", "speed of this motor at its shaft", 1e6,
                        IB_MEANS(.role = IB_ROLE_MOTOR_MOTION, .shown = "rpm")},
};

void ib_motor_row_declare_shaft(ib_MotorRow *row, int shaft, const char *prefix, const char *part,
                                ib_Declarations *d)
{
    row->signal[shaft] = d->signals.count;
    ib_declare(d, prefix, part, ib_motor_row_signals, IB_MOTOR_SIGNALS, NULL);
}

void ib_motor_row_declare_warmth(const ib_ThermalConfig *config, ib_MotorRow *row,
                                 const char *const *prefixes, const char *const *parts,
                                 ib_Declarations *d)
{
    ib_thermal_declare(config, row->count, row->shafts[0].motors, &row->thermal, d);
    if (!ib_thermal_on(&row->thermal)) return;
    for (int i = 0; i < row->count; i++)
        row->warmth[i] = ib_thermal_declare_drive(&row->thermal, i, prefixes[i], parts[i], d);
    ib_thermal_declare_heat(&row->thermal, "", NULL, d);
}

bool ib_motor_row_settle(const ib_MotorRow *row, const ib_Wires *w, double *x)
{
    bool changed = false;
    for (int i = 0; row->current >= 0 && i < row->count; i++) {
        double *current = &x[row->current + i];
        double held = 0.5 * row->inductance * *current * *current;
        if ((w->power.E > 0 && !w->bridge[row->bridge + i].open) || *current == 0) continue;
        x[row->copper] += row->shafts[i].motors * held;
        if (ib_thermal_on(&row->thermal)) ib_thermal_absorb(&row->thermal, i, held, x);
        *current = 0;
        changed = true;
    }
    return changed;
}

double ib_motor_row_magnetic(const ib_MotorRow *row, const double *x)
{
    double sum = 0;
    for (int i = 0; row->current >= 0 && i < row->count; i++)
        sum += row->shafts[i].motors * x[row->current + i] * x[row->current + i];
    return 0.5 * row->inductance * sum;
}

void ib_motor_row_output_warmth(const ib_MotorRow *row, const double *x, double *y)
{
    if (!ib_thermal_on(&row->thermal)) return;
    for (int i = 0; i < row->count; i++) ib_thermal_output(&row->thermal, x, i, y + row->warmth[i]);
    ib_heat_output(&row->thermal, x, x[row->copper], y + row->thermal.heat);
}

// ------------------------------------------------------------------------------------------ a part

static void offer(const void *part, void *notes, ib_Wires *w)
{
    (void)notes;
    ib__motor_row_offer(part, w);
}

static void push(const void *part, void *notes, ib_Wires *w)
{
    ib__motor_row_push(part, notes, w);
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    ib__motor_row_rate(part, notes, w, dx);
}

static bool settle(const void *part, const void *notes, const ib_Wires *w, double *x)
{
    (void)notes;
    return ib_motor_row_settle(part, w, x);
}

static void output(const void *part, const void *notes_, const ib_Wires *w, double *y)
{
    const ib_MotorRow *row = part;
    const ib_MotorRowNotes *notes = notes_;
    for (int i = 0; i < row->count; i++) {
        const ib_MotorShaft *shaft = &row->shafts[i];
        const ib_BridgeResult *bridge = &w->power.bus.bridge[row->bridge + i];
        double *own = y + row->signal[i];
        own[IB_MOTOR_VOLTAGE] = bridge->volts;
        own[IB_MOTOR_CURRENT] = bridge->current;
        own[IB_MOTOR_SUPPLY] = shaft->motors * bridge->drawn;
        own[IB_MOTOR_TORQUE] = notes->torque[i];
        own[IB_MOTOR_SPEED] = w->turns[row->bridge + i];
    }
    if (row->magnetic >= 0) y[row->magnetic] += ib_motor_row_magnetic(row, w->x);
    ib_motor_row_output_warmth(row, w->x, y);
}

static void reset(const void *part, const void *config, const ib_Wires *w, double *x)
{
    (void)config;
    (void)w;
    ib_thermal_reset(&((const ib_MotorRow *)part)->thermal, x);
}

#define PART                                                                                       \
    .name = "gearmotors", .notes = sizeof(ib_MotorRowNotes), .reset = reset, .offer = offer,       \
    .push = push, .rate = rate, .output = output

const ib_PartKind *ib_motor_row_part(const ib_MotorRow *row)
{
    static const ib_PartKind plain = {PART}, inductive = {PART, .settle = settle};
    return row->inductance > 0 ? &inductive : &plain;
}

bool ib_motor_row_free(const ib_MotorRow *row)
{
    bool free = !row->coasts && row->inductance == 0 && !ib_thermal_on(&row->thermal);
    for (int i = 0; i < row->count; i++)
        free = free && row->shafts[i].stator == INFINITY && row->shafts[i].supply == INFINITY;
    return free;
}
