// report/plot/plot_names.c: names below an axis, one for each place.
#include "base/extreme.h"
#include "report/plot/plot_script.h"

#include <math.h>

enum { LETTERS = 24 }; // of a name; longer ones are cut

static const double letter = 0.6, line = 1.5; // width of a letter, distance of turned lines [em]

int ib__name_width(const char *name)
{
    int width = ib__text_width(name);
    return width < LETTERS ? width : LETTERS;
}

ib_Names ib__names(const char *const *names, int count, double pitch)
{
    ib_Names look = {.stride = 1, .depth = IB_NAMES_FLAT};
    int longest = 0, pair = 0;
    for (int i = 0; i < count; i++) {
        int width = ib__name_width(names[i]), before = i > 0 ? ib__name_width(names[i - 1]) : 0;
        longest = width > longest ? width : longest;
        pair = i > 0 && width + before > pair ? width + before : pair;
    }
    if (0.5 * letter * pair + 0.5 <= pitch) return look;
    look.turned = true;
    look.depth = 0.4 + sqrt(0.5) * (0.58 * longest + 0.8);
    look.stride = (int)ib_max(ceil(line / pitch), 1);
    return look;
}

// gnuplot reads a name on an axis as a format: a % in it is doubled.
static void quote_name(ib_Text *script, const char *name)
{
    ib_Text cut = {0}, format = {0};
    ib_text_line(&cut, name, LETTERS);
    for (const char *at = cut.bytes ? cut.bytes : ""; *at; at++)
        ib_text_add_n(&format, *at == '%' ? "%%" : at, *at == '%' ? 2 : 1);
    ib__script_quote(script, format.bytes ? format.bytes : "", 0);
    script->failed |= cut.failed || format.failed;
    ib_text_destroy(&cut);
    ib_text_destroy(&format);
}

void ib__script_names(char axis, const char *const *names, const double *places, int count,
                      const ib_Names *look, ib_Text *script)
{
    ib_text_format(script, "set %ctics nomirror %s (", axis,
                   look->turned ? "rotate by 45 right" : "norotate autojustify");
    for (int i = 0; i < count; i += look->stride) {
        if (i > 0) ib_text_add(script, ", ");
        quote_name(script, names[i]);
        ib_text_format(script, " %.10g", places[i]);
    }
    ib_text_add(script, ")\n");
}
