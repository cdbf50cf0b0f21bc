#include "view/page.h"

// The assembler includes the file directly: 700 kB at once; a table of numbers costs the compiler
// seconds. IB_PAGE_FILE is the file's path, quoted, from CMakeLists.txt.
__asm__(".section .rodata\n"
        ".global ib_view_page\n"
        ".global ib_view_page_size\n"
        ".type ib_view_page, %object\n"
        ".type ib_view_page_size, %object\n"
        ".balign 8\n"
        "ib_view_page:\n"
        ".incbin \"" IB_PAGE_FILE "\"\n"
        "ib_view_page_end:\n"
        ".size ib_view_page, ib_view_page_end - ib_view_page\n"
        ".balign 8\n"
        "ib_view_page_size:\n"
        ".quad ib_view_page_end - ib_view_page\n"
        ".size ib_view_page_size, 8\n"
        ".previous\n");

_Static_assert(sizeof(size_t) == 8, ".quad above is the size");
