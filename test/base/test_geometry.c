// Claims about src/base/geometry.c.
#include "cmocka_all.h"

#include "base/geometry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double quarter = 1.5707963267948966;

// Goal: the tables come out as documented, field by field. Method: one of everything, the text
// written by hand from docs/robot/geometry.md; numbers that are exact in binary have few digits.
static void small_table_becomes_exact_json(void **state)
{
    (void)state;
    static const double x[] = {0, 1, 0.5}, y[] = {0, 0, -2};
    static const ib_FrameDef frames[] = {
        {.name = "body",
         .place = {1, 2, 3},
         .move = {"pose.x", "pose.y", NULL},
         .turn = {"pose.heading", NULL, NULL},
         .body = true},
        {.name = "arm", .parent = "body", .attitude = {0.5, 0, -0.25}},
    };
    static const ib_SolidDef solids[] = {
        {.name = "plate",
         .frame = "arm",
         .form = IB_SOLID_POLYGON,
         .size = {0.5, 0, 0},
         .corner_count = 3,
         .corner_x = x,
         .corner_y = y,
         .colour = 0x0a0b0c,
         .opacity = 0.25},
        {.name = "ball",
         .form = IB_SOLID_CAPSULE,
         .size = {1, 2, 0},
         .colour = 0xff0000,
         .tint = "slip",
         .tint_label = "side slip",
         .tint_full = 2,
         .tint_colour = 0x123456},
    };
    static const ib_ArrowDef arrows[] = {{.name = "v",
                                          .frame = "body",
                                          .kind = IB_ARROW_VELOCITY,
                                          .signal = {"a", NULL, "c"},
                                          .along = {{1, 0, 0}, {0}, {0, 0, 1}}},
                                         {.name = "J",
                                          .kind = IB_ARROW_IMPULSE,
                                          .move = {"x", "y", NULL},
                                          .since = "t",
                                          .signal = {"j", NULL, NULL},
                                          .along = {{0, 1, 0}}}};
    static const ib_MarkDef mark = {.name = "m", .move = {NULL, "b", NULL}};
    static const ib_WayDef way = {
        .name = "w", .body = "body", .count = 2, .x = x, .y = y, .now = {"plan", NULL}};
    const ib_Geometry all = {frames, 2, solids, 2, arrows, 2, &mark, 1, NULL, 0, &way, 1};
    static const char expected[] =
        "{\"frames\":["
        "{\"name\":\"body\",\"parent\":null,\"place\":[1,2,3],\"attitude\":[0,0,0],"
        "\"move\":[\"pose.x\",\"pose.y\",null],\"turn\":[\"pose.heading\",null,null],\"body\":true}"
        ",{\"name\":\"arm\",\"parent\":\"body\",\"place\":[0,0,0],\"attitude\":[0.5,0,-0.25],"
        "\"move\":[null,null,null],\"turn\":[null,null,null],\"body\":false}],"
        "\"solids\":["
        "{\"name\":\"plate\",\"frame\":\"arm\",\"form\":\"polygon\",\"place\":[0,0,0],"
        "\"attitude\":[0,0,0],\"size\":[0.5,0,0],\"corners\":[[0,0],[1,0],[0.5,-2]],"
        "\"colour\":\"#0a0b0c\",\"opacity\":0.25,\"tint\":null},"
        "{\"name\":\"ball\",\"frame\":null,\"form\":\"capsule\",\"place\":[0,0,0],"
        "\"attitude\":[0,0,0],\"size\":[1,2,0],\"corners\":null,\"colour\":\"#ff0000\","
        "\"opacity\":1,\"tint\":{\"signal\":\"slip\",\"label\":\"side "
        "slip\",\"full\":2,\"colour\":\"#123456\"}}],"
        "\"arrows\":[{\"name\":\"v\",\"frame\":\"body\",\"kind\":\"velocity\",\"place\":[0,0,0],"
        "\"move\":[null,null,null],\"since\":null,"
        "\"parts\":[{\"signal\":\"a\",\"along\":[1,0,0]},{\"signal\":\"c\",\"along\":[0,0,1]}]},"
        "{\"name\":\"J\",\"frame\":null,\"kind\":\"impulse\",\"place\":[0,0,0],"
        "\"move\":[\"x\",\"y\",null],\"since\":\"t\","
        "\"parts\":[{\"signal\":\"j\",\"along\":[0,1,0]}]}],"
        "\"marks\":[{\"name\":\"m\",\"frame\":null,\"place\":[0,0,0],\"move\":[null,\"b\",null]}],"
        "\"ways\":[{\"name\":\"w\",\"body\":\"body\",\"points\":[[0,0],[1,0]],"
        "\"now\":[\"plan\",null]}]}";
    ib_Arena arena = {0};
    assert_string_equal(ib_geometry_text(&all, &arena), expected);
    ib_arena_reset(&arena);
}

// Goal: areas stand behind the other tables, where there are any. Method: one area, by hand.
static void areas_are_written_where_there_are_any(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    const double x[] = {0, 1, 0.5}, y[] = {0, 0, 2};
    const ib_AreaDef area = {"depot", 3, x, y, 0x0a0b0c};
    const ib_Geometry one = {.areas = &area, .area_count = 1};
    assert_string_equal(ib_geometry_text(&one, &arena),
                        "{\"frames\":[],\"solids\":[],\"arrows\":[],\"marks\":[],\"areas\":[{"
                        "\"name\":\"depot\",\"corners\":[[0,0],[1,0],[0.5,2]],"
                        "\"colour\":\"#0a0b0c\"}],\"ways\":[]}");
    ib_arena_reset(&arena);
}

// Goal: the feet of a mark stand behind it, where there are any. Method: one foot, by hand.
static void feet_are_written_with_their_mark(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    const ib_SoleDef foot = {{"x", "y", NULL}, 0.25, "load"};
    const ib_MarkDef mark = {.name = "m", .feet = &foot, .foot_count = 1, .margin = 0.5};
    const ib_Geometry one = {.marks = &mark, .mark_count = 1};
    assert_string_equal(ib_geometry_text(&one, &arena),
                        "{\"frames\":[],\"solids\":[],\"arrows\":[],\"marks\":[{\"name\":\"m\","
                        "\"frame\":null,\"place\":[0,0,0],\"move\":[null,null,null],"
                        "\"margin\":0.5,\"feet\":[{\"move\":[\"x\",\"y\",null],\"radius\":0.25,"
                        "\"load\":\"load\"}]}],\"ways\":[]}");
    ib_arena_reset(&arena);
}

// Goal: names cannot break out of their quotes, and an empty table is valid. Method: a quote, a
// backslash and a line feed in a name; nothing at all; the same under a key between other values.
static void hostile_names_and_empty_tables_stay_json(void **state)
{
    (void)state;
    ib_Arena arena = {0};
    const ib_MarkDef mark = {.name = "a\"b\\c\nd"};
    const ib_Geometry one = {.marks = &mark, .mark_count = 1}, none = {.mark_count = 0};
    const char *text = ib_geometry_text(&one, &arena);
    assert_non_null(strstr(text, "\"name\":\"a\\\"b\\\\c\\u000ad\","));
    assert_string_equal(ib_geometry_text(&none, &arena),
                        "{\"frames\":[],\"solids\":[],\"arrows\":[],\"marks\":[],\"ways\":[]}");
    char *bytes = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&bytes, &length);
    ib_Json json = {.file = file};
    ib_json_open(&json, NULL, '{');
    ib_json_flag(&json, "a", true);
    ib_geometry_write(&none, "geometry", &json);
    ib_json_flag(&json, "b", true);
    ib_json_close(&json, '}');
    fclose(file);
    assert_string_equal(bytes, "{\"a\":true,\"geometry\":{\"frames\":[],\"solids\":[],\"arrows\":"
                               "[],\"marks\":[],\"ways\":[]},\"b\":true}");
    free(bytes);
    ib_arena_reset(&arena);
}

// Goal: without memory there is no text, and no crash. Method: an arena that may hand out 16 bytes.
static void missing_memory_gives_no_text(void **state)
{
    (void)state;
    ib_Arena arena = {.limit = 16};
    const ib_Geometry none = {.mark_count = 0};
    assert_null(ib_geometry_text(&none, &arena));
    ib_arena_reset(&arena);
}

static void assert_point(const ib_Pose *pose, double x, double y, double z, const double own[3])
{
    const double tolerance = 1e-14; // some roundings of numbers of size 1
    double field[3];
    ib_pose_point(pose, own, field);
    assert_close(field[0], x, tolerance);
    assert_close(field[1], y, tolerance);
    assert_close(field[2], z, tolerance);
}

// Goal: each angle turns by the right hand, in the order yaw, pitch, roll. Method: quarter turns,
// by hand: yaw takes x to y; pitch takes x to -z; roll takes y to z; yaw then pitch takes x to -z
// and z to what yaw made of x, which is y.
static void attitudes_turn_by_the_right_hand(void **state)
{
    (void)state;
    ib_Pose field = ib_pose_field();
    const double zero[3] = {0}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    ib_Pose yaw = ib_pose_in(&field, zero, (double[3]){quarter, 0, 0});
    ib_Pose pitch = ib_pose_in(&field, zero, (double[3]){0, quarter, 0});
    ib_Pose roll = ib_pose_in(&field, zero, (double[3]){0, 0, quarter});
    ib_Pose both = ib_pose_in(&field, zero, (double[3]){quarter, quarter, 0});
    assert_point(&yaw, 0, 1, 0, x);
    assert_point(&pitch, 0, 0, -1, x);
    assert_point(&roll, 0, 0, 1, y);
    assert_point(&both, 0, 0, -1, x);
    assert_point(&both, 0, 1, 0, z);
}

static double lookup(const void *self, const char *name)
{
    (void)self;
    if (strcmp(name, "x") == 0) return 5;
    if (strcmp(name, "th") == 0) return 1.5707963267948966;
    if (strcmp(name, "reach") == 0) return 0.5;
    return NAN;
}

// Goal: a chain of frames is place, attitude, move, turn, in this order, parent by parent. Method:
// by hand: the body moves to (5, 0, 0) and turns left; the arm stands 1 m ahead and 2 m up in it,
// pitched up by a quarter (its x points up), and slides out by 0.5 m along its own x: its origin is
// at (5, 1, 2.5), a point 1 m along its x at (5, 1, 3.5). A signal that is not there counts as 0.
static void frames_follow_their_signals(void **state)
{
    (void)state;
    static const ib_FrameDef frames[] = {
        {.name = "body", .move = {"x", "missing", NULL}, .turn = {"th", NULL, NULL}},
        {.name = "arm",
         .parent = "body",
         .place = {1, 0, 2},
         .attitude = {0, -1.5707963267948966, 0},
         .move = {"reach", NULL, NULL}},
    };
    const ib_Geometry geometry = {.frames = frames, .frame_count = 2};
    ib_Pose poses[2];
    ib_geometry_poses(&geometry, lookup, NULL, poses);
    assert_point(&poses[0], 5, 1, 0, (double[3]){1, 0, 0});
    assert_point(&poses[1], 5, 1, 2.5, (double[3]){0, 0, 0});
    assert_point(&poses[1], 5, 1, 3.5, (double[3]){1, 0, 0});
    assert_int_equal(ib_geometry_frame(&geometry, "arm"), 1);
    assert_int_equal(ib_geometry_frame(&geometry, "leg"), -1);
    assert_int_equal(ib_geometry_frame(&geometry, NULL), -1);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_table_becomes_exact_json),
        cmocka_unit_test(areas_are_written_where_there_are_any),
        cmocka_unit_test(feet_are_written_with_their_mark),
        cmocka_unit_test(hostile_names_and_empty_tables_stay_json),
        cmocka_unit_test(missing_memory_gives_no_text),
        cmocka_unit_test(attitudes_turn_by_the_right_hand),
        cmocka_unit_test(frames_follow_their_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
