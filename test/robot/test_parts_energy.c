// Books of robots whose parts are of unlike sorts: motors, cylinders on valves, legs, a compressor.
#include "robot/kind.h"
#include "scenario/run_rig.h"

// A robot whose parts all do something, with a %s for its `run:`.
typedef struct Mixture {
    const char *name, *text;
    const char *works[6];   // entries that are more than a joule at the end, or less than -1 J
    const char *methods[3]; // NULL: it has an external integrator
} Mixture;

static const Mixture mixtures[] = {
    {.name = "a proportional-valve cylinder and an arm of two links on an X-drive",
     .text = "robot:\n"
             "  kind: holonomic\n"
             "  preset: x-drive\n"
             "  breaker: off\n"
             "  mechanisms:\n"
             "    arm: {kind: arm, preset: frc971-2018, reaction: true, place: {z: 30 cm}}\n"
             "    slide: {kind: cylinder, preset: thesis-50psig, orientation: 30 deg}\n"
             "start: {arm: {theta1: 0.5 rad, theta2: -0.8 rad}}\n"
             "inputs:\n"
             "  stick.x: [[0 s, 1], [0.4 s, -0.5]]\n"
             "  stick.y: [[0 s, 0], [0.3 s, 0.5]]\n"
             "  arm: {volts1: [[0 s, 6 V], [0.4 s, -3 V]], volts2: -4 V}\n"
             "  slide.valve: [[0 s, 6.25 V], [0.6 s, 3 V]]\n"
             "run: {duration: 0.8 s, %s}\n",
     .works = {"energy.battery", "energy.tyre", "energy.mechanisms", "arm.energy.copper",
               "slide.energy.supply", "slide.energy.friction"},
     .methods = {"solver: rk4, step: 0.2 ms", "solver: dopri5, tolerance: 1e-9",
                 "solver: rosenbrock, tolerance: 1e-8"}},
    {.name = "a motor-driven lift and a flywheel beside the rig's cylinder",
     .text = "robot:\n"
             "  kind: cylinder_rig\n"
             "  preset: thesis-50psig\n"
             "  mechanisms:\n"
             "    lift: {kind: elevator, motor: cim, reduction: 12, efficiency: 0.9,\n"
             "      travel: [0 m, 1 m], current: implicit}\n"
             "    wheel: {kind: flywheel, motor: neo, thermal: {}}\n"
             "inputs:\n"
             "  valve: [[0 s, 6.25 V], [0.6 s, 3 V]]\n"
             "  lift: [[0 s, 9 V], [0.5 s, -2 V]]\n"
             "  wheel: 8 V\n"
             "run: {duration: 0.8 s, %s}\n",
     .works = {"energy.battery", "energy.supply", "energy.friction", "energy.mechanisms",
               "lift.energy.potential", "wheel.energy.kinetic"},
     .methods = {"solver: stiff, step: 0.1 ms", "solver: rk4, step: 0.05 ms",
                 "solver: rosenbrock, tolerance: 1e-8"}},
    {.name = "legs that drink from a compressor on their robot's battery",
     .text = "robot:\n"
             "  kind: quadruped\n"
             "  preset: light-quadruped\n"
             "  battery: es17-12-match\n"
             "  air: {tanks: 1, start: 94 psig, regulator: 448159.4 Pa}\n"
             "control: {legs: {kind: legs, mode: stand}}\n"
             "inputs:\n"
             "  compressor: on\n"
             "  legs.goal.height: [[0 s, 0.3191 m], [0.2 s, 0.29 m], [0.5 s, 0.32 m]]\n"
             "run: {duration: 0.8 s, step: 1 ms%s}\n",
     .works = {"energy.battery", "energy.compressor"}},
    {.name = "a motor and two cylinders on one leg",
     .text = "robot:\n"
             "  kind: quadruped\n"
             "  preset: thesis-leg\n"
             "  alpha: {drive: motor}\n"
             "  motor: {preset: neo, rotor_inertia: 3e-5 kg*m^2}\n"
             "  reduction: 60\n"
             "  battery: es17-12-match\n"
             "  air: {start: 90 psig, regulator: 50.3 psig}\n"
             "start: {z: 2 m, alpha: 0 deg, beta: -34 deg, gamma: 56 deg}\n"
             "control:\n"
             "  leg.fr.beta: {kind: pva, kp: 3.1203 V/rad, kv: 0.20403 V*s/rad, period: 1 ms}\n"
             "inputs:\n"
             "  leg.fr.alpha: [[0 s, 6 V], [0.3 s, -4 V]]\n"
             "  leg.fr.beta.goal: [[0 s, -34 deg], [0.2 s, -20 deg]]\n"
             "  leg.fr.gamma: [[0 s, 7 V], [0.4 s, 3 V]]\n"
             "run: {duration: 0.8 s, step: 1 ms%s}\n",
     .works = {"energy.battery", "energy.motors", "energy.copper"}},
};

enum { MIXTURES = sizeof mixtures / sizeof *mixtures, BOOKS_MAX = 8 };

static double largest_of(const Run *run, const ib_SignalDef *signals, const ib_Entries *entries)
{
    double most = 0;
    for (int i = 0; i < entries->count; i++)
        most = fmax(most, fabs(see(run, signals[entries->items[i]].name)));
    return most;
}

// Of each book in joules, what it is off by at most, as part of its largest entry.
static double worst_book(Run *run, double seconds)
{
    const ib_RobotPorts *ports = &run->scenario->model->robots[0].ports;
    const ib_Balances *books = &ports->balances;
    double off[BOOKS_MAX] = {0}, largest[BOOKS_MAX] = {0}, worst = 0;
    int steps = 80;
    assert_true(books->count <= BOOKS_MAX);
    for (int k = 0; k <= steps; k++) {
        go(run, seconds * k / steps);
        for (int i = 0; i < books->count; i++) {
            const ib_Balance *b = &books->items[i];
            off[i] = fmax(off[i], fabs(see(run, ports->signals[b->signal].name)));
            largest[i] = fmax(largest[i], largest_of(run, ports->signals, &b->given));
            largest[i] = fmax(largest[i], largest_of(run, ports->signals, &b->taken));
        }
    }
    for (int i = 0; i < books->count; i++) {
        if (strcmp(ports->signals[books->items[i].signal].unit, "J") != 0) continue;
        assert_true(largest[i] > 1);
        worst = fmax(worst, off[i] / largest[i]);
    }
    return worst;
}

// Goal: books of robots of unlike parts balance to 1e-6 of their largest entry, at all times and
// with every method. Method: robots all of whose parts work. What a book is off by is what the
// method is off by, and falls with its step: `stiff` needs 0.1 ms for a winding of half a
// millisecond (docs/solver/solver.md); bodies that MuJoCo moves are in no book of ours.
static void books_of_unlike_parts_balance(void **unused)
{
    (void)unused;
    for (int i = 0; i < MIXTURES; i++) {
        const Mixture *m = &mixtures[i];
        for (int s = 0; s < 3 && (s == 0 || m->methods[s]); s++) {
            const char *method = m->methods[s] ? m->methods[s] : "";
            Run run;
            open_run(&run, m->text, method);
            double worst = worst_book(&run, 0.8);
            if (!(worst <= 1e-6)) fail_msg("%s, %s: off by %.3g", m->name, method, worst);
            for (int k = 0; k < 6 && m->works[k]; k++)
                if (!(fabs(see(&run, m->works[k])) > 1))
                    fail_msg("%s: %s is %g J", m->name, m->works[k], see(&run, m->works[k]));
            close_run(&run);
        }
    }
}

static double rate_after(double step, const char *signal, const char *text)
{
    Run run;
    open_run(&run, "%srun: {duration: 1 s, solver: rk4, step: 0.01 ms}\n", text);
    double before = see(&run, signal);
    go(&run, step);
    double rate = (see(&run, signal) - before) / step;
    close_run(&run);
    return rate;
}

// Goal: the rod of a pneumatic cylinder stands where it is, a stroke ahead of its mount, and feels
// the slope along it. Method: 10 kg at the end of a locked rod of 50 cm turn a pushed box of 10 kg
// and 0.6 kg m^2 as two bodies do; 3 kg on 30 deg speed up by g sin 30 deg cos of the rod's angle
// more than where the same floor falls to the side. 1e-6 in 0.1 ms; 1e-3 in 10 us, in which the
// air of a rod that goes faster is pressed by another hair.
static void rods_stand_out_and_feel_the_slope(void **state)
{
    (void)state;
    double turns = rate_after(
        1e-4, "velocity.heading",
        "robot: {kind: box, mu: 0, mass: 10 kg, length: 0.6 m, width: 0.6 m,\n"
        "  mechanisms: {c: {kind: cylinder, mass: 10 kg, stroke: 50 cm, orientation: 0 deg, "
        "locked: true}}}\n"
        "start: {c: {position: 0 cm}}\ndisturbances: [{force: 10 N, direction: 90 deg}]\n");
    assert_close(turns, -0.5 * 0.5 * 10 / (0.6 + 5 * 0.25), 1e-6);
    static const double angle[] = {0, 30 * 0.017453292519943295};
    for (int i = 0; i < 2; i++) {
        double rate[2];
        for (int side = 0; side < 2; side++) {
            char text[400];
            snprintf(text, sizeof text,
                     "robot: {kind: box, mu: 1, mass: 50 kg, mechanisms: {c: {kind: cylinder,\n"
                     "  mass: 3 kg, orientation: %d deg, friction: {law: none}}}}\n"
                     "start: {c: {position: 2 cm}}\ninputs: {c.valve: 2 V}\n"
                     "disturbances: [{tilt: 30 deg, direction: %d deg}]\n",
                     30 * i, 90 * side);
            rate[side] = rate_after(1e-5, "c.cylinder.velocity", text);
        }
        assert_close(rate[0] - rate[1], 9.80665 / 2 * cos(angle[i]), 1e-3);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books_of_unlike_parts_balance),
        cmocka_unit_test(rods_stand_out_and_feel_the_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
