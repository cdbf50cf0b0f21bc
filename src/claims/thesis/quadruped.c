// claims/thesis/quadruped.c: a thesis about a robot on pneumatic legs: its frames, masses,
// linkages, loads and messages. The reasons of the expected verdicts are
// in docs/reference/errata.md#quadruped.
#include "claims/thesis/quadruped.h"

// The printed formula must give the value of the corrected one.
#define AS_PRINTED(row, tolerance) IB_EQUATION(IB__Q_PRINTED, row, tolerance)

// A claim judged by the printed form's value.
#define OF_PRINTED(what, place, si, rule_, row_, verdict, why)                                     \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .form = IB__Q_PRINTED, .expected = IB_VERDICT_##verdict, .note = (why)                     \
    }

// A number of the reference sheet, `digit` being the unit of its last one.
#define SHEET(what, si, value, digit, row)                                                         \
    IB_CLAIM(what, "reference C", si, IB_NEAR(value, 0.6 * (digit), 0), row, HOLDS, "")

// ------------------------------------------------------------------------------------------ frames

static const ib_Claim frames[] = {
    OF_PRINTED("'phi is a rotation of 0 or 90 deg': shoulders from those of Robot.cpp, farthest",
               "3.1.1", "mm", IB_NEAR(0.0, 1e-6, 0), IB__Q_SHOULDER, FALSE,
               "No sign of Delta gives the shoulders of the right side."),
    OF_PRINTED("the same of where the leg points", "3.1.1", "deg", IB_NEAR(0.0, 1e-6, 0),
               IB__Q_SHOULDER_TURN, FALSE, "Right legs would point to the left."),
    IB_CLAIM("phi = +90 and -90 deg: shoulders, farthest", "3.1.1", "mm", IB_NEAR(0.0, 1e-6, 0),
             IB__Q_SHOULDER_LEVEL, FALSE, "A height of -8.6 mm is left out."),
    IB_CLAIM("the same with that height", "3.1.1, Robot.cpp", "mm", IB_NEAR(0.0, 1e-6, 0),
             IB__Q_SHOULDER, HOLDS, ""),
    IB_CLAIM("Table 1 is this leg: six poses, feet, farthest", "Table 1", "m",
             IB_NEAR(0.0, 1e-12, 0), IB__Q_FEET_TABLE, HOLDS, ""),
    IB_CLAIM("Leg.cpp and Robot.cpp, frame by frame: the same of four legs in the world",
             "C.2.1, C.2.2", "m", IB_NEAR(0.0, 1e-12, 0), IB__Q_FEET_CODE, HOLDS,
             "The rounded lengths of the listing included."),
    IB_CLAIM("the same from the reference sheet, L1 and R1", "reference C", "m",
             IB_NEAR(0.0, 2e-10, 0), IB__Q_FEET_SHEET, HOLDS, "It has ten digits."),
    IB_CLAIM("inverse kinematics, the same poses: angles, farthest", "3.3; reference C", "deg",
             IB_NEAR(0.0, 1e-10, 0), IB__Q_FEET_BACK, HOLDS,
             "One answer lies within the joints' ranges."),
    SHEET("a1: 0.0731 + 0.0481 + 0.025", "m", 0.1462, 1e-4, IB__Q_A1),
    SHEET("a2: 0.087 twice", "m", 0.174, 1e-3, IB__Q_A2),
    SHEET("a3, to the centre of the round end", "m", 0.2795, 1e-4, IB__Q_A3),
    SHEET("the same to the tip", "m", 0.287, 1e-3, IB__Q_TIP),
    IB_CLAIM("the alpha joint is at the end of the coxa's capsule: h/2 + r", "C.2.1", "mm",
             IB_NEAR(73.1, 1e-6, 0.1), IB__Q_COXA_END, NEARLY, "Rounded up."),
    IB_CLAIM("the coxa's weld is at the centre of its cap: h/2", "C.2.1", "mm",
             IB_NEAR(48.1, 1e-6, 0.1), IB__Q_COXA_HALF, NEARLY, "Rounded up."),
    IB_CLAIM("beta and gamma joints are at the ends of the femur's: h/2 + r", "C.2.1", "mm",
             IB_NEAR(87.0, 1e-6, 1), IB__Q_FEMUR_END, NEARLY,
             "Rounded up by 0.5 mm; kept, as all these are."),
    IB_CLAIM("the gamma joint is at the end of the tibia's: h/2 + r", "C.2.1", "mm",
             IB_NEAR(152.0, 1e-6, 1), IB__Q_TIBIA_END, FALSE, "17 mm beyond it."),
    IB_CLAIM("the thorax that collides is as long as the one that weighs", "C.2.2", "m",
             IB_NEAR(0.74, 1e-6, 0), IB__Q_THORAX_LENGTH, FALSE, "0.75 m a few lines before."),
    IB_CLAIM("alpha goes from -47 to 90 deg: by", "5.2, C.2.1", "deg", IB_NEAR(137.0, 1e-9, 0),
             IB__Q_SPAN + 0, HOLDS, ""),
    IB_CLAIM("beta goes 'from -1 to -67 deg': lower end", "5.2.4", "deg", IB_NEAR(-1.0, 1e-9, 0),
             IB__Q_LOW + 1, FALSE, "The other way round, as in C.2.1."),
    IB_CLAIM("the same: by", "5.2, C.2.1", "deg", IB_NEAR(66.0, 1e-9, 0), IB__Q_SPAN + 1, HOLDS,
             ""),
    IB_CLAIM("gamma goes from 17 to 95 deg: by", "5.2, C.2.1", "deg", IB_NEAR(78.0, 1e-9, 0),
             IB__Q_SPAN + 2, HOLDS, ""),
    IB_CLAIM("an unset joint of SrLib starts at 0: outside of beta's range by",
             "C.2.1; reference C", "deg", IB_NEAR(0.0, 1e-9, 0), IB__Q_ZERO + 1, FALSE,
             "Its rod would be out by more than its stroke."),
    IB_CLAIM("the same of gamma", "C.2.1; reference C", "deg", IB_NEAR(0.0, 1e-9, 0),
             IB__Q_ZERO + 2, FALSE, ""),
    IB_CLAIM("left legs are mirror images of right ones: way of a foot with alpha, left over right",
             "C.2.2; reference C", "1", IB_NEAR(1.0, 1e-9, 0), IB__Q_LEFT_RIGHT, FALSE,
             "They are right ones that were turned: alpha moves left feet backward."),
};

// ------------------------------------------------------------------------------------------ masses

#define MASS(name, place, body, value, digit)                                                      \
    IB_CLAIM(name ": mass by its density", place, "kg", IB_NEAR(value, digit, 0),                  \
             IB__Q_MASS + (body), HOLDS, "")
#define ACROSS(name, body, value, digit, coded, coded_digit, why)                                  \
    IB_CLAIM(name ": inertia across it", "reference C", "kg m^2", IB_NEAR(value, digit, 0),        \
             IB__Q_ACROSS + (body), HOLDS, ""),                                                    \
        OF_PRINTED(name ": the same as SrLib has it", "SrLib; reference C", "kg m^2",              \
                   IB_NEAR(coded, coded_digit, 0), IB__Q_ACROSS + (body), HOLDS, why)

static const ib_Claim masses[] = {
    MASS("coxa, first part", "C.2.1; reference C", IB__Q_COXA, 0.304970106847, 1e-12),
    MASS("coxa, second part", "C.2.1; reference C", IB__Q_HIP, 0.019634954085, 1e-12),
    MASS("femur", "C.2.1; reference C", IB__Q_FEMUR, 0.214871847536, 1e-12),
    MASS("tibia", "C.2.1; reference C", IB__Q_TIBIA, 0.126439286830, 1e-12),
    MASS("thorax", "C.2.2; reference C", IB__Q_THORAX, 56.397263942664, 1e-11),
    SHEET("a leg", "kg", 0.665916195298, 2e-12, IB__Q_LEG_MASS),
    IB_CLAIM("the robot, as MuJoCo has it", "reference C", "kg", IB_NEAR(59.0609287239, 1e-9, 0),
             IB__Q_ROBOT_MASS, HOLDS, ""),
    IB_CLAIM("density of the thorax, no more than steel's", "C.2.2", "kg/m^3", IB_AT_MOST(7850),
             IB__Q_THORAX_DENSITY, FALSE, "Fixed in space, it never had to be carried."),
    OF_PRINTED("'density in g/mm^3': 2700 of them", "C.2.1", "kg/m^3", IB_NEAR(2700.0, 1e-6, 0),
               IB__Q_DENSITY_UNIT, FALSE, "kg/m^3 are meant."),
    IB_CLAIM("'for the gamma joint ... the femur ... 2.7 g/cm^3'", "5.5.4", "g/cm^3",
             IB_NEAR(2.7, 1e-9, 0), IB__Q_FEMUR_DENSITY, FALSE,
             "The gamma joint moves the tibia: the two are exchanged. 6.4 has it right."),
    IB_CLAIM("'the Beta joint, the tibia ... 0.7 g/cm^3'", "5.5.4", "g/cm^3", IB_NEAR(0.7, 1e-9, 0),
             IB__Q_TIBIA_DENSITY, FALSE, "Likewise."),
    IB_CLAIM("tibia of 'the density of aluminum'", "5.5.4, 6.4, C.2.1", "g/cm^3",
             IB_NEAR(2.7, 1e-9, 0), IB__Q_TIBIA_DENSITY, HOLDS, ""),
    IB_CLAIM("coxa of 'a density lower than aluminum': the greater of its parts'", "5.5.4, C.2.1",
             "g/cm^3", IB_AT_MOST(2.7), IB__Q_COXA_DENSITY, HOLDS, "1.2 and 0.3."),
    IB_CLAIM("'as a thin rod ... essentially an exact model': SrLib's tibia over a thin rod",
             "5.5.4", "1", IB_NEAR(1.0, 0.05, 0.1), IB__Q_THIN_ROD, FALSE,
             "SrLib's capsule has m r/4 for m r^2/4, and lacks 3/8 h r of the caps."),
    ACROSS("coxa, first part", IB__Q_COXA, 4.8136801734e-04, 1e-14, 1.7904181343e-03, 1e-13,
           "3.7 times too much."),
    ACROSS("coxa, second part", IB__Q_HIP, 4.9087385212e-06, 1e-16, 4.9087385212e-06, 1e-16,
           "A ball: the mistake has nothing to act on."),
    ACROSS("femur", IB__Q_FEMUR, 4.7712110486e-04, 1e-14, 1.4544816241e-03, 1e-13, "3.05 times."),
    ACROSS("tibia", IB__Q_TIBIA, 7.4209200509e-04, 1e-14, 9.6508662349e-04, 1e-14, "1.30 times."),
    ACROSS("thorax", IB__Q_THORAX, 3.1414075085, 1e-10, 3.6667443788, 1e-10, "1.17 times."),
    IB_CLAIM("coxa, first part: along it", "reference C", "kg m^2",
             IB_NEAR(9.0394419869e-05, 1e-15, 0), IB__Q_ALONG + IB__Q_COXA, HOLDS, ""),
    IB_CLAIM("femur: along it", "reference C", "kg m^2", IB_NEAR(6.4284021551e-05, 1e-15, 0),
             IB__Q_ALONG + IB__Q_FEMUR, HOLDS, ""),
    IB_CLAIM("tibia: along it", "reference C", "kg m^2", IB_NEAR(3.5292664142e-06, 1e-16, 0),
             IB__Q_ALONG + IB__Q_TIBIA, HOLDS, ""),
    IB_CLAIM("inertia at alpha added by SrLib's mistake", "reference C", "%", IB_NEAR(5.8, 0.06, 0),
             IB__Q_FELT_SRLIB + 0, HOLDS, "At (0, -34, 56) deg."),
    IB_CLAIM("the same of beta", "reference C", "%", IB_NEAR(9.0, 0.06, 0), IB__Q_FELT_SRLIB + 1,
             HOLDS, ""),
    IB_CLAIM("the same of gamma", "reference C", "%", IB_NEAR(6.1, 0.06, 0), IB__Q_FELT_SRLIB + 2,
             HOLDS, ""),
    IB_CLAIM(
        "'minimal performance changes' with a more realistic coxa: change of the inertia at alpha",
        "5.5.4, Figure 50", "%", IB_AT_MOST(5), IB__Q_FELT_PARTS + 0, HOLDS,
        "Boxes and cylinders of our own: the thesis prints no sizes. The coxa is near its axis."),
    IB_CLAIM("the same with the inertia 'found in SolidWorks'", "5.5.4, Figure 50", "%",
             IB_NEAR(0.0, 0, 0), IB_NO_ROW, UNKNOWN, "None of the drawing's numbers is published."),
    IB_CLAIM("'cast doubt on inertia as the primary source of model error': inertia "
             "at alpha added by the cylinders' own masses",
             "5.5.4", "%", IB_AT_MOST(10), IB__Q_FELT_CYLINDERS + 0, FALSE,
             "200 g a cylinder, an estimate: the doubt rests on three models that all leave them "
             "out. In 6.4 inertia is 'the primary suspect'."),
};

// ---------------------------------------------------------------------------------------- linkages

#define SAME(what, place, si, row_)                                                                \
    IB_CLAIM(what, place, si, IB_NEAR(0.0, 1e-5, 0), row_, HOLDS, "")
#define JOINTS(what, place_a, place_b, place_c, si, row_)                                          \
    SAME("alpha: " what, place_a, si, (row_) + 0), SAME("beta: " what, place_b, si, (row_) + 1),   \
        SAME("gamma: " what, place_c, si, (row_) + 2)
#define ENDS(name, joint, low, high)                                                               \
    IB_CLAIM(name ": stroke at the lower end of its range", "5.2, C.1.1; reference B", "in",       \
             IB_NEAR(low, 1e-7, 0), IB__Q_END + 2 * (joint), HOLDS, ""),                           \
        IB_CLAIM(name ": at the upper end", "5.2, C.1.1; reference B", "in",                       \
                 IB_NEAR(high, 1e-7, 0), IB__Q_END + 2 * (joint) + 1, HOLDS, "")
#define ARMS(name, joint, low, high, most)                                                         \
    IB_CLAIM(name ": arm at the lower end", "reference B", "mm", IB_NEAR(low, 6e-5, 0),            \
             IB__Q_ARM + 3 * (joint), HOLDS, ""),                                                  \
        IB_CLAIM(name ": at the upper end", "reference B", "mm", IB_NEAR(high, 6e-5, 0),           \
                 IB__Q_ARM + 3 * (joint) + 1, HOLDS, ""),                                          \
        IB_CLAIM(name ": the longest", "reference B", "mm", IB_NEAR(most, 6e-5, 0),                \
                 IB__Q_ARM + 3 * (joint) + 2, HOLDS, "")

static const ib_Claim linkages[] = {
    JOINTS("angle between the sides, from l4 and l5 of the sheet: largest difference", "5.2.2",
           "5.2.4", "5.2.6", "deg", IB__Q_ANGLE_OFF),
    JOINTS("x is the distance of the pins less l2: largest difference", "5.2.1", "5.2.3", "5.2.5",
           "mm", IB__Q_STROKE_OFF),
    JOINTS("x' is its derivative: largest difference", "5.2.1, 5.2.2", "5.2.3, 5.2.4",
           "5.2.5, 5.2.6", "mm/rad", IB__Q_SPEED_OFF),
    OF_PRINTED("T_alpha over F dx/dtheta", "5.2.7", "1", IB_NEAR(1.0, 1e-6, 0), IB__Q_TORQUE + 0,
               HOLDS, "Virtual work: the joint gets the cylinder's power."),
    OF_PRINTED("T_beta over F dx/dtheta", "5.2.8", "1", IB_NEAR(1.0, 1e-6, 0), IB__Q_TORQUE + 1,
               UNKNOWN, "sin(beta alpha) is the sine of no angle."),
    IB_CLAIM("the same with sin(gamma_beta)", "5.2.8", "1", IB_NEAR(1.0, 1e-6, 0), IB__Q_TORQUE + 1,
             HOLDS, "As before the last equality sign."),
    OF_PRINTED("T_gamma over F dx/dtheta", "5.2.9", "1", IB_NEAR(1.0, 1e-6, 0), IB__Q_TORQUE + 2,
               FALSE, "Extension lowers theta_gamma (5.2.6): a minus sign is missing."),
    IB_CLAIM("the same with a minus sign", "5.2.9", "1", IB_NEAR(1.0, 1e-6, 0), IB__Q_TORQUE + 2,
             HOLDS, ""),
    IB_CLAIM("alpha: lambda_1 = sin^-1(...): from the angle at the pin, farthest", "5.2.7", "deg",
             IB_NEAR(0.0, 1e-4, 0), IB__Q_LAMBDA + 0, FALSE,
             "An arcsine folds angles beyond a right one. Its sine is taken again: no harm."),
    IB_CLAIM("beta: the same", "5.2.8", "deg", IB_NEAR(0.0, 1e-4, 0), IB__Q_LAMBDA + 1, FALSE, ""),
    IB_CLAIM("gamma: the same", "5.2.9", "deg", IB_NEAR(0.0, 1e-4, 0), IB__Q_LAMBDA + 2, FALSE, ""),
    ENDS("alpha", 0, 0.0, 3.75),
    ENDS("beta", 1, 0.0, 1.75),
    ENDS("gamma", 2, 1.75, 0.0),
    ARMS("alpha", 0, 18.7600, 18.7600, 51.1867),
    ARMS("beta", 1, 34.2235, 34.2235, 40.8068),
    ARMS("gamma", 2, 17.2275, 40.5653, 40.7080),
    IB_CLAIM("equal arms at gamma need l4", "reference B", "mm", IB_NEAR(113.73488, 6e-6, 0),
             IB__Q_GAMMA_L4, HOLDS, "Probably not as built; l4 is chosen, and so is every l1."),
    IB_CLAIM("alpha's cylinder has '3.5 inches of stroke length'", "5.5.2.3", "in",
             IB_NEAR(3.5, 1e-9, 0), IB__Q_ALPHA_STROKE, FALSE, "3.75 in C.1.1."),
    OF_PRINTED("which makes it 'approximately 2 inches longer than the others'", "5.5.2.3", "in",
               IB_NEAR(2.0, 0.05, 0.3), IB__Q_LONGER, NEARLY, "1.75 in are the others'."),
    IB_CLAIM("the same of 3.75 in", "5.5.2.3, C.1.1", "in", IB_NEAR(2.0, 1e-9, 0), IB__Q_LONGER,
             HOLDS, "So C.1.1 is believed."),
    IB_CLAIM("alpha: 'simple linear versions' of stroke to angle: largest error, less than the "
             "RMSE",
             "5.2, 5.5.3", "deg", IB_AT_MOST(10.2), IB__Q_LINEAR + 0, HOLDS,
             "As much again as the simulation was off by; between the ends of the range."),
    IB_CLAIM("beta: the same", "5.2, 5.5.3", "deg", IB_AT_MOST(4), IB__Q_LINEAR + 1, HOLDS, ""),
    IB_CLAIM("gamma: the same", "5.2, 5.5.3", "deg", IB_AT_MOST(2.6), IB__Q_LINEAR + 2, FALSE,
             "With l4 = 40 mm, which is chosen; 1.4 deg with equal arms."),
    IB_CLAIM("alpha: torque by a straight line over the true one, worst", "5.5.3", "1",
             IB_NEAR(1.0, 0.1, 0.25), IB__Q_LINEAR_TORQUE + 0, FALSE, "At the ends of the range."),
    IB_CLAIM("beta: the same", "5.5.3", "1", IB_NEAR(1.0, 0.1, 0.25), IB__Q_LINEAR_TORQUE + 1,
             NEARLY, ""),
    IB_CLAIM("gamma: the same", "5.5.3", "1", IB_NEAR(1.0, 0.1, 0.25), IB__Q_LINEAR_TORQUE + 2,
             FALSE, ""),
};

// ------------------------------------------------------------------------------------------- loads

#define AT_LEAST_ROW(row_)                                                                         \
    {                                                                                              \
        0, 0, INFINITY, 0, row_, IB__Q_CORRECTED                                                   \
    }

static const ib_Claim loads[] = {
    IB_CLAIM("'50 psig, or approximately 65 psia'", "5.5.2.1, C.1.1", "psi", IB_PRINTED(65.0, 1),
             IB__Q_SUPPLY, HOLDS, "50.3 + 14.7."),
    OF_PRINTED("Ps + 14.7 '%psig'", "C.1.1", "psi", IB_NEAR(65.0, 0.5, 0), IB__Q_SUPPLY, FALSE,
               "The sum is absolute."),
    IB_CLAIM("psi2Pa", "C.1.1", "Pa", IB_PRINTED(6894.76, 0.01), IB__Q_PSI, HOLDS, ""),
    IB_CLAIM("g = 9.81 in the setup, -9.8 in main.cpp", "C.1.1, C.2.4", "m/s^2",
             IB_NEAR(9.81, 1e-6, 0.02), IB__Q_GRAVITY, NEARLY, "The leg hangs in the latter."),
    IB_CLAIM("greatest force outwards, 65 against 15.7 psia", "reference B", "N",
             IB_NEAR(191.105, 6e-4, 0), IB__Q_FORCE_OUT, HOLDS, ""),
    IB_CLAIM("greatest force inwards", "reference B", "N", IB_NEAR(-165.902, 6e-4, 0),
             IB__Q_FORCE_IN, HOLDS, ""),
    IB_CLAIM("'exhaust air (room - measured)' of 24.7 psi: force outwards", "C.1.1", "N",
             AS_PRINTED(IB__Q_FORCE_OUT, 2), IB__Q_FORCE_OUT, FALSE,
             "No room has 24.7 psi; B.1.1 has 15.7. A sixth of the force."),
    SHEET("alpha holds the robot as coded at (0, -34, 80) deg with", "N m", 0.0, 1e-9,
          IB__Q_HOLD + 0),
    SHEET("beta holds it with", "N m", 34.4571007606, 4e-8, IB__Q_HOLD + 1),
    SHEET("gamma holds it with", "N m", 9.7385909338, 4e-8, IB__Q_HOLD + 2),
    SHEET("beta holds a leg in the air with", "N m", -0.4433970706, 4e-8, IB__Q_AIR + 1),
    SHEET("gamma holds a leg in the air with", "N m", -0.0455645282, 4e-8, IB__Q_AIR + 2),
    IB_CLAIM("50 psig carry the robot as coded: torque of beta's cylinder there", "C.1.1, C.2.2",
             "N m", AT_LEAST_ROW(IB__Q_HOLD + 1), IB__Q_BETA_HAS, FALSE,
             "It was held in space (5.4): the question did not arise."),
    IB_CLAIM("that torque", "reference C", "N m", IB_PRINTED(7.79, 0.01), IB__Q_BETA_HAS, HOLDS,
             ""),
    IB_CLAIM("supply that would carry it", "reference C", "psig", IB_PRINTED(218.0, 1),
             IB__Q_NEEDED, NEARLY, "Above 14.7 psi; the sheet counts from the exhaust's 15.7."),
    IB_CLAIM("robot that 50 psig carry", "reference C", "kg", IB_PRINTED(13.9, 0.1),
             IB__Q_MASS_MOST, HOLDS, "Feet pushed straight up."),
    IB_CLAIM("its body", "reference C", "kg", IB_PRINTED(11.3, 0.1), IB__Q_THORAX_MOST, HOLDS,
             "Ironbird's default is 8 kg."),
};

// ------------------------------------------------------------------------------------------- poses

#define LIFTS(pose, value, i)                                                                      \
    IB_CLAIM("one leg lifts at " pose " deg, 50 psig", "a prototype", "N", IB_PRINTED(value, 1),   \
             IB__Q_LIFTS + (i), HOLDS, "")

static const ib_Claim poses[] = {
    LIFTS("(0, -34, 80)", 34.0, 0),
    LIFTS("(0, -6, 78)", 71.0, 1),
    LIFTS("(0, -12, 90)", 91.0, 2),
    IB_CLAIM("'11.3 kg at most': body that stands at (0, -34, 80) deg", "reference C", "kg",
             IB_PRINTED(11.3, 0.1), IB__Q_STANDS + 0, HOLDS, ""),
    IB_CLAIM("the same at (0, -13, 88) deg", "reference C", "kg", IB_PRINTED(11.3, 0.1),
             IB__Q_STANDS + 1, FALSE, "True of the start's pose alone."),
    IB_CLAIM("light-quadruped, 8 kg, crawls from (0, -34, 80) deg: body that holds in each phase",
             "Ironbird", "kg", IB_AT_LEAST(8), IB__Q_CRAWLS + 0, FALSE,
             "It stands there. With a foot in the air beta is too weak."),
    IB_CLAIM("walking-quadruped, 8 kg, from (0, -13, 88) deg: the same", "Ironbird", "kg",
             IB_AT_LEAST(8), IB__Q_CRAWLS + 1, HOLDS, ""),
    IB_CLAIM("'bodies up to 16 kg crawl' from there: the same", "a prototype", "kg",
             IB_AT_LEAST(16), IB__Q_CRAWLS + 1, FALSE,
             "At rest, and with a shift of 7 cm to each side."),
};

// ------------------------------------------------------------------------------------------- hours

#define HOURS(what, source, use, verdict, why)                                                     \
    IB_CLAIM(what, "1.1", "h", IB_AT_LEAST(3), IB__Q_HOURS + IB__Q_USES * (source) + (use),        \
             verdict, why)
#define CARRIED(what, source, verdict, why)                                                        \
    {                                                                                              \
        .claim = "body of 8 kg with " what ": no more than crawls", .where = "1.1", .unit = "kg",  \
        .rule = {0, INFINITY, 0, 0, IB__Q_CRAWLS + 1, IB__Q_CORRECTED},                            \
        .row = IB__Q_CARRIED + (source), .expected = IB_VERDICT_##verdict, .note = (why)           \
    }

static const ib_Claim hours[] = {
    HOURS("'several hours of untethered operation', three of them: crawling on a bottle of 1 l at "
          "200 bar",
          0, 2, FALSE,
          "232 g above 50 psig. The thesis names no duty; ours is the crawl at 8 cm/s."),
    HOURS("the same, valves with underlap", 0, 3, FALSE, ""),
    HOURS("standing on it", 0, 0, HOLDS,
          "At rest the equivalent valve loses nothing: 1e7 s is the most that is told. With noise "
          "of 0.05 deg it is 0.7 h, which does not hold."),
    HOURS("the same, valves with underlap", 0, 1, FALSE, ""),
    HOURS("crawling on a small compressor with 1 kg of battery", 1, 2, FALSE,
          "It makes less air than the crawl uses."),
    HOURS("crawling on 2 kg of hydrogen peroxide [22]", 2, 2, FALSE, "Gas that does not cool."),
    HOURS("crawling on a free-piston compressor with 0.5 kg of propane [44]", 3, 2, FALSE,
          "Efficiency of 3 %, an estimate: 5 % would do."),
    HOURS("the same, valves with underlap", 3, 3, FALSE, "It makes less air than that uses."),
    HOURS("crawling on a free-piston Stirling engine with 0.5 kg of propane [43]", 4, 2, HOLDS,
          "Efficiency of 10 %, an estimate."),
    CARRIED("a bottle of 1 l", 0, HOLDS, ""),
    CARRIED("compressor and battery", 1, FALSE, "At 50 psig."),
    CARRIED("2 kg of hydrogen peroxide", 2, FALSE, ""),
    CARRIED("the free-piston compressor", 3, FALSE, ""),
    CARRIED("the free-piston Stirling engine", 4, FALSE, ""),
    IB_CLAIM("twelve valves with underlap at rest: leak", "a prototype", "g/s",
             IB_PRINTED(1.07, 0.01), IB__Q_USE + 1, HOLDS, ""),
};

// ---------------------------------------------------------------------------------------- messages

static const ib_Claim messages[] = {
    IB_CLAIM("'12 messages ... 3 ... and 3': values sent", "5.1, C.2.4", "1",
             AS_PRINTED(IB__Q_SENT, 0), IB__Q_SENT, FALSE, "C.2.4 declares 21, and no place."),
    IB_CLAIM("values that twelve actuator models need: no more than are sent", "5.1, 5.2", "1",
             IB_AT_MOST(18), IB__Q_NEEDS, FALSE, "5.2 needs a rate beside each angle."),
    IB_CLAIM("joints' values that the listing fills, of 12", "C.2.4", "1", IB_NEAR(12.0, 0, 0),
             IB__Q_FILLED, FALSE, "Angle and rate of R1, gamma first; torques come alpha first."),
    IB_CLAIM("commands of their own that twelve joints have", "C.2.4", "1", IB_NEAR(12.0, 0, 0),
             IB__Q_COMMANDS, FALSE,
             "L1 and R1 share thetaL11 to 13: torques for one, angles for "
             "the other."),
    IB_CLAIM("a pause 'at about 0.2 seconds': 9.452 s less 9.231 s", "5.3.2, Figure 37", "s",
             IB_PRINTED(0.2, 0.1), IB__Q_PAUSE_AT, HOLDS, ""),
    IB_CLAIM("'about 90 ms' of the 'pauses up to 100 ms'", "5.3.2", "ms", IB_AT_MOST(100),
             IB__Q_PAUSE, HOLDS, ""),
    IB_CLAIM("delays 'as large as 80 ms', 'as pointed out in section 5.6.2'", "6.3", "ms",
             IB_NEAR(80.0, 0, 0), IB_NO_ROW, UNKNOWN,
             "5.6.2 prints no delay; Figure 51 is a picture."),
    IB_CLAIM("3 to 4 ms of network are 'not a significant issue': change of gamma's lag by 4 ms",
             "5.3.2, 5.6.2", "s", IB_AT_MOST(0.015), IB__Q_LATER, HOLDS,
             "A tenth of the printed lag. Sine of 5 rad/s, valves 4 ms late."),
    IB_CLAIM("pauses 'up to 1 ms' for a frame in 100 steps: of the time", "5.6.2, C.2.4", "%",
             IB_AT_MOST(5), IB__Q_RENDERING, HOLDS, "'Not a significant concern'."),
};

static const ib_ClaimGroup groups[] = {
    IB_CLAIM_GROUP("Frames", "thesis", frames),
    IB_CLAIM_GROUP("Masses and inertias", "thesis", masses),
    IB_CLAIM_GROUP("Cylinders and joints", "thesis", linkages),
    IB_CLAIM_GROUP("Loads", "thesis", loads),
    IB_CLAIM_GROUP("Poses", "claimed", poses),
    IB_CLAIM_GROUP("How long the air lasts", "thesis", hours),
    IB_CLAIM_GROUP("Messages", "thesis", messages),
};

// --------------------------------------------------------------------------------------- computing

static ib_Status compute_runs(ib_ClaimValue *found, ib__QuadrupedDetails *details, ib_Arena *arena,
                              ib_Error *error)
{
    ib__LegBench bench;
    ib_Status status = ib__leg_bench(ib__leg_text, NULL, 0, &bench, error);
    if (status != IB_OK) return status;
    status = ib__quadruped_claims_sines(&bench, found, details, arena, error);
    if (status == IB_OK) status = ib__quadruped_claims_steps(&bench, found, details, arena, error);
    if (status == IB_OK) status = ib__quadruped_claims_alpha(&bench, found, details, arena, error);
    ib__leg_bench_end(&bench);
    return status;
}

static ib_Status compute(ib_Findings *findings, ib_Error *error)
{
    static const char robot[] = "robot: {kind: quadruped, preset: thesis-quadruped}\n"
                                "control: {legs: {kind: legs}}\n"
                                "run: {duration: 1 s, step: 1 ms}\n";
    ib_ClaimValue *found = findings->values;
    ib__QuadrupedDetails *details = ib_arena_array(&findings->arena, 1, sizeof *details);
    if (!details) return ib_error_set(error, IB_FAILED, "out of memory");
    findings->details = details;
    for (int i = 0; i < IB__QUADRUPED_TESTS; i++)
        findings->groups[findings->group_count++] = ib__quadruped_tests[i];
    ib__LegBench bench;
    ib_Status status = ib__leg_bench(robot, NULL, 0, &bench, error);
    if (status != IB_OK) return status;
    status = ib__quadruped_claims_links(&bench, found, error);
    if (status == IB_OK) status = ib__quadruped_claims_linkages(&bench, found, error);
    if (status == IB_OK) status = ib__quadruped_claims_hours(found, error);
    if (status == IB_OK) ib__quadruped_claims_times(&bench, found);
    ib__leg_bench_end(&bench);
    return status == IB_OK ? compute_runs(found, details, &findings->arena, error) : status;
}

const ib_ClaimDocument ib_quadruped_claims = {
    .name = "quadruped",
    .title = "A robot on pneumatic legs: Daepp's thesis of 2011, chapters 3, 5, 6, C",
    .forms = {"corrected", "published"},
    .remark = "corrected: as Ironbird has it. published: what is printed, to the letter. Of the "
              "responses of chapter 5 neither gains, frequencies nor amplitudes are printed: they "
              "are recomputed with the loop of the cylinder's rig (153 V/m and 5 V s/m of the rod, "
              "reference A5) through the linkages, and with 60 V/m. Measured curves are not in the "
              "thesis: a claim about them is 'not computed'. The claims of chapter 4: "
              "'ironbird verify cylinder'. The effect of each mistake: "
              "docs/reference/errata.md#quadruped",
    .errata = ib_quadruped_errata,
    .groups = groups,
    .group_count = IB_CLAIM_COUNT(groups),
    .row_count = IB__Q_ROWS,
    .compute = compute,
    .figures = ib__quadruped_claims_figures,
};
