// Tests of the live runner under load: many steps at a time,
// and a recording that cannot be written.
#include "view/live_rig.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Steps so short that a hundred thousand of them take some tenths of a second of wall time.
static const char slow_tank[] = "robot: {kind: tank}\n"
                                "inputs: {source: viewer}\n"
                                "run: {duration: 60 s, step: 0.1 us}\n";

enum { WISHES = 150, STEPS = 100000 };

static void ask_for_many_steps(LiveRig *rig)
{
    for (int i = 0; i < WISHES; i++) rig_order(rig, IB_COMMAND_STEP, STEPS);
    rig_until(rig, rig->time > 0);
}

// Tells the speed, which is heard after everything that was told before.
static void await_hearing(LiveRig *rig, double speed)
{
    rig_order(rig, IB_COMMAND_SPEED, speed);
    rig_until(rig, rig->status.speed == speed);
}

// Goal: however many steps are asked for, the runner listens, and ends when it is told to. Method:
// 15 million steps, tens of seconds of them; a command, a pause, a few steps more, and the stop,
// each long before the steps are done.
static void many_steps_do_not_keep_it_from_listening(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig, slow_tank, (ib_LiveOptions){.speed = 1, .paused = true});
    ask_for_many_steps(&rig);
    await_hearing(&rig, 7);
    assert_true(rig.status.steps < (int64_t)WISHES * STEPS / 2);
    assert_int_equal(rig.status.state, IB_FEED_PAUSED);

    rig_order(&rig, IB_COMMAND_PAUSE, 0);
    await_hearing(&rig, 8);
    int64_t steps = rig.status.steps;
    assert_true(steps > 0 && steps < (int64_t)WISHES * STEPS / 2);
    rig_order(&rig, IB_COMMAND_STEP, 3);
    rig_until(&rig, rig.status.steps >= steps + 3);
    rig_wait(&rig, 0.05);
    assert_int_equal(rig.status.steps, steps + 3); // nothing was left of the others

    ask_for_many_steps(&rig);
    ib_live_stop(rig.live);
    rig_take(&rig);
    assert_true(rig.status.steps - steps < (int64_t)WISHES * STEPS / 2);
    rig_stop(&rig);
}

// Goal: a reset ends the steps that were asked for before it. Method: the same steps, a reset; the
// new run stands at its start.
static void a_reset_ends_the_steps_asked_for(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig, slow_tank, (ib_LiveOptions){.speed = 1, .paused = true});
    ask_for_many_steps(&rig);
    rig_order(&rig, IB_COMMAND_RESET, 0);
    rig_until(&rig, rig.run == 2);
    rig_wait(&rig, 0.05);
    assert_close(rig.time, 0, 0);
    rig_stop(&rig);
}

// Goal: who falls silent while many steps are made lets go as ever. Method: one word, then steps
// for longer than the test; the note about it comes long before they are done.
static void silence_counts_while_steps_are_made(void **state)
{
    (void)state;
    LiveRig rig;
    rig_start(&rig, slow_tank, (ib_LiveOptions){.speed = 1, .paused = true});
    rig_drive(&rig, 1, 0, "left", 6);
    ask_for_many_steps(&rig);
    rig_until(&rig, rig_event(&rig, IB_EVENT_NOTE, "no input for 100 ms, controls set to neutral"));
    assert_true(rig.status.steps < (int64_t)WISHES * STEPS / 2);
    rig_stop(&rig);
}

// Goal: a recording that fails is told while the run goes on, once, and is no longer shown as one;
// at the end the run's report names it.
// Method: a pipe whose reader goes away; the runner asks once a second.
static void a_recording_that_fails_is_told_at_once(void **state)
{
    (void)state;
    char folder[] = "/tmp/ib_live_XXXXXX", path[sizeof folder + 16];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/drive.wpilog", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);

    LiveRig rig;
    rig_start(
        &rig,
        "robot: {kind: roomba}\ninputs: {source: viewer}\nrun: {duration: 600 s, step: 1 ms}\n",
        (ib_LiveOptions){.speed = 1, .record = path});
    rig_until(&rig, rig.status.recording);
    close(reader);
    rig_until(&rig, rig_event(&rig, IB_EVENT_FAILURE, "recording: cannot write"));
    rig_until(&rig, !rig.status.recording);
    const ib_FeedEvent *event = rig_event(&rig, IB_EVENT_FAILURE, "recording: cannot write");
    assert_int_equal(event->level, IB_MODE_ERROR);
    assert_non_null(strstr(event->text, "drive.wpilog': Broken pipe"));
    assert_int_equal(rig.status.state, IB_FEED_RUNNING);
    rig_wait(&rig, 1.3);
    int told = 0;
    for (int i = 0; i < rig.event_count; i++) told += rig.events[i].kind == IB_EVENT_FAILURE;
    assert_int_equal(told, 1);

    ib_LiveOutcome outcome;
    ib_live_stop(rig.live);
    ib_live_outcome(rig.live, &outcome);
    assert_non_null(strstr(outcome.error.text, "drive.wpilog"));
    rig_stop(&rig);
    unlink(path);
    rmdir(folder);
}

// Counts the files of a folder, and takes them away.
static int clear_folder(const char *folder)
{
    int found = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (const struct dirent *entry; (entry = readdir(list));) {
        if (entry->d_name[0] == '.') continue;
        assert_int_equal(unlinkat(dirfd(list), entry->d_name, 0), 0);
        found++;
    }
    closedir(list);
    return found;
}

// Goal: one program leaves a bounded number of recordings; the runs after that are not recorded,
// say so, and run. Method: three resets more than there may be files.
static void recordings_have_an_end(void **state)
{
    (void)state;
    char folder[] = "/tmp/ib_live_XXXXXX", path[sizeof folder + 16];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/drive.wpilog", folder);
    LiveRig rig;
    rig_start(&rig, "robot: {kind: roomba}\ninputs: {source: viewer}\nrun: {duration: 600 s}\n",
              (ib_LiveOptions){.speed = 1, .record = path});
    for (uint32_t run = 2; run <= IB_LIVE_RECORDINGS + 3; run++) {
        rig.event_count = 0;
        rig_order(&rig, IB_COMMAND_RESET, 0);
        rig_until(&rig, rig.status.run == run);
        assert_true(rig.status.recording == (run <= IB_LIVE_RECORDINGS));
        if (run <= IB_LIVE_RECORDINGS) continue;
        rig_until(&rig, rig_event(&rig, IB_EVENT_FAILURE, "this run is not recorded"));
        rig_until(&rig, rig.run == run && rig.time > 0);
    }
    rig_stop(&rig);
    assert_int_equal(clear_folder(folder), IB_LIVE_RECORDINGS);
    rmdir(folder);
}

// Goal: a run overwrites no recording, however many there are already. Method: a thousand names
// are taken; the second run finds none, says so and does not begin.
static void a_recording_without_a_name_is_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/ib_live_XXXXXX", path[sizeof folder + 24];
    assert_non_null(mkdtemp(folder));
    for (int i = 2; i < 1002; i++) {
        snprintf(path, sizeof path, "%s/drive-%d.wpilog", folder, i);
        int file = open(path, O_WRONLY | O_CREAT, 0600);
        assert_true(file >= 0);
        close(file);
    }
    snprintf(path, sizeof path, "%s/drive.wpilog", folder);
    LiveRig rig;
    rig_start(&rig, "robot: {kind: roomba}\ninputs: {source: viewer}\nrun: {duration: 600 s}\n",
              (ib_LiveOptions){.speed = 1, .record = path});
    rig_order(&rig, IB_COMMAND_RESET, 0);
    rig_until(&rig, rig_event(&rig, IB_EVENT_FAILURE, "1000 names up to"));
    rig_until(&rig, rig.status.state == IB_FEED_FAILED);
    rig_stop(&rig);
    struct stat facts;
    snprintf(path, sizeof path, "%s/drive-1001.wpilog", folder);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_size, 0);
    assert_int_equal(clear_folder(folder), 1001);
    rmdir(folder);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_steps_do_not_keep_it_from_listening),
        cmocka_unit_test(a_reset_ends_the_steps_asked_for),
        cmocka_unit_test(silence_counts_while_steps_are_made),
        cmocka_unit_test(a_recording_that_fails_is_told_at_once),
        cmocka_unit_test(recordings_have_an_end),
        cmocka_unit_test(a_recording_without_a_name_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
