// Tests of link/plugin.h: plug-ins that behave, that describe themselves wrongly, that misbehave.
// The hostile ones are in test/link/plugins.
#include "cmocka_all.h"
#include "link/plugin.h"
#include "plugins/mischief.h"
#include "sim/sim.h"

#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Time counts only where it is what a test is about: a machine may take its core from a step that
// behaves. `prompt` is for steps that sleep for LATE_MS, `hasty` for those that never return.
static const ib_PluginConfig patient = {.late = 60 * IB_SECOND, .hung = 60 * IB_SECOND};
static const ib_PluginConfig prompt = {.late = IB_SECOND / 4, .hung = 60 * IB_SECOND};
static const ib_PluginConfig hasty = {.late = IB_SECOND / 2, .hung = IB_SECOND / 2};

// The thread sanitizer keeps signals back until the thread calls something that it knows: a loop
// of a plug-in's own never hears of one, and cannot be left.
#if defined(__SANITIZE_THREAD__)
enum { SPINNERS_HEAR = false };
#elif defined(__has_feature)
enum { SPINNERS_HEAR = !__has_feature(thread_sanitizer) };
#else
enum { SPINNERS_HEAR = true };
#endif

typedef struct Rig {
    ib_PluginLoader loader;
    ib_Arena arena;
    const ib_Controller *controller;
    ib_Error error;
} Rig;

static ib_Status open_in(Rig *rig, const char *file, double period, const ib_NumberList *world,
                         ib_PluginConfig config)
{
    char path[1024];
    memset(rig, 0, sizeof *rig);
    ib_plugin_loader_init(&rig->loader, config);
    snprintf(path, sizeof path, "%s/%s", IB_PLUGIN_DIR, file);
    return rig->loader.interface.open(rig->loader.interface.self, path, period, world, &rig->arena,
                                      &rig->controller, &rig->error);
}

// A robot of which nothing is known.
static ib_Status open_as(Rig *rig, const char *file, double period, ib_PluginConfig config)
{
    static const char *names[] = {NULL};
    static const ib_NumberList nothing = {.names = names};
    return open_in(rig, file, period, &nothing, config);
}

static void close_rig(Rig *rig)
{
    ib_arena_reset(&rig->arena);
    ib_plugin_loader_destroy(&rig->loader);
}

static void assert_says(const char *text, const char *part)
{
    if (strstr(text, part)) return;
    print_error("'%s' does not say '%s'\n", text, part);
    fail();
}

// ---------------------------------------------------------------------------------------- refusals

static void assert_refused(const char *file, const char *variant, double period, const char *part)
{
    Rig rig;
    if (variant) setenv("IB_TEST_VARIANT", variant, 1);
    bool hangs = variant && strstr(variant, "hang");
    ib_Status status = open_as(&rig, file, period, hangs ? hasty : patient);
    unsetenv("IB_TEST_VARIANT");
    if (status == IB_OK) print_error("%s, %s: was not refused\n", file, variant ? variant : "");
    assert_int_equal(status, IB_BAD_INPUT);
    assert_says(rig.error.text, part);
    close_rig(&rig);
}

// Goal: what is no plug-in is refused by name. Method: no file, a folder, a device, a text, an
// empty file, an object without the symbol, one that crashes while it is loaded.
static void what_is_no_plugin_is_refused(void **state)
{
    (void)state;
    char text[] = "/tmp/ironbird_plugin_XXXXXX", relative[1200];
    assert_refused("none.so", NULL, 0, "No such file or directory: expected a shared object");
    assert_refused(".", NULL, 0, "is a folder: expected a shared object");
    assert_refused("../../../../../../../../../dev/null", NULL, 0, "no regular file");
    int file = mkstemp(text);
    assert_true(file >= 0);
    // From the plug-ins' folder up to the root: enough steps for any machine.
    snprintf(relative, sizeof relative, "../../../../../../../../../../../../../../..%s", text);
    assert_refused(relative, NULL, 0, "cannot be loaded: expected a shared object");
    assert_int_equal(write(file, "not an ELF file, but long enough to be one of them ...", 54), 54);
    assert_refused(relative, NULL, 0, "cannot be loaded: expected a shared object");
    close(file);
    unlink(text);
    assert_refused("nameless.so", NULL, 0, "has no function 'ironbird_plugin_2': expected one");
}

// Goal: every wrong description is refused, in words that say what was expected. Method: one
// plug-in that spoils one field at a time.
static void a_wrong_description_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *part;
    } cases[] = {
        {"null", "returned NULL: expected an ironbird_plugin_v1"},
        {"wild", "crashed while its description was read"},
        {"crash", "crashed in ironbird_plugin(): a segmentation fault"},
        {"hang", "did not return within 0.5 s in ironbird_plugin()"},
        {"abi", "abi is 2: expected 1 (IRONBIRD_PLUGIN_ABI of"},
        {"size", "(sizeof(ironbird_plugin_v1))"},
        {"null init", "init is NULL: expected a function"},
        {"null step", "step is NULL: expected a function"},
        {"null name", "name is NULL: expected text"},
        {"long name", "name has more than 63 letters"},
        {"wild name", "crashed while its description was read"},
        {"negative count", "command_count is -1: expected 0 to 256"},
        {"many states", "state_count is 2000000000: expected 0 to 4096"},
        {"many outputs", "output_count is 65: expected 0 to 64"},
        {"no outputs", "output_count is 0: expected at least one"},
        {"null outputs", "output_count is 2 and outputs is NULL"},
        {"null output", "outputs[1] has no name"},
        {"upper case", "outputs[1] has the name 'Right': expected lower-case"},
        {"empty output", "outputs[1] has the name ''"},
        {"outputs twice", "outputs has 'left' twice"},
        {"measurements twice", "measurements has 'sensor.gyro' twice"},
        {"commands twice", "commands has 'goal.speed' twice"},
        {"command in command", "commands has 'goal' twice"},
        {"command hold", "the command 'hold' has the name of a key of `inputs:`"},
        {"dots", "commands[0] has the name 'goal..speed'"},
        {"unit null", "the command 'goal.speed' has no unit"},
        {"unit rpm", "has the unit 'rpm', which is not of SI"},
        {"unit unknown", "has the unit 'bananas'"},
        {"long sentence", "a sentence of more than 255 letters"},
        {"range", "has the range 2 to 1 with neutral 0"},
        {"range nan", "expected finite numbers"},
        {"range infinite", "expected finite numbers"},
        {"signals twice", "signals has 'a' twice"},
        {"signal state", "the signal 'b' shows state 2: expected 0 to 1"},
        {"signal wild", "crashed while its description was read"},
        {"period nan", "expected seconds"},
        {"period negative", "period is -0.01"},
        {"period none", "expected `period:` beside `plugin:`"},
        {"period long", "expected 1 us to 10 s"},
        {"period part", "expected a whole number of nanoseconds"},
        {"init error", "its init returned 3: expected 0"},
        {"init nan", "its init left state 1 as no finite number"},
        {"init beyond", "its init wrote outside of its state: expected 2 numbers"},
        {"init crash", "its init crashed: a segmentation fault"},
        {"init hang", "its init did not return within 0.5 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (SPINNERS_HEAR || !strstr(cases[i].variant, "hang"))
            assert_refused("misdescribed.so", cases[i].variant, 0, cases[i].part);
}

// Goal: the same of version 2, whose init is told of its robot. Method: as above.
static void a_wrong_description_of_version_2_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *variant, *part;
    } cases[] = {
        {"null", "ironbird_plugin_2() returned NULL: expected an ironbird_plugin_v2"},
        {"abi", "abi is 1: expected 2 (IRONBIRD_PLUGIN_ABI_2 of"},
        {"size", "(sizeof(ironbird_plugin_v2))"},
        {"null init", "init is NULL: expected a function"},
        {"null step", "step is NULL: expected a function"},
        {"init beyond", "its init wrote outside of its state"},
        {"init wild", "its init crashed: a segmentation fault"},
        {"init wild text", "its init crashed: a segmentation fault"},
        {"init mute", "its init said: nothing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused("misdescribed_2.so", cases[i].variant, 0, cases[i].part);
}

// Goal: the period comes from the plug-in or from the scenario, and never from both. Method: each
// way; 10 ms are 10^7 ns.
static void the_period_has_one_source(void **state)
{
    (void)state;
    Rig rig;
    assert_refused("misdescribed.so", NULL, 0.02, "a period of 0.01 s, the scenario says 0.02 s");
    assert_int_equal(open_as(&rig, "misdescribed.so", 0.01, patient), IB_OK);
    assert_int_equal(rig.controller->period, 10000000);
    close_rig(&rig);
    setenv("IB_TEST_VARIANT", "period none", 1);
    assert_int_equal(open_as(&rig, "misdescribed.so", 0.005, patient), IB_OK);
    unsetenv("IB_TEST_VARIANT");
    assert_int_equal(rig.controller->period, 5000000);
    close_rig(&rig);
}

// ---------------------------------------------------------------------------------------- mischief

typedef struct Loop {
    ib_Time time;
    double state[2], measurement[1], command[1], output[2]; ///< output NAN: it gave none
    ib_ControlStatus status;
} Loop;

static void step_loop(const Rig *rig, Loop *loop, int mischief)
{
    loop->command[0] = mischief;
    const ib_Controller *c = rig->controller;
    ib_ControlTick tick = {loop->time, loop->command, loop->measurement};
    loop->status = c->kind->step(c->model, &tick, loop->state, loop->output);
    for (int i = 0; loop->status == IB_CONTROL_FAILED && i < 2; i++) loop->output[i] = NAN;
    loop->time += rig->controller->period;
}

// The plug-in of a test: of version 1 or 2 of the interface.
static const char *mischief_file = "mischief.so";

static void start_loop(Rig *rig, Loop *loop, ib_PluginConfig config)
{
    if (open_as(rig, mischief_file, 0, config) != IB_OK) fail_msg("%s", rig->error.text);
    *loop = (Loop){.measurement = {0.25}};
    rig->controller->kind->reset(rig->controller->model, loop->state);
    assert_close(loop->state[0], 100, 0); // as its init says
}

static ib_PluginConfig config_for(int mischief)
{
    bool hangs = mischief == SPINS || mischief == SLEEPS || mischief == ALLOCATES;
    return hangs ? hasty : mischief == LATE ? prompt : patient;
}

// Three good steps, two bad ones, a good one: the trouble is told once, with its first time (30 ms
// of 10 ms each) and its number, and afterwards the plug-in goes on, or never again.
static void assert_trouble(int mischief, bool keeps_state, bool gone, const char *part)
{
    Rig rig;
    Loop loop;
    char text[512];
    ib_Time time;
    start_loop(&rig, &loop, config_for(mischief));
    for (int i = 0; i < 3; i++) step_loop(&rig, &loop, BEHAVES);
    assert_false(ib_plugin_trouble(&rig.loader, 0, &time, text, sizeof text));
    assert_close(loop.output[0], 2, 0);
    for (int i = 0; i < 2; i++) {
        step_loop(&rig, &loop, mischief);
        assert_true(isnan(loop.output[0]) && isnan(loop.output[1])); // neutral, for the simulation
    }
    assert_close(loop.state[0], keeps_state ? 103 : 105, 0);
    assert_true(ib_plugin_trouble(&rig.loader, 0, &time, text, sizeof text));
    assert_says(text, "the plug-in 'mischief': at 0.03 s ");
    assert_says(text, part);
    assert_says(text, gone ? "not called again" : "(2 periods in all)");
    assert_int_equal(time, 30000000);
    assert_false(ib_plugin_trouble(&rig.loader, 1, &time, text, sizeof text));
    step_loop(&rig, &loop, BEHAVES);
    assert_true(gone ? isnan(loop.output[0]) : loop.output[0] == 2);
    close_rig(&rig);
}

// Goal: a wrong number is named, makes the outputs neutral for its period and spoils no state.
static void wrong_numbers_are_named_and_neutral(void **state)
{
    (void)state;
    assert_trouble(RETURNS_ERROR, false, false, "its step returned -7");
    assert_trouble(NAN_OUTPUT, false, false, "output 'right' was not a finite number");
    assert_trouble(INF_OUTPUT, false, false, "output 'left' was not a finite number");
    assert_trouble(FORGETS, false, false, "output 'left' was not a finite number");
    assert_trouble(NAN_STATE, true, false, "state 1 was not a finite number");
}

// Goal: writing outside of its arrays is named and reaches nothing else. Method: one word on each
// side, and a loop of 5000.
static void writing_outside_is_named(void **state)
{
    (void)state;
    assert_trouble(BEYOND_OUTPUTS, true, false, "it wrote beyond its outputs");
    assert_trouble(FAR_BEYOND_OUTPUTS, true, false, "it wrote beyond its outputs");
    assert_trouble(BEFORE_OUTPUTS, true, false, "it wrote in front of its outputs");
    assert_trouble(BEYOND_STATE, true, false, "it wrote beyond its state");
    assert_trouble(BEFORE_STATE, true, false, "it wrote in front of its state");
    assert_trouble(BEYOND_MEASUREMENTS, true, false, "it wrote beyond its measurements");
    assert_trouble(BEYOND_COMMANDS, true, false, "it wrote beyond its commands");
}

// Goal: a late step is neutral, one that never returns is left, also out of a system call or out of
// malloc, whose lock is free afterwards.
static void late_and_hung_steps_end(void **state)
{
    (void)state;
    assert_trouble(LATE, false, false, "expected at most 250 ms");
    if (SPINNERS_HEAR) assert_trouble(SPINS, true, true, "it did not return within 0.5 s");
    assert_trouble(SLEEPS, true, true, "it did not return within 0.5 s");
#ifdef IB_SANITIZED
    // The sanitizer's malloc is so slow that the loop is hardly ever found in its own code.
    print_message("skipped under a sanitizer: a loop of malloc and free\n");
#else
    assert_trouble(ALLOCATES, true, true, "it did not return within 0.5 s");
#endif
    void *volatile block = malloc(100000);
    assert_non_null(block);
    free(block);
}

// Goal: a crash ends the plug-in, not the program, endless recursion among them.
static void crashes_end_the_plugin_only(void **state)
{
    (void)state;
    assert_trouble(SEGFAULT, true, true, "it crashed, a segmentation fault (SIGSEGV)");
    assert_trouble(DIVIDES, true, true, "(SIGFPE)");
    assert_trouble(ABORTS, true, true, "(SIGABRT)");
    assert_trouble(RECURSES, true, true, "(SIGSEGV)");
    assert_trouble(TRAPS, true, true, "a trap (SIGTRAP)");
    assert_trouble(CALLS_WRONGLY, true, true, "a forbidden system call (SIGSYS)");
}

// Goal: a plug-in of version 2 may get wrong what one of version 1 may, with the same words, down
// to the time and the number of periods. Method: one mischief of each kind.
static void version_2_is_guarded_alike(void **state)
{
    mischief_file = "mischief_2.so";
    wrong_numbers_are_named_and_neutral(state);
    writing_outside_is_named(state);
    assert_trouble(SEGFAULT, true, true, "it crashed, a segmentation fault (SIGSEGV)");
    assert_trouble(RECURSES, true, true, "(SIGSEGV)");
    if (SPINNERS_HEAR) assert_trouble(SPINS, true, true, "it did not return within 0.5 s");
    assert_trouble(LATE, false, false, "expected at most 250 ms");
    mischief_file = "mischief.so";
}

// Goal: a write to a pipe that nobody reads fails, and ends nothing. Method: the plug-in returns an
// error if it did not fail with EPIPE.
static void a_broken_pipe_is_an_error_only(void **state)
{
    (void)state;
    Rig rig;
    Loop loop;
    start_loop(&rig, &loop, patient);
    step_loop(&rig, &loop, BREAKS_PIPE);
    assert_close(loop.output[0], 2, 0);
    close_rig(&rig);
}

// Goal: a plug-in that is gone stays so in the next run, from the state that its init gave.
static void a_gone_plugin_stays_away(void **state)
{
    (void)state;
    Rig rig;
    Loop loop;
    start_loop(&rig, &loop, patient);
    step_loop(&rig, &loop, BEHAVES);
    step_loop(&rig, &loop, SEGFAULT);
    rig.controller->kind->reset(rig.controller->model, loop.state);
    assert_close(loop.state[0], 100, 0);
    step_loop(&rig, &loop, BEHAVES);
    assert_true(isnan(loop.output[0]));
    close_rig(&rig);
}

// Goal: the floating-point environment is the simulation's again after a step. Method: one that
// turns all rounding upwards.
static void rounding_is_given_back(void **state)
{
    (void)state;
    Rig rig;
    Loop loop;
    start_loop(&rig, &loop, patient);
    step_loop(&rig, &loop, ROUNDS_UP);
    assert_int_equal(fegetround(), FE_TONEAREST);
    close_rig(&rig);
}

// Goal: a crash or a broken pipe of the program itself is not swallowed, and exit() or
// pthread_exit() inside of a plug-in is no success, and does not last for ever. Method: children
// that do it; 3 is the exit code of a failed run.
static void the_programs_own_end_is_kept(void **state)
{
    (void)state;
    Rig rig;
    Loop loop;
    static const int exits[] = {EXITS, ENDS_THREAD}, signals[] = {SIGSEGV, SIGTRAP, SIGPIPE};
    enum { EXIT_COUNT = 2, COUNT = 5 };
    int status, quiet = open("/dev/null", O_WRONLY);
    signal(SIGSEGV, SIG_DFL); // cmocka's own handler would go on with the tests in the child
    start_loop(&rig, &loop, patient);
    for (int i = 0; i < COUNT; i++) {
        int number = i < EXIT_COUNT ? 0 : signals[i - EXIT_COUNT];
        pid_t child = fork();
        if (child == 0) {
            dup2(quiet, STDERR_FILENO);
            alarm(60); // one that stands still is ended
            if (i < EXIT_COUNT) step_loop(&rig, &loop, exits[i]);
            if (number) kill(getpid(), number);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!number) assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
        if (number) assert_true(WIFSIGNALED(status) && WTERMSIG(status) == number);
    }
    close(quiet);
    close_rig(&rig);
}

// ----------------------------------------------------------------------------------------- threads

enum { THREADS = 4 };

static void *crash_and_spin(void *context)
{
    const Rig *rig = context;
    Loop loop = {.measurement = {0.25}};
    Rig own;
    bool good = true;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    rig->controller->kind->reset(rig->controller->model, loop.state);
    for (int i = 0; i < 1000; i++) {
        step_loop(rig, &loop, BEHAVES);
        good &= loop.output[1] == 2 && loop.state[0] == 101 + i;
    }
    for (int i = 0; i < 20 && good; i++) {
        int mischief = i == 10 && SPINNERS_HEAR ? SPINS : i % 2 ? ABORTS : SEGFAULT;
        if (open_as(&own, "mischief.so", 0, config_for(mischief)) != IB_OK) return NULL;
        step_loop(&own, &loop, mischief);
        good = isnan(loop.output[0]) != 0;
        close_rig(&own);
    }
    return good ? context : NULL;
}

// Goal: many simulations at once do not meet. Method: threads that share a controller and crash
// others of their own; deaf to signals, as the thread of a live run is.
static void threads_do_not_meet(void **state)
{
    (void)state;
    Rig rig;
    Loop loop;
    pthread_t threads[THREADS];
    start_loop(&rig, &loop, patient);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, crash_and_spin, &rig), 0);
    for (int i = 0; i < THREADS; i++) {
        void *good;
        pthread_join(threads[i], &good);
        assert_non_null(good);
    }
    close_rig(&rig);
}

// --------------------------------------------------------------------------------------- scenarios

static ib_Scenario *read_scenario(const char *text, const ib_PluginInterface *plugins,
                                  ib_Arena *arena, char *mistake)
{
    ib_Diagnostics diagnostics = {.arena = arena};
    ib_ScenarioOptions options = {.plugins = plugins};
    ib_Scenario *scenario =
        ib_scenario_read_text(IB_PLUGIN_DIR "/t.yaml", text, strlen(text), &options, &diagnostics);
    mistake[0] = '\0';
    if (diagnostics.count > 0) snprintf(mistake, 1024, "%s", diagnostics.items[0].text);
    return scenario;
}

static const char roomba[] = "robot: {kind: roomba, sensors: {gyro: {kind: gyro, period: 10 ms}}}\n"
                             "run: {duration: 1 s}\n";

// Goal: a scenario is refused that does not fit its plug-in, or that nobody allowed.
// Method: one mistake each.
static void what_does_not_fit_the_robot_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *control, *part;
        bool allowed;
    } cases[] = {
        {"control: {plugin: mischief.so}\n", "expected the option --allow-plugins", false},
        {"control: {plugin: mischief.so, period: 20 ms}\n", "the scenario says 0.02 s", true},
        {"control: {plugin: misdescribed.so}\n", "reads 'sensor.left', which is neither", true},
        {"control: {plugin: mischief.so}\ninputs: {mischif: 1}\n", "did you mean 'mischief'", true},
        {"control: {plugin: mischief.so}\ninputs: {left: 1 N}\n", "left", true},
        {"control: {plugin: none.so}\n", "expected a shared object", true},
        {"control: {plugin: stand.so}\n", "its init said: it needs a robot on four legs", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_PluginLoader loader;
        ib_Arena arena = {0};
        char text[1000], mistake[1024];
        ib_plugin_loader_init(&loader, ib_plugin_default());
        snprintf(text, sizeof text, "%s%s", roomba, cases[i].control);
        assert_null(
            read_scenario(text, cases[i].allowed ? &loader.interface : NULL, &arena, mistake));
        assert_says(mistake, cases[i].part);
        ib_arena_reset(&arena);
        ib_plugin_loader_destroy(&loader);
    }
}

// Reads a Roomba with the plug-in that asks for numbers; NULL: `mistake`.
static ib_Scenario *read_curious(const char *asks, const char *rest, ib_PluginLoader *loader,
                                 ib_Arena *arena, char *mistake)
{
    char text[1000];
    snprintf(text, sizeof text,
             "robot: {kind: roomba, mass: 3 kg}\nstart: {x: 0.25 m}\nrun: {duration: 1 s}\n"
             "control: {plugin: curious.so, period: 4 ms}\n%s",
             rest);
    ib_plugin_loader_init(loader, patient);
    setenv("IB_TEST_ASKS", asks, 1);
    ib_Scenario *scenario = read_scenario(text, &loader->interface, arena, mistake);
    return scenario;
}

// Goal: init that asks for a number which the robot does not have, or refuses in words of its own,
// is refused before the run, and the nearest name is told. Method: one mistake each.
static void an_init_that_asks_in_vain_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *asks, *rest, *part;
    } cases[] = {
        {"mass bananas", "",
         "its init asks for 'bananas', which the robot does not have: expected"},
        {"mas", "", "its init asks for 'mas', which the robot does not have; did you mean 'mass'?"},
        {"gravity", "", "did you mean 'field.gravity'?"},
        {"input.left.hihg", "", "did you mean 'input.left.high'?"},
        {"null", "", "its init asks for 'null'"},
        {"legs.count", "", "its init asks for 'legs.count'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_PluginLoader loader;
        ib_Arena arena = {0};
        char mistake[1024];
        assert_null(read_curious(cases[i].asks, cases[i].rest, &loader, &arena, mistake));
        assert_says(mistake, cases[i].part);
        ib_arena_reset(&arena);
        ib_plugin_loader_destroy(&loader);
    }
    unsetenv("IB_TEST_ASKS");
}

typedef struct Run {
    ib_PluginLoader loader;
    ib_Arena arena;
    ib_Scenario *scenario;
    ib_Sim *sim;
} Run;

static void start_run(Run *run, const char *text)
{
    char mistake[1024];
    ib_Error error;
    memset(run, 0, sizeof *run);
    ib_plugin_loader_init(&run->loader, patient);
    run->scenario = read_scenario(text, &run->loader.interface, &run->arena, mistake);
    if (!run->scenario) fail_msg("%s", mistake);
    if (ib_sim_create(run->scenario->model, &run->sim, &error) != IB_OK) fail_msg("%s", error.text);
}

static void end_run(Run *run)
{
    ib_sim_destroy(run->sim);
    ib_scenario_destroy(run->scenario);
    ib_arena_reset(&run->arena);
    ib_plugin_loader_destroy(&run->loader);
}

static double signal_now(Run *run, const char *name)
{
    double values[256];
    int signal = ib_signals_find(&run->scenario->model->signals, name);
    assert_true(signal >= 0 && run->scenario->model->signals.count <= 256);
    ib_sim_sample(run->sim, values);
    return values[signal];
}

static void advance(Run *run, double until)
{
    ib_Error error;
    if (ib_sim_advance(run->sim, ib_time_from_seconds(until), &error) != IB_OK)
        fail_msg("%s", error.text);
}

// Goal: a run goes on when its plug-in crashes, with neutral inputs. Method: a Roomba driven by 2 N
// a side until 0.5 s; its drag then only slows it down.
static void the_run_goes_on_without_the_plugin(void **state)
{
    (void)state;
    Run run;
    char text[1000], trouble[512];
    ib_Time time;
    snprintf(text, sizeof text,
             "%scontrol: {plugin: mischief.so}\ninputs: {mischief: [[0 s, 0], [0.5 s, %d]]}\n",
             roomba, SEGFAULT);
    start_run(&run, text);
    advance(&run, 0.5);
    double fast = signal_now(&run, "velocity.forward");
    assert_close(signal_now(&run, "control.steps"), 150, 0); // at 0 s, 0.01 s, …, 0.49 s
    assert_true(fast > 0.1);
    advance(&run, 1);
    assert_close(ib_time_to_seconds(ib_sim_time(run.sim)), 1, 0);
    assert_true(signal_now(&run, "velocity.forward") < fast);
    assert_true(ib_plugin_trouble(&run.loader, 0, &time, trouble, sizeof trouble));
    assert_int_equal(time, IB_SECOND / 2);
    end_run(&run);
}

static void start_curious(Run *run, const char *asks, const char *rest)
{
    char mistake[1024];
    ib_Error error;
    memset(run, 0, sizeof *run);
    run->scenario = read_curious(asks, rest, &run->loader, &run->arena, mistake);
    if (!run->scenario) fail_msg("%s", mistake);
    if (ib_sim_create(run->scenario->model, &run->sim, &error) != IB_OK) fail_msg("%s", error.text);
    unsetenv("IB_TEST_ASKS");
}

// Goal: a plug-in is told of its robot by name, in SI, of the time and its period, and of its
// commands at t = 0. Method: the numbers of the file, and standard gravity.
static void a_plugin_is_told_of_its_robot(void **state)
{
    (void)state;
    Run run;
    start_curious(&run, "mass start.x input.left.neutral field.gravity",
                  "inputs: {goal: [[0 s, 7], [0.5 s, 8]]}\n");
    setenv("IB_TEST_ASKS", "mass start.x input.left.neutral field.gravity", 1);
    ib_sim_reset(run.sim);
    advance(&run, 0.9);
    assert_close(signal_now(&run, "control.known"), 4, 0);
    assert_close(signal_now(&run, "control.a"), 3, 0);
    assert_close(signal_now(&run, "control.b"), 0.25, 0);
    assert_close(signal_now(&run, "control.c"), 0, 0);
    assert_close(signal_now(&run, "control.d"), 9.80665, 0);
    assert_close(signal_now(&run, "control.goal"), 7, 0);
    // Steps at 0, 4, … 896 ms; that at 900 ms is still to come.
    assert_close(signal_now(&run, "control.nanoseconds"), 896e6, 0);
    assert_close(signal_now(&run, "control.time"), 0.896, 1e-15);
    assert_close(signal_now(&run, "control.period"), 0, 0);
    unsetenv("IB_TEST_ASKS");
    end_run(&run);
}

// Goal: what init says of the commands of a run is told at its end, once, on one line, and the
// state from the opening is used. Method: a goal that it refuses; the neutral one is 1.
static void what_init_says_later_is_told(void **state)
{
    (void)state;
    Run run;
    char trouble[512];
    ib_Time time;
    start_curious(&run, "", "inputs: {goal: 13}\n");
    advance(&run, 0.1);
    assert_close(signal_now(&run, "control.goal"), 1, 0);
    assert_true(ib_plugin_trouble(&run.loader, 0, &time, trouble, sizeof trouble));
    assert_says(trouble, "at 0 s its init said: 13 brings bad luck; the state that it gave first");
    end_run(&run);
}

// Goal: the example that is told of legs by name holds the quadruped in its start pose.
// Method: half a second; its body starts 326.6 mm high, and contacts and seals give way by less
// than 4 mm, as for `legs`. Each of four feet carries (8 kg + 4 * 0.665916195 kg) * 9.8 m/s^2/4.
static void the_example_stands(void **state)
{
    (void)state;
    Run run;
    start_run(&run, "robot: {kind: quadruped, preset: light-quadruped}\n"
                    "control: {plugin: stand.so}\nrun: {duration: 0.5 s, step: 1 ms}\n");
    advance(&run, 0.5);
    assert_close(signal_now(&run, "control.weight"), 26.12589, 1e-4);
    assert_close(signal_now(&run, "pose.z"), 0.3266, 0.004);
    assert_close(signal_now(&run, "pose.pitch"), 0, 0.004);
    end_run(&run);
}

// Goal: a plug-in that behaves gives the same bits in every run, and after a restore. Method: the
// example's heading hold; twice, and once more from the state of the middle.
static void a_plugin_is_restored_with_the_run(void **state)
{
    (void)state;
    static const char text[] =
        "robot:\n  file: " IB_SOURCE_DIR "/robots/kitbot.yaml\n"
        "  sensors: {gyro: {kind: gyro, noise_density: 0.02 deg/s, period: 5 ms}}\n"
        "control: {plugin: heading_hold.so}\n"
        "inputs: {speed: 6 V, heading: [[0 s, 0 deg], [0.3 s, 30 deg]]}\n"
        "run: {duration: 2 s, seed: 4}\n";
    Run first, second;
    double middle[1024];
    ib_Time time;
    char trouble[512];
    start_run(&first, text);
    start_run(&second, text);
    size_t count = (size_t)first.scenario->model->state_count;
    assert_true(count <= 1024);
    advance(&first, 1.1);
    memcpy(middle, ib_sim_state(first.sim), count * sizeof *middle);
    ib_Time at = ib_sim_time(first.sim);
    int64_t steps = ib_sim_steps(first.sim);
    advance(&first, 2);
    advance(&second, 2);
    assert_true(ib_sim_hash(first.sim) == ib_sim_hash(second.sim));
    ib_sim_restore(second.sim, at, steps, middle);
    assert_true(ib_sim_hash(first.sim) != ib_sim_hash(second.sim));
    advance(&second, 2);
    assert_true(ib_sim_hash(first.sim) == ib_sim_hash(second.sim));
    // 30 degrees; 1 V at 20 V/rad, 0.05 rad, is what the wheels' scrub may hold back.
    assert_close(signal_now(&first, "control.heading"), 0.5236, 0.05);
    assert_close(signal_now(&first, "pose.heading"), 0.5236, 0.05);
    assert_false(ib_plugin_trouble(&first.loader, 0, &time, trouble, sizeof trouble));
    end_run(&first);
    end_run(&second);
}

// Goal: a crash while a plug-in is loaded refuses it, and all others from then on, since the
// system's loader is left locked. Method: the last test, therefore.
static void a_crash_at_load_ends_all_loading(void **state)
{
    (void)state;
    assert_refused("crash_at_load.so", NULL, 0, "crashed while it was loaded: a segmentation");
    assert_refused("heading_hold.so", NULL, 0, "no plug-in can be loaded any more");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_plugin_is_refused),
        cmocka_unit_test(a_wrong_description_is_refused),
        cmocka_unit_test(a_wrong_description_of_version_2_is_refused),
        cmocka_unit_test(the_period_has_one_source),
        cmocka_unit_test(wrong_numbers_are_named_and_neutral),
        cmocka_unit_test(writing_outside_is_named),
        cmocka_unit_test(late_and_hung_steps_end),
        cmocka_unit_test(crashes_end_the_plugin_only),
        cmocka_unit_test(version_2_is_guarded_alike),
        cmocka_unit_test(a_broken_pipe_is_an_error_only),
        cmocka_unit_test(a_gone_plugin_stays_away),
        cmocka_unit_test(rounding_is_given_back),
        cmocka_unit_test(the_programs_own_end_is_kept),
        cmocka_unit_test(threads_do_not_meet),
        cmocka_unit_test(what_does_not_fit_the_robot_is_refused),
        cmocka_unit_test(the_run_goes_on_without_the_plugin),
        cmocka_unit_test(a_plugin_is_restored_with_the_run),
        cmocka_unit_test(an_init_that_asks_in_vain_is_refused),
        cmocka_unit_test(a_plugin_is_told_of_its_robot),
        cmocka_unit_test(what_init_says_later_is_told),
        cmocka_unit_test(the_example_stands),
        cmocka_unit_test(a_crash_at_load_ends_all_loading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
