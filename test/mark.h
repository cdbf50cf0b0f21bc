// test/mark.h: texts in which an @ stands right before the place at which a mistake is expected.
#ifndef IB_TEST_MARK_H
#define IB_TEST_MARK_H

// Takes the @ out of `marked`; line and column become its place, and stay as they are without one.
static inline void take_mark(const char *marked, char *text, int *line, int *column)
{
    int at_line = 1, at_column = 1;
    for (; *marked; marked++) {
        if (*marked == '@') {
            *line = at_line;
            *column = at_column;
            continue;
        }
        at_column = *marked == '\n' ? 1 : at_column + 1;
        at_line += *marked == '\n';
        *text++ = *marked;
    }
    *text = '\0';
}

#endif
