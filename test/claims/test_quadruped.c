// Claims about src/claims/thesis/quadruped*.c: the figures of the thesis's claims against closed
// forms, numbers worked out by hand, and reference B and C, which other programs solved.
#include "claims_rig.h"

#include "claims/thesis/quadruped.h"

#define DEG (M_PI / 180)

static const double psi = 6894.76, inch = 0.0254;

static int compute(void **state)
{
    (void)state;
    return rig_compute(&ib_quadruped_claims);
}

// ----------------------------------------------------------------------------------------- numbers

// Goal: frames of 3.1.1 and of the listings. Method: a right shoulder at y = -46 mm, of which 3.1.1
// has +46 mm or one along the body; legs that point to the other side, 30 deg below the horizontal,
// are 120 deg apart; lengths by hand.
static void shoulders_are_turned_by_either_sign(void **state)
{
    (void)state;
    ib_Judgement shoulder = rig_claim("3.1.1", "'phi is");
    assert_close(shoulder.computed, sqrt(92 * 92 + 8.6 * 8.6), 1e-9);
    assert_int_equal(shoulder.verdict, IB_VERDICT_FALSE);
    assert_claim("3.1.1", "the same of where", 120, 1e-9, FALSE);
    assert_claim("3.1.1", "phi = +90", 8.6, 1e-9, FALSE);
    assert_claim("3.1.1, Robot.cpp", "the same with", 0, 1e-9, HOLDS);
    assert_claim("Table 1", "Table 1", 0, 1e-12, HOLDS);
    assert_claim("C.2.1, C.2.2", "Leg.cpp", 0, 1e-12, HOLDS);
    assert_claim("reference C", "the same from the reference", 0, 2e-10, HOLDS);
    assert_claim("C.2.1", "the alpha joint", 1e3 * (0.0961 / 2 + 0.025), 1e-9, NEARLY);
    assert_claim("C.2.1", "the coxa's weld", 1e3 * 0.0961 / 2, 1e-9, NEARLY);
    assert_claim("C.2.1", "beta and gamma joints", 1e3 * (0.123 / 2 + 0.025), 1e-9, NEARLY);
    assert_claim("C.2.1", "the gamma joint", 1e3 * (0.255 / 2 + 0.0075), 1e-9, FALSE);
    assert_claim("5.2.4", "beta goes", -67, 1e-9, FALSE);
    assert_claim("C.2.1; reference C", "the same of gamma", 17, 1e-9, FALSE);
    assert_claim("C.2.2; reference C", "left legs", -1, 1e-12, FALSE);
}

// A capsule along z, and as SrLib has it: m_c the cylinder's mass, m_b that of its two half balls,
//   I = m_c (h^2/12 + r^2/4) + m_b (2/5 r^2 + h^2/4 + 3/8 h r)
static double across(double r, double h, double density, bool coded)
{
    double m_c = density * M_PI * r * r * h, m_b = density * 4 * M_PI * r * r * r / 3;
    double ball = 0.4 * r * r + h * h / 4 + (coded ? 0 : 3 * h * r / 8);
    return m_c * (h * h / 12 + (coded ? r : r * r) / 4) + m_b * ball;
}

// Goal: masses and inertias by density. Method: the formulas above; reference C for what joints
// feel; a thin rod as long as the tibia.
static void capsules_weigh_what_their_density_says(void **state)
{
    (void)state;
    double m = 2700 * M_PI * 0.0075 * 0.0075 * (0.255 + 4 * 0.0075 / 3);
    assert_claim("C.2.1", "tibia: mass", m, 1e-12, HOLDS);
    assert_claim("C.2.2", "thorax: mass", 1e4 * M_PI * 0.047 * 0.047 * (0.75 + 4 * 0.047 / 3), 1e-9,
                 HOLDS);
    assert_claim("reference C", "coxa, first part: inertia", across(0.025, 0.0961, 1200, false),
                 1e-13, HOLDS);
    assert_claim("SrLib", "coxa, first part: the same", across(0.025, 0.0961, 1200, true), 1e-12,
                 HOLDS);
    assert_claim("reference C", "tibia: inertia", across(0.0075, 0.255, 2700, false), 1e-13, HOLDS);
    assert_claim("SrLib", "tibia: the same", across(0.0075, 0.255, 2700, true), 1e-13, HOLDS);
    assert_claim("5.5.4", "'as a thin rod",
                 across(0.0075, 0.255, 2700, true) / (m * 0.27 * 0.27 / 12), 1e-9, FALSE);
    assert_claim("C.2.1", "'density in", 2.7e9, 1, FALSE);
    assert_claim("5.5.4", "'for the gamma", 0.7, 1e-12, FALSE);
    assert_claim("5.5.4", "'the Beta", 2.7, 1e-12, FALSE);
    assert_claim("reference C", "inertia at alpha added by SrLib's", 5.8, 0.06, HOLDS);
    assert_claim("5.5.4, Figure 50", "'minimal", 0, 5, HOLDS);
}

// Goal: what cylinders weigh is felt by alpha. Method: its own barrel and rod turn with it by hand:
// a barrel of 150 g about its pivot hardly moves; those of beta, which ride on the coxa at 0.1462 m
// and those of gamma on the femur at 0.29 m, are 0.2 kg each: at least 0.2 0.29^2/2 kg m^2 of the
// 0.037 kg m^2 that alpha feels without (docs/robot/quadruped.md), at most all 0.6 kg at 0.3 m.
static void cylinders_weigh_as_well(void **state)
{
    (void)state;
    ib_Judgement felt = rig_claim("5.5.4", "'cast doubt");
    assert_true(felt.computed > 100 * 0.2 * 0.29 * 0.29 / 2 / 0.037);
    assert_true(felt.computed < 100 * 0.6 * 0.3 * 0.3 / 0.037);
    assert_int_equal(felt.verdict, IB_VERDICT_FALSE);
}

// ---------------------------------------------------------------------------------------- linkages

// Reference B: sides, offset and sign, range and stroke.
static const struct {
    const char *name;
    double l1, l2, l3, offset, sign, low, high, inches;
} joints[] = {{"alpha", 0.22, 0.1715736836, 0.0511866947, 63.60829562, 1, -47, 90, 3.75},
              {"beta", 0.1462, 0.1199129335, 0.0408068437, 110.46219763, 1, -67, -1, 1.75},
              {"gamma", 0.165, 0.1565311498, 0.0407079677, 165.9703346, -1, 17, 95, 1.75}};

// The rod by the law of cosines, th in degrees.
static double stroke(int j, double th)
{
    double g = (joints[j].offset + joints[j].sign * th) * DEG;
    return sqrt(joints[j].l1 * joints[j].l1 + joints[j].l3 * joints[j].l3 -
                2 * joints[j].l1 * joints[j].l3 * cos(g)) -
           joints[j].l2;
}

// Goal: the equations of 5.2. Method: signs by virtual work; the corner at the pin of a joint with
// equal arms is 90 deg - D/2 at one end and 90 deg + D/2 at the other, which an arcsine takes for
// the first; of gamma by its arm and its longest one.
static void torque_of_gamma_has_the_wrong_sign(void **state)
{
    (void)state;
    assert_claim("5.2.7", "T_alpha", 1, 1e-6, HOLDS);
    assert_int_equal(rig_claim("5.2.8", "T_beta").verdict, IB_VERDICT_UNKNOWN);
    assert_claim("5.2.8", "the same with sin", 1, 1e-6, HOLDS);
    assert_claim("5.2.9", "T_gamma", -1, 1e-6, FALSE);
    assert_claim("5.2.9", "the same with a minus", 1, 1e-6, HOLDS);
    assert_claim("5.2.7", "alpha: lambda_1", 137, 1e-3, FALSE);
    assert_claim("5.2.8", "beta: the same", 66, 1e-3, FALSE);
    // 3e-3: the reference's arms have six digits, and an arccosine near 1 keeps half of them.
    assert_claim("5.2.9", "gamma: the same", 2 * acos(40.5653 / 40.7080) / DEG, 3e-3, FALSE);
    assert_claim("5.2, C.1.1", "gamma: stroke at", stroke(2, 17) / inch, 1e-9, HOLDS);
    assert_claim("reference B", "gamma: arm at", 17.2275, 6e-5, HOLDS);
    assert_claim("reference B", "equal arms", 165 * sin(43.574907 * DEG), 1e-4, HOLDS);
    assert_claim("5.5.2.3", "alpha's cylinder", 3.75, 1e-9, FALSE);
    assert_claim("5.5.2.3", "which makes", 1.75, 1e-9, NEARLY);
}

// Goal: the linear conversions. Method: the line through both ends of the law of cosines, in steps
// of 0.05 deg; the torque is most wrong where the arm is shortest, arms of reference B.
static void straight_lines_are_off(void **state)
{
    (void)state;
    static const double arms[] = {18.7600, 34.2235, 17.2275};
    static const char *const angles[] = {"alpha: 'simple", "beta: the same", "gamma: the same"};
    static const char *const torques[] = {"alpha: torque", "beta: the same", "gamma: the same"};
    for (int j = 0; j < 3; j++) {
        double low = joints[j].low, high = joints[j].high, off = 0;
        double slope = (stroke(j, high) - stroke(j, low)) / (high - low);
        for (double th = low; th <= high; th += 0.05)
            off = fmax(off, fabs(low + (stroke(j, th) - stroke(j, low)) / slope - th));
        assert_close(rig_claim("5.2, 5.5.3", angles[j]).computed, off, 1e-3);
        assert_close(rig_claim("5.5.3", torques[j]).computed,
                     1e3 * joints[j].inches * inch / ((high - low) * DEG) / arms[j], 1e-5);
    }
    assert_int_equal(rig_claim("5.2, 5.5.3", "gamma: the same").verdict, IB_VERDICT_FALSE);
    assert_int_equal(rig_claim("5.5.3", "beta: the same").verdict, IB_VERDICT_NEARLY);
}

// Goal: what 50 psig hold. Method: areas and pressures of C.1.1 by hand; torques of reference C;
// the arm at -34 deg by a difference of the law of cosines. Beta's torque is linear in the mass.
static void fifty_psig_do_not_carry_it(void **state)
{
    (void)state;
    double cap = M_PI * 1.0625 * inch * 1.0625 * inch / 4 - 0.0045 * 0.0025;
    double shaft = M_PI * 0.375 * inch * 0.375 * inch / 4, rod = cap - shaft;
    double out = psi * (65 * cap - 15.7 * rod - 14.7 * shaft);
    double c11 = psi * (65 * cap - 24.7 * rod - 14.7 * shaft);
    double arm = (stroke(1, -33.999) - stroke(1, -34.001)) / (0.002 * DEG);
    double stand = 34.4571007606, air = -0.4433970706, mass = 59.0609287239;
    double most = (out * arm - air) / ((stand - air) / mass);
    // 0.02 N: the atmosphere is 14.7 psi here, and 101.325 kPa or so there.
    assert_claim("reference B", "greatest force outwards", out, 0.02, HOLDS);
    assert_claim("C.1.1", "'exhaust air", out, 0.02, FALSE);
    assert_close(rig_claim("C.1.1", "'exhaust air").published, c11, 0.02);
    assert_claim("C.1.1, C.2.2", "50 psig carry", out * arm, 1e-3, FALSE);
    assert_close(rig_claim("C.1.1, C.2.2", "50 psig carry").published, stand, 1e-7);
    assert_claim("reference C", "supply that", 65 + (stand / arm - out) / cap / psi - 14.7, 0.01,
                 NEARLY);
    assert_claim("reference C", "robot that", most, 2e-3, HOLDS);
    assert_claim("reference C", "its body", most - 4 * 0.665916195298, 2e-3, HOLDS);
    assert_claim("C.1.1", "Ps + 14.7", 50.3 + 14.7 + 14.7, 1e-9, FALSE);
}

// -------------------------------------------------------------------------------------- arithmetic

// Goal: counts, percentages, Table 3. Method: by hand.
static void arithmetic_is_by_hand(void **state)
{
    (void)state;
    assert_claim("5.1, C.2.4", "'12 messages", 18, 0, FALSE);
    assert_close(rig_claim("5.1, C.2.4", "'12 messages").published, 21, 0);
    assert_claim("5.1, 5.2", "values that", 30, 0, FALSE);
    assert_claim("C.2.4", "commands", 9, 0, FALSE);
    assert_claim("5.3.2, Figure 37", "a pause", 0.221, 1e-12, HOLDS);
    assert_claim("5.5.2.1", "2.6 deg", 100 * 2.6 / 78, 1e-9, HOLDS);
    assert_claim("5.5.2.1", "5 deg", 100 * 5.0 / 78, 1e-9, HOLDS);
    assert_claim("5.5.2.2", "4 deg", 100 * 4.0 / 66, 1e-9, HOLDS);
    assert_claim("5.5.2.1", "0.15 s", 25, 1e-9, HOLDS);
    assert_claim("5.5.2.2", "0.16 s", 20, 1e-9, HOLDS);
    assert_claim("Table 3", "viscous friction: change", -0.4243, 1e-9, FALSE);
    assert_claim("Table 3", "viscous friction: red", 42.43 / 3.7498, 1e-9, HOLDS);
    assert_claim("Table 3", "no scopes: change", -0.0260, 1e-9, NEARLY);
    assert_claim("Table 3", "four tools", (0.0226 + 0.1287 + 0.0261 + 0.1173) / 0.2914, 1e-9,
                 HOLDS);
    assert_claim("6.6.1", "twelve joints", 3.7498 + 11 * (13 - 3.7498) / 2, 1e-9, FALSE);
    assert_claim("6.4", "'reducing", 4.0 / 3, 1e-12, FALSE);
}

// --------------------------------------------------------------------------------------- responses

// Goal: what measures responses finds what it is given. Method: a sine that is late by 0.1 s and
// 0.8 of another; a first order of 0.1 s, whose rise is tau ln 9; both exact but for the samples.
static void measures_find_what_they_are_given(void **state)
{
    (void)state;
    enum { COUNT = 8001 };
    static double y[COUNT];
    double amplitude, w = 2 * M_PI; // whole periods of 1000 samples
    for (int i = 0; i < COUNT; i++) y[i] = 5 + 0.8 * sin(w * (2 + i * 1e-3 - 0.1));
    double phase = ib__leg_fundamental(y, 2000, 2, 1e-3, w, &amplitude);
    assert_close(-phase / w, 0.1, 1e-12);
    assert_close(amplitude, 0.8, 1e-12);
    assert_close(ib__leg_rms(y, 2000), 0.8 / sqrt(2), 1e-12);
    assert_close(ib__leg_frequency(y, 2000, 1e-3), 1, 2e-3); // crossings between samples
    const double goals[] = {10, 40, 20, 20, 20, 20}, tau = 0.1;
    ib__RigTrace trace = {.every = 1e-3, .count = COUNT, .column = {y}}, other = trace;
    for (int i = 0; i < COUNT; i++) {
        double t = i * 1e-3;
        y[i] = t < 0.5 ? 10 : t < 2 ? 40 - 30 * exp(-(t - 0.5) / tau) : 30 + 5 * sin(w * 10 * t);
    }
    ib__LegStep step = ib__leg_step(&trace, goals, 0);
    assert_close(step.rise, tau * log(9), 1.1e-3);
    assert_close(step.rest, 30 * (exp(-12) - exp(-15)), 1e-4);
    step = ib__leg_step(&trace, goals, 1); // swings about 30, never near 20
    assert_true(isnan(step.rise));
    assert_close(step.rest, 10, 0.01);
    static double z[COUNT];
    for (int i = 0; i < COUNT; i++) z[i] = y[i] + (i % 2 ? 3 : -3);
    other.column[0] = z;
    assert_close(ib__leg_apart(&trace, &other), 3, 1e-12);
}

// Goal: lags. Method: no closed form; a loop with less than half the gain is later, by about as
// much as its gain is less (1/gain, +- 40 %, for the sines differ as well), both joints alike to
// 10 %; the verdicts of the two assumptions differ.
static void lags_depend_on_what_is_not_printed(void **state)
{
    (void)state;
    const ib_ClaimValue *gamma = &rig_findings->values[IB__Q_LAG_GAMMA];
    const ib_ClaimValue *beta = &rig_findings->values[IB__Q_LAG_BETA];
    for (int loop = 0; loop < IB__Q_LOOPS; loop++)
        assert_close(beta->form[loop] / gamma->form[loop], 1, 0.1);
    double ratio = gamma->form[IB__Q_SLOW] / gamma->form[IB__Q_RIG];
    assert_close(ratio / (ib__leg_gain[IB__Q_RIG] / ib__leg_gain[IB__Q_SLOW]), 1, 0.4);
    int verdicts[IB_VERDICTS] = {0};
    for (int i = 0; i < ib__quadruped_tests[0].count; i++) {
        const ib_Claim *claim = &ib__quadruped_tests[0].claims[i];
        bool lag = claim->row == IB__Q_LAG_GAMMA || claim->row == IB__Q_LAG_BETA;
        int group = ib_quadruped_claims.group_count;
        if (lag) verdicts[rig_findings->judgements[group][i].verdict]++;
        if (lag)
            assert_int_equal(claim->form == IB__Q_SLOW,
                             rig_findings->judgements[group][i].verdict == IB_VERDICT_HOLDS);
    }
    assert_int_equal(verdicts[IB_VERDICT_HOLDS], 2);
    assert_int_equal(verdicts[IB_VERDICT_FALSE], 2);
}

// Goal: pressures above the supply's are made by inertia, beyond the 75 psia that were measured,
// and no higher than it can. Method: the tibia has I w^2/2 at most, 0.0037 kg m^2 and 25 rad/s, two
// thirds of its stroke of 2 in behind it. If the rod side were shut there with the supply's air in
// it, and the supply pushed on, it would stop where the air has taken up all work:
//   P V/0.4 ((V/V')^0.4 - 1) = I w^2/2 + P A1 x,   V' = V - A2 x
static void inertia_lifts_pressures_above_the_supply(void **state)
{
    (void)state;
    double supply = 65 * psi, cap = M_PI * 1.0625 * inch * 1.0625 * inch / 4, rod = cap * 0.875;
    double volume = rod * (2 * inch / 3 + 0.018), way = 0, squeeze = 1;
    for (double taken = -1, given = 0; taken < given; way += 1e-5) {
        squeeze = volume / (volume - rod * way);
        taken = supply * volume / 0.4 * (pow(squeeze, 0.4) - 1);
        given = 0.5 * 0.0037 * 25 * 25 + supply * cap * way;
    }
    double gamma = rig_claim("5.5.2.1", "75 psia").computed;
    double cycle = rig_claim("5.5.2.1", "... highest rod").computed;
    assert_int_equal(rig_claim("5.5.2.1", "75 psia").verdict, IB_VERDICT_FALSE);
    assert_true(gamma > 75);
    assert_true(gamma < 65 * pow(squeeze, 1.4));
    assert_true(cycle > 65.5 && cycle < gamma);
}

// Goal: alpha's limit cycle. Method: a mass on two springs of air at mid-range,
//   f = sqrt(k arm^2/I)/(2 pi),  k = 1.4 P (A1^2/V1 + A2^2/V2)
// with P between 20 and 60 psi, the stretched leg's inertia and the longest arm: the cycle is in
// between, and the same at a quarter of the step to 2 %.
static void alpha_cycles_at_full_gain(void **state)
{
    (void)state;
    double cap = M_PI * 1.0625 * inch * 1.0625 * inch / 4, rod = cap * 0.875;
    double half = 3.75 * inch / 2, inertia = 0.2149 * 0.233 * 0.233 + 0.1264 * 0.46 * 0.46 + 0.005;
    double per_pascal = 1.4 * (cap / (half + 0.012) + rod / (half + 0.018)) * 0.0506 * 0.0506;
    double low = sqrt(per_pascal * 20 * psi / inertia) / (2 * M_PI);
    double high = sqrt(per_pascal * 60 * psi / inertia) / (2 * M_PI);
    double f = rig_claim("docs", "its frequency").computed;
    assert_true(f > low && f < high);
    assert_claim("5.5.4", "it 'might", 1, 0.02, FALSE);
    assert_int_equal(rig_claim("5.5.2.3, Figure 43", "'lightly").verdict, IB_VERDICT_HOLDS);
    assert_int_equal(rig_claim("5.5.2.4, Figure 44", "walking").verdict, IB_VERDICT_HOLDS);
    assert_int_equal(rig_claim("5.5.2.4, Figure 45", "walking").verdict, IB_VERDICT_HOLDS);
}

// Goal: hours are usable air over flow. Method: by hand of a bottle of 1 l at 200 bar behind
// 448159.4 Pa, 70 degF: (P0 - P) V/(R T) = 231.5 g at 8 to 10 g a metre; the leak of valves at rest
// within 5 % of a prototype's 1.07 g/s. Propane: 23.2 MJ of 0.1 over the isentropic work, against
// the bottle's hours at one flow.
static void hours_are_usable_air_over_flow(void **state)
{
    (void)state;
    double T = 529.67 * 5 / 9, bottle = (2e7 - 448159.4) * 1e-3 / (287 * T);
    double leak = 1e-3 * rig_claim("a prototype", "twelve valves").computed;
    assert_close(leak, 1.07e-3, 0.05 * 1.07e-3);
    double work = 287 * 3.5 * T * (pow(448159.4 / 101325, 2.0 / 7) - 1);
    ib_Judgement crawls = rig_claim("1.1", "'several hours"),
                 stirling = rig_claim("1.1", "crawling on a free-piston Stirling");
    assert_close(stirling.computed / crawls.computed, 23.2e6 * 0.1 / work / bottle, 1e-6);
    assert_int_equal(crawls.verdict, IB_VERDICT_FALSE);
    // 8 to 10 g a metre at 8 cm/s, as docs/control/walk.md has it.
    double flow = bottle / (3600 * crawls.computed);
    assert_true(flow > 0.5e-3 && flow < 0.8e-3);
    assert_close(rig_claim("1.1", "body of 8 kg with a bottle").computed,
                 8 + 0.4 + 0.8 + 2e7 * 1e-3 / (287 * T), 1e-9);
}

// Goal: what only measurements could decide is not computed, and says so. Method: every claim that
// has no row.
static void measurements_are_missing(void **state)
{
    (void)state;
    int missing = 0;
    for (int i = 0; i < rig_findings->group_count; i++)
        for (int k = 0; k < rig_findings->groups[i].count; k++) {
            const ib_Claim *claim = &rig_findings->groups[i].claims[k];
            if (claim->row != IB_NO_ROW) continue;
            assert_int_equal(rig_findings->judgements[i][k].verdict, IB_VERDICT_UNKNOWN);
            assert_true(strlen(claim->note) > 20);
            missing += strncmp(claim->note, "Not recomputable", 16) == 0;
        }
    assert_true(missing >= 15);
    assert_int_equal(rig_claim("5.5.2.4, Figure 44", "alpha: RMSE").verdict, IB_VERDICT_UNKNOWN);
    assert_int_equal(rig_claim("5.5.2.4, Figure 45", "alpha: RMSE").verdict, IB_VERDICT_UNKNOWN);
}

// Goal: nothing in it depends on a clock, or on what ran before. Method: all values once more, to
// the last bit.
static void the_same_every_time(void **state)
{
    (void)state;
    ib_Findings *again;
    ib_Error error;
    assert_int_equal(ib_findings_create(&ib_quadruped_claims, &again, &error), IB_OK);
    for (int i = 1; i < ib_quadruped_claims.row_count; i++)
        for (int form = 0; form < IB_CLAIM_FORMS; form++) {
            double a = rig_findings->values[i].form[form], b = again->values[i].form[form];
            assert_true(a == b || (isnan(a) && isnan(b)));
        }
    ib_findings_destroy(again);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shoulders_are_turned_by_either_sign),
        cmocka_unit_test(hours_are_usable_air_over_flow),
        cmocka_unit_test(capsules_weigh_what_their_density_says),
        cmocka_unit_test(cylinders_weigh_as_well),
        cmocka_unit_test(torque_of_gamma_has_the_wrong_sign),
        cmocka_unit_test(straight_lines_are_off),
        cmocka_unit_test(fifty_psig_do_not_carry_it),
        cmocka_unit_test(arithmetic_is_by_hand),
        cmocka_unit_test(measures_find_what_they_are_given),
        cmocka_unit_test(lags_depend_on_what_is_not_printed),
        cmocka_unit_test(inertia_lifts_pressures_above_the_supply),
        cmocka_unit_test(alpha_cycles_at_full_gain),
        cmocka_unit_test(measurements_are_missing),
        cmocka_unit_test(the_same_every_time),
    };
    return cmocka_run_group_tests(tests, compute, rig_forget);
}
