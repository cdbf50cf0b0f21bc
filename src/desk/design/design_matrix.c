// desk/design/design_matrix.c: matrices, vectors, poles and lists of names in a design file.
#include "base/extreme.h"
#include "base/quote.h"
#include "base/units.h"
#include "desk/design/design_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool ib__read_plain_number(ib_Reader *reader, const ib_Node *node, double *value)
{
    ib_Error error;
    const char *text = ib_read_text(reader, node, "a plain number");
    if (!text) return false;
    if (ib_number_read(text, value, &error) == IB_OK) return true;
    ib_wrong_value(reader, node, "%s", error.text);
    return false;
}

// ---------------------------------------------------------------------------------------- matrices

// " (one row for each state)" or nothing.
static void explain(const char *because, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", because ? " (" : "", because ? because : "", because ? ")" : "");
}

static bool check_rows(ib_Reader *reader, const ib_Node *node, ib__Shape *shape)
{
    char because[100];
    explain(shape->because_rows, because, sizeof because);
    if (shape->rows >= 0 && node->count != shape->rows) {
        ib_wrong_value(reader, node, "expected %d row%s%s, got %d", shape->rows,
                       shape->rows == 1 ? "" : "s", because, node->count);
        return false;
    }
    if (node->count < 1 || node->count > shape->most_rows) {
        ib_wrong_value(reader, node, "expected 1 to %d rows, got %d", shape->most_rows,
                       node->count);
        return false;
    }
    shape->rows = node->count;
    return true;
}

// Reads one row. The first one fixes the number of columns if it is open.
static bool read_row(ib_Reader *reader, const ib_Node *row, ib__Shape *shape, double *a)
{
    char because[100];
    bool good = true;
    explain(shape->because_columns, because, sizeof because);
    if (!ib_check_list(reader, row, "a row of numbers such as [0, 1]")) return false;
    if (shape->columns >= 0 && row->count != shape->columns) {
        ib_wrong_value(reader, row, "expected %d column%s%s, got %d", shape->columns,
                       shape->columns == 1 ? "" : "s", because, row->count);
        return false;
    }
    if (row->count < 1 || row->count > shape->most_columns) {
        ib_wrong_value(reader, row, "expected 1 to %d columns, got %d", shape->most_columns,
                       row->count);
        return false;
    }
    shape->columns = row->count;
    for (const ib_Node *cell = row->first; cell; cell = cell->next)
        good &= ib__read_plain_number(reader, cell, &a[row->index * row->count + cell->index]);
    return good;
}

bool ib__read_matrix(ib_Reader *reader, const ib_Node *node, ib__Shape *shape, double *a)
{
    if (!ib_check_list(reader, node, "a matrix, a list of rows such as [[0, 1], [0, -2]]"))
        return false;
    if (!check_rows(reader, node, shape)) return false;
    bool good = true;
    for (const ib_Node *row = node->first; row; row = row->next)
        good &= read_row(reader, row, shape, a);
    return good;
}

// Names the first pair of elements that differ.
static bool check_symmetry(ib_Reader *reader, const ib_Node *node, int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double upper = a[j * n + i], lower = a[i * n + j];
            if (fabs(upper - lower) > 1e-12 * ib_max(fabs(upper), fabs(lower))) {
                const ib_Node *cell = ib_node_at(ib_node_at(node, i), j);
                ib_wrong_value(reader, cell ? cell : node,
                               "not symmetric: row %d, column %d is %.9g, but row %d, column %d "
                               "is %.9g",
                               i + 1, j + 1, lower, j + 1, i + 1, upper);
                return false;
            }
            a[i * n + j] = upper; // equal within rounding
        }
    return true;
}

bool ib__read_symmetric(ib_Reader *reader, const ib_Node *node, int n, const char *because,
                        double *a)
{
    // In a mixture of numbers and rows the rarer ones are the mistake.
    int numbers = 0, rows = 0;
    for (const ib_Node *item = node->type == IB_NODE_LIST ? node->first : NULL; item;
         item = item->next) {
        numbers += item->type == IB_NODE_SCALAR;
        rows += item->type == IB_NODE_LIST && item->count > 0;
    }
    if (numbers > rows) {
        double values[IB_STATES_MAX];
        int count = ib__read_vector(reader, node, n, IB_STATES_MAX, because, values);
        memset(a, 0, sizeof(double) * (size_t)(count * count));
        for (int i = 0; i < count; i++) a[i * count + i] = values[i];
        return count > 0;
    }
    ib__Shape shape = {n, n, IB_STATES_MAX, IB_STATES_MAX, because, because};
    if (n < 0 && node->type == IB_NODE_LIST && node->count) shape.columns = node->count;
    return ib__read_matrix(reader, node, &shape, a) && check_symmetry(reader, node, shape.rows, a);
}

// ------------------------------------------------------------------------------------------- lists

int ib__read_vector(ib_Reader *reader, const ib_Node *node, int count, int most,
                    const char *because, double *values)
{
    char text[100];
    bool good = true;
    explain(because, text, sizeof text);
    if (!ib_check_list(reader, node, "a list of numbers such as [1, -1]")) return 0;
    if (count >= 0 && node->count != count) {
        ib_wrong_value(reader, node, "expected %d number%s%s, got %d", count, count == 1 ? "" : "s",
                       text, node->count);
        return 0;
    }
    if (node->count < 1 || node->count > most) {
        ib_wrong_value(reader, node, "expected 1 to %d numbers, got %d", most, node->count);
        return 0;
    }
    for (const ib_Node *item = node->first; item; item = item->next)
        good &= ib__read_plain_number(reader, item, &values[item->index]);
    return good ? node->count : 0;
}

int ib__find_name(const char *name, int count, char (*names)[IB_STATE_NAME + 1])
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

// "there is no state 'w'; did you mean 'v'? Known: x, v"
static void refuse_name(ib_Reader *reader, const ib_Node *node, int count,
                        char (*names)[IB_STATE_NAME + 1], const char *what)
{
    const char *words[IB_STATES_MAX + 1] = {0};
    for (int i = 0; i < count; i++) words[i] = names[i];
    ib_WordHint hint = ib_word_hint(';', node->text, words);
    ib_wrong_value(reader, node, "there is no %s '%s'%s known: %s", what, ib_quote(node->text).text,
                   hint.text[0] ? hint.text : ";", ib_word_list(words).text);
}

int ib__read_known_names(ib_Reader *reader, const ib_Node *node, int count,
                         char (*names)[IB_STATE_NAME + 1], const char *what, int *numbers)
{
    bool used[IB_STATES_MAX] = {0}, good = true;
    char expected[80];
    snprintf(expected, sizeof expected, "a list of names, each of a %s", what);
    if (!ib_check_list(reader, node, expected)) return 0;
    if (node->count == 0) {
        ib_wrong_value(reader, node, "expected %s, got none", expected);
        return 0;
    }
    for (const ib_Node *item = node->first; item; item = item->next) {
        const char *text = ib_read_text(reader, item, what);
        int number = text ? ib__find_name(text, count, names) : -1;
        if (text && number < 0) refuse_name(reader, item, count, names, what);
        if (number >= 0 && used[number])
            ib_wrong_value(reader, item, "'%s' is there twice", names[number]);
        good &= number >= 0 && !used[number];
        if (number >= 0) used[number] = true;
    }
    int found = 0;
    for (int i = 0; i < count; i++)
        if (used[i]) numbers[found++] = i;
    return good ? found : 0;
}

// ------------------------------------------------------------------------------------------- poles

// "0.8+0.1i", "0.8 - 0.1j", "0.9": the sign that splits it is not that of an exponent.
static bool split_complex(const char *text, ib_Complex *pole, ib_Error *error)
{
    char parts[80];
    size_t length = strlen(text);
    pole->im = 0;
    if (length == 0 || !strchr("ij", text[length - 1]) || length >= sizeof parts)
        return ib_number_read(text, &pole->re, error) == IB_OK;
    memcpy(parts, text, length - 1);
    parts[length - 1] = '\0';
    size_t sign = length - 1;
    while (sign > 0 &&
           !(strchr("+-", parts[sign]) && parts[sign] && !strchr("eE", parts[sign - 1])))
        sign--;
    if (sign == 0) {
        ib_error_set(error, IB_BAD_INPUT, "expected a pole such as 0.8+0.1i, got '%s'",
                     ib_quote(text).text);
        return false;
    }
    bool negative = parts[sign] == '-';
    const char *imaginary = parts + sign + 1 + strspn(parts + sign + 1, IB_SPACES);
    parts[sign] = '\0';
    if (ib_number_read(parts, &pole->re, error) != IB_OK) return false;
    if (ib_number_read(imaginary, &pole->im, error) != IB_OK) return false;
    if (negative) pole->im = -pole->im;
    return true;
}

static bool read_pole(ib_Reader *reader, const ib_Node *node, ib_Complex *pole)
{
    static const char *const keys[] = {"re", "im", NULL};
    ib_Error error;
    if (node->type == IB_NODE_MAP) {
        const ib_Node *re = ib_node_get(node, "re"), *im = ib_node_get(node, "im");
        *pole = (ib_Complex){0, 0};
        ib_check_keys(reader, node, keys);
        if (!re) ib_wrong_value(reader, node, "'re' is missing: expected {re: 0.8, im: 0.1}");
        bool good = re && ib__read_plain_number(reader, re, &pole->re);
        return (!im || ib__read_plain_number(reader, im, &pole->im)) && good;
    }
    const char *text = ib_read_text(reader, node, "a pole such as 0.9 or 0.8+0.1i");
    if (!text) return false;
    if (split_complex(text, pole, &error)) return true;
    ib_wrong_value(reader, node, "%s", error.text);
    return false;
}

// Checks that every pole off the real axis has its conjugate.
static bool check_pairs(ib_Reader *reader, const ib_Node *node, int count, const ib_Complex *poles)
{
    bool used[IB_STATES_MAX] = {0};
    for (int i = 0; i < count; i++) {
        if (poles[i].im == 0 || used[i]) continue;
        int mate = -1;
        for (int k = 0; k < count && mate < 0; k++)
            if (k != i && !used[k] && poles[k].re == poles[i].re && poles[k].im == -poles[i].im)
                mate = k;
        if (mate < 0) {
            ib_wrong_value(reader, ib_node_at(node, i),
                           "%.9g%+.9gi stands alone: expected its conjugate %.9g%+.9gi in the "
                           "list too",
                           poles[i].re, poles[i].im, poles[i].re, -poles[i].im);
            return false;
        }
        used[i] = used[mate] = true;
    }
    return true;
}

int ib__read_poles(ib_Reader *reader, const ib_Node *node, int most, ib_Complex *poles)
{
    bool good = true;
    if (!ib_check_list(reader, node, "a list of poles such as [0.9, 0.8+0.1i, 0.8-0.1i]")) return 0;
    if (node->count < 1 || node->count > most) {
        ib_wrong_value(reader, node, "expected 1 to %d poles, got %d", most, node->count);
        return 0;
    }
    for (const ib_Node *item = node->first; item; item = item->next) {
        ib_Complex *pole = &poles[item->index];
        bool fine = read_pole(reader, item, pole);
        if (fine && !(pole->re * pole->re + pole->im * pole->im < 1)) {
            ib_wrong_value(reader, item,
                           "a closed loop with this pole is not stable: expected poles inside "
                           "the unit circle (of z, one period)");
            fine = false;
        }
        good &= fine;
    }
    return good && check_pairs(reader, node, node->count, poles) ? node->count : 0;
}
