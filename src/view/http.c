#include "view/http.h"

#include "view/page.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    PLACES = 64, ///< for served connections
    SPARE = 2,   ///< for connections that get the answer "no place"
    SLOTS = PLACES + SPARE,
    EVENTS = 64,         ///< read from the system at once
    ROUND = 256,         ///< connections accepted before the others are served
    RESPONSE_HEAD = 640, ///< bytes
    DISCARD = 256 << 10, ///< bytes read and thrown away after an answer, at most
};

// Time limit for a whole answer, however steadily it is read [s].
static const double answer_time = 60;
// Time without progress of an answer after which it makes room for others [s].
static const double stalled_time = 0.5;
// Time for the other side to close after the answer: closing first, with bytes unread, would make
// its system discard the answer [s].
static const double linger_time = 1;

typedef enum SlotState { FREE, READING, ANSWERING, LINGERING } SlotState;

typedef struct Slot {
    SlotState state;
    int fd;
    double since;    ///< start of this state
    double progress; ///< time of the last byte sent
    size_t used;     ///< bytes of `head`; lingering: discarded bytes
    char head[IB_REQUEST_HEAD];
    char response[RESPONSE_HEAD];
    size_t response_size, sent; ///< `sent` counts through response and body
    const void *body;
    size_t body_size;
} Slot;

struct ib_HttpServer {
    ib_HttpConfig config;
    int epoll;
    bool deaf; ///< out of descriptors: the listener is not polled until the next update
    double now;
    char full[96];     ///< answer without a place
    Slot slots[SLOTS]; ///< the spare ones last
};

static void slot_close(Slot *slot)
{
    if (slot->state == FREE) return;
    close(slot->fd);
    slot->state = FREE;
}

static void slot_watch(ib_HttpServer *http, Slot *slot, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = slot};
    if (epoll_ctl(http->epoll, EPOLL_CTL_MOD, slot->fd, &event) != 0) slot_close(slot);
}

// --------------------------------------------------------------------------------------- answering

static const char *reason_of(int code)
{
    switch (code) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 426:
        return "Upgrade Required";
    case 503:
        return "Service Unavailable";
    default:
        return "Request Header Fields Too Large";
    }
}

static void slot_linger(ib_HttpServer *http, Slot *slot)
{
    shutdown(slot->fd, SHUT_WR);
    slot->state = LINGERING;
    slot->since = http->now;
    slot->used = 0;
    slot_watch(http, slot, EPOLLIN | EPOLLRDHUP);
}

// Sends as much of the answer as the connection takes; after the last byte it lingers.
static void slot_write(ib_HttpServer *http, Slot *slot)
{
    size_t whole = slot->response_size + slot->body_size;
    while (slot->sent < whole) {
        size_t head = slot->sent < slot->response_size ? slot->sent : slot->response_size;
        size_t body = slot->sent - head;
        struct iovec parts[2] = {
            {slot->response + head, slot->response_size - head},
            {(unsigned char *)(uintptr_t)slot->body + body, slot->body_size - body},
        };
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = slot->body_size ? 2 : 1};
        ssize_t taken = sendmsg(slot->fd, &message, MSG_NOSIGNAL);
        if (taken < 0 && errno == EINTR) continue;
        if (taken < 0 && errno == EAGAIN) return;
        if (taken < 0) {
            slot_close(slot);
            return;
        }
        slot->sent += (size_t)taken;
        slot->progress = http->now;
    }
    slot_linger(http, slot);
}

// `body_size` is the size in the headers; a HEAD sends no body.
static void slot_answer(ib_HttpServer *http, Slot *slot, int code, const char *type,
                        const void *body, size_t body_size, bool head)
{
    static const char *const extra[] = {"Allow: GET, HEAD\r\n",
                                        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n", ""};
    int length = snprintf(slot->response, sizeof slot->response,
                          "HTTP/1.1 %d %s\r\n"
                          "Content-Type: %s; charset=utf-8\r\n"
                          "Content-Length: %zu\r\n"
                          "%s"
                          "Cache-Control: no-store\r\n"
                          "X-Content-Type-Options: nosniff\r\n"
                          "X-Frame-Options: DENY\r\n"
                          "Referrer-Policy: no-referrer\r\n"
                          "Cross-Origin-Resource-Policy: same-origin\r\n"
                          "Connection: close\r\n\r\n",
                          code, reason_of(code), type, body_size,
                          extra[code == 405   ? 0
                                : code == 426 ? 1
                                              : 2]);
    IB_ASSERT(length > 0 && (size_t)length < sizeof slot->response);
    slot->response_size = (size_t)length;
    slot->body = body;
    slot->body_size = head ? 0 : body_size;
    slot->sent = 0;
    slot->state = ANSWERING;
    slot->since = slot->progress = http->now;
    slot_watch(http, slot, EPOLLOUT);
    if (slot->state == ANSWERING) slot_write(http, slot);
}

static void slot_refuse(ib_HttpServer *http, Slot *slot, int code, const char *text, bool head)
{
    slot_answer(http, slot, code, "text/plain", text, strlen(text), head);
}

// ----------------------------------------------------------------------------------------- reading

static void slot_enter(ib_HttpServer *http, Slot *slot, const ib_Request *request, size_t head)
{
    char text[IB_REQUEST_HEAD + 512];
    size_t size = ib_request_upgrade(request, text, 512);
    memcpy(text + size, slot->head + head, slot->used - head);
    size += slot->used - head;
    epoll_ctl(http->epoll, EPOLL_CTL_DEL, slot->fd, NULL);
    slot->state = FREE;
    http->config.enter(http->config.self, slot->fd, text, size);
}

// Answers a request with a complete head: the socket, the page or a refusal.
static void slot_decide(ib_HttpServer *http, Slot *slot, size_t head)
{
    ib_Request request;
    if (!ib_request_read(slot->head, head, &request)) {
        slot_refuse(http, slot, 400, "This is no proper HTTP request.", false);
        return;
    }
    bool bare = ib_span_is(request.method, "HEAD");
    ib_AdmissionAnswer answer = ib_admission_decide(http->config.admission, &request);
    if (answer.kind == IB_ADMISSION_SOCKET)
        slot_enter(http, slot, &request, head);
    else if (answer.kind == IB_ADMISSION_PAGE)
        slot_answer(http, slot, 200, "text/html", ib_view_page, ib_view_page_size, bare);
    else
        slot_refuse(http, slot, answer.code, answer.text, bare);
}

// Reads the received part of a request, and decides as soon as its head is complete or cannot be.
static void slot_read(ib_HttpServer *http, Slot *slot)
{
    ssize_t got = recv(slot->fd, slot->head + slot->used, sizeof slot->head - slot->used, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        slot_close(slot);
        return;
    }
    size_t known = slot->used;
    slot->used += (size_t)got;
    size_t head = ib_request_end(slot->head, slot->used, known);
    char first = slot->head[0];
    if (head)
        slot_decide(http, slot, head);
    else if (slot->used == sizeof slot->head)
        slot_refuse(http, slot, 431, "The request's head is longer than 8 KiB.", false);
    else if (first < 'A' || first > 'Z') // a TLS client would wait in vain
        slot_refuse(http, slot, 400, "This is no HTTP request; https is not spoken here.", false);
}

static void slot_discard(Slot *slot)
{
    // The head is no longer needed and takes the discarded bytes.
    ssize_t got = recv(slot->fd, slot->head, sizeof slot->head, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got > 0) slot->used += (size_t)got;
    if (got <= 0 || slot->used > DISCARD) slot_close(slot);
}

// ------------------------------------------------------------------------------------- connections

// The oldest connection in one state, or NULL.
static Slot *oldest(ib_HttpServer *http, SlotState state)
{
    Slot *found = NULL;
    for (int i = 0; i < PLACES; i++) {
        Slot *slot = &http->slots[i];
        if (slot->state == state && (!found || slot->since < found->since)) found = slot;
    }
    return found;
}

// The connection without progress of its answer for the longest time, if that is long; or NULL.
static Slot *most_stalled(ib_HttpServer *http)
{
    Slot *found = NULL;
    for (int i = 0; i < PLACES; i++) {
        Slot *slot = &http->slots[i];
        if (slot->state != ANSWERING || http->now - slot->progress < stalled_time) continue;
        if (!found || slot->progress < found->progress) found = slot;
    }
    return found;
}

// A place for one more connection: a free one, else that of a connection which has its answer, has
// stalled or, last, is the oldest with an unfinished request. NULL: all are being served.
static Slot *find_place(ib_HttpServer *http)
{
    int count = http->config.inside(http->config.self);
    for (int i = 0; i < PLACES; i++) count += http->slots[i].state != FREE;
    if (count < http->config.connections) return oldest(http, FREE);
    Slot *slot = oldest(http, LINGERING);
    if (!slot) slot = most_stalled(http);
    if (!slot) slot = oldest(http, READING);
    if (slot) slot_close(slot);
    return slot;
}

// A spare slot, if necessary that of the caller refused first, whose answer is out.
static Slot *find_spare(ib_HttpServer *http)
{
    Slot *found = &http->slots[PLACES];
    for (int i = PLACES; i < SLOTS; i++) {
        Slot *slot = &http->slots[i];
        if (slot->state == FREE) return slot;
        if (slot->since < found->since) found = slot;
    }
    slot_close(found);
    return found;
}

// Gives a new connection a place; without one it gets a refusal in a spare slot.
static void take(ib_HttpServer *http, int fd)
{
    Slot *slot = find_place(http);
    bool full = !slot;
    if (full) slot = find_spare(http);
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = slot};
    if (epoll_ctl(http->epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
        close(fd);
        return;
    }
    // Small system buffers give a slow client fresh frames, not old ones.
    int yes = 1, buffer = 128 << 10, unsent = 16 << 10;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    slot->state = READING;
    slot->fd = fd;
    slot->since = slot->progress = http->now;
    slot->used = 0;
    if (full) // for every request
        slot_refuse(http, slot, 503, http->full, false);
    else
        slot_read(http, slot);
}

static void hear(ib_HttpServer *http, bool on)
{
    struct epoll_event event = {.events = on ? EPOLLIN : 0, .data.ptr = NULL};
    epoll_ctl(http->epoll, EPOLL_CTL_MOD, http->config.listener, &event);
    http->deaf = !on;
}

// Accepts waiting connections; when no file can be opened any more, it stops listening for a while.
static void take_all(ib_HttpServer *http)
{
    for (int i = 0; i < ROUND; i++) {
        int fd = accept4(http->config.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0)
            take(http, fd);
        else if (errno == EAGAIN)
            return;
        else if (errno != EINTR && errno != ECONNABORTED) {
            hear(http, false);
            return;
        }
    }
}

void ib_http_service(ib_HttpServer *http, double now)
{
    http->now = now;
    struct epoll_event events[EVENTS];
    int count = epoll_wait(http->epoll, events, EVENTS, 0);
    bool callers = false;
    for (int i = 0; i < count; i++) {
        Slot *slot = events[i].data.ptr;
        if (!slot)
            callers = true;
        else if (slot->state == READING)
            slot_read(http, slot);
        else if (slot->state == ANSWERING)
            slot_write(http, slot);
        else if (slot->state == LINGERING)
            slot_discard(slot);
    }
    // New connections come last, because one may take the slot of another that is still among
    // the events.
    if (callers) take_all(http);
}

void ib_http_update(ib_HttpServer *http, double now)
{
    http->now = now;
    if (http->deaf) hear(http, true);
    for (int i = 0; i < SLOTS; i++) {
        Slot *slot = &http->slots[i];
        double age = now - slot->since, still = now - slot->progress;
        bool late =
            (slot->state == READING && age > http->config.head_time) ||
            (slot->state == ANSWERING && (still > http->config.stall_time || age > answer_time)) ||
            (slot->state == LINGERING && age > linger_time);
        if (late) slot_close(slot);
    }
}

int ib_http_fd(const ib_HttpServer *http)
{
    return http->epoll;
}

ib_Status ib_http_create(const ib_HttpConfig *config, ib_HttpServer **http, ib_Error *error)
{
    IB_ASSERT(config->connections >= 1 && config->connections <= PLACES);
    *http = calloc(1, sizeof **http);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    int epoll = *http ? epoll_create1(EPOLL_CLOEXEC) : -1;
    if (epoll >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, config->listener, &event) == 0) {
        (*http)->config = *config;
        (*http)->epoll = epoll;
        snprintf((*http)->full, sizeof(*http)->full,
                 "%d connections are open already: close a page, or wait.", config->connections);
        return IB_OK;
    }
    int reason = errno; // the calls below may change it
    if (epoll >= 0) close(epoll);
    close(config->listener);
    free(*http);
    *http = NULL;
    return ib_error_set(error, IB_FAILED, "the viewer's server cannot start: %s", strerror(reason));
}

void ib_http_destroy(ib_HttpServer *http)
{
    if (!http) return;
    for (int i = 0; i < SLOTS; i++) slot_close(&http->slots[i]);
    close(http->config.listener);
    close(http->epoll);
    free(http);
}
