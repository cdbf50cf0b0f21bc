// bench/review_cylinder.c: every solver on the cylinder rig: how long its steps may be, what they
// cost and how wrong they are. Prints the tables of docs/solver/solver_review.md, the same on every
// machine: counts and errors, no times. With `curves` it prints the points of its figure as CSV.
//
// The solvers drive ib_cylinder_rig_rate themselves (test/robot/cylinder_review.h): a run of the
// program would divide a step that is too long.
#include "robot/cylinder_review.h"

static const double SLOW = 1e-3, THESIS = 1.0 / 640; // outer steps [s]
static const double SPAN = 2;                        // from the step on [s]
enum { MARKS_MAX = 2000 };                           // looks: at the end of every outer step

// --------------------------------------------------------------------------------------- the cases

typedef struct Case {
    const char *name;
    double mass, volts; // volts: of the step, from 5 V
    bool inches;
    const char *set[3][2]; // other settings
} Case;

// A leg's mass is that which its joint shows the cylinder: it has inertia, and no weight.
static void take(const Case *c, Review *r)
{
    review_default(r);
    r->config.piston.mass = c->mass;
    if (c->mass > 1) r->config.orientation = 0;
    if (c->inches) r->config.piston.friction.velocity_unit = 0.0254;
    for (int i = 0; i < 3 && c->set[i][0]; i++) review_set(r, c->set[i][0], c->set[i][1]);
}

// What came out at the end of every outer step, and what that cost.
typedef struct Track {
    int marks;
    double x[MARKS_MAX], cap[MARKS_MAX], rod[MARKS_MAX];
    int64_t evaluations, jacobians; // of all steps
    int64_t most;                   // rate calls of one outer step
    bool finite;
} Track;

static void look(const Review *r, Track *t)
{
    t->x[t->marks] = r->state[IB_RIG_POSITION];
    t->cap[t->marks] = review_pressure(r, true);
    t->rod[t->marks++] = review_pressure(r, false);
}

static bool advance(Review *r, double outer, int parts)
{
    for (int i = 0; i < parts; i++)
        if (!review_advance(r, outer / parts)) return false;
    return true;
}

// 5 s of opposite saturation, then the step and 2 s. An adaptive method ends a step where an outer
// one ends: that is where somebody waits for it.
static Track *run(const Case *c, ib_SolverKind kind, double tolerance, double outer, int parts)
{
    Review *r = malloc(sizeof *r);
    Track *t = calloc(1, sizeof *t);
    if (!r || !t) review_stop("out of memory");
    take(c, r);
    review_begin(r, kind, tolerance);
    r->input[IB_RIG_VALVE] = c->volts > 0 ? 0 : 10;
    review_settle(r);
    t->finite = true;
    int before = (int)lround(5 / outer), count = (int)lround(SPAN / outer);
    for (int i = 0; i < before && t->finite; i++) t->finite = advance(r, outer, parts);
    r->input[IB_RIG_VALVE] = 5 + c->volts;
    review_settle(r);
    ib_solver_forget_work(r->solver);
    for (int k = 0; k < count && t->finite; k++) {
        int64_t so_far = ib_solver_work(r->solver).evaluations;
        t->finite = advance(r, outer, parts);
        int64_t now = ib_solver_work(r->solver).evaluations - so_far;
        if (now > t->most) t->most = now;
        look(r, t);
    }
    ib_SolverWork work = ib_solver_work(r->solver);
    t->evaluations = work.evaluations;
    t->jacobians = work.jacobians;
    review_end(r);
    free(r);
    return t;
}

typedef struct Error {
    double x, pressure; // [m], relative
} Error;

static Error compare(const Track *a, const Track *b)
{
    Error e = {0};
    if (!a->finite) return (Error){INFINITY, INFINITY};
    for (int k = 0; k < a->marks; k++) {
        e.x = fmax(e.x, fabs(a->x[k] - b->x[k]));
        e.pressure = fmax(e.pressure, fabs(a->cap[k] / b->cap[k] - 1));
        e.pressure = fmax(e.pressure, fabs(a->rod[k] / b->rod[k] - 1));
    }
    return e;
}

static Track *exact(const Case *c, double outer)
{
    return run(c, IB_ROSENBROCK, 1e-11, outer, 1);
}

// ------------------------------------------------------------------------------------- eigenvalues

static void print_friction(void)
{
    static const struct {
        const char *what;
        double mass;
    } masses[] = {{"rig", 0.2},
                  {"leg, gamma", 2.3},
                  {"leg, beta", 8},
                  {"leg, alpha", 14},
                  {"leg, alpha", 105}};
    printf("## Friction's eigenvalue at rest, -F_S k/m - C_V/m\n\n"
           "| | mass | v in m/s | longest step of RK4 | v in in/s | longest step of RK4 |\n"
           "|---|---|---|---|---|---|\n");
    for (int i = 0; i < 5; i++) {
        double lambda[2];
        for (int inches = 0; inches < 2; inches++) {
            Case c = {.mass = masses[i].mass, .inches = inches};
            Review r;
            take(&c, &r);
            ib_cylinder_rig_init(&r.config, &r.rig);
            lambda[inches] =
                -ib_friction_slope(&r.rig.piston.friction, 0, 0, 0) * r.rig.piston.per_mass;
        }
        printf("| %s | %g kg | %.2f 1/s | %.4g ms | %.0f 1/s | %.4g ms |\n", masses[i].what,
               masses[i].mass, lambda[0], -1e3 * review_limit(IB_RK4) / lambda[0], lambda[1],
               -1e3 * review_limit(IB_RK4) / lambda[1]);
    }
    printf("\n");
}

static void print_eigenvalues(const char *point, const Review *r)
{
    ib_Complex values[6];
    review_eigenvalues(r, values);
    printf("| %s |", point);
    for (int i = 0; i < 4; i++) {
        if (values[i].im == 0) printf("%s %.1f", i ? "," : "", values[i].re);
        if (values[i].im > 0) printf("%s %.1f +- %.1fi", i ? "," : "", values[i].re, values[i].im);
    }
    printf(" |\n");
}

// The pressures of the +1.25 V step at 5.2 s, reference A4; at rest those of Figure 23.
static void print_points(void)
{
    static const double zero_force = 5.229230162, rest_cap = 160694.7212, rest_rod = 173340.6734;
    Review *r = malloc(sizeof *r);
    if (!r) review_stop("out of memory");
    printf(
        "## Eigenvalues of the whole rig, 1/s (two more are 0: place, and what the air keeps)\n\n"
        "| point | eigenvalues |\n|---|---|\n");
    for (int i = 0; i < 2; i++) {
        double v = i ? 0.09 : 0.2;
        char point[80];
        review_default(r);
        review_begin(r, IB_RK4, 0);
        r->input[IB_RIG_VALVE] = 6.25;
        review_place(r, 0.022225, v, 341882.12, 337960.55, 331.90, 304.03);
        snprintf(point, sizeof point, "mid-stroke, %g m/s", v);
        print_eigenvalues(point, r);
        review_end(r);
    }
    review_default(r);
    review_begin(r, IB_RK4, 0);
    r->input[IB_RIG_VALVE] = zero_force;
    review_place(r, 0.022225, 0, rest_cap, rest_rod, 298, 298);
    print_eigenvalues("mid-stroke, at rest", r);
    review_end(r);
    for (int i = 0; i < 2; i++) {
        review_default(r);
        review_set(r, "orifice.laminar", i ? "0.999" : "0.9999");
        review_begin(r, IB_RK4, 0);
        review_place(r, 0.001, 0, 108248, 448159, 298, 298);
        print_eigenvalues(i ? "1 mm from the end, valve wide open, laminar above 0.999"
                            : "1 mm from the end, valve wide open, laminar above 0.9999",
                          r);
        review_end(r);
    }
    free(r);
    printf("\n");
}

// --------------------------------------------------------------------------------------- stability

static void print_stability(void)
{
    static const struct {
        const char *name;
        ib_SolverKind kind;
    } methods[] = {{"euler", IB_EULER}, {"rk4", IB_RK4}, {"dopri5, fixed", IB_DOPRI5}};
    Review *r = malloc(sizeof *r);
    if (!r) review_stop("out of memory");
    printf("## Longest stable step of the friction alone, 0.2 kg [ms]: predicted, measured\n\n"
           "| | m/s, predicted | measured | in/s, predicted | measured |\n|---|---|---|---|---|\n");
    for (int i = 0; i < 3; i++) {
        printf("| %s |", methods[i].name);
        for (int inches = 0; inches < 2; inches++) {
            Case c = {.mass = 0.2, .inches = inches};
            take(&c, r);
            r->air_held = true;
            review_begin(r, methods[i].kind, 0);
            review_place(r, 0.02, 0, 2e5, 2e5, 298, 298);
            double slope =
                ib_friction_slope(&r->rig.piston.friction, 0, 0.02, 0) * r->rig.piston.per_mass;
            double predicted = review_limit(methods[i].kind) / slope;
            double measured = review_longest(r, 0.2 * predicted, 5 * predicted);
            printf(" %.5f | %.5f |", 1e3 * predicted, 1e3 * measured);
            review_end(r);
        }
        printf("\n");
    }
    printf("| rosenbrock, stiff | any | any | any | any |\n\n");
    free(r);
}

// ---------------------------------------------------------------------------------- error and cost

typedef struct Row {
    const char *name;
    ib_SolverKind kind;
    double tolerance; // 0: fixed
    int parts;        // of an outer step
} Row;

static const Row rows[] = {
    {"euler", IB_EULER, 0, 1},
    {"euler", IB_EULER, 0, 4},
    {"euler", IB_EULER, 0, 16},
    {"rk4", IB_RK4, 0, 1},
    {"rk4", IB_RK4, 0, 2},
    {"rk4", IB_RK4, 0, 4},
    {"rk4", IB_RK4, 0, 8},
    {"dopri5, fixed", IB_DOPRI5, 0, 1},
    {"dopri5, fixed", IB_DOPRI5, 0, 2},
    {"dopri5, fixed", IB_DOPRI5, 0, 4},
    {"stiff", IB_STIFF, 0, 1},
    {"stiff", IB_STIFF, 0, 2},
    {"stiff", IB_STIFF, 0, 4},
    {"stiff", IB_STIFF, 0, 8},
    {"dopri5", IB_DOPRI5, 1e-5, 1},
    {"dopri5", IB_DOPRI5, 1e-7, 1},
    {"dopri5", IB_DOPRI5, 1e-9, 1},
    {"rosenbrock", IB_ROSENBROCK, 1e-5, 1},
    {"rosenbrock", IB_ROSENBROCK, 1e-7, 1},
    {"rosenbrock", IB_ROSENBROCK, 1e-9, 1},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void print_row(const Track *t, const Track *true_one)
{
    Error e = compare(t, true_one);
    double n = (double)t->marks;
    if (!t->finite) {
        printf(" | explodes | |");
        return;
    }
    printf(" %.1f | %.2g | %.1e |", (double)t->evaluations / n, 1e6 * e.x, e.pressure);
}

static void print_cost(const Case *c)
{
    Track *slow = exact(c, SLOW), *thesis = exact(c, THESIS);
    printf(
        "## Error and cost: %s\n\n"
        "| solver | parts, tolerance | 1 kHz: calls | x [um] | P | most calls | 640 Hz: calls | x "
        "[um] | P |\n|---|---|---|---|---|---|---|---|---|\n",
        c->name);
    for (int i = 0; i < ROWS; i++) {
        const Row *row = &rows[i];
        Track *one = run(c, row->kind, row->tolerance, SLOW, row->parts);
        Track *two = run(c, row->kind, row->tolerance, THESIS, row->parts);
        if (row->tolerance > 0)
            printf("| %s | %.0e |", row->name, row->tolerance);
        else
            printf("| %s | %d |", row->name, row->parts);
        print_row(one, slow);
        printf(" %d |", (int)one->most);
        print_row(two, thesis);
        printf("\n");
        free(one);
        free(two);
    }
    free(slow);
    free(thesis);
    printf("\n");
}

static void print_curves(const Case *c)
{
    static const struct {
        const char *name;
        ib_SolverKind kind;
        double tolerance; // of its first point; 0: fixed
    } methods[] = {{"euler", IB_EULER, 0},         {"rk4", IB_RK4, 0},
                   {"dopri5 fixed", IB_DOPRI5, 0}, {"stiff", IB_STIFF, 0},
                   {"dopri5", IB_DOPRI5, 1e-3},    {"rosenbrock", IB_ROSENBROCK, 1e-3}};
    Track *true_one = exact(c, SLOW);
    for (int m = 0; m < 6; m++) {
        double tolerance = methods[m].tolerance;
        printf("# %s\n", methods[m].name);
        for (int k = 0; k < 7; k++, tolerance /= 10) {
            Track *t = run(c, methods[m].kind, tolerance, SLOW, 1 << (tolerance > 0 ? 0 : k));
            Error e = compare(t, true_one);
            if (isfinite(e.x))
                printf("%.6g,%.4e,%.4e,%d\n", (double)t->evaluations / t->marks, e.x, e.pressure,
                       (int)t->most);
            free(t);
        }
        printf("\n\n");
    }
    free(true_one);
}

// ----------------------------------------------------------------------- what a long step makes up

typedef struct Rest {
    double speed, way; // largest; peak to peak [m/s], [m]
} Rest;

// The closed loop of reference A5, from 4 s to 5 s: it should be at rest by then.
static Rest rest(ib_SolverKind kind, double tolerance, double h, bool plain)
{
    Review *r = malloc(sizeof *r);
    double low = 1, high = -1;
    Rest found = {0};
    if (!r) review_stop("out of memory");
    review_default(r);
    r->closed = true;
    r->plain = plain;
    r->kp = 152.93, r->kd = 5, r->goal = 0.01;
    review_begin(r, kind, tolerance);
    int64_t n = llround(5 / h);
    for (int64_t k = 0; k < n; k++) {
        double t = (double)k * h;
        if (t > 2 - 1e-9) r->goal = 0.03;
        if (!review_advance(r, h)) review_stop("not finite");
        if (t < 4) continue;
        low = fmin(low, r->state[IB_RIG_POSITION]);
        high = fmax(high, r->state[IB_RIG_POSITION]);
        found.speed = fmax(found.speed, fabs(r->state[IB_RIG_VELOCITY]));
    }
    found.way = high - low;
    review_end(r);
    free(r);
    return found;
}

static void print_rest(void)
{
    static const struct {
        const char *name;
        ib_SolverKind kind;
        double tolerance, h;
    } methods[] = {
        {"dopri5, fixed", IB_DOPRI5, 0, 1e-3}, {"dopri5, fixed", IB_DOPRI5, 0, 1.0 / 640},
        {"dopri5, fixed", IB_DOPRI5, 0, 5e-4}, {"rk4", IB_RK4, 0, 1e-3},
        {"rk4", IB_RK4, 0, 1.0 / 640},         {"rk4", IB_RK4, 0, 5e-4},
        {"euler", IB_EULER, 0, 1e-3},          {"euler", IB_EULER, 0, 2.5e-4},
        {"stiff", IB_STIFF, 0, 1e-3},          {"stiff", IB_STIFF, 0, 1.0 / 640},
        {"stiff", IB_STIFF, 0, 5e-4},          {"rosenbrock", IB_ROSENBROCK, 1e-9, 1e-3}};
    printf("## At rest in a closed loop (reference A5), from 4 s to 5 s\n\n"
           "| solver | step | plain: speed | way | with events: speed | way |\n"
           "|---|---|---|---|---|---|\n");
    for (int i = 0; i < 12; i++) {
        bool adaptive = methods[i].tolerance > 0;
        Rest seen = rest(methods[i].kind, methods[i].tolerance, methods[i].h, false);
        printf("| %s | %.4g ms |", methods[i].name, 1e3 * methods[i].h);
        if (adaptive) {
            printf(" | |");
        } else {
            Rest plain = rest(methods[i].kind, 0, methods[i].h, true);
            printf(" %.4f m/s | %.3f mm |", plain.speed, 1e3 * plain.way);
        }
        printf(" %.4f m/s | %.3f mm |\n", seen.speed, 1e3 * seen.way);
    }
    printf("\n");
}

// ------------------------------------------------------------------------------------- the default

static const Case defaults[] = {
    {"rig, +0.75 V", 0.2, 0.75, false, {{0}}},
    {"rig, +1.25 V", 0.2, 1.25, false, {{0}}},
    {"rig, +3 V", 0.2, 3, false, {{0}}},
    {"rig, -1.25 V", 0.2, -1.25, false, {{0}}},
    {"gamma, 2.3 kg", 2.3, 1.25, false, {{0}}},
    {"beta, 8 kg", 8, 1.25, false, {{0}}},
    {"alpha, 14 kg", 14, 1.25, false, {{0}}},
    {"alpha, 105 kg", 105, 1.25, false, {{0}}},
    {"in/s", 0.2, 1.25, true, {{0}}},
    {"in/s, 2.3 kg", 2.3, 1.25, true, {{0}}},
    {"in/s, 8 kg", 8, 1.25, true, {{0}}},
    {"lugre", 0.2, 1.25, false, {{"friction.law", "lugre"}}},
    {"lugre, 2.3 kg", 2.3, 1.25, false, {{"friction.law", "lugre"}}},
    {"coulomb_viscous", 0.2, 1.25, false, {{"friction.law", "coulomb_viscous"}}},
    {"viscous, 70 N s/m",
     0.2,
     1.25,
     false,
     {{"friction.law", "viscous"}, {"friction.viscous", "70 N*s/m"}}},
    {"saturated", 0.2, 1.25, false, {{"friction.law", "saturated"}}},
    {"spool 100 Hz", 0.2, 1.25, false, {{"valve.spool.dynamics", "second"}}},
    {"spool 100 Hz, first order", 0.2, 1.25, false, {{"valve.spool.dynamics", "first"}}},
    {"walls, h = 1000",
     0.2,
     1.25,
     false,
     {{"heat.law", "walls"}, {"heat.coefficient", "1000 W/(m^2*K)"}}},
    {"isothermal", 0.2, 1.25, false, {{"heat.law", "isothermal"}}},
    {"line of 20 cm^3", 0.2, 1.25, false, {{"supply.volume", "20 cm^3"}}},
    {"compliant stops", 0.2, 1.25, false, {{"stops.law", "compliant"}}},
    {"compliant stops, 8 kg", 8, 1.25, false, {{"stops.law", "compliant"}}},
    {"bouncing stops", 0.2, 3, false, {{"stops.restitution", "0.5"}}},
    {"iso orifice, laminar 0.999",
     0.2,
     1.25,
     false,
     {{"orifice.law", "iso_6358"}, {"orifice.laminar", "0.999"}}},
    {"linear valve", 0.2, 1.25, false, {{"valve.law", "linear"}}},
    {"spool valve", 0.2, 1.25, false, {{"valve.law", "spool"}}},
    {"cushions", 0.2, 1.25, false, {{"cushion.length", "8 mm"}}},
    {"leaks", 0.2, 1.25, false, {{"leak.piston", "2e-8 m^2"}, {"leak.seal", "1e-8 m^2"}}},
};
enum { DEFAULTS = sizeof defaults / sizeof defaults[0] };

// As a run without `solver:` makes its steps: divided by resolution_stiff.
static void print_default(double outer, const char *title)
{
    printf("## The default at %s\n\n"
           "| case | solver | parts, tolerance | calls, J | most calls | x [um] | P | |\n"
           "|---|---|---|---|---|---|---|---|\n",
           title);
    for (int i = 0; i < DEFAULTS; i++) {
        const Case *c = &defaults[i];
        Review *r = malloc(sizeof *r);
        if (!r) review_stop("out of memory");
        take(c, r);
        ib_cylinder_rig_init(&r->config, &r->rig);
        ib_SolverConfig wish = ib_solver_default();
        ib_RigRobotConfig whole = {.rig = r->config};
        ib_cylinder_rig_kind.solver(&whole, &wish);
        bool fixed = wish.kind == IB_STIFF;
        int parts = (int)ceil(outer / ib_cylinder_rig_resolution_stiff(&r->rig) * (1 - 1e-12));
        Track *true_one = exact(c, outer);
        Track *t = run(c, wish.kind, fixed ? 0 : wish.tolerance, outer, fixed ? parts : 1);
        Error e = compare(t, true_one);
        double n = (double)t->marks;
        if (fixed)
            printf("| %s | stiff | %d |", c->name, parts);
        else
            printf("| %s | rosenbrock | %.0e |", c->name, wish.tolerance);
        printf(" %.1f, %.1f | %d | %.2g | %.1e | %s |\n", (double)t->evaluations / n,
               (double)t->jacobians / n, (int)t->most, 1e6 * e.x, e.pressure,
               e.x < 20e-6 && e.pressure < 1e-4 ? "" : "above");
        free(true_one);
        free(t);
        free(r);
        fflush(stdout);
    }
    printf("\n");
}

int main(int count, char **words)
{
    static const Case reviewed[] = {
        {"rig, 0.2 kg, +1.25 V, m/s", 0.2, 1.25, false, {{0}}},
        {"rig, 0.2 kg, +1.25 V, in/s", 0.2, 1.25, true, {{0}}},
        {"leg, gamma: 2.3 kg, +1.25 V, m/s", 2.3, 1.25, false, {{0}}},
        {"leg, gamma: 2.3 kg, +1.25 V, in/s", 2.3, 1.25, true, {{0}}},
        {"leg, beta: 8 kg, +1.25 V, m/s", 8, 1.25, false, {{0}}},
        {"leg, alpha: 105 kg, +1.25 V, m/s", 105, 1.25, false, {{0}}},
    };
    if (count > 1 && strcmp(words[1], "curves") == 0) {
        print_curves(&reviewed[0]);
        return 0;
    }
    if (count > 1 && strcmp(words[1], "default") == 0) {
        print_default(SLOW, "1 kHz");
        return 0;
    }
    print_friction();
    print_points();
    print_stability();
    print_rest();
    for (int i = 0; i < 6; i++) print_cost(&reviewed[i]);
    print_default(SLOW, "1 kHz");
    print_default(THESIS, "640 Hz");
    return 0;
}
