#include "report/html.h"

#include "report/pending.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Light and dark by the reader's choice. Figures are drawn for white paper. On a dark screen their
// light and dark are exchanged: white, 1, becomes the dark of its card, 1.333 (1 - 0.9), black
// becomes white, pale colours stay bright enough to be distinct, and the filter in the middle turns
// hues back, so that red stays red.
static const char *const style =
    ":root{color-scheme:light "
    "dark;--ink:#1c1f23;--soft:#5a626c;--page:#fbfaf8;--card:#fff;--paper:#fff;"
    "--line:#dcd9d2;--code:#f3f1ec;--good:#00694d;--bad:#b03a00;--link:#005a8f}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e9e7e2;--soft:#a9b0b8;--page:#17191c;"
    "--card:#1f2226;--paper:#222;--line:#3a3f45;--code:#24282d;--good:#4fd1a5;--bad:#ff9a62;--link:"
    "#7cc4f2}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:1080px;padding:2rem 1.5rem 4rem;background:var(--page);"
    "color:var(--ink);font:17px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',"
    "sans-serif}\n"
    "h1{font-size:2rem;line-height:1.2;margin:0 0 .3rem;overflow-wrap:anywhere}\n"
    "header+h1,section+h1{margin-top:3.6rem}\n"
    "h2{font-size:1.35rem;margin:2.6rem 0 .8rem;padding-bottom:.3rem;"
    "border-bottom:2px solid var(--line)}\n"
    "h3{font-size:1.08rem;margin:1.6rem 0 .5rem}\n"
    "summary{font-size:1.08rem;font-weight:600;margin:1.2rem 0 .5rem;cursor:pointer}\n"
    "p{max-width:46rem;margin:.5rem 0}\n"
    "a{color:var(--link)}\n"
    "nav{margin:1rem 0 0;font-size:.95rem}nav a{margin-right:1.1rem;white-space:nowrap}\n"
    ".soft{color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}\n"
    ".verdict{display:inline-block;margin:.8rem 0 0;padding:.35rem .9rem;border:2px solid;"
    "border-radius:.5rem;font-weight:600}\n"
    ".facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.8rem;"
    "margin:1rem 0}\n"
    ".facts div{background:var(--card);border:1px solid var(--line);border-radius:.5rem;"
    "padding:.6rem .9rem}\n"
    ".facts dt{color:var(--soft);font-size:.85rem}.facts dd{margin:0;font-size:1.12rem;"
    "font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-size:.94rem;margin:.4rem 0}\n"
    "th,td{text-align:left;vertical-align:top;padding:.32rem .8rem .32rem 0;"
    "border-bottom:1px solid var(--line)}\n"
    "th{font-weight:600;color:var(--soft)}\n"
    ".number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;"
    "padding-right:1.5rem}\n"
    "td.name{font-family:ui-monospace,'DejaVu Sans Mono',monospace;font-size:.88rem;"
    "white-space:nowrap}\n"
    "td.mark{white-space:nowrap}\n"
    "tr.changed td.value,tr.total td{font-weight:700}\n"
    "figure{margin:1.2rem 0;padding:.8rem;background:var(--paper);border:1px solid var(--line);"
    "border-radius:.6rem;break-inside:avoid}\n"
    "figure svg{display:block;width:100%;height:auto}\n"
    "@media screen{.plot{content-visibility:auto}}\n"
    "@media screen and (prefers-color-scheme:dark){"
    "figure svg{filter:invert(.9) hue-rotate(180deg) brightness(1.333)}}\n"
    "figcaption{color:var(--soft);font-size:.9rem;padding:.5rem .4rem 0}\n"
    "pre{background:var(--code);border:1px solid var(--line);border-radius:.5rem;padding:1rem;"
    "overflow-x:auto;font:.86rem/1.5 ui-monospace,'DejaVu Sans Mono',monospace;"
    "white-space:pre-wrap;overflow-wrap:anywhere}\n"
    "@media "
    "print{:root{color-scheme:light;--ink:#000;--soft:#444;--page:#fff;--card:#fff;--paper:#fff;"
    "--line:#bbb;--code:#fff;--good:#00694d;--bad:#b03a00;--link:#000}body{font-size:11pt;"
    "max-width:none;padding:0}nav{display:none}h2{break-after:avoid}tr{break-inside:avoid}"
    "figure{border:none;padding:0}details::details-content{content-visibility:visible}}\n";

void ib__html_begin(ib_Text *html, const char *title)
{
    ib_text_add(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n");
    ib__html_element(html, "title", title);
    ib_text_add(html, "<style>\n");
    ib_text_add(html, style);
    ib_text_add(html, "</style>\n</head>\n<body>\n");
}

void ib__html_end(ib_Text *html, ib_Error *remark)
{
    ib__pending_draw(html, remark);
    ib_text_add(html, "</body>\n</html>\n");
}

void ib__html_section(ib_Text *html, const char *id, const char *heading)
{
    ib_text_format(html, "<section id=\"%s\">\n", id);
    ib__html_element(html, "h2", heading);
}

void ib__html_section_end(ib_Text *html)
{
    ib_text_add(html, "</section>\n");
}

void ib__html_line(ib_Text *html, const char *tag, const char *const *words)
{
    ib_text_format(html, "<%s>", tag);
    for (; *words; words++) ib_text_escape(html, *words);
    ib_text_format(html, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

void ib__html_fold(ib_Text *html, const char *words, bool open)
{
    ib_text_add(html, open ? "<details open=\"\">\n" : "<details>\n");
    ib__html_element(html, "summary", words);
}

void ib__html_fold_end(ib_Text *html)
{
    ib_text_add(html, "</details>\n");
}

void ib__html_element(ib_Text *html, const char *tag, const char *words)
{
    const char *const line[] = {words, NULL};
    ib__html_line(html, tag, line);
}

// ------------------------------------------------------------------------------------------ tables

void ib__html_table(ib_Text *html, const char *const *headings)
{
    ib_text_add(html, "<div class=\"wide\"><table>\n<thead><tr>");
    for (; *headings; headings++) {
        bool number = **headings == '#';
        ib_text_add(html, number ? "<th class=\"number\">" : "<th>");
        ib_text_escape(html, *headings + number);
        ib_text_add(html, "</th>");
    }
    ib_text_add(html, "</tr></thead>\n<tbody>\n");
}

void ib__html_table_end(ib_Text *html)
{
    ib_text_add(html, "</tbody></table></div>\n");
}

void ib__html_cell(ib_Text *html, const char *words)
{
    ib_text_add(html, "<td>");
    ib_text_escape(html, words);
    ib_text_add(html, "</td>");
}

void ib__html_number(ib_Text *html, double value, const char *unit)
{
    ib_text_add(html, "<td class=\"number\">");
    if (!isfinite(value))
        ib_text_add(html, "–");
    else
        ib_text_format(html, "%.6g", value == 0 ? 0 : value); // no -0
    if (unit[0] && strcmp(unit, "1") != 0) {
        ib_text_add(html, " ");
        ib_Text shown = {0};
        ib_text_unit(&shown, unit);
        ib_text_escape(html, shown.bytes ? shown.bytes : "");
        ib_text_destroy(&shown);
    }
    ib_text_add(html, "</td>");
}
