// test/mistakes.h: what was found wrong in a file, printed and looked through.
#ifndef IB_TEST_MISTAKES_H
#define IB_TEST_MISTAKES_H

#include "cmocka_all.h"
#include "file/diagnostics.h"

#include <string.h>

static inline void print_mistakes(const ib_Diagnostics *found)
{
    for (int i = 0; i < found->count; i++) {
        const ib_Diagnostic *mistake = &found->items[i];
        print_error("%s:%d:%d: %s\n", mistake->file, mistake->line, mistake->column, mistake->text);
    }
}

// There are none; otherwise they are printed, with the text that was read.
static inline void assert_no_mistakes(const ib_Diagnostics *found, const char *text)
{
    if (found->count > 0) print_error("%s\n", text);
    print_mistakes(found);
    assert_int_equal(found->count, 0);
}

// One at this place with these words is among them.
static inline void assert_mistake(const ib_Diagnostics *found, int line, int column,
                                  const char *words)
{
    for (int i = 0; i < found->count; i++) {
        const ib_Diagnostic *mistake = &found->items[i];
        if (mistake->line == line && mistake->column == column && strstr(mistake->text, words))
            return;
    }
    print_mistakes(found);
    fail_msg("no mistake at %d:%d with '%s'", line, column, words);
}

#endif
