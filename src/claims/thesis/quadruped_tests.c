// claims/thesis/quadruped_tests.c: the claims about responses, simpler models and computing times
// [thesis 5.5, 5.6, 6].
#include "claims/thesis/quadruped.h"

static const char measured[] =
    "Not recomputable without the measurements: no curve of the real robot is published.";

#define MEASURED(what, place, si, value)                                                           \
    IB_CLAIM(what, place, si, IB_NEAR(value, 0, 0), IB_NO_ROW, UNKNOWN, measured)

// A claim judged by the slow loop's value.
#define OF_SLOW(what, place, si, rule_, row_, verdict, why)                                        \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .form = IB__Q_SLOW, .expected = IB_VERDICT_##verdict, .note = (why)                        \
    }

// A bound within rounding.
#define UP_TO(value)                                                                               \
    {                                                                                              \
        value, INFINITY, 1e-9, 0, 0, 0                                                             \
    }

// --------------------------------------------------------------------------------------- responses

static const char *const loops[] = {"153 V/m", "60 V/m", NULL};

static const ib_Claim responses[] = {
    IB_CLAIM("gamma: lag of the simulated sine 'generally greater than 0.15s'",
             "5.5.2.1, Figure 40", "s", IB_AT_LEAST(0.15), IB__Q_LAG_GAMMA, FALSE,
             "If the gain is the rig's, and the sine the fastest of chapter 4: 5 rad/s, 26 deg. "
             "None of these is printed."),
    OF_SLOW("gamma: the same", "5.5.2.1, Figure 40", "s", IB_AT_LEAST(0.15), IB__Q_LAG_GAMMA, HOLDS,
            "If the gain is 0.4 of that and the sine has 3 rad/s: chosen so that it comes out. The "
            "lag goes as 1/gain."),
    IB_CLAIM("beta: 'lag of the simulated ... of 0.16'", "5.5.2.2, Figure 42", "s",
             IB_PRINTED(0.16, 0.01), IB__Q_LAG_BETA, FALSE, "As gamma's: 5 rad/s, 22 deg."),
    OF_SLOW("beta: the same", "5.5.2.2, Figure 42", "s", IB_PRINTED(0.16, 0.01), IB__Q_LAG_BETA,
            HOLDS,
            "With the gain and the frequency that were chosen for gamma: the two lags fit "
            "together."),
    IB_CLAIM("gamma: how much of its goal the sine reaches", "Figure 40", "1", IB_AT_LEAST(0.9),
             IB__Q_SHRINK_GAMMA, HOLDS, "It is followed."),
    IB_CLAIM("beta: the same", "Figure 42", "1", IB_AT_LEAST(0.9), IB__Q_SHRINK_BETA, HOLDS, ""),
    IB_CLAIM("gamma: 'steps ranging from 0.11s to 1.3s rise times': least of five",
             "5.5.2.1, Figure 38", "s", IB_PRINTED(0.11, 0.01), IB__Q_RISE_LEAST, HOLDS,
             "Steps of our own over 25 to 85 deg: the thesis's are a picture."),
    IB_CLAIM("gamma: largest of five", "5.5.2.1, Figure 38", "s", IB_PRINTED(1.3, 0.1),
             IB__Q_RISE_MOST, FALSE, "A factor of 12 between steps of one loop is not seen here."),
    OF_SLOW("gamma: the same", "5.5.2.1, Figure 38", "s", IB_PRINTED(1.3, 0.1), IB__Q_RISE_MOST,
            FALSE, ""),
    IB_CLAIM("gamma: highest rod pressure of the five steps, no more than the supply's",
             "5.5.2.1, Figure 38", "psi", IB_AT_MOST(65.5), IB__Q_ROD_STEPS, HOLDS,
             "75 psi were measured."),
    OF_SLOW("beta: 'a slower version of the Gamma response': mean rise over gamma's",
            "5.5.2.2, Figure 41", "1", IB_AT_LEAST(1.0), IB__Q_BETA_RISE, HOLDS,
            "With the rig's gain beta does not come to rest."),
};

// ---------------------------------------------------------------------------------- gamma and beta

static const ib_Claim joints[] = {
    IB_CLAIM("initialised within 10 s: rods out at 10 V after", "5.5.2", "s", IB_AT_MOST(10),
             IB__Q_EXTENDED, HOLDS, "From (0, -34, 80) deg."),
    MEASURED("gamma: RMSE of the steps", "5.5.2.1, Figure 38", "deg", 2.6),
    IB_CLAIM("2.6 deg are 'less than 3.5%' of the range", "5.5.2.1", "%", IB_AT_MOST(3.5),
             IB__Q_SHARE_STEPS, HOLDS, "Of 78 deg."),
    MEASURED("gamma: rise times off by 0 to 'almost 50%'", "5.5.2.1", "%", 50.0),
    MEASURED("gamma: 'average error of 0.13s'", "5.5.2.1", "s", 0.13),
    MEASURED("gamma: 'with a 0.19s standard deviation'", "5.5.2.1", "s", 0.19),
    MEASURED("gamma: 'overshoot differed by 0.4 - 5 deg'", "5.5.2.1", "deg", 5.0),
    IB_CLAIM("5 deg are 'about 6%'", "5.5.2.1", "%", IB_PRINTED(6.0, 1), IB__Q_SHARE_OVERSHOOT,
             HOLDS, ""),
    MEASURED("gamma: settling times 'within 15, 15, and 50%'", "5.5.2.1", "%", 50.0),
    MEASURED("gamma: 'an additional 0.66 seconds' from 10 % to 5 %", "5.5.2.1", "s", 0.66),
    IB_CLAIM("'third order system': states of a joint and its cylinder", "5.5.2", "1",
             IB_NEAR(3.0, 0, 0), IB__Q_STATES, FALSE,
             "Angle, rate, and mass and energy of the air in each chamber."),
    IB_CLAIM("75 psia are 'unachievable in simulation': highest rod pressure of gamma", "5.5.2.1",
             "psi", IB_AT_MOST(75), IB__Q_ROD_GAMMA, FALSE,
             "Thrown to its end at first as all joints are, the supply constant: "
             "scenarios/leg_steps.yaml."),
    IB_CLAIM("... 'since the supply is ... approximately 65 psia': the same", "5.5.2.1", "psi",
             IB_AT_MOST(65.5), IB__Q_ROD_GAMMA, FALSE,
             "A moving tibia presses air that cannot leave quickly enough through the port."),
    IB_CLAIM("... highest rod pressure of alpha in its limit cycle", "5.5.2.1", "psi",
             IB_AT_MOST(65.5), IB__Q_ROD_ALPHA, FALSE, "A whole leg moves more."),
    MEASURED("gamma: RMSE of the sine", "5.5.2.1, Figure 40", "deg", 1.5),
    MEASURED("gamma: actual lag 'approximately 0.2 seconds'", "5.5.2.1", "s", 0.2),
    IB_CLAIM("0.15 s are 0.2 s 'within a 25% tolerance'", "5.5.2.1", "%", UP_TO(25.0),
             IB__Q_LAG_GAP, HOLDS, "Just; 'generally greater than 0.15s' is less."),
    MEASURED("beta: RMSE of the steps 'approximately 4'", "5.5.2.2, Figure 41", "deg", 4.0),
    IB_CLAIM("4 deg are 'about 6%' of the range", "5.5.2.2", "%", IB_PRINTED(6.0, 1),
             IB__Q_SHARE_BETA, HOLDS, "Of 66 deg."),
    MEASURED("beta: settling and rise time 'differed by a factor of 2 on average'", "5.5.2.2", "1",
             2.0),
    MEASURED("beta: RMSE of the fast sine", "5.5.2.2, Figure 42", "deg", 2.0),
    MEASURED("beta: actual lag", "5.5.2.2", "s", 0.2),
    IB_CLAIM("0.16 s from 0.2 s: as near as gamma's", "5.5.2.2", "%", UP_TO(25.0),
             IB__Q_LAG_GAP_BETA, HOLDS, ""),
};

// ------------------------------------------------------------------------- alpha and the whole leg

#define AT_MOST_ROW(row_)                                                                          \
    {                                                                                              \
        0, INFINITY, 0, 0, row_, 0                                                                 \
    }

static const ib_Claim alpha[] = {
    IB_CLAIM("'lightly damped oscillations or limit cycling with the gains ... initially used': "
             "rms",
             "5.5.2.3, Figure 43", "deg", IB_AT_LEAST(1), IB__Q_CYCLE, HOLDS,
             "The rig's gain through alpha's linkage, a step of 30 deg, 1.5 to 3.5 s after it, the "
             "leg stretched out."),
    IB_CLAIM("it 'might simply be due to numerical instabilities': rms at 0.25 ms over 1 ms",
             "5.5.4", "1", IB_AT_MOST(0.5), IB__Q_CYCLE_FINE, FALSE,
             "The same cycle: it is the loop's."),
    IB_CLAIM("its frequency is that of the leg on its air", "docs/control/legs.md", "Hz",
             IB_NEAR(3.1, 1, 0), IB__Q_CYCLE_RATE, HOLDS,
             "3.1 Hz in mid-range, position alone; none is printed."),
    IB_CLAIM("the gain 'reduced by 25%' ends it in the steps", "5.5.2.3, 5.5.2.4", "deg",
             IB_AT_MOST(1), IB__Q_CYCLE_LESS, FALSE,
             "Stretched out, the leg is too heavy for that; the thesis does not say it was."),
    IB_CLAIM("walking, alpha at full gain: 'continued oscillations', rms at rest behind it",
             "5.5.2.4, Figure 44", "deg", IB_AT_LEAST(1), IB__Q_WALK_CYCLE, HOLDS,
             "Three cycles of 2 s and of 1 s, a foot path of our own."),
    IB_CLAIM("walking at 75 %: 'much smoother', the same", "5.5.2.4, Figure 45", "deg",
             IB_AT_MOST(1), IB__Q_WALK_CALM, HOLDS, ""),
    IB_CLAIM("'reduced from its previous value': alpha's error at 75 %", "5.5.2.4", "deg",
             AT_MOST_ROW(IB__Q_WALK_FULL), IB__Q_WALK_LESS, HOLDS,
             "From its goal, rms over six cycles; the thesis's are from the real robot."),
    MEASURED("alpha: RMSE at full gain", "5.5.2.4, Figure 44", "deg", 10.2),
    MEASURED("alpha: RMSE at 75 %", "5.5.2.4, Figure 45", "deg", 7.3),
    MEASURED("gamma and beta: RMSE 'under 2.5'", "5.5.2.4, Figure 44", "deg", 2.5),
    MEASURED("beta at 75 %: RMSE", "5.5.2.4, Figure 45", "deg", 2.0),
    MEASURED("gamma at 75 %: RMSE", "5.5.2.4, Figure 45", "deg", 2.5),
    IB_CLAIM("'robust to disturbances': beta's error with alpha in its cycle and without",
             "5.5.2.4, 6.5", "deg", IB_EQUATION(0, IB__Q_WALK_LESS + 1, 0.2), IB__Q_WALK_FULL + 1,
             HOLDS, ""),
    IB_CLAIM("the same of gamma", "5.5.2.4, 6.5", "deg", IB_EQUATION(0, IB__Q_WALK_LESS + 2, 0.2),
             IB__Q_WALK_FULL + 2, HOLDS, ""),
    IB_CLAIM("'reducing the gain margin ... by 25%': margin behind over before", "6.4", "1",
             IB_NEAR(0.75, 1e-9, 0), IB__Q_GAIN_MARGIN, FALSE,
             "The gain was (5.5.2.4); its margin grows by a third."),
};

// ---------------------------------------------------------------------------------- simpler models

static const ib_Claim simpler[] = {
    IB_CLAIM("linear valve: 'increased oscillations at certain steps', way in the last 0.3 s",
             "5.5.3, Figure 47", "deg", IB_AT_LEAST(1), IB__Q_END_LINEAR, FALSE,
             "Gamma's five steps, the rig's gain. The valve switches at every sample; air smooths "
             "it."),
    IB_CLAIM("viscous friction: 'heavily oscillatory', the same", "5.5.3, Figure 49", "deg",
             IB_AT_LEAST(1), IB__Q_END_VISCOUS, FALSE, "70 N s/m in the cylinder, as in C.1.1."),
    IB_CLAIM("the full model comes to rest: the same", "5.5.3, Figure 38", "deg", IB_AT_MOST(1),
             IB__Q_END_FULL, HOLDS, ""),
    IB_CLAIM("'numerically unstable with given integration configuration': 1 ms from 0.25 ms, rms",
             "5.5.3", "deg", IB_AT_LEAST(1), IB__Q_VISCOUS_FINE, FALSE,
             "Not at 1 ms with one clock. Two programs with 3 to 4 ms between them are another "
             "thing."),
    IB_CLAIM("linear valve from the full model, rms: less than the RMSE of the steps", "5.5.3",
             "deg", IB_AT_MOST(2.6), IB__Q_LINEAR_FROM, HOLDS,
             "The models are nearer to each other than one of them was to the robot."),
    IB_CLAIM("viscous friction from the full model, the same", "5.5.3", "deg", IB_AT_MOST(2.6),
             IB__Q_VISCOUS_FROM, HOLDS, ""),
    IB_CLAIM("'as slowly as 640 Hz while maintaining accuracy': from 1 kHz, rms", "5.5.4", "deg",
             IB_AT_MOST(1.5), IB__Q_SLOWER_640, HOLDS,
             "Gamma's sine, loop and bodies; 1.5 deg is its RMSE."),
    IB_CLAIM("air that 'travels through several feet of tubing': on a line of 0.1 l, rms", "5.5.4",
             "deg", IB_AT_MOST(1.5), IB__Q_LINE, HOLDS,
             "'Not ... a significant contributing factor'. Line and regulator are estimates."),
};

// ----------------------------------------------------------------------------------------- Table 3

#define ROW(index, name, change, change_verdict, part, digit, why)                                 \
    IB_CLAIM(name ": change", "Table 3", "1e-5 s", IB_NEAR(change, 5e-5, 1.5e-4),                  \
             IB__Q_TIME_CHANGE + (index), change_verdict, why),                                    \
        IB_CLAIM(name ": reduction", "Table 3", "%", IB_NEAR(part, 0.51 * (digit), 0),             \
                 IB__Q_TIME_PART + (index), HOLDS, "")

static const ib_Claim times[] = {
    ROW(0, "no controller, open loop", -0.0441, HOLDS, 1.2, 0.1, ""),
    ROW(1, "no advanced degree conversion", 0.0108, HOLDS, -0.3, 0.1,
        "More, not less: within the deviations of 5 %."),
    ROW(2, "no advanced torque conversion", -0.0381, HOLDS, 1.0, 0.1, ""),
    ROW(3, "viscous friction", -0.0424, FALSE, 11.3, 0.1,
        "-0.4243: a digit is missing, and its 11.3 % are right."),
    ROW(4, "simple valve", -0.9027, HOLDS, 24.1, 0.1, ""),
    ROW(5, "simple area", -0.4770, HOLDS, 12.7, 0.1, ""),
    ROW(6, "simple pressures", -0.2973, HOLDS, 7.9, 0.1, ""),
    ROW(7, "no extra tools", -0.2914, HOLDS, 7.8, 0.1, ""),
    ROW(8, "no packet analysis", -0.0226, HOLDS, 0.6, 0.1, ""),
    ROW(9, "no choice of inputs", -0.1287, HOLDS, 3.4, 0.1, ""),
    ROW(10, "no scopes", -0.0261, NEARLY, 0.7, 0.1, "-0.0260: a last digit."),
    ROW(11, "no recorded signals", -0.1173, HOLDS, 3.13, 0.01, ""),
    IB_CLAIM("four tools one by one over all at once", "Table 3", "1", IB_NEAR(1.0, 0.05, 0.1),
             IB__Q_TOOLS, HOLDS, "Unlike the valve's two parts."),
    IB_CLAIM("friction costs 11 %", "5.5.3, 6.2", "%", IB_PRINTED(11.0, 1), IB__Q_TIME_PART + 3,
             HOLDS, ""),
    IB_CLAIM("the valve costs 24 %", "5.5.3, 6.1", "%", IB_PRINTED(24.0, 1), IB__Q_TIME_PART + 4,
             HOLDS, ""),
    IB_CLAIM("analysis tools cost 8 %", "5.5.3", "%", IB_PRINTED(8.0, 1), IB__Q_TIME_PART + 7,
             HOLDS, ""),
    IB_CLAIM("twelve joints 'may' need simpler models: time of a step of 1 ms, from one and three",
             "6.6.1, 5.5.4", "%", IB_AT_LEAST(100), IB__Q_TWELVE, FALSE,
             "A straight line through 3.75e-5 s and 13e-5 s: they would have fitted. This "
             "program's times "
             "are in bench/results.md: no clock decides a verdict here."),
};

const ib_ClaimGroup ib__quadruped_tests[IB__QUADRUPED_TESTS] = {
    {"Responses; the gain of the loop is", "thesis", responses, IB_CLAIM_COUNT(responses), loops},
    IB_CLAIM_GROUP("Gamma and beta joints", "thesis", joints),
    IB_CLAIM_GROUP("Alpha joint and walking motion", "thesis", alpha),
    IB_CLAIM_GROUP("Simpler models, slower clocks", "thesis", simpler),
    IB_CLAIM_GROUP("Computing times", "thesis", times),
};
