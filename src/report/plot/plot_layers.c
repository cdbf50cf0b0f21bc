#include "report/plot/plot_layers.h"

#include "base/extreme.h"

#include <math.h>

void ib__layers_destroy(ib_Layers *layers)
{
    ib_text_destroy(&layers->cells);
    ib_text_destroy(&layers->barred);
    ib_text_destroy(&layers->empty);
    ib_text_destroy(&layers->numbers);
    ib_text_destroy(&layers->mark);
}

// A pixel more, which the next box covers: no seam shows between them.
void ib__layers_add_box(ib_Layers *layers, ib_Box box, uint32_t colour)
{
    ib_text_format(&layers->cells, "%g %g %g %g 0x%06x\n", box.left, box.right + 1, box.bottom,
                   box.top + 1, (unsigned)colour);
}

// y = slope x + k pitch
void ib__lines_add_hatching(ib_Text *lines, ib_Box box, int slope, double pitch)
{
    double low = box.bottom - (slope > 0 ? box.right : -box.left);
    double high = box.top - (slope > 0 ? box.left : -box.right);
    for (double k = ceil(low / pitch); k * pitch <= high; k++) {
        double c = k * pitch, a = slope * (box.bottom - c), b = slope * (box.top - c);
        double from = ib_max(box.left, ib_min(a, b)), to = ib_min(box.right, ib_max(a, b));
        if (from < to)
            ib_text_format(lines, "%.6g %.6g\n%.6g %.6g\n\n", from, slope * from + c, to,
                           slope * to + c);
    }
}

bool ib__box_is_large(ib_Box box, double em)
{
    return box.right - box.left >= 2 * em && box.top - box.bottom >= 1.4 * em;
}

void ib__layers_add_mark(ib_Layers *layers, ib_Box box, bool frame, double em)
{
    double x = (box.left + box.right) / 2, y = (box.bottom + box.top) / 2;
    if (frame) {
        ib_text_format(&layers->mark, "%g %g\n%g %g\n%g %g\n%g %g\n%g %g\n", box.left, box.bottom,
                       box.right, box.bottom, box.right, box.top, box.left, box.top, box.left,
                       box.bottom);
    } else {
        enum { CORNERS = 32 };
        for (int i = 0; i <= CORNERS; i++) {
            double angle = 2 * M_PI * i / CORNERS;
            ib_text_format(&layers->mark, "%.2f %.2f\n", x + 0.7 * em * cos(angle),
                           y + 0.7 * em * sin(angle));
        }
    }
    ib_text_add(&layers->mark, "\n");
}

static void script_block(const char *name, const ib_Text *block, ib_Text *script)
{
    ib_text_format(script, "$%s << EOD\n%sEOD\n", name, block->bytes ? block->bytes : "");
    script->failed |= block->failed;
}

// Blocks that are empty are left out: gnuplot refuses them.
void ib__layers_script(const ib_Layers *layers, const ib_Canvas *canvas, ib_Text *script)
{
    const struct {
        const char *name;
        const ib_Text *block;
        const char *look;
    } parts[] = {
        {"cells", &layers->cells, "using 1:3:1:2:3:4:5 with boxxyerror lc rgb variable"},
        {"barred", &layers->barred, "using 1:2 with lines lw 1.2 lc rgb '#707070'"},
        {"empty", &layers->empty, "using 1:2 with lines lw 1.2 lc rgb '#b8b8b8'"},
        {"numbers", &layers->numbers, "using 1:2:3:4 with labels tc rgb variable"},
        {"mark", &layers->mark, "using 1:2 with lines lw 7 lc rgb '#ffffff'"},
        {"mark", &layers->mark, "using 1:2 with lines lw 3.2 lc rgb '#000000'"},
    };
    enum { PARTS = sizeof parts / sizeof parts[0] };
    ib_Frame whole = {.right = canvas->width, .top = canvas->height};
    ib__script_frame(canvas, &whole, script);
    ib_text_format(script,
                   "unset border\nunset tics\nunset grid\nset style fill solid 1 noborder\n"
                   "set xrange [0:%d]\nset yrange [0:%d]\n",
                   canvas->width, canvas->height);
    for (int i = 0; i < PARTS - 1; i++) script_block(parts[i].name, parts[i].block, script);
    const char *before = "plot ";
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].block->length == 0) continue;
        ib_text_format(script, "%s$%s %s notitle", before, parts[i].name, parts[i].look);
        before = ", ";
    }
    ib_text_add(script, "\nunset label\nset border 15\n" IB_TICKS_LOOK);
}
