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

static void assert_becomes(const char *content, bool symbols, const char *expected)
{
    ib_Text svg = picture(content), html = {0};
    ib__svg_embed(&html, &svg, symbols, "a & b");
    assert_false(html.failed);
    const char *begin = strstr(html.bytes, "<g>");
    assert_non_null(begin);
    assert_int_equal(strncmp(begin + strlen("<g>"), expected, strlen(expected)), 0);
    ib_text_destroy(&svg);
    ib_text_destroy(&html);
}

// Goal: a picture has a box of its shape, a label, and neither gnuplot's title nor its names; text
// stays. Method: a text that must stay as it is, with what would be a name outside of it.
static void pictures_stand_in_a_box(void **state)
{
    (void)state;
    ib_Text html = {0}, svg = picture("<g id=\"gnuplot_plot_1\" ><title>plot</title>\n"
                                      "<text>1  &lt; 2 d='M1,2 id=\"a\" </text>\n</g>\n");
    ib__svg_embed(&html, &svg, true, "a & b");
    assert_string_equal(
        html.bytes, "<div class=\"plot\" style=\"aspect-ratio:300/200\"><svg role=\"img\" "
                    "aria-label=\"a &amp; b\" \n width=\"300\" height=\"200\"\n viewBox=\"0 0 300 "
                    "200\"\n>\n\n\n<g>\n<g>\n<text>1  &lt; 2 d='M1,2 id=\"a\" "
                    "</text>\n</g>\n</g>\n</svg>\n\n</div>\n");
    ib_text_destroy(&svg);
    ib_text_destroy(&html);
}

// Goal: lines are steps of tenths whose roundings do not add up, and dots stay. Method: by hand:
// 30.06 is 30.1, 20.1 from 10; 30.07 and 20.01 are the same place again.
static void lines_become_steps_of_tenths(void **state)
{
    (void)state;
    assert_becomes("<path class=\"x\" d='M10.00,20.04 L30.06,20.00\n\t\tL30.07,20.01 L5.50,40.00 Z "
                   "M-1.26,0.52 L0.00,0.95 '/>\n",
                   true,
                   "\n<path class=\"x\" d='M10 20l20.1 0l0 0l-24.6 20zM-1.3 0.5l1.3 0.5'/>\n");
    assert_becomes("<path d='M7.00,7.00 L7.00,7.00 '/>", true, "\n<path d='M7 7l0 0'/>");
}

// Goal: groups with nothing in them go, and symbols that another picture has. Method: by hand.
static void what_is_not_needed_goes(void **state)
{
    (void)state;
    const char *content = "<defs>\n\t<path id='gpPt5' d='M0.123,1 L2,2'/>\n</defs>\n"
                          "<g color='a'>\n</g>\n<g color='b'>\n<use xlink:href='#gpPt5'/>\n</g>\n";
    assert_becomes(content, true,
                   "\n<defs>\n\t<path id='gpPt5' d='M0.123,1 L2,2'/>\n</defs>\n"
                   "<g color='b'>\n<use xlink:href='#gpPt5'/>\n</g>\n");
    assert_becomes(content, false, "\n\n<g color='b'>\n<use xlink:href='#gpPt5'/>\n</g>\n");
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
        ib__svg_embed(&html, &half, true, "half");
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
        cmocka_unit_test(pictures_stand_in_a_box),
        cmocka_unit_test(lines_become_steps_of_tenths),
        cmocka_unit_test(what_is_not_needed_goes),
        cmocka_unit_test(halves_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
