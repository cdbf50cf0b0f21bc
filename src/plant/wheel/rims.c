#include "plant/wheel/rims_now.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- model

static void init_patches(const ib_RimsConfig *config, ib_Rims *r)
{
    const ib_LayoutConfig *layout = &config->layout;
    ib_PatchConfig patch = {.tyre = config->tyre, .count = layout->count, .rim_count = r->count};
    patch.tyre.law = r->law == IB_RIMS_BRISTLE ? IB_TYRE_BRISTLE : IB_TYRE_CIRCLE;
    for (int i = 0; i < layout->count; i++)
        patch.place[i] =
            (ib_PatchPlace){layout->wheels[i].x, layout->wheels[i].y, r->layout.rim[i]};
    ib_patch_init(&patch, &r->patch);
    for (int i = 0; i < r->count; i++) {
        const ib_LayoutWheel *wheel = &layout->wheels[r->layout.first[i]];
        bool free = wheel->roller < INFINITY;
        r->rim[i] = ib_patch_rim(wheel->direction, free ? wheel->roller : M_PI / 2,
                                 free ? config->roller_friction : 1);
        r->radius[i] = 0.5 * wheel->diameter;
    }
    const ib_Weight one = {.force = 1};
    ib_patch_loads(&r->patch, NULL, &one, r->share);
}

void ib_rims_init(const ib_RimsConfig *config, ib_Rims *r)
{
    memset(r, 0, sizeof *r);
    ib_layout_init(&config->layout, &r->layout);
    r->count = r->layout.rim_count;
    r->law = config->law;
    r->resists = config->tyre.rolling_resistance > 0;
    r->speed = r->bristles = -1;
    init_patches(config, r);
    for (int i = 0; i < r->layout.wheel_count; i++)
        r->wheel_spin[r->layout.rim[i]] += config->wheel_inertia;
    for (int i = 0; i < r->count; i++) {
        r->spin[i] = r->wheel_spin[i] + config->rotors;
        r->per_spin[i] = 1 / r->spin[i];
    }
}

void ib_rims_load(const ib_Rims *r, double whole[9])
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < 9; k++)
            whole[k] += r->spin[i] * r->layout.turn[i][k / 3] * r->layout.turn[i][k % 3];
}

// With B the allowed twists:
//   whole = diag(M, M, I) + sum J turn turn^T,   answer = B (B^T whole B)^-1 B^T
void ib_rims_response(const ib_Rims *r, double mass, double inertia, double whole[9],
                      double response[9])
{
    memset(whole, 0, 9 * sizeof *whole);
    whole[0] = whole[4] = mass;
    whole[8] = inertia;
    ib_rims_load(r, whole);
    ib_mass_response(whole, r->layout.allowed_count, r->layout.allowed, response);
}

// Motors brake the rims or the body, and patches hold them. A light robot whose slide a friction
// circle stops at once has little energy in its book: at h lambda = 0.63 that of four wheels
// without rollers is off by 6e-6, at 0.42 no preset's by 1e-6.
double ib_rims_resolution(const ib_Rims *r, double mass, double inertia, const double response[9],
                          double brake)
{
    double shortest = INFINITY;
    if (r->law == IB_RIMS_ROLLING) {
        // Its trace bounds the largest rate of answer sum turn turn^T brake.
        double trace = 0;
        for (int i = 0; i < r->count; i++)
            for (int k = 0; k < 9; k++)
                trace += brake * response[k] * r->layout.turn[i][k / 3] * r->layout.turn[i][k % 3];
        return trace > 0 ? 0.5 / trace : INFINITY;
    }
    double reach = r->patch.reach_x * r->patch.reach_x + r->patch.reach_y * r->patch.reach_y;
    for (int i = 0; i < r->count; i++) {
        double radius = r->radius[i], share = 0;
        for (int k = 0; k < r->layout.wheel_count; k++) share += r->layout.rim[k] == i;
        double yield = ib_max(1 / mass, reach * (1 / inertia)) +
                       share / r->layout.wheel_count * radius * radius * r->per_spin[i];
        double fastest = ib_tyre_fastest(&r->patch.tyre, mass * 9.80665 * yield);
        double held = brake * r->per_spin[i];
        if (r->law == IB_RIMS_CIRCLE)
            shortest = ib_min(shortest, 0.42 / (fastest + held));
        else
            shortest = ib_min(shortest, ib_min(1.1 / fastest, 0.3 / held));
    }
    return shortest;
}

// ------------------------------------------------------------------------------------ declarations

const ib_SignalDef ib_wheel_signals[IB_WHEEL_SIGNALS] = {
    [IB_WHEEL_SPEED] = {"speed", "rad/s", "angular speed of this wheel", 1e5,
                        IB_MEANS(.shown = "rpm")},
    [IB_WHEEL_SLIP] = {"slip", "m/s",
                       "how fast it slips over the floor, but for what its rollers let go", 0,
                       IB_MEANS(.role = IB_ROLE_MOTOR_SLIP)},
    [IB_WHEEL_FORCE] = {"force", "N", "force of the floor on this wheel, where it rolls", 0},
    [IB_WHEEL_SIDE] = {"side", "N",
                       "force of the floor on this wheel, to the left of where it rolls", 0},
    [IB_WHEEL_LOAD] = {"load", "N", "share of the weight that this wheel carries", 0},
};

void ib_rims_declare(ib_Rims *r, ib_Declarations *d)
{
    bool slips = r->law != IB_RIMS_ROLLING;
    int bristles = slips ? ib_patch_state_count(&r->patch) : 0;
    if (slips) ib_declare_states(d, r->count, IB_STATE, &r->speed);
    if (bristles > 0) ib_declare_states(d, bristles, IB_STATE, &r->bristles);
    ib_declare_entry(d, "energy.wheels", &r->wheels);
    ib_declare_entry(d, "energy.rotors", &r->rotors);
    ib_declare_entry(d, "energy.tyre", &r->tyre);
}

void ib_rims_declare_wheel(ib_Rims *r, int wheel, const char *prefix, const char *part,
                           ib_Declarations *d)
{
    int at[IB_WHEEL_SIGNALS], rim = r->layout.rim[wheel];
    ib_declare(d, prefix, part, ib_wheel_signals, IB_WHEEL_SIGNALS, at);
    r->signal[wheel] = at[0];
    if (r->law != IB_RIMS_ROLLING && r->layout.first[rim] == wheel)
        ib_declare_shown(d, &r->speed, rim, at[IB_WHEEL_SPEED]);
}

// ----------------------------------------------------------------------------------------- physics

static void offer(const void *part, void *notes, ib_Wires *w)
{
    (void)notes;
    ib__rims_offer(part, w);
}

static void push(const void *part, void *notes, ib_Wires *w)
{
    ib__rims_push(part, notes, w);
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    ib__rims_rate(part, notes, w, dx);
}

// ------------------------------------------------------------------------------- what is looked at

// Wheels that never slip: the constraint force of a rim is its own torque less its resistance to
// rolling and its inertia, J Omega'; in equal parts at its wheels, each across its rollers.
static void hold_rims(const ib_Rims *r, const ib_RimsNotes *notes, const ib_Wires *w,
                      double force_x[], double force_y[])
{
    const ib_Twist *a = &w->body.a;
    for (int i = 0; i < r->count; i++) {
        const double *turn = r->layout.turn[i];
        const ib_PatchRim *rim = &r->rim[i];
        double rate = turn[0] * a->u + turn[1] * a->n + turn[2] * a->w;
        double along = rim->free_y * rim->roll_x - rim->free_x * rim->roll_y; // g . e
        double torque = w->torque[r->shaft + i] - r->spin[i] * rate + r->radius[i] * notes->drag[i];
        double force = torque / (r->radius[i] * along);
        for (int k = 0; k < r->layout.wheel_count; k++) {
            if (r->layout.rim[k] != i) continue;
            force_x[k] = r->patch.share[i] * force * rim->free_y;
            force_y[k] = -r->patch.share[i] * force * rim->free_x;
        }
    }
}

static void output(const void *part, const void *notes_, const ib_Wires *w, double *y)
{
    const ib_Rims *r = part;
    const ib_RimsNotes *notes = notes_;
    bool rolls = r->law == IB_RIMS_ROLLING;
    double held_x[IB_LAYOUT_WHEELS], held_y[IB_LAYOUT_WHEELS], load[IB_LAYOUT_WHEELS];
    if (rolls) {
        hold_rims(r, notes, w, held_x, held_y);
        ib_Weight weight = ib_weight_resting(w);
        ib__rims_loads(r, NULL, &weight, load);
    }
    for (int i = 0; i < r->layout.wheel_count; i++) {
        int rim = r->layout.rim[i];
        const ib_PatchRim *turned = rolls ? &r->rim[rim] : &notes->rim[rim];
        double c = turned->roll_x, s = turned->roll_y, *own = y + r->signal[i];
        double across = rolls ? 0 : notes->slips.across[i];
        // Sliding of the rollers is no slip.
        double along = rolls || notes->slips.scale[i] < 1 ? 0 : notes->slips.along[i];
        own[IB_WHEEL_SPEED] = w->speed[r->shaft + rim];
        own[IB_WHEEL_SLIP] = sqrt(across * across + along * along);
        double fx = rolls ? held_x[i] : notes->load[i] * notes->grip.x[i];
        double fy = rolls ? held_y[i] : notes->load[i] * notes->grip.y[i];
        own[IB_WHEEL_FORCE] = fx * c + fy * s;
        own[IB_WHEEL_SIDE] = fy * c - fx * s;
        own[IB_WHEEL_LOAD] = rolls ? load[i] : notes->load[i];
    }
    for (int i = 0; i < r->count; i++) {
        double speed = w->speed[r->shaft + i], half = 0.5 * speed * speed;
        y[r->wheels] += half * r->wheel_spin[i];
        y[r->rotors] += half * (r->spin[i] - r->wheel_spin[i]);
    }
}

static bool lifts(const void *part, const void *notes_, const ib_Wires *w)
{
    const ib_Rims *r = part;
    const ib_RimsNotes *notes = notes_;
    double load[IB_LAYOUT_WHEELS];
    ib_Weight weight = ib_weight_resting(w);
    bool rolls = r->law == IB_RIMS_ROLLING;
    if (rolls) ib__rims_loads(r, NULL, &weight, load);
    return ib_weight_lifts(&weight, r->layout.wheel_count, rolls ? load : notes->load);
}

// Rims begin as the body moves.
static void reset(const void *part, const void *config, const ib_Wires *w, double *x)
{
    (void)config;
    const ib_Rims *r = part;
    const ib_Twist *v = &w->body.v;
    for (int i = 0; r->speed >= 0 && i < r->count; i++) {
        const double *turn = r->layout.turn[i];
        x[r->speed + i] = turn[0] * v->u + turn[1] * v->n + turn[2] * v->w;
    }
}

static double kinetic(const void *part, const ib_Wires *w)
{
    const ib_Rims *r = part;
    double sum = 0;
    for (int i = 0; i < r->count; i++) {
        const double *turn = r->layout.turn[i];
        const ib_Twist *v = &w->body.v;
        double speed = turn[0] * v->u + turn[1] * v->n + turn[2] * v->w;
        sum += 0.5 * speed * speed * r->spin[i];
    }
    return sum;
}

const ib_PartKind ib_rims_part = {
    .name = "rims",
    .notes = sizeof(ib_RimsNotes),
    .reset = reset,
    .offer = offer,
    .push = push,
    .rate = rate,
    .output = output,
    .lifts = lifts,
    .kinetic = kinetic,
};
