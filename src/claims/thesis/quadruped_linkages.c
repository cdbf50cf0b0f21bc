// claims/thesis/quadruped_linkages.c: the linkages of the cylinders, each printed equation by
// itself, and their holding torques [thesis 5.2, 5.5.3, C.1.1].
//
// The printed equations are evaluated literally and compared with the distance between two turning
// pins, and its numerical derivative: the program's own formulas serve only for the angle between
// the sides at joint angle 0.
#include "claims/thesis/quadruped.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>

#define DEGREE (M_PI / 180)
#define INCH   0.0254

enum { POINTS = 200 }; ///< places of a range, its ends included

// ------------------------------------------------------------------------------------ what is true

// Distance of the pins at an angle of the joint, less l2: the stroke of the rod.
static double true_stroke(const ib_LinkageModel *k, double th)
{
    double pivot[2], pin[2], s, c;
    ib_linkage_pins(k, 0, pivot, pin);
    ib_sincos(th, &s, &c);
    double x = c * pin[0] - s * pin[1] - pivot[0], y = s * pin[0] + c * pin[1] - pivot[1];
    return sqrt(x * x + y * y) - k->l2;
}

// Its derivative, from four places around: the error is h^4/30 of the fifth derivative, and 1e-12
// of rounding.
static double true_arm(const ib_LinkageModel *k, double th)
{
    const double h = 1e-3;
    return (8 * (true_stroke(k, th + h) - true_stroke(k, th - h)) -
            (true_stroke(k, th + 2 * h) - true_stroke(k, th - 2 * h))) /
           (12 * h);
}

// --------------------------------------------------------------------------------- what is printed

// gamma_alpha = 180 - phi2 - phi1 + theta and its like [5.2.2, 5.2.4, 5.2.6], with the l4 and l5 of
// reference B, which give the joint its angle. The second line of each is the sign of theta.
static const struct {
    double l4, l5, sign;
} sides[IB_LEG_JOINTS] = {{0.04809976, 0.21863249, 1}, {0.02648145, 0.05000334, 1}, {0.04, 0, -1}};

static double arcsine(double x)
{
    return ib_atan2(x, sqrt((1 - x) * (1 + x)));
}

static double printed_angle(const ib_LinkageModel *k, int joint, double th)
{
    double phi1 = 0,
           phi2 = arcsine((joint == IB_LEG_GAMMA ? sides[joint].l4 : sides[joint].l5) / k->l1);
    if (joint == IB_LEG_ALPHA) phi2 = M_PI - phi2;
    if (joint != IB_LEG_GAMMA) phi1 = M_PI / 2 - arcsine(sides[joint].l4 / k->l3);
    return M_PI - phi2 - phi1 + sides[joint].sign * th;
}

// (5.2.1), (5.2.3), (5.2.5), of the angle between the sides.
static double printed_stroke(const ib_LinkageModel *k, double g)
{
    return -k->l2 + sqrt(k->l1 * k->l1 + k->l3 * k->l3 - 2 * k->l1 * k->l3 * ib_cos(g));
}

// Their second lines, gamma' in the place of theta' with the printed sign.
static double printed_speed(const ib_LinkageModel *k, double g, double g_rate)
{
    double under = k->l1 * k->l1 + k->l3 * k->l3 - 2 * k->l1 * k->l3 * ib_cos(g);
    return 2 * k->l1 * k->l3 * ib_sin(g) * g_rate / (2 * sqrt(under));
}

// (5.2.7) to (5.2.9), for F = 1 N.
static double printed_torque(const ib_LinkageModel *k, double g, double x)
{
    return k->l3 * k->l1 * ib_sin(g) / (k->l2 + x);
}

// --------------------------------------------------------------------------------------- equations

static double at_point(const ib_LinkageModel *k, int i)
{
    return k->range[0] + (k->range[1] - k->range[0]) * i / (POINTS - 1);
}

static void check_equations(const ib_LinkageModel *k, int joint, ib_ClaimValue *found)
{
    double stroke = 0, speed = 0, angle = 0, lambda = 0, worst = 1;
    for (int i = 0; i < POINTS; i++) {
        double th = at_point(k, i), g = printed_angle(k, joint, th), x = true_stroke(k, th);
        double arm = true_arm(k, th), torque = printed_torque(k, g, x);
        stroke = ib_max(stroke, fabs(printed_stroke(k, g) - x));
        speed = ib_max(speed, fabs(printed_speed(k, g, sides[joint].sign) - arm));
        angle = ib_max(angle, fabs(g - (k->offset + k->sign * th)));
        if (fabs(torque / arm - 1) > fabs(worst - 1) || i == 0) worst = torque / arm;
        // lambda_1 = sin^-1(l1 sin g/(l2 + x)) against the corner itself.
        double sine = k->l1 * ib_sin(g) / (k->l2 + x);
        lambda = ib_max(lambda, fabs(arcsine(ib_min(sine, 1)) - ib_linkage_corners(k, th).pin));
    }
    ib__quadruped_put(found, IB__Q_ANGLE_OFF + joint, angle / DEGREE);
    ib__quadruped_put(found, IB__Q_STROKE_OFF + joint, 1e3 * stroke);
    ib__quadruped_put(found, IB__Q_SPEED_OFF + joint, 1e3 * speed);
    ib__quadruped_put(found, IB__Q_LAMBDA + joint, lambda / DEGREE);
    // The last form of beta's torque is undefined: sin(beta alpha) names no angle of the figure.
    double printed = joint == IB_LEG_BETA ? NAN : worst;
    double meant = joint == IB_LEG_GAMMA ? -worst : worst;
    found[IB__Q_TORQUE + joint] = (ib_ClaimValue){{meant, printed, NAN}};
}

// The longest arm of the range: a scan of all of it, then a finer one around the best.
static double longest_arm(const ib_LinkageModel *k)
{
    double low = k->range[0], high = k->range[1], most = 0;
    for (int pass = 0; pass < 4; pass++) {
        double apart = (high - low) / (POINTS - 1), best = low, here = 0;
        for (int i = 0; i < POINTS; i++) {
            double arm = fabs(true_arm(k, low + apart * i));
            if (arm > here) here = arm, best = low + apart * i;
        }
        most = ib_max(most, here);
        low = ib_max(best - apart, k->range[0]), high = ib_min(best + apart, k->range[1]);
    }
    return most;
}

// The linear conversions: a straight line between the ends gives the angle start + x/slope for a
// stroke x, and the same arm everywhere.
static void compare_line(const ib_LinkageModel *k, int joint, ib_ClaimValue *found)
{
    double slope = k->sign * k->stroke / (k->range[1] - k->range[0]);
    double start = k->sign > 0 ? k->range[0] : k->range[1], off = 0, torque = 1;
    for (int i = 0; i < POINTS; i++) {
        double th = at_point(k, i), ratio = slope / true_arm(k, th);
        off = ib_max(off, fabs(start + true_stroke(k, th) / slope - th));
        if (fabs(ratio - 1) > fabs(torque - 1)) torque = ratio;
    }
    ib__quadruped_put(found, IB__Q_LINEAR + joint, off / DEGREE);
    ib__quadruped_put(found, IB__Q_LINEAR_TORQUE + joint, torque);
}

static void measure(const ib_LinkageModel *k, int joint, ib_ClaimValue *found)
{
    for (int end = 0; end < 2; end++) {
        double th = k->range[end];
        ib__quadruped_put(found, IB__Q_END + 2 * joint + end, true_stroke(k, th) / INCH);
        ib__quadruped_put(found, IB__Q_ARM + 3 * joint + end, 1e3 * fabs(true_arm(k, th)));
    }
    ib__quadruped_put(found, IB__Q_ARM + 3 * joint + 2, 1e3 * longest_arm(k));
    compare_line(k, joint, found);
}

// The l4 for equal arms at gamma's ends: l1 sin(phi2), phi2 = 180 deg less the angle at theta 0.
static ib_Status balance_gamma(const ib_QuadrupedConfig *config, ib_ClaimValue *found,
                               ib_Error *error)
{
    ib_LinkageConfig gamma = config->joints[IB_LEG_GAMMA].linkage;
    ib_Status status = ib_linkage_span(&gamma, error);
    if (status == IB_OK)
        ib__quadruped_put(found, IB__Q_GAMMA_L4, 1e3 * gamma.l1 * ib_sin(M_PI - gamma.offset));
    return status;
}

// ------------------------------------------------------------------------------------------- loads

// Torques that hold a leg in the pose of reference C, with a share of `mass` on its foot.
static void hold(const ib__LegBench *bench, double mass, double torque[3])
{
    static const double q[3] = {0, -34 * DEGREE, 80 * DEGREE};
    double g = bench->config->gravity, up[3], down[3];
    const ib_Pose *shoulder = &bench->model->shoulders[IB_LEG_FR];
    ib_leg_direction_into(shoulder, (double[]){0, 0, mass * g / IB_LEG_LEGS}, up);
    ib_leg_direction_into(shoulder, (double[]){0, 0, -g}, down);
    ib_leg_hold(&bench->model->leg_model, q, up, down, torque);
}

static void check_loads(const ib__LegBench *bench, ib_ClaimValue *found)
{
    const ib_QuadrupedConfig *config = bench->config;
    ib_CylinderModel cylinder;
    ib_cylinder_init(&config->cylinder, &cylinder);
    double Ps = config->supply.supply.pressure, Pe = config->cylinder.exhaust,
           room = 24.7 * IB__PSI;
    double mass = ib_mujoco_mass(bench->model->rigid.world), stand[3], air[3];
    double out = ib_cylinder_force(&cylinder, Ps, Pe),
           arm = true_arm(&bench->model->joints[IB_LEG_BETA].linkage, -34 * DEGREE);
    hold(bench, mass, stand);
    hold(bench, 0, air);
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        ib__quadruped_put(found, IB__Q_HOLD + j, stand[j]);
        ib__quadruped_put(found, IB__Q_AIR + j, air[j]);
    }
    // T = air + (stand - air)/mass M, and both F and T are linear in their arguments.
    double has = out * arm, per = (stand[IB_LEG_BETA] - air[IB_LEG_BETA]) / mass;
    double most = (has - air[IB_LEG_BETA]) / per;
    double area =
        (ib_cylinder_force(&cylinder, Ps, Pe) - ib_cylinder_force(&cylinder, Pe, Pe)) / (Ps - Pe);
    double needed = Ps + (stand[IB_LEG_BETA] / arm - out) / area;
    double legs = IB_LEG_LEGS * found[IB__Q_LEG_MASS].form[IB__Q_CORRECTED];
    ib__quadruped_put(found, IB__Q_BETA_HAS, has);
    ib__quadruped_put(found, IB__Q_NEEDED, needed / IB__PSI - 14.7);
    ib__quadruped_put(found, IB__Q_MASS_MOST, most);
    ib__quadruped_put(found, IB__Q_THORAX_MOST, most - legs);
    found[IB__Q_FORCE_OUT] = (ib_ClaimValue){{out, ib_cylinder_force(&cylinder, Ps, room), NAN}};
    found[IB__Q_FORCE_IN] = (ib_ClaimValue){
        {ib_cylinder_force(&cylinder, Pe, Ps), ib_cylinder_force(&cylinder, room, Ps), NAN}};
    // The value of `Ps + 14.7` if the sum were still a gauge pressure, as in its comment.
    found[IB__Q_SUPPLY] = (ib_ClaimValue){{Ps / IB__PSI, Ps / IB__PSI + 14.7, NAN}};
    ib__quadruped_put(found, IB__Q_GRAVITY, config->gravity);
    ib__quadruped_put(found, IB__Q_PSI, IB__LBF / (INCH * INCH));
    double longer =
        config->joints[IB_LEG_ALPHA].linkage.stroke - config->joints[IB_LEG_BETA].linkage.stroke;
    found[IB__Q_LONGER] = (ib_ClaimValue){{longer / INCH, 3.5 - 1.75, NAN}};
    ib__quadruped_put(found, IB__Q_ALPHA_STROKE,
                      config->joints[IB_LEG_ALPHA].linkage.stroke / INCH);
}

// ------------------------------------------------------------------------------------------- poses

// The load of a leg in three poses; bodies that stand and crawl in the start's pose and in that of
// the preset walking-quadruped.
static ib_Status check_poses(const ib__LegBench *bench, ib_ClaimValue *found, ib_Error *error)
{
    static const double lifts[3][3] = {{0, -34 * DEGREE, 80 * DEGREE},
                                       {0, -6 * DEGREE, 78 * DEGREE},
                                       {0, -12 * DEGREE, 90 * DEGREE}};
    static const double stances[2][3] = {{0, -34 * DEGREE, 80 * DEGREE},
                                         {0, -13 * DEGREE, 88 * DEGREE}};
    const ib_ControlLegs *legs = bench->robot->ports.legs;
    ib_CrawlConfig config = ib_crawl_default();
    ib_CrawlLoad load;
    ib_Status status = IB_OK;
    for (int i = 0; i < 3 && status == IB_OK; i++) {
        status = ib_crawl_load_at(legs, &config, lifts[i], &load, error);
        if (status == IB_OK) ib__quadruped_put(found, IB__Q_LIFTS + i, load.leg.most);
    }
    for (int i = 0; i < 2 && status == IB_OK; i++) {
        status = ib_crawl_load_at(legs, &config, stances[i], &load, error);
        if (status != IB_OK) return status;
        ib__quadruped_put(found, IB__Q_STANDS + i, load.stands.mass);
        ib__quadruped_put(found, IB__Q_CRAWLS + i, load.crawls.mass);
    }
    return status;
}

ib_Status ib__quadruped_claims_linkages(const ib__LegBench *bench, ib_ClaimValue *found,
                                        ib_Error *error)
{
    for (int j = 0; j < IB_LEG_JOINTS; j++) {
        check_equations(&bench->model->joints[j].linkage, j, found);
        measure(&bench->model->joints[j].linkage, j, found);
    }
    check_loads(bench, found);
    ib_Status status = check_poses(bench, found, error);
    return status == IB_OK ? balance_gamma(bench->config, found, error) : status;
}
