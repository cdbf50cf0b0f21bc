#include "desk/plan/plan_json.h"

#include "base/json.h"
#include "desk/table_json.h"

// Writes a peak, with its place `s` and time `t`.
static void write_peak(ib_Json *json, const char *key, const ib_ArmPeak *peak)
{
    ib_json_open(json, key, '{');
    ib_json_number(json, "value", peak->value);
    ib_json_number(json, "s", peak->s);
    ib_json_number(json, "t", peak->t);
    ib_json_close(json, '}');
}

static void write_peaks(ib_Json *json, const char *key, const ib_ArmPeak peaks[2])
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < 2; i++) write_peak(json, NULL, &peaks[i]);
    ib_json_close(json, ']');
}

// Writes the limits with a used part.
static void write_limits(ib_Json *json, const ib_ArmFigures *figures)
{
    ib_json_open(json, "limits", '{');
    for (int i = 0; i < IB_ARM_BINDINGS; i++) {
        if (!(figures->part[i].value > 0)) continue;
        ib_json_open(json, ib_arm_binding_names[i], '{');
        ib_json_number(json, "part", figures->part[i].value);
        ib_json_number(json, "s", figures->part[i].s);
        ib_json_number(json, "binds", figures->binds[i]);
        ib_json_close(json, '}');
    }
    ib_json_close(json, '}');
}

static void write_timed(ib_Json *json, const char *key, const ib_PlanTimed *timed)
{
    const ib_ArmFigures *figures = &timed->figures;
    if (!timed->given) {
        ib_json_null(json, key);
        return;
    }
    ib_json_open(json, key, '{');
    ib_json_number(json, "time_s", figures->time);
    write_peaks(json, "volts", figures->volts);
    write_peaks(json, "current", figures->current);
    write_peaks(json, "speed", figures->speed);
    write_peaks(json, "acceleration", figures->acceleration);
    write_peak(json, "hand_speed", &figures->hand);
    write_peak(json, "battery_low", &figures->bus);
    ib_json_number(json, "energy_J", figures->energy);
    write_limits(json, figures);
    ib_json_close(json, '}');
}

static void write_search(ib_Json *json, const ib_PlanSearch *search)
{
    if (!search->given) {
        ib_json_null(json, "search");
        return;
    }
    ib_json_open(json, "search", '{');
    ib_json_number(json, "straight_s", search->straight);
    ib_json_number(json, "detour_length", search->detour_length);
    ib_json_number(json, "detour_radius", search->detour_radius);
    ib_json_number(json, "detour_passes_s", search->detour_passes);
    ib_json_number(json, "detour_reach_s", search->detour_reach);
    ib_json_number(json, "faster", search->faster);
    ib_json_integer(json, "kinds", search->kinds);
    ib_json_integer(json, "tried", search->tried);
    ib_json_close(json, '}');
}

// Writes the results of the finer check and of the run on the plant.
static void write_certificate(ib_Json *json, const ib_PlanWay *way)
{
    const ib_ArmFigures *figures = &way->best->figures;
    ib_ArmBinding tightest = ib_arm_figures_tightest(figures);
    ib_json_open(json, "certificate", '{');
    ib_json_integer(json, "samples", figures->samples);
    ib_json_number(json, "part", figures->part[tightest].value);
    ib_json_text(json, "limit", ib_arm_binding_names[tightest]);
    ib_json_vector(json, "volts", 2, way->rerun.volts);
    ib_json_vector(json, "off", 2, way->rerun.off);
    ib_json_vector(json, "missed", 2, way->rerun.missed);
    ib_json_number(json, "open_loop_s", way->rerun.ran);
    ib_json_number(json, "drift", way->rerun.drift.value);
    ib_json_close(json, '}');
}

static void write_near(ib_Json *json, const ib_PlanFile *plan, const ib_ArmNear *near)
{
    if (near->thing == IB_ARM_NOTHING) {
        ib_json_null(json, "nearest");
        return;
    }
    bool disc = near->thing == IB_ARM_DISC;
    ib_json_open(json, "nearest", '{');
    ib_json_name(json, "obstacle", disc ? plan->plan.scene.disc[near->index].name : NULL);
    ib_json_number(json, disc ? "distance_m" : "distance_rad", near->distance);
    ib_json_number(json, "s", near->s);
    ib_json_close(json, '}');
}

static void write_way(ib_Json *json, const ib_PlanFile *plan, const ib_PlanWay *way)
{
    const ib_ArmGoal *goals = plan->plan.goals;
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "name", way->name);
    ib_json_text(json, "shape", way->shape);
    ib_json_text(json, "method", ib_plan_methods[way->method]);
    ib_json_text(json, "from", goals[way->from].name);
    ib_json_text(json, "to", goals[way->to].name);
    ib_json_integer(json, "points", way->path.count);
    ib_json_number(json, "length_rad", way->path.points[way->path.count - 1].s);
    ib_json_number(json, "time_s", way->best->figures.time);
    write_timed(json, "reach", &way->reach);
    write_timed(json, "passes", &way->passes);
    write_search(json, &way->search);
    write_certificate(json, way);
    write_near(json, plan, &way->near);
    ib_json_close(json, '}');
}

void ib_plan_json_write(const ib_PlanFile *plan, FILE *file)
{
    ib_Json json = {.file = file};
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, "plan", plan->yaml.file);
    ib_json_text(&json, "title", plan->yaml.title);
    ib_json_text(&json, "arm", plan->arm);
    ib_json_open(&json, "goals", '{');
    for (int i = 0; i < plan->plan.goal_count; i++)
        ib_json_vector(&json, plan->plan.goals[i].name, 2, plan->plan.goals[i].th);
    ib_json_close(&json, '}');
    ib_json_open(&json, "paths", '[');
    for (int i = 0; i < plan->way_count; i++) write_way(&json, plan, &plan->ways[i]);
    ib_json_close(&json, ']');
    ib_yaml_file_warnings_json(&plan->yaml, &json);
    ib_json_close(&json, '}');
    fputc('\n', file);
}
