#include "view/message.h"

#include "base/extreme.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// State shared by the readers of the types.
typedef struct Reading {
    const json_t *object;
    const ib_MessageLimits *limits;
    ib_ViewMessage *message;
    ib_Error *error;
} Reading;

enum { KEYS = 5 };

typedef struct Form {
    const char *name;
    ib_MessageType type;
    const char *keys[KEYS]; ///< besides "type"
    ib_Status (*read)(const Reading *reading);
    bool design; ///< allowed for a design, too
} Form;

// ------------------------------------------------------------------------------------------ values

// A whole number from low to high. Without the key: `otherwise`, when that is within the range.
static ib_Status read_integer(const Reading *reading, const char *key, int low, int high,
                              int otherwise, int *value)
{
    const json_t *found = json_object_get(reading->object, key);
    *value = otherwise;
    if (!found && otherwise >= low && otherwise <= high) return IB_OK;
    if (!json_is_integer(found) || json_integer_value(found) < low ||
        json_integer_value(found) > high)
        return ib_error_set(reading->error, IB_BAD_INPUT, "%s must be a whole number from %d to %d",
                            key, low, high);
    *value = (int)json_integer_value(found);
    return IB_OK;
}

static ib_Status read_number(const Reading *reading, const char *key, double *value)
{
    const json_t *found = json_object_get(reading->object, key);
    *value = json_number_value(found);
    if (!json_is_number(found) || !isfinite(*value))
        return ib_error_set(reading->error, IB_BAD_INPUT, "%s must be a number", key);
    return IB_OK;
}

static ib_Status read_signals(const Reading *reading, int most)
{
    const json_t *list = json_object_get(reading->object, "signals");
    if (!json_is_array(list) || json_array_size(list) > (size_t)most)
        return ib_error_set(reading->error, IB_BAD_INPUT,
                            "signals must be a list of at most %d numbers", most);
    ib_ViewMessage *message = reading->message;
    message->count = (int)json_array_size(list);
    for (int i = 0; i < message->count; i++) {
        const json_t *item = json_array_get(list, (size_t)i);
        if (!json_is_integer(item) || json_integer_value(item) < 0 ||
            json_integer_value(item) >= reading->limits->signals)
            return ib_error_set(reading->error, IB_BAD_INPUT,
                                "signals: item %d is not the number of a signal, 0 to %d", i,
                                reading->limits->signals - 1);
        message->signals[i] = (int)json_integer_value(item);
    }
    return IB_OK;
}

static ib_Status read_robot(const Reading *reading)
{
    if (reading->limits->replay || reading->limits->robots == 0)
        return ib_error_set(reading->error, IB_BAD_INPUT, "a recording cannot be driven");
    return read_integer(reading, "robot", 0, reading->limits->robots - 1, -1,
                        &reading->message->robot);
}

// ----------------------------------------------------------------------------------- one type each

static ib_Status read_nothing(const Reading *reading)
{
    (void)reading;
    return IB_OK;
}

static ib_Status read_watch(const Reading *reading)
{
    int rate;
    if (read_integer(reading, "id", 0, UINT16_MAX, -1, &reading->message->id) ||
        read_integer(reading, "rate", 1, 60, 60, &rate))
        return IB_BAD_INPUT;
    reading->message->rate = rate;
    return read_signals(reading, IB_WATCH_SIGNALS);
}

static ib_Status read_history(const Reading *reading)
{
    ib_ViewMessage *message = reading->message;
    if (read_integer(reading, "id", 0, UINT16_MAX, -1, &message->id) ||
        read_number(reading, "from", &message->from) || read_number(reading, "to", &message->to) ||
        read_integer(reading, "rows", 2, IB_HISTORY_ROWS, 2000, &message->rows))
        return IB_BAD_INPUT;
    return read_signals(reading, IB_HISTORY_SIGNALS);
}

static ib_Status read_step(const Reading *reading)
{
    int count;
    if (read_integer(reading, "count", 1, 100000, 1, &count)) return IB_BAD_INPUT;
    reading->message->value = count;
    return IB_OK;
}

static ib_Status read_speed(const Reading *reading)
{
    double *value = &reading->message->value;
    if (read_number(reading, "value", value)) return IB_BAD_INPUT;
    if (*value != 0 && !(*value >= 0.1 && *value <= 1000))
        return ib_error_set(reading->error, IB_BAD_INPUT,
                            "the speed is 0 (as fast as possible) or from 0.1 to 1000");
    return IB_OK;
}

static ib_Status read_seek(const Reading *reading)
{
    double *value = &reading->message->value;
    if (!reading->limits->replay)
        return ib_error_set(reading->error, IB_BAD_INPUT, "only a recording can be wound");
    if (read_number(reading, "time", value)) return IB_BAD_INPUT;
    if (*value < 0) return ib_error_set(reading->error, IB_BAD_INPUT, "the time is negative");
    *value = ib_min(*value, reading->limits->duration);
    return IB_OK;
}

static ib_Status read_drive(const Reading *reading)
{
    if (read_robot(reading)) return IB_BAD_INPUT;
    const json_t *list = json_object_get(reading->object, "values");
    if (!json_is_array(list) || json_array_size(list) > IB_DRIVE_VALUES)
        return ib_error_set(reading->error, IB_BAD_INPUT,
                            "values must be a list of at most %d pairs [input, value]",
                            IB_DRIVE_VALUES);
    ib_ViewMessage *message = reading->message;
    message->count = (int)json_array_size(list);
    for (int i = 0; i < message->count; i++) {
        const json_t *pair = json_array_get(list, (size_t)i);
        const json_t *input = json_array_get(pair, 0), *value = json_array_get(pair, 1);
        if (json_array_size(pair) != 2 || !json_is_integer(input) || !json_is_number(value) ||
            json_integer_value(input) < 0 || json_integer_value(input) > INT16_MAX ||
            !isfinite(json_number_value(value)))
            return ib_error_set(reading->error, IB_BAD_INPUT,
                                "values: item %d is not a pair [input, value]", i);
        message->inputs[i] = (int)json_integer_value(input);
        message->values[i] = json_number_value(value);
    }
    return IB_OK;
}

static ib_Status read_parameter(const Reading *reading)
{
    if (reading->limits->parameters == 0)
        return ib_error_set(reading->error, IB_BAD_INPUT, "there are no parameters to change");
    if (read_integer(reading, "index", 0, reading->limits->parameters - 1, -1,
                     &reading->message->index))
        return IB_BAD_INPUT;
    return read_number(reading, "value", &reading->message->value);
}

// [[knob, value], …], a knob at most once.
static ib_Status read_tries(const Reading *reading, const json_t *list)
{
    ib_ViewMessage *message = reading->message;
    bool seen[IB_TRY_VALUES] = {0};
    message->count = (int)json_array_size(list);
    for (int i = 0; i < message->count; i++) {
        const json_t *pair = json_array_get(list, (size_t)i);
        const json_t *knob = json_array_get(pair, 0), *value = json_array_get(pair, 1);
        json_int_t number = json_is_integer(knob) ? json_integer_value(knob) : -1;
        if (json_array_size(pair) != 2 || number < 0 || number >= reading->limits->knobs ||
            !json_is_number(value) || !isfinite(json_number_value(value)) || seen[number])
            return ib_error_set(reading->error, IB_BAD_INPUT,
                                "values: item %d is not a pair [knob, value] of another knob", i);
        seen[number] = true;
        message->signals[i] = (int)number;
        message->tries[i] = json_number_value(value);
    }
    return IB_OK;
}

static ib_Status read_try(const Reading *reading)
{
    const ib_MessageLimits *limits = reading->limits;
    const json_t *list = json_object_get(reading->object, "values");
    if (!limits->design)
        return ib_error_set(reading->error, IB_BAD_INPUT, "only a design can be tried");
    if (read_integer(reading, "id", 0, UINT16_MAX, -1, &reading->message->id) ||
        read_integer(reading, "gear", 0, limits->gears - 1, 0, &reading->message->gear))
        return IB_BAD_INPUT;
    IB_ASSERT(limits->knobs <= IB_TRY_VALUES);
    if (!json_is_array(list) || json_array_size(list) > (size_t)limits->knobs)
        return ib_error_set(reading->error, IB_BAD_INPUT,
                            "values must be a list of at most %d pairs [knob, value]",
                            limits->knobs);
    return read_tries(reading, list);
}

static const Form forms[] = {
    {"watch", IB_MESSAGE_WATCH, {"id", "signals", "rate"}, read_watch, true},
    {"history", IB_MESSAGE_HISTORY, {"id", "signals", "from", "to", "rows"}, read_history, true},
    {"pause", IB_MESSAGE_PAUSE, {NULL}, read_nothing, false},
    {"play", IB_MESSAGE_PLAY, {NULL}, read_nothing, false},
    {"step", IB_MESSAGE_STEP, {"count"}, read_step, false},
    {"speed", IB_MESSAGE_SPEED, {"value"}, read_speed, false},
    {"reset", IB_MESSAGE_RESET, {NULL}, read_nothing, false},
    {"seek", IB_MESSAGE_SEEK, {"time"}, read_seek, false},
    {"drive", IB_MESSAGE_DRIVE, {"robot", "values"}, read_drive, false},
    {"take", IB_MESSAGE_TAKE, {"robot"}, read_robot, false},
    {"release", IB_MESSAGE_RELEASE, {"robot"}, read_robot, false},
    {"parameter", IB_MESSAGE_PARAMETER, {"index", "value"}, read_parameter, false},
    {"try", IB_MESSAGE_TRY, {"id", "gear", "values"}, read_try, true},
};

// --------------------------------------------------------------------------------------- the whole

static const Form *find_form(const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "type"));
    if (!name) return NULL;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, name) == 0) return &forms[i];
    return NULL;
}

// True if every key of the object is one of the form's.
static bool keys_known(const json_t *object, const Form *form)
{
    size_t known = 1;
    for (int i = 0; i < KEYS; i++)
        if (form->keys[i] && json_object_get(object, form->keys[i])) known++;
    return known == json_object_size(object);
}

static ib_Status read_object(const Reading *reading)
{
    if (!json_is_object(reading->object))
        return ib_error_set(reading->error, IB_BAD_INPUT, "a message is a JSON object");
    const Form *form = find_form(reading->object);
    if (!form) return ib_error_set(reading->error, IB_BAD_INPUT, "the message's type is not known");
    if (!keys_known(reading->object, form))
        return ib_error_set(reading->error, IB_BAD_INPUT, "a '%s' message has other keys",
                            form->name);
    if (reading->limits->design && !form->design)
        return ib_error_set(reading->error, IB_BAD_INPUT,
                            "a design does not run: there is nothing to '%s'", form->name);
    reading->message->type = form->type;
    return form->read(reading);
}

ib_Status ib_message_read(const char *bytes, size_t size, const ib_MessageLimits *limits,
                          ib_ViewMessage *message, ib_Error *error)
{
    // The lists are long and valid up to `count`: only the rest of the message is cleared.
    memset(message, 0, offsetof(ib_ViewMessage, signals));
    if (size > IB_MESSAGE_SIZE)
        return ib_error_set(error, IB_BAD_INPUT, "a message has at most %d bytes", IB_MESSAGE_SIZE);
    json_error_t wrong;
    json_t *object = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &wrong);
    if (!object)
        return ib_error_set(error, IB_BAD_INPUT, "not JSON: column %d: %s", wrong.column,
                            wrong.text);
    Reading reading = {object, limits, message, error};
    ib_Status status = read_object(&reading);
    json_decref(object);
    return status;
}
