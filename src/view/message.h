// view/message.h: messages of a client, read strictly. docs/view/viewer.md has the messages. A
// message is accepted as a whole or refused with a sentence. All functions are pure.
#ifndef IB_VIEW_MESSAGE_H
#define IB_VIEW_MESSAGE_H

#include "base/status.h"

#include <stdbool.h>

enum {
    IB_MESSAGE_SIZE = 64 << 10, ///< bytes of a message, at most
    IB_WATCH_SIGNALS = 4096,
    IB_HISTORY_SIGNALS = 64,
    IB_HISTORY_ROWS = 20000,
    IB_DRIVE_VALUES = 64,
    IB_TRY_VALUES = 512,
};

typedef enum ib_MessageType {
    IB_MESSAGE_WATCH,
    IB_MESSAGE_HISTORY,
    IB_MESSAGE_PAUSE,
    IB_MESSAGE_PLAY,
    IB_MESSAGE_STEP,
    IB_MESSAGE_SPEED,
    IB_MESSAGE_RESET,
    IB_MESSAGE_SEEK,
    IB_MESSAGE_DRIVE,
    IB_MESSAGE_TAKE,
    IB_MESSAGE_RELEASE,
    IB_MESSAGE_PARAMETER,
    IB_MESSAGE_TRY,
} ib_MessageType;

typedef struct ib_ViewMessage {
    ib_MessageType type;
    int id;                         ///< of a watch list, a request or a trial, 0 .. 65535
    int count;                      ///< of `signals`, or of `inputs` and `values`, or of `tries`
    double rate;                    ///< of a watch list [Hz], 1 .. 60
    int rows;                       ///< of a history, 2 .. IB_HISTORY_ROWS
    double from, to;                ///< of a history [s], finite
    int robot;                      ///< within the limits
    int index;                      ///< of a parameter, within the limits
    int gear;                       ///< of a trial, within the limits
    double value;                   ///< steps, speed, time [s] or parameter; finite
    int signals[IB_WATCH_SIGNALS];  ///< each within the limits; the knobs of a trial
    int inputs[IB_DRIVE_VALUES];    ///< >= 0; the caller checks that the viewer may set them
    double values[IB_DRIVE_VALUES]; ///< finite
    double tries[IB_TRY_VALUES];    ///< of the knobs, finite
} ib_ViewMessage;

// Limits for the contents of messages.
typedef struct ib_MessageLimits {
    int signals, robots, parameters;
    bool replay;      ///< may seek; has nothing to drive
    bool design;      ///< a design: accepts trials only; nothing runs
    int knobs, gears; ///< of a design
    double duration;  ///< the target of a seek beyond it [s]
} ib_MessageLimits;

// Reads a message. IB_BAD_INPUT, with a sentence for the client, for an invalid one.
ib_Status ib_message_read(const char *bytes, size_t size, const ib_MessageLimits *limits,
                          ib_ViewMessage *message, ib_Error *error);

#endif
