// claims/robosim/tank_literal.c: RoboSim's loop step by step, in the order of its text, and
// its stability.
#include "claims/robosim/tank.h"

#include "plant/electric/motor.h"

#include <math.h>

// The robot of reference B7.
static const double Vnom = 12, Rbat = 0.012, Inom = 0.5, M = 60, G = 10.71, D = 0.1524, motors = 4;
static const ib_MotorConfig cim = {
    12, 2.429, 131.227, 5310 / 9.549296585513721, 2.7, IB_TORQUE_BALANCED};

typedef struct Constants {
    double R, Kt, Ki;
    double force; ///< of one ampere [N/A]
    double emf;   ///< of one metre a second [V s/m]
} Constants;

// (10.1), (10.5) as printed, with R = 1/G; corrected: 2 G/D for both.
static Constants constants(const ib__Literal *l)
{
    Constants c;
    c.R = l->R > 0 ? l->R : cim.voltage / cim.stall_current;
    c.Kt = cim.stall_torque / cim.stall_current;
    c.Ki = (cim.voltage - cim.free_current * c.R) / cim.free_speed;
    c.force = motors * c.Kt * G / D * (l->corrected ? 2 : 1);
    c.emf = c.Ki * G / D * (l->corrected ? 2 : 6.283185307179586);
    return c;
}

void ib__literal_run(ib__Literal *l)
{
    Constants c = constants(l);
    double I = 0, V = Vnom, steps = floor(l->duration / l->Ts + 0.5);
    l->x = l->v = 0;
    l->diverged = 0;
    for (int n = 1; n <= (int)steps; n++) {
        double e = c.emf * l->v;
        if (l->implicit) // (4.1c)
            I = (l->L * I / l->Ts + V - e) / (c.R + l->L / l->Ts);
        else // (4.2e)
            I += l->Ts / l->L * (V - c.R * I - e);
        V = Vnom - Rbat * (motors * I + Inom); // (5.1), for the next step
        l->v += l->Ts * c.force * I / M;       // (10.4), (3.1)
        l->x += l->Ts * l->v;
        if (n <= 2) l->current[n - 1] = I;
        if (n == 1) l->voltage = V;
        if (!l->diverged && !(fabs(l->x) <= 1e30)) {
            l->diverged = n;
            return;
        }
    }
}

// One step is linear in (I, v):  I' = a I + b v,  v' = v + s I'.  The larger root of
//   z^2 - (a + 1 + s b) z + a = 0
double ib__literal_radius(const ib__Literal *l)
{
    Constants c = constants(l);
    double s = l->Ts * c.force / M, per = l->Ts / l->L, a, b;
    if (l->implicit) {
        double whole = c.R + l->L / l->Ts;
        a = (l->L / l->Ts - motors * Rbat) / whole;
        b = -c.emf / whole;
    } else {
        a = 1 - per * (c.R + motors * Rbat);
        b = -per * c.emf;
    }
    double sum = a + 1 + s * b, square = sum * sum - 4 * a;
    if (square < 0) return sqrt(a);
    return (fabs(sum) + sqrt(square)) / 2;
}
