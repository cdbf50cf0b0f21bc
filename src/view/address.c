#include "view/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

bool ib_address_read(const char *text, ib_Address *address)
{
    *address = (ib_Address){0};
    if (inet_pton(AF_INET, text, address->bytes) == 1) return true;
    address->six = inet_pton(AF_INET6, text, address->bytes) == 1;
    return address->six;
}

bool ib_address_equal(const ib_Address *a, const ib_Address *b)
{
    return a->six == b->six && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

bool ib_address_loopback(const ib_Address *address)
{
    static const ib_Address six = {.six = true, .bytes = {[15] = 1}};
    return address->six ? ib_address_equal(address, &six) : address->bytes[0] == 127;
}

bool ib_address_any(const ib_Address *address)
{
    ib_Address none = {.six = address->six};
    return ib_address_equal(address, &none);
}

void ib_address_bare(const char *host, char *bare, size_t size)
{
    size_t length = strlen(host);
    bool bracket = length > 2 && host[0] == '[' && host[length - 1] == ']';
    snprintf(bare, size, "%.*s", (int)(bracket ? length - 2 : length), bracket ? host + 1 : host);
    ib_Address address;
    bool six = bracket && ib_address_read(bare, &address) && address.six;
    if (bracket && !six) snprintf(bare, size, "%s", host);
}

// RFC 6761, 6.3: localhost is loopback, regardless of hosts file and name server.
static bool is_localhost(const char *host)
{
    return strcasecmp(host, "localhost") == 0;
}

bool ib_address_local(const char *host)
{
    char bare[64];
    ib_Address address;
    ib_address_bare(host, bare, sizeof bare);
    if (ib_address_read(bare, &address)) return ib_address_loopback(&address);
    bool digits = strncmp(host, "127.", 4) == 0 && !host[strspn(host, "0123456789.")]; // "127.1"
    return digits || is_localhost(host);
}

static void set_address(const struct sockaddr *from, ib_Address *address)
{
    *address = (ib_Address){.six = from->sa_family == AF_INET6};
    if (address->six)
        memcpy(address->bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, 16);
    else
        memcpy(address->bytes, &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
}

bool ib_address_outer(char *text, size_t size)
{
    struct ifaddrs *all;
    bool found = false;
    if (getifaddrs(&all) != 0) return false;
    for (const struct ifaddrs *at = all; at && !found; at = at->ifa_next) {
        bool up = (at->ifa_flags & IFF_UP) && !(at->ifa_flags & IFF_LOOPBACK);
        if (!up || !at->ifa_addr || at->ifa_addr->sa_family != AF_INET) continue;
        ib_Address address;
        set_address(at->ifa_addr, &address);
        found = inet_ntop(AF_INET, address.bytes, text, (socklen_t)size) != NULL;
    }
    freeifaddrs(all);
    return found;
}

static int port_of(int fd)
{
    struct sockaddr_storage own = {0};
    socklen_t size = sizeof own;
    if (getsockname(fd, (struct sockaddr *)&own, &size) != 0) return 0;
    return ntohs(own.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&own)->sin6_port
                                           : ((struct sockaddr_in *)&own)->sin_port);
}

static ib_Status listen_at(const struct addrinfo *at, int *fd)
{
    *fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0) return IB_FAILED;
    // A port can be served again immediately after its last use.
    int yes = 1;
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(*fd, at->ai_addr, at->ai_addrlen) == 0 && listen(*fd, 256) == 0) return IB_OK;
    int reason = errno;
    close(*fd);
    *fd = -1;
    errno = reason;
    return IB_FAILED;
}

ib_Status ib_address_listen(const char *host, int *port, ib_Address *address, int *fd,
                            ib_Error *error)
{
    char service[16];
    snprintf(service, sizeof service, "%d", *port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found;
    const char *known = is_localhost(host) ? "127.0.0.1" : host;
    int wrong = getaddrinfo(known, service, &hints, &found);
    if (wrong)
        return ib_error_set(error, IB_BAD_INPUT, "the address '%s' is not known: %s", host,
                            gai_strerror(wrong));
    set_address(found->ai_addr, address);
    ib_Status status = listen_at(found, fd);
    int reason = errno;
    freeaddrinfo(found);
    if (status == IB_OK) {
        *port = port_of(*fd);
        return IB_OK;
    }
    if (reason == EADDRINUSE)
        return ib_error_set(error, IB_BAD_INPUT,
                            "port %d on %s is in use: stop the other program or choose another "
                            "with --port N",
                            *port, host);
    if (reason == EACCES)
        return ib_error_set(error, IB_BAD_INPUT,
                            "port %d on %s is not allowed: choose one above 1023 with --port N",
                            *port, host);
    return ib_error_set(error, IB_BAD_INPUT, "cannot listen at port %d on %s: %s", *port, host,
                        strerror(reason));
}
