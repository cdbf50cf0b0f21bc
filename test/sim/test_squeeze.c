// Random slides and squeezes in whole runs: boxes and tanks near walls, obstacles, each other and a
// gate, pushed this way and that. Nothing sinks in, and contacts give no energy.
#include "cmocka_all.h"
#include "sim/dice.h"
#include "sim/yard.h"

enum { SLIDES = IB_ROUNDS(200, 20) };

static const double deepest = 1e-4; // [m], that one may be inside another
// What a contact that turns may give back, against the energies at hand: the error of solvers, with
// steps of up to 20 ms.
static const double given_allowed = 1e-6;
static const double given_by_euler = 1e-5; // its accounts are of first order
// Where all accounts together are off, that of the contacts is: a share of the book's error. Tanks
// that chatter between two walls are off by 4e-4, and their contacts by 4 % of that at most.
static const double given_of_book = 0.1;

// ------------------------------------------------------------------------------------------- cases

static void draw_motion(Dice *dice, ib_PlanarConfig *planar)
{
    double speed = chance(dice, 0.3) ? 0 : draw_size(dice, 0.01, 3);
    double course = draw_course(dice);
    planar->heading = draw_heading(dice);
    planar->velocity_x = speed * ib_cos(course);
    planar->velocity_y = speed * ib_sin(course);
    planar->velocity_heading = chance(dice, 0.5) ? 0 : draw(dice, -3, 3);
}

static void draw_box(Dice *dice, Yard *yard)
{
    double length = draw_size(dice, 0.05, 1), width = length * draw_size(dice, 0.3, 3);
    ib_BoxConfig *box = yard_box(yard, draw_size(dice, 1e-3, 100), length, width);
    box->mu = chance(dice, 0.5) ? 0 : draw(dice, 0, 1);
    box->bumper = draw_bumper(dice, 2);
    draw_motion(dice, &box->planar);
}

static void draw_tank(Dice *dice, Yard *yard)
{
    ib_TankConfig *tank = yard_tank(yard);
    tank->wheels.model = (int)draw(dice, IB_WHEEL_ROLLING, IB_WHEEL_BRISTLE + 1);
    tank->drive.rotor_inertia = 7.75e-5;
    tank->neutral = chance(dice, 0.5) ? IB_NEUTRAL_COAST : IB_NEUTRAL_BRAKE;
    tank->length = draw(dice, 0.4, 1);
    tank->bumper = draw_bumper(dice, 2);
    draw_motion(dice, &tank->planar);
    double left = draw(dice, -12, 12), right = draw(dice, -12, 12);
    rig_drive(&yard->rig, left, right);
}

// The weight of a body [N].
static double weight(const Yard *yard, int body)
{
    bool box = yard->robots[body].kind == &ib_box_kind;
    return 9.80665 * (box ? yard->boxes[body].mass : yard->rig.tank.mass);
}

// Pushes of up to five weights that come and go, and a floor that is tilted for a while.
static void draw_pushes(Dice *dice, Yard *yard)
{
    double duration = ib_time_to_seconds(yard->rig.sim_config.duration);
    int count = (int)draw(dice, 1, 5);
    for (int i = 0; i < count; i++) {
        int body = (int)draw(dice, 0, yard->rig.sim_config.robot_count);
        double size = weight(yard, body) * draw_size(dice, 0.05, 5), course = draw_course(dice);
        double from = chance(dice, 0.5) ? 0 : draw(dice, 0, duration);
        double to = from + draw(dice, 0, duration), reach = chance(dice, 0.5) ? 0 : 0.05;
        double x = draw(dice, -reach, reach), y = draw(dice, -reach, reach);
        yard_push(yard, body, from, to, size * ib_cos(course), size * ib_sin(course), x, y);
    }
    if (chance(dice, 0.7)) return;
    rig_disturb(&yard->rig,
                (ib_Disturbance){.type = IB_DISTURBANCE_TILT,
                                 .robot = -1,
                                 .at = ib_time_from_seconds(draw(dice, 0, duration / 2)),
                                 .until = ib_time_from_seconds(draw(dice, duration / 2, duration)),
                                 .size = draw(dice, 0, 0.5),
                                 .direction = draw_course(dice)});
}

// A room that is little larger than what is in it, one or two obstacles, perhaps a gate that moves.
static void draw_field(Dice *dice, Yard *yard)
{
    double length = draw(dice, 1.2, 3), width = draw(dice, 1.2, 3);
    double duration = ib_time_to_seconds(yard->rig.sim_config.duration);
    yard_walls(yard, 0, 0, length, width, chance(dice, 0.2) ? 0 : draw(dice, 0, 2));
    yard->field.restitution = chance(dice, 0.5) ? 0 : draw(dice, 0, 1);
    for (int i = (int)draw(dice, 0, 3); i > 0; i--) {
        double x = draw(dice, 0, length), y = draw(dice, 0, width);
        double along = draw(dice, 0.05, 0.5), across = draw(dice, 0.05, 0.5);
        ib_ElementConfig *e = yard_element(yard, i == 1 ? "post" : "block", x, y, along, across);
        e->heading = draw_heading(dice);
        e->friction = draw(dice, 0, 2);
        if (i == 1) e->form = IB_ELEMENT_DISC, e->radius = draw(dice, 0.02, 0.2);
    }
    if (!chance(dice, 0.2)) return;
    double x = draw(dice, 0, length), y = draw(dice, 0, width);
    ib_ElementConfig *gate = yard_element(yard, "gate", x, y, 0.1, draw(dice, 0.2, 1));
    Knot knots[] = {{draw(dice, 0, duration / 2), 0}, {duration, draw(dice, -0.3, 0.3)}};
    gate->heading = draw_heading(dice);
    yard_move(yard, gate, chance(dice, 0.5) ? IB_TRACK_X : IB_TRACK_Y, knots, 2);
}

static ib_PlanarConfig *planar_of(Yard *yard, int body)
{
    bool box = yard->robots[body].kind == &ib_box_kind;
    return box ? &yard->boxes[body].planar : &yard->rig.tank.planar;
}

// How far the outline of a body reaches along x or y.
static double reach(const Yard *yard, int body, bool along_y)
{
    const ib_RobotPorts *ports = &yard->rig.model->robots[body].ports;
    double heading = planar_of((Yard *)yard, body)->heading;
    double c = fabs(ib_cos(heading)), s = fabs(ib_sin(heading));
    return 0.5 *
           (along_y ? ports->length * s + ports->width * c : ports->length * c + ports->width * s);
}

// Somewhere in the room, for most at one of the walls: touching it but for rounding, or
// just before.
static double draw_place(Dice *dice, double size, double reach)
{
    double air = chance(dice, 0.5) ? 1e-10 : draw_size(dice, 1e-8, 1e-2);
    if (chance(dice, 0.3)) return draw(dice, reach, size - reach);
    return chance(dice, 0.5) ? reach + air : size - reach - air;
}

// Places all bodies so that their outlines are clear of each other. False: too crowded.
static bool place(Dice *dice, Yard *yard)
{
    const ib_FieldConfig *field = &yard->field;
    for (int tries = 0; tries < 100; tries++) {
        Rig *rig = &yard->rig;
        if (ib_model_create(&rig->sim_config, &rig->arena, &rig->model, &rig->error) != IB_OK)
            fail_msg("case %d: %s", dice->seed, rig->error.text);
        bool good = tries > 0 && ib_model_overlap(rig->model, &rig->error) < 0;
        for (int i = 0; i < rig->model->world->body_count; i++)
            good &= rig->model->world->ghosts[i] == 0;
        for (int i = 0; !good && i < rig->sim_config.robot_count; i++) {
            ib_PlanarConfig *planar = planar_of(yard, i);
            planar->x = draw_place(dice, field->corner_x[2], reach(yard, i, false));
            planar->y = draw_place(dice, field->corner_y[2], reach(yard, i, true));
        }
        ib_arena_reset(&rig->arena);
        if (good) return true;
    }
    return false;
}

static bool draw_case(Dice *dice, Yard *yard)
{
    yard_default(yard, draw(dice, 0.3, 1));
    int bodies = chance(dice, 0.3) ? 2 : 1, tank = chance(dice, 0.4) ? 0 : -1;
    for (int i = 0; i < bodies; i++) i == tank ? draw_tank(dice, yard) : draw_box(dice, yard);
    draw_field(dice, yard);
    draw_pushes(dice, yard);
    ib_SolverKind solver = (ib_SolverKind)draw(dice, IB_EULER, IB_SOLVER_COUNT);
    // No robot's resolution divides a step of `stiff`: docs/solver/solver.md
    double step = draw_size(dice, 1e-4, 20e-3), most = solver == IB_STIFF ? 2e-3 : 20e-3;
    yard_solver(yard, solver, fmin(step, most));
    yard->rig.sim_config.solver.tolerance = draw_size(dice, 1e-9, 1e-6);
    return place(dice, yard);
}

// ------------------------------------------------------------------------------------------- looks

// All that has been given to a body, or that it has, or has lost: the size of its book [J].
static double book_size(const Yard *yard, int row, int body)
{
    const ib_Model *model = yard->rig.model;
    const double *signals = yard->rig.rows.signals + (size_t)row * (size_t)model->signals.count;
    const ib_RobotModel *robot = &model->robots[body];
    double size = 0;
    for (int i = 0; i < robot->ports.signal_count; i++) {
        ib_SignalRole role = robot->ports.signals[i].means.role;
        if (ib_role_gives(role) || role == IB_ROLE_STORED || role == IB_ROLE_LOST)
            size += fabs(signals[robot->signal + i]);
    }
    return size;
}

static double all_books(const Yard *yard, int row)
{
    double size = 0;
    for (int i = 0; i < yard->rig.sim_config.robot_count; i++) size += book_size(yard, row, i);
    return size;
}

// The books of all bodies together, watched from step to step. Between the ends of a step signals
// are interpolated, each by itself: sums are right at the ends.
typedef struct Meter {
    int count, taken[YARD_BODIES], error[YARD_BODIES]; // signals of each body
    double most, fall, at; // [J, J, s]: that was taken; the deepest fall below it, and when
    double book;           // [J], the largest error
    double wildest;        // size of the largest signal; not finite where one is not
    int width;             // signals in all
} Meter;

static ib_Time read_meter(void *self, ib_Time time, const double *signals)
{
    Meter *meter = self;
    double taken = 0, error = 0;
    for (int i = 0; i < meter->count; i++) {
        taken += signals[meter->taken[i]];
        error += signals[meter->error[i]];
    }
    for (int i = 0; i < meter->width; i++)
        if (!(fabs(signals[i]) <= meter->wildest)) meter->wildest = fabs(signals[i]);
    if (meter->most - taken > meter->fall) {
        meter->fall = meter->most - taken;
        meter->at = ib_time_to_seconds(time);
    }
    meter->most = fmax(meter->most, taken);
    meter->book = fmax(meter->book, fabs(error));
    return IB_TIME_NEVER;
}

// After rig_start.
static void attach_meter(Yard *yard, Meter *meter)
{
    *meter =
        (Meter){.count = yard->rig.sim_config.robot_count, .width = yard->rig.model->signals.count};
    for (int i = 0; i < meter->count; i++) {
        meter->taken[i] = yard_signal(yard, i, "energy.collision");
        meter->error[i] = yard_signal(yard, i, "energy.error");
    }
    ib_Probe probe = {.self = meter,
                      .sample = read_meter,
                      .each_step = true,
                      .at_end = true,
                      .next = IB_TIME_NEVER};
    if (ib_sim_probe(yard->rig.sim, probe, &yard->rig.error) != IB_OK) abort();
}

// The worst of a run: [m], and energies against all that was at hand.
typedef struct Look {
    double deep, given, book;
} Look;

static Look look_at(const Yard *yard, const Meter *meter)
{
    double deep = 0, energy = 1e-12; // J; less is nothing
    for (int row = 0; row < yard->rig.rows.count; row++) {
        energy = fmax(energy, all_books(yard, row));
        deep = fmax(deep, yard_depth(yard, row));
    }
    double given = yard->gates > 0 ? 0 : meter->fall / energy; // what a gate does is work
    return (Look){deep, given, meter->book / energy};
}

// ------------------------------------------------------------------------------------------- tally

typedef struct Tally {
    int runs, touching, refused, failed;
    double deepest, given, book; // [m], and energies against those at hand
} Tally;

// The fastest swing of a box under all that pushes it: it hangs from a push beside its middle, or
// stands on a corner that a wall holds, as a pendulum does.   w^2 = sum F r/I
static double swing_rate(const Yard *yard, int body)
{
    const ib_SimConfig *config = &yard->rig.sim_config;
    const ib_BoxConfig *box = &yard->boxes[body];
    double square = box->length * box->length + box->width * box->width, corner = sqrt(square) / 2;
    double inertia = box->mass * square / 12, torque = 0;
    for (int i = 0; i < config->disturbance_count; i++) {
        const ib_Disturbance *d = &config->disturbances[i];
        if (d->type == IB_DISTURBANCE_TILT)
            torque += weight(yard, body) * ib_sin(d->size) * corner;
        else if (d->robot == body)
            torque += d->size * (sqrt(d->x * d->x + d->y * d->y) + corner);
    }
    return sqrt(torque / inertia);
}

// Friction with the floor and tyres fade over a slip speed, which fixed steps follow to 1e-3
// (docs/robot/passive.md), and a contact that begins to turn or to slip within a step of more than
// 10 ms is not followed better; the program warns of every book that is worse than
// 1e-6 (study/warnings.c). Else, where nothing but contacts acts, books are exact but for the error
// of a swing. A step of rk4 that takes a swing on by z = w h is off by z^5/120, the first term of
// e^(iz) that it lacks: z^4/120 for each radian; the others are within their tolerance. Euler's are
// of first order, and what is wrong with them is warned of.
static double book_allowed(const Yard *yard)
{
    const double warned = 2e-3, exact = 1e-6;
    ib_SolverKind solver = yard->rig.sim_config.solver.kind;
    double step = ib_time_to_seconds(yard->rig.sim_config.step), z = 0;
    bool ice = solver == IB_RK4 || step <= 0.01;
    for (int i = 0; i < yard->rig.sim_config.robot_count; i++) {
        ice &= yard->robots[i].kind == &ib_box_kind && yard->boxes[i].mu == 0;
        if (ice) z = fmax(z, step * swing_rate(yard, i));
    }
    if (solver == IB_EULER) return INFINITY;
    if (!ice) return warned;
    return solver == IB_RK4 ? fmin(warned, fmax(exact, z * z * z * z / 120)) : exact;
}

static bool ever_touches(const Yard *yard)
{
    for (int i = 0; i < yard->rig.rows.count; i++)
        if (yard_sum(yard, i, "contact.touching") > 0) return true;
    return false;
}

static void tell(int seed, const Yard *yard, const Look *look, const Meter *meter)
{
    const ib_SimConfig *config = &yard->rig.sim_config;
    print_error("slide %d (%s %.3g ms, %s%s%s): %.3g m deep, %.3g given at %g s, book off by %.3g. "
                "%s\n",
                seed, ib_solver_names[config->solver.kind], 1e3 * ib_time_to_seconds(config->step),
                yard->robots[0].kind == &ib_box_kind ? "box" : "tank",
                config->robot_count > 1 ? ", two" : "", yard->gates > 0 ? ", gate" : "", look->deep,
                look->given, meter->at, look->book, yard->rig.error.text);
}

// A gate is as strong as it must be to crush what it meets, or to squeeze it out faster than what
// the program takes for plausible: runs that are rightly refused. What runs away has no book.
static bool is_crushed(const Yard *yard)
{
    return yard->gates > 0 && strstr(yard->rig.error.text, "is crushed");
}

static bool runs_away(const Yard *yard)
{
    return yard->gates > 0 && strstr(yard->rig.error.text, "is beyond what is plausible");
}

// Another method than the one that is drawn.
typedef struct Method {
    ib_SolverKind solver;
    double step; // [s]; 0: as drawn
} Method;

static void slide(int seed, const Method *method, Tally *tally);

// A contact that begins within a step may cost more than a swing does. rk4's error falls 4096-fold
// with an eighth of the step, or 512-fold where that costs an order of convergence. The others
// cross the jump of a rate within a step, or a slide that jams, whose forces have no bound
// (sim/piece.c): an error of the step's square, 64 times less.
static bool converges(int seed, const Yard *yard, double book)
{
    const ib_SolverConfig *solver = &yard->rig.sim_config.solver;
    double step = ib_time_to_seconds(yard->rig.sim_config.step);
    Tally finer = {0};
    if (book > 1e-4) return false;
    slide(seed, &(Method){solver->kind, step / 8}, &finer);
    return finer.failed == 0 && finer.book <= book / (solver->kind == IB_RK4 ? 512 : 64);
}

// What contacts may give back in a run whose book is so far off.
static double may_give(const Yard *yard, double book)
{
    bool euler = yard->rig.sim_config.solver.kind == IB_EULER;
    return euler ? given_by_euler : given_allowed + given_of_book * book;
}

// Runs one case, by its own method where none is given, and looks at it every 5 ms, and at what
// contacts have taken at every step.
static void slide(int seed, const Method *method, Tally *tally)
{
    Yard yard;
    Meter meter;
    Dice dice = {15, seed, 0};
    if (!draw_case(&dice, &yard)) return; // too crowded a room
    ib_SimConfig *config = &yard.rig.sim_config;
    if (method) config->solver.kind = method->solver;
    if (method && method->step > 0) config->step = ib_time_from_seconds(method->step);
    yard.rig.rows.every = 0.005;
    yard.rig.error.text[0] = '\0';
    rig_start(&yard.rig);
    attach_meter(&yard, &meter);
    ib_Status status = rig_finish(&yard.rig);
    Look look = look_at(&yard, &meter);
    bool away = status != IB_OK && runs_away(&yard);
    bool refused = away || (status != IB_OK && is_crushed(&yard));
    bool good = (status == IB_OK || refused) && isfinite(meter.wildest) && look.deep <= deepest &&
                look.given <= may_give(&yard, look.book) &&
                (away || look.book <= book_allowed(&yard) ||
                 (!method && converges(seed, &yard, look.book)));
    if (!good) tell(seed, &yard, &look, &meter);
    tally->runs++;
    tally->failed += !good;
    tally->refused += refused;
    tally->touching += ever_touches(&yard);
    tally->deepest = fmax(tally->deepest, look.deep);
    tally->given = fmax(tally->given, look.given);
    if (!away && isfinite(book_allowed(&yard))) tally->book = fmax(tally->book, look.book);
    rig_stop(&yard.rig);
}

// Goal: contacts that rest, slide and squeeze are right whatever comes: nothing fails but at a
// gate, nothing sinks in, contacts give no energy, books balance. Method: random boxes of 1 g to
// 100 kg and tanks on all wheels at walls, obstacles, each other and gates, with pushes, slopes,
// voltages, all solvers, steps of 0.1 to 20 ms (of `stiff` to 2 ms); IB_SLIDES of them (200;
// `make soak`: 10 000) from number IB_FIRST on.
static void random_slides_and_squeezes(void **unused)
{
    (void)unused;
    const char *wanted = getenv("IB_SLIDES"), *first = getenv("IB_FIRST");
    int count = wanted ? atoi(wanted) : SLIDES, from = first ? atoi(first) : 0;
    Tally tally = {0};
    for (int seed = from; seed < from + count; seed++) slide(seed, NULL, &tally);
    if (getenv("IB_SHOW"))
        print_error("%d slides, %d touch, %d refused, %d failed; %.3g m deep, %.3g given, book off "
                    "by %.3g\n",
                    tally.runs, tally.touching, tally.refused, tally.failed, tally.deepest,
                    tally.given, tally.book);
    assert_int_equal(tally.failed, 0);
    assert_true(tally.runs >= count * 3 / 4 && tally.touching >= tally.runs / 2);
}

// Goal: what once went wrong does not again. Method: the cases by their numbers. In the first a box
// swings about its corner within a few long steps; in the second a slide ends in a jam, which a
// step of rosenbrock of 9.88 ms crosses: 2e-5, and 1.4e-7 with an eighth of it.
static void slides_that_once_failed_hold(void **unused)
{
    (void)unused;
    Tally tally = {0};
    slide(3958, &(Method){IB_RK4, 0}, &tally);
    slide(4595, &(Method){IB_DOPRI5, 0}, &tally);
    slide(4595, NULL, &tally);
    assert_int_equal(tally.failed, 0);
    assert_int_equal(tally.touching, 3);
}

// Goal: implicit steps close the book of a slide that nearly locks, and the better the shorter they
// are. Method: 6 g in a corner of the room turn about the corner that sticks to one wall, while
// another one slides along the other wall, straight above it but for 1e-5 rad: its push, with full
// friction, hardly changes its gap, and closes it. RK4 is off by 5e-10 at 1 ms. Jacobians from
// pushes that were not quite found gave 1e-3 at 2 ms, 0.3 at 0.25 ms and 1 at 0.08 ms.
static void book_of_a_slide_that_nearly_locks_closes(void **unused)
{
    (void)unused;
    static const double steps[] = {2e-3, 0.5e-3, 0.25e-3, 0.08e-3};
    for (int i = 0; i < 4; i++)
        for (int solver = IB_ROSENBROCK; solver <= IB_STIFF; solver++) {
            Tally tally = {0};
            slide(82, &(Method){(ib_SolverKind)solver, steps[i]}, &tally);
            assert_int_equal(tally.failed, 0);
            assert_close(tally.book, 0, i == 0 ? 1e-8 : 1e-11);
        }
}

// Goal: stiff steps get over a jam. Method: half a kilogram in a corner of the room stops and is
// turned back, where it jams at once: it would turn with 44 rad/s^2 while it stands and with less
// than 1 as soon as it moves. Plain steps, which cross that jump again and again, were off by 0.07
// at 1 ms; those that know their error end there.
static void stiff_steps_get_over_a_jam(void **unused)
{
    (void)unused;
    static const double steps[] = {2e-3, 1e-3, 0.25e-3, 0.08e-3};
    for (int i = 0; i < 4; i++) {
        Tally tally = {0};
        slide(1178, &(Method){IB_STIFF, steps[i]}, &tally);
        assert_int_equal(tally.failed, 0);
        assert_close(tally.book, 0, 1e-6);
    }
}

#define NUMBERED(name) cmocka_unit_test_setup_teardown(name, chance_fix, chance_free)

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        NUMBERED(slides_that_once_failed_hold),
        {"book_of_a_slide_that_nearly_locks_closes", book_of_a_slide_that_nearly_locks_closes,
         chance_fix, chance_free, &ib_plain_mark},
        NUMBERED(stiff_steps_get_over_a_jam),
        cmocka_unit_test(random_slides_and_squeezes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
