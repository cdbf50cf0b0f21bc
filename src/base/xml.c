#include "base/xml.h"

#include "base/number.h"
#include "base/quote.h"
#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { REFUSAL = 900 };

// The position of the reader.
typedef struct Reader {
    const char *text;
    size_t length, at;
    int line, column;
    int elements, depth;
    ib_Arena *arena;
    ib_Error *error;
} Reader;

static ib_Status place_error(ib_Error *error, int line, int column, const char *format,
                             va_list args)
{
    char said[REFUSAL];
    vsnprintf(said, sizeof said, format, args);
    return ib_error_set(error, IB_BAD_INPUT, "%d:%d: %s", line, column, said);
}

ib_Status ib_xml_refuse(const ib_Xml *element, ib_Error *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ib_Status status = place_error(error, element->line, element->column, format, args);
    va_end(args);
    return status;
}

ib_Status ib_xml_refuse_value(const ib_XmlAttribute *attribute, ib_Error *error, const char *format,
                              ...)
{
    va_list args;
    va_start(args, format);
    ib_Status status = place_error(error, attribute->line, attribute->column, format, args);
    va_end(args);
    return status;
}

// Refuses the text at the reader's position.
__attribute__((format(printf, 2, 3))) static ib_Status refuse(const Reader *r, const char *format,
                                                              ...)
{
    va_list args;
    va_start(args, format);
    ib_Status status = place_error(r->error, r->line, r->column, format, args);
    va_end(args);
    return status;
}

static ib_Status out_of_memory(const Reader *r)
{
    return ib_error_set(r->error, IB_FAILED, "out of memory for a file of XML");
}

// -------------------------------------------------------------------------------------- characters

static bool at_end(const Reader *r)
{
    return r->at >= r->length;
}

static char peek(const Reader *r)
{
    return at_end(r) ? '\0' : r->text[r->at];
}

static bool sees(const Reader *r, const char *word)
{
    size_t length = strlen(word);
    return r->length - r->at >= length && memcmp(r->text + r->at, word, length) == 0;
}

// Advances by one character; the text is known to be valid.
static void go_on(Reader *r)
{
    char c = r->text[r->at];
    if (c == '\n') {
        r->line++;
        r->column = 1;
    } else {
        r->column++;
    }
    r->at += ib_utf8_character(r->text + r->at, r->length - r->at);
}

static void skip(Reader *r, size_t characters)
{
    for (; characters > 0 && !at_end(r); characters--) go_on(r);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_spaces(Reader *r)
{
    while (is_space(peek(r))) go_on(r);
}

// Checks once that the text has valid characters only, so that later code need not.
static ib_Status check_characters(const Reader *start)
{
    Reader scan = *start, *r = &scan;
    while (!at_end(r)) {
        unsigned char c = (unsigned char)r->text[r->at];
        if (ib_utf8_character(r->text + r->at, r->length - r->at) == 0)
            return refuse(r, "byte 0x%02x is not UTF-8 text", c);
        if ((c < 0x20 && !is_space((char)c)) || c == 0x7f)
            return refuse(r, "control character 0x%02x: expected text", c);
        go_on(r);
    }
    return IB_OK;
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

static ib_Status read_name(Reader *r, const char *what, const char **name)
{
    size_t from = r->at;
    if (!begins_name(peek(r))) return refuse(r, "expected the name of %s", what);
    while (begins_name(peek(r)) || (peek(r) && strchr("-.:0123456789", peek(r)))) go_on(r);
    if (r->at - from > IB_XML_NAME)
        return refuse(r, "the name of %s is longer than %d bytes", what, IB_XML_NAME);
    *name = ib_arena_text_n(r->arena, r->text + from, r->at - from);
    return *name ? IB_OK : out_of_memory(r);
}

// ---------------------------------------------------------------------------------------- entities

// Writes a code point as UTF-8; 0: not a character allowed in a file.
static size_t write_code(unsigned code, char *out)
{
    if (code < 0x20 && code != '\t' && code != '\n' && code != '\r') return 0;
    if (code == 0x7f || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return 0;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = bytes - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xf00u >> bytes & 0xff) | code);
    return bytes;
}

// "&#65;" and "&#x41;" from behind the '#' on. At most seven digits.
static bool read_code(Reader *r, unsigned *code)
{
    unsigned base = peek(r) == 'x' ? 16 : 10;
    int digits = 0;
    *code = 0;
    if (base == 16) go_on(r);
    for (; digits < 7; digits++) {
        char c = peek(r);
        unsigned digit = c >= '0' && c <= '9'                 ? (unsigned)(c - '0')
                         : base == 16 && c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                         : base == 16 && c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                              : 99;
        if (digit == 99) break;
        *code = *code * base + digit;
        go_on(r);
    }
    return digits > 0 && peek(r) == ';';
}

// Reads an entity at '&'. Writes at most four bytes.
static ib_Status read_entity(Reader *r, char *out, size_t *bytes)
{
    static const struct {
        const char *word;
        char character;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!sees(r, known[i].word)) continue;
        *out = known[i].character;
        *bytes = 1;
        skip(r, strlen(known[i].word));
        return IB_OK;
    }
    Reader start = *r;
    unsigned code;
    if (sees(r, "&#")) {
        skip(r, 2);
        *bytes = read_code(r, &code) ? write_code(code, out) : 0;
        if (*bytes > 0) {
            go_on(r);
            return IB_OK;
        }
    }
    return refuse(&start, "an '&' that stands for no character: expected &amp; &lt; &gt; &quot; "
                          "&apos; or a number such as &#176;");
}

// -------------------------------------------------------------------------------------- attributes

static ib_Status read_value(Reader *r, const char *name, const char **value)
{
    char quote = peek(r);
    if (quote != '"' && quote != '\'')
        return refuse(r, "%s: expected a value in quotes", ib_quote(name).text);
    Reader start = *r;
    go_on(r);
    const char *closing = memchr(r->text + r->at, quote, r->length - r->at);
    if (!closing) return refuse(&start, "%s: its quotes are never closed", ib_quote(name).text);
    size_t length = (size_t)(closing - (r->text + r->at)), used = 0;
    if (length > IB_XML_VALUE)
        return refuse(&start, "%s: a value of %zu bytes, expected at most %d", ib_quote(name).text,
                      length, IB_XML_VALUE);
    // The written form is never shorter than its value.
    char *plain = ib_arena_alloc(r->arena, length + 4);
    if (!plain) return out_of_memory(r);
    while (r->text + r->at < closing) {
        char c = peek(r);
        size_t bytes = ib_utf8_character(r->text + r->at, r->length - r->at);
        if (c == '<') return refuse(r, "a '<' in a value: expected &lt;");
        if (c == '&') {
            ib_Status status = read_entity(r, plain + used, &bytes);
            if (status != IB_OK) return status;
        } else {
            memcpy(plain + used, r->text + r->at, bytes);
            if (is_space(c)) plain[used] = ' ';
            go_on(r);
        }
        used += bytes;
    }
    if (r->text + r->at != closing)
        return refuse(&start, "%s: its quotes are never closed", ib_quote(name).text);
    go_on(r);
    *value = plain;
    return IB_OK;
}

static ib_Status read_attributes(Reader *r, ib_Xml *element)
{
    const ib_XmlAttribute **link = &element->attributes;
    for (int count = 0;; count++) {
        bool apart = is_space(peek(r));
        skip_spaces(r);
        if (peek(r) == '>' || sees(r, "/>")) return IB_OK;
        if (at_end(r)) return refuse(r, "<%s is never closed", ib_quote(element->name).text);
        if (!apart) return refuse(r, "expected a space, '>' or '/>'");
        if (count == IB_XML_ATTRIBUTES)
            return refuse(r, "more than %d attributes of one element", IB_XML_ATTRIBUTES);
        ib_XmlAttribute *own = ib_arena_alloc(r->arena, sizeof *own);
        if (!own) return out_of_memory(r);
        Reader start = *r;
        own->line = r->line;
        own->column = r->column;
        own->at = r->at;
        ib_Status status = read_name(r, "an attribute", &own->name);
        if (status != IB_OK) return status;
        if (ib_xml_attribute(element, own->name))
            return refuse(&start, "%s is given twice", ib_quote(own->name).text);
        skip_spaces(r);
        if (peek(r) != '=') return refuse(r, "%s: expected a '='", ib_quote(own->name).text);
        go_on(r);
        skip_spaces(r);
        status = read_value(r, own->name, &own->value);
        if (status != IB_OK) return status;
        own->after = r->at;
        *link = own;
        link = &own->next;
    }
}

// ---------------------------------------------------------------------------------------- elements

static ib_Status skip_comment(Reader *r)
{
    Reader start = *r;
    skip(r, 4);
    while (!at_end(r) && !sees(r, "-->")) go_on(r);
    if (at_end(r)) return refuse(&start, "a comment that is never closed: expected -->");
    skip(r, 3);
    return IB_OK;
}

// Text up to the next tag, kept if it is the element's first that is not blank.
static ib_Status read_text(Reader *r, ib_Xml *element)
{
    size_t from = r->at, used = 0, most = 0;
    const char *tag = memchr(r->text + from, '<', r->length - from);
    most = tag ? (size_t)(tag - r->text) - from : r->length - from;
    skip_spaces(r);
    if (r->at - from >= most) return IB_OK;
    char *plain = ib_arena_alloc(r->arena, most + 4);
    if (!plain) return out_of_memory(r);
    while (!at_end(r) && peek(r) != '<') {
        size_t bytes = ib_utf8_character(r->text + r->at, r->length - r->at);
        if (peek(r) == '&') {
            ib_Status status = read_entity(r, plain + used, &bytes);
            if (status != IB_OK) return status;
        } else {
            memcpy(plain + used, r->text + r->at, bytes);
            go_on(r);
        }
        used += bytes;
    }
    while (used > 0 && is_space(plain[used - 1])) used--;
    plain[used] = '\0';
    if (!element->text[0]) element->text = plain;
    return IB_OK;
}

// An element's start tag; `open`: its content follows.
static ib_Status read_start(Reader *r, ib_Xml *parent, ib_Xml **result, bool *open)
{
    ib_Xml *own = ib_arena_alloc(r->arena, sizeof *own);
    if (!own) return out_of_memory(r);
    *own =
        (ib_Xml){.text = "", .line = r->line, .column = r->column, .at = r->at, .parent = parent};
    if (++r->elements > IB_XML_ELEMENTS) return refuse(r, "more than %d elements", IB_XML_ELEMENTS);
    go_on(r);
    ib_Status status = read_name(r, "an element", &own->name);
    if (status == IB_OK) status = read_attributes(r, own);
    if (status != IB_OK) return status;
    *open = peek(r) == '>';
    skip(r, *open ? 1 : 2);
    own->inside = own->end = own->after = r->at;
    *result = own;
    if (!*open) return IB_OK;
    if (++r->depth > IB_XML_DEPTH)
        return ib_xml_refuse(own, r->error, "more than %d elements inside each other",
                             IB_XML_DEPTH);
    return IB_OK;
}

static ib_Status read_end(Reader *r, ib_Xml *element)
{
    Reader start = *r;
    const char *name;
    element->end = r->at;
    skip(r, 2);
    ib_Status status = read_name(r, "the element that ends", &name);
    if (status != IB_OK) return status;
    if (strcmp(name, element->name) != 0)
        return refuse(&start, "expected </%s>, of the element in line %d, got </%s>",
                      ib_quote(element->name).text, element->line, ib_quote(name).text);
    skip_spaces(r);
    if (peek(r) != '>') return refuse(r, "expected a '>'");
    go_on(r);
    element->after = r->at;
    r->depth--;
    return IB_OK;
}

// Refuses text that begins with "<!" or "<?", comments excepted.
static ib_Status refuse_other(const Reader *r)
{
    if (sees(r, "<!DOCTYPE")) return refuse(r, "a document type is not read: leave it out");
    if (sees(r, "<![CDATA[")) return refuse(r, "CDATA is not read: write the text itself");
    if (sees(r, "<?")) return refuse(r, "an instruction <?…?> is not read: leave it out");
    return refuse(r, "expected an element, a comment or an end");
}

// Reads from the content of `root` to its end: one tag after the other, without recursion.
static ib_Status read_inside(Reader *r, ib_Xml *root)
{
    ib_Xml *now = root;
    // The last child of each open element, to which the next one is linked.
    ib_Xml *last[IB_XML_DEPTH + 1] = {0};
    while (now) {
        ib_Status status = IB_OK;
        if (at_end(r))
            return ib_xml_refuse(now, r->error, "<%s> is never closed", ib_quote(now->name).text);
        if (peek(r) != '<') {
            status = read_text(r, now);
        } else if (sees(r, "<!--")) {
            status = skip_comment(r);
        } else if (sees(r, "</")) {
            status = read_end(r, now);
            now = (ib_Xml *)now->parent; // const to other files only
        } else if (sees(r, "<!") || sees(r, "<?")) {
            status = refuse_other(r);
        } else {
            ib_Xml *child = NULL;
            bool open = false;
            int depth = r->depth;
            status = read_start(r, now, &child, &open);
            if (status != IB_OK) return status;
            if (last[depth])
                last[depth]->next = child;
            else
                now->first = child;
            last[depth] = child;
            if (open) last[depth + 1] = NULL;
            if (open) now = child;
        }
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

// White space and comments around the root.
static ib_Status skip_around(Reader *r)
{
    for (;;) {
        skip_spaces(r);
        if (!sees(r, "<!--")) return IB_OK;
        ib_Status status = skip_comment(r);
        if (status != IB_OK) return status;
    }
}

static ib_Status read_declaration(Reader *r)
{
    if (!sees(r, "<?xml")) return IB_OK;
    Reader start = *r;
    while (!at_end(r) && !sees(r, "?>")) go_on(r);
    if (at_end(r)) return refuse(&start, "<?xml is never closed: expected ?>");
    skip(r, 2);
    return IB_OK;
}

ib_Status ib_xml_read(const char *text, size_t length, ib_Arena *arena, const ib_Xml **root,
                      ib_Error *error)
{
    Reader reader = {text, length, 0, 1, 1, 0, 0, arena, error}, *r = &reader;
    ib_Xml *top = NULL;
    bool open = false;
    if (length > IB_XML_BYTES)
        return refuse(r, "%zu bytes of XML: expected at most %d", length, IB_XML_BYTES);
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) r->at = 3; // a byte order mark
    ib_Status status = check_characters(r);
    if (status == IB_OK) status = read_declaration(r);
    if (status == IB_OK) status = skip_around(r);
    if (status != IB_OK) return status;
    if (peek(r) != '<') return refuse(r, "expected an element such as <mujoco> or <robot>");
    if (sees(r, "<!") || sees(r, "<?")) return refuse_other(r);
    status = read_start(r, NULL, &top, &open);
    if (status == IB_OK && open) status = read_inside(r, top);
    if (status == IB_OK) status = skip_around(r);
    if (status != IB_OK) return status;
    if (!at_end(r)) return refuse(r, "expected nothing behind the end of the first element");
    *root = top;
    return IB_OK;
}

// --------------------------------------------------------------------------------------- questions

const ib_XmlAttribute *ib_xml_attribute(const ib_Xml *element, const char *name)
{
    const ib_XmlAttribute *own = element->attributes;
    while (own && strcmp(own->name, name) != 0) own = own->next;
    return own;
}

static const ib_Xml *named(const ib_Xml *element, const char *name)
{
    while (element && strcmp(element->name, name) != 0) element = element->next;
    return element;
}

const ib_Xml *ib_xml_child(const ib_Xml *element, const char *name)
{
    return named(element->first, name);
}

const ib_Xml *ib_xml_next(const ib_Xml *element, const char *name)
{
    return named(element->next, name);
}

const ib_Xml *ib_xml_walk(const ib_Xml *element)
{
    if (element->first) return element->first;
    while (element && !element->next) element = element->parent;
    return element ? element->next : NULL;
}

ib_Status ib_xml_numbers(const ib_XmlAttribute *attribute, int count, double *numbers,
                         ib_Error *error)
{
    const char *at = attribute->value + strspn(attribute->value, IB_SPACES);
    int found = 0;
    for (; *at; found++) {
        char word[IB_NUMBER_TEXT + 1];
        size_t length = strcspn(at, IB_SPACES);
        double value = 0;
        snprintf(word, sizeof word, "%.*s",
                 (int)(length < IB_NUMBER_TEXT ? length : IB_NUMBER_TEXT), at);
        bool plain = length < IB_NUMBER_TEXT && ib_number_read(word, &value, NULL) == IB_OK;
        if (!plain || !isfinite(value))
            return ib_xml_refuse_value(attribute, error, "%s: expected a number, got '%s'",
                                       attribute->name, ib_quote(word).text);
        if (found < count) numbers[found] = value;
        at += length;
        at += strspn(at, IB_SPACES);
    }
    if (found == count) return IB_OK;
    return ib_xml_refuse_value(attribute, error, "%s: expected %d number%s, got %d",
                               attribute->name, count, count == 1 ? "" : "s", found);
}
