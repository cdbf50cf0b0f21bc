// scenario/carried.c: `carried: {by: red, x: -15 cm, until: "servo.position >= 60 deg"}` of a body:
// it rides on a robot until that lets it go. docs/world/world.md, "Carried bodies"
#include "base/quote.h"
#include "robot/planar.h"
#include "scenario/expectation.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <math.h>
#include <string.h>

static const ib_Param params[] = {
    IB_PARAM_ROW("x", IB_PARAM_NUMBER, "m", "0 m", -1e3, 1e3, NULL, ib_CarriedConfig, x, false,
                 "place of its middle on the carrier, forward of the carrier's"),
    IB_PARAM_ROW("y", IB_PARAM_NUMBER, "m", "0 m", -1e3, 1e3, NULL, ib_CarriedConfig, y, false,
                 "place of its middle on the carrier, to the left of the carrier's"),
    IB_PARAM_ROW("heading", IB_PARAM_NUMBER, "rad", "0 rad", -1e4, 1e4, NULL, ib_CarriedConfig,
                 heading, false, "direction of its front against the carrier's"),
};
const ib_Schema ib_carried_schema = IB_SCHEMA(params);

// The robot that carries it; NULL with the mistake named, or where nothing is known of it.
static const ib__Robot *read_carrier(const ib__ScenarioReader *scenario, const ib_Node *map,
                                     const ib__Robot *own)
{
    ib_Reader *reader = scenario->reader;
    const ib__Robot *robots = scenario->robots;
    int count = scenario->robot_count;
    const char *names[IB__MAX_ROBOTS + 1];
    const ib_Node *by = ib_node_get(map, "by");
    const ib__Robot *carrier = NULL;
    if (!by) {
        ib_wrong_gap(reader, map,
                     "'by' is missing: expected the name of the robot that carries it");
        return NULL;
    }
    const char *text = ib_read_text(reader, by, "the name of a robot");
    for (int i = 0; i < count; i++) {
        names[i] = robots[i].config.name;
        if (text && strcmp(names[i], text) == 0) carrier = &robots[i];
    }
    names[count] = NULL;
    if (!text) return NULL;
    if (carrier == own) {
        ib_wrong_value(reader, by, "nothing carries itself: expected another robot");
    } else if (!carrier && !ib__lacks_bodies(scenario)) {
        ib_wrong_value(reader, by, "there is no robot '%s'%s", ib_quote(text).text,
                       ib_word_hint(';', text, names).text);
    } else if (carrier && carrier->config.kind) {
        return carrier;
    }
    return NULL;
}

// Mass of the bodies already on a robot [kg].
static double mass_on(const ib__Robot *carrier, const ib__Robot *robots, const ib__Robot *end)
{
    double sum = 0;
    for (const ib__Robot *r = robots; r < end; r++)
        if (r->carried && strcmp(r->carried->by, carrier->config.name) == 0)
            sum += 1 / r->made.ports.planar->per_mass;
    return sum;
}

static void read_one(const ib__ScenarioReader *scenario, const ib_Node *map, ib__Robot *robot)
{
    ib_Reader *reader = scenario->reader;
    static const char *const others[] = {"by", "until", NULL};
    ib_CarriedConfig *carried = ib_arena_alloc(reader->arena, sizeof *carried);
    ib_Error error;
    if (!carried || !ib_check_map(reader, map, "a map such as {by: red, x: -15 cm, until: …}"))
        return;
    ib_read_schema(reader, map, &ib_carried_schema, others, carried);
    if (robot->start)
        ib_wrong_key(reader, robot->start,
                     "a carried body starts where its carrier does: leave start out");
    const ib__Robot *carrier = read_carrier(scenario, map, robot);
    if (!carrier || !robot->config.kind) return;
    ib_Status status = ib_carried_check(&robot->made.ports, &carrier->made.ports,
                                        ib_node_get(carrier->node, "carried") != NULL,
                                        mass_on(carrier, scenario->robots, robot), &error);
    bool by = status != IB_OK && strncmp(error.text, "by: ", 4) == 0;
    // A stand-in for a mistake may be too heavy.
    if (!by && !(robot->clean && carrier->clean)) status = IB_OK;
    if (by) ib_wrong_value(reader, ib_node_get(map, "by"), "%s", error.text + 4);
    if (status != IB_OK && !by) ib_wrong_key(reader, map, "%s", error.text);
    if (status != IB_OK) return;
    carried->by = carrier->config.name;
    carried->signal = -1;
    robot->carried = carried;
    robot->config.carried = carried;
}

void ib__read_carried(const ib__ScenarioReader *scenario, ib__Robot *robots)
{
    for (int i = 0; i < scenario->robot_count; i++) {
        const ib_Node *map =
            robots[i].config.name[0] ? ib_node_get(robots[i].node, "carried") : NULL;
        if (map) read_one(scenario, map, &robots[i]);
    }
}

// A condition on a signal of the carrier, with or without its name in front, as a range.
static void read_until(const ib__ScenarioReader *scenario, const ib_Node *map,
                       const ib_SignalTable *signals, ib_CarriedConfig *carried)
{
    ib_Reader *reader = scenario->reader;
    ib_Expectation met;
    ib_Error error;
    const ib_Node *until = ib_node_get(map, "until");
    if (!until) {
        ib_wrong_gap(reader, map,
                     "'until' is missing: expected a condition on a signal of its carrier, such "
                     "as \"servo.position >= 60 deg\"");
        return;
    }
    const char *text =
        ib_read_text(reader, until, "a condition such as 'servo.position >= 60 deg'");
    size_t length = strlen(carried->by);
    bool whole = text && strncmp(text, carried->by, length) == 0 && text[length] == '.';
    const char *sentence = text ? ib_arena_format(reader->arena, "always: %s%s%s",
                                                  whole ? "" : carried->by, whole ? "" : ".", text)
                                : NULL;
    if (!sentence) return;
    if (!strpbrk(text, "<>=")) {
        ib_wrong_value(reader, until,
                       "'%s' is no condition: expected a signal of its carrier, a relation and a "
                       "value, such as 'servo.position >= 60 deg'",
                       ib_quote(text).text);
        return;
    }
    if (ib_expectation_read(sentence, signals, reader->arena, &met, &error) != IB_OK) {
        bool open = ib__is_open(scenario, sentence + strlen("always: "));
        if (!open) ib_wrong_value(reader, until, "%s", error.text);
        return;
    }
    carried->low = -INFINITY;
    carried->high = INFINITY;
    if (met.relation == IB_EQUAL) {
        carried->low = met.value - met.tolerance;
        carried->high = met.value + met.tolerance;
    } else if (met.relation == IB_LESS || met.relation == IB_AT_MOST) {
        carried->high = met.relation == IB_LESS ? nextafter(met.value, -INFINITY) : met.value;
    } else {
        carried->low = met.relation == IB_GREATER ? nextafter(met.value, INFINITY) : met.value;
    }
    carried->signal = met.signal;
}

void ib__read_releases(const ib__ScenarioReader *scenario, const ib_SignalTable *signals)
{
    for (int i = 0; i < scenario->robot_count; i++) {
        const ib__Robot *robot = &scenario->robots[i];
        if (robot->carried)
            read_until(scenario, ib_node_get(robot->node, "carried"), signals, robot->carried);
    }
}
