// Fuzz target: any bytes as what comes over the viewer's socket: as the head of an HTTP
// request for every kind of admission, as one message, and as lines of messages to a hub,
// whose answers are taken.
#include "view/admission.h"
#include "view/hub.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TOKEN "0123456789abcdef0123456789abcdef"

// -------------------------------------------------------------------------------------------- HTTP

static void check_answer(const ib_Admission *admission, const ib_Request *request)
{
    ib_AdmissionAnswer answer = ib_admission_decide(admission, request);
    IB_ASSERT((answer.kind == IB_ADMISSION_REFUSE) == (answer.text[0] != '\0'));
    if (answer.kind == IB_ADMISSION_REFUSE) return;
    // Whoever is let in has asked for one of two things, with our Host, and our Origin or none.
    const char *path = answer.kind == IB_ADMISSION_PAGE ? "/" : "/socket";
    size_t length = strlen(path);
    ib_Span target = request->target;
    IB_ASSERT(target.size >= length && memcmp(target.text, path, length) == 0);
    IB_ASSERT(target.size == length || target.text[length] == '?');
    IB_ASSERT(request->host.count == 1 && ib_admission_host(admission, request->host.value));
    IB_ASSERT(request->origin.count == 0 ||
              ib_admission_origin(request->host.value, request->origin.value));
    if (admission->open) IB_ASSERT(memmem(target.text, target.size, "?token=" TOKEN, 39));
    char text[512];
    if (answer.kind == IB_ADMISSION_SOCKET)
        IB_ASSERT(ib_request_upgrade(request, text, sizeof text) == strlen(text));
}

static void try_request(const char *bytes, size_t size)
{
    static const ib_Admission admissions[] = {
        {.host = "127.0.0.1", .name = "desk", .port = 8971, .loopback = true},
        {.host = "0.0.0.0", .name = "desk", .port = 80, .any = true, .open = true, .token = TOKEN},
        {.host = "fe80::12", .name = "", .port = 8971, .open = true, .token = TOKEN}};
    size_t head = ib_request_end(bytes, size, 0);
    ib_Request request;
    if (!head || !ib_request_read(bytes, head, &request)) return;
    for (size_t i = 0; i < sizeof admissions / sizeof *admissions; i++)
        check_answer(&admissions[i], &request);
}

// ---------------------------------------------------------------------------------------- messages

static void try_message(const char *bytes, size_t size)
{
    static const ib_MessageLimits limits[] = {
        {.signals = 10, .robots = 2, .parameters = 3, .duration = 60},
        {.signals = 0, .replay = true, .duration = 60},
        {.design = true, .knobs = 20, .gears = 2}};
    static ib_ViewMessage message;
    for (int i = 0; i < 3; i++) {
        ib_Error error = {0};
        if (ib_message_read(bytes, size, &limits[i], &message, &error)) {
            IB_ASSERT(error.status == IB_BAD_INPUT && error.text[0]);
            continue;
        }
        bool listed = message.type == IB_MESSAGE_WATCH || message.type == IB_MESSAGE_HISTORY;
        for (int k = 0; listed && k < message.count; k++)
            IB_ASSERT(message.signals[k] >= 0 && message.signals[k] < limits[i].signals);
        for (int k = 0; message.type == IB_MESSAGE_DRIVE && k < message.count; k++)
            IB_ASSERT(message.inputs[k] >= 0 && isfinite(message.values[k]));
        for (int k = 0; message.type == IB_MESSAGE_TRY && k < message.count; k++)
            IB_ASSERT(message.signals[k] >= 0 && message.signals[k] < limits[i].knobs &&
                      isfinite(message.tries[k]) && message.gear < limits[i].gears);
        IB_ASSERT(isfinite(message.value) && isfinite(message.from) && isfinite(message.to));
    }
}

// ----------------------------------------------------------------------------------------- the hub

static ib_Status prepare(void *self, int parameter, double value, void **data, ib_Error *error)
{
    *data = self;
    return value < 0 ? ib_error_set(error, IB_BAD_INPUT, "parameter %d", parameter) : IB_OK;
}

static bool may_drive(void *self, int robot, int index)
{
    (void)self;
    return robot == 0 && index < 4;
}

static void start_hub(ib_Hub *hub)
{
    static ib_ViewSource source = {.hello = "{\"type\":\"hello\"}",
                                   .signal_count = 10,
                                   .robot_count = 2,
                                   .parameter_count = 3,
                                   .prepare = prepare,
                                   .may_drive = may_drive};
    IB_ASSERT(ib_feed_create(10, &source.feed, NULL) == IB_OK);
    IB_ASSERT(ib_hub_init(hub, &source, NULL) == IB_OK);
    for (int n = 0; n < 20; n++) {
        ib_FeedRow *row = ib_feed_claim(source.feed);
        *row = (ib_FeedRow){.time = n, .run = 1};
        for (int i = 0; i < 10; i++) row->values[i] = n;
        ib_feed_publish(source.feed);
    }
}

static void try_hub(const char *bytes, size_t size)
{
    static ib_Hub hub;
    static double now;
    if (!hub.out) start_hub(&hub);
    ib_hub_update(&hub, now += 1);
    ib_Client *client = ib_hub_open(&hub, NULL, now);
    IB_ASSERT(client);
    for (bool more = true; more && size > 0;) {
        const char *end = memchr(bytes, '\n', size);
        size_t line = end ? (size_t)(end - bytes) : size;
        more = ib_hub_hear(&hub, client, bytes, line, now) && end;
        bytes += more ? line + 1 : 0;
        size -= more ? line + 1 : 0;
    }
    size_t length;
    for (int i = 0; i < 5000 && ib_hub_next(&hub, client, now, &length) != IB_HUB_NOTHING; i++)
        IB_ASSERT(length > 0);
    ib_FeedCommand command = {0};
    ib_hub_close(&hub, client);
    while (ib_feed_next_command(hub.source->feed, &command))
        if (command.type == IB_COMMAND_DRIVE)
            IB_ASSERT(may_drive(NULL, command.robot, command.index) && isfinite(command.value));
    // The last word is always that of the one who goes.
    IB_ASSERT(command.type == IB_COMMAND_RELEASE && command.robot == -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_request((const char *)data, size);
    try_message((const char *)data, size);
    try_hub((const char *)data, size);
    return 0;
}
