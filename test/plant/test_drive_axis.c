// What a driver's hand does for a command.
#include "cmocka_all.h"
#include "plant/drive_axis.h"

#include <string.h>

// Goal: each axis but none has a name of its own. Method: all pairs.
static void each_axis_has_its_own_name(void **unused)
{
    (void)unused;
    assert_null(ib_drive_axis_name(IB_DRIVES_NOTHING));
    for (int i = 1; i < IB_DRIVE_AXES; i++)
        for (int k = 1; k < i; k++)
            assert_string_not_equal(ib_drive_axis_name((ib_DriveAxis)i),
                                    ib_drive_axis_name((ib_DriveAxis)k));
}

// Goal: a plug-in's commands, which declare no axis, are driven as a tank's are if they are called
// like them. Method: the four names, and others.
static void commands_without_a_declaration_go_by_their_names(void **unused)
{
    (void)unused;
    assert_int_equal(ib_drive_axis_of("left"), IB_DRIVES_LEFT_SIDE);
    assert_int_equal(ib_drive_axis_of("right"), IB_DRIVES_RIGHT_SIDE);
    assert_int_equal(ib_drive_axis_of("throttle"), IB_DRIVES_FORWARD);
    assert_int_equal(ib_drive_axis_of("turn"), IB_DRIVES_TURN_LEFT);
    assert_int_equal(ib_drive_axis_of("lift"), IB_DRIVES_NOTHING);
    assert_int_equal(ib_drive_axis_of(""), IB_DRIVES_NOTHING);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_axis_has_its_own_name),
        cmocka_unit_test(commands_without_a_declaration_go_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
