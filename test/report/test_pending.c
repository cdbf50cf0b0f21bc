// Claims about src/report/pending.c and gnuplot.c: many plots, one gnuplot. Those that draw are
// skipped without it.
#include "cmocka_all.h"
#include "report/pending.h"
#include "report/plot/gnuplot.h"
#include "report/plot/plot.h"
#include "report/plot/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 50, KINDS = 5 };
static double t[N], up[N], down[N];

static int make_data(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        t[i] = 0.1 * (i + 1);
        up[i] = t[i] * t[i];
        down[i] = 3 - 2 * t[i];
    }
    return 0;
}

// The script of a plot of each kind; `log` with a logarithmic axis where it may have one.
static ib_Text script_of(int kind, bool log)
{
    ib_PlotSeries series[] = {
        {.label = "up", .unit = "m", .x = t, .y = up, .count = N},
        {.label = "down", .unit = "V", .x = t, .y = down, .count = N, .style = IB_PLOT_AREA}};
    ib_Plot plot = ib_plot_default();
    plot.kind = (ib_PlotKind)kind;
    plot.title = log ? "" : "A title";
    plot.series = series;
    plot.series_count = log ? 1 : 2;
    plot.log_y = log && kind != IB_PLOT_TRAJECTORY;
    ib_Text script = {0};
    ib_Error error;
    if (ib_plot_script(&plot, IB_PLOT_SVG, &script, &error)) fail_msg("%s", error.text);
    return script;
}

// What a page shows of it.
static ib_Text page_of(const ib_Text *picture)
{
    ib_Text html = {0};
    ib__svg_embed(&html, picture, true, "");
    return html;
}

// Goal: pictures of one gnuplot look like those that have one each: nothing of a plot, its axes,
// labels, data, is left for the next. Method: every kind, with and without logarithmic axes, in one
// row, then each alone; the pages must be the same byte for byte.
static void one_gnuplot_draws_as_many_would(void **state)
{
    (void)state;
    if (ib_gnuplot_check(NULL) != IB_OK) skip();
    ib_Text scripts[2 * KINDS], pictures[2 * KINDS] = {0};
    ib_GnuplotJob jobs[2 * KINDS];
    for (int i = 0; i < 2 * KINDS; i++) {
        scripts[i] = script_of(i % KINDS, i < KINDS);
        jobs[i] = (ib_GnuplotJob){
            .script = scripts[i].bytes, .length = scripts[i].length, .picture = &pictures[i]};
    }
    ib_gnuplot_run_all(jobs, 2 * KINDS);
    for (int i = 0; i < 2 * KINDS; i++) {
        if (jobs[i].status) fail_msg("%d: %s", i, jobs[i].error.text);
        ib_Text alone = {0};
        assert_int_equal(ib_gnuplot_run(&scripts[i], &alone, NULL), IB_OK);
        ib_Text one = page_of(&pictures[i]), other = page_of(&alone);
        assert_string_equal(one.bytes, other.bytes);
        assert_non_null(strstr(one.bytes, "</svg>"));
        ib_Text *all[] = {&alone, &one, &other, &scripts[i], &pictures[i]};
        for (int k = 0; k < 5; k++) ib_text_destroy(all[k]);
    }
}

// --------------------------------------------------------------------------------- another gnuplot

// A folder that is first in PATH, with a gnuplot of ours in it.
static char folder[] = "/tmp/ironbird_gnuplot_XXXXXX";
static char *usual_path;

static void file_in_folder(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", folder, name);
}

static void put_gnuplot(const char *shell)
{
    char path[100], first[4096];
    strcpy(folder, "/tmp/ironbird_gnuplot_XXXXXX");
    assert_non_null(mkdtemp(folder));
    file_in_folder("gnuplot", path, sizeof path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", shell);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
    usual_path = strdup(getenv("PATH"));
    snprintf(first, sizeof first, "%s:%s", folder, usual_path);
    setenv("PATH", first, 1);
}

static void take_gnuplot(void)
{
    setenv("PATH", usual_path, 1);
    free(usual_path);
    static const char *const names[] = {"gnuplot", "starts"};
    for (int i = 0; i < 2; i++) {
        char path[100];
        file_in_folder(names[i], path, sizeof path);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0); // nothing else was left there
}

static ib_Error remark; ///< of the last page

static ib_Text render(const char *const *scripts, int count)
{
    ib_Text html = {0};
    for (int i = 0; i < count; i++) {
        ib_Text script = {0};
        ib_text_add(&script, scripts[i]);
        ib_text_format(&html, "[%d:", i);
        ib__pending_add(&html, &script, "what");
        ib_text_add(&html, "]");
        ib_text_destroy(&script);
    }
    ib__pending_draw(&html, &remark);
    assert_false(html.failed);
    return html;
}

#define GOOD "set terminal svg size 300,200\nplot x\n"
#define BAD  "set terminal svg size 300,200\nplot (x\n"

static int count_starts(void)
{
    char path[100];
    file_in_folder("starts", path, sizeof path);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int count = 0;
    for (int c; (c = fgetc(file)) != EOF;) count += c == '\n';
    fclose(file);
    return count;
}

// Goal: the symbols are in a page once. Method: the first plot is refused, so the second has them.
static void symbols_are_in_a_page_once(void **state)
{
    (void)state;
    if (ib_gnuplot_check(NULL) != IB_OK) skip();
    const char *const scripts[] = {BAD, GOOD, GOOD};
    ib_Text html = render(scripts, 3);
    const char *symbols = strstr(html.bytes, "id='gpPt6'");
    assert_non_null(symbols);
    assert_null(strstr(symbols + 1, "id='gpPt6'"));
    assert_true(symbols < strstr(html.bytes, "[2:"));
    ib_text_destroy(&html);
}

// Goal: a page starts gnuplot once, and once more for what is behind a plot that it refuses; that
// one says why, with the line of its own script, where it would stand. Nothing is left behind: not
// where temporary files would be. Method: a gnuplot that counts its starts.
static void a_page_starts_gnuplot_once(void **state)
{
    (void)state;
    if (ib_gnuplot_check(NULL) != IB_OK) skip();
    put_gnuplot("echo >> \"${0%/*}/starts\"; PATH=${PATH#*:}; exec gnuplot \"$@\"");
    setenv("TMPDIR", folder, 1);
    const char *const scripts[] = {GOOD, GOOD, GOOD, BAD, GOOD};
    ib_Text three = render(scripts, 3);
    int once = count_starts();
    assert_string_equal(remark.text, "");
    ib_Text five = render(scripts, 5);
    int then = count_starts() - once;
    assert_non_null(strstr(remark.text, "1 of 5 plots missing: gnuplot could not draw this"));
    unsetenv("TMPDIR");
    take_gnuplot();
    assert_int_equal(once, 1);
    assert_int_equal(then, 2);
    static const char *const in_order[] = {
        "[0:<div",
        "</svg>",
        "[1:<div",
        "</svg>",
        "[2:<div",
        "</svg>",
        "[3:<p class=\"bad\">gnuplot could not draw this: line 2: ",
        "</p>\n]",
        "[4:<div",
        "</svg>"};
    const char *at = five.bytes;
    for (size_t i = 0; i < sizeof in_order / sizeof in_order[0]; i++) {
        at = strstr(at, in_order[i]);
        if (!at) fail_msg("no %s where it should be", in_order[i]);
    }
    ib_text_destroy(&three);
    ib_text_destroy(&five);
}

// Goal: a gnuplot that is broken is told of at every plot, in its own words. Method: one that
// complains and fails, one that draws nothing, one that is killed.
static void broken_gnuplots_are_told_of(void **state)
{
    (void)state;
    static const struct {
        const char *shell, *told;
    } cases[] = {
        {"echo 'no library' >&2; exit 1", "gnuplot could not draw this: no library"},
        {"exit 0", "gnuplot could not draw this: it drew nothing, and gave no reason"},
        {"exit 3", "gnuplot could not draw this: it gave no reason, and exit code 3"},
        {"kill -9 $$", "gnuplot could not draw this: it was ended by signal 9"},
        {"exit 127", "gnuplot is not installed: apt-get install gnuplot-nox"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_gnuplot(cases[i].shell);
        const char *const scripts[] = {GOOD, GOOD};
        ib_Text html = render(scripts, 2), expected = {0};
        take_gnuplot();
        for (int k = 0; k < 2; k++)
            ib_text_format(&expected, "[%d:<p class=\"bad\">%s</p>\n]", k, cases[i].told);
        assert_string_equal(html.bytes, expected.bytes);
        assert_non_null(strstr(remark.text, "2 of 2 plots missing: "));
        assert_non_null(strstr(remark.text, cases[i].told));
        ib_text_destroy(&html);
        ib_text_destroy(&expected);
    }
}

// Goal: whatever a page says, it is no place of a plot. Method: the character that begins one, in a
// text and in a label; pieces of a page are put together after their plots were added.
static void texts_are_no_places(void **state)
{
    (void)state;
    ib_Text script = {0}, piece = {0}, html = {0};
    ib_text_add(&script, "\0021 1\nx\002"); // gnuplot refuses it
    ib__pending_add(&piece, &script, "\0029 9\n");
    ib_text_escape(&html, "\00299999 99999\n");
    ib_text_add_n(&html, piece.bytes, piece.length);
    ib_text_add(&html, "after");
    put_gnuplot("exit 1");
    ib__pending_draw(&html, NULL);
    take_gnuplot();
    assert_string_equal(html.bytes, "?99999 99999\n<p class=\"bad\">gnuplot could not draw this: "
                                    "it gave no reason, and exit code 1</p>\nafter");
    ib_Text *all[] = {&script, &piece, &html};
    for (int i = 0; i < 3; i++) ib_text_destroy(all[i]);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_gnuplot_draws_as_many_would),
        cmocka_unit_test(symbols_are_in_a_page_once),
        cmocka_unit_test(a_page_starts_gnuplot_once),
        cmocka_unit_test(broken_gnuplots_are_told_of),
        cmocka_unit_test(texts_are_no_places),
    };
    return cmocka_run_group_tests(tests, make_data, NULL);
}
