// Claims about src/report/plot/svg.c.
#include "cmocka_all.h"
#include "report/plot/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A picture as gnuplot writes it, with this content.
static ib_Text picture(const char *content)
{
    ib_Text svg = {0};
    ib_text_format(
        &svg,
        "<?xml version=\"1.0\"?>\n<svg \n width=\"300\" height=\"200\"\n viewBox=\"0 0 300 "
        "200\"\n>\n\n<title>Gnuplot</title>\n<g id=\"gnuplot_canvas\">\n%s</g>\n</svg>\n\n",
        content);
    return svg;
}

static ib_Text embedded(const char *content)
{
    ib_Text svg = picture(content), html = {0};
    ib__svg_embed(&html, &svg, 3, "a & b");
    assert_false(html.failed);
    ib_text_destroy(&svg);
    return html;
}

static void assert_becomes(const char *content, const char *expected)
{
    ib_Text html = embedded(content);
    if (!strstr(html.bytes, expected)) fail_msg("no %s in %s", expected, html.bytes);
    ib_text_destroy(&html);
}

// Goal: a picture has a box of its shape, a label, names of its own, and no title of gnuplot's.
// Method: a text that must stay as it is.
static void pictures_stand_in_a_box(void **state)
{
    (void)state;
    ib_Text html = embedded("<g>\n<text>1  &lt; 2 </text>\n</g>\n");
    assert_string_equal(
        html.bytes, "<div class=\"plot\" style=\"aspect-ratio:300/200\"><svg role=\"img\" "
                    "aria-label=\"a &amp; b\" \n width=\"300\" height=\"200\"\n viewBox=\"0 0 300 "
                    "200\"\n><g id=\"f3-gnuplot_canvas\"><g><text>1  &lt; 2 "
                    "</text></g>\n</g>\n</svg></div>\n");
    ib_text_destroy(&html);
}

// Goal: lines are steps of tenths whose roundings do not add up, and dots stay. Method: by hand:
// 30.06 is 30.1, 20.1 from 10; 30.07 and 20.01 are the same place again; the next is told from
// there. A line without length alone is a dot.
static void lines_become_steps_of_tenths(void **state)
{
    (void)state;
    assert_becomes("<path d='M10.00,20.04 L30.06,20.00\n\t\tL30.07,20.01 L5.50,40.00 Z M-1.26,0.52 "
                   "L0.00,0.95 '/>",
                   "<path d='M10 20l20.1 0-24.6 20zM-1.3 .5l1.3 .5'/>");
    assert_becomes("<path d='M7.00,7.00 L7.00,7.00 '/>", "<path d='M7 7l0 0'/>");
    assert_becomes("<polygon fill = 'red' points = '1.00,2.00 3.14,-2.72\n 1.00,2.00 '/>",
                   "points = '1 2 3.1-2.7 1 2'/>");
}

// Goal: what is not understood is left alone. Method: curves, exponents, numbers of eight digits,
// a line without a beginning.
static void other_paths_stay(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "<path d='M1.00,1.00 C2.00,2.00 3.00,3.00 4.00,4.00'/>",
        "<path d='M1e5,1.00 L2.00,2.00'/>",
        "<path d='M12345678.00,1.00 L2.00,2.00'/>",
        "<path d='L2.00,2.00'/>",
        "<path d='M1.00,1.00 Lnan,2.00'/>",
        "<polygon points = '1.00 2.00'/>",
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) assert_becomes(paths[i], paths[i]);
}

// Goal: groups with nothing in them go, and symbols that nobody uses; those that used ones are made
// of stay. Method: empty groups in one another; gpPt6 is used, which uses gpPt5, but gpPt55 is not.
static void what_is_not_seen_goes(void **state)
{
    (void)state;
    ib_Text html = embedded("<defs>\n\t<circle id='gpPt5' r='1'/>\n"
                            "\t<use xlink:href='#gpPt5' id='gpPt6'/>\n"
                            "\t<path id='gpPt55' d='M0.123,1 L2,2'/>\n"
                            "\t<filter id='box'>\n<feFlood/>\n</filter>\n</defs>\n"
                            "<g color='a'>\n<g color='b'>\n</g>\n<g color='c'>\n</g></g>\n"
                            "<g color='d'>\n<use xlink:href='#gpPt6'/>\n</g>\n");
    const char *content = strstr(html.bytes, "canvas\">");
    assert_non_null(content);
    assert_string_equal(content + strlen("canvas\">"),
                        "<defs><circle id='f3-gpPt5' r='1'/><use xlink:href='#f3-gpPt5' "
                        "id='f3-gpPt6'/></defs>\n<g color='d'><use "
                        "xlink:href='#f3-gpPt6'/></g>\n</g>\n</svg></div>\n");
    ib_text_destroy(&html);
}

// Goal: half a picture does no harm. Method: every beginning of one, in memory of just its length;
// the sanitizers see a read beyond it.
static void halves_do_no_harm(void **state)
{
    (void)state;
    ib_Text svg =
        picture("<defs>\n<circle id='gpPt5' r='1'/>\n<filter id='box'>\n<feFlood/>\n"
                "</filter>\n</defs>\n<g>\n<path d='M1.00,2.00 L3.00,-4.56 '/>\n<text>x</text>\n"
                "<polygon points = '1.00,2.00 3.00,4.00 '/>\n<use xlink:href='#gpPt5'/>\n</g>\n");
    for (size_t length = 0; length < svg.length; length++) {
        ib_Text half = {.bytes = strndup(svg.bytes, length), .length = length}, html = {0};
        ib__svg_embed(&html, &half, 1, "half");
        assert_false(html.failed);
        assert_true(!html.bytes || strlen(html.bytes) == html.length);
        free(half.bytes);
        ib_text_destroy(&html);
    }
    ib_text_destroy(&svg);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_stand_in_a_box), cmocka_unit_test(lines_become_steps_of_tenths),
        cmocka_unit_test(other_paths_stay),        cmocka_unit_test(what_is_not_seen_goes),
        cmocka_unit_test(halves_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
