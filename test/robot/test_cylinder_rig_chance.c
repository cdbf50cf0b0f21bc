// test/robot/test_cylinder_rig_chance.c: random cylinders under random commands, from any start:
// what must hold whatever happens.
#include "robot/cylinder_stand.h"
#include "spread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { RIGS = IB_ROUNDS(120, 30), MOST_RATES = 4000000 };
static const double duration = 0.3; // s

typedef struct Dice {
    uint64_t stream, index;
} Dice;

static double draw(Dice *dice, double low, double high)
{
    return low + (high - low) * chance_uniform(18, dice->stream, dice->index++);
}

static double draw_size(Dice *dice, double low, double high)
{
    return low * pow(high / low, draw(dice, 0, 1));
}

static bool chance(Dice *dice, double share)
{
    return draw(dice, 0, 1) < share;
}

static int pick(Dice *dice, int count)
{
    return (int)draw(dice, 0, count);
}

static void draw_valve(Dice *dice, ib_ProportionalConfig *valve)
{
    valve->law = pick(dice, 4);
    valve->map = pick(dice, 2);
    valve->curve = pick(dice, 3);
    valve->swapped = chance(dice, 0.3);
    valve->centre = draw(dice, 4, 6);
    valve->lap = draw(dice, -1, 1);
    valve->slope = draw_size(dice, 1e-7, 4e-6);
    valve->offset = chance(dice, 0.3) ? 0 : draw_size(dice, 1e-9, 1e-6);
    valve->full = draw(dice, 1.5, 6);
    valve->holes = 1 + pick(dice, 8);
    valve->hole = draw_size(dice, 3e-4, 2e-3);
    valve->lost = valve->law < 2 ? pick(dice, 3) : 0;
    valve->lost_flow = draw_size(dice, 1e-6, 1e-3);
    valve->dynamics = pick(dice, 3);
    valve->frequency = draw_size(dice, 5, 500);
    valve->damping = draw_size(dice, 0.05, 5);
    // Other measurements: the fits may then dip below 0 between and beyond them.
    if (chance(dice, 0.3))
        for (int port = 0; port < 2; port++)
            for (int i = 0; i < valve->areas.count; i++)
                valve->areas.y[port][i] = chance(dice, 0.2) ? 0 : draw_size(dice, 1e-9, 3e-6);
}

static void draw_friction(Dice *dice, ib_FrictionConfig *friction)
{
    friction->law = pick(dice, IB_FRICTION_LAWS);
    friction->coulomb_extend = draw_size(dice, 0.1, 100);
    if (chance(dice, 0.5)) friction->coulomb_retract = draw_size(dice, 0.1, 100);
    friction->static_force = 101 + draw(dice, 0, 50);
    friction->viscous = chance(dice, 0.3) ? 0 : draw_size(dice, 0.1, 300);
    friction->sliding_speed = draw_size(dice, 0.003, 0.3);
    friction->exponent = draw_size(dice, 0.5, 6);
    friction->steepness = draw_size(dice, 5, 1000);
    friction->saturation_speed = draw_size(dice, 1e-3, 0.1);
    friction->stiffness = draw_size(dice, 1e4, 1e6);
    friction->damping = draw_size(dice, 1, 1000);
    friction->velocity_unit = chance(dice, 0.4) ? 0.0254 : 1;
    friction->side_coefficient = chance(dice, 0.5) ? 0 : draw(dice, 0, 0.4);
    friction->end_zone = chance(dice, 0.5) ? 0 : draw_size(dice, 1e-3, 0.05);
    friction->end_factor[0] = draw_size(dice, 0.3, 3);
    friction->end_factor[1] = draw_size(dice, 0.3, 3);
}

static void draw_cylinder(Dice *dice, ib_CylinderConfig *cylinder)
{
    cylinder->bore = draw_size(dice, 0.01, 0.1);
    cylinder->rod = chance(dice, 0.2) ? 0 : cylinder->bore * draw(dice, 0.1, 0.7);
    cylinder->slot = 0;
    cylinder->stroke = draw_size(dice, 5e-3, 0.5);
    for (int i = 0; i < 2; i++) cylinder->dead[i] = draw_size(dice, 1e-3, 0.05);
    cylinder->heat = pick(dice, 3);
    cylinder->coefficient = draw_size(dice, 1, 3000);
    cylinder->leak_piston = chance(dice, 0.6) ? 0 : draw_size(dice, 1e-10, 1e-7);
    cylinder->leak_seal = chance(dice, 0.6) ? 0 : draw_size(dice, 1e-10, 1e-7);
    cylinder->cushion_length = chance(dice, 0.6) ? 0 : cylinder->stroke * draw(dice, 0.02, 0.4);
    cylinder->cushion_area = draw_size(dice, 1e-9, 1e-6);
    cylinder->orifice = pick(dice, 2);
    cylinder->b = draw(dice, 0, 0.6);
    cylinder->m = draw(dice, 0.3, 1);
    cylinder->laminar = 1 - draw_size(dice, 3e-4, 0.02);
    draw_valve(dice, &cylinder->valve);
}

static void draw_supply(Dice *dice, ib_SupplyConfig *supply)
{
    supply->pressure = draw(dice, 1.2e5, 10e5);
    supply->volume = chance(dice, 0.6) ? 0 : draw_size(dice, 1e-5, 1e-3);
    supply->source = supply->pressure + draw(dice, 1e4, 5e5);
    supply->area = draw_size(dice, 1e-8, 1e-5);
    supply->band = draw_size(dice, 3e3, 2e5);
    supply->relieving = chance(dice, 0.5);
}

// At a stop, in between, at rest or thrown; ambient air, the supply's, or any in between.
static void draw_start(Dice *dice, ib_CylinderRigConfig *rig)
{
    double ambient = rig->cylinder.atmosphere;
    rig->position = rig->cylinder.stroke * fmin(fmax(draw(dice, -0.3, 1.3), 0), 1);
    rig->velocity = chance(dice, 0.6) ? 0 : draw(dice, -8, 8);
    for (int i = 0; i < 2; i++) {
        rig->pressure[i] = chance(dice, 0.5) ? ambient : draw_size(dice, 2e4, 12e5);
        if (rig->cylinder.heat != IB_CYLINDER_ISOTHERMAL && chance(dice, 0.3))
            rig->temperature[i] = draw(dice, 200, 450);
    }
}

static void draw_rig(Dice *dice, ib_CylinderRigConfig *rig)
{
    rig->piston.mass = draw_size(dice, 0.001, 100);
    rig->orientation =
        chance(dice, 0.5) ? draw(dice, -3, 3) : 1.5707963267948966 * (pick(dice, 3) - 1);
    rig->piston.locked = chance(dice, 0.1);
    rig->equations = chance(dice, 0.3);
    rig->piston.stops = pick(dice, 2);
    rig->piston.restitution = chance(dice, 0.5) ? 0 : draw(dice, 0, 0.95);
    rig->piston.stop_stiffness = draw_size(dice, 1e4, 1e6);
    rig->piston.stop_damping = draw(dice, 0, 1);
    rig->piston.side_load = chance(dice, 0.5) ? 0 : draw(dice, 0, 50);
    draw_cylinder(dice, &rig->cylinder);
    draw_supply(dice, &rig->supply);
    draw_friction(dice, &rig->piston.friction);
    draw_start(dice, rig);
}

// Commands that jump or ramp, some of them right at the centre, and a force that jumps.
static void draw_inputs(Dice *dice, Stand *stand)
{
    Knot volts[10], push[4];
    for (int i = 0; i < 10; i++) {
        double coin = draw(dice, 0, 1), any = draw(dice, 0, 10);
        double centre = stand->whole.rig.cylinder.valve.centre;
        volts[i] = (Knot){0.03 * i + draw(dice, 0, 0.025), coin < 0.15   ? centre
                                                           : coin < 0.3  ? 0
                                                           : coin < 0.45 ? 10
                                                                         : any};
    }
    double most = chance(dice, 0.5) ? 0 : 50 * stand->whole.rig.piston.mass;
    for (int i = 0; i < 4; i++) push[i] = (Knot){0.07 * i, draw(dice, -most, most)};
    volts[0].t = 0;
    stand_input(stand, IB_RIG_VALVE, chance(dice, 0.3), volts, 10);
    stand_input(stand, IB_RIG_LOAD, false, push, 4);
}

// The kind's own for one in two; else rosenbrock, stiff, or rk4 where it takes steps of 5 us
// or more.
static void draw_solver(Dice *dice, Stand *stand)
{
    ib_CylinderRigModel model;
    ib_SolverConfig own = ib_solver_default();
    ib_cylinder_rig_init(&stand->whole.rig, &model);
    ib_cylinder_rig_kind.solver(&stand->whole, &own);
    bool steep = ib_cylinder_rig_resolution(&model) < 5e-6, stiff = chance(dice, 0.3);
    bool adaptive = !stiff && (chance(dice, 0.25) || steep);
    double tolerance = draw_size(dice, 1e-9, 1e-5);
    ib_SolverKind other = stiff ? IB_STIFF : IB_RK4;
    stand_solver(stand, adaptive ? IB_ROSENBROCK : other, tolerance, adaptive ? 0.01 : 1e-3);
    if (chance(dice, 0.5)) stand_solver(stand, own.kind, own.tolerance, 1e-3);
}

// ------------------------------------------------------------------------------------------- looks

// The signals that are looked at, in this order.
enum {
    X,
    P_CAP,
    P_ROD,
    P_SUPPLY,
    T_CAP,
    T_ROD,
    M_CAP,
    M_ROD,
    USED,
    VENTED,
    AIR_ERROR,
    ENERGY_ERROR,
    CAP_ERROR,
    ROD_ERROR,
    ENERGIES, // from here on
    KINETIC = ENERGIES + 4,
    SEEN = ENERGIES + 7,
};
static const char *const seen[SEEN] = {
    "cylinder.position", "cap.pressure",   "rod.pressure", "supply.pressure", "cap.temperature",
    "rod.temperature",   "cap.mass",       "rod.mass",     "air.used",        "air.vented",
    "air.error",         "energy.error",   "cap.error",    "rod.error",       "energy.supply",
    "energy.air",        "energy.exhaust", "energy.heat",  "energy.kinetic",  "cap.work",
    "rod.work"};

// What was seen of one run.
typedef struct Look {
    const ib_Model *model;
    const ib_CylinderRigConfig *rig;
    int places[SEEN];
    bool bad;              // a number is none, or a pressure or temperature not above 0
    double coldest, least; // [K], [Pa]
    double beyond;         // farthest beyond a stop [m]
    double air, moved;     // largest error of the book of air, and what flowed [kg]
    double audit, energy;  // largest error of a chamber's book, and of the whole [J]
    double flowed;         // the largest energy seen [J], …
    double kinetic;        // … and of the mass
} Look;

static ib_Time see(void *self, ib_Time time, const double *signals)
{
    Look *look = self;
    double s[SEEN], flowed = 0;
    (void)time;
    for (int i = 0; i < look->model->signals.count; i++) look->bad |= !isfinite(signals[i]);
    for (int i = 0; i < SEEN; i++) s[i] = signals[look->places[i]];
    for (int i = ENERGIES; i < SEEN; i++) flowed += fabs(s[i]);
    double P = fmin(fmin(s[P_CAP], s[P_ROD]), s[P_SUPPLY]), T = fmin(s[T_CAP], s[T_ROD]);
    double moved = fabs(s[USED]) + s[M_CAP] + s[M_ROD] + fabs(s[VENTED]);
    look->least = fmin(look->least, P);
    look->coldest = fmin(look->coldest, T);
    look->bad |= !(P > 0 && T > 0);
    look->beyond = fmax(look->beyond, fmax(-s[X], s[X] - look->rig->cylinder.stroke));
    look->air = fmax(look->air, fabs(s[AIR_ERROR]));
    look->moved = fmax(look->moved, moved);
    look->audit = fmax(look->audit, fmax(fabs(s[CAP_ERROR]), fabs(s[ROD_ERROR])));
    look->energy = fmax(look->energy, fabs(s[ENERGY_ERROR]));
    look->flowed = fmax(look->flowed, flowed);
    look->kinetic = fmax(look->kinetic, s[KINETIC]);
    return IB_TIME_NEVER;
}

static void describe(int run, const Stand *stand, const char *what)
{
    const ib_CylinderRigConfig *rig = &stand->whole.rig;
    print_error(
        "run %d: %s; solver %s, step %g s, mass %g, valve %s, spool %d, friction %s, heat %s, "
        "stops %d, "
        "line %g, dead %g %g, locked %d\n",
        run, what, ib_solver_names[stand->sim_config.solver.kind],
        ib_time_to_seconds(stand->model->step), rig->piston.mass,
        ib_proportional_laws[rig->cylinder.valve.law], rig->cylinder.valve.dynamics,
        ib_friction_laws[rig->piston.friction.law], ib_cylinder_heats[rig->cylinder.heat],
        rig->piston.stops, rig->supply.volume, rig->cylinder.dead[0], rig->cylinder.dead[1],
        rig->piston.locked);
}

// What the book of all energies may be off by. It has squares of speeds in it, which no method sums
// exactly: rk4 with steps of 2.5/lambda finds 8 times the energy of a motion that viscous friction
// stops, 14 times until it rests. The others know their errors.
static double allowed_energy(const Stand *stand, const Look *look)
{
    bool blind = stand->sim_config.solver.kind == IB_RK4;
    return blind ? 0.01 * look->flowed + 15 * look->kinetic : 1e-3 * look->flowed;
}

// One run; false: something was wrong, and said.
static bool survives(int run)
{
    static Stand stand;
    Dice dice = {.stream = (uint64_t)run};
    char what[1100] = "";
    stand_default(&stand, duration);
    draw_rig(&dice, &stand.whole.rig);
    draw_inputs(&dice, &stand);
    draw_solver(&dice, &stand);
    stand_start(&stand);
    Look look = {.model = stand.model, .rig = &stand.whole.rig, .coldest = 1e9, .least = 1e9};
    for (int i = 0; i < SEEN; i++) look.places[i] = stand_signal(&stand, seen[i]);
    ib_Probe probe = {.self = &look, .sample = see, .each_step = true, .each_jump = true};
    assert_int_equal(ib_sim_probe(stand.sim, probe, &stand.error), IB_OK);
    if (stand_finish(&stand) != IB_OK)
        snprintf(what, sizeof what, "stopped: %s", stand.error.text);
    else if (look.bad)
        snprintf(what, sizeof what, "pressure %g Pa, temperature %g K", look.least, look.coldest);
    else if (!(look.beyond <= (stand.whole.rig.piston.stops ? 0.026 : 1e-6)))
        snprintf(what, sizeof what, "%g m beyond a stop", look.beyond);
    else if (!(look.air <= 1e-10 * look.moved))
        snprintf(what, sizeof what, "air %g of %g kg", look.air, look.moved);
    else if (!stand.whole.rig.equations && !(look.audit <= 1e-10 * look.flowed))
        snprintf(what, sizeof what, "audit %g of %g J", look.audit, look.flowed);
    else if (!stand.whole.rig.equations && !(look.energy <= allowed_energy(&stand, &look)))
        snprintf(what, sizeof what, "energy %g of %g J", look.energy, look.flowed);
    int64_t rates = ib_sim_solver_counts(stand.sim).evaluations;
    if (!what[0] && rates > MOST_RATES) snprintf(what, sizeof what, "%" PRId64 " rates", rates);
    if (what[0]) describe(run, &stand, what);
    stand_stop(&stand);
    return !what[0];
}

static int number(const char *name, int fallback)
{
    const char *text = getenv(name);
    return text ? atoi(text) : fallback;
}

// Goal: from any start, ambient air included, and under any command there is no number that is
// none, no pressure or temperature of 0 or less, and no stall; nothing passes a stop; the books of
// air, of both chambers and of all energies balance. Method: random rigs from 1 g to 100 kg with
// every law of valve, friction (in m/s and in/s), heat, stops and orifice, looked at after every
// step and jump. 10 000 of them in `make soak`. A gram in a wide bore swings so fast that the worst
// takes three million rates for 0.3 s.
static void random_rigs_survive(void **unused)
{
    (void)unused;
    int first = number("IB_FIRST", 0), rigs = number("IB_RIGS", RIGS), bad = 0;
    for (int rig = first; rig < first + rigs; rig++) bad += !survives(rig);
    assert_int_equal(bad, 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_rigs_survive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
