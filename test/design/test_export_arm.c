// Tests of an exported follower of an arm: compiled by the machine's own compiler, it gives what
// the simulation's gives.
#include "control/arm_follow_rig.h"
#include "design/export/export_arm.h"
#include "folder.h"

static ib_Error error;
static ArmRig rig;

static const char *const names[] = {"out", "back", "aside", "round"};

// A follower of three ways; one of them longer than the others, with limits of 12 V, so that the
// pace has to give way to noise and load.
static void make(void)
{
    arm_rig_init(&rig, 12);
    int away = arm_rig_goal(&rig, "away", 1.6, -0.6);
    arm_rig_straight(&rig, 0, 1);
    arm_rig_straight(&rig, 1, 0);
    arm_rig_straight(&rig, 1, away);
    arm_rig_start(&rig, 0.3, -0.5);
}

#define WARNINGS "-std=c99 -O2 -Wall -Wextra -pedantic -Werror -Wshadow -Wconversion "

// Goal: the exported follower compiles without a warning as C99, needs no heap, and gives volts and
// estimates of the simulation's to 1e-9. Method: its own test replays recorded runs with noise and
// a load, in which the pace has to slow; cc, and clang where there is one. libm's sine differs from
// the house's in the last bit; a filter forgets that.
static void an_exported_follower_is_the_simulations(void **unused)
{
    (void)unused;
    make();
    ib_ExportArmOptions options = {"reach", names};
    ib_Status status = ib_export_arm(&rig.follower, &options, folder, &error);
    if (status != IB_OK) fail_msg("%s", error.text);
    assert_int_equal(
        shell("cc " WARNINGS "reach.c reach_test.c -lm -o reach && ./reach | grep '4 runs agree'"),
        0);
    if (system("command -v clang > /dev/null") == 0)
        assert_int_equal(shell("clang " WARNINGS "reach.c reach_test.c -lm -o reach && ./reach"),
                         0);
    assert_int_equal(shell("! grep -n 'malloc\\|calloc\\|static double [a-z]*\\[' reach.c"), 0);
    // It is C++, too.
    assert_int_equal(
        shell("c++ -x c++ -Wall -Wextra -Werror reach.c reach_test.c -o plus && ./plus"), 0);
    arm_rig_close(&rig);
}

// Goal: what a board asks for by mistake does nothing. Method: a goal that there is none of, whose
// step gives 0 V; ways that there are none of, one that begins elsewhere, and one while the arm is
// on another: all are refused with -1; a run under a sanitizer finds nothing.
static void mistakes_of_a_board_are_refused(void **unused)
{
    (void)unused;
    static const char main_[] =
        "#include \"reach.h\"\n"
        "int main(void)\n{\n    reach_state s;\n    double y[2] = {0.3, -0.5}, u[2] = {1, 1};\n"
        "    if (reach_init(&s, 77) != -1 || reach_init(&s, -1) != -1) return 1;\n"
        "    if (reach_go(&s, 0) != -1) return 2;\n    reach_step(&s, y, u);\n"
        "    if (u[0] != 0 || u[1] != 0) return 3;\n    if (reach_init(&s, FROM) != 0) return 4;\n"
        "    if (reach_go(&s, 99) != -1 || reach_go(&s, -1) != -1) return 5;\n"
        "    if (reach_go(&s, OTHER) != -1) return 6;\n    reach_step(&s, y, u);\n"
        "    if (reach_go(&s, 0) != 0) return 7;\n    reach_step(&s, y, u);\n"
        "    if (reach_go(&s, 0) != -1 || reach_done(&s)) return 8;\n    return 0;\n}\n";
    make();
    ib_ExportArmOptions options = {"reach", names};
    assert_int_equal(ib_export_arm(&rig.follower, &options, folder, &error), IB_OK);
    int from = rig.plan.tracks[0].from, other = 1;
    while (other < rig.plan.track_count && rig.plan.tracks[other].from == from) other++;
    assert_true(other < rig.plan.track_count);
    char path[500], command[500];
    snprintf(path, sizeof path, "%s/main.c", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(main_, file);
    fclose(file);
    snprintf(command, sizeof command,
             "cc -std=c99 -fsanitize=address,undefined -fno-sanitize-recover=all -DFROM=%d "
             "-DOTHER=%d reach.c main.c -lm -o main && ./main",
             from, other);
    assert_int_equal(shell(command), 0);
    arm_rig_close(&rig);
}

// Goal: the replay can fail. Method: the noise that the filter counts on is changed by a hundredth,
// a speed of the dynamics is taken for the other one, a battery that is low is not heeded: all must
// be told.
static void a_replay_tells_a_difference(void **unused)
{
    (void)unused;
    make();
    ib_ExportArmOptions options = {"reach", names};
    assert_int_equal(ib_export_arm(&rig.follower, &options, folder, &error), IB_OK);
    assert_int_equal(shell("sed 's/R\\[2\\] = {1e-06/R[2] = {1.01e-06/' reach.c > other.c && "
                           "! cmp -s reach.c other.c && cc -std=c99 other.c reach_test.c -lm -o "
                           "other && ! ./other"),
                     0);
    assert_int_equal(shell("sed 's/at.s \\* x\\[3\\] \\* x\\[3\\]/at.s * x[1] * x[3]/' reach.c > "
                           "other.c && ! cmp -s reach.c other.c && cc -std=c99 other.c "
                           "reach_test.c -lm -o other && ! ./other"),
                     0);
    assert_int_equal(shell("sed 's/ceiling(s, most)/1/' reach.c > other.c && ! cmp -s reach.c "
                           "other.c && cc -std=c99 other.c reach_test.c -lm -o other && ! ./other"),
                     0);
    arm_rig_close(&rig);
}

// Goal: what cannot be exported is refused. Method: a plan without ways, a name that is too long, a
// folder that is not there.
static void exports_without_sense_are_refused(void **unused)
{
    (void)unused;
    make();
    ib_ExportArmOptions options = {"reach", names};
    assert_int_equal(ib_export_arm(&rig.follower, &options, "/nowhere/at/all", &error), IB_FAILED);
    options.name = "a_name_that_is_a_good_deal_longer_than_any_board_likes";
    assert_int_equal(ib_export_arm(&rig.follower, &options, folder, &error), IB_BAD_INPUT);
    rig.plan.track_count = 0;
    options.name = "reach";
    assert_int_equal(ib_export_arm(&rig.follower, &options, folder, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "the plan has no way"));
    arm_rig_close(&rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_exported_follower_is_the_simulations, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(mistakes_of_a_board_are_refused, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_replay_tells_a_difference, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(exports_without_sense_are_refused, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
