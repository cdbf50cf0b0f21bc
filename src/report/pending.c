#include "report/pending.h"

#include "report/plot/gnuplot.h"
#include "report/plot/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A place begins with a character that no text of a page keeps (ib_text_escape), then says how long
// label and script are, which follow.
#define PLACE '\002'

void ib__pending_add(ib_Text *html, const ib_Text *script, const char *label)
{
    html->failed |= script->failed;
    if (script->failed || !script->bytes) return;
    ib_text_format(html, "\002%zu %zu\n", strlen(label), script->length);
    ib_text_add(html, label);
    ib_text_add_n(html, script->bytes, script->length);
}

typedef struct Place {
    const char *begin, *end; // in the page
    const char *label;
    size_t label_length;
    ib_Text picture;
} Place;

typedef struct Places {
    Place *items;
    ib_GnuplotJob *jobs; // one for each
    int count;
} Places;

// The next place at or after `at`; false when there is none.
static bool next_place(const ib_Text *html, const char *at, Place *place, ib_GnuplotJob *job)
{
    const char *begin = memchr(at, PLACE, (size_t)(html->bytes + html->length - at));
    if (!begin) return false;
    char *rest;
    *place = (Place){.begin = begin, .label_length = strtoul(begin + 1, &rest, 10)};
    size_t length = strtoul(rest, &rest, 10);
    place->label = rest + 1;
    place->end = place->label + place->label_length + length;
    *job = (ib_GnuplotJob){.script = place->end - length, .length = length};
    return true;
}

static int count_places(const ib_Text *html)
{
    int count = 0;
    Place place;
    ib_GnuplotJob job;
    for (const char *at = html->bytes; at && next_place(html, at, &place, &job); at = place.end)
        count++;
    return count;
}

// All places of the page; false for want of memory.
static bool find_places(const ib_Text *html, int count, Places *places)
{
    *places = (Places){.items = calloc((size_t)count, sizeof *places->items),
                       .jobs = calloc((size_t)count, sizeof *places->jobs)};
    if (!places->items || !places->jobs) return false;
    const char *at = html->bytes;
    for (int i = 0; i < count; i++) {
        next_place(html, at, &places->items[i], &places->jobs[i]);
        at = places->items[i].end;
    }
    for (int i = 0; i < count; i++) places->jobs[i].picture = &places->items[i].picture;
    places->count = count;
    return true;
}

// The first picture brings the symbols of all.
static void put_picture(const Place *place, const ib_GnuplotJob *job, bool *first, ib_Text *page)
{
    if (job->status) {
        ib_text_add(page, "<p class=\"bad\">");
        ib_text_escape(page, job->error.text);
        ib_text_add(page, "</p>\n");
        return;
    }
    ib_Text label = {0};
    ib_text_add_n(&label, place->label, place->label_length);
    ib__svg_embed(page, &place->picture, *first, label.bytes ? label.bytes : "");
    *first = false;
    page->failed |= label.failed;
    ib_text_destroy(&label);
}

static void remark_on(const ib_GnuplotJob *jobs, int count, ib_Error *remark)
{
    const ib_GnuplotJob *first = NULL;
    int missing = 0;
    for (int i = 0; i < count; i++) {
        if (jobs[i].status && !first) first = &jobs[i];
        missing += jobs[i].status != IB_OK;
    }
    if (first && remark)
        snprintf(remark->text, sizeof remark->text, "%d of %d plots missing: %.200s", missing,
                 count, first->error.text);
}

void ib__pending_draw(ib_Text *html, ib_Error *remark)
{
    int count = count_places(html);
    if (remark) *remark = (ib_Error){.status = IB_OK};
    if (count == 0 || html->failed) return;
    Places places;
    ib_Text page = {0};
    const char *at = html->bytes;
    bool first = true;
    if (find_places(html, count, &places)) {
        ib_gnuplot_run_all(places.jobs, count);
        remark_on(places.jobs, count, remark);
        for (int i = 0; i < count; i++) {
            const Place *place = &places.items[i];
            ib_text_add_n(&page, at, (size_t)(place->begin - at));
            put_picture(place, &places.jobs[i], &first, &page);
            at = place->end;
        }
        ib_text_add_n(&page, at, (size_t)(html->bytes + html->length - at));
    } else
        page.failed = true;
    for (int i = 0; i < places.count; i++) ib_text_destroy(&places.items[i].picture);
    free(places.items);
    free(places.jobs);
    ib_text_destroy(html);
    *html = page;
}
