#include "report/plot/svg.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const char *at, const char *word)
{
    return strncmp(at, word, strlen(word)) == 0;
}

// True if the tag that begins at `at` has this name.
static bool is_tag(const char *at, const char *name)
{
    return begins(at + 1, name) && !isalnum((unsigned char)at[1 + strlen(name)]);
}

// Behind the next `word`, or at the end.
static const char *behind(const char *at, const char *word)
{
    const char *found = strstr(at, word);
    return found ? found + strlen(word) : at + strlen(at);
}

// ------------------------------------------------------------------------------------- coordinates

// A number such as -12.34 as tenths, rounded; false for anything else (1e5, nan) and for more than
// seven digits before the point.
static bool read_tenths(const char **at, int *tenths)
{
    bool negative = **at == '-';
    const char *digits = *at + negative, *end = digits;
    long hundredths = 0;
    while (isdigit((unsigned char)*end) && end - digits < 7)
        hundredths = 10 * hundredths + (*end++ - '0');
    if (end == digits) return false;
    hundredths *= 100;
    if (*end == '.') {
        end++;
        for (long place = 10; isdigit((unsigned char)*end); place /= 10)
            hundredths += place * (*end++ - '0');
    }
    if (isalnum((unsigned char)*end)) return *tenths = 0, false;
    *tenths = (int)((hundredths + 5) / 10) * (negative ? -1 : 1);
    *at = end;
    return true;
}

// Adds the number, behind a blank where it would run into the one before.
static char *put_tenths(char *to, int tenths, bool apart)
{
    unsigned size = (unsigned)abs(tenths);
    if (tenths < 0)
        *to++ = '-';
    else if (apart)
        *to++ = ' ';
    if (size >= 10 || size == 0) to += sprintf(to, "%u", size / 10);
    if (size % 10) {
        *to++ = '.';
        *to++ = (char)('0' + size % 10);
    }
    return to;
}

typedef struct Point {
    int x, y; // [0.1 px]
} Point;

static void put_point(ib_Text *html, char letter, Point point, bool apart)
{
    char text[40], *to = text;
    if (letter) *to++ = letter;
    to = put_tenths(to, point.x, apart && !letter);
    to = put_tenths(to, point.y, true);
    ib_text_add_n(html, text, (size_t)(to - text));
}

// "12.34,-5.67"
static bool read_point(const char **at, Point *point)
{
    if (!read_tenths(at, &point->x) || **at != ',') return false;
    ++*at;
    return read_tenths(at, &point->y);
}

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\n");
}

// The lines of a path, M and L with absolute places, as steps from place to place: a third of the
// bytes. An unknown form is left unchanged: false, with nothing added.
static bool put_path(ib_Text *html, const char *at, const char *end)
{
    size_t start = html->length;
    Point last = {0, 0};
    char before = 0;
    for (at = skip_space(at); at < end; at = skip_space(at)) {
        char letter = *at++;
        Point next;
        if (letter == 'Z' || letter == 'z') {
            ib_text_add(html, "z");
            before = 0; // the next part begins anew
            continue;
        }
        if ((letter != 'M' && (letter != 'L' || !before)) || !read_point(&at, &next)) {
            html->length = start;
            return false;
        }
        // A line without length is a dot if it is the first, and is dropped after another.
        Point step = {next.x - last.x, next.y - last.y};
        if (letter == 'M')
            put_point(html, 'M', next, false);
        else if (before == 'M' || step.x || step.y)
            put_point(html, before == 'M' ? 'l' : 0, step, true);
        before = letter;
        last = next;
    }
    return true;
}

// The corners of a polygon, which has no steps.
static bool put_corners(ib_Text *html, const char *at, const char *end)
{
    size_t start = html->length;
    for (at = skip_space(at); at < end; at = skip_space(at)) {
        Point corner;
        if (!read_point(&at, &corner)) {
            html->length = start;
            return false;
        }
        put_point(html, 0, corner, html->length > start);
    }
    return true;
}

// -------------------------------------------------------------------------------------------- tags

// Returns the length of the text before the name if `at` names a part of the picture.
static size_t name_at(const char *at)
{
    static const char *const names[] = {" id='", " id=\"", "='#", "=\"#", "url(#"};
    if (*at != ' ' && *at != '=' && *at != 'u') return 0;
    for (int i = 0; i < 5; i++)
        if (begins(at, names[i])) {
            size_t length = strlen(names[i]);
            // A colour ='#0072b2' is no name: those of gnuplot begin with a letter beyond f.
            bool name = isalpha((unsigned char)at[length]) && (i < 2 || at[length] > 'f');
            return name ? length : 0;
        }
    return 0;
}

// Returns the length of an attribute's opening if it has coordinates; `path`: they are a path.
static size_t coordinates_at(const char *at, bool *path)
{
    *path = begins(at, " d='");
    return *path ? 4 : begins(at, " points = '") ? 11 : 0;
}

// Copies a tag up to its end, with names of this figure: id='gpPt5' becomes id='f3-gpPt5', and so
// do references to it. Coordinates in pixels are shortened.
static const char *copy_tag(ib_Text *html, const char *at, int figure, bool pixels)
{
    const char *copied = at;
    for (; *at && *at != '>'; at++) {
        size_t name = name_at(at), length;
        bool path;
        if (name) {
            at += name;
            ib_text_add_n(html, copied, (size_t)(at - copied));
            ib_text_format(html, "f%d-", figure);
            copied = at--;
        } else if (pixels && *at == ' ' && (length = coordinates_at(at, &path)) > 0) {
            const char *from = at + length, *end = strchr(from, '\'');
            if (!end) continue;
            ib_text_add_n(html, copied, (size_t)(from - copied));
            bool done = path ? put_path(html, from, end) : put_corners(html, from, end);
            copied = done ? end : from;
            at = end;
        }
    }
    if (*at) at++;
    ib_text_add_n(html, copied, (size_t)(at - copied));
    return at;
}

// ----------------------------------------------------------------------------------------- symbols

enum { SYMBOLS = 40 };

typedef struct Symbol {
    const char *begin, *end; // the element
    char name[32];           // "#gpPt5"
    bool used;
} Symbol;

// The elements of <defs>, each on its own lines, up to `end`; -1 if their form is unknown.
static int find_symbols(const char *at, const char *end, Symbol *symbols)
{
    int count = 0;
    for (at = skip_space(at); at < end; at = skip_space(at)) {
        const char *close = strchr(at, '>');
        const char *id = strstr(at, "id='");
        if (count == SYMBOLS || *at != '<' || !close || !id || id > close) return -1;
        Symbol *symbol = &symbols[count++];
        *symbol = (Symbol){.begin = at, .end = close + 1};
        if (close[-1] != '/')
            symbol->end = behind(close, is_tag(at, "filter") ? "</filter>" : "</");
        if (symbol->end > end) return -1;
        snprintf(symbol->name, sizeof symbol->name, "#%.*s", (int)strcspn(id + 4, "'"), id + 4);
        at = symbol->end;
    }
    return count;
}

// True if "#gpPt5" is between the two, and not "#gpPt51".
static bool is_named(const char *from, const char *end, const char *name)
{
    size_t length = strlen(name);
    for (; (from = memchr(from, '#', (size_t)(end - from))) != NULL; from++)
        if (begins(from, name) && !isalnum((unsigned char)from[length])) return true;
    return false;
}

// Copies those symbols that the picture behind them uses; each points only to those before it.
static const char *copy_symbols(ib_Text *html, const char *at, int figure)
{
    Symbol symbols[SYMBOLS];
    const char *from = behind(at, ">"), *rest = behind(at, "</defs>");
    const char *end = rest - strlen("</defs>"), *last = rest + strlen(rest);
    int count = end > from ? find_symbols(from, end, symbols) : -1;
    if (count < 0) return NULL;
    bool any = false;
    for (int i = count - 1; i >= 0; i--) {
        symbols[i].used = is_named(rest, last, symbols[i].name);
        for (int k = i + 1; k < count; k++)
            symbols[i].used |=
                symbols[k].used && is_named(symbols[k].begin, symbols[k].end, symbols[i].name);
        any |= symbols[i].used;
    }
    if (any) ib_text_add(html, "<defs>");
    for (int i = 0; i < count; i++)
        for (at = symbols[i].begin; symbols[i].used && at < symbols[i].end;)
            at = *at == '<' ? copy_tag(html, at, figure, false) : at + 1;
    if (any) ib_text_add(html, "</defs>\n");
    return rest;
}

// ----------------------------------------------------------------------------------------- picture

enum { DEPTH = 32 }; // of groups that may turn out to be empty; gnuplot has four

typedef struct Groups {
    size_t begin[DEPTH], end[DEPTH]; // of the opening tag in the page
    int depth;
} Groups;

// A group that has nothing in it goes.
static void close_group(ib_Text *html, Groups *groups)
{
    if (groups->depth > 0) groups->depth--;
    int depth = groups->depth;
    if (depth < DEPTH && html->length > 0 && groups->end[depth] == html->length) {
        html->length = groups->begin[depth];
        html->bytes[html->length] = '\0';
    } else
        ib_text_add(html, "</g>\n");
}

static const char *open_group(ib_Text *html, const char *at, int figure, Groups *groups)
{
    size_t begin = html->length;
    at = copy_tag(html, at, figure, true);
    if (groups->depth < DEPTH) {
        groups->begin[groups->depth] = begin;
        groups->end[groups->depth] = html->length;
    }
    groups->depth++;
    return at;
}

// Everything behind the opening tag of the picture.
static void copy_content(ib_Text *html, const char *at, int figure)
{
    Groups groups = {0};
    while (*(at = skip_space(at))) {
        const char *symbols;
        if (is_tag(at, "title") || is_tag(at, "desc")) {
            at = behind(behind(at, "</"), ">");
        } else if (is_tag(at, "defs") && (symbols = copy_symbols(html, at, figure))) {
            at = symbols;
        } else if (is_tag(at, "text")) {
            // Text is copied unchanged: gnuplot has escaped every < and & in it.
            const char *end = behind(at, "</text>");
            ib_text_add_n(html, at, (size_t)(end - at));
            at = end;
        } else if (is_tag(at, "/g")) {
            close_group(html, &groups);
            at = behind(at, ">");
        } else if (is_tag(at, "g")) {
            at = open_group(html, at, figure, &groups);
        } else if (*at == '<') {
            at = copy_tag(html, at, figure, true);
        } else
            ib_text_add_n(html, at++, 1);
    }
}

void ib__svg_embed(ib_Text *html, const ib_Text *svg, int figure, const char *label)
{
    const char *at = svg->bytes ? strstr(svg->bytes, "<svg") : NULL;
    if (!at) return;
    int width = 0, height = 0;
    const char *size = strstr(at, "viewBox=\"0 0 ");
    if (size && sscanf(size, "viewBox=\"0 0 %d %d\"", &width, &height) == 2 && height > 0)
        ib_text_format(html, "<div class=\"plot\" style=\"aspect-ratio:%d/%d\">", width, height);
    else
        ib_text_add(html, "<div>");
    ib_text_add(html, "<svg role=\"img\" aria-label=\"");
    ib_text_escape(html, label);
    ib_text_add(html, "\"");
    at = copy_tag(html, at + 4, figure, false);
    copy_content(html, at, figure);
    ib_text_add(html, "</div>\n");
}
