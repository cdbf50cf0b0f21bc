#include "plant/electric/bus.h"

#include "base/extreme.h"
#include "base/status.h"

// One motor's current from the bus is, as a function of the bus voltage V, made of pieces of
// one form:
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
// from above down to 0 V finds the highest solution without iterating.

typedef enum Held { BY_DUTY, BY_STATOR, BY_SUPPLY, BY_NOTHING } Held;

typedef struct Piece {
    Held held;
    double duty;    ///< BY_DUTY: d, or +-1 where the bridge is at its end
    double volts;   ///< BY_STATOR: u [V]; else its value where the piece was asked for
    double a, b, c; ///< of one motor: [A], [S], [W]
} Piece;

enum { JOINTS_OF_ONE = 7, JOINTS = IB_BRIDGES_MAX * JOINTS_OF_ONE };

// ---------------------------------------------------------------------------------- without limits

// Bus current of a given motor current at the bridge's duty, without limits.
static double taken(const ib_Bridge *b)
{
    return b->open ? 0.0 : b->count * (b->duty * b->current);
}

// The voltage of the linear equation. A motor that is not of the first one's winding weighs R0/R.
static double linear_voltage(double E, double Rb, double other, double per_volt,
                             const ib_Bridge *bridge, int count)
{
    double R0 = 0, sum_d = 0, sum_e = 0, given = 0;
    for (int i = 0; i < count; i++) {
        const ib_Bridge *b = &bridge[i];
        if (b->given) given += taken(b);
        if (b->open || b->given) continue;
        if (R0 == 0) R0 = b->R;
        double n = b->R == R0 ? b->count : b->count * (R0 * b->per_R), w = n * b->duty;
        sum_d += w * b->duty;
        sum_e += w * b->emf;
    }
    other += given;
    if (R0 == 0) return (E - Rb * other) / (1 + Rb * per_volt);
    double stiff = R0 + R0 * (Rb * per_volt);
    return (R0 * (E - Rb * other) + Rb * sum_e) * (1 / (stiff + Rb * sum_d));
}

// Solves each bridge at V without limits. False if a limit acts.
static bool go_free(const ib_Bridge *bridge, int count, double V, ib_BridgeResult *result)
{
    bool within = true;
    for (int i = 0; i < count; i++) {
        const ib_Bridge *b = &bridge[i];
        ib_BridgeResult *r = &result[i];
        if (b->open) {
            *r = ib__bridge_open(b->emf);
        } else if (b->given) {
            // The volts must lead to a current within the stator limit.
            *r = (ib_BridgeResult){b->duty * V, b->current, b->duty * b->current};
            within &= fabs(r->volts - b->emf) <= b->stator * b->R && r->drawn <= b->supply;
        } else {
            *r = ib__bridge_free(b->duty, b->emf, b->per_R, V);
            within &= fabs(r->current) <= b->stator && r->drawn <= b->supply;
        }
    }
    return within;
}

static double draw_of_all(const ib_Bridge *bridge, int count, double other, double per_volt,
                          const ib_Bus *bus)
{
    double motors = 0;
    for (int i = 0; i < count; i++) motors += bridge[i].count * bus->bridge[i].drawn;
    return other + motors + per_volt * bus->voltage;
}

// True if the solution without limits is the one sought. A second solution V1 > V, with a stator
// limit active, needs  V + V1 <= E - Rb other + Rb (current fed back at V)
// (docs/plant/bus.md), hence
//   2 V >= E - Rb other + Rb sum n max(0, -drawn)
// excludes it.
static bool is_highest(double E, double Rb, double other, const ib_Bridge *bridge, int count,
                       const ib_Bus *bus)
{
    bool limited = false;
    if (!(bus->voltage >= 0)) return false;
    for (int i = 0; i < count; i++) {
        limited |= bridge[i].stator < INFINITY;
        if (bus->bridge[i].drawn < 0) other += bridge[i].count * bus->bridge[i].drawn;
    }
    return !limited || 2 * bus->voltage >= E - Rb * other;
}

// ------------------------------------------------------------------------------------------ pieces

// Volts at a bus voltage V before the supply limit:  d V held within e +- s R, then within +-V.
// Returns the duty that holds them, or NAN where the stator limit does.
static double hold_stator(const ib_Bridge *bridge, double V, double *volts)
{
    double reach = bridge->stator * bridge->R;
    double low = bridge->emf - reach, high = bridge->emf + reach;
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

// The piece to which V belongs.
static Piece piece_at(const ib_Bridge *bridge, double V)
{
    Piece piece = {.held = BY_NOTHING, .volts = bridge->emf};
    if (bridge->open) return piece;
    bool given = bridge->given;
    piece.duty = hold_stator(bridge, V, &piece.volts);
    double current = given ? bridge->current : (piece.volts - bridge->emf) / bridge->R;
    if (piece.volts * current > bridge->supply * V) {
        piece.held = BY_SUPPLY;
        piece.a = bridge->supply;
    } else if (isnan(piece.duty)) {
        piece.held = BY_STATOR;
        piece.c = piece.volts * (given ? current : copysign(bridge->stator, current));
    } else {
        piece.held = BY_DUTY;
        piece.a = given ? piece.duty * current : -piece.duty * bridge->emf / bridge->R;
        piece.b = given ? 0.0 : piece.duty * piece.duty / bridge->R;
    }
    return piece;
}

// Volts and current with which the motor draws exactly the supply limit:
//   u (u - e)/R = p V   ->   u = e/2 +- w,  I = (-e/2 +- w)/R,   w = sqrt(e^2/4 + R p V)
// The larger of the two comes from the sum, the other from u I = p V: no digits are lost.
static void solve_supply(const ib_Bridge *bridge, double power, double sign,
                         ib_BridgeResult *result)
{
    double half = 0.5 * bridge->emf, R = bridge->R;
    double sum = sign * (fabs(half) + sqrt(half * half + R * power));
    if (sign * half >= 0) {
        result->volts = sum;
        result->current = sum != 0 ? power / sum : 0.0;
    } else {
        result->current = sum / R;
        result->volts = power / result->current;
    }
}

// Result of one bridge on this piece at the bus voltage V.
static ib_BridgeResult evaluate(const ib_Bridge *bridge, const Piece *piece, double V)
{
    ib_BridgeResult result = ib__bridge_open(bridge->emf);
    double R = bridge->R;
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
        solve_supply(bridge, bridge->supply * V, piece->volts > 0.5 * bridge->emf ? 1.0 : -1.0,
                     &result);
        result.drawn = bridge->supply;
        break;
    }
    if (!bridge->given) return result;
    // With a given current the power sets the volts at the supply limit.
    result.current = bridge->current;
    if (piece->held == BY_DUTY) result.drawn = piece->duty * bridge->current;
    if (piece->held == BY_SUPPLY) result.volts = bridge->supply * V / bridge->current;
    return result;
}

// ------------------------------------------------------------------------------------------ joints

// Not positive or not finite: there is no such joint. None above `top` is asked for.
static int keep(double joint[], int count, double top, double V)
{
    if (V > 0 && V < top) joint[count++] = V;
    return count;
}

// The voltages at which one bridge may pass from one piece to another: duty and stator, stator and
// the bridge's end, stator and supply, duty and supply. Some may belong to no change;
// that is harmless.
static int add_joints(double joint[], int count, double top, const ib_Bridge *bridge)
{
    if (bridge->open) return count;
    double e = bridge->emf, d = bridge->duty, s = bridge->stator, p = bridge->supply;
    double R = bridge->R, low = e - s * R, high = e + s * R, I = bridge->current;
    bool given = bridge->given;
    count = keep(joint, count, top, low / d);
    count = keep(joint, count, top, high / d);
    count = keep(joint, count, top, low);
    count = keep(joint, count, top, -high);
    count = keep(joint, count, top, low * (given ? I : -s) / p);
    count = keep(joint, count, top, high * (given ? I : s) / p);
    if (!given) count = keep(joint, count, top, (p * R / d + e) / d);
    return count;
}

// The highest joint below `upper`, or 0.
static double next_joint(const double joint[], int count, double upper)
{
    double next = 0;
    for (int i = 0; i < count; i++)
        if (joint[i] < upper && joint[i] > next) next = joint[i];
    return next;
}

// No solution lies above: no motor feeds back more than its back-EMF drives through a short, since
// a bridge's volts stand between 0 and e while it does; nor more than its given current.
static double bound(double E, double Rb, double other, const ib_Bridge *bridge, int count)
{
    double back = 0;
    for (int i = 0; i < count; i++) {
        const ib_Bridge *b = &bridge[i];
        if (!b->open) back += b->count * fabs(b->given ? b->current : b->emf / b->R);
    }
    return ib_max(E - Rb * (other - back), 0.0) * (1 + 1e-9) + 1e-9;
}

// ---------------------------------------------------------------------------------------- the walk

// The bus equation between two joints, times V:  q V^2 - h V + g = 0
typedef struct Quadratic {
    double q, h, g;
} Quadratic;

static Quadratic join(double E, double Rb, double other, double per_volt, const ib_Bridge *bridge,
                      const Piece *piece, int count)
{
    double a = 0, b = per_volt, c = 0;
    for (int i = 0; i < count; i++) {
        a += bridge[i].count * piece[i].a;
        b += bridge[i].count * piece[i].b;
        c += bridge[i].count * piece[i].c;
    }
    return (Quadratic){.q = 1 + Rb * b, .h = E - Rb * (other + a), .g = Rb * c};
}

// The highest solution in lower < V <= upper, or NAN. The equation is positive at `upper`; if it is
// not at `lower`, there is one for any rounding.
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
static void collapse(double E, double Rb, const ib_Bridge *bridge, int count, ib_Bus *bus)
{
    bus->voltage = 0;
    bus->current = E / Rb;
    bus->collapsed = true;
    for (int i = 0; i < count; i++) {
        const ib_Bridge *b = &bridge[i];
        bus->bridge[i] =
            b->open ? ib__bridge_open(b->emf) : ib__bridge_free(b->duty, b->emf, 1 / b->R, 0.0);
        if (b->given && !b->open)
            bus->bridge[i] = (ib_BridgeResult){0, b->current, b->duty * b->current};
    }
}

// Finds the solution where a limit acts or where more than one may exist.
static void solve_limited(double E, double Rb, double other, double per_volt,
                          const ib_Bridge *bridge, int count, ib_Bus *bus)
{
    double joint[JOINTS], upper = bound(E, Rb, other, bridge, count);
    Piece piece[IB_BRIDGES_MAX];
    int joints = 0;
    for (int i = 0; i < count; i++) joints = add_joints(joint, joints, upper, &bridge[i]);
    for (int k = 0; k <= joints; k++) {
        double lower = next_joint(joint, joints, upper), middle = 0.5 * (lower + upper);
        for (int i = 0; i < count; i++) piece[i] = piece_at(&bridge[i], middle);
        double V = highest_root(join(E, Rb, other, per_volt, bridge, piece, count), lower, upper);
        upper = lower;
        if (isnan(V)) {
            if (lower == 0) break;
            continue;
        }
        bus->voltage = V;
        bus->collapsed = false;
        for (int i = 0; i < count; i++) bus->bridge[i] = evaluate(&bridge[i], &piece[i], V);
        bus->current = draw_of_all(bridge, count, other, per_volt, bus);
        return;
    }
    collapse(E, Rb, bridge, count, bus);
}

void ib_bus_solve(double E, double Rb, double other, double per_volt, const ib_Bridge *bridge,
                  int count, ib_Bus *bus)
{
    // A load of NAN comes from a state of NAN: the step's checks find it.
    IB_ASSERT(count >= 0 && count <= IB_BRIDGES_MAX && Rb >= 0 && !(per_volt < 0));
    bus->collapsed = false;
    if (!(E > 0)) {
        bus->voltage = bus->current = 0;
        for (int i = 0; i < count; i++) bus->bridge[i] = ib__bridge_open(bridge[i].emf);
        return;
    }
    bus->voltage = linear_voltage(E, Rb, other, per_volt, bridge, count);
    bool within = go_free(bridge, count, bus->voltage, bus->bridge);
    bus->current = draw_of_all(bridge, count, other, per_volt, bus);
    if (!within || !is_highest(E, Rb, other + per_volt * bus->voltage, bridge, count, bus))
        solve_limited(E, Rb, other, per_volt, bridge, count, bus);
}
