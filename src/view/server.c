#include "view/server.h"

#include "view/address.h"
#include "view/http.h"
#include "view/hub.h"
#include "view/sockets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

_Static_assert(LWS_PRE <= IB_HUB_HEADROOM, "room before a message for the frame's head");

// Rows come 60 times a second; waking twice as often passes each on without waiting for the next.
// Without clients rows must only be taken before the feed is full.
enum { WAKES_PER_SECOND = 120, ALONE_PER_SECOND = 20 };

static const ib_Sockets *const lws = &ib_sockets;

// Time for a client to answer a close message, as the protocol requires [s].
static const double close_time = 1;

typedef struct Server {
    ib_ServerConfig config;
    ib_Admission admission;
    ib_HttpServer *http;
    ib_Hub hub;
    struct lws_context *context;
    struct lws_vhost *vhost;
    lws_sorted_usec_list_t wake;
} Server;

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

ib_ServerConfig ib_server_default(void)
{
    return (ib_ServerConfig){.host = "127.0.0.1",
                             .port = IB_SERVER_PORT,
                             .connections = IB_SERVER_CONNECTIONS,
                             .head_time = 5,
                             .stall_time = 5,
                             .silent_time = 30,
                             .ping_time = 10};
}

// -------------------------------------------------------------------------------------- the socket

static bool ping_due(const Server *server, const ib_Client *client, double now)
{
    return now - client->pinged >= server->config.ping_time;
}

static void ask_to_write(const Server *server, ib_Client *client, double now)
{
    if (client->waiting > 0 || client->closing > 0) return;
    if (!ping_due(server, client, now) && !ib_hub_pending(&server->hub, client, now)) return;
    client->waiting = now;
    lws->callback_on_writable(client->socket);
}

// Writes one message to a ready socket; then the others have their turn.
static int write_next(Server *server, ib_Client *client)
{
    double now = now_seconds();
    struct lws *socket = client->socket;
    client->waiting = 0;
    if (client->closing > 0) return 0;
    size_t size;
    ib_HubForm form = ib_hub_next(&server->hub, client, now, &size);
    if (form != IB_HUB_NOTHING) {
        enum lws_write_protocol protocol = form == IB_HUB_TEXT ? LWS_WRITE_TEXT : LWS_WRITE_BINARY;
        if (lws->write(socket, server->hub.out, size, protocol) < (int)size) return -1;
    } else if (ping_due(server, client, now)) {
        // The ping has a payload: libwebsockets reports no pong without one.
        static const char word[] = "here";
        client->pinged = now;
        memcpy(server->hub.out, word, sizeof word);
        if (lws->write(socket, server->hub.out, sizeof word, LWS_WRITE_PING) < 0) return -1;
    }
    ask_to_write(server, client, now);
    return 0;
}

// Sends the reason, and waits a moment for the other side to close; nothing more is sent or read.
static int close_with(ib_Client *client, enum lws_close_status status)
{
    client->closing = now_seconds();
    lws->close_reason(client->socket, status, NULL, 0);
    return -1;
}

// A message may come in parts; it is handled when complete.
static int receive(Server *server, ib_Client *client, const char *bytes, size_t size)
{
    struct lws *socket = client->socket;
    double now = now_seconds();
    client->heard = now;
    if (client->closing > 0) return 0;
    if (lws->frame_is_binary(socket))
        return close_with(client, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
    if (size > sizeof client->incoming - client->incoming_size)
        return close_with(client, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    memcpy(client->incoming + client->incoming_size, bytes, size);
    client->incoming_size += size;
    if (lws->remaining_packet_payload(socket) > 0 || !lws->is_final_fragment(socket)) return 0;

    size_t whole = client->incoming_size;
    client->incoming_size = 0;
    if (!ib_hub_hear(&server->hub, client, client->incoming, whole, now))
        return close_with(client, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    ask_to_write(server, client, now);
    return 0;
}

static int open_client(Server *server, struct lws *socket, ib_Client **client)
{
    double now = now_seconds();
    *client = ib_hub_open(&server->hub, socket, now);
    if (!*client) return -1;
    ask_to_write(server, *client, now);
    return 0;
}

// libwebsockets keeps an ib_Client * for each socket in `user`.
static int socket_event(struct lws *socket, enum lws_callback_reasons reason, void *user,
                        void *bytes, size_t size)
{
    Server *server = lws->context_user(lws->get_context(socket));
    ib_Client **client = user;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        return open_client(server, socket, client);
    case LWS_CALLBACK_RECEIVE:
        return *client ? receive(server, *client, bytes, size) : -1;
    case LWS_CALLBACK_RECEIVE_PONG:
        if (*client) (*client)->heard = now_seconds();
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return *client ? write_next(server, *client) : -1;
    case LWS_CALLBACK_CLOSED:
        if (*client) ib_hub_close(&server->hub, *client);
        *client = NULL;
        return 0;
    default:
        return 0;
    }
}

// -------------------------------------------------------------------------------------------- HTTP

// All connections of libwebsockets have passed view/http.h; the only file it serves here is the
// epoll file of that.
static int http_event(struct lws *socket, enum lws_callback_reasons reason, void *user, void *bytes,
                      size_t size)
{
    (void)user, (void)bytes, (void)size;
    Server *server = lws->context_user(lws->get_context(socket));
    switch (reason) {
    case LWS_CALLBACK_RAW_RX_FILE:
        ib_http_service(server->http, now_seconds());
        return 0;
    case LWS_CALLBACK_FILTER_HTTP_CONNECTION:
    case LWS_CALLBACK_HTTP:
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return -1;
    default:
        return 0;
    }
}

static int count_inside(void *self)
{
    return ((Server *)self)->hub.client_count;
}

static void let_in(void *self, int fd, const char *text, size_t size)
{
    // On failure libwebsockets has closed it.
    lws->adopt_socket_vhost_readbuf(((Server *)self)->vhost, fd, text, size);
}

// ---------------------------------------------------------------------------------------- the loop

static void look_after(Server *server, ib_Client *client, double now)
{
    bool stalled = client->waiting > 0 && now - client->waiting > server->config.stall_time;
    bool silent = now - client->heard > server->config.silent_time;
    bool lingering = client->closing > 0 && now - client->closing > close_time;
    if (stalled || silent || lingering)
        lws->set_timeout(client->socket, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
    else
        ask_to_write(server, client, now);
}

static void wake(lws_sorted_usec_list_t *timer)
{
    Server *server = lws_container_of(timer, Server, wake);
    double now = now_seconds();
    ib_hub_update(&server->hub, now);
    for (int i = 0; i < IB_HUB_CLIENTS; i++)
        if (server->hub.clients[i].number) look_after(server, &server->hub.clients[i], now);
    ib_http_update(server->http, now);
    int rate = server->hub.client_count > 0 ? WAKES_PER_SECOND : ALONE_PER_SECOND;
    lws->sul_schedule(server->context, 0, timer, wake, LWS_USEC_PER_SEC / rate);
}

// ----------------------------------------------------------------------------------- start and end

// Starts the websocket library without a port of its own: it polls the file of view/http.h, which
// hands connections over to it.
static ib_Status start_sockets(Server *server, ib_Error *error)
{
    static const struct lws_protocols protocols[] = {
        {.name = "http", .callback = http_event},
        {.name = "ironbird.v1",
         .callback = socket_event,
         .per_session_data_size = sizeof(ib_Client *),
         .rx_buffer_size = 4096},
        {0},
    };
    // The server sends its own pings.
    static const lws_retry_bo_t patient = {.secs_since_valid_ping = 50000,
                                           .secs_since_valid_hangup = 60000};
    ib_Status status = ib_sockets_open(error);
    if (status) return status;
    lws->set_log_level(0, NULL);
    struct lws_context_creation_info info = {.port = CONTEXT_PORT_NO_LISTEN_SERVER,
                                             .protocols = protocols,
                                             .gid = -1,
                                             .uid = -1,
                                             .user = server,
                                             .timeout_secs = 5,
                                             .max_http_header_pool = IB_HUB_CLIENTS,
                                             .fd_limit_per_thread = 4 * IB_HUB_CLIENTS,
                                             .retry_and_idle_policy = &patient,
                                             .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS};
    server->context = lws->create_context(&info);
    if (server->context) server->vhost = lws->create_vhost(server->context, &info);
    // libwebsockets closes adopted files: it gets a second handle on the file of view/http.h.
    lws_sock_file_fd_type file = {.filefd = server->vhost ? dup(ib_http_fd(server->http)) : -1};
    if (server->vhost && file.filefd < 0)
        return ib_error_set(error, IB_FAILED,
                            "the viewer's server cannot start: no more files can be opened");
    if (!server->vhost ||
        !lws->adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, file, "http", NULL))
        return ib_error_set(error, IB_FAILED, "the viewer's server cannot start: no memory");
    return IB_OK;
}

static ib_Status start_http(Server *server, ib_Error *error)
{
    ib_ServerConfig *config = &server->config;
    ib_Admission *admission = &server->admission;
    ib_Address address;
    int listener;
    ib_address_bare(config->host, admission->host, sizeof admission->host);
    if (ib_address_listen(admission->host, &config->port, &address, &listener, error))
        return error ? error->status : IB_BAD_INPUT;
    if (gethostname(admission->name, sizeof admission->name - 1) != 0) admission->name[0] = '\0';
    admission->port = config->port;
    admission->loopback = ib_address_loopback(&address);
    admission->any = ib_address_any(&address);
    admission->open = config->open;
    ib_HttpConfig http = {.admission = admission,
                          .listener = listener,
                          .connections = config->connections,
                          .head_time = config->head_time,
                          .stall_time = config->stall_time,
                          .inside = count_inside,
                          .enter = let_in,
                          .self = server};
    const char *wrong = NULL;
    if (!admission->loopback && !admission->open)
        wrong = "would be open to others and needs a token";
    if (admission->loopback && admission->open)
        wrong =
            "is this machine itself: no other machine can reach it; give an address of a network "
            "interface";
    if (admission->open && !ib_admission_draw_token(admission->token))
        wrong = "has no random numbers for a token";
    if (!wrong) return ib_http_create(&http, &server->http, error);
    close(listener);
    return ib_error_set(error, IB_BAD_INPUT, "'%s' %s", config->host, wrong);
}

// Gives the caller the viewer's address for a browser.
static void announce(const Server *server)
{
    if (!server->config.ready) return;
    const ib_Admission *admission = &server->admission;
    // "All addresses" is no URL: one of them, or the machine's name.
    char outer[64];
    const char *host = admission->host;
    if (admission->any && admission->name[0]) host = admission->name;
    if (admission->any && ib_address_outer(outer, sizeof outer)) host = outer;
    bool six = strchr(host, ':') != NULL;
    char url[640];
    snprintf(url, sizeof url, "http://%s%s%s:%d/%s%s", six ? "[" : "", host, six ? "]" : "",
             admission->port, admission->open ? "?token=" : "", admission->token);
    server->config.ready(server->config.self, url);
}

static void fill_limits(ib_ServerConfig *config)
{
    ib_ServerConfig standard = ib_server_default();
    if (!config->host) config->host = standard.host;
    if (config->connections <= 0 || config->connections > IB_SERVER_CONNECTIONS)
        config->connections = standard.connections;
    if (config->head_time <= 0) config->head_time = standard.head_time;
    if (config->stall_time <= 0) config->stall_time = standard.stall_time;
    if (config->silent_time <= 0) config->silent_time = standard.silent_time;
    if (config->ping_time <= 0) config->ping_time = standard.ping_time;
}

ib_Status ib_server_run(const ib_ServerConfig *config, ib_ViewSource *source, ib_Error *error)
{
    Server *server = calloc(1, sizeof *server);
    if (!server) return ib_error_set(error, IB_FAILED, "no memory for the viewer's server");
    server->config = *config;
    fill_limits(&server->config);
    ib_Status status = ib_hub_init(&server->hub, source, error);
    if (!status) status = start_http(server, error);
    if (!status) status = start_sockets(server, error);
    if (!status) {
        announce(server);
        lws->sul_schedule(server->context, 0, &server->wake, wake, 1);
        int alive = 0;
        while (!*config->stop && alive >= 0) alive = lws->service(server->context, 0);
        if (alive < 0) status = ib_error_set(error, IB_FAILED, "the viewer's server broke down");
    }

    // The sockets are closed first, which calls the hub.
    if (server->context) lws->context_destroy(server->context);
    ib_http_destroy(server->http);
    if (config->served) *config->served = server->hub.served;
    ib_hub_reset(&server->hub);
    free(server);
    return status;
}
