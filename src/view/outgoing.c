#include "view/outgoing.h"

#include "base/json.h"
#include "base/utf8.h"

#include <string.h>

// ------------------------------------------------------------------------------------------- texts

static ib_Json begin(char *text, const char *type)
{
    ib_Json json = {.file = fmemopen(text, IB_OUTGOING_TEXT, "w")};
    IB_ASSERT(json.file);
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, "type", type);
    return json;
}

static size_t finish(ib_Json *json)
{
    ib_json_close(json, '}');
    long size = ftell(json->file);
    IB_ASSERT(fflush(json->file) == 0 && size > 0 && size < IB_OUTGOING_TEXT);
    fclose(json->file);
    return (size_t)size;
}

// A browser closes the socket at the first invalid byte of UTF-8.
static void write_text(ib_Json *json, const char *key, const char *text)
{
    char clean[IB_ERROR_TEXT];
    snprintf(clean, sizeof clean, "%s", text);
    ib_utf8_clean(clean);
    ib_json_text(json, key, clean);
}

size_t ib_outgoing_refused(const char *reason, char *text)
{
    ib_Json json = begin(text, "refused");
    write_text(&json, "text", reason);
    return finish(&json);
}

size_t ib_outgoing_parameter(int index, double value, char *text)
{
    ib_Json json = begin(text, "parameter");
    ib_json_integer(&json, "index", index);
    ib_json_number(&json, "value", value);
    return finish(&json);
}

size_t ib_outgoing_status(const ib_FeedStatus *status, int clients, int robots, char *text)
{
    static const char *const states[] = {"running", "paused", "ended", "failed"};
    ib_Json json = begin(text, "status");
    ib_json_integer(&json, "run", status->run);
    ib_json_text(&json, "state", states[status->state]);
    ib_json_number(&json, "time", status->time);
    ib_json_number(&json, "speed", status->speed);
    ib_json_number(&json, "ratio", status->ratio);
    ib_json_integer(&json, "steps", status->steps);
    ib_json_integer(&json, "overruns", status->overruns);
    ib_json_open(&json, "late", '{');
    ib_json_number(&json, "p50", status->late_p50);
    ib_json_number(&json, "p99", status->late_p99);
    ib_json_number(&json, "p999", status->late_p999);
    ib_json_number(&json, "max", status->late_max);
    ib_json_close(&json, '}');
    ib_json_integer(&json, "clients", clients);
    ib_json_open(&json, "drivers", '[');
    for (int i = 0; i < robots && i < IB_FEED_ROBOTS; i++)
        ib_json_integer(&json, NULL, status->drivers[i]);
    ib_json_close(&json, ']');
    ib_json_flag(&json, "recording", status->recording);
    ib_json_integer(&json, "failed", status->expectations_failed);
    ib_json_integer(&json, "passed", status->expectations_passed);
    ib_json_integer(&json, "dropped", status->dropped_rows + status->dropped_events);
    return finish(&json);
}

static const char *kind_name(int kind)
{
    switch (kind) {
    case IB_EVENT_NOTE:
        return "note";
    case IB_EVENT_EXPECTATION:
        return "expectation";
    case IB_EVENT_OVERRUN:
        return "overrun";
    case IB_EVENT_FAILURE:
        return "failure";
    case IB_EVENT_CHANGE:
        return "change";
    default:
        return ib_mode_kind_name((ib_ModeKind)kind);
    }
}

size_t ib_outgoing_log(const ib_FeedEvent *ring, uint64_t first, int count, int capacity, bool past,
                       char *text)
{
    IB_ASSERT(count <= IB_OUTGOING_EVENTS);
    ib_Json json = begin(text, "log");
    ib_json_flag(&json, "past", past);
    ib_json_open(&json, "items", '[');
    for (int i = 0; i < count; i++) {
        const ib_FeedEvent *event = &ring[(first + (uint64_t)i) % (uint64_t)capacity];
        ib_json_open(&json, NULL, '{');
        ib_json_number(&json, "time", event->time);
        ib_json_integer(&json, "run", event->run);
        ib_json_text(&json, "level", ib_mode_level_name(event->level));
        ib_json_text(&json, "kind", kind_name(event->kind));
        write_text(&json, "text", event->text);
        if (event->times > 0) {
            ib_json_integer(&json, "signal", event->signal);
            ib_json_integer(&json, "times", event->times);
        }
        ib_json_close(&json, '}');
    }
    ib_json_close(&json, ']');
    return finish(&json);
}

size_t ib_outgoing_hello(const char *hello, int number, char *text)
{
    IB_ASSERT(hello[0] == '{');
    int length = sprintf(text, "{\"you\":%d,", number);
    strcpy(text + length, hello + 1);
    return (size_t)length + strlen(hello + 1);
}

// ---------------------------------------------------------------------------- bytes, little endian

static unsigned char *put(unsigned char *bytes, uint64_t word, int size)
{
    for (int i = 0; i < size; i++) bytes[i] = (unsigned char)(word >> (8 * i));
    return bytes + size;
}

static unsigned char *put_double(unsigned char *bytes, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return put(bytes, word, 8);
}

static unsigned char *put_float(unsigned char *bytes, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return put(bytes, word, 4);
}

size_t ib_outgoing_frame(const ib_Client *client, const ib_OutgoingRow *row, unsigned char *bytes)
{
    unsigned char *at = bytes;
    at = put(at, 1, 1);
    at = put(at, client->jump, 1);
    at = put(at, (uint64_t)client->watch_id, 2);
    at = put(at, row->run, 4);
    at = put_double(at, row->time);
    // Values, then the smallest, then the largest. A new client gets those of the last row.
    uint64_t rows = client->row > 0 ? row->number - client->row : 1;
    size_t third = 4 * (size_t)client->watch_count;
    for (int i = 0; i < client->watch_count; i++) {
        ib_Sample sample = ib_memory_newest(row->memory, client->watch[i], rows);
        put_float(at + third, sample.low);
        put_float(at + 2 * third, sample.high);
        at = put_float(at, sample.value);
    }
    return (size_t)(at - bytes) + 2 * third;
}

size_t ib_outgoing_history(const ib_HistoryRequest *request, uint32_t run, int rows,
                           ib_Samples samples, unsigned char *bytes)
{
    // A request without signals is answered too, without rows.
    bool none = request->count == 0, last = request->next + 1 >= request->count;
    unsigned char *at = bytes;
    at = put(at, 2, 1);
    at = put(at, last, 1);
    at = put(at, (uint64_t)request->id, 2);
    at = put(at, run, 4);
    at = put(at, none ? 0 : (uint64_t)request->signals[request->next], 4);
    at = put(at, (uint64_t)rows, 4);
    const float *const parts[] = {samples.values, samples.low, samples.high};
    for (int i = 0; i < rows; i++) at = put_double(at, samples.times[i]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < rows; i++) at = put_float(at, parts[k][i]);
    return (size_t)(at - bytes);
}
