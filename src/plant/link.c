// plant/link.c: parts of a link, one by one and as one body; which bodies cannot be.
#include "plant/link.h"

#include "base/extreme.h"
#include "base/geometry.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PI     3.14159265358979323846
#define DIGITS 1e-9 ///< by how much of it the digits of a file may make a moment too large

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
    if (part->form == IB_LINK_BOX) return part->size[0] * part->size[1] * part->size[2];
    return part->form == IB_LINK_CYLINDER ? tube : ball + tube;
}

static double mass_of(const ib_LinkPart *part)
{
    return part->mass > 0 ? part->mass : part->density * ib_link_volume(part);
}

// Inertia of a capsule, with M the mass of its tube and B that of both caps together:
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

// ------------------------------------------------------------------------------------------- check

// One rotation of Jacobi in the plane of axes p and q, which makes m[p][q] zero:
//   t = tan of the angle, the smaller root of  t^2 + 2 w t - 1 = 0,   w = (m_qq - m_pp)/(2 m_pq)
static void jacobi_turn(double m[3][3], int p, int q)
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
        double pk = m[p][k], qk = m[q][k];
        m[p][k] = c * pk - s * qk;
        m[q][k] = s * pk + c * qk;
    }
    m[p][q] = m[q][p] = 0;
}

// The principal moments, the greatest first.
static void find_principal(const ib_Link *link, double moments[3])
{
    double m[3][3];
    matrix_of(link->inertia, m);
    // Every sweep squares the off-diagonal elements: six are enough for any matrix of three.
    for (int sweep = 0; sweep < 8; sweep++) {
        jacobi_turn(m, 0, 1);
        jacobi_turn(m, 0, 2);
        jacobi_turn(m, 1, 2);
    }
    moments[0] = ib_max(m[0][0], ib_max(m[1][1], m[2][2]));
    moments[2] = ib_min(m[0][0], ib_min(m[1][1], m[2][2]));
    moments[1] = ib_max(ib_min(m[0][0], m[1][1]), ib_min(ib_max(m[0][0], m[1][1]), m[2][2]));
}

ib_Status ib_link_check_body(const ib_Link *link, ib_Error *error)
{
    double moments[3];
    if (!(link->mass > 0 && isfinite(link->mass)))
        return ib_error_set(error, IB_BAD_INPUT, "mass: expected more than 0 kg, got %g kg",
                            link->mass);
    for (int i = 0; i < 6; i++)
        if (!isfinite(link->inertia[i]))
            return ib_error_set(error, IB_BAD_INPUT, "inertia: expected six numbers, got %g",
                                link->inertia[i]);
    find_principal(link, moments);
    if (!(moments[2] > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "inertia: its least principal moment is %g kg*m^2: expected a "
                            "positive definite matrix, all moments above 0",
                            moments[2]);
    if (moments[0] > (moments[1] + moments[2]) * (1 + DIGITS))
        return ib_error_set(error, IB_BAD_INPUT,
                            "inertia: principal moments of %g, %g and %g kg*m^2 are those of no "
                            "body: expected none above the sum of the other two",
                            moments[0], moments[1], moments[2]);
    return IB_OK;
}
