#include "report/plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const char *at, const char *word)
{
    return strncmp(at, word, strlen(word)) == 0;
}

// Behind the next `word`, or at the end.
static const char *behind(const char *at, const char *word)
{
    const char *found = strstr(at, word);
    return found ? found + strlen(word) : at + strlen(at);
}

// Adds "M12.34,5.67 L15.00,5.67" as "M12.3 5.7l2.7 0", steps from place to place: half of the
// bytes. Roundings do not add up. Returns the end, a quote.
static const char *add_lines(ib_Text *html, const char *at)
{
    double x = 0, y = 0; // [0.1 px]
    while (*at && *at != '\'') {
        char letter = *at++, *end;
        if (letter == 'Z') ib_text_add(html, "z");
        if (letter != 'M' && letter != 'L') continue;
        if (letter == 'M') x = y = 0;
        double to_x = round(10 * strtod(at, &end));
        double to_y = round(10 * strtod(end + (*end == ','), &end));
        ib_text_format(html, "%c%g %g", letter == 'M' ? 'M' : 'l', 0.1 * (to_x - x),
                       0.1 * (to_y - y));
        x = to_x, y = to_y, at = end;
    }
    return at;
}

// Text has no tags: gnuplot has escaped every < in it.
static void add_tags(ib_Text *html, const char *at, bool symbols)
{
    for (const char *tag; (tag = strchr(at, '<')) != NULL;) {
        ib_text_add_n(html, at, (size_t)(tag - at));
        at = behind(tag, ">");
        if (begins(tag, "<title>") || begins(tag, "<desc>")) {
            at = behind(behind(at, "</"), ">");
        } else if (begins(tag, "<defs>")) {
            at = behind(at, "</defs>");
            if (symbols) ib_text_add_n(html, tag, (size_t)(at - tag));
        } else if (begins(tag, "<g id=")) {
            ib_text_add(html, "<g>"); // two pictures would have the same id
        } else if (begins(tag, "<g ") && begins(at, "\n</g>")) {
            at = behind(at, "</g>\n");
        } else if (begins(tag, "<path ")) {
            const char *lines = behind(tag, " d='");
            ib_text_add_n(html, tag, (size_t)(lines - tag));
            at = add_lines(html, lines);
        } else
            ib_text_add_n(html, tag, (size_t)(at - tag));
    }
    ib_text_add(html, at);
}

void ib__svg_embed(ib_Text *html, const ib_Text *svg, bool symbols, const char *label)
{
    const char *at = svg->bytes ? strstr(svg->bytes, "<svg") : NULL;
    int width, height;
    const char *size = at ? strstr(at, "viewBox=") : NULL;
    if (!size || sscanf(size, "viewBox=\"0 0 %d %d\"", &width, &height) != 2) return;
    ib_text_format(html, "<div class=\"plot\" style=\"aspect-ratio:%d/%d\">", width, height);
    ib_text_add(html, "<svg role=\"img\" aria-label=\"");
    ib_text_escape(html, label);
    ib_text_add(html, "\"");
    add_tags(html, at + strlen("<svg"), symbols);
    ib_text_add(html, "</div>\n");
}
