// robot/holonomic/holonomic_model.c: from what was written to what is computed with:
// checks, constants, layout.
#include "base/extreme.h"
#include "robot/holonomic/holonomic_inside.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ checks

// Puts the key in front of what a part said.
static ib_Status within(const char *key, ib_Status status, const ib_Error *part, ib_Error *error)
{
    if (status == IB_OK) return IB_OK;
    return ib_error_set(error, status, "%s%.900s", key, part->text);
}

// Four omni wheels across the corners, front right first and then to the left: an X-drive.
static void cross_corners(const ib_HolonomicConfig *config, ib_LayoutConfig *layout)
{
    static const double quarter = M_PI / 4, omni = M_PI / 2, wheel = 0.1016; // 4 in
    double x = 0.39 * config->length, y = 0.39 * config->width;
    *layout = (ib_LayoutConfig){4,
                                {{x, -y, quarter, omni, wheel, 0},
                                 {x, y, 3 * quarter, omni, wheel, 0},
                                 {-x, y, 5 * quarter, omni, wheel, 0},
                                 {-x, -y, 7 * quarter, omni, wheel, 0}}};
}

void ib_holonomic_layout(const ib_HolonomicConfig *config, ib_LayoutConfig *layout)
{
    if (config->wheel_count == 0) {
        cross_corners(config, layout);
        return;
    }
    layout->count = config->wheel_count;
    for (int i = 0; i < config->wheel_count; i++) layout->wheels[i] = config->wheels[i].layout;
}

// A tall robot on sticky wheels tips over before they slide, which this model cannot show. Its
// wheels stand around the middle: the nearest edge of their outline is found by directions.
static double narrowest(const ib_LayoutConfig *layout)
{
    double least = INFINITY;
    for (int k = 0; k < 360; k++) {
        double c, s, farthest = 0;
        ib_sincos(k * (M_PI / 180), &s, &c);
        for (int i = 0; i < layout->count; i++)
            farthest = ib_max(farthest, layout->wheels[i].x * c + layout->wheels[i].y * s);
        least = ib_min(least, farthest);
    }
    return least;
}

static ib_Status check_tipping(const ib_HolonomicConfig *config, const ib_LayoutConfig *layout,
                               ib_Error *error)
{
    const ib_TyreConfig *t = &config->tyre;
    double mu =
        config->model == IB_HOLONOMIC_BRISTLE && t->mu_static > t->mu ? t->mu_static : t->mu;
    double base = narrowest(layout);
    if (config->model == IB_HOLONOMIC_ROLLING || !(mu * config->com_height > 1.2 * base))
        return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "wheels.com_height: at %.3g m the robot would tip over before its wheels "
                        "slide, which this model cannot show: expected at most %.3g m (how far its "
                        "wheels stand from the middle, over mu)",
                        config->com_height, base / mu);
}

// The middle, where the mass is, must be among the wheels: seen from there, no two neighbours are
// more than half a turn apart.
static ib_Status check_standing(const ib_LayoutConfig *layout, ib_Error *error)
{
    for (int i = 0; i < layout->count; i++) {
        const ib_LayoutWheel *own = &layout->wheels[i];
        double gap = 2 * M_PI;
        if (own->x == 0 && own->y == 0) return IB_OK;
        for (int k = 0; k < layout->count; k++) {
            const ib_LayoutWheel *other = &layout->wheels[k];
            double along = own->x * other->x + own->y * other->y;
            double angle = ib_atan2(own->x * other->y - own->y * other->x, along);
            if (angle < -1e-9) angle += 2 * M_PI;
            if (angle > 1e-9) gap = ib_min(gap, angle);
        }
        if (gap > M_PI + 1e-6)
            return ib_error_set(error, IB_BAD_INPUT,
                                "wheels.at: the robot's middle, where its mass is, lies outside "
                                "the wheels: it would tip over: expected wheels around x = 0 m, "
                                "y = 0 m");
    }
    return IB_OK;
}

static ib_Status check_wheels(const ib_HolonomicConfig *config, ib_Error *error)
{
    bool rolling = config->model == IB_HOLONOMIC_ROLLING;
    ib_LayoutConfig layout;
    ib_Error part;
    ib_holonomic_layout(config, &layout);
    ib_Status status = within("wheels.at", ib_layout_check(&layout, false, &part), &part, error);
    if (status == IB_OK)
        status = within("wheels.model", ib_layout_check(&layout, rolling, &part), &part, error);
    if (status == IB_OK) status = check_standing(&layout, error);
    if (status == IB_OK)
        status = within("wheels.", ib_tyre_check(&config->tyre, &part), &part, error);
    if (status != IB_OK) return status;
    if (!rolling && !(config->wheel_inertia > 0 || config->drive.rotor_inertia > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "wheels.inertia: wheels that slip need an inertia: expected more than "
                            "0 kg*m^2, or a drive.rotor_inertia");
    return check_tipping(config, &layout, error);
}

ib_Status ib__holonomic_check(const void *config_, ib_Error *error)
{
    const ib_HolonomicConfig *config = config_;
    ib_Error part;
    ib_DrivetrainConfig drive = config->drive;
    drive.wheel_diameter = 1;
    ib_Status status = within("drive.motor.", ib_motor_check(&config->motor, &part), &part, error);
    if (status == IB_OK)
        status = within("drive.thermal.", ib_thermal_check(&config->thermal, &part), &part, error);
    if (status == IB_OK)
        status = within("drive.", ib_drivetrain_check(&drive, &part), &part, error);
    if (status == IB_OK) status = ib_power_check(&config->outfit.power, error);
    return status == IB_OK ? check_wheels(config, error) : status;
}

// ----------------------------------------------------------------------------------------- derived

static void lay_out(const ib_HolonomicConfig *config, ib_HolonomicModel *h)
{
    const ib_PowerConfig *power = &config->outfit.power;
    int *end = &h->state_count, *guard = &h->guard_count;
    bool slips = h->model != IB_HOLONOMIC_ROLLING;
    *end = IB_HOLONOMIC_FIXED;
    *guard = 0;
    h->rim_state = ib_power_take(end, h->rims, slips);
    int bristles = slips ? ib_patch_state_count(&h->patch) : 0;
    h->bristle_state = ib_power_take(end, bristles, bristles > 0);
    h->power.books = ib__holonomic_books;
    ib_power_lay_out(power, &h->power, end, guard);
    for (int i = 0; i < h->rims; i++) ib_power_branch(power, &h->power, end, guard);
    ib_thermal_lay_out(&config->thermal, h->rims, h->drive.motors, &h->thermal, end);
}

static void init_patches(const ib_HolonomicConfig *config, const ib_LayoutConfig *layout,
                         ib_HolonomicModel *h)
{
    ib_PatchConfig patch = {.tyre = config->tyre};
    patch.tyre.law = h->model == IB_HOLONOMIC_BRISTLE ? IB_TYRE_BRISTLE : IB_TYRE_CIRCLE;
    patch.count = layout->count;
    patch.rim_count = h->rims;
    for (int i = 0; i < layout->count; i++)
        patch.place[i] =
            (ib_PatchPlace){layout->wheels[i].x, layout->wheels[i].y, h->layout.rim[i]};
    ib_patch_init(&patch, &h->patch);
    for (int i = 0; i < h->rims; i++) {
        const ib_LayoutWheel *wheel = &layout->wheels[h->layout.first[i]];
        bool free = wheel->roller < INFINITY;
        h->rim[i] = ib_patch_rim(wheel->direction, free ? wheel->roller : M_PI / 2,
                                 free ? config->roller_friction : 1);
        h->radius[i] = 0.5 * wheel->diameter;
    }
    const ib_Weight one = {.force = 1};
    ib_patch_loads(&h->patch, NULL, &one, h->share);
}

// Wheels and rotors of each rim.
static void init_spins(const ib_HolonomicConfig *config, ib_HolonomicModel *h)
{
    double G = config->drive.reduction;
    double rotors = config->drive.motors_per_side * G * G * config->drive.rotor_inertia;
    for (int i = 0; i < h->layout.wheel_count; i++)
        h->wheel_spin[h->layout.rim[i]] += config->wheel_inertia;
    for (int i = 0; i < h->rims; i++) {
        h->spin[i] = h->wheel_spin[i] + rotors;
        h->per_spin[i] = 1 / h->spin[i];
    }
}

// Solves a symmetric system of up to three equations, by elimination.
static void solve_small(int count, double a[3][3], double b[3])
{
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            double part = a[k][i] / a[i][i];
            for (int j = i; j < count; j++) a[k][j] -= part * a[i][j];
            b[k] -= part * b[i];
        }
    for (int i = count - 1; i >= 0; i--) {
        for (int k = i + 1; k < count; k++) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

// What wheels that never slip make of a push: with B the twists that they allow,
//   whole = diag(M, M, I) + sum J turn turn^T,   answer = B (B^T whole B)^-1 B^T
static void init_answer(ib_HolonomicModel *h)
{
    int count = h->layout.allowed_count;
    double(*B)[3] = h->layout.allowed;
    double *whole = h->whole;
    whole[0] = whole[4] = h->mass;
    whole[8] = h->inertia;
    for (int i = 0; i < h->rims; i++)
        for (int k = 0; k < 9; k++)
            whole[k] += h->spin[i] * h->layout.turn[i][k / 3] * h->layout.turn[i][k % 3];
    for (int column = 0; column < 3; column++) {
        double a[3][3] = {{0}}, b[3] = {0};
        for (int i = 0; i < count; i++) {
            b[i] = B[i][column];
            for (int j = 0; j < count; j++)
                for (int k = 0; k < 9; k++) a[i][j] += B[i][k / 3] * whole[k] * B[j][k % 3];
        }
        solve_small(count, a, b);
        for (int row = 0; row < 3; row++)
            for (int i = 0; i < count; i++) h->answer[3 * row + column] += B[i][row] * b[i];
    }
}

ib_Status ib_holonomic_init(const ib_HolonomicConfig *config, ib_HolonomicModel *h, ib_Error *error)
{
    ib_LayoutConfig layout;
    ib_DrivetrainConfig drive = config->drive;
    double area = config->length * config->length + config->width * config->width;
    double plate = config->mass / 12 * area;
    memset(h, 0, sizeof *h);
    drive.wheel_diameter = 1;
    h->mass = config->mass + config->outfit.carried;
    h->inertia = (config->inertia > 0 ? config->inertia : plate) + config->outfit.carried_inertia;
    ib_planar_init(ib__holonomic_roles, IB_HOLONOMIC_FIXED, h->mass, h->inertia, &h->planar);
    ib_holonomic_layout(config, &layout);
    ib_layout_init(&layout, &h->layout);
    h->rims = h->layout.rim_count;
    h->model = config->model;
    h->com_height = config->com_height;
    h->current_limit = config->current_limit;
    h->supply_limit = config->supply_limit;
    h->coasts = config->coasts;
    h->lossless = config->drive.efficiency == 1;
    h->rolls = config->tyre.rolling_resistance > 0;
    ib_motor_init(&config->motor, config->loss, &h->motor);
    ib_thermal_init(&config->thermal, &h->thermal);
    ib_drivetrain_init(&drive, &h->drive);
    ib_power_init(&config->outfit.power, &h->power);
    init_patches(config, &layout, h);
    init_spins(config, h);
    init_answer(h);
    lay_out(config, h);
    h->plain = config->current_limit == INFINITY && config->supply_limit == INFINITY &&
               !h->coasts && h->power.branch_count == 0 && !ib_thermal_on(&h->thermal);
    return ib_mixing_init(&config->mixing, h->rims, (const double(*)[3])h->layout.turn, &h->mixing,
                          error);
}

// The longest step with which RK4 follows the fastest part: motors that brake the rims or the body,
// and patches. A light robot whose slide a friction circle stops at once has little energy in its
// book: at h lambda = 0.63 that of four wheels without rollers is off by 6e-6, at 0.42 no preset's
// by 1e-6.
double ib__holonomic_resolution(const ib_HolonomicModel *h)
{
    double G = h->drive.reduction[0], E = h->power.battery.open_circuit;
    double shortest = ib_thermal_resolution(&h->thermal, E * E * h->motor.per_R);
    double brake = h->drive.motors * G * G * h->motor.Kt * h->motor.Ke * h->motor.per_R;
    if (h->model == IB_HOLONOMIC_ROLLING) {
        // Its trace bounds the largest rate of answer sum turn turn^T brake.
        double trace = 0;
        for (int i = 0; i < h->rims; i++)
            for (int k = 0; k < 9; k++)
                trace += brake * h->answer[k] * h->layout.turn[i][k / 3] * h->layout.turn[i][k % 3];
        if (trace > 0) shortest = ib_min(shortest, 0.5 / trace);
        return shortest < INFINITY ? shortest : 0;
    }
    double reach = h->patch.reach_x * h->patch.reach_x + h->patch.reach_y * h->patch.reach_y;
    for (int i = 0; i < h->rims; i++) {
        double r = h->radius[i], share = 0;
        for (int k = 0; k < h->layout.wheel_count; k++) share += h->layout.rim[k] == i;
        double yield = ib_max(h->planar.per_mass, reach * h->planar.per_inertia) +
                       share / h->layout.wheel_count * r * r * h->per_spin[i];
        double fastest = ib_tyre_fastest(&h->patch.tyre, h->mass * 9.80665 * yield);
        double held = brake * h->per_spin[i];
        if (h->model == IB_HOLONOMIC_CIRCLE)
            shortest = ib_min(shortest, 0.42 / (fastest + held));
        else
            shortest = ib_min(shortest, ib_min(1.1 / fastest, 0.3 / held));
    }
    return shortest < INFINITY ? shortest : 0;
}
