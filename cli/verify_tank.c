// cli/verify_tank.c: the claims of RoboSim.
// docs/robosim_errata.md says where each expected verdict comes from.
#include "verify_tank.h"

// What the published formula gives must be what the corrected one gives.
#define AS_PUBLISHED(row, tolerance) EQUATION(PUBLISHED, row, tolerance)

// A positive value that must not exceed this one.
#define AT_MOST(value)                                                                             \
    {                                                                                              \
        value, value, 0, 0, 0, 0                                                                   \
    }

// A claim that is judged by the published form's value.
#define OF_PUBLISHED(what, place, si, rule_, row_, verdict, why)                                   \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .form = PUBLISHED, .expected = VERDICT_##verdict, .note = (why)                            \
    }

static const Claim drive[] = {
    CLAIM("terminal speed at 12 V", "10.1, 10.5", "m/s", AS_PUBLISHED(TERMINAL, 1e-6), TERMINAL,
          FALSE, "Circumference is pi D: the published motors turn pi times too fast."),
    CLAIM("stall force, battery without resistance", "10.1", "N", AS_PUBLISHED(STALL_FORCE, 1e-6),
          STALL_FORCE, FALSE, "The lever is D/2."),
    OF_PUBLISHED("published stall force over the real one: all of it", "10.1", "1",
                 NEAR(1.0, 0.01, 0.05), STALL_SHARE, FALSE, "Half."),
    CLAIM("force at the first instant, with sag", "10.1, 5.1", "N", AS_PUBLISHED(SAG_FORCE, 1e-6),
          SAG_FORCE, FALSE, ""),
    CLAIM("the robot gets what the motors give: power out over power in", "10.1, 10.5", "1",
          AS_PUBLISHED(POWER_RATIO, 1e-6), POWER_RATIO, FALSE, "1/(2 pi) as published."),
    CLAIM("rate of a turn in place at 12 V", "10.2, 10.5", "rad/s", AS_PUBLISHED(SPIN_RATE, 1e-6),
          SPIN_RATE, FALSE, ""),
    CLAIM("arc 12 V/6 V: yaw rate after 1 s", "10.2, 10.5, 9a", "rad/s",
          AS_PUBLISHED(ARC_RATE, 1e-6), ARC_RATE, FALSE, ""),
    CLAIM("arc 12 V/6 V: the run comes to its end at 5 s", "10.3a, b", "s",
          AS_PUBLISHED(ARC_END, 0), ARC_END, FALSE,
          "Beyond a heading of 90 degrees the published side friction drives the robot sideways, "
          "to 1000 m/s."),
    CLAIM("side slip at rest is a number", "10.3a", "m/s", AS_PUBLISHED(SLIP_REST, 1e-9), SLIP_REST,
          UNKNOWN,
          "atan2(0/0): not a number on the first step. The program's run of the published "
          "formulas takes it as 0."),
    CLAIM("side slip at 1 m/s backwards, 0.5 m/s to the left", "10.3a, b", "m/s",
          AS_PUBLISHED(SLIP_BACK, 1e-9), SLIP_BACK, FALSE,
          "Vy/Vx loses the quadrant: friction pushes the wrong way."),
    CLAIM("speed after 1 s of 1 m/s^2, sum at 50 ms", "1.3b, 3.1", "m/s",
          AS_PUBLISHED(SUM_SPEED, 1e-9), SUM_SPEED, FALSE, "n + 1 samples for n intervals."),
    CLAIM("way after 1 s of 1 m/s^2, sum at 50 ms", "1.3b, 3.1", "m", AS_PUBLISHED(SUM_PLACE, 1e-9),
          SUM_PLACE, FALSE, "15.5 % too far."),
};

static const Claim battery[] = {
    CLAIM("turn in place: battery current after 0.1 s", "9a", "A", AS_PUBLISHED(TURN_DRAW, 1e-6),
          TURN_DRAW, FALSE, "The currents of both sides are added with their signs: 0.5 A."),
    CLAIM("turn in place: battery voltage after 0.1 s", "9a, 5.1", "V",
          AS_PUBLISHED(TURN_VOLTAGE, 1e-6), TURN_VOLTAGE, FALSE, ""),
    OF_PUBLISHED("turn in place: energy is conserved; out of nothing in 1 s", "9a", "J",
                 NEAR(0.0, 0.5, 5.0), TURN_FREE, FALSE,
                 "What the motors take at 11.994 V, of which (9a) knows nothing."),
    CLAIM("turn in place: error of the energy book after 1 s", "9a, 10", "J",
          AS_PUBLISHED(TURN_ERROR, 1e-6), TURN_ERROR, FALSE, "With all published formulas."),
    CLAIM("arc: error of the energy book after 1 s", "9a, 10", "J", AS_PUBLISHED(ARC_ERROR, 1e-6),
          ARC_ERROR, FALSE, ""),
    CLAIM("a 17 A h battery gives 17 A for one hour", "5.2 text", "h", NEAR(1.0, 0.02, 0.1),
          CAPACITY, FALSE,
          "17 A h is the 20 h rate. Lead-acid at one hour gives 60 to 65 % of it; the battery of "
          "the data file is an estimate too."),
};

static const Claim air[] = {
    CLAIM("time to fill the tanks to 115 psig", "7.2", "s", AS_PUBLISHED(FILL, 1e-6), FILL, FALSE,
          "CFM is free air, taken in at one atmosphere."),
    CLAIM("time from 95 to 115 psig", "7.2", "s", AS_PUBLISHED(RECOVERY, 1e-6), RECOVERY, FALSE,
          ""),
    OF_PUBLISHED("published compression at 100 psig takes no more than its 108 W of electricity",
                 "7.2", "W", AT_MOST(108), COMPRESSION, FALSE, "9 A at 12 V."),
    CLAIM("corrected compression at 100 psig takes no more than its 108 W of electricity", "7.2",
          "W", AT_MOST(108), COMPRESSION, HOLDS, "35 %."),
};

static const Claim steps[] = {
    OF_PUBLISHED("(4.2e) runs at 50 ms: the program's own run ends at", "4.2e", "s",
                 NEAR(5.0, 0.0, 0.1), DIVERGED, FALSE,
                 "It stops with drive.left.current = 10164 A at 0.05 s, after the first step; the "
                 "last good time is 0."),
    OF_PUBLISHED("it names the current of a motor", "equations: published", "1",
                 NEAR(1.0, 0.0, 0.0), DIVERGED_SIGNAL, HOLDS, ""),
    OF_PUBLISHED("(4.1c) runs at 50 ms: the program's own run ends at", "4.1c", "s",
                 NEAR(5.0, 0.0, 0.1), STABLE_END, HOLDS, ""),
    OF_PUBLISHED("then at the published terminal speed", "4.1c", "m/s",
                 NEAR(1.2851398637, 1e-6, 0.01), STABLE_SPEED, HOLDS, ""),
    OF_PUBLISHED("formula by formula: current after step 1", "reference B4", "A",
                 NEAR(10169, 0.5, 0), STEP1_CURRENT, HOLDS, ""),
    OF_PUBLISHED("battery voltage after step 1", "reference B4", "V", NEAR(-476, 0.5, 0),
                 STEP1_VOLTAGE, HOLDS, ""),
    OF_PUBLISHED("current after step 2", "reference B4", "A", NEAR(-1.53e6, 5e3, 0), STEP2_CURRENT,
                 HOLDS, ""),
    OF_PUBLISHED("steps until |x| > 1e30 m at 50 ms", "reference B4", "1", NEAR(15, 0, 0),
                 STEPS_50MS, HOLDS, ""),
    OF_PUBLISHED("steps until |x| > 1e30 m at 1 ms", "reference B4", "1", NEAR(260, 0, 0),
                 STEPS_1MS, HOLDS, ""),
    OF_PUBLISHED("spectral radius at 50 ms, sag one step late", "reference B4", "1",
                 NEAR(151.24, 0.005, 0), RADIUS, HOLDS, ""),
    OF_PUBLISHED("longest stable step, published geometry", "reference B4", "s",
                 NEAR(0.00084414629383, 5e-14, 0), LIMIT_PUBLISHED, HOLDS, ""),
    CLAIM("longest stable step, corrected geometry", "reference B4", "s",
          NEAR(0.00084489539928, 5e-13, 0), LIMIT_CORRECTED, HOLDS, ""),
    OF_PUBLISHED("least inductance that is stable at 50 ms", "reference B4", "H",
                 NEAR(0.003991952637, 5e-13, 0), LEAST_INDUCTANCE, HOLDS, ""),
    CLAIM("spectral radius of (4.1c) at 50 ms, corrected geometry", "reference B4", "1",
          NEAR(0.827, 5e-4, 0), RADIUS_IMPLICIT, HOLDS, ""),
    CLAIM("all corrected with (4.1c) at 50 ms: x after 5 s", "reference B4", "m",
          NEAR(19.2962, 5e-5, 0), IMPLICIT_END, HOLDS, "1.1 % too far: a first-order method."),
    CLAIM("then x after 0.5 s", "reference B4", "m", NEAR(1.2626, 5e-5, 0), IMPLICIT_HALF, HOLDS,
          ""),
    CLAIM("the same at 1 ms: x after 5 s", "reference B4", "m", NEAR(19.0983, 5e-5, 0),
          IMPLICIT_1MS, HOLDS, ""),
    CLAIM("the same at 0.1 ms: x after 5 s", "reference B4", "m", NEAR(19.09466, 5e-6, 0),
          IMPLICIT_01MS, HOLDS, ""),
    OF_PUBLISHED("stand-in of the code, R = 0.3 ohm, L = 20 mH: v after 5 s", "reference B4", "m/s",
                 NEAR(1.3498015678, 5e-11, 0), CODE_SPEED, HOLDS,
                 "Stable, and a third of the truth."),
    OF_PUBLISHED("then x after 5 s", "reference B4", "m", NEAR(6.2069816126, 5e-11, 0), CODE_PLACE,
                 HOLDS, ""),
    OF_PUBLISHED("stand-in L = 20 mH alone: v after 5 s", "reference B4", "m/s",
                 NEAR(1.2851398644, 5e-11, 0), DERIVED_SPEED, HOLDS, ""),
    OF_PUBLISHED("then x after 5 s", "reference B4", "m", NEAR(6.2685664024, 5e-11, 0),
                 DERIVED_PLACE, HOLDS, ""),
};

#define REFERENCE_CLAIM(what, place, si, value, tolerance, row)                                    \
    CLAIM(what, place, si, NEAR(value, tolerance, 0), row, HOLDS, "")

#define REFERENCE_PUBLISHED(what, place, si, value, tolerance, row)                                \
    OF_PUBLISHED(what, place, si, NEAR(value, tolerance, 0), row, HOLDS, "")

static const Claim values[] = {
    REFERENCE_PUBLISHED("published terminal speed", "reference B2", "m/s", 1.2851398637, 5e-11,
                        TERMINAL),
    REFERENCE_CLAIM("corrected terminal speed", "reference B7", "m/s", 4.0373859548, 5e-11,
                    TERMINAL),
    REFERENCE_CLAIM("stall force without sag", "reference B7", "N", 1365.5952756, 5e-8,
                    STALL_FORCE),
    REFERENCE_PUBLISHED("published over corrected stall force", "reference B2", "1", 0.5, 1e-12,
                        STALL_SHARE),
    REFERENCE_PUBLISHED("published stall force, R read as the reduction", "reference B2", "N",
                        5.9526872866, 5e-11, STALL_REDUCTION),
    REFERENCE_CLAIM("force at the first instant", "reference B7", "N", 895.07857389, 5e-9,
                    SAG_FORCE),
    REFERENCE_CLAIM("current of a motor then", "reference B7", "A", 86.012655518, 5e-10,
                    SAG_CURRENT),
    REFERENCE_CLAIM("battery current then", "reference B7", "A", 344.55062207, 5e-9, SAG_DRAW),
    REFERENCE_CLAIM("battery voltage then", "reference B7", "V", 7.8653925352, 5e-11, SAG_VOLTAGE),
    REFERENCE_CLAIM("power out over power in, corrected", "reference B2", "1", 1.0, 1e-12,
                    POWER_RATIO),
    REFERENCE_CLAIM("rate of a turn in place", "reference B7", "rad/s", 13.457953183, 5e-10,
                    SPIN_RATE),
    REFERENCE_PUBLISHED("published rate of a turn in place", "reference B2: 1.2851398637/0.3",
                        "rad/s", 4.283799545667, 2e-10, SPIN_RATE),
    REFERENCE_CLAIM("radius of the arc", "reference B7", "m", 0.8150925180, 1e-7, ARC_RADIUS),
    REFERENCE_PUBLISHED("turn in place: energy out of nothing", "reference B5", "J", 907.4, 0.05,
                        TURN_FREE),
    REFERENCE_CLAIM("turn in place: error of the energy book", "reference B5", "J", 0.0, 1e-6,
                    TURN_ERROR),
    REFERENCE_CLAIM("arc: energy from the terminals in 5 s", "reference B5", "J", 4911.7, 0.05,
                    ARC_ENERGY),
    REFERENCE_CLAIM("arc: error of the energy book", "reference B5", "J", 0.0, 1e-6, ARC_ERROR),
    REFERENCE_CLAIM("time to fill the tanks", "reference B6", "s", 36.919900088, 5e-8, FILL),
    REFERENCE_PUBLISHED("published time to fill the tanks", "reference B6", "s", 8.9376167558, 5e-9,
                        FILL),
    REFERENCE_CLAIM("95 to 115 psig", "reference B6", "s", 8.8170788847, 1e-8, RECOVERY),
    REFERENCE_CLAIM("isothermal power at 100 psig", "reference B6", "W", 38.32, 0.01, COMPRESSION),
    REFERENCE_PUBLISHED("published isothermal power at 100 psig", "reference B6", "W", 299.1, 0.1,
                        COMPRESSION),
    REFERENCE_CLAIM("time at 62.5 % of the rated 17.2 A, 60 to 65 % being right", "reference B1",
                    "h", 1.0, 0.05, CAPACITY_HOUR),
};

#define TABLE(index, what, place, tolerance)                                                       \
    CLAIM(what ": largest difference", place, "1", NEAR(0.0, tolerance, 0), TABLE_ERROR + (index), \
          HOLDS, "")

static const Claim tables[] = {
    CLAIM("fill times, 14 pressures: largest difference", "reference B6", "1", NEAR(0.0, 1e-9, 0),
          FILL_ERROR, HOLDS, ""),
    OF_PUBLISHED("published fill times, 14 pressures: largest difference", "reference B6", "1",
                 NEAR(0.0, 1e-9, 0), FILL_ERROR, HOLDS, ""),
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

static const ClaimGroup groups[] = {
    {"Drive, kinematics, sums: the published formula against the corrected one", "published", drive,
     COUNT(drive)},
    {"Battery: what the formulas of sections 5 and 9 say", "document", battery, COUNT(battery)},
    {"Air", "document", air, COUNT(air)},
    {"The explicit scheme at 50 ms, L = 59 uH, both sides at 12 V", "expected", steps,
     COUNT(steps)},
    {"The program's runs against the reference", "reference", values, COUNT(values)},
    {"Tables of the reference, values at 0.1, 0.5, 1, 2 and 5 s, relative above 1", "reference",
     tables, COUNT(tables)},
};

const Document tank_document = {
    .name = "tank",
    .title = "RoboSim: a tank-drive robot, its formulas as published and corrected",
    .forms = {"corrected", "published", "reference"},
    .remark = "corrected and published are the program's own runs with `equations: corrected` and "
              "`equations: published`; reference is an independent solution. A claim is judged by "
              "the corrected value, or by the published one where there is no other or where it is "
              "about that one. What each mistake does: docs/robosim_errata.md",
    .groups = groups,
    .group_count = COUNT(groups),
    .row_count = TANK_ROWS,
    .compute = tank_compute,
    .figures = tank_figures,
};
