#include "file/diagnostics.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 2048 };

static bool same(const ib_Diagnostic *item, ib_Place place, const char *text)
{
    return item->line == place.line && item->column == place.column &&
           strcmp(item->file, place.file) == 0 && strcmp(item->text, text) == 0;
}

// File names repeat: one copy serves all mistakes of a file.
static const char *keep_file(ib_Diagnostics *diagnostics, const char *file)
{
    for (int i = diagnostics->count - 1; i >= 0; i--)
        if (strcmp(diagnostics->items[i].file, file) == 0) return diagnostics->items[i].file;
    return ib_arena_text(diagnostics->arena, file);
}

// Formats a text for the list.
static void write_line(char *text, const char *format, va_list arguments, ib_Place *place)
{
    vsnprintf(text, TEXT, format, arguments);
    ib_utf8_tame(text, ""); // one line, whatever was quoted and wherever it was cut
    if (!place->file) place->file = "";
    if (place->line < 1 || place->column < 1) place->line = place->column = 1;
}

// True if the list has the same text at the same place.
static bool is_known(const ib_Diagnostic *items, int count, ib_Place place, const char *text)
{
    for (int i = 0; i < count; i++)
        if (same(&items[i], place, text)) return true;
    return false;
}

void ib_diagnostics_add(ib_Diagnostics *diagnostics, ib_Place place, const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    write_line(text, format, arguments, &place);
    va_end(arguments);
    if (is_known(diagnostics->items, diagnostics->count, place, text)) {
        diagnostics->repeated++;
        return;
    }
    const char *file = NULL, *copy = NULL;
    if (diagnostics->count < IB_MAX_DIAGNOSTICS) {
        file = keep_file(diagnostics, place.file);
        copy = ib_arena_text(diagnostics->arena, text);
    }
    if (!file || !copy) {
        diagnostics->dropped++;
        return;
    }
    diagnostics->items[diagnostics->count++] =
        (ib_Diagnostic){file, place.line, place.column, copy};
}

void ib_diagnostics_warn(ib_Diagnostics *diagnostics, ib_Place place, const char *format, ...)
{
    char text[TEXT];
    va_list arguments;
    va_start(arguments, format);
    write_line(text, format, arguments, &place);
    va_end(arguments);
    int count = diagnostics->warning_count;
    if (count == IB_MAX_WARNINGS || is_known(diagnostics->warnings, count, place, text)) return;
    const char *file = ib_arena_text(diagnostics->arena, place.file);
    const char *copy = ib_arena_text(diagnostics->arena, text);
    if (file && copy)
        diagnostics->warnings[diagnostics->warning_count++] =
            (ib_Diagnostic){file, place.line, place.column, copy};
}

int ib_diagnostics_total(const ib_Diagnostics *diagnostics)
{
    return diagnostics->count + diagnostics->dropped;
}

int ib_diagnostics_seen(const ib_Diagnostics *diagnostics)
{
    return ib_diagnostics_total(diagnostics) + diagnostics->repeated;
}

static int file_rank(const ib_Diagnostic *items, const char *file)
{
    int rank = 0;
    while (strcmp(items[rank].file, file) != 0) rank++;
    return rank;
}

static void sort_by_place(ib_Diagnostic *items, int count)
{
    // Ranks are taken before anything moves.
    int rank[IB_MAX_DIAGNOSTICS];
    for (int i = 0; i < count; i++) rank[i] = file_rank(items, items[i].file);

    // Insertion keeps messages of the same place in the order in which they were found.
    for (int i = 1; i < count; i++) {
        ib_Diagnostic item = items[i];
        int at = rank[i], k = i;
        for (; k > 0; k--) {
            const ib_Diagnostic *before = &items[k - 1];
            bool later = rank[k - 1] != at           ? rank[k - 1] > at
                         : before->line != item.line ? before->line > item.line
                                                     : before->column > item.column;
            if (!later) break;
            items[k] = items[k - 1];
            rank[k] = rank[k - 1];
        }
        items[k] = item;
        rank[k] = at;
    }
}

void ib_diagnostics_sort(ib_Diagnostics *diagnostics)
{
    sort_by_place(diagnostics->items, diagnostics->count);
}

int ib_diagnostics_keep_warnings(const ib_Diagnostics *diagnostics, int first, ib_Arena *arena,
                                 const ib_Diagnostic **warnings)
{
    _Static_assert(IB_MAX_WARNINGS <= IB_MAX_DIAGNOSTICS, "they are sorted like mistakes");
    int room = diagnostics->warning_count - first, count = 0;
    ib_Diagnostic *kept = room > 0 ? ib_arena_array(arena, (size_t)room, sizeof *kept) : NULL;
    for (int i = 0; kept && i < room; i++) {
        ib_Diagnostic item = diagnostics->warnings[first + i];
        item.file = ib_arena_text(arena, item.file);
        item.text = ib_arena_text(arena, item.text);
        if (item.file && item.text) kept[count++] = item;
    }
    sort_by_place(kept, count);
    *warnings = kept;
    return count;
}

void ib_diagnostic_format(const ib_Diagnostic *diagnostic, char *text, size_t size)
{
    snprintf(text, size, "%s:%d:%d: %s", diagnostic->file, diagnostic->line, diagnostic->column,
             diagnostic->text);
    ib_utf8_tame(text, "");
}
