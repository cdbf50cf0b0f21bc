// Structs of other programs: where their numbers are, by hand, and what is refused.
#include "record/struct_layout.h"

#include "cmocka_all.h"

#include <math.h>
#include <string.h>

typedef struct Expected {
    const char *name, *unit;
    size_t offset;
} Expected;

static void check(const ib_StructLayout *layout, size_t size, const Expected *expected, int count)
{
    assert_non_null(layout);
    assert_int_equal(layout->size, size);
    assert_int_equal(layout->field_count, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(layout->fields[i].name, expected[i].name);
        assert_string_equal(layout->fields[i].unit, expected[i].unit);
        assert_int_equal(layout->fields[i].offset, expected[i].offset);
    }
}

// Goal: the geometry that every robot logs is known without a word from the log, under the names
// and units of ours. Method: bytes counted by hand.
static void geometry_is_known(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    static const Expected pose2d[] = {{"x", "m", 0}, {"y", "m", 8}, {"heading", "rad", 16}};
    static const Expected pose3d[] = {{"x", "m", 0},          {"y", "m", 8},
                                      {"z", "m", 16},         {"rotation.w", "", 24},
                                      {"rotation.x", "", 32}, {"rotation.y", "", 40},
                                      {"rotation.z", "", 48}, {"heading", "rad", 24}};
    static const Expected angle[] = {{"", "rad", 0}};
    static const Expected wheel[] = {{"speed", "m/s", 0}, {"angle", "rad", 8}};
    check(ib_struct_layout("Pose2d", NULL, 0, &arena), 24, pose2d, 3);
    check(ib_struct_layout("Pose3d", NULL, 0, &arena), 56, pose3d, 8);
    check(ib_struct_layout("Rotation2d", NULL, 0, &arena), 8, angle, 1);
    check(ib_struct_layout("SwerveModuleState", NULL, 0, &arena), 16, wheel, 2);
    const ib_StructLayout *pose = ib_struct_layout("Pose3d", NULL, 0, &arena);
    assert_int_equal(pose->fields[0].role, IB_ROLE_POSE_X);
    assert_int_equal(pose->fields[7].role, IB_ROLE_POSE_HEADING);
    assert_int_equal(pose->fields[2].role, IB_ROLE_NONE);
    ib_arena_reset(&arena);
}

// Goal: the heading of a pose in space is the angle about the vertical, also of a body that is
// pitched. Method: the quaternion of yaw a after pitch p, (cos a/2 + k sin a/2) (cos p/2 + j sin
// p/2), multiplied out by hand; the tolerance is the rounding of some ten operations.
static void heading_is_the_yaw(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    const ib_StructLayout *layout = ib_struct_layout("Pose3d", NULL, 0, &arena);
    for (double a = -3; a <= 3; a += 0.5)
        for (double p = -1; p <= 1; p += 0.5) {
            double c = cos(a / 2), s = sin(a / 2), d = cos(p / 2), e = sin(p / 2);
            double pose[7] = {1, 2, 3, c * d, -s * e, c * e, s * d};
            const unsigned char *bytes = (const unsigned char *)pose;
            assert_close(ib_struct_number(&layout->fields[7], bytes), a, 1e-14);
            assert_true(ib_struct_number(&layout->fields[2], bytes) == 3);
        }
    ib_arena_reset(&arena);
}

// Goal: any struct is read as the log describes it. Method: every type of number, an array, text,
// the names of an enumeration, a struct within, odd blanks; bytes by hand.
static void descriptions_are_followed(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    static const ib_StructText texts[] = {
        {"Inner", "int16 a ; uint8 b"},
        {"Outer", " enum {left=1, right=2} int8 side;bool on; char tag[5];\n float32 gain [2];"
                  "Inner deep; uint64 big;int32 small;; Rotation2d turn;"},
        {"Rotation2d", "float value"}, // what the log says counts
    };
    static const Expected expected[] = {
        {"side", "", 0},    {"on", "", 1},      {"gain.0", "", 7},
        {"gain.1", "", 11}, {"deep.a", "", 15}, {"deep.b", "", 17},
        {"big", "", 18},    {"small", "", 26},  {"turn", "rad", 30},
    };
    const ib_StructLayout *layout = ib_struct_layout("Outer", texts, 3, &arena);
    check(layout, 34, expected, 9);
    static const unsigned char bytes[] = {
        0xfd, 1, 't', 'e', 'x', 't', 0, 0, 0, 0x80, 0x3e, 0,    0,    0, 0xc0, 0xfe, 0xff, // -2
        200,  1, 0,   0,   0,   0,   0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0,    0,    0x3f};
    static const double values[] = {-3, 1, 0.25, -2, -2, 200, 1, -1, 0.5};
    for (int i = 0; i < 9; i++)
        assert_true(ib_struct_number(&layout->fields[i], bytes) == values[i]);
    ib_arena_reset(&arena);
}

// Goal: what cannot be read is refused, and none takes long. Method: bit fields, unknown types,
// broken words, structs in a circle, nothing, and few words that would come to millions.
static void others_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "int8 a:4",
        "int8 a:4;int8 b:4",
        "Unknown a",
        "double",
        "double ;",
        "double x y",
        "double x[0]",
        "double x[",
        "double x[3",
        "double x[99999999999]",
        "enum {a int8 x",
        "X a",
        "",
        ";;",
        "char name[10]",
        "Empty a[65536]",
        "Many a[1000]",
        "double a[65]",
        "char a[65536];double b",
    };
    ib_Arena arena = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const ib_StructText texts[] = {
            {"X", bad[i]}, {"Empty", ""}, {"Many", "More a[1000]"}, {"More", "double a[1000]"}};
        assert_null(ib_struct_layout("X", texts, 4, &arena));
    }
    assert_null(ib_struct_layout("Nobody", NULL, 0, &arena));
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometry_is_known),
        cmocka_unit_test(heading_is_the_yaw),
        cmocka_unit_test(descriptions_are_followed),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
