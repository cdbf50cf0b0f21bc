// report/session/session_rows.c: which signals are shown after a run, and how.
#include "report/session/session_text.h"

#include "base/extreme.h"
#include "base/signal_text.h"
#include "base/word.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ choice

// The lowest rank at which the headlines are still few; the first rank is shown in any case.
static int lowest_rank(const ib_SignalTable *table)
{
    enum { MOST = 14, RANKS = 3 };
    int counts[RANKS + 1] = {0}, sum = 0, rank = 1;
    for (int i = 0; i < table->count; i++) counts[table->items[i].means.headline]++;
    for (int k = 1; k <= RANKS; k++) {
        sum += counts[k];
        if (sum <= MOST) rank = k;
    }
    return rank;
}

static void choose_headlines(const ib_SignalTable *table, bool *rows)
{
    int lowest = lowest_rank(table), any = 0;
    for (int i = 0; i < table->count; i++) {
        int rank = table->items[i].means.headline;
        rows[i] = rank > 0 && rank <= lowest;
        any += rows[i];
    }
    for (int i = 0; any == 0 && i < table->count; i++) rows[i] = true;
}

static ib_Status refuse(const ib_SignalTable *table, const char *pattern, ib_Error *error)
{
    ib_Arena arena = {0};
    const char **names = ib_arena_array(&arena, (size_t)table->count + 1, sizeof *names);
    for (int i = 0; names && i < table->count; i++) names[i] = table->items[i].name;
    ib_WordHint hint = {""};
    if (names) hint = ib_word_hint(';', pattern, names);
    ib_arena_reset(&arena);
    return ib_error_set(error, IB_BAD_INPUT, "--signals: no signal matches '%s'%s", pattern,
                        hint.text[0] ? hint.text : "; 'ironbird list signals SCENARIO' names them");
}

// "pose.*,battery.*"
static ib_Status choose_matching(const ib_SignalTable *table, const char *patterns, ib_Arena *arena,
                                 bool *rows, ib_Error *error)
{
    char *pattern = ib_arena_text(arena, patterns);
    if (!pattern) return ib_error_set(error, IB_FAILED, "out of memory for --signals");
    for (char *next; pattern; pattern = next) {
        bool any = false;
        next = strchr(pattern, ',');
        if (next) *next++ = '\0';
        for (int i = 0; i < table->count; i++) {
            bool matches = ib_signals_match(pattern, table->items[i].name);
            rows[i] |= matches;
            any |= matches;
        }
        if (!any) return refuse(table, pattern, error);
    }
    return IB_OK;
}

ib_Status ib_session_rows(const ib_SessionRows *wanted, const ib_SignalTable *table,
                          ib_Arena *arena, bool **chosen, ib_Error *error)
{
    ib_Status status = IB_OK;
    bool *rows = *chosen = ib_arena_array(arena, (size_t)table->count, sizeof *rows);
    if (!rows) return ib_error_set(error, IB_FAILED, "out of memory for the rows");
    for (int i = 0; status == IB_OK && i < wanted->pattern_count; i++)
        status = choose_matching(table, wanted->patterns[i], arena, rows, error);
    if (wanted->all)
        for (int i = 0; i < table->count; i++) rows[i] = true;
    else if (wanted->pattern_count == 0)
        choose_headlines(table, rows);
    return status;
}

// -------------------------------------------------------------------------------------------- rows

static int widest_name(const ib_Session *session, const bool *rows)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    int wide = 6;
    for (int i = 0; i < table->count; i++) {
        int length = (int)strlen(table->items[i].name);
        if (rows[i] && length > wide) wide = length;
    }
    return wide;
}

static double size_of(const ib_Summary *summary, int signal)
{
    return ib_max(fabs(summary->min[signal]), fabs(summary->max[signal]));
}

static void print_row(const ib_Session *session, int i, int wide, ib_Paint paint, FILE *file)
{
    const ib_SignalDef *def = &session->scenario->model->signals.items[i];
    const ib_Summary *summary = session->summary;
    char final[IB_SIGNAL_NUMBER], min[IB_SIGNAL_NUMBER], max[IB_SIGNAL_NUMBER];
    double size = size_of(summary, i);
    const ib_ShownUnit unit = ib_signal_shown(&def->means, def->unit);
    ib_signal_number(&unit, summary->final[i], size, final);
    ib_signal_number(&unit, summary->min[i], size, min);
    ib_signal_number(&unit, summary->max[i], size, max);
    fprintf(file, "%-*s  %s%-6s%s %10s %10s ", wide, def->name, paint.dim, ib_signal_unit(&unit),
            paint.off, final, min);
    // A signal that never changed has no time of its extreme.
    bool numbers = summary->nan_time[i] == IB_TIME_NEVER;
    if (strcmp(min, max) == 0)
        fprintf(file, "%8s %10s", "", max);
    else
        fprintf(file, "%s%8.4g%s %10s %s%8.4g%s", paint.dim,
                ib_time_to_seconds(summary->min_time[i]), paint.off, max, paint.dim,
                ib_time_to_seconds(summary->max_time[i]), paint.off);
    if (!numbers)
        fprintf(file, "%s  not a number at %.4g s%s", paint.bold,
                ib_time_to_seconds(summary->nan_time[i]), paint.off);
    fputc('\n', file);
}

static void print_samples(const ib_Session *session, const bool *rows, int wide, ib_Paint paint,
                          FILE *file)
{
    const ib_SignalTable *table = &session->scenario->model->signals;
    const ib_Tape *tape = session->samples;
    for (int row = 0; row < tape->count; row++) {
        fprintf(file, "%sat %.9g s%s\n", paint.bold, ib_time_to_seconds(tape->times[row]),
                paint.off);
        for (int i = 0; i < table->count; i++) {
            const ib_SignalDef *def = &table->items[i];
            char text[IB_SIGNAL_NUMBER];
            if (!rows[i]) continue;
            const ib_ShownUnit unit = ib_signal_shown(&def->means, def->unit);
            ib_signal_number(&unit, ib_tape_row(tape, row)[i], size_of(session->summary, i), text);
            fprintf(file, "%-*s  %s%-6s%s %10s\n", wide, def->name, paint.dim,
                    ib_signal_unit(&unit), paint.off, text);
        }
        fputc('\n', file);
    }
}

void ib__session_rows_text(const ib_Session *session, const bool *rows, ib_Paint paint, FILE *file)
{
    int count = session->scenario->model->signals.count, shown = 0,
        wide = widest_name(session, rows);
    fprintf(file, "%s%-*s  %-6s %10s %10s %8s %10s %8s%s\n", paint.bold, wide, "signal", "unit",
            "final", "min", "at [s]", "max", "at [s]", paint.off);
    for (int i = 0; i < count; i++) {
        if (!rows[i]) continue;
        print_row(session, i, wide, paint, file);
        shown++;
    }
    if (shown < count)
        fprintf(file, "%s%d of %d signals: --all prints all of them, --signals PATTERN some%s\n",
                paint.dim, shown, count, paint.off);
    fputc('\n', file);
    if (session->samples) print_samples(session, rows, wide, paint, file);
}
