// Tests of desk/plan/plan_cache.h: a plan is worked out once, and anew where its files
// have changed.
#include "desk/desk_rig.h"
#include "desk/plan/plan_cache.h"
#include "folder.h"
#include "sim/pool.h"

// A line of theta1 as rows, to `end`.
#define ROWS(end)                                                                                  \
    "theta1,omega1,alpha1,theta2,omega2,alpha2\n0,1,0,0,0,0\n0.5,1,0,0,0,0\n" end ",1,0,0,0,0\n"
#define PLAN "arm: {preset: frc971-2018}\npath: {rows: rows.csv}\n"

static ib_Error error;

// One that asks, as a scenario does.
typedef struct Asker {
    ib_Arena arena;
    ib_Diagnostics diagnostics;
    ib_Reader reader;
} Asker;

static const ib_ArmPlan *ask_for(ib_PlanCache *cache, Asker *asker, bool ways)
{
    ib_Error unused;
    *asker = (Asker){.diagnostics = {.arena = &asker->arena}};
    asker->reader =
        (ib_Reader){.file = "s.yaml", .arena = &asker->arena, .diagnostics = &asker->diagnostics};
    return ib_plan_cache_take(cache, &asker->reader, in_folder("plan.yaml").text, ways, &unused);
}

static const ib_ArmPlan *ask(ib_PlanCache *cache, Asker *asker)
{
    return ask_for(cache, asker, true);
}

// How far the only way goes [rad]; it is a plan with two files.
static double length_of(const ib_ArmPlan *plan, const Asker *asker)
{
    for (int i = 0; i < asker->diagnostics.count; i++)
        print_error("%s\n", asker->diagnostics.items[i].text);
    assert_non_null(plan);
    assert_int_equal(ib_arm_plan_check(plan, &error), IB_OK);
    assert_int_equal(asker->reader.file_count, 2);
    assert_string_equal(asker->reader.files[1], in_folder("rows.csv").text);
    const ib_ArmPath *path = &plan->tracks[0].path;
    return path->points[path->count - 1].s;
}

// Goal: who asks again gets the same plan, without work, in memory of their own. Method: three ask;
// the cache and the first are gone before the last is looked at (the sanitizers watch).
static void a_plan_is_worked_out_once(void **state)
{
    (void)state;
    Asker askers[3];
    const ib_ArmPlan *plans[3];
    write_file("rows.csv", ROWS("1"));
    write_file("plan.yaml", PLAN);
    ib_PlanCache *cache = ib_plan_cache_create();
    for (int i = 0; i < 3; i++) plans[i] = ask(cache, &askers[i]);
    assert_int_equal(ib_plan_cache_count(cache), 1);
    ib_plan_cache_destroy(cache);
    assert_close(length_of(plans[0], &askers[0]), 1, 1e-12);
    double time = plans[0]->tracks[0].timing.t[2];
    ib_arena_reset(&askers[0].arena);
    for (int i = 1; i < 3; i++) {
        assert_close(length_of(plans[i], &askers[i]), 1, 1e-12);
        assert_close(plans[i]->tracks[0].timing.t[2], time, 0);
        ib_arena_reset(&askers[i].arena);
    }
}

// Goal: a file that has changed counts, also one that the plan names. Method: other rows, then
// other limits, then rows that are no path, then none, then good ones again.
static void a_changed_file_is_worked_out_anew(void **state)
{
    (void)state;
    Asker asker;
    ib_PlanCache *cache = ib_plan_cache_create();
    write_file("plan.yaml", PLAN);
    write_file("rows.csv", ROWS("1"));
    assert_close(length_of(ask(cache, &asker), &asker), 1, 1e-12);
    ib_arena_reset(&asker.arena);
    write_file("rows.csv", ROWS("1.25"));
    const ib_ArmPlan *plan = ask(cache, &asker);
    assert_close(length_of(plan, &asker), 1.25, 1e-12);
    double time = plan->tracks[0].timing.t[2];
    ib_arena_reset(&asker.arena);
    write_file("plan.yaml", PLAN "limits: {voltage: 10 V}\n");
    plan = ask(cache, &asker);
    assert_true(plan->tracks[0].timing.t[2] > time);
    ib_arena_reset(&asker.arena);
    assert_int_equal(ib_plan_cache_count(cache), 3);

    write_file("rows.csv", "theta1\n1\n");
    assert_null(ask(cache, &asker));
    assert_int_equal(asker.diagnostics.count, 1);
    ib_arena_reset(&asker.arena);
    assert_int_equal(remove(in_folder("rows.csv").text), 0);
    assert_null(ask(cache, &asker));
    assert_non_null(strstr(asker.diagnostics.items[0].text, "cannot open"));
    ib_arena_reset(&asker.arena);
    write_file("rows.csv", ROWS("1"));
    assert_close(length_of(ask(cache, &asker), &asker), 1, 1e-12);
    ib_arena_reset(&asker.arena);
    assert_int_equal(ib_plan_cache_count(cache), 4);
    ib_plan_cache_destroy(cache);
}

// Goal: a plan's warnings are told to all who name it. Method: a rotor that does not count.
static void warnings_are_told_to_everyone(void **state)
{
    (void)state;
    Asker asker;
    write_file("rows.csv", ROWS("1"));
    write_file("plan.yaml", "arm: {preset: frc971-2018, joint1: {motor: {rotor_inertia: 1 "
                            "kg*m^2}}}\npath: {rows: rows.csv}\n");
    ib_PlanCache *cache = ib_plan_cache_create();
    for (int i = 0; i < 2; i++) {
        assert_non_null(ask(cache, &asker));
        assert_int_equal(asker.diagnostics.warning_count, 1);
        assert_non_null(strstr(asker.diagnostics.warnings[0].text, "has no effect"));
        assert_string_equal(asker.diagnostics.warnings[0].file, in_folder("plan.yaml").text);
        ib_arena_reset(&asker.arena);
    }
    assert_int_equal(ib_plan_cache_count(cache), 1);
    ib_plan_cache_destroy(cache);
}

// Goal: who does not take the ways of a plan does not wait for them. Method: where no motion on a
// way meets the limits the plan is refused, and its goals, with those at the way's ends, are there
// all the same; in the cache the one does not stand in for the other.
static void goals_come_without_their_ways(void **state)
{
    (void)state;
    Asker asker;
    static const char plan[] = "arm: {preset: frc971-2018}\ngoals: {up: [0 rad, 0.1 rad]}\n"
                               "path: {joints: [[0 rad, 0.1 rad], [3.1 rad, 3.1 rad]]}\n"
                               "limits: {voltage: 12 V}\n";
    char weaker[sizeof plan];
    strcpy(weaker, plan);
    memcpy(strstr(weaker, "12 V"), "0.5V", 4);
    ib_PlanCache *cache = ib_plan_cache_create();
    for (int weak = 0; weak < 2; weak++) {
        write_file("plan.yaml", weak ? weaker : plan);
        for (int ways = 0; ways < 2; ways++) {
            const ib_ArmPlan *made = ask_for(cache, &asker, ways);
            assert_int_equal(made != NULL, !(weak && ways));
            assert_int_equal(asker.diagnostics.count, weak && ways);
            if (made) {
                assert_int_equal(ib_arm_plan_check(made, &error), IB_OK);
                assert_int_equal(made->track_count, ways);
                assert_int_equal(made->goal_count, 2);
                assert_string_equal(made->goals[1].name, "end");
                assert_close(made->goals[1].th[1], 3.1, 1e-12);
            }
            ib_arena_reset(&asker.arena);
        }
    }
    assert_int_equal(ib_plan_cache_count(cache), 3);
    ib_plan_cache_destroy(cache);
}

static void ask_once(void *cache, int worker, int64_t index)
{
    Asker asker;
    (void)worker, (void)index;
    const ib_ArmPlan *plan = ask(cache, &asker);
    IB_ASSERT(plan && plan->track_count == 1);
    ib_arena_reset(&asker.arena);
}

// Goal: threads may ask at the same time. Method: 40 of them do, of a cache that is empty.
static void threads_share_it(void **state)
{
    (void)state;
    write_file("rows.csv", ROWS("1"));
    write_file("plan.yaml", PLAN);
    ib_PlanCache *cache = ib_plan_cache_create();
    ib_Pool pool = {.threads = 8, .job = ask_once, .self = cache};
    assert_int_equal(ib_pool_run(&pool, 40, &error), IB_OK);
    assert_int_equal(ib_plan_cache_count(cache), 1);
    ib_plan_cache_destroy(cache);
}

int IB_TEST_GROUP(void)
{
#define FILES(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        FILES(a_plan_is_worked_out_once),
        FILES(a_changed_file_is_worked_out_anew),
        FILES(warnings_are_told_to_everyone),
        FILES(goals_come_without_their_ways),
        FILES(threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
