#include "file/json_tree.h"

#include "base/number.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "file/contents.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct Parser {
    const char *text;
    size_t length, at;
    size_t counted; // bytes up to which `place` is known
    ib_Place place; // of `counted`
    int nodes;
    ib_Arena *arena;
    ib_Diagnostics *diagnostics;
} Parser;

// ------------------------------------------------------------------------------------------ places

// The parser's place. The count continues from the last place asked for, so that a file of one line
// costs no more than others.
static ib_Place here(Parser *parser)
{
    for (; parser->counted < parser->at; parser->counted++) {
        unsigned char c = (unsigned char)parser->text[parser->counted];
        bool pair = c == '\r' && parser->counted + 1 < parser->length &&
                    parser->text[parser->counted + 1] == '\n';
        if (c == '\n' || (c == '\r' && !pair)) {
            parser->place.line++;
            parser->place.column = 1;
        } else if ((c & 0xc0) != 0x80) {
            parser->place.column++;
        }
    }
    return parser->place;
}

// Reports a mistake at the parser's place; returns NULL.
static void *refuse(Parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void *refuse(Parser *parser, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ib_diagnostics_add(parser->diagnostics, here(parser), "%s", text);
    return NULL;
}

// The text found here, for a message: "'}'" or "the end of the file".
typedef struct Found {
    char text[IB_QUOTE_LENGTH + 8];
} Found;

static Found found(const Parser *parser)
{
    Found what;
    size_t left = parser->length - parser->at, bytes = 0;
    if (left) bytes = ib_utf8_character(parser->text + parser->at, left);
    if (!left)
        snprintf(what.text, sizeof what.text, "the end of the file");
    else if (!bytes)
        snprintf(what.text, sizeof what.text, "byte 0x%02x, which is not UTF-8 text",
                 (unsigned char)parser->text[parser->at]);
    else
        snprintf(what.text, sizeof what.text, "'%s'",
                 ib_quote_n(parser->text + parser->at, (int)bytes).text);
    return what;
}

// ----------------------------------------------------------------------------------------- letters

static char peek(const Parser *parser)
{
    return parser->at < parser->length ? parser->text[parser->at] : '\0';
}

static void skip_blanks(Parser *parser)
{
    while (parser->at < parser->length && peek(parser) && strchr(" \t\r\n", peek(parser)))
        parser->at++;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Skips digits, at least one.
static bool skip_digits(Parser *parser)
{
    size_t first = parser->at;
    while (is_digit(peek(parser))) parser->at++;
    return parser->at > first;
}

// A text of the arena as a scalar.
static ib_Node *make_scalar(Parser *parser, const char *text, ib_Place place)
{
    ib_Node *node = text ? ib_node_create(parser->arena, IB_NODE_SCALAR, NULL, place) : NULL;
    if (!node) return refuse(parser, "out of memory");
    node->text = text;
    return node;
}

// ----------------------------------------------------------------------------------------- numbers

// -? (0 | 1-9 digits) (. digits)? (e sign? digits)?
static bool skip_number(Parser *parser)
{
    if (peek(parser) == '-') parser->at++;
    size_t first = parser->at;
    bool zero = peek(parser) == '0';
    if (!skip_digits(parser)) return refuse(parser, "expected a digit, got %s", found(parser).text);
    if (zero && parser->at - first > 1)
        return refuse(parser, "a number that begins with 0: expected none, or a point behind it");
    if (peek(parser) == '.') {
        parser->at++;
        if (!skip_digits(parser))
            return refuse(parser, "expected a digit behind the point, got %s", found(parser).text);
    }
    if (peek(parser) == 'e' || peek(parser) == 'E') {
        parser->at++;
        if (peek(parser) == '+' || peek(parser) == '-') parser->at++;
        if (!skip_digits(parser))
            return refuse(parser, "expected a digit of the exponent, got %s", found(parser).text);
    }
    return true;
}

static ib_Node *read_number(Parser *parser, ib_Place place)
{
    size_t first = parser->at;
    if (!skip_number(parser)) return NULL;
    if (parser->at - first > IB_NUMBER_TEXT)
        return refuse(parser, "a number of more than %d characters", IB_NUMBER_TEXT);
    const char *text = ib_arena_text_n(parser->arena, parser->text + first, parser->at - first);
    return make_scalar(parser, text, place);
}

static ib_Node *read_word(Parser *parser, ib_Place place)
{
    static const char *const words[] = {"true", "false", "null"};
    static const char *const numbers[] = {"NaN", "nan", "Infinity", "inf"};
    size_t left = parser->length - parser->at;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if (length > left || memcmp(parser->text + parser->at, words[i], length) != 0) continue;
        parser->at += length;
        return make_scalar(parser, words[i], place);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strlen(numbers[i]) <= left &&
            memcmp(parser->text + parser->at, numbers[i], strlen(numbers[i])) == 0)
            return refuse(parser, "%s: expected a finite number", numbers[i]);
    return refuse(parser, "expected a value, got %s", found(parser).text);
}

// ------------------------------------------------------------------------------------------- texts

// Reads four hexadecimal digits; false: none.
static bool read_hex(Parser *parser, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, parser->at++) {
        char c = peek(parser);
        int digit = is_digit(c)            ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return false;
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

// Reads one code point behind "\u", perhaps from two escapes; 0: invalid.
static uint32_t read_code(Parser *parser)
{
    uint32_t code, low;
    if (!read_hex(parser, &code)) return 0;
    if (code < 0xd800 || code > 0xdfff) return code;
    bool pair = code < 0xdc00 && parser->length - parser->at > 1 && peek(parser) == '\\' &&
                parser->text[parser->at + 1] == 'u';
    if (!pair) return 0;
    parser->at += 2;
    if (!read_hex(parser, &low) || low < 0xdc00 || low > 0xdfff) return 0;
    return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

// A code point as UTF-8; returns its bytes, 4 at most.
static size_t write_code(uint32_t code, char *to)
{
    size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = bytes; i-- > 1; code >>= 6) to[i] = (char)(0x80 | (code & 0x3f));
    to[0] = (char)(lead[bytes] | code);
    return bytes;
}

// Reads an escape behind its backslash. Returns the bytes written, 0 after a refusal.
static size_t read_escape(Parser *parser, char *to)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = peek(parser);
    const char *letter = c ? strchr(letters, c) : NULL;
    uint32_t code = letter ? (uint32_t)meant[letter - letters] : 0;
    if (!letter && c != 'u') {
        refuse(parser, "expected one of \"\\/bfnrtu behind a backslash, got %s",
               found(parser).text);
        return 0;
    }
    parser->at++;
    if (!letter) code = read_code(parser);
    if (!code) {
        refuse(parser, "expected four hexadecimal digits of a character behind \\u");
        return 0;
    }
    return write_code(code, to);
}

// Copies one character; returns its bytes, 0 after a refusal.
static size_t read_character(Parser *parser, char *to)
{
    size_t left = parser->length - parser->at;
    size_t bytes = left ? ib_utf8_character(parser->text + parser->at, left) : 0;
    if (!bytes || (unsigned char)peek(parser) < 0x20) {
        refuse(parser, "expected a text that ends with a quote, got %s", found(parser).text);
        return 0;
    }
    memcpy(to, parser->text + parser->at, bytes);
    parser->at += bytes;
    return bytes;
}

// The largest length of the text at a quote: up to the next quote that no backslash precedes.
static size_t text_room(const Parser *parser)
{
    size_t at = parser->at;
    while (at < parser->length && parser->text[at] != '"')
        at += parser->text[at] == '\\' && at + 1 < parser->length ? 2 : 1;
    return at - parser->at;
}

// Reads a text in quotes. Its value is never longer than the written form.
static const char *read_text(Parser *parser)
{
    parser->at++;
    size_t room = text_room(parser), used = 0;
    if (room > IB_JSON_MAX_SCALAR)
        return refuse(parser, "a text of more than %d bytes", IB_JSON_MAX_SCALAR);
    char *text = ib_arena_alloc(parser->arena, room + 5);
    if (!text) return refuse(parser, "out of memory");
    while (peek(parser) != '"') {
        bool escape = peek(parser) == '\\';
        if (escape) parser->at++;
        size_t bytes =
            escape ? read_escape(parser, text + used) : read_character(parser, text + used);
        if (!bytes) return NULL;
        used += bytes;
    }
    parser->at++;
    return text;
}

// ------------------------------------------------------------------------------------------ values

static ib_Node *read_value(Parser *parser, int depth);

// True if another entry or item follows, false at the end; sets `broken` for any other text.
static bool goes_on(Parser *parser, const ib_Node *node, char close, bool *broken)
{
    skip_blanks(parser);
    char c = peek(parser);
    *broken = c != ',' && c != close;
    if (*broken)
        refuse(parser, "expected ',' or '%c' in the %s that begins at %d:%d, got %s", close,
               close == '}' ? "map" : "list", node->place.line, node->place.column,
               found(parser).text);
    else
        parser->at++;
    return c == ',';
}

static bool read_entry(Parser *parser, ib_Node *map, int depth)
{
    skip_blanks(parser);
    ib_Place place = here(parser);
    if (peek(parser) != '"')
        return refuse(parser, "expected a key in quotes, got %s", found(parser).text);
    const char *key = read_text(parser);
    if (!key) return false;

    const ib_Node *first = ib_node_get(map, key);
    if (first || map->count == IB_JSON_MAX_KEYS) {
        if (first)
            ib_diagnostics_add(parser->diagnostics, place,
                               "duplicate key '%s': it is already given at line %d",
                               ib_quote(key).text, first->key_place.line);
        else
            ib_diagnostics_add(parser->diagnostics, place, "more than %d keys in one map",
                               IB_JSON_MAX_KEYS);
        return false;
    }
    skip_blanks(parser);
    if (peek(parser) != ':')
        return refuse(parser, "expected ':' behind the key '%s', got %s", ib_quote(key).text,
                      found(parser).text);
    parser->at++;
    ib_Node *node = read_value(parser, depth);
    if (!node) return false;
    node->key = key;
    node->key_place = place;
    ib_node_append(map, node);
    return true;
}

static bool read_item(Parser *parser, ib_Node *list, int depth)
{
    ib_Node *node = read_value(parser, depth);
    if (node) ib_node_append(list, node);
    return node;
}

static ib_Node *read_container(Parser *parser, ib_Place place, int depth)
{
    bool is_map = peek(parser) == '{', broken = false;
    char close = is_map ? '}' : ']';
    if (depth == IB_JSON_MAX_DEPTH)
        return refuse(parser, "more than %d maps and lists inside each other", IB_JSON_MAX_DEPTH);
    ib_Node *node = ib_node_create(parser->arena, is_map ? IB_NODE_MAP : IB_NODE_LIST, NULL, place);
    if (!node) return refuse(parser, "out of memory");
    parser->at++;
    skip_blanks(parser);
    if (peek(parser) == close) {
        parser->at++;
        return node;
    }
    do {
        bool good =
            is_map ? read_entry(parser, node, depth + 1) : read_item(parser, node, depth + 1);
        if (!good) return NULL;
    } while (goes_on(parser, node, close, &broken));
    return broken ? NULL : node;
}

static ib_Node *read_value(Parser *parser, int depth)
{
    skip_blanks(parser);
    ib_Place place = here(parser);
    if (++parser->nodes > IB_JSON_MAX_NODES)
        return refuse(parser, "more than %d values in one file", IB_JSON_MAX_NODES);
    char c = peek(parser);
    if (c == '{' || c == '[') return read_container(parser, place, depth);
    if (c == '-' || is_digit(c)) return read_number(parser, place);
    if (c != '"') return read_word(parser, place);
    const char *text = read_text(parser);
    ib_Node *node = text ? make_scalar(parser, text, place) : NULL;
    if (node) node->quoted = true;
    return node;
}

// ---------------------------------------------------------------------------------------- the file

ib_Node *ib_json_tree_read(const char *file, const char *text, size_t length, ib_Arena *arena,
                           ib_Diagnostics *diagnostics)
{
    size_t mark = ib_contents_mark(text, length);
    Parser parser = {.text = text,
                     .length = length,
                     .at = mark,
                     .counted = mark,
                     .place = {file, 1, 1},
                     .arena = arena,
                     .diagnostics = diagnostics};
    if (length > IB_JSON_MAX_SIZE)
        return refuse(&parser, "%zu bytes: expected at most %d MiB", length,
                      IB_JSON_MAX_SIZE >> 20);
    ib_Node *root = read_value(&parser, 0);
    skip_blanks(&parser);
    if (root && parser.at < length)
        return refuse(&parser, "expected the end of the file, got %s", found(&parser).text);
    return root;
}

static bool is_plain(const ib_Node *node)
{
    return node->type == IB_NODE_SCALAR && !node->quoted;
}

bool ib_json_is_null(const ib_Node *node)
{
    return is_plain(node) && node->text[0] == 'n';
}

bool ib_json_is_number(const ib_Node *node)
{
    return is_plain(node) && (node->text[0] == '-' || is_digit(node->text[0]));
}

bool ib_json_is_flag(const ib_Node *node)
{
    return is_plain(node) && (node->text[0] == 't' || node->text[0] == 'f');
}
