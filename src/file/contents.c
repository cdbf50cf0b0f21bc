#include "file/contents.h"

#include "base/hash.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "file/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

size_t ib_contents_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

// A tab that indents something: YAML forbids it, and editors hide it.
static bool tab_indents(const char *text, size_t at, size_t length)
{
    while (at < length && (text[at] == ' ' || text[at] == '\t')) at++;
    return at < length && text[at] != '\n' && text[at] != '\r' && text[at] != '#';
}

// The state of a text's check.
typedef struct Scan {
    const char *text;
    size_t length, at;
    ib_Place place;
    bool indent;    // only blanks since the line began
    bool directive; // the line began with %
    size_t blanks;  // blanks and line ends in a row, up to here
    ib_Place blanks_from;
} Scan;

// \n, \r and \r\n each end a line.
static bool ends_line(const Scan *scan)
{
    char c = scan->text[scan->at];
    bool pair = c == '\r' && scan->at + 1 < scan->length && scan->text[scan->at + 1] == '\n';
    return c == '\n' || (c == '\r' && !pair);
}

// Advances behind the character of so many bytes.
static void advance(Scan *scan, size_t bytes)
{
    char c = scan->text[scan->at];
    bool blank = strchr(" \t\r\n", c) != NULL;
    if (!blank)
        scan->blanks = 0;
    else if (scan->blanks++ == 0)
        scan->blanks_from = scan->place;
    if (ends_line(scan)) {
        scan->place.line++;
        scan->place.column = 1;
        scan->indent = true;
        scan->directive = false;
    } else {
        if (c == '%' && scan->place.column == 1) scan->directive = true;
        scan->place.column++;
        if (c != ' ' && c != '\t') scan->indent = false;
    }
    scan->at += bytes;
}

// True if the run of blanks or the directive is too long at the character just passed; the
// library's time grows with the square of its length.
static bool is_too_long(const Scan *scan, ib_Diagnostics *diagnostics)
{
    if (scan->blanks > IB_YAML_MAX_BLANKS) {
        ib_diagnostics_add(diagnostics, scan->blanks_from,
                           "more than %d blanks and line ends in a row: leave them out",
                           IB_YAML_MAX_BLANKS);
        return true;
    }
    if (scan->directive && scan->place.column > IB_YAML_MAX_BLANKS) {
        ib_diagnostics_add(diagnostics, (ib_Place){scan->place.file, scan->place.line, 1},
                           "a line of more than %d characters that begins with %%: a directive "
                           "is not needed, leave it out",
                           IB_YAML_MAX_BLANKS);
        return true;
    }
    return false;
}

bool ib_contents_check(const char *file, const char *text, size_t length,
                       ib_Diagnostics *diagnostics)
{
    Scan scan = {text, length, ib_contents_mark(text, length), {file, 1, 1}, .indent = true};
    if (length > IB_YAML_MAX_SIZE) {
        ib_diagnostics_add(diagnostics, scan.place, "%zu bytes: expected at most 1 MiB", length);
        return false;
    }
    int before = ib_diagnostics_total(diagnostics);
    while (scan.at < length) {
        unsigned char c = (unsigned char)text[scan.at];
        size_t bytes = ib_utf8_character(text + scan.at, length - scan.at);
        if (bytes == 0) {
            ib_diagnostics_add(diagnostics, scan.place, "byte 0x%02x is not UTF-8 text", c);
            return false;
        }
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
            ib_diagnostics_add(diagnostics, scan.place, "control character 0x%02x: expected text",
                               c);
            return false;
        }
        if (c == '\t' && scan.indent) { // one message for all tabs of an indent
            if (tab_indents(text, scan.at, length))
                ib_diagnostics_add(diagnostics, scan.place,
                                   "a tab as indentation: expected spaces");
            scan.indent = false;
        }
        advance(&scan, bytes);
        if (is_too_long(&scan, diagnostics)) return false;
    }
    return ib_diagnostics_total(diagnostics) == before;
}

// The end of the white space that begins at `at`, and its number of line ends.
static size_t skip_space(const char *text, size_t at, size_t length, size_t *breaks)
{
    *breaks = 0;
    for (; at < length && strchr(" \t\r\n", text[at]); at++) {
        bool pair = text[at] == '\r' && at + 1 < length && text[at + 1] == '\n';
        *breaks += text[at] == '\n' || (text[at] == '\r' && !pair);
    }
    return at;
}

size_t ib_contents_unquote(const char *text, size_t length, char *plain)
{
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        size_t breaks, end = skip_space(text, i, length, &breaks);
        if (breaks) {
            size_t count = breaks > 1 ? breaks - 1 : 1;
            if (plain) memset(plain + used, breaks > 1 ? '\n' : ' ', count);
            used += count;
            i = end;
            continue;
        }
        // White space within a line, or one character, of which a quote is written twice.
        bool pair = text[i] == '\'' && i + 1 < length && text[i + 1] == '\'';
        size_t count = end > i ? end - i : 1;
        if (plain) memcpy(plain + used, text + i, count);
        used += count;
        i += pair ? 2 : count;
    }
    return used;
}

// Reads `size` bytes, or up to the end of the file; a signal is no failure.
static ssize_t read_all(int file, char *text, size_t size)
{
    size_t used = 0;
    while (used < size) {
        ssize_t got = read(file, text + used, size - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        used += (size_t)got;
    }
    return (ssize_t)used;
}

char *ib_contents_load(const char *path, ib_Arena *arena, size_t *length, ib_Error *error)
{
    return ib_contents_load_large(path, IB_YAML_MAX_SIZE >> 20, arena, length, error);
}

char *ib_contents_load_large(const char *path, int most_mib, ib_Arena *arena, size_t *length,
                             ib_Error *error)
{
    // Without O_NONBLOCK a named pipe would block before it can be refused.
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;
    char *text = NULL;
    ib_Quote quote = ib_quote(path);
    if (file < 0 || fstat(file, &info)) {
        ib_error_set(error, IB_BAD_INPUT, "cannot open '%s': %s", quote.text, strerror(errno));
    } else if (!S_ISREG(info.st_mode)) {
        ib_error_set(error, IB_BAD_INPUT, "'%s' is %s: expected a file", quote.text,
                     S_ISDIR(info.st_mode) ? "a folder" : "not a plain file");
    } else if (info.st_size > (off_t)most_mib << 20) {
        ib_error_set(error, IB_BAD_INPUT, "'%s' has %lld bytes: expected at most %d MiB",
                     quote.text, (long long)info.st_size, most_mib);
    } else if (!(text = ib_arena_alloc(arena, (size_t)info.st_size + 1))) {
        ib_error_set(error, IB_BAD_INPUT, "out of memory for '%s'", quote.text);
    } else {
        ssize_t got = read_all(file, text, (size_t)info.st_size);
        if (got < 0)
            ib_error_set(error, IB_BAD_INPUT, "cannot read '%s': %s", quote.text, strerror(errno));
        if (got < 0) text = NULL;
        *length = got < 0 ? 0 : (size_t)got;
    }
    if (file >= 0) close(file);
    return text;
}

uint64_t ib_contents_hash(uint64_t hash, const char *const *files)
{
    for (; *files; files++) {
        unsigned char bytes[4096];
        FILE *file = fopen(*files, "rb");
        for (size_t count; file && (count = fread(bytes, 1, sizeof bytes, file)) > 0;)
            for (size_t i = 0; i < count; i++) hash = ib_hash_word(hash, bytes[i]);
        hash = ib_hash_word(hash, 256); // separates the files
        if (file) fclose(file);
    }
    return hash;
}
