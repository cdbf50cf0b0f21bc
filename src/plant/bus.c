#include "plant/bus.h"

#include "base/status.h"

// What one motor draws is, as a function of the bus voltage V, made of pieces of one form:
//
//   drawn = a + b V + c/V
//
//   held by     u          I              a          b        c
//   duty d      d V        (u - e)/R      -d e/R     d^2/R    0         the command, or +-1
//   stator      e +- s R   +-s            0          0        u I       constant power
//   supply      from u I = p V            p          0        0
//   duty, I given                         d I        0        0
//
// The pieces join continuously. Between two joints the bus equation is a quadratic, so the walk
// from the highest joint down to 0 V finds the highest solution without iterating.

typedef enum Held { BY_DUTY, BY_STATOR, BY_SUPPLY, BY_NOTHING } Held;

typedef struct Piece {
    Held held;
    double duty;    ///< BY_DUTY: d, or +-1 where the bridge is at its end
    double volts;   ///< BY_STATOR: u [V]; else its value where the piece was asked for
    double a, b, c; ///< of one motor: [A], [S], [W]
} Piece;

enum { JOINTS_OF_ONE = 7, JOINTS = 2 * JOINTS_OF_ONE };

// ------------------------------------------------------------------ pieces

// Volts at a bus voltage V before the supply limit:  d V held within e +- s R, then within +-V.
// Returns the duty that holds them, or NAN where the stator limit does.
static double hold_stator(const ib_Bridge *bridge, double R, double V, double *volts)
{
    double low = bridge->emf - bridge->stator * R, high = bridge->emf + bridge->stator * R;
    double duty = bridge->duty;
    *volts = duty * V;
    if (*volts > high) {
        duty = high > -V ? NAN : -1.0;
        *volts = high > -V ? high : -V;
    } else if (*volts < low) {
        duty = low < V ? NAN : 1.0;
        *volts = low < V ? low : V;
    }
    return duty;
}

// The piece to which V belongs. `given`: the motor's current where it is a state, else NULL.
static Piece piece_at(const ib_Bridge *bridge, double R, const double *given, double V)
{
    Piece piece = {.held = BY_NOTHING, .volts = bridge->emf};
    if (bridge->open) return piece;
    piece.duty = hold_stator(bridge, R, V, &piece.volts);
    double current = given ? *given : (piece.volts - bridge->emf) / R;
    if (piece.volts * current > bridge->supply * V) {
        piece.held = BY_SUPPLY;
        piece.a = bridge->supply;
    } else if (isnan(piece.duty)) {
        piece.held = BY_STATOR;
        piece.c = piece.volts * (given ? *given : copysign(bridge->stator, current));
    } else {
        piece.held = BY_DUTY;
        piece.a = given ? piece.duty * *given : -piece.duty * bridge->emf / R;
        piece.b = given ? 0.0 : piece.duty * piece.duty / R;
    }
    return piece;
}

// Volts and current with which the motor draws exactly the supply limit:
//   u (u - e)/R = p V   ->   u = e/2 +- w,  I = (-e/2 +- w)/R,   w = sqrt(e^2/4 + R p V)
// The larger of the two comes from the sum, the other from u I = p V: no digits are lost.
static void solve_supply(const ib_Bridge *bridge, double R, double power, double sign,
                         ib_BridgeResult *result)
{
    double half = 0.5 * bridge->emf;
    double sum = sign * (fabs(half) + sqrt(half * half + R * power));
    if (sign * half >= 0) {
        result->volts = sum;
        result->current = sum != 0 ? power / sum : 0.0;
    } else {
        result->current = sum / R;
        result->volts = power / result->current;
    }
}

// What one bridge does on this piece at the bus voltage V.
static ib_BridgeResult evaluate(const ib_Bridge *bridge, const Piece *piece, double R,
                                const double *given, double V)
{
    ib_BridgeResult result = ib__bridge_open(bridge->emf);
    switch (piece->held) {
    case BY_NOTHING:
        break;
    case BY_DUTY:
        result = ib__bridge_free(piece->duty, bridge->emf, 1 / R, V);
        break;
    case BY_STATOR:
        result.volts = piece->volts;
        result.current = copysign(bridge->stator, piece->volts - bridge->emf);
        result.drawn = piece->c / V;
        break;
    case BY_SUPPLY:
        solve_supply(bridge, R, bridge->supply * V, piece->volts > 0.5 * bridge->emf ? 1.0 : -1.0,
                     &result);
        result.drawn = bridge->supply;
        break;
    }
    if (!given) return result;
    // With a given current the power fixes the volts where the supply limit holds.
    result.current = *given;
    if (piece->held == BY_DUTY) result.drawn = piece->duty * *given;
    if (piece->held == BY_SUPPLY) result.volts = bridge->supply * V / *given;
    return result;
}

// ------------------------------------------------------------------ joints

// Keeps `joint` sorted, highest first. Not positive or not finite: there is no such joint.
static int insert(double joint[], int count, double V)
{
    if (!(V > 0 && V < INFINITY)) return count;
    int i = count;
    for (; i > 0 && joint[i - 1] < V; i--) joint[i] = joint[i - 1];
    joint[i] = V;
    return count + 1;
}

// The voltages at which one bridge may pass from one piece to another: duty and stator, stator and
// the bridge's end, stator and supply, duty and supply. Some may belong to no change; that is
// harmless.
static int add_joints(double joint[], int count, const ib_Bridge *bridge, double R,
                      const double *given)
{
    if (bridge->open) return count;
    double e = bridge->emf, d = bridge->duty, s = bridge->stator, p = bridge->supply;
    double low = e - s * R, high = e + s * R;
    count = insert(joint, count, low / d);
    count = insert(joint, count, high / d);
    count = insert(joint, count, low);
    count = insert(joint, count, -high);
    count = insert(joint, count, low * (given ? *given : -s) / p);
    count = insert(joint, count, high * (given ? *given : s) / p);
    if (!given) count = insert(joint, count, (p * R / d + e) / d);
    return count;
}

// ------------------------------------------------------------------ the walk

// The bus equation between two joints, times V:  q V^2 - h V + g = 0
typedef struct Quadratic {
    double q, h, g;
} Quadratic;

static Quadratic join(double E, double Rb, double other, const ib_Bridge bridge[2],
                      const Piece piece[2])
{
    double n0 = bridge[0].count, n1 = bridge[1].count;
    return (Quadratic){
        .q = 1 + Rb * (n0 * piece[0].b + n1 * piece[1].b),
        .h = E - Rb * (other + (n0 * piece[0].a + n1 * piece[1].a)),
        .g = Rb * (n0 * piece[0].c + n1 * piece[1].c),
    };
}

// The highest solution in lower < V <= upper, or NAN. The equation is positive at `upper`; where
// it is not at `lower`, there is one whatever rounding says.
static double highest_root(Quadratic f, double lower, double upper)
{
    double at_lower = f.q * lower - f.h + (f.g != 0 ? f.g / lower : 0.0);
    double square = f.h * f.h - 4 * f.q * f.g;
    if (at_lower > 0 && square < 0) return NAN;
    double width = sqrt(square > 0 ? square : 0.0);
    double root = f.h > 0 ? (f.h + width) / (2 * f.q) : f.g != 0 ? 2 * f.g / (f.h - width) : 0.0;
    if (at_lower > 0) return root > lower && root <= upper ? root : NAN;
    return root < lower ? lower : root > upper ? upper : root;
}

// No voltage serves all loads: the battery is shorted, and so is every motor.
static ib_Bus collapse(double E, double Rb, double R, const ib_Bridge bridge[2],
                       const double *current)
{
    ib_Bus bus = {.voltage = 0, .current = E / Rb, .collapsed = true};
    for (int i = 0; i < 2; i++) {
        if (bridge[i].open) {
            bus.bridge[i] = ib__bridge_open(bridge[i].emf);
            continue;
        }
        bus.bridge[i] = ib__bridge_free(bridge[i].duty, bridge[i].emf, 1 / R, 0.0);
        if (current) bus.bridge[i] = ib__bridge_given(&bridge[i], current[i], 0.0);
    }
    return bus;
}

ib_Bus ib__bus_limited(double E, double Rb, double R, double other, const ib_Bridge bridge[2],
                       const double *current)
{
    IB_ASSERT(E > 0 && Rb >= 0 && R > 0);
    const double *given[2] = {current, current ? current + 1 : NULL};
    double joint[JOINTS + 1];
    int count = 0;
    for (int i = 0; i < 2; i++) count = add_joints(joint, count, &bridge[i], R, given[i]);
    joint[count++] = 0;

    double upper = INFINITY;
    for (int k = 0; k < count; k++) {
        double lower = joint[k];
        double middle = k == 0 ? 2 * lower + 1 : 0.5 * (lower + upper);
        Piece piece[2];
        for (int i = 0; i < 2; i++) piece[i] = piece_at(&bridge[i], R, given[i], middle);
        double V = highest_root(join(E, Rb, other, bridge, piece), lower, upper);
        upper = lower;
        if (isnan(V)) continue;

        ib_Bus bus = {.voltage = V};
        for (int i = 0; i < 2; i++) bus.bridge[i] = evaluate(&bridge[i], &piece[i], R, given[i], V);
        bus.current =
            other + (bridge[0].count * bus.bridge[0].drawn + bridge[1].count * bus.bridge[1].drawn);
        return bus;
    }
    return collapse(E, Rb, R, bridge, current);
}
