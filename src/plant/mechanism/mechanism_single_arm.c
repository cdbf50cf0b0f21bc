// plant/mechanism/mechanism_single_arm.c: an arm on one joint, moved by motors or by a
// cylinder. Its mechanics: plant/mechanism/swinging_arm.h.
#include "base/extreme.h"
#include "base/maths.h"
#include "plant/mechanism/swinging_arm.h"

#include <math.h>

typedef struct Config {
    ib_ArmConfig arm;
    double base, lever; ///< a, b: from the joint to the cylinder's pins on robot and arm [m]
    double angle;       ///< of the robot's pin [rad]
    double retracted;   ///< L0: of the cylinder [m]
} Config;

static const ib_Param params[] = {
    IB_ARM_ROWS(Config, "100", "3 kg", "40 cm"),
    IB_ARM_TRAVEL_ROWS,
    IB_PISTON_ROWS(ib_ArmConfig),
    IB_NUMBER_ROW("cylinder.base", "m", "20 cm", 1e-3, 100, base,
                  "distance from the joint to the cylinder's pin on the robot"),
    IB_NUMBER_ROW(
        "cylinder.angle", "rad", "-90 deg", -3.2, 3.2, angle,
        "direction from the joint to the cylinder's pin on the robot, above the horizontal"),
    IB_NUMBER_ROW("cylinder.lever", "m", "10 cm", 1e-3, 100, lever,
                  "distance from the joint to the cylinder's pin on the arm"),
    IB_NUMBER_ROW("cylinder.retracted", "m", "16 cm", 1e-3, 100, retracted,
                  "length of the retracted cylinder from pin to pin"),
};
enum { ROBOT_ROWS = IB_TRAVEL_ROW_COUNT + IB_PISTON_ROW_COUNT + 4 };

static const ib_Param start[] = {IB_ARM_START_ROWS};

static void facts(const void *model, ib_MechanismFacts *f)
{
    const ib_Arm *m = model;
    double weight = ib_arm_weight(m, m->gravity);
    ib_arm_facts(m, weight, f);
    ib_fact_add(f, "swing_frequency", "rad/s",
                "natural frequency of the arm hanging free, motors included as inertia only",
                sqrt(weight / m->inertia));
}

// ------------------------------------------------------------------------------------ its cylinder

// The cylinder is the third side of a triangle whose corners are the joint and the two pins:
//   L^2 = a^2 + b^2 - 2 a b cos(th - angle),   s = L - L0,   ds/dth = a b sin(th - angle)/L
static void piston(const void *config_, const double *x, ib_PistonPlace *place)
{
    const Config *config = config_;
    double a = config->base, b = config->lever, s, c;
    ib_sincos(x[0] - config->angle, &s, &c);
    double L = sqrt(a * a + b * b - 2 * a * b * c);
    place->at = L - config->retracted;
    place->ratio = a * b * s / L;
}

// The angle at which the cylinder is L long, between angle and angle + 180 degrees.
static double angle_at(const Config *config, double L)
{
    double a = config->base, b = config->lever, c = (a * a + b * b - L * L) / (2 * a * b);
    return config->angle + ib_atan2(sqrt(ib_max((1 - c) * (1 + c), 0)), c);
}

static ib_Status reach(const void *config_, double travel[2], ib_Error *error)
{
    const Config *config = config_;
    double a = config->base, b = config->lever, in = config->retracted;
    double out = in + config->arm.act.cylinder.stroke;
    // At the ends of the triangle's range the cylinder has no lever.
    if (!(in > fabs(a - b) * 1.001 && out < (a + b) * 0.999))
        return ib_error_set(error, IB_BAD_INPUT,
                            "cylinder.retracted: from %g m to %g m the cylinder reaches a dead "
                            "point: expected both between %g m and %g m, the difference and the "
                            "sum of base and lever",
                            in, out, fabs(a - b), a + b);
    double low = angle_at(config, in), high = angle_at(config, out);
    if (isinf(travel[0])) {
        travel[0] = low;
        travel[1] = high;
    }
    if (travel[0] >= low - 1e-9 && travel[1] <= high + 1e-9) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "travel: its cylinder reaches from %g rad to %g rad only", low, high);
}

const ib_MechanismKind ib_single_arm_mechanism = {
    .name = "single_arm",
    .sentence = "an arm on one joint, against gravity",
    IB_MECHANISM_TABLES(Config, ib_Arm, ROBOT_ROWS),
    .init = ib_arm_init,
    IB_ARM_SHAPE_FUNCTIONS,
    IB_ARM_TORQUE_FUNCTIONS,
    .facts = facts,
    .piston = piston,
    .reach = reach,
};
