// A scenario that is read again from what a cache remembers is the one that is read afresh
// (file/tree_cache.h): sweeps rest on it.
#include "base/hash.h"
#include "file/tree_cache.h"
#include "folder.h"
#include "scenario/scenario.h"
#include "sim/run.h"
#include "sim/watch/summary.h"

// All sections, values that are drawn in several of them, presets, a robot file.
static const char text[] =
    "robot:\n"
    "  file: " IB_SOURCE_DIR "/robots/team.yaml\n"
    "  mass: {uniform: [40 kg, 50 kg]}\n"
    "  sensors:\n"
    "    gyro: {noise: 0.01 rad/s, bias: {normal: [0 deg/s, 1 deg/s]}, period: 5 ms}\n"
    "    angle: {signal: arm.position, noise: 0.05 deg, range: [-1 rad, 2 rad], period: 4 ms}\n"
    "control:\n"
    "  arm: {kind: pid, sensors: angle, kp: 25 V/rad, ki: 25 V/(rad*s), period: 4 ms}\n"
    "field: {preset: frc, elements: {post: {disc: [5 m, 1.5 m], radius: 10 cm}}}\n"
    "start: {x: {uniform: [3 m, 6 m]}, y: 1.5 m}\n"
    "inputs:\n"
    "  throttle: [[0 s, 0.2], [20 ms, 0.5], [1 s, 0]]\n"
    "  turn: 0.1\n"
    "  arm.goal: [[0 s, 0 deg], [10 ms, 60 deg]]\n"
    "disturbances: [{at: 10 ms, for: 20 ms, force: 150 N, direction: 90 deg}]\n"
    "run: {duration: 40 ms, seed: 1}\n"
    "record: {every: 10 ms}\n"
    "expect: ['at end: pose.y > 1.5 m']\n";

// Values of one key, the last of which is refused.
static const struct {
    const char *path, *values[4];
} axes[] = {
    {"robot.mass", {"45 kg", "{normal: [45 kg, 1 kg]}", "50 kg", "2 m"}},
    {"robot.drive.motor", {"cim", "mini-cim", "{preset: cim, voltage: 11 V}", "nosuch"}},
    {"robot.battery.resistance", {"20 mohm", "0.03 ohm", "20 mohm", "20 ms"}},
    {"robot.sensors.gyro.noise", {"0.1 rad/s", "1 deg/s", "0 rad/s", "1 V"}},
    {"robot.sensors.angle.range.1", {"1 mrad", "0.1 mrad", "1 mdeg", "-2 rad"}},
    {"control.arm.kp", {"10 V/rad", "{uniform: [1 V/rad, 9 V/rad]}", "1 V/deg", "1 V/m"}},
    {"field.friction", {"0.1", "{uniform: [0, 1]}", "0.5", "1 m"}},
    {"field.elements.post.radius", {"1 cm", "20 cm", "{uniform: [1 cm, 9 cm]}", "-1 cm"}},
    {"field", {"frc", "obstacle-course", "{gravity: 1.62 m/s^2}", "nosuch"}},
    {"start.x", {"3 m", "{normal: [4 m, 1 cm]}", "300 cm", "9 V"}},
    {"inputs.throttle.1.1", {"0.1", "{uniform: [0, 1]}", "1", "1 V"}},
    {"inputs.turn", {"0.2", "[[0 s, 0], [30 ms, 1]]", "0", "left"}},
    {"disturbances.0.force", {"10 N", "{uniform: [0 N, 99 N]}", "1 kN", "1 kg"}},
    {"run.duration", {"30 ms", "50 ms", "0.03 s", "1 m"}},
    {"run.step", {"1 ms", "0.5 ms", "2 ms", "-1 ms"}},
    {"run.seed", {"1", "2", "3", "-1"}},
    {"record.every", {"1 ms", "5 ms", "10 ms", "1 kg"}},
    {"expect.0", {"'at end: pose.y > 1 m'", "'at end: pose.y > 9 m'", "'always: turn < 1'", "'?'"}},
};

// A hash of all that a scenario says and does: mistakes, warnings, files, signals, its run.
static uint64_t judge(ib_TreeCache *cache, const ib_Override *override, uint64_t seed)
{
    ib_Arena arena = {0};
    ib_Diagnostics found = {.arena = &arena};
    ib_ScenarioOptions options = {.trees = cache, .overrides = override, .override_count = 1};
    options.seed = seed;
    options.has_seed = seed > 0;
    ib_Scenario *scenario = ib_scenario_read(in_folder("all.yaml").text, &options, &found);
    uint64_t hash = IB_HASH_START;
    char line[2048];
    for (int i = 0; i < found.count; i++) {
        ib_diagnostic_format(&found.items[i], line, sizeof line);
        hash = ib_hash_text(hash, line);
    }
    for (int i = 0; scenario && i < scenario->yaml.warning_count; i++) {
        ib_diagnostic_format(&scenario->yaml.warnings[i], line, sizeof line);
        hash = ib_hash_text(hash, line);
    }
    if (scenario) {
        ib_Sim *sim;
        ib_Summary *summary;
        ib_Error error;
        const ib_SignalTable *signals = &scenario->model->signals;
        for (int i = 0; scenario->yaml.files[i]; i++)
            hash = ib_hash_text(hash, scenario->yaml.files[i]);
        for (int i = 0; i < signals->count; i++) hash = ib_hash_text(hash, signals->items[i].name);
        assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
        assert_int_equal(ib_summary_create(signals, &arena, &summary, &error), IB_OK);
        assert_int_equal(ib_sim_probe(sim, ib_summary_probe(summary), &error), IB_OK);
        for (int i = 0; i < scenario->expectation_count; i++)
            assert_int_equal(ib_expectation_attach(&scenario->expectations[i], sim, &error), IB_OK);
        ib_RunResult result;
        assert_int_equal(ib_run(sim, &(ib_RunOptions){0}, &result, &error), IB_OK);
        hash = ib_hash_doubles(hash, summary->max, (size_t)summary->count);
        hash = ib_hash_doubles(hash, summary->final, (size_t)summary->count);
        for (int i = 0; i < scenario->expectation_count; i++)
            hash = ib_hash_word(hash, scenario->expectations[i].passed);
        hash = ib_hash_word(ib_hash_word(hash, ib_sim_hash(sim)), (uint64_t)scenario->record.every);
        const ib_FieldConfig *field = scenario->sim.field;
        for (int i = 0; field && i < field->element_count; i++)
            hash = ib_hash_doubles(hash, (double[]){field->elements[i].radius, field->friction}, 2);
        ib_sim_destroy(sim);
    }
    ib_scenario_destroy(scenario);
    ib_arena_reset(&arena);
    return hash;
}

// Goal: what a cache remembers changes nothing, whatever was read before: values of every section,
// refused ones and draws. Method: each of them with one cache, twice, and without any; the values
// themselves are told apart.
static void read_again_is_read_afresh(void **state)
{
    (void)state;
    ib_TreeCache *cache = ib_tree_cache_create();
    write_file("all.yaml", text);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
            uint64_t before = 0;
            for (int k = 0; k < 4; k++) {
                ib_Override override = {axes[i].path, axes[i].values[k]};
                uint64_t seed = strcmp(axes[i].path, "run.seed") ? (uint64_t)round + 1 : 0;
                uint64_t afresh = judge(NULL, &override, seed);
                if (judge(cache, &override, seed) != afresh)
                    fail_msg("%s: %s is another one from the shelf", override.path, override.yaml);
                if (afresh == before) fail_msg("%s: %s does nothing", override.path, override.yaml);
                before = afresh;
            }
        }
    ib_tree_cache_destroy(cache);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(read_again_is_read_afresh, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
