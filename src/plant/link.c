// plant/link.c: parts of a link, one by one and as one body; its principal axes.
#include "plant/link.h"

#include "base/geometry.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PI     3.14159265358979323846
#define DIGITS 1e-9 ///< by how much of it the digits of a file may make a moment too large

const char *const ib_link_forms[] = {"capsule",  "srlib_capsule", "sphere", "box",
                                     "cylinder", "explicit",      NULL};

// The six numbers as a matrix, row by row, and back.
static void matrix_of(const double I[6], double m[3][3])
{
    for (int i = 0; i < 3; i++) m[i][i] = I[i];
    m[0][1] = m[1][0] = I[3];
    m[0][2] = m[2][0] = I[4];
    m[1][2] = m[2][1] = I[5];
}

static void numbers_of(double m[3][3], double I[6])
{
    for (int i = 0; i < 3; i++) I[i] = m[i][i];
    I[3] = m[0][1];
    I[4] = m[0][2];
    I[5] = m[1][2];
}

// ------------------------------------------------------------------------------------------- forms

double ib_link_volume(const ib_LinkPart *part)
{
    double r = part->radius, ball = 4.0 / 3 * PI * r * r * r, tube = PI * r * r * part->length;
    switch (part->form) {
    case IB_LINK_CAPSULE:
    case IB_LINK_SRLIB_CAPSULE:
        return ball + tube;
    case IB_LINK_SPHERE:
        return ball;
    case IB_LINK_CYLINDER:
        return tube;
    case IB_LINK_BOX:
        return part->size[0] * part->size[1] * part->size[2];
    default:
        return 0;
    }
}

static double mass_of(const ib_LinkPart *part)
{
    return part->mass > 0 ? part->mass : part->density * ib_link_volume(part);
}

// Of a capsule, with M the mass of its tube and B that of both caps together:
//   Iz = M r^2/2 + 2/5 B r^2
//   Ix = M (h^2/12 + r^2/4) + B (2/5 r^2 + h^2/4 + 3/8 h r)
// The caps' 3/8 r is the way from the flat side of a half ball to its centre of mass. SrLib has r/4
// in the place of r^2/4, which is no area, and leaves 3/8 h r out.   [errata of the thesis, C]
// Limits: h = 0: a ball; r -> 0: a rod, m h^2/12.
static void capsule_moments(const ib_LinkPart *part, double mass, double I[6])
{
    double r = part->radius, h = part->length, r2 = r * r;
    double tube_share = h / (h + 4.0 / 3 * r), M = mass * tube_share, B = mass - M;
    bool srlib = part->form == IB_LINK_SRLIB_CAPSULE;
    double thick = srlib ? 0.25 * r : 0.25 * r2, cap = srlib ? 0 : 0.375 * h * r;
    I[0] = I[1] = M * (h * h / 12 + thick) + B * (0.4 * r2 + 0.25 * h * h + cap);
    I[2] = M * 0.5 * r2 + B * 0.4 * r2;
}

// Along the part's own axes, about its centre of mass.
static void moments_of(const ib_LinkPart *part, double mass, double I[6])
{
    double r2 = part->radius * part->radius;
    memset(I, 0, 6 * sizeof *I);
    switch (part->form) {
    case IB_LINK_CAPSULE:
    case IB_LINK_SRLIB_CAPSULE:
        capsule_moments(part, mass, I);
        return;
    case IB_LINK_SPHERE:
        I[0] = I[1] = I[2] = mass * 0.4 * r2;
        return;
    case IB_LINK_CYLINDER:
        I[0] = I[1] = mass * (part->length * part->length / 12 + 0.25 * r2);
        I[2] = mass * 0.5 * r2;
        return;
    case IB_LINK_BOX:
        for (int i = 0; i < 3; i++) {
            double a = part->size[(i + 1) % 3], b = part->size[(i + 2) % 3];
            I[i] = mass * (a * a + b * b) / 12;
        }
        return;
    default:
        memcpy(I, part->inertia, 6 * sizeof *I);
    }
}

// ---------------------------------------------------------------------------------------- one body

// R I R^T
static void turned(const double R[9], const double own[6], double I[6])
{
    double m[3][3], half[3][3], all[3][3];
    matrix_of(own, m);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            half[i][k] = R[3 * i] * m[0][k] + R[3 * i + 1] * m[1][k] + R[3 * i + 2] * m[2][k];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            all[i][k] =
                half[i][0] * R[3 * k] + half[i][1] * R[3 * k + 1] + half[i][2] * R[3 * k + 2];
    numbers_of(all, I);
}

//   I + m (|d|^2 E - d d^T)
static void add_steiner(double mass, const double d[3], double I[6])
{
    I[0] += mass * (d[1] * d[1] + d[2] * d[2]);
    I[1] += mass * (d[0] * d[0] + d[2] * d[2]);
    I[2] += mass * (d[0] * d[0] + d[1] * d[1]);
    I[3] -= mass * d[0] * d[1];
    I[4] -= mass * d[0] * d[2];
    I[5] -= mass * d[1] * d[2];
}

void ib_link_init(const ib_LinkPart *parts, int count, ib_Link *link)
{
    memset(link, 0, sizeof *link);
    for (int i = 0; i < count; i++) {
        double mass = mass_of(&parts[i]);
        link->mass += mass;
        for (int k = 0; k < 3; k++) link->centre[k] += mass * parts[i].place[k];
    }
    for (int k = 0; k < 3; k++) link->centre[k] /= link->mass;
    for (int i = 0; i < count; i++) {
        double mass = mass_of(&parts[i]), own[6], I[6], R[9], d[3];
        moments_of(&parts[i], mass, own);
        ib_attitude_turn(parts[i].attitude, R);
        turned(R, own, I);
        for (int k = 0; k < 3; k++) d[k] = parts[i].place[k] - link->centre[k];
        add_steiner(mass, d, I);
        for (int k = 0; k < 6; k++) link->inertia[k] += I[k];
    }
}

void ib_link_about(const ib_Link *link, const double point[3], double I[6])
{
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = link->centre[k] - point[k];
    memcpy(I, link->inertia, 6 * sizeof *I);
    add_steiner(link->mass, d, I);
}

double ib_link_about_axis(const ib_Link *link, const double point[3], const double a[3])
{
    double I[6];
    ib_link_about(link, point, I);
    return I[0] * a[0] * a[0] + I[1] * a[1] * a[1] + I[2] * a[2] * a[2] +
           2 * (I[3] * a[0] * a[1] + I[4] * a[0] * a[2] + I[5] * a[1] * a[2]);
}

// ---------------------------------------------------------------------------------- principal axes

// One rotation of Jacobi in the plane of axes p and q, which makes m[p][q] zero:
//   t = tan of the angle, the smaller root of  t^2 + 2 w t - 1 = 0,   w = (m_qq - m_pp)/(2 m_pq)
// The columns of `axes` turn along.
static void jacobi_turn(double m[3][3], double axes[3][3], int p, int q)
{
    if (m[p][q] == 0) return;
    double w = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (w >= 0 ? 1 : -1) / (fabs(w) + sqrt(w * w + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double kp = m[k][p], kq = m[k][q];
        m[k][p] = c * kp - s * kq;
        m[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = m[p][k], qk = m[q][k], kp = axes[k][p], kq = axes[k][q];
        m[p][k] = c * pk - s * qk;
        m[q][k] = s * pk + c * qk;
        axes[k][p] = c * kp - s * kq;
        axes[k][q] = s * kp + c * kq;
    }
    m[p][q] = m[q][p] = 0;
}

// Columns p and q change places; one turns round, so that the axes stay right-handed.
static void swap_axes(double moments[3], double axes[3][3], int p, int q)
{
    double kept = moments[p];
    moments[p] = moments[q];
    moments[q] = kept;
    for (int k = 0; k < 3; k++) {
        double column = axes[k][p];
        axes[k][p] = axes[k][q];
        axes[k][q] = -column;
    }
}

// The greatest of w, x, y, z is found from the trace or the diagonal, the others by dividing by it.
//   4 w^2 = 1 + R00 + R11 + R22,   4 x^2 = 1 + R00 - R11 - R22,   4 w x = R21 - R12, ...
static void quaternion_of(double R[3][3], double quaternion[4])
{
    double four[4] = {1 + R[0][0] + R[1][1] + R[2][2], 1 + R[0][0] - R[1][1] - R[2][2],
                      1 - R[0][0] + R[1][1] - R[2][2], 1 - R[0][0] - R[1][1] + R[2][2]};
    double wx = R[2][1] - R[1][2], wy = R[0][2] - R[2][0], wz = R[1][0] - R[0][1];
    double xy = R[1][0] + R[0][1], xz = R[0][2] + R[2][0], yz = R[2][1] + R[1][2];
    const double products[4][4] = {
        {four[0], wx, wy, wz}, {wx, four[1], xy, xz}, {wy, xy, four[2], yz}, {wz, xz, yz, four[3]}};
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (four[i] > four[best]) best = i;
    double scale = 0.5 / sqrt(four[best]);
    if (products[best][0] < 0) scale = -scale;
    for (int i = 0; i < 4; i++) quaternion[i] = products[best][i] * scale;
}

void ib_link_principal(const ib_Link *link, double moments[3], double quaternion[4])
{
    double m[3][3], axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    matrix_of(link->inertia, m);
    // Every sweep squares what is left beside the diagonal: six are enough for any matrix of three.
    for (int sweep = 0; sweep < 8; sweep++) {
        jacobi_turn(m, axes, 0, 1);
        jacobi_turn(m, axes, 0, 2);
        jacobi_turn(m, axes, 1, 2);
    }
    for (int k = 0; k < 3; k++) moments[k] = m[k][k];
    if (moments[1] > moments[0]) swap_axes(moments, axes, 0, 1);
    if (moments[2] > moments[1]) swap_axes(moments, axes, 1, 2);
    if (moments[1] > moments[0]) swap_axes(moments, axes, 0, 1);
    quaternion_of(axes, quaternion);
}

// ------------------------------------------------------------------------------------------- check

static bool is_above_zero(double value)
{
    return value > 0 && isfinite(value);
}

static ib_Status refuse(const char *where, const char *key, const char *unit, double got,
                        ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT, "%s%s: expected more than 0 %s, got %g %s", where, key,
                        unit, got, unit);
}

static ib_Status check_moments(const char *where, const ib_Link *link, ib_Error *error)
{
    double moments[3], quaternion[4];
    for (int i = 0; i < 6; i++)
        if (!isfinite(link->inertia[i]))
            return ib_error_set(error, IB_BAD_INPUT, "%sinertia: expected six numbers, got %g",
                                where, link->inertia[i]);
    ib_link_principal(link, moments, quaternion);
    if (!(moments[2] > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "%sinertia: its least principal moment is %g kg*m^2: expected a "
                            "positive definite matrix, all moments above 0",
                            where, moments[2]);
    if (moments[0] > (moments[1] + moments[2]) * (1 + DIGITS))
        return ib_error_set(error, IB_BAD_INPUT,
                            "%sinertia: principal moments of %g, %g and %g kg*m^2 are those of no "
                            "body: expected none above the sum of the other two",
                            where, moments[0], moments[1], moments[2]);
    return IB_OK;
}

ib_Status ib_link_check_body(const ib_Link *link, ib_Error *error)
{
    if (!is_above_zero(link->mass)) return refuse("", "mass", "kg", link->mass, error);
    return check_moments("", link, error);
}

static ib_Status check_size(const char *where, const ib_LinkPart *part, ib_Error *error)
{
    bool capsule = part->form == IB_LINK_CAPSULE || part->form == IB_LINK_SRLIB_CAPSULE;
    bool round = capsule || part->form == IB_LINK_SPHERE || part->form == IB_LINK_CYLINDER;
    if (round && !is_above_zero(part->radius))
        return refuse(where, "radius", "m", part->radius, error);
    if (part->form == IB_LINK_CYLINDER && !is_above_zero(part->length))
        return refuse(where, "length", "m", part->length, error);
    if (capsule && !(part->length >= 0 && isfinite(part->length)))
        return ib_error_set(error, IB_BAD_INPUT, "%slength: expected 0 m or more, got %g m", where,
                            part->length);
    for (int i = 0; i < 3 && part->form == IB_LINK_BOX; i++)
        if (!is_above_zero(part->size[i])) return refuse(where, "size", "m", part->size[i], error);
    return IB_OK;
}

static ib_Status check_part(const char *where, const ib_LinkPart *part, ib_Error *error)
{
    bool given = part->form == IB_LINK_EXPLICIT;
    if (!(part->form >= 0 && part->form < IB_LINK_FORMS))
        return ib_error_set(error, IB_BAD_INPUT, "%sform: expected a form of a link's part, got %d",
                            where, part->form);
    for (int i = 0; i < 3; i++)
        if (!(isfinite(part->place[i]) && isfinite(part->attitude[i])))
            return ib_error_set(error, IB_BAD_INPUT,
                                "%splace: expected three lengths and three angles, got one that is "
                                "no number",
                                where);
    ib_Status status = check_size(where, part, error);
    if (status != IB_OK) return status;
    if (given ? !is_above_zero(part->mass) : !(part->mass >= 0 && isfinite(part->mass)))
        return refuse(where, "mass", "kg", part->mass, error);
    if (part->mass == 0 && !is_above_zero(part->density))
        return ib_error_set(error, IB_BAD_INPUT,
                            "%smass: the part weighs nothing: expected a mass or a density above "
                            "0, got %g kg and %g kg/m^3",
                            where, part->mass, part->density);
    ib_Link own = {.mass = mass_of(part)};
    moments_of(part, own.mass, own.inertia);
    return check_moments(where, &own, error);
}

ib_Status ib_link_check(const ib_LinkPart *parts, int count, ib_Error *error)
{
    if (count < 1)
        return ib_error_set(error, IB_BAD_INPUT, "parts: expected one part at least, got none");
    for (int i = 0; i < count; i++) {
        char where[32] = "";
        if (count > 1) snprintf(where, sizeof where, "parts.%d.", i);
        ib_Status status = check_part(where, &parts[i], error);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}
