// view/request.h: the head of an HTTP request, read strictly. docs/view/viewer.md A head with any
// doubtful part is refused. The functions are pure: bytes in, parts out.
#ifndef IB_VIEW_REQUEST_H
#define IB_VIEW_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum {
    IB_REQUEST_HEAD = 8192,   ///< bytes of a head, at most
    IB_REQUEST_HEADERS = 100, ///< lines of a head, at most
};

// A part of the bytes read, without a closing NUL.
typedef struct ib_Span {
    const char *text;
    size_t size;
} ib_Span;

// A header that may occur only once.
typedef struct ib_RequestHeader {
    ib_Span value; ///< of the first; without the blanks around it
    int count;     ///< number of occurrences
} ib_RequestHeader;

typedef struct ib_Request {
    ib_Span method;                        ///< "GET"
    ib_Span target;                        ///< as sent, not decoded: "/socket?token=12"
    ib_RequestHeader host, origin;         ///< the host asked, and the asking page's origin
    ib_RequestHeader key, version;         ///< Sec-WebSocket-…
    bool upgrade, connection, subprotocol; ///< asks for a websocket; by ironbird.v1
} ib_Request;

// Bytes of the head that `bytes` begin with, its empty line included; 0 while it is incomplete. The
// first `known` bytes were searched before and hold no end.
size_t ib_request_end(const char *bytes, size_t size, size_t known);

// Reads a complete head. False: not an HTTP/1.0 or 1.1 request (or too many lines).
bool ib_request_read(const char *bytes, size_t size, ib_Request *request);

bool ib_span_is(ib_Span span, const char *text);        ///< byte for byte
bool ib_span_is_nocase(ib_Span span, const char *text); ///< letters of ASCII in either case

// Writes an upgrade with the same key, so that the next parser sees nothing else of the client's
// text. Returns its length, < size. The key must be valid (view/admission.h).
size_t ib_request_upgrade(const ib_Request *request, char *text, size_t size);

#endif
