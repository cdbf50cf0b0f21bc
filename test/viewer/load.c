// test/viewer/load.c: many viewers at 60 Hz from one cheap process, so that the machine is left to
// the program that is measured: load PORT CLIENTS SECONDS. Client 0 watches 64 signals and reads
// nothing after its handshake (a stalled one), the others watch 32. Prints one line of JSON: frames
// per client and second, gaps between frames, how many clients were thrown out.
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CLIENTS = 64, WATCHED = 32, STALLED_WATCHED = 64, MAX_GAPS = 1 << 20 };

typedef struct Client {
    int fd;
    bool stalled;
    bool open;       // the handshake is done
    bool closed;     // by the server
    char head[4096]; // of the answer to the handshake
    size_t head_size;
    uint8_t frame[14]; // header of the frame that is being read
    size_t frame_size;
    uint64_t left;  // payload bytes of it still to come
    bool first;     // the payload's next byte is its first
    char ping[125]; // payload of a ping, which goes back
    size_t ping_size;
    long frames;
    double last; // when the last frame came [s]
} Client;

static Client clients[MAX_CLIENTS];
static double gaps[MAX_GAPS];
static size_t gap_count;
static int port;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void send_all(const Client *client, const void *bytes, size_t size)
{
    if (send(client->fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size) fail("send");
}

// One masked frame; a mask of zeros leaves the payload as it is.
static void send_frame(const Client *client, uint8_t opcode, const char *payload, size_t size)
{
    uint8_t frame[8 + 1024] = {(uint8_t)(0x80 | opcode)};
    size_t at = 2;
    if (size < 126) {
        frame[1] = (uint8_t)(0x80 | size);
    } else {
        frame[1] = 0x80 | 126;
        frame[2] = (uint8_t)(size >> 8);
        frame[3] = (uint8_t)size;
        at = 4;
    }
    memset(frame + at, 0, 4);
    memcpy(frame + at + 4, payload, size);
    send_all(client, frame, at + 4 + size);
}

static void send_watch(const Client *client)
{
    char text[512];
    int size =
        snprintf(text, sizeof text, "{\"type\":\"watch\",\"id\":1,\"rate\":60,\"signals\":[0");
    const int watched = client->stalled ? STALLED_WATCHED : WATCHED;
    for (int i = 1; i < watched; i++)
        size += snprintf(text + size, sizeof text - (size_t)size, ",%d", i);
    size += snprintf(text + size, sizeof text - (size_t)size, "]}");
    send_frame(client, 1, text, (size_t)size);
}

static void client_open(Client *client)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr = {htonl(INADDR_LOOPBACK)}};
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (client->fd < 0) fail("socket");
    // A stalled client's window is small, so that it stalls soon.
    const int small = 4096, one = 1;
    if (client->stalled) setsockopt(client->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(client->fd, (const struct sockaddr *)&address, sizeof address) != 0)
        fail("connect");
    client->open = false;
    client->head_size = client->frame_size = 0;
    client->left = 0;
    char request[512];
    const int size = snprintf(request, sizeof request,
                              "GET /socket HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                              "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: aXJvbmJpcmQgbG9hZCB0ZQ==\r\n"
                              "Sec-WebSocket-Protocol: ironbird.v1\r\n\r\n",
                              port);
    send_all(client, request, (size_t)size);
}

// Takes the answer to the handshake; returns how many bytes belonged to it.
static size_t take_head(Client *client, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (client->head_size + 1 >= sizeof client->head) fail("answer too long");
        client->head[client->head_size++] = (char)bytes[i];
        client->head[client->head_size] = '\0';
        if (client->head_size < 4 || strcmp(client->head + client->head_size - 4, "\r\n\r\n") != 0)
            continue;
        if (strncmp(client->head, "HTTP/1.1 101", 12) != 0) {
            fprintf(stderr, "load: refused: %.60s\n", client->head);
            exit(1);
        }
        client->open = true;
        send_watch(client);
        return i + 1;
    }
    return size;
}

static void count_frame(Client *client)
{
    const double t = now();
    if (client->frames > 0 && gap_count < MAX_GAPS) gaps[gap_count++] = t - client->last;
    client->last = t;
    client->frames++;
}

// How long the frame's header is, as far as its first two bytes tell.
static size_t header_size(const Client *client)
{
    if (client->frame_size < 2) return 2;
    const int length = client->frame[1] & 127;
    return length == 126 ? 4 : length == 127 ? 10 : 2;
}

static uint64_t payload_size(const Client *client, size_t head)
{
    if (head == 2) return client->frame[1] & 127;
    uint64_t size = 0;
    for (size_t i = 2; i < head; i++) size = size << 8 | client->frame[i];
    return size;
}

// A part of a frame's payload: of a row only the first byte matters, a ping is sent back.
static void take_payload(Client *client, const uint8_t *bytes, size_t size)
{
    const int opcode = client->frame[0] & 15;
    if (opcode == 2 && client->first && size > 0 && bytes[0] == 1) count_frame(client);
    client->first = false;
    if (opcode == 9 && size <= sizeof client->ping - client->ping_size) {
        if (size > 0) memcpy(client->ping + client->ping_size, bytes, size);
        client->ping_size += size;
    }
    client->left -= size;
    if (client->left > 0) return;
    if (opcode == 9) send_frame(client, 10, client->ping, client->ping_size);
    client->frame_size = 0;
}

static void take(Client *client, const uint8_t *bytes, size_t size)
{
    size_t at = client->open ? 0 : take_head(client, bytes, size);
    while (at < size) {
        if (client->left > 0) {
            const size_t part = client->left < size - at ? (size_t)client->left : size - at;
            take_payload(client, bytes + at, part);
            at += part;
            continue;
        }
        client->frame[client->frame_size++] = bytes[at++];
        const size_t head = header_size(client);
        if (client->frame_size < head) continue;
        client->left = payload_size(client, head);
        client->first = true;
        client->ping_size = 0;
        if (client->left == 0) take_payload(client, NULL, 0);
    }
}

static void client_close(Client *client)
{
    close(client->fd);
    client->fd = -1; // poll() leaves it alone
    client->closed = true;
}

// Reads what is there.
static void client_serve(Client *client)
{
    static uint8_t bytes[65536];
    const size_t most = client->stalled ? 512 : sizeof bytes;
    const ssize_t size = recv(client->fd, bytes, most, MSG_DONTWAIT);
    if (size > 0) {
        take(client, bytes, (size_t)size);
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
        client_close(client);
    }
}

// Was the stalled client thrown out? It learns so only behind all the bytes that it has not read.
static void drain(Client *client)
{
    static uint8_t bytes[65536];
    const double end = now() + 1;
    while (!client->closed && now() < end) {
        struct pollfd polled = {client->fd, POLLIN, 0};
        if (poll(&polled, 1, 100) == 1 && recv(client->fd, bytes, sizeof bytes, 0) <= 0)
            client_close(client);
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(int count, double seconds)
{
    long least = clients[1].frames, most = 0;
    int lost = 0;
    for (int i = 1; i < count; i++) {
        const long frames = clients[i].frames;
        if (frames < least) least = frames;
        if (frames > most) most = frames;
        lost += clients[i].closed;
    }
    qsort(gaps, gap_count, sizeof gaps[0], ascending);
    const double p99 = gap_count > 0 ? gaps[(gap_count - 1) * 99 / 100] : 0;
    const double worst = gap_count > 0 ? gaps[gap_count - 1] : 0;
    printf("{\"clients\":%d,\"seconds\":%.1f,\"rate_min\":%.2f,\"rate_max\":%.2f,"
           "\"gap_p99_ms\":%.2f,\"gap_max_ms\":%.2f,\"lost\":%d,\"stalled_closed\":%d}\n",
           count, seconds, (double)least / seconds, (double)most / seconds, 1e3 * p99, 1e3 * worst,
           lost, clients[0].closed);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: load PORT CLIENTS SECONDS\n");
        return 2;
    }
    port = atoi(argv[1]);
    const int count = atoi(argv[2]);
    const double seconds = atof(argv[3]);
    if (count < 2 || count > MAX_CLIENTS) return 2;
    for (int i = 0; i < count; i++) {
        clients[i].stalled = i == 0;
        client_open(&clients[i]);
    }
    const double start = now();
    while (now() < start + seconds) {
        struct pollfd polled[MAX_CLIENTS];
        for (int i = 0; i < count; i++) {
            const bool reads = !clients[i].stalled || !clients[i].open;
            polled[i] = (struct pollfd){reads ? clients[i].fd : -1, POLLIN, 0};
        }
        if (poll(polled, (nfds_t)count, 100) < 0 && errno != EINTR) fail("poll");
        for (int i = 0; i < count; i++)
            if (polled[i].revents != 0) client_serve(&clients[i]);
    }
    drain(&clients[0]);
    report(count, seconds);
    return 0;
}
