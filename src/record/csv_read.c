// record/csv_read.c: reads CSV in two passes over the rows.
// The first finds where the whole rows end and how many cells each column has, the second reads
// them into arrays of just that size.
#include "base/quote.h"
#include "record/csv.h"
#include "sim/recognise.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CELL_MAX = 400 }; ///< characters of a number

typedef struct Reader {
    const char *name; ///< of the file, for messages
    const char *data;
    size_t size, at;
    int64_t line;     ///< of the next cell, from 1
    int column_count; ///< with the time column
    int time_column;
    ib_Time latest; ///< of the rows that were filled
    bool own;       ///< written by Ironbird: every whole row has its line end
    ib_Log *log;
    ib_Error *error;
} Reader;

typedef struct Cell {
    const char *text; ///< without its quotes; quotes inside still doubled
    size_t length;
    bool quoted;
    bool last;  ///< of its row
    bool ended; ///< by a comma or a line end, not by the end of the file
    bool bad;   ///< text after the closing quote
} Cell;

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

// Moves past the cell's closing quote; false when there is none.
static bool skip_quoted(Reader *reader)
{
    for (reader->at++; reader->at < reader->size; reader->at++) {
        if (reader->data[reader->at] == '\n') reader->line++;
        if (reader->data[reader->at] != '"') continue;
        bool doubled = reader->at + 1 < reader->size && reader->data[reader->at + 1] == '"';
        if (!doubled) {
            reader->at++;
            return true;
        }
        reader->at++;
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
    Cell cell = {.text = data + reader->at};
    while (reader->at < reader->size && blank(data[reader->at])) reader->at++;
    if (reader->at < reader->size && data[reader->at] == '"') {
        cell.quoted = true;
        cell.text = data + reader->at + 1;
        bool closed = skip_quoted(reader);
        cell.length = (size_t)(data + reader->at - cell.text) - closed;
    }
    while (reader->at < reader->size && data[reader->at] != ',' && data[reader->at] != '\n') {
        cell.bad |= cell.quoted && !blank(data[reader->at]) && data[reader->at] != '\r';
        reader->at++;
    }
    if (!cell.quoted) {
        cell.length = (size_t)(data + reader->at - cell.text);
        trim(&cell);
    }
    cell.ended = reader->at < reader->size;
    cell.last = !cell.ended || data[reader->at] == '\n';
    if (cell.ended) reader->at++;
    return cell;
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

// "name [unit]" in two.
static void split_unit(ib_LogSeries *series, char *text)
{
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

static ib_Status read_header(Reader *reader, ib_LogSeries *columns)
{
    ib_Arena *arena = &reader->log->arena;
    reader->time_column = -1;
    bool older = false;
    for (bool last = false; !last;) {
        int place = reader->column_count++;
        if (place > IB_LOG_MAX_SIGNALS)
            return ib_error_set(reader->error, IB_BAD_INPUT, "%s:1:%d: more than %d columns",
                                reader->name, place + 1, IB_LOG_MAX_SIGNALS + 1);
        Cell cell = next_cell(reader);
        last = cell.last;
        char *text =
            cell.length ? cell_text(arena, cell) : ib_arena_format(arena, "column %d", place + 1);
        if (!text) return ib_error_set(reader->error, IB_FAILED, "%s: out of memory", reader->name);
        if (place == 0) older = strcmp(text, "time [s]") == 0; // up to version 0.2
        if (place == 0) reader->own = older || strcmp(text, IB_CSV_TIME) == 0;
        if (cell.bad || (last && !cell.ended && (reader->own || cell.quoted)))
            return ib_error_set(reader->error, IB_BAD_INPUT, "%s:1:%d: %s", reader->name, place + 1,
                                cell.bad ? "text after a closing quote"
                                         : "the file ends inside its first row");
        split_unit(&columns[place], text);
        ib_LogSeries *column = &columns[place];
        ib_signal_recognise(column->name, column->unit, arena, &column->means);
        if (reader->time_column < 0 && is_time(&columns[place])) reader->time_column = place;
    }
    reader->line++;
    // Others call the time so too; a unit in brackets is ours.
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
            reader->name, ib_quote(columns[0].name).text);
    const ib_LogSeries *time = &columns[reader->time_column];
    if (time->unit[0] && strcmp(time->unit, "s") != 0)
        return ib_error_set(reader->error, IB_BAD_INPUT,
                            "%s:1:%d: the time must be in seconds, got '%s'", reader->name,
                            reader->time_column + 1, ib_quote(time->unit).text);
    for (int i = 0; i < reader->column_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(columns[i].name, columns[k].name) == 0)
                return ib_error_set(reader->error, IB_BAD_INPUT,
                                    "%s:1:%d: '%s' is already the name of column %d", reader->name,
                                    i + 1, ib_quote(columns[i].name).text, k + 1);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- cells

static bool is_word(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(text, *words) == 0) return true;
    return false;
}

// What a cell says.
typedef enum Said {
    NO_SAMPLE, ///< nothing, or null
    NUMBER,
    HOLE, ///< not finite: there was a sample, but no number came of it
    NONSENSE,
} Said;

static Said read_value(Cell cell, double *value)
{
    static const char *const not_finite[] = {"nan",      "-nan",      "inf", "-inf",
                                             "infinity", "-infinity", NULL};
    if (cell.length == 0) return NO_SAMPLE;
    if (cell.length > CELL_MAX) return NONSENSE;
    char text[CELL_MAX + 1];
    memcpy(text, cell.text, cell.length);
    text[cell.length] = '\0';

    // Hexadecimal and the other things strtod knows are not numbers here.
    if (strspn(text, "+-.0123456789eE") == cell.length) {
        char *end;
        *value = strtod(text, &end);
        return *end == '\0' && isfinite(*value) ? NUMBER : NONSENSE;
    }
    if (strcasecmp(text, "null") == 0) return NO_SAMPLE;
    if (is_word(text, not_finite)) return HOLE;
    *value = strcasecmp(text, "true") == 0;
    return *value != 0 || strcasecmp(text, "false") == 0 ? NUMBER : NONSENSE;
}

// Seconds to nanoseconds, digit by digit: a double holds a nanosecond only for the first 52 days.
static bool read_time(Cell cell, ib_Time *time)
{
    const char *at = cell.text, *end = cell.text + cell.length;
    bool negative = at < end && *at == '-';
    if (negative) at++;
    int64_t seconds = 0, ns = 0;
    int digits = 0, place = 0;
    for (; at < end && *at >= '0' && *at <= '9' && digits < 11; at++, digits++)
        seconds = 10 * seconds + (*at - '0');
    if (at < end && *at == '.') {
        for (at++; at < end && *at >= '0' && *at <= '9' && place < 9; at++, place++)
            ns = 10 * ns + (*at - '0');
    }
    if (at == end && digits + place > 0 && seconds <= 9000000000) {
        for (; place < 9; place++) ns *= 10;
        *time = (seconds * IB_SECOND + ns) * (negative ? -1 : 1);
        return true;
    }
    // An exponent or more digits than nanoseconds.
    double value;
    if (read_value(cell, &value) != NUMBER || fabs(value) > 9e9) return false;
    *time = ib_time_from_seconds(value);
    return true;
}

// ---------------------------------------------------------------------------------- the other rows

static ib_Status bad_cell(const Reader *reader, int64_t line, int place,
                          const ib_LogSeries *columns, Cell cell)
{
    int length = cell.length > CELL_MAX ? CELL_MAX : (int)cell.length;
    return ib_error_set(reader->error, IB_BAD_INPUT, "%s:%" PRId64 ":%d: %s: expected %s, got '%s'",
                        reader->name, line, place + 1, ib_quote(columns[place].name).text,
                        place == reader->time_column ? "a time in seconds" : "a number",
                        ib_quote_n(cell.text, length).text);
}

// Reads one row into `cells`; *count of them, 0 for an empty line. *whole is false for a row that
// the end of the file cuts.
static ib_Status read_row(Reader *reader, Cell *cells, int *count, bool *whole)
{
    int64_t line = reader->line;
    *count = 0;
    Cell cell;
    do {
        cell = next_cell(reader);
        if (cell.bad)
            return ib_error_set(reader->error, IB_BAD_INPUT,
                                "%s:%" PRId64 ":%d: text after a closing quote", reader->name, line,
                                *count + 1);
        if (*count < reader->column_count) cells[*count] = cell;
        ++*count;
    } while (!cell.last);

    reader->line++;
    if (*count == 1 && cells[0].length == 0) *count = 0;
    bool closed = cell.ended || !(reader->own || cell.quoted);
    *whole = cell.ended || (closed && *count == reader->column_count);
    if (!*whole || *count == 0 || *count == reader->column_count) return IB_OK;
    return ib_error_set(reader->error, IB_BAD_INPUT,
                        "%s:%" PRId64 ":%d: expected %d cells as in the first row, got %d",
                        reader->name, line, *count, reader->column_count, *count);
}

// One cell of a row. Holes go to the far end of the column's times, the last one first: samples and
// holes together are at most as many as there are cells.
static Said fill_cell(Cell cell, ib_Time time, ib_LogSeries *column, ib_LogFlaws *flaws)
{
    double value;
    Said said = read_value(cell, &value);
    if (said == NUMBER) {
        column->times[column->count] = time;
        column->values[column->count++] = value;
    } else if (said == HOLE) {
        *--flaws->hole_times = time;
        flaws->hole_count++;
    }
    return said;
}

static ib_Status fill_row(Reader *reader, int64_t line, const Cell *cells, ib_LogSeries *columns)
{
    ib_Time time;
    if (!read_time(cells[reader->time_column], &time))
        return bad_cell(reader, line, reader->time_column, columns, cells[reader->time_column]);
    if (time < reader->latest && !reader->log->back_line) reader->log->back_line = line;
    reader->latest = time;
    for (int i = 0; i < reader->column_count; i++) {
        if (i == reader->time_column) continue;
        if (fill_cell(cells[i], time, &columns[i], &reader->log->flaws[i]) == NONSENSE)
            return bad_cell(reader, line, i, columns, cells[i]);
    }
    return IB_OK;
}

// Runs over all rows: counting cells, or, once `fill` is set, reading them.
static ib_Status read_rows(Reader *reader, ib_LogSeries *columns, Cell *cells, bool fill)
{
    while (reader->at < reader->size) {
        size_t start = reader->at;
        int64_t line = reader->line;
        int count = 0;
        bool whole = false;
        ib_Status status = read_row(reader, cells, &count, &whole);
        if (status != IB_OK) return status;
        if (!whole) {
            reader->size = start;
            reader->log->truncated = true;
            return IB_OK;
        }
        if (count == 0) continue;
        if (fill) status = fill_row(reader, line, cells, columns);
        if (status != IB_OK) return status;
        for (int i = 0; !fill && i < count; i++) columns[i].count += cells[i].length > 0;
    }
    return IB_OK;
}

static ib_Status allocate(Reader *reader, ib_LogSeries *columns)
{
    ib_Arena *arena = &reader->log->arena;
    for (int i = 0; i < reader->column_count; i++) {
        size_t count = i == reader->time_column ? 0 : (size_t)columns[i].count;
        columns[i].times = ib_arena_array(arena, count, sizeof(ib_Time));
        columns[i].values = ib_arena_array(arena, count, sizeof(double));
        columns[i].count = 0;
        if (!columns[i].times || !columns[i].values)
            return ib_error_set(reader->error, IB_FAILED, "%s: out of memory", reader->name);
        reader->log->flaws[i].hole_times = columns[i].times + count;
    }
    return IB_OK;
}

static ib_Status read_table(Reader *reader, ib_LogSeries *columns, Cell *cells)
{
    ib_Status status = read_header(reader, columns);
    if (status == IB_OK) status = check_header(reader, columns);
    if (status != IB_OK) return status;

    size_t first = reader->at;
    int64_t line = reader->line;
    status = read_rows(reader, columns, cells, false);
    if (status == IB_OK) status = allocate(reader, columns);
    if (status != IB_OK) return status;
    reader->at = first;
    reader->line = line;
    status = read_rows(reader, columns, cells, true);

    // The time column is no series.
    ib_Log *log = reader->log;
    ib_LogFlaws *flaws = log->flaws + reader->time_column;
    log->series = columns;
    log->series_count = reader->column_count - 1;
    size_t behind = (size_t)(log->series_count - reader->time_column);
    memmove(columns + reader->time_column, columns + reader->time_column + 1,
            behind * sizeof *columns);
    memmove(flaws, flaws + 1, behind * sizeof *flaws);
    log->whole_size = reader->at;
    return status;
}

ib_Status ib_csv_parse(const char *name, const unsigned char *data, size_t size, ib_Log *log,
                       ib_Error *error)
{
    // A power cut leaves a tail of zeros where data had not reached the disk.
    while (size && data[size - 1] == 0) {
        size--;
        log->truncated = true;
    }
    Reader reader = {.name = name,
                     .data = (const char *)data,
                     .size = size,
                     .line = 1,
                     .latest = -IB_TIME_NEVER,
                     .log = log,
                     .error = error};
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) reader.at = 3;
    if (reader.at == size)
        return ib_error_set(error, IB_BAD_INPUT, "%s:1:1: the file is empty", name);

    // The first row has at most one column more than the file has commas.
    size_t columns = 2;
    for (size_t i = 0; i < size && columns < IB_LOG_MAX_SIGNALS + 2; i++) columns += data[i] == ',';
    ib_LogSeries *series = ib_arena_array(&log->arena, columns, sizeof *series);
    Cell *cells = ib_arena_array(&log->arena, columns, sizeof *cells);
    log->flaws = ib_arena_array(&log->arena, columns, sizeof *log->flaws);
    if (!series || !cells || !log->flaws)
        return ib_error_set(error, IB_FAILED, "%s: out of memory", name);
    return read_table(&reader, series, cells);
}
