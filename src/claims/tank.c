// claims/tank.c: the claims of RoboSim. Why each verdict is expected: docs/robosim_errata.md
#include "claims/tank.h"

// What the published formula gives must be what the corrected one gives.
#define AS_PUBLISHED(row, tolerance) IB_EQUATION(IB__PUBLISHED, row, tolerance)

// A positive value that must not exceed this one.
#define AT_MOST(value)                                                                             \
    {                                                                                              \
        value, value, 0, 0, 0, 0                                                                   \
    }

// A claim that is judged by the published form's value.
#define OF_PUBLISHED(what, place, si, rule_, row_, verdict, why)                                   \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .form = IB__PUBLISHED, .expected = IB_VERDICT_##verdict, .note = (why)                     \
    }

static const ib_Claim drive[] = {
    IB_CLAIM("terminal speed at 12 V", "10.1, 10.5", "m/s", AS_PUBLISHED(IB__TERMINAL, 1e-6),
             IB__TERMINAL, FALSE,
             "Circumference is pi D: the published motors turn pi times too fast."),
    IB_CLAIM("stall force, battery without resistance", "10.1", "N",
             AS_PUBLISHED(IB__STALL_FORCE, 1e-6), IB__STALL_FORCE, FALSE, "The lever is D/2."),
    OF_PUBLISHED("published stall force over the real one: all of it", "10.1", "1",
                 IB_NEAR(1.0, 0.01, 0.05), IB__STALL_SHARE, FALSE, "Half."),
    IB_CLAIM("force at the first instant, with sag", "10.1, 5.1", "N",
             AS_PUBLISHED(IB__SAG_FORCE, 1e-6), IB__SAG_FORCE, FALSE, ""),
    IB_CLAIM("the robot gets what the motors give: power out over power in", "10.1, 10.5", "1",
             AS_PUBLISHED(IB__POWER_RATIO, 1e-6), IB__POWER_RATIO, FALSE, "1/(2 pi) as published."),
    IB_CLAIM("rate of a turn in place at 12 V", "10.2, 10.5", "rad/s",
             AS_PUBLISHED(IB__SPIN_RATE, 1e-6), IB__SPIN_RATE, FALSE, ""),
    IB_CLAIM("arc 12 V/6 V: yaw rate after 1 s", "10.2, 10.5, 9a", "rad/s",
             AS_PUBLISHED(IB__ARC_RATE, 1e-6), IB__ARC_RATE, FALSE, ""),
    IB_CLAIM(
        "arc 12 V/6 V: the run comes to its end at 5 s", "10.3a, b", "s",
        AS_PUBLISHED(IB__ARC_END, 0), IB__ARC_END, FALSE,
        "Beyond a heading of 90 degrees the published side friction drives the robot sideways, "
        "to 1000 m/s."),
    IB_CLAIM("side slip at rest is a number", "10.3a", "m/s", AS_PUBLISHED(IB__SLIP_REST, 1e-9),
             IB__SLIP_REST, UNKNOWN,
             "atan2(0/0): not a number on the first step. The program's run of the published "
             "formulas takes it as 0."),
    IB_CLAIM("side slip at 1 m/s backwards, 0.5 m/s to the left", "10.3a, b", "m/s",
             AS_PUBLISHED(IB__SLIP_BACK, 1e-9), IB__SLIP_BACK, FALSE,
             "Vy/Vx loses the quadrant: friction pushes the wrong way."),
    IB_CLAIM("speed after 1 s of 1 m/s^2, sum at 50 ms", "1.3b, 3.1", "m/s",
             AS_PUBLISHED(IB__SUM_SPEED, 1e-9), IB__SUM_SPEED, FALSE,
             "n + 1 samples for n intervals."),
    IB_CLAIM("way after 1 s of 1 m/s^2, sum at 50 ms", "1.3b, 3.1", "m",
             AS_PUBLISHED(IB__SUM_PLACE, 1e-9), IB__SUM_PLACE, FALSE, "15.5 % too far."),
};

static const ib_Claim battery[] = {
    IB_CLAIM("turn in place: battery current after 0.1 s", "9a", "A",
             AS_PUBLISHED(IB__TURN_DRAW, 1e-6), IB__TURN_DRAW, FALSE,
             "The currents of both sides are added with their signs: 0.5 A."),
    IB_CLAIM("turn in place: battery voltage after 0.1 s", "9a, 5.1", "V",
             AS_PUBLISHED(IB__TURN_VOLTAGE, 1e-6), IB__TURN_VOLTAGE, FALSE, ""),
    OF_PUBLISHED("turn in place: energy is conserved; out of nothing in 1 s", "9a", "J",
                 IB_NEAR(0.0, 0.5, 5.0), IB__TURN_FREE, FALSE,
                 "What the motors take at 11.994 V, of which (9a) knows nothing."),
    IB_CLAIM("turn in place: error of the energy book after 1 s", "9a, 10", "J",
             AS_PUBLISHED(IB__TURN_ERROR, 1e-6), IB__TURN_ERROR, FALSE,
             "With all published formulas."),
    IB_CLAIM("arc: error of the energy book after 1 s", "9a, 10", "J",
             AS_PUBLISHED(IB__ARC_ERROR, 1e-6), IB__ARC_ERROR, FALSE, ""),
    IB_CLAIM(
        "a 17 A h battery gives 17 A for one hour", "5.2 text", "h", IB_NEAR(1.0, 0.02, 0.1),
        IB__CAPACITY, FALSE,
        "17 A h is the 20 h rate. Lead-acid at one hour gives 60 to 65 % of it; the battery of "
        "the data file is an estimate too."),
};

static const ib_Claim air[] = {
    IB_CLAIM("time to fill the tanks to 115 psig", "7.2", "s", AS_PUBLISHED(IB__FILL, 1e-6),
             IB__FILL, FALSE, "CFM is free air, taken in at one atmosphere."),
    IB_CLAIM("time from 95 to 115 psig", "7.2", "s", AS_PUBLISHED(IB__RECOVERY, 1e-6), IB__RECOVERY,
             FALSE, ""),
    OF_PUBLISHED("published compression at 100 psig takes no more than its 108 W of electricity",
                 "7.2", "W", AT_MOST(108), IB__COMPRESSION, FALSE, "9 A at 12 V."),
    IB_CLAIM("corrected compression at 100 psig takes no more than its 108 W of electricity", "7.2",
             "W", AT_MOST(108), IB__COMPRESSION, HOLDS, "35 %."),
};

static const ib_Claim steps[] = {
    OF_PUBLISHED("(4.2e) runs at 50 ms: the program's own run ends at", "4.2e", "s",
                 IB_NEAR(5.0, 0.0, 0.1), IB__DIVERGED, FALSE,
                 "It stops with drive.left.current = 10164 A at 0.05 s, after the first step; the "
                 "last good time is 0."),
    OF_PUBLISHED("it names the current of a motor", "equations: published", "1",
                 IB_NEAR(1.0, 0.0, 0.0), IB__DIVERGED_SIGNAL, HOLDS, ""),
    OF_PUBLISHED("(4.1c) runs at 50 ms: the program's own run ends at", "4.1c", "s",
                 IB_NEAR(5.0, 0.0, 0.1), IB__STABLE_END, HOLDS, ""),
    OF_PUBLISHED("then at the published terminal speed", "4.1c", "m/s",
                 IB_NEAR(1.2851398637, 1e-6, 0.01), IB__STABLE_SPEED, HOLDS, ""),
    OF_PUBLISHED("formula by formula: current after step 1", "reference B4", "A",
                 IB_NEAR(10169, 0.5, 0), IB__STEP1_CURRENT, HOLDS, ""),
    OF_PUBLISHED("battery voltage after step 1", "reference B4", "V", IB_NEAR(-476, 0.5, 0),
                 IB__STEP1_VOLTAGE, HOLDS, ""),
    OF_PUBLISHED("current after step 2", "reference B4", "A", IB_NEAR(-1.53e6, 5e3, 0),
                 IB__STEP2_CURRENT, HOLDS, ""),
    OF_PUBLISHED("steps until |x| > 1e30 m at 50 ms", "reference B4", "1", IB_NEAR(15, 0, 0),
                 IB__STEPS_50MS, HOLDS, ""),
    OF_PUBLISHED("steps until |x| > 1e30 m at 1 ms", "reference B4", "1", IB_NEAR(260, 0, 0),
                 IB__STEPS_1MS, HOLDS, ""),
    OF_PUBLISHED("spectral radius at 50 ms, sag one step late", "reference B4", "1",
                 IB_NEAR(151.24, 0.005, 0), IB__RADIUS, HOLDS, ""),
    OF_PUBLISHED("longest stable step, published geometry", "reference B4", "s",
                 IB_NEAR(0.00084414629383, 5e-14, 0), IB__LIMIT_PUBLISHED, HOLDS, ""),
    IB_CLAIM("longest stable step, corrected geometry", "reference B4", "s",
             IB_NEAR(0.00084489539928, 5e-13, 0), IB__LIMIT_CORRECTED, HOLDS, ""),
    OF_PUBLISHED("least inductance that is stable at 50 ms", "reference B4", "H",
                 IB_NEAR(0.003991952637, 5e-13, 0), IB__LEAST_INDUCTANCE, HOLDS, ""),
    IB_CLAIM("spectral radius of (4.1c) at 50 ms, corrected geometry", "reference B4", "1",
             IB_NEAR(0.827, 5e-4, 0), IB__RADIUS_IMPLICIT, HOLDS, ""),
    IB_CLAIM("all corrected with (4.1c) at 50 ms: x after 5 s", "reference B4", "m",
             IB_NEAR(19.2962, 5e-5, 0), IB__IMPLICIT_END, HOLDS,
             "1.1 % too far: a first-order method."),
    IB_CLAIM("then x after 0.5 s", "reference B4", "m", IB_NEAR(1.2626, 5e-5, 0), IB__IMPLICIT_HALF,
             HOLDS, ""),
    IB_CLAIM("the same at 1 ms: x after 5 s", "reference B4", "m", IB_NEAR(19.0983, 5e-5, 0),
             IB__IMPLICIT_1MS, HOLDS, ""),
    IB_CLAIM("the same at 0.1 ms: x after 5 s", "reference B4", "m", IB_NEAR(19.09466, 5e-6, 0),
             IB__IMPLICIT_01MS, HOLDS, ""),
    OF_PUBLISHED("stand-in of the code, R = 0.3 ohm, L = 20 mH: v after 5 s", "reference B4", "m/s",
                 IB_NEAR(1.3498015678, 5e-11, 0), IB__CODE_SPEED, HOLDS,
                 "Stable, and a third of the truth."),
    OF_PUBLISHED("then x after 5 s", "reference B4", "m", IB_NEAR(6.2069816126, 5e-11, 0),
                 IB__CODE_PLACE, HOLDS, ""),
    OF_PUBLISHED("stand-in L = 20 mH alone: v after 5 s", "reference B4", "m/s",
                 IB_NEAR(1.2851398644, 5e-11, 0), IB__DERIVED_SPEED, HOLDS, ""),
    OF_PUBLISHED("then x after 5 s", "reference B4", "m", IB_NEAR(6.2685664024, 5e-11, 0),
                 IB__DERIVED_PLACE, HOLDS, ""),
};

#define REFERENCE_CLAIM(what, place, si, value, tolerance, row)                                    \
    IB_CLAIM(what, place, si, IB_NEAR(value, tolerance, 0), row, HOLDS, "")

#define REFERENCE_PUBLISHED(what, place, si, value, tolerance, row)                                \
    OF_PUBLISHED(what, place, si, IB_NEAR(value, tolerance, 0), row, HOLDS, "")

static const ib_Claim values[] = {
    REFERENCE_PUBLISHED("published terminal speed", "reference B2", "m/s", 1.2851398637, 5e-11,
                        IB__TERMINAL),
    REFERENCE_CLAIM("corrected terminal speed", "reference B7", "m/s", 4.0373859548, 5e-11,
                    IB__TERMINAL),
    REFERENCE_CLAIM("stall force without sag", "reference B7", "N", 1365.5952756, 5e-8,
                    IB__STALL_FORCE),
    REFERENCE_PUBLISHED("published over corrected stall force", "reference B2", "1", 0.5, 1e-12,
                        IB__STALL_SHARE),
    REFERENCE_PUBLISHED("published stall force, R read as the reduction", "reference B2", "N",
                        5.9526872866, 5e-11, IB__STALL_REDUCTION),
    REFERENCE_CLAIM("force at the first instant", "reference B7", "N", 895.07857389, 5e-9,
                    IB__SAG_FORCE),
    REFERENCE_CLAIM("current of a motor then", "reference B7", "A", 86.012655518, 5e-10,
                    IB__SAG_CURRENT),
    REFERENCE_CLAIM("battery current then", "reference B7", "A", 344.55062207, 5e-9, IB__SAG_DRAW),
    REFERENCE_CLAIM("battery voltage then", "reference B7", "V", 7.8653925352, 5e-11,
                    IB__SAG_VOLTAGE),
    REFERENCE_CLAIM("power out over power in, corrected", "reference B2", "1", 1.0, 1e-12,
                    IB__POWER_RATIO),
    REFERENCE_CLAIM("rate of a turn in place", "reference B7", "rad/s", 13.457953183, 5e-10,
                    IB__SPIN_RATE),
    REFERENCE_PUBLISHED("published rate of a turn in place", "reference B2: 1.2851398637/0.3",
                        "rad/s", 4.283799545667, 2e-10, IB__SPIN_RATE),
    REFERENCE_CLAIM("radius of the arc", "reference B7", "m", 0.8150925180, 1e-7, IB__ARC_RADIUS),
    REFERENCE_PUBLISHED("turn in place: energy out of nothing", "reference B5", "J", 907.4, 0.05,
                        IB__TURN_FREE),
    REFERENCE_CLAIM("turn in place: error of the energy book", "reference B5", "J", 0.0, 1e-6,
                    IB__TURN_ERROR),
    REFERENCE_CLAIM("arc: energy from the terminals in 5 s", "reference B5", "J", 4911.7, 0.05,
                    IB__ARC_ENERGY),
    REFERENCE_CLAIM("arc: error of the energy book", "reference B5", "J", 0.0, 1e-6, IB__ARC_ERROR),
    REFERENCE_CLAIM("time to fill the tanks", "reference B6", "s", 36.919900088, 5e-8, IB__FILL),
    REFERENCE_PUBLISHED("published time to fill the tanks", "reference B6", "s", 8.9376167558, 5e-9,
                        IB__FILL),
    REFERENCE_CLAIM("95 to 115 psig", "reference B6", "s", 8.8170788847, 1e-8, IB__RECOVERY),
    REFERENCE_CLAIM("isothermal power at 100 psig", "reference B6", "W", 38.32, 0.01,
                    IB__COMPRESSION),
    REFERENCE_PUBLISHED("published isothermal power at 100 psig", "reference B6", "W", 299.1, 0.1,
                        IB__COMPRESSION),
    REFERENCE_CLAIM("time at 62.5 % of the rated 17.2 A, 60 to 65 % being right", "reference B1",
                    "h", 1.0, 0.05, IB__CAPACITY_HOUR),
};

#define TABLE(index, what, place, tolerance)                                                       \
    IB_CLAIM(what ": largest difference", place, "1", IB_NEAR(0.0, tolerance, 0),                  \
             IB__TABLE_ERROR + (index), HOLDS, "")

static const ib_Claim tables[] = {
    IB_CLAIM("fill times, 14 pressures: largest difference", "reference B6", "1",
             IB_NEAR(0.0, 1e-9, 0), IB__FILL_ERROR, HOLDS, ""),
    OF_PUBLISHED("published fill times, 14 pressures: largest difference", "reference B6", "1",
                 IB_NEAR(0.0, 1e-9, 0), IB__FILL_ERROR, HOLDS, ""),
    TABLE(0, "straight", "reference B7 (i)", 1e-9),
    TABLE(1, "straight, 59 uH", "reference B7 (i)", 1e-9),
    TABLE(2, "turn in place", "reference B7 (ii)", 1e-9),
    TABLE(3, "turn in place, 59 uH", "reference B7 (ii)", 1e-9),
    TABLE(4, "arc", "reference B7 (iii)", 1e-9),
    TABLE(5, "arc, 59 uH", "reference B7 (iii)", 1e-9),
    TABLE(6, "friction circle, straight", "reference B8", 1e-8),
    TABLE(7, "friction circle, turn in place", "reference B8", 1e-8),
    TABLE(8, "friction circle, arc", "reference B8", 1e-8),
};

static const ib_ClaimGroup groups[] = {
    IB_CLAIM_GROUP("Drive, kinematics, sums: the published formula against the corrected one",
                   "published", drive),
    IB_CLAIM_GROUP("Battery: what the formulas of sections 5 and 9 say", "document", battery),
    IB_CLAIM_GROUP("Air", "document", air),
    IB_CLAIM_GROUP("The explicit scheme at 50 ms, L = 59 uH, both sides at 12 V", "expected",
                   steps),
    IB_CLAIM_GROUP("The program's runs against the reference", "reference", values),
    IB_CLAIM_GROUP("Tables of the reference, values at 0.1, 0.5, 1, 2 and 5 s, relative above 1",
                   "reference", tables),
};

const ib_ClaimDocument ib_tank_claims = {
    .name = "tank",
    .title = "RoboSim: a tank-drive robot, its formulas as published and corrected",
    .forms = {"corrected", "published", "reference"},
    .remark = "corrected and published are the program's own runs with `equations: corrected` and "
              "`equations: published`; reference is an independent solution. A claim is judged by "
              "the corrected value, or by the published one where there is no other or where it is "
              "about that one. What each mistake does: docs/robosim_errata.md",
    .groups = groups,
    .group_count = IB_CLAIM_COUNT(groups),
    .row_count = IB__TANK_ROWS,
    .compute = ib__tank_claims_compute,
    .figures = ib__tank_claims_figures,
};
