// plant/wheel/patch.c: slips, grips and sums of any number of patches. The law is
// in plant/wheel/tyre.h.
//
// The tank's four patches (plant/wheel/wheel.h) have the same bits here, because products with xi,
// eta, e, f and g are then exact and sums are taken in the tank's order.
#include "plant/wheel/patch.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ set-up

void ib_patch_init(const ib_PatchConfig *config, ib_PatchModel *m)
{
    IB_ASSERT(config->count > 0 && config->count <= IB_MAX_PATCHES);
    memset(m, 0, sizeof *m);
    ib_tyre_init(&config->tyre, &m->tyre);
    m->count = config->count;
    m->rim_count = config->rim_count;
    int of_rim[IB_MAX_PATCHES] = {0};
    for (int i = 0; i < m->count; i++) {
        const ib_PatchPlace *p = &config->place[i];
        IB_ASSERT(p->rim >= 0 && p->rim < m->rim_count);
        m->rim[i] = p->rim;
        m->x[i] = p->x;
        m->y[i] = p->y;
        m->reach_x = ib_max(m->reach_x, fabs(p->x));
        m->reach_y = ib_max(m->reach_y, fabs(p->y));
        of_rim[p->rim]++;
    }
    if (m->reach_x == 0.0) m->reach_x = 1.0;
    if (m->reach_y == 0.0) m->reach_y = 1.0;
    for (int i = 0; i < m->count; i++) {
        m->xi[i] = m->x[i] / m->reach_x;
        m->eta[i] = m->y[i] / m->reach_y;
    }
    for (int i = 0, k = 0; i < m->rim_count; i++) {
        m->share[i] = 1.0 / of_rim[i];
        for (int j = 0; j < m->count; j++)
            if (m->rim[j] == i) m->order[k++] = j;
        m->begin[i + 1] = k;
    }
}

ib_PatchRim ib_patch_rim(double roll, double free, double free_scale)
{
    ib_PatchRim rim = {.free_scale = free_scale};
    ib_sincos(roll, &rim.roll_y, &rim.roll_x);
    ib_sincos(roll + free, &rim.free_y, &rim.free_x);
    return rim;
}

// ------------------------------------------------------------------------------------------- slips

// s = r_w Omega e - (u - w y, n + w x), then its parts along g = (f_y, -f_x) and along f.
void ib_patch_slip(const ib_PatchModel *m, const ib_PatchRim *rims, double u, double n, double w,
                   ib_PatchSlip *slip)
{
    double turn = w * m->reach_y, swing = w * m->reach_x;
    // Patches are taken four at a time: those behind the last one are at rest.
    for (int i = m->count; i % 4 != 0; i++) slip->across[i] = slip->along[i] = slip->scale[i] = 0;
    for (int i = 0; i < m->count; i++) {
        const ib_PatchRim *rim = &rims[m->rim[i]];
        double free_x = rim->free_x, free_y = rim->free_y, scale = rim->free_scale;
        double sx = (rim->speed * rim->roll_x - u) + turn * m->eta[i];
        double sy = (rim->speed * rim->roll_y - n) - swing * m->xi[i];
        slip->across[i] = sx * free_y - sy * free_x;
        slip->along[i] = sx * free_x + sy * free_y;
        slip->scale[i] = scale;
    }
}

// ------------------------------------------------------------------------------------------- grips

// Arrays hold whole pairs, and pairs of pairs: entries after the last patch are at rest.
_Static_assert(IB_MAX_PATCHES % 4 == 0, "patches are taken four at a time");

static ib__Two pair_of(const double *values, int first)
{
    return ib__two(values[first], values[first + 1]);
}

static void keep_pair(ib__Two pair, int first, double *values)
{
    values[first] = ib__first(pair);
    values[first + 1] = ib__second(pair);
}

static ib__TyreSlip slip_over_speed(const ib_TyreModel *t, const ib_PatchSlip *slip, int first)
{
    ib__Two per = t->per_slip_speed * pair_of(slip->scale, first);
    return ib__tyre_slip(t->per_slip_speed * pair_of(slip->across, first),
                         per * pair_of(slip->along, first));
}

// The law, into grip's x and y: force over load along g and f, as the circle has it.
static void grip_circle(const ib_PatchModel *m, const ib_PatchSlip *slip, ib_PatchGrip *grip)
{
    const ib_TyreModel *t = &m->tyre;
    for (int i = 0; i < m->count; i += 4) {
        ib__TyreSlip s[2] = {slip_over_speed(t, slip, i), slip_over_speed(t, slip, i + 2)};
        ib__TyreGrip k[2];
        ib__tyre_circle(t, &s[0], &s[1], &k[0], &k[1]);
        for (int j = 0; j < 2; j++) {
            keep_pair(k[j].x, i + 2 * j, grip->x);
            keep_pair(k[j].y, i + 2 * j, grip->y);
        }
    }
}

static void grip_bristle(const ib_PatchModel *m, const ib_PatchSlip *slip, const double *z,
                         double *dz, ib_PatchGrip *grip)
{
    double zx[IB_MAX_PATCHES] = {0}, zy[IB_MAX_PATCHES] = {0};
    size_t whole = (size_t)m->count * sizeof *z;
    memcpy(zx, z, whole);
    memcpy(zy, z + m->count, whole);
    for (int i = 0; i < m->count; i += 2) {
        ib__Two along = pair_of(slip->scale, i) * pair_of(slip->along, i);
        ib__TyreBristle b = ib__tyre_bristle(&m->tyre, pair_of(slip->across, i), along,
                                             pair_of(zx, i), pair_of(zy, i));
        keep_pair(b.grip.x, i, grip->x);
        keep_pair(b.grip.y, i, grip->y);
        keep_pair(b.zx, i, zx);
        keep_pair(b.zy, i, zy);
    }
    memcpy(dz, zx, whole);
    memcpy(dz + m->count, zy, whole);
}

int ib_patch_state_count(const ib_PatchModel *m)
{
    return m->tyre.law == IB_TYRE_BRISTLE ? 2 * m->count : 0;
}

// Slip and force along f are both multiplied by free_scale. In between every law is a circle, so
// that outside the force stays in the ellipse
//   F_g^2 + (F_f/free_scale)^2 <= (mu Fz)^2
// and points where it takes the most power. F = F_g g + F_f f,  g = (f_y, -f_x).
void ib_patch_grip(const ib_PatchModel *m, const ib_PatchRim *rims, const ib_PatchSlip *slip,
                   const double *z, double *dz, ib_PatchGrip *grip)
{
    if (m->tyre.law == IB_TYRE_BRISTLE)
        grip_bristle(m, slip, z, dz, grip);
    else
        grip_circle(m, slip, grip);
    for (int i = 0; i < m->count; i++) {
        const ib_PatchRim *rim = &rims[m->rim[i]];
        double free_x = rim->free_x, free_y = rim->free_y;
        double across = grip->x[i], along = slip->scale[i] * grip->y[i];
        grip->power[i] = across * slip->across[i] + along * slip->along[i];
        grip->x[i] = across * free_y + along * free_x;
        grip->y[i] = along * free_y - across * free_x;
    }
}

// ------------------------------------------------------------------------------------- loads, sums

void ib_patch_loads(const ib_PatchModel *m, const ib_PatchGrip *grip, const ib_Weight *weight,
                    double *load)
{
    ib_weight_loads(weight, m->count, m->x, m->y, grip ? grip->x : NULL, grip ? grip->y : NULL,
                    load);
}

// F = Fz k,  torque = sum of x F_y - y F_x,  force of a rim = sum of F . e over its patches. Summed
// in the tank's order: forces along x rim by rim, those along y by ends (every second patch).
void ib_patch_forces(const ib_PatchModel *m, const ib_PatchRim *rims, const ib_PatchGrip *grip,
                     const double *load, ib_PatchForces *f)
{
    double y_of_end[2] = {0}, turn_of_end[2] = {0}, turn = 0, ahead = 0, power = 0;
    for (int rim = 0; rim < m->rim_count; rim++) {
        double x = 0, x_turn = 0, along = 0;
        double roll_x = rims[rim].roll_x, roll_y = rims[rim].roll_y;
        for (int k = m->begin[rim]; k < m->begin[rim + 1]; k++) {
            int i = m->order[k], end = i & 1;
            double fx = grip->x[i] * load[i], fy = grip->y[i] * load[i];
            x += fx;
            x_turn -= m->eta[i] * fx;
            y_of_end[end] += fy;
            turn_of_end[end] += m->xi[i] * fy;
            along += fx * roll_x + fy * roll_y;
            power += grip->power[i] * load[i];
        }
        ahead += x;
        turn += x_turn;
        f->rim[rim] = along;
    }
    f->fx = ahead;
    f->power = power;
    f->fy = y_of_end[0] + y_of_end[1];
    f->torque = m->reach_x * (turn_of_end[0] + turn_of_end[1]) + m->reach_y * turn;
}
