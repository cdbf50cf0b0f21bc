#include "desk/plan/plan_text.h"

#include "base/extreme.h"
#include "base/tell.h"
#include "desk/table_text.h"

#include <math.h>

enum { LABEL = IB_TEXT_LABEL + 4, COLUMN = 26 };

// ----------------------------------------------------------------------------------------- figures

// "12.001 V at 0.234 rad", one column.
static void print_peak(FILE *file, const ib_PlanTimed *timed, const ib_ArmPeak *peak,
                       const char *unit)
{
    char text[64];
    if (timed->given)
        snprintf(text, sizeof text, "%.5g %s at %.3f", peak->value, unit, peak->s);
    else
        snprintf(text, sizeof text, "-");
    fprintf(file, "%-*s", COLUMN, text);
}

// One row: the same peak of both methods. `offset`: of the peak in the figures.
static void print_row(FILE *file, const ib_PlanWay *way, const char *label, size_t offset,
                      const char *unit)
{
    const ib_PlanTimed *columns[] = {way->best,
                                     way->best == &way->reach ? &way->passes : &way->reach};
    fprintf(file, "  %-*s", LABEL, label);
    for (int i = 0; i < 2; i++)
        print_peak(file, columns[i],
                   (const ib_ArmPeak *)((const char *)&columns[i]->figures + offset), unit);
    fputc('\n', file);
}

#define AT(field) offsetof(ib_ArmFigures, field)

static void print_figures(FILE *file, const ib_PlanFile *plan, const ib_PlanWay *way)
{
    static const struct {
        const char *label;
        size_t offset;
        const char *unit;
    } rows[] = {
        {"voltage, joint 1", AT(volts[0]), "V"},
        {"voltage, joint 2", AT(volts[1]), "V"},
        {"current, joint 1", AT(current[0]), "A"},
        {"current, joint 2", AT(current[1]), "A"},
        {"speed, joint 1", AT(speed[0]), "rad/s"},
        {"speed, joint 2", AT(speed[1]), "rad/s"},
        {"accel., joint 1", AT(acceleration[0]), "rad/s^2"},
        {"accel., joint 2", AT(acceleration[1]), "rad/s^2"},
        {"speed of the hand", AT(hand), "m/s"},
    };
    bool passes = way->best == &way->passes;
    const ib_PlanTimed *best = way->best, *other = passes ? &way->reach : &way->passes;
    fprintf(file, "  %-*s%-*s%s\n", LABEL, "", COLUMN, ib_plan_methods[way->method],
            passes ? "reach, to compare" : "passes, to compare");
    fprintf(file, "  %-*s%-*.9g", LABEL, "time [s]", COLUMN, best->figures.time);
    if (other->given)
        fprintf(file, "%.9g\n", other->figures.time);
    else
        fprintf(file, "none found within the limits\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        print_row(file, way, rows[i].label, rows[i].offset, rows[i].unit);
    if (plan->plan.limits.resistance > 0) print_row(file, way, "battery, lowest", AT(bus), "V");
    fprintf(file, "  (largest of each, and at which s of the path [rad])\n");
}

// ---------------------------------------------------------------------------------------- verdicts

static void print_binding(FILE *file, const ib_ArmFigures *figures)
{
    bool any = false;
    fprintf(file, "  %-*s", LABEL, "binding");
    for (int i = 0; i < IB_ARM_BINDINGS; i++) {
        if (!(figures->binds[i] > 0.0005)) continue;
        fprintf(file, "%s%s %.1f %% of the time", any ? ", " : "", ib_arm_binding_names[i],
                100 * figures->binds[i]);
        any = true;
    }
    fprintf(file, any ? "\n" : "nothing\n");
}

static void print_search(FILE *file, const ib_PlanSearch *search)
{
    if (!search->given) return;
    fprintf(file,
            "  %-*s%d paths tried, begun with %d kinds of detours\n"
            "  %-*s%.6g rad, corners of %.4g rad: %.6g s by the passes, %.6g s by reachability\n"
            "  %-*s%.1f %% less time than the passes on that detour",
            LABEL, "search", search->tried, search->kinds, LABEL, "shortest detour",
            search->detour_length, search->detour_radius, search->detour_passes,
            search->detour_reach, LABEL, "the path found", 100 * search->faster);
    if (isfinite(search->straight))
        fprintf(file, "; straight through everything would take %.6g s", search->straight);
    fputc('\n', file);
}

static void print_near(FILE *file, const ib_PlanFile *plan, const ib_ArmNear *near)
{
    if (near->thing == IB_ARM_NOTHING) return;
    fprintf(file, "  %-*s", LABEL, "nearest");
    if (near->thing == IB_ARM_DISC)
        ib_tell(file, "%.4g m from '%s'", near->distance, plan->plan.scene.disc[near->index].name);
    else
        fprintf(file, "%.4g rad from a limit of %s", near->distance,
                near->thing == IB_ARM_LOW || near->thing == IB_ARM_HIGH
                    ? near->index ? "joint 2" : "joint 1"
                    : "the elbow");
    fprintf(file, " at s = %.4g rad\n", near->s);
}

// Prints a run that ended before the plan: the plan is then checked by the restarted run alone.
static void print_lost(FILE *file, const ib_ArmRerun *rerun)
{
    fprintf(file,
            "under these voltages alone it is %.2g rad off the path after %.4g s: open loop the "
            "arm is unstable; begun anew on it every %g s it stays within %.2g rad",
            ib_max(rerun->off[0], rerun->off[1]), rerun->ran, IB_ARM_RERUN_WHILE,
            rerun->drift.value);
}

static void print_certificate(FILE *file, const ib_PlanWay *way)
{
    const ib_ArmFigures *figures = &way->best->figures;
    const ib_ArmRerun *rerun = &way->rerun;
    ib_ArmBinding tightest = ib_arm_figures_tightest(figures);
    fprintf(file, "  %-*sat %d times, %d in each cell: at most %.6g of a limit (%s)\n  %-*s", LABEL,
            "certificate", figures->samples, IB_PLAN_PARTS + 1, figures->part[tightest].value,
            ib_arm_binding_names[tightest], LABEL, "on the plant");
    if (rerun->ran < 0.999 * figures->time)
        print_lost(file, rerun);
    else
        fprintf(file,
                "under these voltages alone it stays within %.2g rad of the path and ends %.2g rad "
                "off",
                ib_max(rerun->off[0], rerun->off[1]),
                ib_max(fabs(rerun->missed[0]), fabs(rerun->missed[1])));
    fprintf(file, "; largest %.6g V, %.6g V\n", rerun->volts[0], rerun->volts[1]);
}

// ------------------------------------------------------------------------------------------- plans

static void print_way(FILE *file, const ib_PlanFile *plan, const ib_PlanWay *way)
{
    const ib_ArmPath *path = &way->path;
    const ib_ArmPoint *ends[] = {&path->points[0], &path->points[path->count - 1]};
    const ib_ArmGoal *goals = plan->plan.goals;
    ib_tell(file, "\n%s, %s to %s: %s, %.9g rad long, %d points\n", way->name,
            goals[way->from].name, goals[way->to].name, way->shape, ends[1]->s, path->count);
    for (int i = 0; i < 2; i++) {
        double hand[2];
        ib_two_link_hand(&plan->plan.plant.link, ends[i]->th, hand);
        fprintf(file,
                "  %-*stheta1 = %.6g rad, theta2 = %.6g rad, hand at x = %.4g m, z = %.4g m\n",
                LABEL, i ? "to" : "from", ends[i]->th[0], ends[i]->th[1], hand[0], hand[1]);
    }
    fputc('\n', file);
    print_figures(file, plan, way);
    print_binding(file, &way->best->figures);
    print_search(file, &way->search);
    print_near(file, plan, &way->near);
    print_certificate(file, way);
}

void ib_plan_text(const ib_PlanFile *plan, FILE *file)
{
    ib_tell(file, "%s\narm: %s\n", plan->yaml.title, plan->arm);
    for (int i = 0; i < plan->way_count; i++) print_way(file, plan, &plan->ways[i]);
}
