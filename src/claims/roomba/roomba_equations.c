// claims/roomba/roomba_equations.c: the equations of the Roomba document, each as printed, beside
// the program's result at the same state.
#include "base/extreme.h"
#include "claims/roomba/roomba.h"

// ------------------------------------------------------------------------------------ yaw equation

// The yaw acceleration at vt = 0.5 m/s, w = -1 rad/s without force: by each form of the equation,
// as the moment of the two drags about the centre, and by the appendix.
static void yaw_acceleration(ib_ClaimValue *found)
{
    double input[IB_ROOMBA_INPUTS], rate[IB_ROOMBA_STATES];
    double state[IB_ROOMBA_STATES] = {[IB_ROOMBA_VX] = 0.5, [IB_ROOMBA_W] = -1};
    ib__roomba_wheels(0, 0, input);
    for (int form = 0; form < IB_CLAIM_FORMS; form++) {
        ib_RoombaModel model = ib__roomba_document(form);
        ib_roomba_rate(&model, state, input, rate);
        found[IB__YAW_ACCELERATION].form[form] = rate[IB_ROOMBA_W];
    }
    // I w' = sum of (px fy - py fx): wheels at py = +r (left), -r (right); drag along x.
    double m = 2.7, r = 0.165, kd = 3.4, vl = 0.5 + r, vr = 0.5 - r;
    double left = -kd * vl * fabs(vl), right = -kd * vr * fabs(vr);
    found[IB__YAW_ACCELERATION_MOMENT].form[0] = (-r * left + r * right) / (m * r * r / 2);
    found[IB__YAW_ACCELERATION_CODE].form[0] =
        (-kd * vr * fabs(vr) + kd * vl * fabs(vl)) / (0.5 * m * r);
    found[IB__RATE_ENTRIES].form[0] = IB_ROOMBA_STATES;
}

// ln(w/w0)/t of a small yaw rate while both wheels run at terminal speed. Linearised: -+ 8 kd vt/m.
ib_Status ib__roomba_claims_yaw_growth(ib_ClaimValue *found, int form, ib_Error *error)
{
    const ib__RoombaLeg both_wheels = {0, 2.7, 2.7};
    const double w0 = 1e-6, t = 0.5;
    ib__RoombaLook look = {.at = t};
    ib__RoombaRun run = ib__roomba_run_default(form, &both_wheels, 1, 1);
    double vt = sqrt(2.7 / run.roomba.drag);
    run.roomba.planar.velocity_x = vt;
    run.roomba.planar.velocity_heading = w0;
    run.looks = &look, run.look_count = 1;
    ib_Status status = ib__roomba_run(&run, error);
    found[IB__YAW_GROWTH].form[form] = ib_log(look.state[IB_ROOMBA_W] / w0) / t;
    found[IB__YAW_GROWTH_CLOSED].form[0] = -8 * run.roomba.drag * vt / run.roomba.mass;
    return status;
}

// ----------------------------------------------------------------------------- the other equations

// A state with motion in all directions, wheels that push against each other, and the
// document's robot.
static const double th = 0.7, dx = 0.4, dy = -0.3, w = 1.2, Fl = 1.1, Fr = -2.3;
static const double m = 2.7, r = 0.165, kn = 1000, kdrag = 3.4;

// (4)-(10) as printed.
typedef struct Printed {
    double Vn, Vl, Vr;         ///< [m/s]
    double I;                  ///< [kg m^2]
    double Fn, Fdragr, Fdragl; ///< [N]
} Printed;

static Printed printed_laws(double s, double c)
{
    Printed p = {.Vn = -dx * s + dy * c, .Vl = dx * c + dy * s - w * r, .I = 0.5 * m * r * r};
    p.Vr = dx * c + dy * s + w * r;
    p.Fn = -kn * p.Vn * fabs(p.Vn);
    p.Fdragr = -kdrag * p.Vr * fabs(p.Vr);
    p.Fdragl = -kdrag * p.Vl * fabs(p.Vl);
    return p;
}

// x'' and y'' by (1) and (2), by (12) and (13), and by the appendix.
static void printed_motion(ib_ClaimValue *found, const Printed *p, double s, double c)
{
    double forward = Fl + Fr + p->Fdragr + p->Fdragl;
    found[IB__EQUATION_AX_1].form[0] = (forward * c - 2 * p->Fn * s) / m;
    found[IB__EQUATION_AY_2].form[0] = (forward * s + 2 * p->Fn * c) / m;
    double squares = p->Vr * fabs(p->Vr) + p->Vl * fabs(p->Vl), across = p->Vn * fabs(p->Vn);
    found[IB__EQUATION_AX_12].form[0] =
        ((Fl + Fr - kdrag * squares) * c - 2 * (-kn * across) * s) / m;
    found[IB__EQUATION_AY_13].form[0] =
        ((Fl + Fr - kdrag * squares) * s + 2 * (-kn * across) * c) / m;
    double Fdrag = kdrag * squares, Fnorm = kn * across, Ftangent = Fl + Fr - Fdrag;
    found[IB__EQUATION_AX_CODE].form[0] = (Ftangent * c + 2 * s * Fnorm) / m;
    found[IB__EQUATION_AY_CODE].form[0] = (Ftangent * s - 2 * c * Fnorm) / m;
}

// The largest power of a drag while the robot moves forwards and backwards: a drag opposes the
// motion, so that none is above zero.
static double largest_drag_power(const ib_RoombaModel *model, const double *state,
                                 const double *input)
{
    double largest = -INFINITY, turned[IB_ROOMBA_STATES];
    for (int way = 1; way >= -1; way -= 2) {
        for (int i = 0; i < IB_ROOMBA_STATES; i++)
            turned[i] = i == IB_ROOMBA_TH ? state[i] : way * state[i];
        ib_RoombaForces f = ib_roomba_forces(model, turned, input);
        largest = ib_max(largest, f.drag_left * f.vl);
        largest = ib_max(largest, f.drag_right * f.vr);
        largest = ib_max(largest, f.side * f.vn);
    }
    return largest;
}

// The sliding speed of a wheel across the heading: the velocity of the body at its place.
static double wheel_side(double side, double s, double c)
{
    double px = -side * r * s, py = side * r * c; // the left wheel is at side 1
    return -(dx - w * py) * s + (dy + w * px) * c;
}

static void other_equations(ib_ClaimValue *found)
{
    const double state[IB_ROOMBA_STATES] = {
        [IB_ROOMBA_TH] = th, [IB_ROOMBA_VX] = dx, [IB_ROOMBA_VY] = dy, [IB_ROOMBA_W] = w};
    double input[IB_ROOMBA_INPUTS], rate[IB_ROOMBA_STATES], s, c;
    ib_RoombaModel model = ib__roomba_document(IB_ROOMBA_CORRECTED);
    ib__roomba_wheels(Fl, Fr, input);
    ib_roomba_rate(&model, state, input, rate);
    ib_RoombaForces f = ib_roomba_forces(&model, state, input);
    ib_sincos(th, &s, &c);
    Printed p = printed_laws(s, c);
    const double pairs[][2] = {{f.vn, p.Vn},           {f.vl, p.Vl},   {f.vr, p.Vr},
                               {model.inertia, p.I},   {f.side, p.Fn}, {f.drag_right, p.Fdragr},
                               {f.drag_left, p.Fdragl}};
    for (int i = 0; i < IB_CLAIM_COUNT(pairs); i++)
        for (int k = 0; k < 2; k++) found[IB__EQUATION_VN + 2 * i + k].form[0] = pairs[i][k];
    found[IB__EQUATION_AX].form[0] = rate[IB_ROOMBA_VX];
    found[IB__EQUATION_AY].form[0] = rate[IB_ROOMBA_VY];
    printed_motion(found, &p, s, c);
    double left = wheel_side(1, s, c), right = wheel_side(-1, s, c);
    found[IB__EQUATION_SIDES].form[0] = left * fabs(left) / (right * fabs(right));
    found[IB__EQUATION_POWER].form[0] = largest_drag_power(&model, state, input);
}

void ib__roomba_claims_equations(ib_ClaimValue *found)
{
    yaw_acceleration(found);
    other_equations(found);
}
