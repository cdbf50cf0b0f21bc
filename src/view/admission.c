#include "view/admission.h"

#include "view/address.h"

#include <string.h>
#include <sys/random.h>

// -------------------------------------------------------------------------------------------- Host

// "name:port", "name", "[address]:port", "[address]". A name without a port means port 80.
static bool split_host(ib_Span host, ib_Span *name, int *port)
{
    const char *end = host.text + host.size;
    const char *at = host.text;
    if (host.size && *at == '[') {
        at = memchr(at, ']', host.size);
        if (!at) return false;
        at++;
    } else {
        const char *colon = host.size ? memchr(at, ':', host.size) : NULL;
        at = colon ? colon : end;
    }
    *name = (ib_Span){host.text, (size_t)(at - host.text)};
    *port = 80;
    if (at == end) return name->size > 0;

    // A port has one to five digits without a leading zero, and nothing behind them.
    if (*at++ != ':' || at == end || end - at > 5 || *at == '0') return false;
    for (*port = 0; at < end; at++) {
        if (*at < '0' || *at > '9') return false;
        *port = *port * 10 + (*at - '0');
    }
    return name->size > 0;
}

// The name as an address: brackets around one of IPv6, none around one of IPv4.
static bool read_literal(ib_Span name, ib_Address *address)
{
    char text[64];
    bool bracket = name.size > 2 && name.text[0] == '[' && name.text[name.size - 1] == ']';
    if (bracket) name = (ib_Span){name.text + 1, name.size - 2};
    if (name.size >= sizeof text || memchr(name.text, '\0', name.size)) return false;
    memcpy(text, name.text, name.size);
    text[name.size] = '\0';
    return ib_address_read(text, address) && address->six == bracket;
}

bool ib_admission_host(const ib_Admission *admission, ib_Span host)
{
    ib_Span name;
    int port;
    if (!split_host(host, &name, &port) || port != admission->port) return false;
    // A server at all addresses also listens at these.
    bool local = admission->loopback || admission->any;
    if (local && (ib_span_is_nocase(name, "localhost") || ib_span_is(name, "127.0.0.1") ||
                  ib_span_is(name, "[::1]")))
        return true;

    ib_Address asked, bound;
    if (read_literal(name, &asked))
        return admission->any ||
               (ib_address_read(admission->host, &bound) && ib_address_equal(&asked, &bound));
    // The host is a name: the given one, or that of the machine.
    if (admission->any) return admission->name[0] && ib_span_is_nocase(name, admission->name);
    return !ib_address_read(admission->host, &bound) && ib_span_is_nocase(name, admission->host);
}

// ----------------------------------------------------------------------------- Origin, token, path

bool ib_admission_origin(ib_Span host, ib_Span origin)
{
    static const char scheme[] = "http://";
    size_t size = sizeof scheme - 1;
    return origin.size == size + host.size && memcmp(origin.text, scheme, size) == 0 &&
           memcmp(origin.text + size, host.text, host.size) == 0;
}

bool ib_admission_token(const ib_Admission *admission, ib_Span query)
{
    static const char key[] = "token=";
    size_t size = sizeof key - 1;
    if (query.size != size + IB_TOKEN || memcmp(query.text, key, size) != 0) return false;
    // All digits are compared, so that the time does not reveal the first wrong one.
    volatile unsigned char different = 0;
    for (size_t i = 0; i < IB_TOKEN; i++)
        different |= (unsigned char)(query.text[size + i] ^ admission->token[i]);
    return different == 0;
}

bool ib_admission_draw_token(char token[IB_TOKEN + 1])
{
    unsigned char bytes[IB_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) {
        token[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        token[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    token[IB_TOKEN] = '\0';
    return true;
}

// ------------------------------------------------------------------------------------ the decision

static ib_AdmissionAnswer refuse(int code, const char *text)
{
    return (ib_AdmissionAnswer){IB_ADMISSION_REFUSE, code, text};
}

// True for a key: 24 characters of base64 for 16 bytes, 22 of data and two of padding.
static bool is_key(ib_Span key)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (key.size != 24 || memcmp(key.text + 22, "==", 2) != 0) return false;
    for (size_t i = 0; i < 22; i++)
        if (!memchr(digits, key.text[i], sizeof digits - 1)) return false;
    return true;
}

static ib_AdmissionAnswer decide_socket(const ib_Request *request)
{
    if (!request->connection || request->key.count != 1 || !is_key(request->key.value))
        return refuse(400, "This is no proper request for a WebSocket.");
    if (request->version.count != 1 || !ib_span_is(request->version.value, "13"))
        return refuse(426, "Only version 13 of the WebSocket protocol is spoken here.");
    if (!request->subprotocol)
        return refuse(403, "The socket speaks the subprotocol ironbird.v1 only; ask for it.");
    return (ib_AdmissionAnswer){IB_ADMISSION_SOCKET, 101, ""};
}

ib_AdmissionAnswer ib_admission_decide(const ib_Admission *admission, const ib_Request *request)
{
    // The host is checked first: a stranger learns nothing else.
    if (request->host.count != 1 || !ib_admission_host(admission, request->host.value))
        return refuse(403,
                      "The request's Host is not the address that this server was opened for.");
    if (request->origin.count > 1 ||
        (request->origin.count == 1 &&
         !ib_admission_origin(request->host.value, request->origin.value)))
        return refuse(403, "Pages of another origin may not use this server.");

    // The path is compared as sent, without decoding or normalising.
    ib_Span path = request->target, query = {NULL, 0};
    const char *mark = memchr(path.text, '?', path.size);
    if (mark) {
        query = (ib_Span){mark + 1, path.size - (size_t)(mark + 1 - path.text)};
        path.size = (size_t)(mark - path.text);
    }
    bool get = ib_span_is(request->method, "GET"), head = ib_span_is(request->method, "HEAD");
    if (!get && !head) return refuse(405, "Only GET and HEAD are answered.");
    bool page = ib_span_is(path, "/"), socket = ib_span_is(path, "/socket");
    if ((!page && !socket) || (mark && (query.size < 6 || memcmp(query.text, "token=", 6) != 0)))
        return refuse(404, "There is nothing at this address.");
    if (admission->open && !ib_admission_token(admission, query))
        return refuse(403, "The token in the address is missing or wrong: use the address that "
                           "ironbird serve has printed.");

    if (socket && request->upgrade && get) return decide_socket(request);
    if (socket || request->upgrade) return refuse(404, "There is nothing at this address.");
    return (ib_AdmissionAnswer){IB_ADMISSION_PAGE, 200, ""};
}
