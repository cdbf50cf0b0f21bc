// The sliding mode: its surface and shares by hand, and that it holds a plant it does not know.
#include "cmocka_all.h"
#include "control/controller_rig.h"

#include <math.h>
#include <string.h>

extern const ib_ControllerKind ib_sliding_mode_kind;

enum { GOAL, REFERENCE, ERROR, SURFACE, SWITCHING, EQUIVALENT, OUTPUT };

// Goal: surface, switching and equivalent shares are those of the header, for both orders. Method:
// numbers by hand; outside of the layer the switching share is the whole gain.
static void law_is_that_of_the_surface(void **unused)
{
    (void)unused;
    for (int order = 1; order <= 2; order++) {
        const Setting settings[] = {{"order", order == 1 ? "1" : "2"},
                                    {"frequency", "4 rad/s"},
                                    {"damping", "0.5"},
                                    {"gain", "3 V"},
                                    {"layer", "2 m"},
                                    {"offset", "1 V"},
                                    {"equivalent.velocity", "0.5 V*s/m"},
                                    {"equivalent.slide", "2 V*s/m"},
                                    {"period", "continuous"},
                                    {NULL, NULL}};
        ControllerRig rig;
        rig_open(&rig, &ib_sliding_mode_kind, "m", "V", 100, settings);
        const double y[] = {1, 0.25, -2};
        double e = 0.5, de = -0.25, dde = 2, rate[1];
        double s = order == 1 ? e + de / 4 : e + 2 * 0.5 / 4 * de + dde / 16;
        double q = order == 1 ? de : de + 2 * 0.5 / 4 * dde;
        double u = rig_law(&rig, 1.5, 0, y, rate);
        assert_close(rig.signals[ERROR], e, 1e-15);
        assert_close(rig.signals[SURFACE], s, 1e-15);
        assert_close(rig.signals[SWITCHING], 3 * s / 2, 1e-15);
        assert_close(rig.signals[EQUIVALENT], 1 + 0.5 * 0.25 + 2 * q, 1e-15);
        assert_close(u, 3 * s / 2 + 1.125 + 2 * q, 1e-14);
        rig_law(&rig, 50, 0, y, rate);
        assert_close(rig.signals[SWITCHING], 3, 0);
        rig_law(&rig, -50, 0, y, rate);
        assert_close(rig.signals[SWITCHING], -3, 0);
        rig_close(&rig);
    }
}

// Goal: it brings x" = b u + d to its goal on the surface, with b wrong by a factor of four and a
// push it does not know, and stays within d phi/(b k) of it. Method: order 1, sampled at 1 ms,
// the plant by its closed form over each period. On the surface e dies with w = 5/s: from 2 s on
// |e| is below the layer's share and what is left of e^(-5 t).
static void unknown_plants_are_held(void **unused)
{
    (void)unused;
    const Setting settings[] = {{"order", "1"},     {"frequency", "5 rad/s"}, {"gain", "10 V"},
                                {"layer", "20 mm"}, {"period", "1 ms"},       {NULL, NULL}};
    const double plants[][2] = {{1, 0}, {4, 2}, {1, -3}, {2, 5}};
    for (int i = 0; i < 4; i++) {
        ControllerRig rig;
        double x = 0, v = 0, T = 1e-3, b = plants[i][0], d = plants[i][1];
        rig_open(&rig, &ib_sliding_mode_kind, "m", "V", 12, settings);
        for (int k = 0; k < 3000; k++) {
            double a = b * rig_step(&rig, 1, x) + d;
            x += T * v + T * T / 2 * a;
            v += T * a;
            // what is in the layer at rest: k s/phi = -d/b
            double rest = fabs(d / b) * 0.02 / 10;
            if (k > 2000) assert_true(fabs(x - 1) <= rest + 1e-3);
        }
        assert_close(x, 1 + d / b * 0.02 / 10, 1e-5);
        rig_close(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_is_that_of_the_surface),
        cmocka_unit_test(unknown_plants_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
