// record/csv_read.c: reads CSV in passes over the rows. The first finds the end of the complete
// rows and the cell count of each column. Every other pass reads the rows and hands over their
// values: into arrays of just that size, or into another file.
#include "base/quote.h"
#include "record/csv.h"
#include "record/csv_cell.h"
#include "record/log_source.h"
#include "sim/recognise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    ROW_PART = 16, ///< first part of a window examined for a row; a longer row is examined again
};

typedef struct Cell Cell;

typedef struct Reader {
    ib__Window *window;
    uint64_t size, at; ///< of the complete rows; of the next one
    const char *data; ///< bytes from `at` on, `limit` of them; `next` is the place of the next cell
    size_t limit, next;
    int64_t line;     ///< of the next cell, from 1
    int column_count; ///< with the time column
    int time_column;
    const char *time_name;
    Cell *cells;    ///< of a row, one for each column
    ib_Time latest; ///< of the rows read for the first time
    uint64_t known; ///< their end
    bool own;       ///< written by Ironbird: every whole row has its line end
    ib_Log *log;
    ib_Error *error;
} Reader;

struct Cell {
    const char *text; ///< without its quotes; quotes inside still doubled
    size_t length;
    bool quoted;
    bool last;  ///< of its row
    bool ended; ///< by a comma or a line end, not by the end of the file
    bool bad;   ///< text after the closing quote
};

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

// Moves past the cell's closing quote; false when there is none.
static bool skip_quoted(Reader *reader)
{
    for (reader->next++; reader->next < reader->limit; reader->next++) {
        if (reader->data[reader->next] == '\n') reader->line++;
        if (reader->data[reader->next] != '"') continue;
        bool doubled = reader->next + 1 < reader->limit && reader->data[reader->next + 1] == '"';
        if (!doubled) {
            reader->next++;
            return true;
        }
        reader->next++;
    }
    return false;
}

static void trim(Cell *cell)
{
    while (cell->length && blank(cell->text[0])) {
        cell->text++;
        cell->length--;
    }
    while (cell->length &&
           (blank(cell->text[cell->length - 1]) || cell->text[cell->length - 1] == '\r'))
        cell->length--;
}

static Cell next_cell(Reader *reader)
{
    const char *data = reader->data;
    Cell cell = {.text = data + reader->next};
    while (reader->next < reader->limit && blank(data[reader->next])) reader->next++;
    if (reader->next < reader->limit && data[reader->next] == '"') {
        cell.quoted = true;
        cell.text = data + reader->next + 1;
        bool closed = skip_quoted(reader);
        cell.length = (size_t)(data + reader->next - cell.text) - closed;
    }
    while (reader->next < reader->limit && data[reader->next] != ',' &&
           data[reader->next] != '\n') {
        cell.bad |= cell.quoted && !blank(data[reader->next]) && data[reader->next] != '\r';
        reader->next++;
    }
    if (!cell.quoted) {
        cell.length = (size_t)(data + reader->next - cell.text);
        trim(&cell);
    }
    cell.ended = reader->next < reader->limit;
    cell.last = !cell.ended || data[reader->next] == '\n';
    if (cell.ended) reader->next++;
    return cell;
}

// Moves the window to the row that begins at `at`: `limit` bytes of it, or all. False: the
// window fails.
static bool look_at_row(Reader *reader, size_t limit)
{
    uint64_t left = reader->size - reader->at;
    reader->limit = left < limit || reader->window->memory ? (size_t)left : limit;
    reader->next = 0;
    reader->data = (const char *)ib__window_view(reader->window, reader->at, reader->limit);
    return reader->data != NULL;
}

// True for a row only partly in the window, which is then examined again, twice as far.
static bool is_partial(const Reader *reader, const Cell *last)
{
    return !last->ended && reader->limit < reader->size - reader->at;
}

// ----------------------------------------------------------------------------------- the first row

static char *cell_text(ib_Arena *arena, Cell cell)
{
    char *text = ib_arena_text_n(arena, cell.text, cell.length);
    if (!text || !cell.quoted) return text;
    char *to = text;
    for (const char *from = text; *from; from++) {
        *to++ = *from;
        if (from[0] == '"' && from[1] == '"') from++;
    }
    *to = '\0';
    return text;
}

// Splits "name [unit]" in two, and removes the apostrophe that keeps a name from being a formula.
static void split_unit(ib_LogSeries *series, char *text)
{
    size_t quotes = strspn(text, "'");
    if (quotes && text[quotes] && strchr(IB_CSV_FORMULA, text[quotes])) text++;
    size_t length = strlen(text);
    char *bracket = strrchr(text, '[');
    series->name = text;
    series->unit = series->sentence = "";
    if (!bracket || bracket - text < 2 || bracket[-1] != ' ' || text[length - 1] != ']') return;
    bracket[-1] = '\0';
    text[length - 1] = '\0';
    series->unit = bracket + 1;
}

static bool is_time(const ib_LogSeries *series)
{
    static const char *const names[] = {"time", "t", "timestamp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(series->name, names[i]) == 0) return true;
    return false;
}

static bool has_units(const ib_LogSeries *columns, int count)
{
    for (int i = 1; i < count; i++)
        if (columns[i].unit[0]) return true;
    return false;
}

// Moves the window over all of the first row.
static bool look_at_header(Reader *reader)
{
    Cell cell;
    size_t limit = reader->window->usual / ROW_PART + 1;
    do {
        if (!look_at_row(reader, limit)) return false;
        do cell = next_cell(reader);
        while (!cell.last);
        limit *= 2;
    } while (is_partial(reader, &cell));
    reader->next = 0;
    reader->line = 1;
    return true;
}

static ib_Status read_header(Reader *reader, ib_LogSeries *columns)
{
    ib_Arena *arena = &reader->log->arena;
    reader->time_column = -1;
    if (!look_at_header(reader)) return reader->window->status;
    bool older = false;
    for (bool last = false; !last;) {
        int place = reader->column_count++;
        if (place > IB_LOG_MAX_SIGNALS)
            return ib_error_set(reader->error, IB_BAD_INPUT, "%s:1:%d: more than %d columns",
                                reader->window->name, place + 1, IB_LOG_MAX_SIGNALS + 1);
        Cell cell = next_cell(reader);
        last = cell.last;
        char *text =
            cell.length ? cell_text(arena, cell) : ib_arena_format(arena, "column %d", place + 1);
        if (!text)
            return ib_error_set(reader->error, IB_FAILED, "%s: out of memory",
                                reader->window->name);
        if (place == 0) older = strcmp(text, "time [s]") == 0; // up to version 0.2
        if (place == 0) reader->own = older || strcmp(text, IB_CSV_TIME) == 0;
        if (cell.bad || (last && !cell.ended && (reader->own || cell.quoted)))
            return ib_error_set(
                reader->error, IB_BAD_INPUT, "%s:1:%d: %s", reader->window->name, place + 1,
                cell.bad ? "text after a closing quote" : "the file ends inside its first row");
        split_unit(&columns[place], text);
        ib_LogSeries *column = &columns[place];
        ib_signal_recognise(column->name, column->unit, arena, &column->means);
        if (reader->time_column < 0 && is_time(&columns[place])) reader->time_column = place;
    }
    reader->line++;
    reader->at += reader->next;
    // Other programs use the same name for time; a unit in brackets is Ironbird's.
    reader->own = older || (reader->own && has_units(columns, reader->column_count));
    return IB_OK;
}

static ib_Status check_header(const Reader *reader, const ib_LogSeries *columns)
{
    if (reader->time_column < 0)
        return ib_error_set(
            reader->error, IB_BAD_INPUT,
            "%s:1:1: no time column: expected one called 'Timestamp', 'time [s]', 'time' "
            "or 't', got '%s' first",
            reader->window->name, ib_quote(columns[0].name).text);
    const ib_LogSeries *time = &columns[reader->time_column];
    if (time->unit[0] && strcmp(time->unit, "s") != 0)
        return ib_error_set(reader->error, IB_BAD_INPUT,
                            "%s:1:%d: the time must be in seconds, got '%s'", reader->window->name,
                            reader->time_column + 1, ib_quote(time->unit).text);
    for (int i = 0; i < reader->column_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(columns[i].name, columns[k].name) == 0)
                return ib_error_set(
                    reader->error, IB_BAD_INPUT, "%s:1:%d: '%s' is already the name of column %d",
                    reader->window->name, i + 1, ib_quote(columns[i].name).text, k + 1);
    return IB_OK;
}

// ---------------------------------------------------------------------------------- the other rows

// The series of a column other than time.
static int series_at(const Reader *reader, int place)
{
    return place - (place > reader->time_column);
}

static ib_Status bad_cell(const Reader *reader, int64_t line, int place, Cell cell)
{
    bool time = place == reader->time_column;
    int length = cell.length > IB__CELL_MAX ? IB__CELL_MAX : (int)cell.length;
    const char *name =
        time ? reader->time_name : reader->log->series[series_at(reader, place)].name;
    return ib_error_set(reader->error, IB_BAD_INPUT, "%s:%" PRId64 ":%d: %s: expected %s, got '%s'",
                        reader->window->name, line, place + 1, ib_quote(name).text,
                        time ? "a time in seconds" : "a number",
                        ib_quote_n(cell.text, length).text);
}

// Reads the cells in the window; *last is the last of them, *count their number.
static ib_Status read_cells(Reader *reader, int64_t line, int *count, Cell *last)
{
    *count = 0;
    do {
        *last = next_cell(reader);
        if (last->bad)
            return ib_error_set(reader->error, IB_BAD_INPUT,
                                "%s:%" PRId64 ":%d: text after a closing quote",
                                reader->window->name, line, *count + 1);
        if (*count < reader->column_count) reader->cells[*count] = *last;
        ++*count;
    } while (!last->last);
    return IB_OK;
}

// Reads one row; *count cells, 0 for an empty line. *whole is false for a row cut by the end of
// the file.
static ib_Status read_row(Reader *reader, int *count, bool *whole)
{
    int64_t line = reader->line;
    Cell last;
    size_t limit = reader->window->usual / ROW_PART + 1;
    do {
        reader->line = line;
        if (!look_at_row(reader, limit)) return reader->window->status;
        ib_Status status = read_cells(reader, line, count, &last);
        if (status != IB_OK) return status;
        limit *= 2;
    } while (is_partial(reader, &last));

    reader->line++;
    if (*count == 1 && reader->cells[0].length == 0) *count = 0;
    bool closed = last.ended || !(reader->own || last.quoted);
    *whole = last.ended || (closed && *count == reader->column_count);
    if (*whole) reader->at += reader->next;
    if (!*whole || *count == 0 || *count == reader->column_count) return IB_OK;
    return ib_error_set(reader->error, IB_BAD_INPUT,
                        "%s:%" PRId64 ":%d: expected %d cells as in the first row, got %d",
                        reader->window->name, line, *count, reader->column_count, *count);
}

// Finds the end of the complete rows, and counts the cells of each column.
static ib_Status count_rows(Reader *reader, int64_t *counts)
{
    while (reader->at < reader->size) {
        int count = 0;
        bool whole = false;
        ib_Status status = read_row(reader, &count, &whole);
        if (status != IB_OK) return status;
        if (!whole) {
            reader->size = reader->at;
            reader->log->truncated = true;
        }
        for (int i = 0; whole && i < count; i++) counts[i] += reader->cells[i].length > 0;
    }
    return IB_OK;
}

// ----------------------------------------------------------------------------------------- samples

static ib__CellSays hand_cell(Cell cell, ib_Time time, int series, const ib__LogTaker *taker)
{
    double value = 0;
    bool exact = !taker->exact || taker->exact[series];
    ib__CellSays said = !exact && ib__cell_is_number(cell.text, cell.length)
                            ? IB__CELL_NUMBER
                            : ib__cell_value(cell.text, cell.length, &value);
    if (said == IB__CELL_NUMBER && taker->number) taker->number(taker->self, time, series, value);
    if (said == IB__CELL_HOLE && taker->hole) taker->hole(taker->self, time, series);
    return said;
}

static ib_Status hand_row(Reader *reader, int64_t line, const ib__LogTaker *taker)
{
    ib_Time time;
    Cell cell = reader->cells[reader->time_column];
    if (!ib__cell_time(cell.text, cell.length, &time))
        return bad_cell(reader, line, reader->time_column, cell);
    if (reader->at > reader->known) {
        if (time < reader->latest && !reader->log->back_line) reader->log->back_line = line;
        reader->latest = time;
        reader->known = reader->at;
    }
    if (time < taker->from || time >= taker->until) return IB_OK;
    for (int i = 0; i < reader->column_count; i++) {
        if (i == reader->time_column) continue;
        if (hand_cell(reader->cells[i], time, series_at(reader, i), taker) == IB__CELL_NONSENSE)
            return bad_cell(reader, line, i, reader->cells[i]);
    }
    return IB_OK;
}

static ib_Status read_samples(void *self, uint64_t end, const ib__LogTaker *taker)
{
    Reader *reader = self;
    while (reader->at < end && reader->at < reader->size) {
        int64_t line = reader->line;
        int count = 0;
        bool whole = false;
        ib_Status status = read_row(reader, &count, &whole);
        if (status == IB_OK && !whole)
            status = ib_error_set(reader->error, IB_BAD_INPUT,
                                  "%s:%" PRId64 ":1: the file has changed while it was read",
                                  reader->window->name, line);
        if (status == IB_OK && count) status = hand_row(reader, line, taker);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

static ib__LogMark get_mark(const void *self)
{
    const Reader *reader = self;
    return (ib__LogMark){reader->at, reader->line};
}

static void seek_mark(void *self, ib__LogMark mark)
{
    Reader *reader = self;
    reader->at = mark.at;
    reader->line = mark.count;
}

// A CSV has no texts.
static const char *text_at(void *self, uint64_t at)
{
    (void)self;
    (void)at;
    return NULL;
}

// -------------------------------------------------------------------------------------------- open

// The time column is no series.
static void take_out_time(Reader *reader, ib_LogSeries *columns, const int64_t *counts)
{
    reader->time_name = columns[reader->time_column].name;
    reader->log->series = columns;
    reader->log->series_count = reader->column_count - 1;
    for (int i = 0; i < reader->column_count; i++) {
        if (i == reader->time_column) continue;
        columns[i].count = counts[i];
        columns[series_at(reader, i)] = columns[i];
    }
}

static ib_Status read_table(Reader *reader, ib_LogSeries *columns, int64_t *counts)
{
    ib_Status status = read_header(reader, columns);
    if (status == IB_OK) status = check_header(reader, columns);
    if (status != IB_OK) return status;

    uint64_t first = reader->at;
    int64_t line = reader->line;
    status = count_rows(reader, counts);
    if (status != IB_OK) return status;
    take_out_time(reader, columns, counts);
    reader->log->whole_size = reader->at;
    reader->known = reader->at = first;
    reader->line = line;
    return IB_OK;
}

// A power cut leaves zeros at the end, in the place of data that had not reached the disk.
static void leave_out_zeros(Reader *reader)
{
    while (reader->size) {
        const unsigned char *last = ib__window_view(reader->window, reader->size - 1, 1);
        if (!last || *last != 0) return;
        reader->size--;
        reader->log->truncated = true;
    }
}

// The first row has at most one column more than the file has commas.
static size_t most_columns(Reader *reader)
{
    size_t columns = 2;
    for (uint64_t at = 0; at < reader->size && columns < IB_LOG_MAX_SIGNALS + 2; at++) {
        const unsigned char *byte = ib__window_view(reader->window, at, 1);
        if (!byte) break;
        columns += *byte == ',';
    }
    return columns;
}

static ib_Status read_front(Reader *reader)
{
    leave_out_zeros(reader);
    const unsigned char *mark = reader->size >= 3 ? ib__window_view(reader->window, 0, 3) : NULL;
    if (mark && memcmp(mark, "\xef\xbb\xbf", 3) == 0) reader->at = 3;
    size_t columns = most_columns(reader);
    if (reader->window->status != IB_OK) return reader->window->status;
    if (reader->at == reader->size)
        return ib_error_set(reader->error, IB_BAD_INPUT, "%s:1:1: the file is empty",
                            reader->window->name);

    ib_Arena *arena = &reader->log->arena;
    ib_LogSeries *series = ib_arena_array(arena, columns, sizeof *series);
    int64_t *counts = ib_arena_array(arena, columns, sizeof *counts);
    reader->cells = ib_arena_array(arena, columns, sizeof *reader->cells);
    if (!series || !counts || !reader->cells)
        return ib_error_set(reader->error, IB_FAILED, "%s: out of memory", reader->window->name);
    return read_table(reader, series, counts);
}

ib_Status ib__csv_source_open(ib__Window *window, ib_Log *log, ib__LogSource *source)
{
    Reader *reader = calloc(1, sizeof *reader);
    if (!reader) return ib_error_set(window->error, IB_FAILED, "%s: out of memory", window->name);
    *reader = (Reader){.window = window,
                       .size = window->size,
                       .line = 1,
                       .latest = -IB_TIME_NEVER,
                       .log = log,
                       .error = window->error};
    ib_Status status = read_front(reader);
    if (status != IB_OK) {
        free(reader);
        return status;
    }
    *source = (ib__LogSource){.self = reader,
                              .mark = get_mark,
                              .seek = seek_mark,
                              .read = read_samples,
                              .text = text_at,
                              .destroy = free};
    return IB_OK;
}
