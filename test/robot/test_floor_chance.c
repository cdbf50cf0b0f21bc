// Random robots on tilted floors, with masses off the middle and hits, against another solution.
#include "robot/floor_robots.h"
#include "scenario/run_rig.h"

enum { LOOKS = 6, SEEN = 48, ROBOTS = IB_ROUNDS(12, 3) };

// Behind the reference's states: what follows from them.
enum { LOAD = STATES, KINETIC = LOAD + WHEELS, VALUES };

static const char *const law_names[] = {"", "bristle ", "rolling ", "viscous "};

// How many laws of wheels a base can have; 0: it has none to choose from.
static const int laws[BASES] = {[TANK] = 4, [HOLONOMIC] = 3, [SWERVE] = 2};

// What is compared: signals, and where the reference has the same.
typedef struct Seen {
    int count, state[SEEN];
    double arm[SEEN]; // makes metres of what turns
    char name[SEEN][32];
} Seen;

__attribute__((format(printf, 4, 5))) static void add_seen(Seen *s, int state, double arm,
                                                           const char *format, ...)
{
    va_list values;
    assert_true(s->count < SEEN);
    va_start(values, format);
    vsnprintf(s->name[s->count], sizeof s->name[0], format, values);
    va_end(values);
    s->arm[s->count] = arm;
    s->state[s->count++] = state;
}

static Seen signals_of(const Floor *f)
{
    static const char *const joints[][4] = {
        [TWO_MASS] = {"motor.position", "load.position", "motor.velocity", "load.velocity"},
        [LIFT] = {"left.position", "right.position", "left.velocity", "right.velocity"},
        [TWO_LINK] = {"theta1", "theta2", "omega1", "omega2"}};
    static const char *const pose[] = {"pose.x",     "pose.y",     "pose.heading",
                                       "velocity.x", "velocity.y", "velocity.heading"};
    double weight = GRAVITY * f->mass;
    Seen s = {0};
    for (int i = 0; i < 6; i++) add_seen(&s, i, i % 3 == 2 ? f->length / 2 : 1, "%s", pose[i]);
    add_seen(&s, KINETIC, 1 / f->mass, "energy.kinetic");
    for (int i = 0; i < f->wheels && f->base != TANK; i++)
        add_seen(&s, LOAD + i, 1 / weight, "wheel.%d.load", i + 1);
    for (int i = 0; i < f->wheels && f->base != TANK; i++)
        add_seen(&s, RIM + i, f->radius, "wheel.%d.speed", i + 1);
    for (int i = 0; i < 2 && f->base == TANK; i++)
        add_seen(&s, RIM + i, f->radius, "wheel.%s.speed", i ? "right" : "left");
    for (int i = 0; i < 2 && f->base == BALL; i++)
        add_seen(&s, RIM + i, f->length / 2, "roll.%c", 'x' + i);
    for (int i = 0; i < WHEELS && f->base == SWERVE; i++) {
        add_seen(&s, STEER + i, f->radius, "module.%d.angle", i + 1);
        add_seen(&s, STEER_RATE + i, f->radius, "module.%d.rate", i + 1);
    }
    for (int i = 0; i < f->limbs; i++)
        for (int j = 0; j < 4; j++) {
            LegKind kind = f->limb[i].kind;
            if (kind >= TWO_MASS)
                add_seen(&s, JOINT + 4 * i + j, 1, "m%d.%s", i, joints[kind][j]);
            else if (j % 2 == 0)
                add_seen(&s, JOINT + 4 * i + j, 1, "m%d.%s", i, j ? "velocity" : "position");
        }
    return s;
}

// What a run showed at some times.
typedef struct Story {
    double time[LOOKS], value[LOOKS][SEEN];
    double book;   // the largest error of an energy book, over its largest entry
    double lifted; // when it told of a wheel that lifts; INFINITY
} Story;

static double largest_of(const Run *run, const ib_SignalDef *signals, const ib_Entries *entries)
{
    double most = 0;
    for (int i = 0; i < entries->count; i++)
        most = fmax(most, fabs(see(run, signals[entries->items[i]].name)));
    return most;
}

// What books of energy are off by, as part of their largest entry (of 10 mJ at least).
static double worst_book(const Run *run)
{
    const ib_RobotPorts *ports = &run->scenario->model->robots[0].ports;
    double worst = 0;
    for (int i = 0; i < ports->balances.count; i++) {
        const ib_Balance *b = &ports->balances.items[i];
        if (strcmp(ports->signals[b->signal].unit, "J") != 0) continue;
        double most = fmax(largest_of(run, ports->signals, &b->given),
                           largest_of(run, ports->signals, &b->taken));
        worst = fmax(worst, fabs(see(run, ports->signals[b->signal].name)) / fmax(most, 0.01));
    }
    return worst;
}

// The first instant at which a wheel would lift: where the signal `lifted` becomes 1.
typedef struct LiftWatch {
    int signal;
    double first;
} LiftWatch;

static double lift_margin(const void *self, const double *signals)
{
    return 0.5 - signals[((const LiftWatch *)self)->signal];
}

static void note_lift(void *self, double seconds, const double *signals, bool rising)
{
    LiftWatch *watch = self;
    (void)signals;
    if (!rising) watch->first = fmin(watch->first, seconds);
}

static void watch_lifts(Run *run, LiftWatch *watch)
{
    ib_Error error;
    watch->signal = ib_signals_find(&run->scenario->model->signals, "lifted");
    ib_Watch wish = {.self = watch, .margin = lift_margin, .crossed = note_lift, .zero = 1};
    wish.signal = watch->signal + 1;
    watch->first = INFINITY;
    if (watch->signal < 0) return;
    if (run->signals[watch->signal] > 0.5) watch->first = 0;
    assert_int_equal(ib_sim_watch(run->sim, wish, &error), IB_OK);
}

// Runs it; what comes behind a wheel that lifts is not in question, and may fail. Nor is the mixing
// of a holonomic base in question, whose duties are those of the program.
static Story run_floor(Floor *f, const Seen *seen, const char *method)
{
    static Text text;
    Story story = {0};
    LiftWatch watch;
    ib_Error error;
    Run run;
    char name[32];
    say_floor(&text, f, method);
    open_run(&run, "%s", text.text);
    watch_lifts(&run, &watch);
    for (int k = 0; k < LOOKS; k++) {
        double until = f->duration * (k + 1) / LOOKS;
        bool fine = ib_sim_advance(run.sim, ib_time_from_seconds(until), &error) == IB_OK;
        if (!fine && watch.first == INFINITY) fail_msg("%s", error.text);
        ib_sim_sample(run.sim, run.signals);
        story.time[k] = fine ? (double)ib_sim_time(run.sim) * 1e-9 : until;
        for (int i = 0; i < seen->count; i++)
            story.value[k][i] = fine ? see(&run, seen->name[i]) : NAN;
        if (watch.first == INFINITY) story.book = fmax(story.book, worst_book(&run));
        for (int i = 0; i < f->wheels && f->base == HOLONOMIC; i++) {
            snprintf(name, sizeof name, "motor.%d.output", i + 1);
            f->drive[story.time[k] > f->switch_at][i] = see(&run, name);
        }
    }
    story.lifted = watch.first;
    close_run(&run);
    return story;
}

// ----------------------------------------------------------------------------------- the reference

typedef struct Tally {
    double worst, book;
    int whole, lifted, hits, stops, wrong;
} Tally;

// True: the program may be before what happens and the reference behind it, or the other way round.
static bool amid(const Motion *m, double time)
{
    for (int i = 0; i < m->events; i++)
        if (fabs(m->event[i] - time) < 1e-6) return true;
    return false;
}

// What the reference has at the run's times, as far as it goes; returns how many that are.
static int solve(Floor *f, const Story *story, double x[LOOKS][VALUES], Motion *m)
{
    double margin[MARGINS];
    *m = start_reference(f);
    for (int k = 0; k < LOOKS; k++) {
        go_reference(m, story->time[k]);
        if (m->over < INFINITY) return k;
        find_margins(f, m->x, margin);
        memcpy(x[k], m->x, sizeof m->x);
        memcpy(x[k] + LOAD, margin + LOADS_AT, WHEELS * sizeof(double));
        x[k][KINETIC] = kinetic_energy(f, m->x);
    }
    return LOOKS;
}

// Told at the instant at which a load is 0, behind a hit at the end of the piece that begins there;
// and not before.
static bool tells_of_lifts(const Story *story, const Motion *m)
{
    double late = story->lifted - m->over;
    if (m->lifted) return late > -1e-8 && late < (amid(m, m->over) ? 1e-5 : 1e-8);
    return story->lifted > fmin(m->over, m->time) - 1e-8;
}

// The program finds a contact within 1e-9 m: what a wall does that is nearer by so much is allowed
// beside 1e-8, and as each hit has its own share of that, 1e-8 for each of them.
static void compare(Floor *f, const Seen *seen, const Story *story, Tally *tally)
{
    Motion m, other;
    double x[LOOKS][VALUES], nearer[LOOKS][VALUES], worst = 0;
    int looks = solve(f, story, x, &m);
    bool good = story->book < 1e-6, tells = tells_of_lifts(story, &m);
    f->wall += 1e-9 * along(f->wall_direction);
    if (m.hits)
        looks = (int)fmin(looks, solve(f, story, nearer, &other));
    else
        memcpy(nearer, x, sizeof x);
    for (int k = 0; k < looks; k++)
        for (int i = 0; i < seen->count && !amid(&m, story->time[k]); i++) {
            int at = seen->state[i];
            double right = x[k][at], is = story->value[k][i];
            double off = fmax(0, fabs(is - right) - fabs(nearer[k][at] - right));
            off /= 1 / seen->arm[i] + fabs(right);
            bool near = off < 1e-8 * (1 + m.hits);
            if (!near)
                print_error("%s at %.9g s is %.12g, expected %.12g, off by %.2g\n", seen->name[i],
                            story->time[k], is, right, off);
            good &= near;
            worst = fmax(worst, off);
        }
    if (!tells) print_error("a wheel lifts at %.9g s, told at %.9g s\n", m.over, story->lifted);
    if (!(story->book < 1e-6)) print_error("a book is off by %.3g\n", story->book);
    tally->wrong += !tells || !good;
    tally->worst = fmax(tally->worst, worst);
    tally->book = fmax(tally->book, story->book);
    tally->whole += m.over == INFINITY;
    tally->lifted += m.lifted;
    tally->hits += m.hits;
    tally->stops += m.stops;
}

// Momentum of all masses, and their moment of momentum about the field's origin.
static void add_up(const Floor *f, const double *x, double *sum)
{
    Vec front = along(x[HEADING]), place = x[AT_X] + x[AT_Y] * IM, velocity = x[VX] + x[VY] * IM;
    Vec all = f->mass * velocity;
    sum[2] = f->inertia * x[YAW] + f->mass * cross(place, velocity);
    for (int i = 0; i < f->limbs; i++) {
        LegNow now = leg_now(f, i, x);
        Vec arm = front * (f->limb[i].x + now.x + f->limb[i].y * IM);
        Vec momentum = f->limb[i].mass * (velocity + IM * x[YAW] * arm + now.speed * front);
        all += momentum;
        sum[2] += cross(place + arm, momentum);
    }
    sum[0] = creal(all);
    sum[1] = cimag(all);
}

// Goal: the reference keeps momentum and angular momentum, which are in none of its formulas.
// Method: boxes on ice with turrets beside an arm that swings, is driven, and reacts.
static void reference_keeps_momentum(void **unused)
{
    (void)unused;
    for (int i = 0; i < IB_ROUNDS(20, 5); i++) {
        uint64_t seed = 90000 + (uint64_t)i;
        double before[3], after[3];
        Floor f = draw_floor(&seed, BOX, CIRCLE, false, 0);
        f.mu = f.force.size = f.impulse[0].size = f.impulse[1].size = 0;
        for (int k = 0; k < f.limbs; k++)
            f.limb[k] = draw_leg(&seed, k ? TURRET : TWO_LINK, f.mass, f.length);
        f.limb[0].reaction = true;
        Motion m = start_reference(&f);
        add_up(&f, m.x, before);
        go_reference(&m, f.duration);
        add_up(&f, m.x, after);
        for (int k = 0; k < 3; k++)
            assert_close(after[k], before[k], 1e-11 * (1 + fabs(before[k])));
    }
}

// A robot by chance: every law of wheels in turn, a half of them before a wall, a quarter with
// their masses high up.
static Floor draw_robot(Base base, int number)
{
    uint64_t seed = 1000 * (uint64_t)base + (uint64_t)number;
    Law law = laws[base] ? (Law)(number % laws[base]) : CIRCLE;
    Floor f = draw_floor(&seed, base, law, number % 3 == 0 || number % 8 >= 4, 45 * DEGREE);
    for (int i = 0; i < f.limbs && number % 4 == 3; i++) f.limb[i].z *= 4;
    return f;
}

// Goal: robots on tilted floors, with masses off the middle, rolling and slipping, pushed and hit,
// move as Newton's law has it, to 1e-8, as long as all their wheels stand on the floor, and tell
// when one would lift; their books balance to 1e-6. Method: random robots of all bases against
// another solution, of other equations by another integrator, of what they do until then.
static void robots_move_as_newton_has_it(void **unused)
{
    (void)unused;
    Tally all = {0};
    for (int base = 0; base < BASES; base++) {
        Tally tally = {0};
        for (int i = 0; i < ROBOTS; i++) {
            int wrong = tally.wrong;
            Floor f = draw_robot((Base)base, i);
            Seen seen = signals_of(&f);
            Story story = run_floor(&f, &seen, "solver: dopri5, tolerance: 1e-12");
            compare(&f, &seen, &story, &tally);
            if (tally.wrong > wrong)
                print_error("that was %s%s %d\n", law_names[f.law], base_names[base], i);
        }
        printf("  %s: off by %.2g, books by %.2g; %d of %d whole, %d lifted, %d hits, %d stops\n",
               base_names[base], tally.worst, tally.book, tally.whole, ROBOTS, tally.lifted,
               tally.hits, tally.stops);
        all.wrong += tally.wrong;
        all.whole += tally.whole;
        all.lifted += tally.lifted;
        all.hits += tally.hits;
        all.stops += tally.stops;
    }
    assert_int_equal(all.wrong, 0);
    assert_true(all.whole > BASES * ROBOTS / 2 && all.lifted >= ROBOTS / 12);
    assert_true(all.hits >= ROBOTS && all.stops >= ROBOTS / 2);
}

// ----------------------------------------------------------------------------- mirrored and turned

static void mirror_pushes(Push *push, int count)
{
    for (int i = 0; i < count; i++) {
        push[i].direction *= -1;
        push[i].point = conj(push[i].point);
    }
}

static void swap(double *pair)
{
    double first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
}

// All of it in a mirror along x: what is left is right.
static Floor mirrored(Floor f)
{
    for (int i = 0; i < 2; i++) {
        f.stick[i][0] *= -1;
        f.stick[i][2] *= -1;
        for (int j = 0; j < WHEELS && f.base != HOLONOMIC; j += 2) swap(f.drive[i] + j);
        for (int j = 0; j < WHEELS; j += 2) swap(f.steer[i] + j);
        for (int j = 0; j < WHEELS; j++) f.steer[i][j] *= -1;
    }
    for (int i = 0; i < f.wheels && f.base == HOLONOMIC; i++) {
        Wheel *w = &f.wheel[i];
        *w = (Wheel){conj(w->place), -w->direction, -w->roller};
    }
    for (int i = 0; i < f.limbs; i++) f.limb[i].y *= -1;
    for (int i = AT_Y; i <= YAW; i++) f.start[i] *= i == VX ? 1 : -1;
    mirror_pushes(f.tilt, PUSHES);
    mirror_pushes(f.impulse, PUSHES);
    mirror_pushes(&f.force, 1);
    f.wall = conj(f.wall);
    f.wall_direction *= -1;
    return f;
}

static Floor turned(Floor f, double angle)
{
    for (int i = 0; i < PUSHES; i++) f.tilt[i].direction += angle, f.impulse[i].direction += angle;
    f.force.direction += angle;
    f.wall *= along(angle);
    f.wall_direction += angle;
    for (int i = 0; i < 6; i += 3) {
        Vec pair = (f.start[i] + f.start[i + 1] * IM) * along(angle);
        f.start[i] = creal(pair);
        f.start[i + 1] = cimag(pair);
    }
    f.start[HEADING] += angle;
    return f;
}

// The same quantity of a mirrored robot: of the other side, where there are two.
static int partner_of(const Floor *f, int at)
{
    static const int groups[] = {RIM, STEER, STEER_RATE, LOAD};
    for (int i = 0; i < 4; i++)
        if (at >= groups[i] && at < groups[i] + WHEELS && (f->base == TANK || f->base == SWERVE))
            return groups[i] + ((at - groups[i]) ^ 1);
    return at;
}

// What a run of a mirrored robot would have shown without the mirror.
static void look_into_mirror(const Floor *f, const Seen *seen, double *value)
{
    double mirrored[SEEN];
    memcpy(mirrored, value, sizeof mirrored);
    for (int i = 0; i < seen->count; i++) {
        int at = seen->state[i], other = 0;
        while (seen->state[other] != partner_of(f, at)) other++;
        bool left = at == AT_Y || at == HEADING || at == VY || at == YAW ||
                    (at == RIM && f->base == BALL) || (at >= STEER && at < JOINT);
        value[i] = left ? -mirrored[other] : mirrored[other];
    }
}

// The same of one on a turned field: poses and velocities come first, roll of a ball behind them.
static void turn_back(const Floor *f, const Seen *seen, double angle, double *value)
{
    for (int i = 0; i < seen->count; i++) {
        int at = seen->state[i];
        if (at == HEADING) value[i] -= angle;
        if (at != AT_X && at != VX && !(at == RIM && f->base == BALL)) continue;
        Vec pair = (value[i] + value[i + 1] * IM) * along(-angle);
        value[i] = creal(pair);
        value[i + 1] = cimag(pair);
    }
}

static double most_apart(const Seen *seen, const Story *a, const Story *b)
{
    double most = 0;
    for (int k = 0; k < LOOKS; k++)
        for (int i = 0; i < seen->count; i++) {
            double off =
                fabs(a->value[k][i] - b->value[k][i]) / (1 / seen->arm[i] + fabs(a->value[k][i]));
            most = fmax(most, off);
        }
    return most;
}

// Goal: no side and no direction is another one's better. Method: random robots, in a mirror and on
// turned fields; a fixed step, whose length depends on neither, so that nothing but rounding
// remains; that of a slide decays.
static void left_is_right_and_north_is_east(void **unused)
{
    (void)unused;
    static const char method[] = "solver: rk4, step: 0.5 ms";
    for (int i = 0; i < IB_ROUNDS(5, 1) * BASES; i++) {
        uint64_t seed = (uint64_t)(50000 + i);
        Base base = (Base)(i % BASES);
        double angle = spread(&seed, 0.5, 6);
        Floor f = draw_floor(&seed, base, laws[base] ? (Law)(i / BASES % laws[base]) : CIRCLE,
                             false, 45 * DEGREE);
        Floor other = mirrored(f), round = turned(f, angle);
        Seen seen = signals_of(&f);
        Story here = run_floor(&f, &seen, method), there = run_floor(&other, &seen, method);
        Story back = run_floor(&round, &seen, method);
        for (int k = 0; k < LOOKS; k++) {
            look_into_mirror(&f, &seen, there.value[k]);
            turn_back(&f, &seen, angle, back.value[k]);
        }
        double mirror = most_apart(&seen, &here, &there), turn = most_apart(&seen, &here, &back);
        if (!(mirror < 1e-12) || !(turn < 1e-12))
            fail_msg("%s%s %d: mirrored off by %.3g, turned by %.3g", law_names[f.law],
                     base_names[base], i, mirror, turn);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_keeps_momentum),
        cmocka_unit_test(robots_move_as_newton_has_it),
        cmocka_unit_test(left_is_right_and_north_is_east),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
