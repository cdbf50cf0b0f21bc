// test/record/wpilog_rig.h: bytes of a WPILOG read as a log, and a table of two robots to write.
#ifndef IB_TEST_WPILOG_RIG_H
#define IB_TEST_WPILOG_RIG_H

#include "cmocka_all.h"
#include "record/wpilog.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static inline ib_Log *rig_parse(const ib_Bytes *bytes)
{
    ib_Log *log = NULL;
    ib_Error error;
    if (ib_log_parse("x.wpilog", bytes->data, bytes->count, &log, &error) != IB_OK)
        fail_msg("%s", error.text);
    return log;
}

// The same log, written and read once more.
static inline ib_Log *rig_through_file(ib_Log *log)
{
    char path[] = "ib_test_wpilog_XXXXXX.wpilog";
    int fd = mkstemps(path, 7);
    assert_true(fd >= 0);
    close(fd);
    ib_Error error;
    ib_Log *again;
    assert_int_equal(ib_log_write(log, path, &error), IB_OK);
    assert_int_equal(ib_log_read(path, &again, &error), IB_OK);
    ib_log_destroy(log);
    unlink(path);
    return again;
}

static inline void rig_put_int64(uint32_t entry, uint64_t micros, int64_t value, ib_Bytes *bytes)
{
    unsigned char raw[8];
    for (int i = 0; i < 8; i++) raw[i] = (unsigned char)((uint64_t)value >> (8 * i));
    ib_wpilog_put_record(entry, micros, raw, sizeof raw, bytes);
}

// --------------------------------------------------------------------------- a table of two robots

static const ib_Mode rig_gear = {.kind = IB_MODE_LIMIT,
                                 .motion = true,
                                 .meanings = {{"it: stands", IB_MODE_ERROR, true},
                                              {"moves \"well\"", IB_MODE_WARNING},
                                              {"the \xc3\xa9nd", IB_MODE_INFO}}};
#define RIG_OF_RED(which) IB_MEANS(.role = which, .robot = "red")

static const ib_SignalDef rig_columns[] = {
    {"pose.x", "m", "where it is, \"forward\"", 0, IB_MEANS(.role = IB_ROLE_POSE_X)},
    {"pose.y", "m", "\xc3\xa0 gauche\n", 0, IB_MEANS(.role = IB_ROLE_POSE_Y)},
    {"pose.heading", "rad", "", 0, IB_MEANS(.role = IB_ROLE_POSE_HEADING, .shown = "deg")},
    {"red.pose.x", "m", "", 0, RIG_OF_RED(IB_ROLE_POSE_X)},
    {"drive.left.current", "A", "of the left motor", 0,
     IB_MEANS(.role = IB_ROLE_LOAD, .headline = 3, .part = "left \"one\"", .mode = &rig_gear)},
    {"red.pose.heading", "rad", "", 0, RIG_OF_RED(IB_ROLE_POSE_HEADING)},
    {"red.pose.y", "m", "", 0, RIG_OF_RED(IB_ROLE_POSE_Y)},
    {"velocity.x", "m/s", "means nothing here", 0},
};

enum { RIG_COLUMNS = sizeof rig_columns / sizeof *rig_columns, RIG_ROWS = 3 };

static const ib_PosePlaces rig_poses[] = {{"Pose", 0, 1, 2}, {"red.Pose", 3, 6, 5}};
static const char *const rig_sources[] = {"messages"};
static const ib_WpilogLayout rig_layout = {rig_columns, RIG_COLUMNS, rig_poses, 2, rig_sources, 1};
static const ib_LogFact rig_facts[] = {{"title", "Roomba, straight"}, {"robot", "roomba"}};

static inline double rig_value(int row, int column)
{
    return row == 2 && column == 4 ? (double)NAN : (row + 1) / (column + 3.0);
}

static inline ib_Bytes rig_table(void)
{
    ib_Bytes bytes = {0};
    ib_wpilog_put_layout(&rig_layout, rig_facts, 2, &bytes);
    for (int row = 0; row < RIG_ROWS; row++) {
        double values[RIG_COLUMNS];
        for (int i = 0; i < RIG_COLUMNS; i++) values[i] = rig_value(row, i);
        ib_wpilog_put_row(&rig_layout, row * 10000000, values, NULL, &bytes);
    }
    ib_wpilog_put_message(&rig_layout, 20000000, 0, IB_LEVEL_WARNING, "left was clamped", &bytes);
    ib_wpilog_put_message(&rig_layout, 10000000, 0, IB_LEVEL_INFO, "warning: not one", &bytes);
    return bytes;
}

#endif
