#include "view/request.h"

#include <stdio.h>
#include <string.h>

size_t ib_request_end(const char *bytes, size_t size, size_t known)
{
    size_t from = known > 3 ? known - 3 : 0;
    if (size < from + 4) return 0;
    const char *end = memmem(bytes + from, size - from, "\r\n\r\n", 4);
    return end ? (size_t)(end - bytes) + 4 : 0;
}

// ------------------------------------------------------------------------------------------- spans

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool ib_span_is(ib_Span span, const char *text)
{
    return span.size == strlen(text) && memcmp(span.text, text, span.size) == 0;
}

bool ib_span_is_nocase(ib_Span span, const char *text)
{
    if (span.size != strlen(text)) return false;
    for (size_t i = 0; i < span.size; i++)
        if (lower(span.text[i]) != lower(text[i])) return false;
    return true;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static ib_Span trimmed(ib_Span span)
{
    while (span.size && blank(span.text[0])) span.text++, span.size--;
    while (span.size && blank(span.text[span.size - 1])) span.size--;
    return span;
}

// Cuts the text before the next `mark` (or all) off the front of `rest`.
static ib_Span cut(ib_Span *rest, char mark)
{
    const char *at = rest->size ? memchr(rest->text, mark, rest->size) : NULL;
    size_t size = at ? (size_t)(at - rest->text) : rest->size;
    ib_Span part = {rest->text, size};
    size_t gone = at ? size + 1 : size;
    rest->text += gone;
    rest->size -= gone;
    return part;
}

// True if `word` is one of a list with commas. Subprotocols are case-sensitive, other words
// are not.
static bool lists(ib_Span list, const char *word, bool exact)
{
    while (list.size) {
        ib_Span item = trimmed(cut(&list, ','));
        if (exact ? ib_span_is(item, word) : ib_span_is_nocase(item, word)) return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------- lines

// A token of RFC 9110: letters, digits and these.
static bool is_token(ib_Span span)
{
    for (size_t i = 0; i < span.size; i++) {
        char c = span.text[i];
        bool plain = (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
        if (!plain && (c == '\0' || !strchr("!#$%&'*+-.^_`|~", c))) return false;
    }
    return span.size > 0;
}

// All characters visible ASCII; in a header's value also blanks and bytes beyond ASCII.
static bool is_clean(ib_Span span, bool value)
{
    for (size_t i = 0; i < span.size; i++) {
        unsigned char c = (unsigned char)span.text[i];
        bool visible = c > 0x20 && c < 0x7f;
        if (!visible && !(value && (c == ' ' || c == '\t' || c >= 0x80))) return false;
    }
    return true;
}

static bool read_first_line(ib_Span line, ib_Request *request)
{
    request->method = cut(&line, ' ');
    request->target = cut(&line, ' ');
    return is_token(request->method) && request->target.size > 0 &&
           is_clean(request->target, false) &&
           (ib_span_is(line, "HTTP/1.1") || ib_span_is(line, "HTTP/1.0"));
}

static void note(ib_RequestHeader *header, ib_Span value)
{
    if (header->count++ == 0) header->value = value;
}

static bool read_header(ib_Span line, ib_Request *request)
{
    // A blank before the colon or at the start of a line (a folded header) makes the name no token.
    bool colon = memchr(line.text, ':', line.size) != NULL;
    ib_Span name = cut(&line, ':');
    ib_Span value = trimmed(line);
    if (!colon || !is_token(name) || !is_clean(value, true)) return false;

    if (ib_span_is_nocase(name, "host")) note(&request->host, value);
    if (ib_span_is_nocase(name, "origin")) note(&request->origin, value);
    if (ib_span_is_nocase(name, "sec-websocket-key")) note(&request->key, value);
    if (ib_span_is_nocase(name, "sec-websocket-version")) note(&request->version, value);
    if (ib_span_is_nocase(name, "upgrade")) request->upgrade |= lists(value, "websocket", false);
    if (ib_span_is_nocase(name, "connection"))
        request->connection |= lists(value, "upgrade", false);
    if (ib_span_is_nocase(name, "sec-websocket-protocol"))
        request->subprotocol |= lists(value, "ironbird.v1", true);
    return true;
}

// The next line, which must end with CR LF and hold no other CR or LF.
static bool next_line(ib_Span *rest, ib_Span *line)
{
    *line = cut(rest, '\n');
    if (line->size == 0 || line->text[line->size - 1] != '\r') return false;
    line->size--;
    return line->size == 0 || !memchr(line->text, '\r', line->size);
}

bool ib_request_read(const char *bytes, size_t size, ib_Request *request)
{
    *request = (ib_Request){0};
    if (size < 4 || memcmp(bytes + size - 4, "\r\n\r\n", 4) != 0) return false;
    ib_Span rest = {bytes, size}, line;
    if (!next_line(&rest, &line) || !read_first_line(line, request)) return false;
    for (int i = 0; i <= IB_REQUEST_HEADERS; i++) {
        if (!next_line(&rest, &line)) return false;
        if (line.size == 0) return rest.size == 0;
        if (!read_header(line, request)) return false;
    }
    return false;
}

size_t ib_request_upgrade(const ib_Request *request, char *text, size_t size)
{
    int length = snprintf(text, size,
                          "GET /socket HTTP/1.1\r\n"
                          "Host: localhost\r\n"
                          "Upgrade: websocket\r\n"
                          "Connection: Upgrade\r\n"
                          "Sec-WebSocket-Key: %.*s\r\n"
                          "Sec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Protocol: ironbird.v1\r\n\r\n",
                          (int)request->key.value.size, request->key.value.text);
    return length < 0 || (size_t)length >= size ? 0 : (size_t)length;
}
