#include "base/word.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Damerau-Levenshtein distance (optimal string alignment), row by row:
//   d(i, j) = min(d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + [a_i != b_j],
//                 d(i-2, j-2) + 1 where a_i a_(i-1) = b_(j-1) b_j)
int ib_word_distance(const char *a, const char *b)
{
    size_t rows = strnlen(a, LONGEST + 1), columns = strnlen(b, LONGEST + 1);
    if (rows > LONGEST || columns > LONGEST) return INT_MAX;

    int d[3][LONGEST + 1]; // the last three rows
    for (size_t j = 0; j <= columns; j++) d[0][j] = (int)j;
    for (size_t i = 1; i <= rows; i++) {
        int *row = d[i % 3], *above = d[(i + 2) % 3], *twice = d[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= columns; j++) {
            char from = lower(a[i - 1]), to = lower(b[j - 1]);
            row[j] = least(above[j - 1] + (from != to), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && from == lower(b[j - 2]) && to == lower(a[i - 2]))
                row[j] = least(row[j], twice[j - 2] + 1);
        }
    }
    return d[rows % 3][columns];
}

const char *ib_nearest_word(const char *word, const char *const *words)
{
    int length = (int)strnlen(word, LONGEST + 1);
    int limit = length / 3 > 2 ? length / 3 : 2;
    if (limit >= length) limit = length - 1;

    const char *nearest = NULL;
    for (int i = 0; words[i]; i++) {
        int distance = ib_word_distance(word, words[i]);
        if (distance > limit || (nearest && distance == limit)) continue;
        limit = distance;
        nearest = words[i];
    }
    return nearest;
}

ib_WordList ib_word_list(const char *const *words)
{
    ib_WordList list = {""};
    size_t used = 0;
    for (int i = 0; words[i] && used < sizeof list.text; i++)
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%s", i ? ", " : "",
                                 words[i]);
    return list;
}

ib_WordHint ib_word_hint(char lead, const char *word, const char *const *words)
{
    ib_WordHint hint = {""};
    const char *near = ib_nearest_word(word, words);
    if (near) snprintf(hint.text, sizeof hint.text, "%c did you mean '%s'?", lead, near);
    return hint;
}
