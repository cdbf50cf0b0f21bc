// file/choreo.c: Choreo's trajectories, which are samples over time already.
#include "base/extreme.h"
#include "base/maths.h"
#include "base/number.h"
#include "base/quote.h"
#include "file/json_tree.h"
#include "file/planner_inside.h"

#include <math.h>
#include <string.h>

#define TURN 6.283185307179586 ///< [rad]
#define SOON 1e-6              ///< an event this far beyond the end belongs to it [s]

enum { NEWEST = 3 }; // version of the format

// The keys of a sample's numbers.
typedef struct Words {
    const char *time;
    const char *first, *second; // velocities: x and y, or those of the sides
    const char *yaw_rate;
} Words;

static const Words any_direction = {"t", "vx", "vy", "omega"};
static const Words sides = {"t", "vl", "vr", "omega"};
static const Words of_2024 = {"timestamp", "velocityX", "velocityY", "angularVelocity"};

typedef struct Choreo {
    ib__Planner *planner;
    bool old; // of 2024
    ib_PlannedBase base;
    const Words *words;
    const ib_Node *list;       // of the samples
    ib_PlannedSample *samples; // as many
    int count;                 // of those kept
} Choreo;

// ----------------------------------------------------------------------------------------- version

// The whole numbers 0 to 3, and "v2025.0.0", which the first betas wrote for 0.
static void check_version(ib__Planner *planner, const ib_Node *root)
{
    double version = -1;
    const ib_Node *node = ib__planner_need(planner, root, "version", "a whole number, 0 to 3");
    if (!node || (node->quoted && strcmp(node->text, "v2025.0.0") == 0)) return;
    if (ib_json_is_number(node)) ib_number_read(node->text, &version, NULL);
    if (version >= 0 && version <= NEWEST && version == floor(version)) return;
    char got[IB_QUOTE_LENGTH + 8];
    ib_node_describe(node, got, sizeof got);
    ib_wrong_value(&planner->reader, node,
                   "%s: expected a version of 0 to %d, as Choreo 2025 and 2026 write; open the "
                   "project with one of these, generate the path and save it",
                   got, NEWEST);
}

// ----------------------------------------------------------------------------------------- samples

// Finds the kind of base, from `sampleType`, which the first versions had not, else from the keys
// of the samples.
static void find_base(Choreo *choreo, const ib_Node *trajectory)
{
    const ib_Node *type = ib__planner_find(trajectory, "sampleType");
    bool two = ib_node_get(choreo->list->first, "vl");
    if (type && (!type->quoted ||
                 (strcmp(type->text, "Swerve") != 0 && strcmp(type->text, "Differential") != 0)))
        ib_wrong_value(&choreo->planner->reader, type,
                       "expected \"Swerve\" or \"Differential\" as the type of the samples");
    else if (type)
        two = type->text[0] == 'D';
    choreo->base = two ? IB_PLANNED_SIDES : IB_PLANNED_ANY_DIRECTION;
    choreo->words = choreo->old ? &of_2024 : two ? &sides : &any_direction;
}

// Reads one sample. The velocity of a base with sides is the mean of both, along the heading. The
// first versions have no yaw rate for such a base: NaN, which is filled in later.
static bool read_sample(Choreo *choreo, const ib_Node *node, ib_PlannedSample *s)
{
    ib__Planner *planner = choreo->planner;
    const Words *words = choreo->words;
    const double far = IB_PLANNER_FARTHEST, fast = IB_PLANNER_FASTEST;
    double first = 0, second = 0;
    if (!ib_check_map(&planner->reader, node, "a map, one sample")) return false;
    bool turns = choreo->base == IB_PLANNED_ANY_DIRECTION || ib_node_get(node, words->yaw_rate);
    s->yaw_rate = NAN;
    bool good = ib__planner_number(planner, node, words->time, 0, IB_PLANNED_LONGEST, &s->t);
    good &= ib__planner_number(planner, node, "x", -far, far, &s->x);
    good &= ib__planner_number(planner, node, "y", -far, far, &s->y);
    good &= ib__planner_number(planner, node, "heading", -IB_PLANNER_WIDEST, IB_PLANNER_WIDEST,
                               &s->heading);
    good &= ib__planner_number(planner, node, words->first, -fast, fast, &first);
    good &= ib__planner_number(planner, node, words->second, -fast, fast, &second);
    if (turns)
        good &= ib__planner_number(planner, node, words->yaw_rate, -fast, fast, &s->yaw_rate);
    bool two = choreo->base == IB_PLANNED_SIDES;
    double mean = 0.5 * (first + second);
    s->vx = two ? mean * ib_cos(s->heading) : first;
    s->vy = two ? mean * ib_sin(s->heading) : second;
    return good;
}

static double turned(const ib_PlannedSample *a, const ib_PlannedSample *b)
{
    double d = b->heading - a->heading;
    return d - TURN * floor(d / TURN + 0.5);
}

// Times are rounded to 10 us in the file: two equal samples of one instant count as one.
static bool is_same(const ib_PlannedSample *a, const ib_PlannedSample *b)
{
    return a->t == b->t && fabs(a->x - b->x) < 1e-3 && fabs(a->y - b->y) < 1e-3 &&
           fabs(turned(a, b)) < 1e-3;
}

static void check_time(Choreo *choreo, const ib_Node *node, const ib_PlannedSample *s)
{
    const ib_Node *time = ib_node_get(node, choreo->words->time);
    const ib_PlannedSample *before = choreo->count ? &choreo->samples[choreo->count - 1] : NULL;
    if (!before && s->t != 0)
        ib_wrong_value(&choreo->planner->reader, time, "expected 0 at the first sample, got %s",
                       ib_quote(time->text).text);
    else if (before && !(s->t > before->t))
        ib_wrong_value(&choreo->planner->reader, time,
                       "expected a time above that of the sample before, %g, got %s", before->t,
                       ib_quote(time->text).text);
}

// Fills in missing yaw rates: the mean slope of the heading beside a sample.
static void fill_yaw_rates(ib_PlannedSample *samples, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isnan(samples[i].yaw_rate)) continue;
        const ib_PlannedSample *a = &samples[i > 0 ? i - 1 : 0];
        const ib_PlannedSample *b = &samples[i < count - 1 ? i + 1 : i];
        double turn = turned(a, &samples[i]) + turned(&samples[i], b);
        samples[i].yaw_rate = turn / (b->t - a->t);
    }
}

static void read_samples(Choreo *choreo)
{
    ib__Planner *planner = choreo->planner;
    choreo->samples =
        ib_arena_array(planner->arena, (size_t)choreo->list->count + 1, sizeof *choreo->samples);
    if (!choreo->samples) {
        ib_wrong_value(&planner->reader, choreo->list, "out of memory");
        return;
    }
    for (const ib_Node *node = choreo->list->first; node; node = node->next) {
        ib_PlannedSample s = {0};
        if (ib_is_full(&planner->reader)) return;
        if (!read_sample(choreo, node, &s)) continue;
        if (choreo->count && is_same(&choreo->samples[choreo->count - 1], &s)) continue;
        check_time(choreo, node, &s);
        choreo->samples[choreo->count++] = s;
    }
    if (ib__planner_failed(planner)) return;
    if (choreo->count >= 2) fill_yaw_rates(choreo->samples, choreo->count);
    ib_Error error;
    if (ib_planned_init(choreo->base, choreo->samples, choreo->count, planner->path, &error))
        ib_wrong_value(&planner->reader, choreo->list, "%s", error.text);
}

// ------------------------------------------------------------------------------- events and splits

// { "name": …, "from": {"targetTimestamp": 0.5, "offset": {"val": 0.1}} }; false: left out.
static bool read_event(ib__Planner *planner, const ib_Node *node, ib_PlannedEvent *event)
{
    double time = 0, offset = 0, most = IB_PLANNED_LONGEST;
    if (!ib_check_map(&planner->reader, node, "a map, one event")) return false;
    event->name = ib__planner_text(planner, node, "name");
    const ib_Node *from = ib__planner_map(planner, node, "from");
    if (!from || !event->name) return false;
    if (!ib__planner_find(from, "targetTimestamp")) {
        ib_warn_value(&planner->reader, from, "the event has no time in this file: left out");
        return false;
    }
    const ib_Node *shift = ib__planner_map(planner, from, "offset");
    bool good = ib__planner_number(planner, from, "targetTimestamp", -most, most, &time);
    good &= shift && ib__planner_number(planner, shift, "val", -most, most, &offset);
    event->t = time + offset;
    return good;
}

// { "timestamp": 0.5, "command": {"type": "named", "data": {"name": …}} }
static bool read_old_event(ib__Planner *planner, const ib_Node *node, ib_PlannedEvent *event)
{
    if (!ib_check_map(&planner->reader, node, "a map, one event")) return false;
    bool good = ib__planner_number(planner, node, "timestamp", -IB_PLANNED_LONGEST,
                                   IB_PLANNED_LONGEST, &event->t);
    const ib_Node *command = ib__planner_map(planner, node, "command");
    if (!command) return false;
    const ib_Node *data = ib_node_get(command, "data");
    bool named = data && ib__planner_find(data, "name");
    event->name = ib__planner_text(planner, named ? data : command, named ? "name" : "type");
    return good && event->name;
}

// Inserts an event in the order of times; events of one time keep their order.
static void insert_event(ib_PlannedEvent *events, int count, ib_PlannedEvent event)
{
    int k = count;
    for (; k > 0 && events[k - 1].t > event.t; k--) events[k] = events[k - 1];
    events[k] = event;
}

static void read_events(Choreo *choreo, const ib_Node *root)
{
    ib__Planner *planner = choreo->planner;
    const char *key = choreo->old ? "eventMarkers" : "events";
    const ib_Node *list = ib__planner_some(planner, root, key, IB_PLANNED_EVENTS);
    if (!list) return;
    ib_PlannedEvent *events =
        ib_arena_array(planner->arena, (size_t)list->count + 1, sizeof *events);
    int count = 0;
    double last = planner->path->duration;
    for (const ib_Node *node = list->first; events && node; node = node->next) {
        ib_PlannedEvent event = {0};
        bool good =
            choreo->old ? read_old_event(planner, node, &event) : read_event(planner, node, &event);
        if (!good) continue;
        if (event.t < 0 || event.t > last + SOON) {
            ib_warn_value(&planner->reader, node,
                          "the event at %g s is not within the path, 0 s to %g s: left out",
                          event.t, last);
            continue;
        }
        event.t = event.until = ib_min(event.t, last);
        insert_event(events, count++, event);
    }
    planner->path->events = events;
    planner->path->event_count = events ? count : 0;
}

// The time of the sample with this number in the file.
static double time_of(const Choreo *choreo, int index)
{
    double t = 0;
    const ib_Node *node = ib_node_at(choreo->list, index);
    ib_number_read(ib_node_get(node, choreo->words->time)->text, &t, NULL);
    return t;
}

// Splits are numbers of samples, from 0. A split at the first sample has no effect.
static void read_splits(Choreo *choreo, const ib_Node *trajectory)
{
    ib__Planner *planner = choreo->planner;
    const ib_Node *list = ib__planner_some(planner, trajectory, "splits", IB_PLANNED_SPLITS);
    if (!list) return;
    double *splits = ib_arena_array(planner->arena, (size_t)list->count + 1, sizeof *splits);
    int count = 0;
    double before = -1;
    for (const ib_Node *node = list->first; splits && node; node = node->next) {
        double index = -1;
        if (ib_json_is_number(node)) ib_number_read(node->text, &index, NULL);
        bool good = index > before && index < choreo->list->count && index == floor(index);
        if (!good) {
            ib_wrong_value(&planner->reader, node, "expected numbers of samples that rise, 0 to %d",
                           choreo->list->count - 1);
            return;
        }
        double t = time_of(choreo, (int)index);
        if (t > 0 && (count == 0 || t > splits[count - 1])) splits[count++] = t;
        before = index;
    }
    planner->path->splits = splits;
    planner->path->split_count = splits ? count : 0;
}

// ---------------------------------------------------------------------------------------- the file

void ib__choreo_read(ib__Planner *planner, const ib_Node *root)
{
    Choreo choreo = {.planner = planner, .old = !ib_node_get(root, "trajectory")};
    choreo.old &= ib_node_get(root, "samples") != NULL;
    if (!choreo.old) check_version(planner, root);
    const ib_Node *trajectory = choreo.old ? root : ib__planner_map(planner, root, "trajectory");
    if (!trajectory) return;
    const ib_Node *samples = ib_node_get(trajectory, "samples");
    if (samples && samples->type == IB_NODE_LIST && samples->count == 0) {
        ib_wrong_value(&planner->reader, samples, "no samples: generate the path in Choreo first");
        return;
    }
    choreo.list = ib__planner_list(planner, trajectory, "samples", 2, IB_PLANNED_SAMPLES);
    if (!choreo.list) return;
    find_base(&choreo, trajectory);
    read_samples(&choreo);
    if (ib__planner_failed(planner)) return;
    read_events(&choreo, root);
    read_splits(&choreo, trajectory);
}
