// test/plant/air_rig.h: the air parts on the bench: a solver, located events,
// the table of reference B6.
#ifndef IB_TEST_PLANT_AIR_RIG_H
#define IB_TEST_PLANT_AIR_RIG_H

#include "cmocka_all.h"
#include "plant/air/air.h"
#include "plant/default_cylinder.h"
#include "solver/solver.h"

#include <string.h>

// The units as reference B6 rounds them; they differ from the exact ones by 4e-10.
#define CFM 0.471947443e-3
#define PSI 6894.757293

static inline double gauge(double psig)
{
    return IB_ATMOSPHERE + psig * PSI;
}

// A valve as an opening, whatever says how large it is, with air of one temperature on both sides.
typedef struct Valve {
    ib_OrificeModel orifice;
    double area, root;
} Valve;

static inline Valve valve_make(const ib_ValveConfig *config, double temperature)
{
    ib_OrificeConfig orifice = {IB_ORIFICE_ISO, 287, config->b, config->m, config->laminar, 0};
    Valve valve = {.area = ib_orifice_area(ib_valve_conductance(config), 287),
                   .root = sqrt(temperature)};
    ib_Error error;
    assert_int_equal(ib_valve_check(config, &error), IB_OK);
    ib_orifice_init(&orifice, &valve.orifice);
    return valve;
}

// [mol/s]; negative: it flows back.
static inline double valve_flow(const Valve *v, double from, double to)
{
    double up = fmax(from, to),
           q = ib_orifice_flow(&v->orifice, v->area, up, v->root, fmin(from, to));
    return copysign(q * 287 / IB_GAS_CONSTANT, from - to);
}

// Viair 90C as RoboSim has it: psig, cfm, A.                                      [reference B6]
static inline ib_CompressorConfig b6_compressor(void)
{
    static const double rows[][3] = {{0, .88, 7},   {10, .71, 8},  {20, .67, 8},  {30, .64, 9},
                                     {40, .60, 9},  {50, .57, 9},  {60, .53, 10}, {70, .48, 10},
                                     {80, .45, 10}, {90, .43, 10}, {100, .39, 9}, {110, .36, 9},
                                     {120, .34, 9}, {150, 0, 9}};
    ib_CompressorConfig config = {.cutoff = 6, .low.voltage = 13.8};
    config.low.points.count = 14;
    for (int i = 0; i < 14; i++) {
        config.low.points.x[i] = gauge(rows[i][0]);
        config.low.points.y[0][i] = rows[i][1] * CFM;
        config.low.points.y[1][i] = rows[i][2];
    }
    return config;
}

// Two tanks, from empty, with B6's table and its 70 degF.
static inline ib_AirConfig b6_air(void)
{
    ib_AirConfig config = {.tanks = 2,
                           .tank_volume = 0.574e-3,
                           .temperature = 529.67 * 5 / 9,
                           .start = IB_ATMOSPHERE,
                           .regulator = {gauge(60), INFINITY},
                           .compressor = b6_compressor()};
    config.pressure_switch[0] = gauge(95);
    config.pressure_switch[1] = gauge(115);
    config.relief = gauge(125);
    return config;
}

typedef struct Rig {
    ib_AirModel model;
    ib_AirInput input;
    double solenoid[IB_MAX_CYLINDERS];
    double x[IB_AIR_MAX_STATES], t;
    double step;   // longest step [s]
    bool plain;    // modes are looked at between steps only, no event is located
    double target; // pressure that ends rig_run [Pa]; infinity: none
    ib_Arena arena;
    ib_Solver *solver;
    ib_EventWorkspace *events;
    ib_SolverCounts counts;
    double next;
} Rig;

static inline void rig_rate(const void *context, double t, const double *x, double *dx)
{
    const Rig *rig = context;
    (void)t;
    ib_air_rate(&rig->model, x, &rig->input, dx);
}

// The margins, then the target.
static inline void rig_guard(const void *context, double t, const double *x, double *g)
{
    const Rig *rig = context;
    const ib_ReservoirModel *tanks = &rig->model.reservoir;
    int count = ib_air_margin_count(&rig->model);
    (void)t;
    ib_air_margins(&rig->model, x, &rig->input, g);
    g[count] = isfinite(rig->target) ? ib_reservoir_pressure(tanks, x[0], x[1]) - rig->target : 1;
}

static inline void rig_settle(Rig *rig)
{
    int rounds = 0;
    while (ib_air_settle(&rig->model, &rig->input, rig->x)) assert_true(++rounds < 10);
}

static inline void rig_open(Rig *rig, const ib_AirConfig *config, ib_SolverKind kind,
                            double tolerance, double step)
{
    ib_Error error;
    ib_SolverConfig solver = {kind, tolerance, 0};
    *rig = (Rig){.input = {.enabled = true, .voltage = 12}, .step = step, .target = INFINITY};
    rig->input.solenoid = rig->solenoid;
    assert_int_equal(ib_air_check(config, &error), IB_OK);
    ib_air_init(config, &rig->model);
    ib_air_reset(&rig->model, rig->x);
    rig->solver = ib_solver_create(&solver, ib_air_state_count(&rig->model), &rig->arena);
    rig->events = ib_event_workspace_create(ib_air_margin_count(&rig->model) + 1, &rig->arena);
    assert_true(rig->solver && rig->events);
    rig_settle(rig);
}

static inline void rig_close(Rig *rig)
{
    ib_arena_reset(&rig->arena);
}

static inline double rig_pressure(const Rig *rig)
{
    return ib_reservoir_pressure(&rig->model.reservoir, rig->x[IB_AIR_MOLES],
                                 rig->x[IB_AIR_TEMPERATURE]);
}

// One step, cut at the first event; true when the target was reached in it.
static inline bool rig_step(Rig *rig, double h_max)
{
    double x1[IB_AIR_MAX_STATES], at[IB_AIR_MAX_STATES], h;
    int count = ib_air_state_count(&rig->model), margins = ib_air_margin_count(&rig->model);
    ib_System system = {count, rig_rate, NULL, rig};
    ib_EventSystem events = {margins + 1, rig_guard, rig, rig->events};
    ib_Event event = {.index = -1};
    ib_Error error;

    assert_int_equal(ib_solver_step_controlled(rig->solver, &system, fmin(h_max, rig->step),
                                               &rig->next, rig->x, x1, &h, &rig->counts, &error),
                     IB_OK);
    if (!rig->plain) ib_solver_locate(rig->solver, &system, &events, h, rig->x, &event, at);
    rig->t += event.index < 0 ? h : event.t;
    memcpy(rig->x, event.index < 0 ? x1 : at, (size_t)count * sizeof *x1);
    rig_settle(rig);
    return event.crossed && event.crossed[margins];
}

// Until `end` (seconds since the rig was opened) or until the tanks have the target pressure.
static inline void rig_run(Rig *rig, double end)
{
    for (int i = 0; i < 2000000 && end - rig->t > 1e-13; i++)
        if (rig_step(rig, end - rig->t)) return;
}

#endif
