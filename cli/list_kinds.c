#include "list_kinds.h"
#include "list_schema.h"

#include "control/controller.h"
#include "scenario/schemas.h"
#include "sensor/sensor.h"

int list_controllers(void)
{
    int width = 0;
    for (int i = 0; ib_controller_kinds[i]; i++)
        width = list_wider(width, ib_controller_kinds[i]->name);
    for (int i = 0; ib_controller_kinds[i]; i++) {
        const ib_ControllerKind *kind = ib_controller_kinds[i];
        printf("%-*s %s (%s)\n", width, kind->name, kind->sentence, kind->docs);
    }
    printf("\n'ironbird list controller KIND' prints the keys of one.\n");
    return EXIT_DONE;
}

int list_controller(const Options *options, const char *name)
{
    const ib_ControllerKind *kind = ib_controller_kind_find(name);
    if (!kind)
        return bad_usage(options, "there is no kind of controller '%s': see list controllers",
                         name);
    ib_Arena arena = {0};
    ib_Schema params;
    bool scalar = !kind->designed && !kind->planned && !kind->follows && !kind->routines;
    if (!ib_controller_params(kind, "rad", "V", &arena, &params)) return EXIT_FAILED;
    printf("%s: %s. Derivation: %s\n\nkeys (under control:, or under control: {NAME: …})%s\n",
           kind->name, kind->sentence, kind->docs,
           scalar ? "; units here are those of an angle held by a voltage" : "");
    if (kind->designed)
        printf("  %-24s a design file, or the JSON of one; must be given\n", "design");
    if (kind->planned)
        printf("  %-24s a plan file of an arm (docs/design/plan.md); must be given\n", "plan");
    if (kind->routines)
        printf("  %-24s a list of steps ('ironbird list routine'), a file of them, or a map with "
               "steps or file\n  %-24s   and these keys; must be given\n",
               "routine", "");
    list_schema(&params);
    ib_arena_reset(&arena);
    return EXIT_DONE;
}

int list_routine(void)
{
    printf("Steps of a routine (control: {routine: [STEP, …]}, or a file of them), "
           "docs/control/routine.md.\nAny of them may have 'timeout: 2 s' beside it: when that is "
           "over it is stopped, and the next begins.\n");
    for (const ib_RoutineWord *word = ib_routine_words; word->name; word++) {
        enum { KEYS = sizeof word->keys / sizeof word->keys[0] };
        printf("\n%s: %s\n", word->name, word->sentence);
        for (int i = 0; i < 3 && word->examples[i]; i++) printf("  - %s\n", word->examples[i]);
        if (word->value)
            printf("  %-24s %s\n", word->schema ? "instead of a map" : "takes", word->value);
        for (int i = 0; i < KEYS && word->keys[i].key; i++)
            printf("  %-24s %s\n  %-24s   %s\n", word->keys[i].key, word->keys[i].sentence, "",
                   word->keys[i].expected);
        if (word->schema) list_schema(word->schema);
    }
    printf("\n'ironbird list controller routine' prints the keys of the whole.\n");
    return EXIT_DONE;
}

int list_sensors(void)
{
    int width = 0;
    for (int i = 0; ib_sensor_kinds[i]; i++) width = list_wider(width, ib_sensor_kinds[i]->name);
    for (int i = 0; ib_sensor_kinds[i]; i++)
        printf("%-*s %s (docs/sensor/sensor.md)\n", width, ib_sensor_kinds[i]->name,
               ib_sensor_kinds[i]->sentence);
    printf("\n'ironbird list sensor KIND' prints the keys of one.\n");
    return EXIT_DONE;
}

// A row in the unit of the signal has no range that could be printed, but may not be negative.
static void list_sensor_rows(const ib_SensorKind *kind)
{
    static const char in_signals_unit[] = "in the unit of the signal";
    for (int i = 0; i < kind->params.count; i++) {
        const ib_Param *row = &kind->params.params[i];
        if (!ib_sensor_has_signals_unit(row)) {
            list_schema(&(ib_Schema){.params = row, .count = 1});
            continue;
        }
        printf("  %-24s %s\n", row->key, row->sentence);
        printf("  %-24s   %s%s; default %s\n", "", in_signals_unit,
               row->min == 0 ? ", at least 0" : "", row->fallback);
    }
    if (!kind->range) return;
    printf("  %-24s [lowest, highest] value that it shows\n", "range");
    printf("  %-24s   %s; default none\n", "", in_signals_unit);
}

int list_sensor(const Options *options, const char *name)
{
    const ib_SensorKind *kind = ib_sensor_kind_find(name);
    if (!kind) return bad_usage(options, "there is no kind of sensor '%s': see list sensors", name);
    printf(
        "%s: %s. Derivation: docs/sensor/sensor.md\n\nkeys (under robot: {sensors: {NAME: …}})\n",
        kind->name, kind->sentence);
    if (kind->measures == IB_ROLE_NONE && !kind->all)
        printf("  %-24s what it measures: a signal of the robot; must be given\n", "signal");
    list_schema(&ib_sensor_schema);
    list_sensor_rows(kind);
    return EXIT_DONE;
}
