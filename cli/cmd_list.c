// ironbird list: everything that can be written in a scenario, from the tables that read it.
#include "cli.h"

#include "base/units.h"
#include "scenario/schemas.h"

#include <string.h>

static const Option options_table[] = {{0}};

static void list_schema(const ib_Schema *schema, const char *prefix)
{
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        char key[96], expected[256];
        snprintf(key, sizeof key, "%s%s", prefix, param->key);
        ib_schema_expected(param, expected, sizeof expected);
        printf("  %-24s %s\n", key, param->sentence);
        printf("  %-24s   %s; default %s%s\n", "", expected,
               param->fallback ? param->fallback : "none, must be given",
               param->live ? "; may change while running" : "");
    }
}

static int list_robots(void)
{
    for (int i = 0; ib_robot_kinds[i]; i++) {
        const ib_RobotKind *kind = ib_robot_kinds[i];
        printf("%-12s %s (%s)\n", kind->name, kind->sentence, kind->docs);
    }
    printf("\n'ironbird list robot KIND' prints the parameters of one.\n");
    return EXIT_DONE;
}

static int list_robot(const Options *options, const char *name)
{
    const ib_RobotKind *kind = ib_robot_kind_find(name);
    if (!kind) return bad_usage(options, "there is no robot kind '%s'", name);
    printf("%s: %s. Derivation: %s\n\nparameters (under robot:)\n", kind->name, kind->sentence,
           kind->docs);
    list_schema(&kind->params, "");
    printf("\nstart (under start:)\n");
    list_schema(&kind->start, "");
    return EXIT_DONE;
}

static int list_units(void)
{
    int count;
    const ib_UnitInfo *units = ib_units_all(&count);
    for (int i = 0; i < count; i++)
        printf("%-8s = %-14.10g %-12s %s\n", units[i].name, units[i].factor, units[i].si,
               units[i].sentence);
    printf(
        "\nUnits combine with *, / and ^: 3.4 N*s^2/m^2. SI units take prefixes: mA, kPa, uH.\n");
    return EXIT_DONE;
}

static int list_scenario(void)
{
    static const struct {
        const char *key;
        const ib_Schema *schema;
    } parts[] = {{"run", &ib_run_schema},
                 {"record", &ib_record_schema},
                 {"field", &ib_field_schema},
                 {"inputs", &ib_inputs_schema},
                 {"control", &ib_control_schema},
                 {"disturbances[]", &ib_disturbance_schema},
                 {"robot.sensors.NAME", &ib_sensor_schema}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        printf("%s%s:\n", i ? "\n" : "", parts[i].key);
        list_schema(parts[i].schema, "");
    }
    printf("\nThe rest (robot, start, timelines, paths, expectations) is in docs/scenario.md.\n");
    return EXIT_DONE;
}

static int list_signals(const char *file)
{
    ib_Scenario *scenario = load_scenario(file, &(ib_ScenarioOptions){0});
    if (!scenario) return EXIT_BAD_INPUT;
    const ib_SignalTable *table = &scenario->model->signals;
    int wide = 0;
    for (int i = 0; i < table->count; i++) {
        int length = (int)strlen(table->items[i].name);
        if (length > wide) wide = length;
    }
    for (int i = 0; i < table->count; i++)
        printf("%-*s  %-8s %s\n", wide, table->items[i].name, table->items[i].unit,
               table->items[i].sentence);
    ib_scenario_destroy(scenario);
    return EXIT_DONE;
}

int cmd_list(int argc, char **argv)
{
    Options options = {
        .command = "list",
        .usage = "robots | robot KIND | scenario | units | signals SCENARIO",
        .about =
            "Shows what can be written in a scenario: robot kinds, the parameters of one with\n"
            "unit, default, range and meaning, units, and the signals of a scenario.",
        .example = "ironbird list robot roomba",
        .options = options_table,
        .argc = argc,
        .argv = argv,
    };
    const char *words[2] = {0}, *value;
    int count = 0, item;
    while ((item = options_next(&options, &value)) != OPTION_END) {
        if (item == OPTION_HELP) return EXIT_DONE;
        if (item != OPTION_ARGUMENT) return EXIT_BAD_INPUT;
        if (count == 2) return bad_usage(&options, "too many words: '%s'", value);
        words[count++] = value;
    }
    if (count == 0 || (count == 1 && !strcmp(words[0], "robots"))) return list_robots();
    if (count == 1 && !strcmp(words[0], "units")) return list_units();
    if (count == 1 && !strcmp(words[0], "scenario")) return list_scenario();
    if (count == 2 && !strcmp(words[0], "robot")) return list_robot(&options, words[1]);
    if (count == 2 && !strcmp(words[0], "signals")) return list_signals(words[1]);
    return bad_usage(&options,
                     "expected robots, robot KIND, scenario, units or signals SCENARIO, got '%s'",
                     words[0]);
}
