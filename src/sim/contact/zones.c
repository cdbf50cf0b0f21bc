#include "sim/contact/zones.h"

#include "robot/planar.h"
#include "sim/contact/field.h"

#include <string.h>

// Describes a zone's signal. All texts are made of its name.
static bool describe(const ib_ZoneConfig *zone, ib_Arena *arena, ib_SignalDef *signal)
{
    const char *name = zone->name,
               *who = zone->outline ? "its outline touches" : "its middle is in";
    ib_Mode *mode = ib_arena_alloc(arena, sizeof *mode);
    if (!mode) return false;
    *mode = (ib_Mode){.kind = IB_MODE_STATE};
    mode->meanings[0].text =
        ib_arena_format(arena, zone->at_rest ? "it no longer rests in %s" : "it leaves %s", name);
    mode->meanings[1].text =
        ib_arena_format(arena, zone->at_rest ? "it comes to rest in %s" : "it enters %s", name);
    *signal = (ib_SignalDef){
        ib_arena_format(arena, "in_%s", name), "1",
        ib_arena_format(arena, "1: %s %s%s", who, name, zone->at_rest ? ", and it stands" : ""), 0,
        IB_MEANS(.mode = mode, .binary = true)};
    return signal->name && signal->sentence && mode->meanings[0].text && mode->meanings[1].text;
}

// A signal for each robot and zone, the zones of a robot side by side.
static bool add_signals(ib_Model *model, const ib_SignalDef *rows)
{
    for (int i = 0; i < model->robot_count; i++) {
        ib_RobotModel *robot = &model->robots[i];
        if (!robot->ports.planar) continue;
        robot->zone_signal = ib_signals_add(&model->signals, robot->name, rows, model->zone_count);
        if (robot->zone_signal < 0) return false;
    }
    return true;
}

ib_Status ib__zones_create(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    const ib_FieldConfig *field = model->config->field;
    if (!field || field->zone_count == 0) return IB_OK;
    size_t count = (size_t)field->zone_count, robots = (size_t)model->robot_count;
    ib_Zone *zones = ib_arena_array(arena, count, sizeof *zones);
    ib_Shape *outlines = ib_arena_array(arena, robots, sizeof *outlines);
    ib_SignalDef *rows = ib_arena_array(arena, count, sizeof *rows);
    bool good = zones && outlines && rows;
    for (size_t i = 0; good && i < count; i++) {
        ib_Status status = ib_zone_check(&field->zones[i], error);
        if (status != IB_OK) return status;
        ib_zone_init(&field->zones[i], &zones[i]);
        good = describe(&field->zones[i], arena, &rows[i]);
    }
    for (size_t i = 0; good && i < robots; i++)
        outlines[i] = ib__field_outline(&model->robots[i].ports);
    model->zones = zones;
    model->zone_count = field->zone_count;
    model->outlines = outlines;
    good = good && add_signals(model, rows);
    return good ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory for the zones");
}

ib__LastZones *ib__zones_create_last(const ib_Model *model, ib_Arena *arena)
{
    size_t robots = (size_t)model->robot_count, zones = (size_t)model->zone_count;
    ib__LastZones *last = ib_arena_array(arena, robots, sizeof *last);
    double *in = ib_arena_array(arena, robots * zones, sizeof *in);
    for (size_t i = 0; last && in && i < robots; i++) last[i].in = in + i * zones;
    return in ? last : NULL;
}

static void find(const ib_Model *model, int index, const double *state, double *in)
{
    const ib_RobotModel *robot = &model->robots[index];
    const ib_Shape *outline = &model->outlines[index];
    ib_Motion m;
    ib_planar_motion(robot->ports.planar, state + robot->state, NULL, &m);
    ib_BodyState body = {m.x, m.y, robot->ports.upright ? 0 : m.heading, m.vx, m.vy, m.w};
    for (int k = 0; k < model->zone_count; k++)
        in[k] = ib_zone_holds(&model->zones[k], &body, outline->count > 0 ? outline : NULL);
}

void ib__zones_output(const ib_Model *model, ib__LastZones *last, const double *state,
                      double *signals)
{
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        const ib_PlanarModel *planar = robot->ports.planar;
        const double *own = state + robot->state;
        if (robot->zone_signal < 0) continue;
        const double motion[6] = {own[planar->x],           own[planar->y],
                                  own[planar->heading],     own[planar->velocity[0]],
                                  own[planar->velocity[1]], own[planar->yaw_rate]};
        if (!last[i].known || memcmp(motion, last[i].motion, sizeof motion) != 0) {
            find(model, i, state, last[i].in);
            memcpy(last[i].motion, motion, sizeof motion);
            last[i].known = true;
        }
        for (int k = 0; k < model->zone_count; k++) signals[robot->zone_signal + k] = last[i].in[k];
    }
}
