// view/page.h: the viewer's page, web/dist/index.html, compiled into the program.
#ifndef IB_VIEW_PAGE_H
#define IB_VIEW_PAGE_H

#include <stddef.h>

extern const unsigned char ib_view_page[];
extern const size_t ib_view_page_size; ///< bytes

#endif
