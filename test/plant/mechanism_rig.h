// test/plant/mechanism_rig.h: a mechanism without a file, and what each kind owes: slopes,
// and a book of energy that fits its rate.
#ifndef IB_TEST_MECHANISM_RIG_H
#define IB_TEST_MECHANISM_RIG_H

#include "plant/electric/gearmotor.h"
#include "setting.h"

#include <string.h>

// The CIM of data/motors.yaml, by hand: a plant reads no file.
static const Setting rig_cim[] = {
    {"motor.stall_torque", "2.42 N*m"},        {"motor.stall_current", "133 A"},
    {"motor.free_speed", "5310 rpm"},          {"motor.free_current", "2.7 A"},
    {"motor.rotor_inertia", "7.75e-5 kg*m^2"}, {NULL, NULL},
};

// ------------------------------------------------------------------------------------------ making

// The defaults of a kind, with the CIM as its motor and then these settings (NULL: none).
static inline ib_MechanismMemory rig_config(const char *name, const Setting *settings)
{
    const ib_MechanismKind *kind = ib_mechanism_kind_find(name);
    ib_MechanismMemory config = {{0}};
    ib_Error error;
    if (!kind) fail_msg("there is no mechanism %s", name);
    if (ib_schema_default(&kind->params, &config, &error) != IB_OK) fail_msg("%s", error.text);
    put_settings(&kind->params, rig_cim, &config);
    put_settings(&kind->params, settings, &config);
    return config;
}

static inline ib_Mechanism rig_mechanism(const char *name, const Setting *settings)
{
    ib_MechanismMemory config = rig_config(name, settings);
    ib_Mechanism mechanism;
    ib_Error error;
    if (ib_mechanism_init(ib_mechanism_kind_find(name), &config, &mechanism, &error) != IB_OK)
        fail_msg("%s: %s", name, error.text);
    return mechanism;
}

// The settings are refused, with these words in the message.
static inline void rig_refuses(const char *name, const Setting *settings, const char *words)
{
    ib_MechanismMemory config = rig_config(name, settings);
    ib_Mechanism m;
    ib_Error error = {0};
    assert_int_equal(ib_mechanism_init(ib_mechanism_kind_find(name), &config, &m, &error),
                     IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

static inline double rig_fact(const ib_Mechanism *mechanism, const char *name)
{
    double value = ib_mechanism_fact(mechanism, name);
    if (isnan(value)) fail_msg("no fact %s", name);
    return value;
}

// ------------------------------------------------------------------------------------------ slopes

// d f/d (its argument `at`), by central differences with Richardson's step: error h^4.
static inline void rig_slope(const ib_Mechanism *m, bool of_output, double *x, double *u,
                             double *at, double h, double *slope)
{
    double f[4][IB_STATES_MAX] = {{0}}, here = *at;
    const double offset[4] = {h, -h, h / 2, -h / 2};
    for (int i = 0; i < 4; i++) {
        *at = here + offset[i];
        if (of_output)
            ib_mechanism_output(m, x, f[i]);
        else
            ib_mechanism_rate(m, x, u, f[i]);
    }
    *at = here;
    for (int i = 0; i < (of_output ? m->ports.outputs : m->ports.states); i++) {
        double wide = (f[0][i] - f[1][i]) / (2 * h), close = (f[2][i] - f[3][i]) / h;
        slope[i] = (4 * close - wide) / 3;
    }
}

// Column `j` of [A; C] (an x) or [B; D] (a u) against differences. Rounding of the rates over the
// step and the h^4 of the shooter's tyre leave 1e-9 of the row's size.
static inline void rig_check_column(const ib_Mechanism *m, const ib_StateSpace *p, double *x,
                                    double *u, bool input, int j)
{
    double slope[IB_STATES_MAX] = {0}, *at = input ? &u[j] : &x[j];
    int width = input ? p->inputs : p->states;
    for (int part = 0; part < 2; part++) {
        const double *matrix = part ? (input ? p->D : p->C) : (input ? p->B : p->A);
        rig_slope(m, part == 1, x, u, at, 1e-2 * fmax(1, fabs(*at)), slope);
        for (int i = 0; i < (part ? p->outputs : p->states); i++)
            assert_close(matrix[i * width + j], slope[i], 1e-9 * fmax(1, fabs(slope[i])));
    }
}

// The linear plant has the slopes of `rate` and `output` at this point.
static inline void rig_check_slopes(const ib_Mechanism *m, ib_MechanismPoint point)
{
    ib_StateSpace p;
    ib_Error error;
    if (ib_mechanism_linearise(m, &point, &p, &error) != IB_OK) fail_msg("%s", error.text);
    for (int j = 0; j < p.states; j++) rig_check_column(m, &p, point.x, point.u, false, j);
    for (int j = 0; j < p.inputs; j++) rig_check_column(m, &p, point.x, point.u, true, j);
}

// ------------------------------------------------------------------------------------------ energy

static inline double rig_stored(const ib_Mechanism *m, const double *x, double g)
{
    ib_MechanismEnergy e = {0};
    m->kind->energy(&m->model, x, g, &e);
    return e.kinetic + e.potential;
}

// The kind's `energy` fits its `rate`: the torques' power is the change of what is stored, by
// differences along the rate (error h^4), and what friction takes; nothing is stored at rest where
// `level` is (NULL: in 0).
// 1e-8 of the powers is what rounding of the energies over the step leaves.
static inline void rig_check_energy(const ib_Mechanism *m, const double *x, const double *torque,
                                    double g, const double *level)
{
    const double h = 1e-4, offset[4] = {h, -h, h / 2, -h / 2}, zero[IB_STATES_MAX] = {0};
    double dx[IB_STATES_MAX], w[IB_MECHANISM_DRIVES] = {0}, E[4], power = 0, size = 1;
    ib_MechanismEnergy now = {0};
    m->kind->rate(&m->model, x, torque, g, dx);
    ib_mechanism_shafts(m, x, w);
    m->kind->energy(&m->model, x, g, &now);
    for (int k = 0; k < 4; k++) {
        double at[IB_STATES_MAX];
        for (int i = 0; i < m->ports.states; i++) at[i] = x[i] + offset[k] * dx[i];
        E[k] = rig_stored(m, at, g);
    }
    for (int i = 0; i < m->ports.inputs; i++) {
        power += torque[i] * w[i];
        size += fabs(torque[i] * w[i]);
    }
    double change = (4 * (E[2] - E[3]) / h - (E[0] - E[1]) / (2 * h)) / 3;
    size += fabs(change) + now.friction + fabs(now.kinetic) + fabs(now.potential);
    assert_close(change + now.friction, power, 1e-8 * size);
    assert_true(now.friction >= 0);
    // A cosine of a rounded 90 degrees is 6e-17.
    assert_close(rig_stored(m, level ? level : zero, g), 0, level ? 1e-13 : 0);
}

#endif
