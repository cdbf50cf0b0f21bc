// desk/plan/plan_rows.c: a path as rows of {theta, omega, alpha} of each joint, inline or in a
// CSV file.
#include "base/quote.h"
#include "base/units.h"
#include "control/arm/arm_rows.h"
#include "desk/plan/plan_inside.h"
#include "file/contents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6 };
static const char *const columns[COLUMNS + 1] = {"theta1", "omega1", "alpha1", "theta2",
                                                 "omega2", "alpha2", NULL};
static const char *const units[COLUMNS] = {"rad", "1", "1/rad", "rad", "1", "1/rad"};

// Rows with the place of each in its file.
typedef struct Rows {
    int count;
    ib_ArmRow *rows;
    ib_Place *places;
} Rows;

static double *cell_of(ib_ArmRow *row, int column)
{
    double *parts[] = {row->theta, row->omega, row->alpha};
    return &parts[column % 3][column / 3];
}

static bool make_room(ib_Reader *reader, const ib_Node *node, int count, Rows *rows)
{
    if (count < 2 || count > IB_PLAN_POINTS_MOST) {
        ib_wrong_value(reader, node, "expected 2 to %d rows, got %d", IB_PLAN_POINTS_MOST, count);
        return false;
    }
    rows->rows = ib_arena_array(reader->arena, (size_t)count, sizeof *rows->rows);
    rows->places = ib_arena_array(reader->arena, (size_t)count, sizeof *rows->places);
    if (rows->rows && rows->places) return true;
    ib_wrong_value(reader, node, "out of memory");
    return false;
}

// ------------------------------------------------------------------------------------------ inline

// {theta1: 0.3 rad, omega1: 0.58, alpha1: 0 1/rad, theta2: …}
static bool read_row(ib_Reader *reader, const ib_Node *node, ib_ArmRow *row)
{
    bool good = true;
    if (!ib_check_map(reader, node,
                      "a row such as {theta1: 0.3 rad, omega1: 0.6, alpha1: 0 1/rad, "
                      "theta2: …}"))
        return false;
    ib_check_keys(reader, node, columns);
    for (int i = 0; i < COLUMNS; i++) {
        const ib_Node *cell = ib_node_get(node, columns[i]);
        if (!cell) ib_wrong_gap(reader, node, "'%s' is missing", columns[i]);
        good &= cell && ib__plan_number(reader, cell, units[i], -1e6, 1e6, cell_of(row, i));
    }
    return good;
}

static bool read_list(ib_Reader *reader, const ib_Node *list, Rows *rows)
{
    bool good = true;
    if (!make_room(reader, list, list->count, rows)) return false;
    for (const ib_Node *node = list->first; node && !ib_is_full(reader); node = node->next) {
        good &= read_row(reader, node, &rows->rows[node->index]);
        rows->places[node->index] = node->place;
    }
    rows->count = list->count;
    return good;
}

// --------------------------------------------------------------------------------------------- CSV

// A file, read line by line, cell by cell.
typedef struct Table {
    ib_Reader *reader;
    const char *file;
    char *next; ///< the unread rest
    int line;
    int order[COLUMNS];   ///< for each column of the file: its index here
    double unit[COLUMNS]; ///< of the file's columns [SI]
} Table;

static void wrong_cell(Table *table, int column, const char *format, const char *words)
{
    ib_diagnostics_add(table->reader->diagnostics, (ib_Place){table->file, table->line, column},
                       format, words);
}

// The next line, without its end; NULL: none. Empty lines are skipped.
static char *next_line(Table *table)
{
    while (*table->next) {
        char *line = table->next;
        size_t length = strcspn(line, "\n");
        table->next += length + (line[length] == '\n');
        table->line++;
        if (length && line[length - 1] == '\r') line[length - 1] = '\0';
        line[length] = '\0';
        if (line[strspn(line, " \t")]) return line;
    }
    return NULL;
}

// Splits a line at its commas, without blanks around cells; returns their number.
static int split(char *line, char *cells[COLUMNS + 1], int at[COLUMNS + 1])
{
    int count = 0;
    for (char *text = line; text && count <= COLUMNS; count++) {
        char *comma = strchr(text, ','), *begin = text + strspn(text, " \t");
        if (comma) *comma = '\0';
        cells[count] = begin;
        at[count] = (int)(begin - line) + 1;
        for (size_t n = strlen(begin); n && strchr(" \t", begin[n - 1]); n--) begin[n - 1] = '\0';
        text = comma ? comma + 1 : NULL;
    }
    return count;
}

// "theta1 [deg]": cuts off and reads the unit in brackets; without them it is SI.
static bool read_unit(Table *table, char *cell, int at, const char *si, double *unit)
{
    char *bracket = strchr(cell, '['), *end = bracket ? strchr(bracket, ']') : NULL, text[64];
    ib_Error error;
    *unit = 1;
    cell[strcspn(cell, " \t[")] = '\0';
    if (!bracket) return true;
    if (!end || end[1]) {
        wrong_cell(table, at, "expected a unit in brackets behind '%s', such as [rad]",
                   ib_quote(cell).text);
        return false;
    }
    *end = '\0';
    snprintf(text, sizeof text, "1 %s", strcmp(bracket + 1, "1") == 0 ? "" : bracket + 1);
    if (ib_units_read(text, si, unit, &error) == IB_OK) return true;
    wrong_cell(table, at, "the unit in brackets: %s", error.text);
    return false;
}

// theta1 [rad],omega1,…: each name once, in any order.
static bool read_header(Table *table)
{
    char *cells[COLUMNS + 1], *line = next_line(table);
    int at[COLUMNS + 1], count = line ? split(line, cells, at) : 0;
    bool seen[COLUMNS] = {false};
    if (count != COLUMNS) {
        if (!table->line) table->line = 1;
        wrong_cell(table, 1, "expected a first line with the columns %s",
                   "theta1,omega1,alpha1,theta2,omega2,alpha2");
        return false;
    }
    for (int i = 0; i < COLUMNS; i++) {
        int found = 0;
        size_t name = strcspn(cells[i], " \t[");
        while (found < COLUMNS &&
               (strncmp(cells[i], columns[found], name) != 0 || strlen(columns[found]) != name))
            found++;
        bool good = found < COLUMNS && !seen[found];
        if (good && !read_unit(table, cells[i], at[i], units[found], &table->unit[i])) return false;
        if (!good) {
            cells[i][name] = '\0';
            wrong_cell(table, at[i],
                       found == COLUMNS ? "there is no column '%s' in a path: expected theta1, "
                                          "omega1, alpha1, theta2, omega2 and alpha2"
                                        : "the column '%s' is there twice",
                       ib_quote(cells[i]).text);
            return false;
        }
        seen[found] = true;
        table->order[i] = found;
    }
    return true;
}

// A plain decimal.
static bool read_cell(const char *text, double *value)
{
    char *end;
    if (!text[0] || text[strspn(text, "+-.0123456789eE")]) return false;
    *value = strtod(text, &end);
    return !*end && fabs(*value) <= 1e6;
}

// Lines that are not empty.
static int count_lines(const char *text)
{
    int count = 0;
    for (; *text; text += *text == '\n') {
        size_t length = strcspn(text, "\n");
        if (text[strspn(text, " \t\r")] != '\n' && strspn(text, " \t\r") < length) count++;
        text += length;
    }
    return count;
}

// Reads one line into its row. False: wrong.
static bool read_line(Table *table, char *line, ib_ArmRow *row)
{
    char *cells[COLUMNS + 1];
    int at[COLUMNS + 1], count = split(line, cells, at);
    bool good = true;
    if (count != COLUMNS) {
        wrong_cell(table, 1, "expected 6 cells as in the first line, got %s",
                   count > COLUMNS ? "more" : "fewer");
        return false;
    }
    for (int i = 0; i < COLUMNS; i++) {
        double *cell = cell_of(row, table->order[i]);
        if (read_cell(cells[i], cell)) {
            *cell *= table->unit[i];
            continue;
        }
        wrong_cell(table, at[i], "expected a plain number, got '%s'", ib_quote(cells[i]).text);
        good = false;
    }
    return good;
}

static bool read_table(Table *table, const ib_Node *node, Rows *rows)
{
    char *line;
    bool good = read_header(table);
    if (!good || !make_room(table->reader, node, count_lines(table->next), rows)) return false;
    while ((line = next_line(table)) && !ib_is_full(table->reader)) {
        rows->places[rows->count] = (ib_Place){table->file, table->line, 1};
        good &= read_line(table, line, &rows->rows[rows->count]);
        rows->count++;
    }
    return good;
}

static bool read_file(ib_Reader *reader, const ib_Node *node, Rows *rows)
{
    ib_Error error;
    size_t length;
    const char *text = ib_read_text(reader, node, "the name of a CSV file, or a list of rows");
    const char *path = text ? ib_resolve(reader, node) : NULL;
    if (!path) return false;
    char *contents = ib_contents_load(path, reader->arena, &length, &error);
    if (!contents) {
        ib_wrong_value(reader, node, "%s", error.text);
        return false;
    }
    if (strlen(contents) != length || !ib_add_file(reader, path)) {
        ib_wrong_value(reader, node, "'%s' is no table of text", ib_quote(text).text);
        return false;
    }
    // Some programs begin a text with a byte order mark.
    static const char mark[] = "\xef\xbb\xbf";
    bool marked = strncmp(contents, mark, strlen(mark)) == 0;
    Table table = {.reader = reader, .file = path, .next = contents + (marked ? strlen(mark) : 0)};
    return read_table(&table, node, rows);
}

// ---------------------------------------------------------------------------------------- verdicts

// Refuses rows, with the row, the joint, the value and the expected one.
static void refuse_rows(ib_Reader *reader, const Rows *rows, const ib_ArmRowVerdict *verdict)
{
    int row = verdict->row + 1, joint = verdict->joint + 1;
    double got = verdict->got, expected = verdict->expected;
    ib_Place place = rows->places[verdict->row];
    ib_Diagnostics *told = reader->diagnostics;
    switch (verdict->fault) {
    case IB_ARM_ROW_LENGTH:
        ib_diagnostics_add(told, place,
                           "row %d: (omega1, omega2) is %.6g long, expected 1: they are angles per "
                           "length of the path, sqrt(dtheta1^2 + dtheta2^2)",
                           row, got);
        break;
    case IB_ARM_ROW_SLANTED:
        ib_diagnostics_add(told, place,
                           "row %d: omega and alpha are not at right angles, omega1 alpha1 + "
                           "omega2 alpha2 is %.6g, expected 0; look at alpha%d",
                           row, got, joint);
        break;
    case IB_ARM_ROW_STANDS:
        ib_diagnostics_add(told, place, "row %d: is at the same angles as row %d: expected a step",
                           row, row - 1);
        break;
    case IB_ARM_ROW_ANGLE:
        ib_diagnostics_add(told, place,
                           "row %d: theta%d is %.9g rad, expected %.9g rad: row %d and the omegas "
                           "lead there",
                           row, joint, got, expected, row - 1);
        break;
    case IB_ARM_ROW_DIRECTION:
        ib_diagnostics_add(told, place,
                           "row %d: omega%d is %.9g, expected %.9g: row %d and the alphas lead "
                           "there",
                           row, joint, got, expected, row - 1);
        break;
    default:
        ib_diagnostics_add(told, place, "row %d: expected a finite number for joint %d", row,
                           joint);
    }
}

// Tolerance of rows, beside their rounding.
static const double TOLERANCE = 1e-3;

// True if the rows are the points of the path: as many as it should have, and exact.
static bool are_points(const ib__PlanReader *plan, const ib_ArmPath *rows)
{
    bool enough = plan->counted ? rows->count == plan->points : rows->count >= plan->points;
    return enough && ib_arm_path_is_fine(rows, IB_PLAN_CELL);
}

// Other rows are places on the way: a path of `points`, or of as many as the rows.
bool ib__plan_rows(ib__PlanReader *plan, const ib_Node *node, ib__PlanShape *shape)
{
    ib_Reader *reader = plan->reader;
    Rows rows = {0};
    bool listed = node->type == IB_NODE_LIST;
    ib_Error error;
    if (!(listed ? read_list(reader, node, &rows) : read_file(reader, node, &rows))) return false;
    ib_ArmPoint *written = ib_arena_array(reader->arena, (size_t)rows.count, sizeof *written);
    if (!written) {
        ib_wrong_value(reader, node, "out of memory");
        return false;
    }
    shape->words = ib_arena_format(reader->arena, "%d rows of a table", rows.count);
    ib_ArmRowVerdict verdict = ib_arm_path_rows(rows.rows, rows.count, TOLERANCE, written);
    if (verdict.fault != IB_ARM_ROWS_FINE) {
        refuse_rows(reader, &rows, &verdict);
        return false;
    }
    ib_ArmPath path = {rows.count, written};
    shape->rows = path;
    if (are_points(plan, &path)) {
        shape->points = written;
        shape->count = rows.count;
        return shape->words != NULL;
    }
    ib_ArmWorkspace workspace;
    int count = plan->counted || plan->points > rows.count ? plan->points : rows.count;
    if (!ib__plan_workspace(plan, node, count, &workspace)) return false;
    if (ib_arm_path_again(&path, &workspace, &error) != IB_OK) {
        ib_wrong_value(reader, node, "%s", error.text);
        return false;
    }
    return ib__plan_keep(plan, node, &workspace, shape) && shape->words;
}
