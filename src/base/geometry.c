#include "base/geometry.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- poses

ib_Pose ib_pose_field(void)
{
    return (ib_Pose){.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

// Rz(yaw) Ry(pitch) Rx(roll), with c and s for cosine and sine of each:
//   | cy cp   cy sp sr - sy cr   cy sp cr + sy sr |
//   | sy cp   sy sp sr + cy cr   sy sp cr - cy sr |
//   | -sp     cp sr              cp cr            |
// Limits: yaw alone turns x to y; pitch alone turns x to -z; roll alone turns y to z.
void ib_attitude_turn(const double attitude[3], double r[9])
{
    double sy, cy, sp, cp, sr, cr;
    ib_sincos(attitude[0], &sy, &cy);
    ib_sincos(attitude[1], &sp, &cp);
    ib_sincos(attitude[2], &sr, &cr);
    const double rows[9] = {
        cy * cp,
        cy * sp * sr - sy * cr,
        cy * sp * cr + sy * sr, //
        sy * cp,
        sy * sp * sr + cy * cr,
        sy * sp * cr - cy * sr, //
        -sp,
        cp * sr,
        cp * cr,
    };
    memcpy(r, rows, sizeof rows);
}

void ib_pose_point(const ib_Pose *pose, const double own[3], double field[3])
{
    double sum[3];
    for (int i = 0; i < 3; i++)
        sum[i] = pose->turn[3 * i] * own[0] + pose->turn[3 * i + 1] * own[1] +
                 pose->turn[3 * i + 2] * own[2] + pose->place[i];
    memcpy(field, sum, sizeof sum);
}

ib_Pose ib_pose_in(const ib_Pose *parent, const double place[3], const double attitude[3])
{
    ib_Pose pose;
    double r[9];
    ib_pose_point(parent, place, pose.place);
    ib_attitude_turn(attitude, r);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            pose.turn[3 * i + k] = parent->turn[3 * i] * r[k] + parent->turn[3 * i + 1] * r[3 + k] +
                                   parent->turn[3 * i + 2] * r[6 + k];
    return pose;
}

void ib_pose_attitude(const double turn[9], double attitude[3])
{
    attitude[0] = ib_atan2(turn[3], turn[0]);
    attitude[1] = ib_atan2(-turn[6], sqrt(turn[0] * turn[0] + turn[3] * turn[3]));
    attitude[2] = ib_atan2(turn[7], turn[8]);
}

int ib_geometry_frame(const ib_Geometry *geometry, const char *name)
{
    for (int i = 0; name && i < geometry->frame_count; i++)
        if (strcmp(geometry->frames[i].name, name) == 0) return i;
    return -1;
}

static void look_up(const char *const names[3], ib_SignalLookup lookup, const void *self,
                    double values[3])
{
    for (int i = 0; i < 3; i++) {
        double value = names[i] ? lookup(self, names[i]) : 0;
        values[i] = isfinite(value) ? value : 0;
    }
}

// A parent comes before its children, so that one pass is enough.
void ib_geometry_poses(const ib_Geometry *geometry, ib_SignalLookup lookup, const void *self,
                       ib_Pose *poses)
{
    for (int i = 0; i < geometry->frame_count; i++) {
        const ib_FrameDef *frame = &geometry->frames[i];
        double move[3], turn[3];
        int parent = ib_geometry_frame(geometry, frame->parent);
        ib_Pose field = ib_pose_field();
        look_up(frame->move, lookup, self, move);
        look_up(frame->turn, lookup, self, turn);
        ib_Pose rest = ib_pose_in(parent >= 0 && parent < i ? &poses[parent] : &field, frame->place,
                                  frame->attitude);
        poses[i] = ib_pose_in(&rest, move, turn);
    }
}

// -------------------------------------------------------------------------------------------- JSON

// Numbers that are not finite and missing names are null.
static void write_name(ib_Json *json, const char *key, const char *name)
{
    if (name)
        ib_json_text(json, key, name);
    else
        ib_json_number(json, key, NAN);
}

static void write_vector(ib_Json *json, const char *key, const double vector[3])
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < 3; i++) ib_json_number(json, NULL, vector[i]);
    ib_json_close(json, ']');
}

static void write_names(ib_Json *json, const char *key, const char *const names[3])
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < 3; i++) write_name(json, NULL, names[i]);
    ib_json_close(json, ']');
}

bool ib_colour_named(const char *word, uint32_t *colour)
{
    static const struct {
        const char *word;
        uint32_t colour;
    } words[] = {
        {"red", 0xd0342c},    {"orange", 0xe07a1f}, {"yellow", 0xd9ab00}, {"gold", 0xd9ab00},
        {"green", 0x2c9a4b},  {"cyan", 0x0b8fae},   {"teal", 0x0b8fae},   {"blue", 0x2f62d0},
        {"purple", 0x8a3fbd}, {"violet", 0x8a3fbd}, {"pink", 0xd6408f},   {"magenta", 0xd6408f},
        {"brown", 0x8d6e4a},  {"grey", 0x77828d},   {"gray", 0x77828d},   {"silver", 0x77828d},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].word, word) != 0) continue;
        *colour = words[i].colour;
        return true;
    }
    return false;
}

static void write_colour(ib_Json *json, const char *key, uint32_t colour)
{
    char text[8];
    snprintf(text, sizeof text, "#%06x", (unsigned)(colour & 0xffffff));
    ib_json_text(json, key, text);
}

// Opens an item with its name and its frame.
static void open_item(ib_Json *json, const char *name, const char *key, const char *frame)
{
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "name", name);
    write_name(json, key, frame);
}

static void write_frame(ib_Json *json, const ib_FrameDef *frame)
{
    open_item(json, frame->name, "parent", frame->parent);
    write_vector(json, "place", frame->place);
    write_vector(json, "attitude", frame->attitude);
    write_names(json, "move", frame->move);
    write_names(json, "turn", frame->turn);
    ib_json_flag(json, "body", frame->body);
    ib_json_close(json, '}');
}

static void write_corners(ib_Json *json, int count, const double *x, const double *y)
{
    ib_json_open(json, "corners", '[');
    for (int i = 0; i < count; i++) {
        ib_json_open(json, NULL, '[');
        ib_json_number(json, NULL, x[i]);
        ib_json_number(json, NULL, y[i]);
        ib_json_close(json, ']');
    }
    ib_json_close(json, ']');
}

static void write_tint(ib_Json *json, const ib_SolidDef *solid)
{
    if (!solid->tint) {
        write_name(json, "tint", NULL);
        return;
    }
    ib_json_open(json, "tint", '{');
    ib_json_text(json, "signal", solid->tint);
    write_name(json, "label", solid->tint_label);
    ib_json_number(json, "full", solid->tint_full);
    write_colour(json, "colour", solid->tint_colour);
    ib_json_close(json, '}');
}

static void write_solid(ib_Json *json, const ib_SolidDef *solid)
{
    static const char *const forms[] = {"box", "cylinder", "capsule", "polygon"};
    open_item(json, solid->name, "frame", solid->frame);
    ib_json_text(json, "form", forms[solid->form]);
    write_vector(json, "place", solid->place);
    write_vector(json, "attitude", solid->attitude);
    write_vector(json, "size", solid->size);
    if (solid->form == IB_SOLID_POLYGON)
        write_corners(json, solid->corner_count, solid->corner_x, solid->corner_y);
    else
        write_name(json, "corners", NULL);
    write_colour(json, "colour", solid->colour);
    ib_json_number(json, "opacity", solid->opacity > 0 ? solid->opacity : 1);
    write_tint(json, solid);
    ib_json_close(json, '}');
}

static void write_arrow(ib_Json *json, const ib_ArrowDef *arrow)
{
    static const char *const kinds[] = {"velocity", "force", "impulse"};
    open_item(json, arrow->name, "frame", arrow->frame);
    ib_json_text(json, "kind", kinds[arrow->kind]);
    write_vector(json, "place", arrow->place);
    write_names(json, "move", arrow->move);
    write_name(json, "since", arrow->since);
    ib_json_open(json, "parts", '[');
    for (int i = 0; i < 3; i++) {
        if (!arrow->signal[i]) continue;
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "signal", arrow->signal[i]);
        write_vector(json, "along", arrow->along[i]);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
    ib_json_close(json, '}');
}

static void write_mark(ib_Json *json, const ib_MarkDef *mark)
{
    open_item(json, mark->name, "frame", mark->frame);
    write_vector(json, "place", mark->place);
    write_names(json, "move", mark->move);
    if (mark->foot_count > 0) {
        ib_json_number(json, "margin", mark->margin);
        ib_json_open(json, "feet", '[');
        for (int i = 0; i < mark->foot_count; i++) {
            ib_json_open(json, NULL, '{');
            write_names(json, "move", mark->feet[i].move);
            ib_json_number(json, "radius", mark->feet[i].radius);
            ib_json_text(json, "load", mark->feet[i].load);
            ib_json_close(json, '}');
        }
        ib_json_close(json, ']');
    }
    ib_json_close(json, '}');
}

static void write_area(ib_Json *json, const ib_AreaDef *area)
{
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "name", area->name);
    write_corners(json, area->corner_count, area->corner_x, area->corner_y);
    write_colour(json, "colour", area->colour);
    ib_json_close(json, '}');
}

static void write_way(ib_Json *json, const ib_WayDef *way)
{
    open_item(json, way->name, "body", way->body);
    ib_json_open(json, "points", '[');
    for (int i = 0; i < way->count; i++) {
        ib_json_open(json, NULL, '[');
        ib_json_number(json, NULL, way->x[i]);
        ib_json_number(json, NULL, way->y[i]);
        ib_json_close(json, ']');
    }
    ib_json_close(json, ']');
    ib_json_open(json, "now", '[');
    for (int i = 0; i < 2; i++) write_name(json, NULL, way->now[i]);
    ib_json_close(json, ']');
    ib_json_close(json, '}');
}

static void write_trace(ib_Json *json, const ib_TraceDef *trace)
{
    open_item(json, trace->name, "frame", trace->frame);
    write_vector(json, "place", trace->place);
    write_names(json, "move", trace->move);
    ib_json_number(json, "reach", trace->reach);
    ib_json_flag(json, "wanted", trace->wanted);
    ib_json_close(json, '}');
}

void ib_geometry_write(const ib_Geometry *geometry, const char *key, ib_Json *json)
{
    ib_json_open(json, key, '{');
    ib_json_open(json, "frames", '[');
    for (int i = 0; i < geometry->frame_count; i++) write_frame(json, &geometry->frames[i]);
    ib_json_close(json, ']');
    ib_json_open(json, "solids", '[');
    for (int i = 0; i < geometry->solid_count; i++) write_solid(json, &geometry->solids[i]);
    ib_json_close(json, ']');
    ib_json_open(json, "arrows", '[');
    for (int i = 0; i < geometry->arrow_count; i++) write_arrow(json, &geometry->arrows[i]);
    ib_json_close(json, ']');
    ib_json_open(json, "marks", '[');
    for (int i = 0; i < geometry->mark_count; i++) write_mark(json, &geometry->marks[i]);
    ib_json_close(json, ']');
    if (geometry->area_count > 0) {
        ib_json_open(json, "areas", '[');
        for (int i = 0; i < geometry->area_count; i++) write_area(json, &geometry->areas[i]);
        ib_json_close(json, ']');
    }
    ib_json_open(json, "ways", '[');
    for (int i = 0; i < geometry->way_count; i++) write_way(json, &geometry->ways[i]);
    ib_json_close(json, ']');
    if (geometry->trace_count > 0) {
        ib_json_open(json, "traces", '[');
        for (int i = 0; i < geometry->trace_count; i++) write_trace(json, &geometry->traces[i]);
        ib_json_close(json, ']');
    }
    ib_json_close(json, '}');
}

char *ib_geometry_text(const ib_Geometry *geometry, ib_Arena *arena)
{
    ib_JsonMemory memory;
    if (!ib_json_memory_open(&memory)) return NULL;
    ib_geometry_write(geometry, NULL, &memory.json);
    return ib_json_memory_close(&memory, arena);
}
