// report/html.h: the few shapes of HTML that the reports of a run and of `verify` are made of.
#ifndef IB_REPORT_HTML_H
#define IB_REPORT_HTML_H

#include "report/text.h"

// Begin: everything up to the first section, style included. End: closes the page, once its plots
// (report/pending.h) are drawn, with a remark on missing ones.
void ib__html_begin(ib_Text *html, const char *title);
void ib__html_end(ib_Text *html, ib_Error *remark);

// <section id=…><h2>…</h2>, and its end.
void ib__html_section(ib_Text *html, const char *id, const char *heading);
void ib__html_section_end(ib_Text *html);

// Content behind words to click on, open or not. On paper it is always visible.
void ib__html_fold(ib_Text *html, const char *words, bool open);
void ib__html_fold_end(ib_Text *html);

// <tag>words</tag> with the words escaped; `tag` may carry attributes ("td class=\"number\"").
void ib__html_element(ib_Text *html, const char *tag, const char *words);

// The same of several words in a row (NULL-terminated).
void ib__html_line(ib_Text *html, const char *tag, const char *const *words);

// A table with these headings (NULL-terminated; one that begins with '#' stands over numbers).
void ib__html_table(ib_Text *html, const char *const *headings);
void ib__html_table_end(ib_Text *html);
void ib__html_cell(ib_Text *html, const char *words);
void ib__html_number(ib_Text *html, double value, const char *unit); ///< unit "": none shown

#endif
