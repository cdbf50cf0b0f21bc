// test/view/rig.h: a server on a free port in a thread of its own, with a made-up source, and a
// client that speaks to it over a bare socket.
#ifndef IB_TEST_VIEW_RIG_H
#define IB_TEST_VIEW_RIG_H

#include "cmocka_all.h"
#include "view/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { RIG_SIGNALS = 8, RIG_ROBOTS = 2, RIG_PARAMETERS = 3 };

// What a busy machine may take for anything [s]; less than the 30 s after which the server would
// end a silent socket by itself.
static const double rig_patience = 20;

typedef struct Rig {
    ib_ViewSource source;
    ib_ServerConfig config;
    volatile sig_atomic_t stop;
    pthread_t thread, runner;
    char url[640];
    int port;
    _Atomic int ready; ///< 1: listening, 2: over
    _Atomic int feeding;
    ib_Status status;
    ib_Error error;
    int served;
    int prepared;     ///< parameters that were made ready
    _Atomic int rows; ///< made while `feeding`
} Rig;

static inline double rig_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void rig_sleep(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

static inline bool rig_may_drive(void *self, int robot, int index)
{
    (void)self;
    return robot == 0 && index < 4;
}

static inline ib_Status rig_prepare(void *self, int parameter, double value, void **data,
                                    ib_Error *error)
{
    Rig *rig = self;
    (void)parameter;
    if (value < 0) return ib_error_set(error, IB_BAD_INPUT, "the mass must be positive");
    rig->prepared++;
    *data = rig;
    return IB_OK;
}

static inline void rig_ready(void *self, const char *url)
{
    Rig *rig = self;
    snprintf(rig->url, sizeof rig->url, "%s", url);
    rig->port = atoi(strrchr(url, ':') + 1);
    rig->ready = 1;
}

static inline void *rig_serve(void *self)
{
    Rig *rig = self;
    rig->status = ib_server_run(&rig->config, &rig->source, &rig->error);
    rig->ready = 2;
    return NULL;
}

// Signal i of row n is n + i / 10, at time n / 60.
static inline bool rig_row(Rig *rig, int n, uint32_t run, bool jump)
{
    ib_FeedRow *row = ib_feed_claim(rig->source.feed);
    if (!row) return false;
    row->time = n / 60.0;
    row->run = run;
    row->jump = jump;
    for (int i = 0; i < rig->source.signal_count; i++) row->values[i] = n + i / 10.0;
    ib_feed_publish(rig->source.feed);
    return true;
}

// Rows at 60 Hz for as long as `feeding` is set.
static inline void *rig_feed(void *self)
{
    Rig *rig = self;
    for (int n = 1; rig->feeding; n++) {
        rig->rows += rig_row(rig, n, 1, false);
        rig_sleep(1 / 60.0);
    }
    return NULL;
}

static inline void rig_feeding(Rig *rig, bool on)
{
    if (on == (rig->feeding != 0)) return;
    rig->feeding = on;
    if (on)
        assert_int_equal(pthread_create(&rig->runner, NULL, rig_feed, rig), 0);
    else
        pthread_join(rig->runner, NULL);
}

static inline Rig *rig_new(int signals)
{
    Rig *rig = calloc(1, sizeof *rig);
    rig->source = (ib_ViewSource){.self = rig,
                                  .hello = "{\"type\":\"hello\",\"version\":1}",
                                  .signal_count = signals,
                                  .robot_count = RIG_ROBOTS,
                                  .input_count = 4,
                                  .parameter_count = RIG_PARAMETERS,
                                  .prepare = rig_prepare,
                                  .may_drive = rig_may_drive};
    assert_int_equal(ib_feed_create(signals, &rig->source.feed, NULL), IB_OK);
    assert_int_equal(ib_feed_keep(rig->source.feed, RIG_PARAMETERS, NULL), IB_OK);
    rig->config = ib_server_default();
    rig->config.port = 0;
    rig->config.stop = &rig->stop;
    rig->config.ready = rig_ready;
    rig->config.self = rig;
    rig->config.served = &rig->served;
    return rig;
}

static inline void rig_start(Rig *rig)
{
    assert_int_equal(pthread_create(&rig->thread, NULL, rig_serve, rig), 0);
    for (double end = rig_now() + rig_patience; !rig->ready && rig_now() < end;) rig_sleep(0.002);
    assert_int_equal(rig->ready, 1);
}

// In the program a signal's handler sets it; from a thread it is a race that does no harm.
__attribute__((no_sanitize("thread"))) static inline void rig_stop(Rig *rig)
{
    rig->stop = 1;
}

static inline void rig_end(Rig *rig)
{
    rig_feeding(rig, false);
    rig_stop(rig);
    pthread_join(rig->thread, NULL);
    assert_int_equal(rig->status, IB_OK);
    ib_feed_destroy(rig->source.feed);
    free(rig);
}

// ---------------------------------------------------------------------------------------- a client

static inline int rig_connect_at(int port, int receive_buffer)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (receive_buffer)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static inline int rig_connect(const Rig *rig)
{
    return rig_connect_at(rig->port, 0);
}

static inline void rig_send(int fd, const void *bytes, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        ssize_t n = send(fd, (const char *)bytes + sent, size - sent, MSG_NOSIGNAL);
        if (n <= 0) return;
        sent += (size_t)n;
    }
}

// Up to `size` bytes within `seconds`; returns how many came, or -1 when the other side closed and
// nothing was left.
static inline long rig_receive(int fd, void *bytes, size_t size, double seconds)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    if (poll(&wait, 1, (int)(seconds * 1000)) <= 0) return 0;
    ssize_t n = recv(fd, bytes, size, 0);
    return n <= 0 ? -1 : n;
}

// Is it closed by the other side within `seconds`? What comes before is thrown away.
static inline bool rig_closed(int fd, double seconds)
{
    char bin[4096];
    for (double end = rig_now() + seconds; rig_now() < end;)
        if (rig_receive(fd, bin, sizeof bin, end - rig_now()) < 0) return true;
    return false;
}

// Sends a request and reads the answer up to the end of the connection; returns the status code (0:
// closed without an answer). The answer stays in `answer`.
static inline int rig_request(const Rig *rig, const char *request, char *answer, size_t size)
{
    int fd = rig_connect(rig);
    rig_send(fd, request, strlen(request));
    size_t used = 0;
    for (double end = rig_now() + rig_patience; rig_now() < end && used < size - 1;) {
        long n = rig_receive(fd, answer + used, size - 1 - used, end - rig_now());
        if (n <= 0) break;
        used += (size_t)n;
    }
    answer[used] = '\0';
    close(fd);
    return used > 12 ? atoi(answer + 9) : 0;
}

// The handshake; returns the status code, 101 when the socket is open.
static inline int rig_handshake(int fd, const char *target, const char *headers)
{
    char request[4096], answer[4096];
    int size = snprintf(request, sizeof request,
                        "GET %s HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
                        target, headers);
    rig_send(fd, request, (size_t)size);
    // Byte by byte: what follows belongs to the socket.
    for (size_t used = 0; used < sizeof answer - 1;) {
        if (rig_receive(fd, answer + used, 1, rig_patience) <= 0) return 0;
        answer[++used] = '\0';
        if (used >= 4 && strcmp(answer + used - 4, "\r\n\r\n") == 0) break;
    }
    // RFC 6455, 1.3: the answer to the key above.
    if (strncmp(answer, "HTTP/1.1 101", 12) == 0 &&
        (!strstr(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") || !strstr(answer, "ironbird.v1")))
        return -1;
    return atoi(answer + 9);
}

static inline int rig_open(const Rig *rig, int fd)
{
    char headers[256];
    snprintf(headers, sizeof headers,
             "Host: 127.0.0.1:%d\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Protocol: ironbird.v1\r\n",
             rig->port);
    return rig_handshake(fd, "/socket", headers);
}

// A masked frame of up to 2^31 bytes with this first byte (0x81: a whole text).
static inline void rig_say_raw(int fd, unsigned first, const char *text, size_t size)
{
    unsigned char head[14] = {(unsigned char)first};
    size_t used = 2;
    head[1] = (unsigned char)(0x80 | (size < 126 ? size : size < 65536 ? 126 : 127));
    if (size >= 126)
        for (int i = size < 65536 ? 1 : 7; i >= 0; i--)
            head[used++] = (unsigned char)(size >> 8 * i);
    static const unsigned char mask[4] = {0x37, 0xfa, 0x21, 0x3d};
    memcpy(head + used, mask, 4);
    used += 4;
    unsigned char *bytes = malloc(used + size);
    memcpy(bytes, head, used);
    for (size_t i = 0; i < size; i++)
        bytes[used + i] = (unsigned char)((unsigned char)text[i] ^ mask[i % 4]);
    rig_send(fd, bytes, used + size);
    free(bytes);
}

static inline void rig_say(int fd, const char *text)
{
    rig_say_raw(fd, 0x81, text, strlen(text));
}

static inline bool rig_read_all(int fd, void *bytes, size_t size, double end)
{
    for (size_t used = 0; used < size;) {
        long n = rig_receive(fd, (char *)bytes + used, size - used, fmax(end - rig_now(), 0));
        if (n <= 0) return false;
        used += (size_t)n;
    }
    return true;
}

// The next frame, closed by a NUL; returns its first byte (0x81 text, 0x82 binary, 0x88 close, 0x89
// ping) or 0 when none comes in time or the connection ends.
static inline int rig_hear(int fd, unsigned char *bytes, size_t room, size_t *size, double seconds)
{
    double end = rig_now() + seconds;
    unsigned char head[10];
    if (!rig_read_all(fd, head, 2, end)) return 0;
    uint64_t length = head[1];
    int more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (more && !rig_read_all(fd, head + 2, (size_t)more, end)) return 0;
    if (more) length = 0;
    for (int i = 0; i < more; i++) length = length << 8 | head[2 + i];
    assert_true(length < room);
    *size = (size_t)length;
    bytes[length] = '\0';
    return rig_read_all(fd, bytes, *size, end) ? head[0] : 0;
}

// The next text that contains `part`; others and frames are passed over.
static inline bool rig_hear_text(int fd, const char *part, char *text, size_t room, double seconds)
{
    size_t size;
    for (double end = rig_now() + seconds; rig_now() < end;) {
        int first = rig_hear(fd, (unsigned char *)text, room, &size, end - rig_now());
        if (first == 0x81 && strstr(text, part)) return true;
        if (first == 0) return false;
    }
    return false;
}

// The next binary message whose first byte is `kind`.
static inline bool rig_hear_binary(int fd, int kind, unsigned char *bytes, size_t room,
                                   size_t *size, double seconds)
{
    for (double end = rig_now() + seconds; rig_now() < end;) {
        int first = rig_hear(fd, bytes, room, size, end - rig_now());
        if (first == 0x82 && bytes[0] == kind) return true;
        if (first == 0) return false;
    }
    return false;
}

// The reason with which the server ends the socket; 0: it does not, or without one.
static inline int rig_dismissed(int fd, double seconds)
{
    static unsigned char bytes[1 << 20];
    size_t size;
    for (double end = rig_now() + seconds; rig_now() < end;) {
        int first = rig_hear(fd, bytes, sizeof bytes, &size, end - rig_now());
        if (first == 0x88 && size >= 2) return bytes[0] << 8 | bytes[1];
        if (first == 0) return 0;
    }
    return 0;
}

// ----------------------------------------------------------------------------------- for the tests

static inline int rig_setup(void **state)
{
    Rig *rig = rig_new(RIG_SIGNALS);
    rig_start(rig);
    *state = rig;
    return 0;
}

static inline int rig_teardown(void **state)
{
    rig_end(*state);
    return 0;
}

static inline const char *rig_get(const Rig *rig, const char *first_line)
{
    static char request[4096];
    snprintf(request, sizeof request, "%s\r\nHost: 127.0.0.1:%d\r\n\r\n", first_line, rig->port);
    return request;
}

// The next command at the runner's end; client -1: none comes.
static inline ib_FeedCommand rig_command(Rig *rig)
{
    ib_FeedCommand command = {.client = -1};
    for (double end = rig_now() + rig_patience; rig_now() < end; rig_sleep(0.002))
        if (ib_feed_next_command(rig->source.feed, &command)) break;
    return command;
}

#endif
