// One value that is wrong is one mistake: in designs, in plans, and in the files of this project.
#include "desk/design/design_loader.h"
#include "desk/desk_rig.h"
#include "desk/plan/plan_file.h"
#include "file/contents.h"
#include "file/yaml.h"
#include "mark.h"
#include "spread.h"

#include <dirent.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------ tables

// What is told: a place marked in the text, where there is one mistake, and words of each.
typedef struct Told {
    const char *text, *words[2];
} Told;

static void assert_told(const Told *row, bool plan)
{
    char text[2000];
    int line = 0, column = 0, count = row->words[1] ? 2 : 1;
    take_mark(row->text, text, &line, &column);
    void *read =
        plan ? (void *)ib_plan_file_read_text("t.yaml", text, strlen(text), NULL, rig_listen())
             : (void *)rig_read(text);
    bool good = !read && rig_told.count == count;
    for (int i = 0; good && i < count; i++)
        good = strstr(rig_told.items[i].text, row->words[i]) != NULL;
    if (good && line) good = rig_told.items[0].line == line && rig_told.items[0].column == column;
    if (good) return;
    print_error("%s\n", text);
    print_mistakes(&rig_told);
    fail_msg("expected %d: '%s'", count, row->words[0]);
}

#define MASS  "{A: [[0, 1], [0, -2]], B: [[0], [3]], states: [x, v], inputs: [volts]}\n"
#define GEARS "schedule:\n  low: {lqr: {tolerance: {x: 1}}}\n  mid: {}\n  high: {}\n"

// Goal: a value of a design that is wrong is one mistake, told once for all gears. Method: names,
// sizes and gears that depend on it.
static void a_mistake_in_a_design_blames_nothing_else(void **state)
{
    (void)state;
    static const Told rows[] = {
        {"plant: {kind: drivetrain, motor: cim, motors_per_side: 2, reduction: 7, wheel_radius: 5 "
         "cm,\n"
         "  mass: 50 kg, inertia: 3 kg*m^2, half_track: 0.3 m, gyro: @banana}\nperiod: 5 ms\n"
         "kalman: {process: [1, 1, 1, 1], measurement: [1, 1, 1]}\n",
         {"plant.gyro"}},
        {"plant: " MASS "period: 5 ms\nintegral: [@banana]\n"
         "lqr: {tolerance: {x: 1, v: 1, integral_x: 1, volts: 12}}\n",
         {"there is no state 'banana'"}},
        {"plant: " MASS "period: 5 ms\nintegral: @banana\n"
         "lqr: {Q: [1, 1, 1], R: [1]}\n",
         {"integral: expected a list"}},
        {"plant: " MASS "period: 5 ms\nintegral: @banana\npoles: [0.9, 0.8, 0.7]\n", {"integral"}},
        {"plant: " MASS "period: 5 ms\nlqr: {states: @banana, Q: [1], R: [1]}\n", {"lqr.states"}},
        {"plant: " MASS "period: 5 ms\nlqr: {Q: [@banana, [0, 1]], R: [1]}\n", {"lqr.Q.0"}},
        {"plant: " MASS "period: 5 ms\nlqr: {Q: [1, @[]], R: [1]}\n", {"lqr.Q.1"}},
        {"plant: " MASS "period: 5 ms\nlqr: {Q: [1, 1], R: [1]}\n"
         "polytope: {H: [[1, 0]], k: [1], line: {K: @banana, w: 0}, dot: [1, 1]}\n",
         {"polytope.line.K"}},
        {"plant: " MASS "period: 5 ms\nlqr: @banana\n" GEARS, {"lqr: expected a map"}},
        {"plant: " MASS "period: 5 ms\nlqr: {tolerance: @banana}\n" GEARS,
         {"lqr.tolerance: expected a map"}},
        {"plant: @banana\nperiod: 5 ms\n"
         "schedule: {low: {plant: {reduction: 3}}, high: {}}\n",
         {"plant: expected a map"}},
        {"plant: " MASS "period: 5 ms\nlqr: {tolerance: {x: @banana, v: 1, volts: 12}}\n" GEARS,
         {"gears mid, high: lqr.tolerance.x"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) assert_told(&rows[i], false);
}

// Goal: a mistake of a design that does not depend on another one is told beside it. Method: the
// same values, each with a mistake about something else.
static void a_mistake_in_a_design_hides_no_other(void **state)
{
    (void)state;
    static const Told rows[] = {
        {"plant: " MASS "period: 5 ms\nintegral: [banana]\n"
         "lqr: {tolerance: {x: 1, integral_z: 1, volts: 12}}\n",
         {"no state 'banana'", "lqr.tolerance.integral_z: unknown key"}},
        {"plant: " MASS "period: 5 ms\nintegral: banana\n"
         "kalman: {process: [1, 1, 1], measurement: [1, 1]}\n"
         "lqr: {tolerance: {x: 1, volts: 12}}\n",
         {"integral", "kalman.process: expected 2 numbers"}},
        {"plant: " MASS "period: 5 ms\nlqr: {tolerance: {x: banana, v: 1, volts: 12}}\n"
         "schedule: {low: {lqr: {tolerance: {w: 1}}}, high: {}}\n",
         {"lqr.tolerance.x", "gear low: lqr.tolerance.w"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) assert_told(&rows[i], false);
}

#define ARM  "arm: {preset: frc971-2018}\n"
#define WAY  "path: {from: low, to: high}\n"
#define ENDS "goals: {low: [0.3 rad, -0.5 rad], high: [1.3 rad, 0.9 rad]}\n"
#define BAR  "{name: bar, x: 1.964 m, z: 0.9742 m, radius: 10 cm}" // around the hand at `high`

// Goal: goals and paths of a plan are not judged against an obstacle with a mistake, and against
// those without. Method: goals in the stand-in of a radius and of a place; a goal in a bar beside
// an obstacle that was refused, and another one behind a goal that was.
static void goals_are_judged_against_obstacles_that_are_known(void **state)
{
    (void)state;
    static const Told rows[] = {
        {ARM ENDS WAY "obstacles: [{name: a, x: 1.9 m, z: 1 m, radius: @banana}]\n",
         {"obstacles.0.radius"}},
        {ARM ENDS WAY "obstacles: [{name: a, x: 1.9 m, z: 1 m, radius: @15}]\n",
         {"obstacles.0.radius: a unit is missing"}},
        {ARM ENDS WAY "obstacles: [{name: a, x: @banana, z: 0.9742 m, radius: 2.2 m}]\n",
         {"obstacles.0.x"}},
        {ARM ENDS WAY "obstacles: [{name: a, x: banana, z: 1 m, radius: 1 m}, " BAR "]\n",
         {"goals.high: it is inside of obstacle 'bar'", "obstacles.0.x"}},
        {ARM "goals: {low: banana, high: [1.3 rad, 0.9 rad]}\n" WAY "obstacles: [" BAR "]\n",
         {"goals.low", "goals.high: it is inside of obstacle 'bar'"}},
        {ARM ENDS WAY "obstacles: [{name: bar, x: banana, z: 9 m, radius: 1 m},\n"
                      "  {name: bar, x: 9 m, z: 9 m, radius: 10 cm}]\n",
         {"obstacles.0.x", "'bar' is there twice"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) assert_told(&rows[i], true);
}

// ---------------------------------------------------------------------------------------- a sample

enum { FILES = 400, VALUES = 4000 };

typedef struct Example {
    char path[600];
    char kind; ///< s: a scenario, d: a design, p: a plan
} Example;

static int gather(const char *folder, Example *files, int count)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", IB_SOURCE_DIR, folder);
    DIR *stream = opendir(path);
    assert_non_null(stream);
    for (const struct dirent *entry; (entry = readdir(stream)) && count < FILES;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0) continue;
        snprintf(files[count].path, sizeof files[count].path, "%s/%s", path, entry->d_name);
        files[count++].kind = folder[0];
    }
    closedir(stream);
    return count;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const Example *)a)->path, ((const Example *)b)->path);
}

// The values that stand in a file as they are read, but for names that it gives itself.
static int list_values(const ib_Node *node, const ib_Node **values, int count)
{
    static const char *const given[] = {"title", "name", "states", "inputs", "outputs", "expect"};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (node->key && strcmp(node->key, given[i]) == 0 && node->type != IB_NODE_MAP)
            return count;
    if (node->type == IB_NODE_SCALAR && !node->quoted && node->text[0] && count < VALUES)
        values[count++] = node;
    for (const ib_Node *child = node->first; child; child = child->next)
        count = list_values(child, values, count);
    return count;
}

// The text with `banana` in the place of a value; false: it stands there in other words.
static bool put_banana(const char *text, const ib_Node *value, char *changed, size_t size)
{
    const char *at = text;
    size_t length = strlen(value->text);
    for (int line = 1; line < value->place.line && at; line++) at = strchr(at, '\n') + 1;
    for (int column = 1; column < value->place.column; column++) do
            at++;
        while (((unsigned char)*at & 0xC0) == 0x80); // columns are characters
    if (strncmp(at, value->text, length) != 0) return false;
    int used = snprintf(changed, size, "%.*sbanana%s", (int)(at - text), text, at + length);
    return used > 0 && (size_t)used < size;
}

static void read_as(const Example *file, const char *text)
{
    ib_ScenarioOptions options = {.designs = &ib_design_loader};
    size_t length = strlen(text);
    ib_Diagnostics *told = rig_listen();
    if (file->kind == 's')
        ib_scenario_destroy(ib_scenario_read_text(file->path, text, length, &options, told));
    else if (file->kind == 'd')
        ib_design_file_destroy(ib_design_file_read_text(file->path, text, length, NULL, told));
    else
        ib_plan_file_destroy(ib_plan_file_read_text(file->path, text, length, NULL, told));
}

// One value of the file that is wrong as a banana. Whether it was told as one mistake; 0: all that
// were drawn may be called so.
static void spoil(const Example *file, uint64_t number)
{
    enum { TRIES = 10, MOST = 1 << 16 };
    static char changed[MOST];
    const ib_Node *values[VALUES];
    ib_Diagnostics none = {.arena = &rig_arena};
    size_t length;
    const char *text = ib_contents_load(file->path, &rig_arena, &length, NULL);
    const ib_Node *root = text ? ib_yaml_read(file->path, text, length, &rig_arena, &none) : NULL;
    assert_non_null(root);
    int count = list_values(root, values, 0);
    assert_true(count > 0);
    for (uint64_t i = 0; i < TRIES; i++) {
        const ib_Node *value = values[chance_bits(number, 7, i) % (uint64_t)count];
        if (!put_banana(text, value, changed, sizeof changed)) continue;
        read_as(file, changed);
        if (rig_told.count == 0) continue; // a name
        if (rig_told.count == 1) return;
        print_mistakes(&rig_told);
        fail_msg("'banana' at %s:%d:%d for '%s': expected one mistake", file->path,
                 value->place.line, value->place.column, value->text);
    }
}

// Goal: one value that is wrong in a file of this project is one mistake. Method: a hundred times a
// scenario, a design or a plan is drawn, and in it a value, which becomes `banana`.
static void a_banana_is_one_mistake(void **state)
{
    (void)state;
    static Example files[FILES];
    int count = gather("scenarios", files, 0);
    count = gather("designs", files, count);
    count = gather("plans", files, count);
    qsort(files, (size_t)count, sizeof files[0], compare);
    for (int i = 0; i < IB_ROUNDS(100, 10); i++) {
        uint64_t number = chance_bits(1, 6, (uint64_t)i);
        spoil(&files[number % (uint64_t)count], number);
        rig_forget(NULL);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_in_a_design_blames_nothing_else),
        cmocka_unit_test(a_mistake_in_a_design_hides_no_other),
        cmocka_unit_test(goals_are_judged_against_obstacles_that_are_known),
        cmocka_unit_test(a_banana_is_one_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, rig_forget);
}
