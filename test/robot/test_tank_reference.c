// The tank robot against the independent solutions of the reference sheet, B7 and B8.
#include "cmocka_all.h"
#include "robot/tank_rig.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ tables

// t [s], x, y, theta, v_fwd, v_lat, omega, I_left, I_right, I_draw, V_sys, Q_used_Ah
static const double straight[][12] = {
    {0.1, 0.066192579045, 0, 0, 1.2472187466, 0, 0, 59.441850147, 59.441850147, 238.26740059,
     9.1407911929, 0.0080039953472},
    {0.5, 1.0982614843, 0, 0, 3.4009567801, 0, 0, 13.558516321, 13.558516321, 54.734065286,
     11.343191217, 0.021857127484},
    {1.0, 2.9718631917, 0, 0, 3.9370630976, 0, 0, 2.1372827491, 2.1372827491, 9.0491309962,
     11.891410428, 0.025361050894},
    {2.0, 6.9827725378, 0, 0, 4.0348930854, 0, 0, 0.053108202763, 0.053108202763, 0.71243281105,
     11.991450806, 0.026126671877},
    {5.0, 19.094255745, 0, 0, 4.0373859165, 0, 0, 8.1481777299e-07, 8.1481777299e-07, 0.50000325927,
     11.993999961, 0.026559308466},
};

// t [s], x, y, theta, v_fwd, v_lat, omega, I_left, I_right, I_draw, V_sys, Q_used_Ah
static const double straight_with_inductance[][12] = {
    {0.1, 0.065756988145, 0, 0, 1.2444550233, 0, 0, 59.594041896, 59.594041896, 238.87616759,
     9.133485989, 0.007986289998},
    {0.5, 1.0977635823, 0, 0, 3.4018012996, 0, 0, 13.561759851, 13.561759851, 54.747039404,
     11.343035527, 0.021862537763},
    {1.0, 2.9717063797, 0, 0, 3.937486087, 0, 0, 2.1316090696, 2.1316090696, 9.0264362782,
     11.891682765, 0.025363760708},
    {2.0, 6.9827647656, 0, 0, 4.034917939, 0, 0, 0.052661179094, 0.052661179094, 0.71064471638,
     11.991472263, 0.026126831098},
    {5.0, 19.094255745, 0, 0, 4.0373859176, 0, 0, 7.9403475745e-07, 7.9403475745e-07, 0.50000317614,
     11.993999962, 0.026559308472},
};

// t [s], x, y, theta, v_fwd, v_lat, omega, I_left, I_right, I_draw, V_sys, Q_used_Ah
static const double turn[][12] = {
    {0.1, 0, 0, -0.26421769594, 0, 0, -4.9135882955, 54.608862409, -54.608862409, 218.93544964,
     9.3727746044, 0.007694548643},
    {0.5, 0, 0, -4.0722077416, 0, 0, -12.069654599, 8.8729130053, -8.8729130053, 35.991652021,
     11.568100176, 0.018936086245},
    {1.0, 0, 0, -10.52711677, 0, 0, -13.314738763, 0.91531397009, -0.91531397009, 4.1612558804,
     11.950064929, 0.020951779999},
    {2.0, 0, 0, -23.953881106, 0, 0, -13.456429149, 0.0097404231833, -0.0097404231833,
     0.53896169273, 11.99353246, 0.02131215176},
    {5.0, 0, 0, -64.327405185, 0, 0, -13.457953181, 1.1738206975e-08, -1.1738206975e-08,
     0.50000004695, 11.993999999, 0.021731200712},
};

// t [s], x, y, theta, v_fwd, v_lat, omega, I_left, I_right, I_draw, V_sys, Q_used_Ah
static const double turn_with_inductance[][12] = {
    {0.1, 0, 0, -0.26257670004, 0, 0, -4.9045705464, 54.771980882, -54.771980882, 219.58792353,
     9.3649449177, 0.0076804525775},
    {0.5, 0, 0, -4.0708723797, 0, 0, -12.073053979, 8.8682660317, -8.8682660317, 35.973064127,
     11.56832323, 0.018941399975},
    {1.0, 0, 0, -10.526841748, 0, 0, -13.315714246, 0.91083360126, -0.91083360126, 4.1433344051,
     11.950279987, 0.020953304822},
    {2.0, 0, 0, -23.953875277, 0, 0, -13.456452741, 0.009608148475, -0.009608148475, 0.5384325939,
     11.993538809, 0.021312188637},
    {5.0, 0, 0, -64.327405185, 0, 0, -13.457953181, 1.1278127716e-08, -1.1278127716e-08,
     0.50000004511, 11.993999999, 0.021731200712},
};

// t [s], x, y, theta, v_fwd, v_lat, omega, I_left, I_right, I_draw, V_sys, Q_used_Ah
static const double arc[][12] = {
    {0.1, 0.05607282184, -0.00075424813733, -0.073729300224, 1.0467957261, 0.048659377047,
     -1.3528080672, 62.953145609, 34.249825724, 160.65611694, 10.072126597, 0.0055792588225},
    {0.5, 0.83483668683, -0.22072758543, -1.0626136023, 2.2525081619, 1.233234372, -3.0193034116,
     20.757790041, 17.929860747, 59.945440829, 11.28065471, 0.015236329662},
    {1.0, 1.3095035321, -1.3401175651, -2.6110458282, 1.8808263771, 1.7443477143, -3.091928195,
     28.615318074, 28.957687056, 86.688323203, 10.959740122, 0.025482895951},
    {2.0, -0.26340304753, -0.93893221376, -5.6778249216, 1.8379857624, 1.6879134948, -3.0625864264,
     29.852218906, 29.843064897, 90.04750271, 10.919429967, 0.050538377153},
    {5.0, 1.3468447182, -1.1083268098, -14.867303455, 1.8384106332, 1.6894123843, -3.0631755661,
     29.837333376, 29.837333451, 90.012000204, 10.919855998, 0.12554533323},
};

// t [s], x, y, theta, v_fwd, v_lat, omega, I_left, I_right, I_draw, V_sys, Q_used_Ah
static const double arc_with_inductance[][12] = {
    {0.1, 0.055663529864, -0.00074356507386, -0.073242658631, 1.0444258984, 0.048242207305,
     -1.3506097501, 63.164679537, 34.353230589, 161.18258966, 10.065808924, 0.0055669046016},
    {0.5, 0.83445980716, -0.22048614657, -1.0623479604, 2.2526405212, 1.2336408887, -3.0203682256,
     20.746932939, 17.924489975, 59.918355853, 11.28097973, 0.015237857257},
    {1.0, 1.3094183044, -1.3396048375, -2.6110277177, 1.8803708801, 1.7442328616, -3.09198175,
     28.62059257, 28.965465096, 86.706650236, 10.959520197, 0.025484694512},
    {2.0, -0.26340440476, -0.93835230273, -5.67779328, 1.8380047719, 1.6879213167, -3.0625915169,
     29.851830068, 29.842681936, 90.046342072, 10.919443895, 0.050540902604},
    {5.0, 1.3468503941, -1.1076921843, -14.867273116, 1.8384106331, 1.6894123838, -3.063175566,
     29.837333379, 29.837333451, 90.01200021, 10.919855997, 0.12554783684},
};

// t [s], x, v_fwd, wheel_L, I_left, I_draw, V_sys, Q_used_Ah
static const double launch[][8] = {
    {0.1, 0.048069358661, 0.97078802814, 17.394643612, 57.774742589, 231.59897035, 9.2208123557,
     0.0072460100451},
    {0.5, 0.97179964927, 3.1852606947, 42.176401256, 17.544822955, 70.679291818, 11.151848498,
     0.022931318427},
    {1.0, 2.7781051132, 3.8656786677, 50.804399023, 3.5384049377, 14.653619751, 11.824156563,
     0.027862176227},
    {2.0, 6.7640812818, 4.0304178428, 52.895610708, 0.14359819209, 1.0743927684, 11.987107287,
     0.029178215459},
    {5.0, 18.874064786, 4.0373854891, 52.984061737, 9.5965482017e-06, 0.50003838619, 11.993999539,
     0.029644669905},
};

// t [s], theta, omega, wheel_L, I_left, I_draw, V_sys, Q_used_Ah
static const double scrub[][8] = {
    {0.1, -0.11904976622, -2.0802552151, 21.270705747, 51.482466213, 206.42986485, 9.5228416218,
     0.0069356617892},
    {0.5, -1.3754532441, -3.5303079906, 28.057048969, 40.465731792, 162.36292717, 10.051644874,
     0.026225084259},
    {1.0, -3.1666839499, -3.5993718652, 28.347996373, 39.993417001, 160.473668, 10.074315984,
     0.048577217333},
    {2.0, -6.7675798495, -3.6011336499, 28.355387133, 39.981419077, 160.42567631, 10.074891884,
     0.093141704105},
    {5.0, -17.570983962, -3.6011347541, 28.355391764, 39.981411558, 160.42564623, 10.074892245,
     0.22682974376},
};

// t [s], x, y, theta, v_fwd, v_lat, omega, wheel_L, wheel_R, I_left, I_right,
// I_draw, V_sys, Q_used_Ah
static const double slide[][14] = {
    {0.1, 0.040008039391, -0.00016412757239, -0.010640764182, 0.78386438804, 0.0021680885955,
     -0.16830885048, 21.814582415, 10.332958614, 57.958720032, 30.401113057, 146.81855312,
     10.238177363, 0.0048677961527},
    {0.5, 0.75702966058, -0.039746097371, -0.092895629489, 2.4415370864, 0.0073350213588,
     -0.1976744391, 34.008919476, 30.834226156, 38.752057848, -14.859382188, 63.144733509,
     11.242263198, 0.016211773513},
    {1.0, 2.1005569206, -0.23042702966, -0.1932016848, 2.8646704274, 0.0089452677448,
     -0.20303190781, 39.249860266, 36.056691574, 29.619523343, -25.866855071, 33.872191615,
     11.593533701, 0.022356446999},
    {2.0, 4.8940848877, -1.0715121227, -0.39752803283, 2.9411529999, 0.0093352741797,
     -0.20476430656, 40.208540217, 36.990747783, 27.943791407, -27.830365301, 28.557217514,
     11.65731339, 0.030649987383},
    {5.0, 11.532159476, -6.6805543788, -1.0119485697, 2.9430737473, 0.0093455622586, -0.20481104972,
     40.232652616, 37.014155382, 27.901623048, -27.879549725, 28.423696372, 11.658915644,
     0.054346399858},
};

// The columns of the tables, in their order; a charge is in A h.
static const char *const b7_columns[] = {
    "pose.x",          "pose.y",           "pose.heading",       "velocity.forward",
    "velocity.left",   "velocity.heading", "drive.left.current", "drive.right.current",
    "battery.current", "battery.voltage",  "battery.used",       NULL};
static const char *const launch_columns[] = {
    "pose.x",          "velocity.forward", "wheel.left.speed", "drive.left.current",
    "battery.current", "battery.voltage",  "battery.used",     NULL};
static const char *const scrub_columns[] = {
    "pose.heading",    "velocity.heading", "wheel.left.speed", "drive.left.current",
    "battery.current", "battery.voltage",  "battery.used",     NULL};
static const char *const slide_columns[] = {"pose.x",
                                            "pose.y",
                                            "pose.heading",
                                            "velocity.forward",
                                            "velocity.left",
                                            "velocity.heading",
                                            "wheel.left.speed",
                                            "wheel.right.speed",
                                            "drive.left.current",
                                            "drive.right.current",
                                            "battery.current",
                                            "battery.voltage",
                                            "battery.used",
                                            NULL};

static const double inductance = 59e-6; // [H], B7's stand-in

// ------------------------------------------------------------------------------------------ claims

// Runs the rig and compares all rows, each value to `tolerance` of itself or of 1, the larger.
static void assert_table(Rig *rig, const double *table, int rows, const char *const *columns,
                         double tolerance)
{
    int width = 1;
    while (columns[width - 1]) width++;
    rig_run(rig, 0.1);
    for (int i = 0; i < rows; i++) {
        const double *row = table + i * width;
        for (int k = 1; k < width; k++) {
            double got = rig_at(rig, row[0], columns[k - 1]);
            if (!strcmp(columns[k - 1], "battery.used")) got /= 3600;
            assert_close(got, row[k], tolerance * fmax(1, fabs(row[k])));
        }
    }
    rig_stop(rig);
}

// RK4 at 1 ms is within 4e-11 of B7, whose tables are good to 1.3e-10.
static void assert_b7(double left, double right, double L, const double (*table)[12])
{
    Rig rig;
    rig_default(&rig, 5);
    rig_drive(&rig, left, right);
    if (L > 0) {
        rig.tank.inductance = L;
        rig.tank.current = IB_CURRENT_IMPLICIT;
    }
    assert_table(&rig, table[0], 5, b7_columns, 1e-9);
}

// Goal: reference B7 (i). Method: 12/12 V, the tank of B7 with RK4 at 1 ms.
static void straight_matches_reference_b7(void **unused)
{
    (void)unused;
    assert_b7(12, 12, 0, straight);
}

static void straight_with_inductance_matches_reference_b7(void **unused)
{
    (void)unused;
    assert_b7(12, 12, inductance, straight_with_inductance);
}

// Goal: reference B7 (ii). Method: +12/-12 V.
static void turn_in_place_matches_reference_b7(void **unused)
{
    (void)unused;
    assert_b7(12, -12, 0, turn);
}

static void turn_in_place_with_inductance_matches_reference_b7(void **unused)
{
    (void)unused;
    assert_b7(12, -12, inductance, turn_with_inductance);
}

// Goal: reference B7 (iii). Method: 12/6 V.
static void arc_matches_reference_b7(void **unused)
{
    (void)unused;
    assert_b7(12, 6, 0, arc);
}

static void arc_with_inductance_matches_reference_b7(void **unused)
{
    (void)unused;
    assert_b7(12, 6, inductance, arc_with_inductance);
}

// The robot of B8 under an adaptive solver; the reference is good to 2e-9.
static void assert_b8(double left, double right, const double *table, const char *const *columns)
{
    Rig rig;
    rig_default(&rig, 5);
    rig_set(&rig, "wheels.model", "friction_circle");
    rig_set(&rig, "drive.rotor_inertia", "7.75e-5 kg*m^2");
    rig_drive(&rig, left, right);
    rig_adaptive(&rig, 1e-10, 0.1);
    assert_table(&rig, table, 5, columns, 1e-8);
}

// Goal: reference B8, wheels spin at launch. Method: 12/12 V, friction circle, dopri5 at 1e-10.
static void launch_with_wheel_spin_matches_reference_b8(void **unused)
{
    (void)unused;
    assert_b8(12, 12, launch[0], launch_columns);
}

// Goal: reference B8, a turn in place scrubs. Method: +12/-12 V.
static void scrubbing_turn_matches_reference_b8(void **unused)
{
    (void)unused;
    assert_b8(12, -12, scrub[0], scrub_columns);
}

// Goal: reference B8, an arc. Method: 12/6 V.
static void sliding_arc_matches_reference_b8(void **unused)
{
    (void)unused;
    assert_b8(12, 6, slide[0], slide_columns);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_matches_reference_b7),
        cmocka_unit_test(straight_with_inductance_matches_reference_b7),
        cmocka_unit_test(turn_in_place_matches_reference_b7),
        cmocka_unit_test(turn_in_place_with_inductance_matches_reference_b7),
        cmocka_unit_test(arc_matches_reference_b7),
        cmocka_unit_test(arc_with_inductance_matches_reference_b7),
        cmocka_unit_test(launch_with_wheel_spin_matches_reference_b8),
        cmocka_unit_test(scrubbing_turn_matches_reference_b8),
        cmocka_unit_test(sliding_arc_matches_reference_b8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
