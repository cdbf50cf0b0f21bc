// view/request.h: the head of an HTTP request, read strictly. docs/viewer.md
// What is not plainly right is no request. It is pure: bytes in, parts out.
#ifndef IB_VIEW_REQUEST_H
#define IB_VIEW_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum {
    IB_REQUEST_HEAD = 8192,   ///< bytes of a head, at most
    IB_REQUEST_HEADERS = 100, ///< lines of a head, at most
};

// Some of the bytes that were read; not closed by a NUL.
typedef struct ib_Span {
    const char *text;
    size_t size;
} ib_Span;

// A header that may stand there once only.
typedef struct ib_RequestHeader {
    ib_Span value; ///< of the first; without the blanks around it
    int count;     ///< how often it was there
} ib_RequestHeader;

typedef struct ib_Request {
    ib_Span method;                        ///< "GET"
    ib_Span target;                        ///< as sent, not decoded: "/socket?token=12"
    ib_RequestHeader host, origin;         ///< who is asked, and on whose behalf
    ib_RequestHeader key, version;         ///< Sec-WebSocket-…
    bool upgrade, connection, subprotocol; ///< asks for a websocket; by ironbird.v1
} ib_Request;

// Bytes of the head that `bytes` begin with, its empty line included; 0 while it is not all there.
// The first `known` bytes were looked at before and hold no end.
size_t ib_request_end(const char *bytes, size_t size, size_t known);

// Reads a whole head. False: it is no HTTP/1.0 or 1.1 request (or has too many lines).
bool ib_request_read(const char *bytes, size_t size, ib_Request *request);

bool ib_span_is(ib_Span span, const char *text);        ///< byte for byte
bool ib_span_is_nocase(ib_Span span, const char *text); ///< letters of ASCII in either case

// An upgrade with the same key, in our own words, so that what parses it next sees nothing else of
// what the client wrote. Returns its length, < size. The key must be one (view/admission.h).
size_t ib_request_upgrade(const ib_Request *request, char *text, size_t size);

#endif
