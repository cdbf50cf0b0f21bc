#include "plant/wheel/swerve.h"

void ib_swerve_init(int count, double inertia, double rotor, double friction, ib_SwerveRow *row)
{
    *row = (ib_SwerveRow){.count = count,
                          .inertia = inertia,
                          .rotor = rotor,
                          .friction = friction,
                          .share = inertia / (inertia + rotor),
                          .per_whole = 1 / (inertia + rotor),
                          .carried = count * rotor * inertia / (inertia + rotor)};
}

const ib_SignalDef ib_swerve_signals[IB_SWERVE_SIGNALS] = {
    {"angle", "rad", "direction in which its wheel rolls, to the left of the front; continuous",
     1e9, IB_MEANS(.form = IB_STATE, .headline = 3, .shown = "deg")},
    {"rate", "rad/s", "how fast it turns in the body", 1e6,
     IB_MEANS(.form = IB_STATE, .shown = "deg/s")},
};

void ib_swerve_declare(ib_SwerveRow *row, const char *const *prefixes, const char *const *parts,
                       ib_Declarations *d)
{
    for (int i = 0; i < row->count; i++) {
        ib_declare(d, prefixes[i], parts[i], &ib_swerve_signals[0], 1, &row->angle[i]);
        ib_declare(d, prefixes[i], parts[i], &ib_swerve_signals[1], 1, &row->rate[i]);
    }
    ib_declare_entry(d, "energy.steering", &row->stored);
    ib_declare_entry(d, "energy.bearings", &row->lost);
}

// The fastest motion is that of all modules one way and the body the other:
//   q' = -(b + c) (1/(I + J) + n k^2/I0) q
double ib_swerve_resolution(const ib_SwerveRow *row, double inertia, double brake)
{
    double yield = row->per_whole + row->count * row->share * row->share / inertia;
    return 0.3 / ((brake + row->friction) * yield);
}

// ----------------------------------------------------------------------------------------- physics

static void offer(const void *part, void *notes, ib_Wires *w)
{
    const ib_SwerveRow *row = part;
    (void)notes;
    for (int i = 0; i < row->count; i++) w->speed[row->shaft + i] = w->x[row->rate[i]];
}

// Turning torque of a module in the body: tau - c q.
static double turning(const ib_SwerveRow *row, int i, const ib_Wires *w)
{
    return w->torque[row->shaft + i] - row->friction * w->x[row->rate[i]];
}

static void push(const void *part, void *notes, ib_Wires *w)
{
    const ib_SwerveRow *row = part;
    (void)notes;
    for (int i = 0; i < row->count; i++) w->body.force.torque -= row->share * turning(row, i, w);
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    const ib_SwerveRow *row = part;
    (void)notes;
    for (int i = 0; i < row->count; i++) {
        double q = w->x[row->rate[i]];
        dx[row->angle[i]] = q;
        dx[row->rate[i]] = turning(row, i, w) * row->per_whole - row->share * w->body.a.w;
        dx[row->lost] += row->friction * q * q;
    }
}

static void jump(const void *part, const double *x, const ib_Twist *body, double *change)
{
    (void)x;
    const ib_SwerveRow *row = part;
    for (int i = 0; i < row->count; i++) change[row->rate[i]] -= row->share * body->w;
}

static double kinetic(const void *part, const ib_Wires *w)
{
    const ib_SwerveRow *row = part;
    double sum = 0;
    for (int i = 0; i < row->count; i++) {
        double q = w->x[row->rate[i]], over = w->body.v.w + q;
        sum += 0.5 * (row->inertia * over * over + row->rotor * q * q);
    }
    return sum;
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_SwerveRow *row = part;
    (void)notes;
    y[row->stored] += kinetic(row, w);
}

const ib_PartKind ib_swerve_part = {
    .name = "swerve modules",
    .offer = offer,
    .push = push,
    .rate = rate,
    .jump = jump,
    .output = output,
    .kinetic = kinetic,
};
