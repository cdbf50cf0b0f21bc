// ironbird list: everything that can be written in a scenario, from the tables that read it.
#include "cli.h"

#include "base/units.h"
#include "scenario/schemas.h"

#include <string.h>

static const Option options_table[] = {{0}};

// A default time that is the longest allowed one stands for no limit at all.
static const char *default_text(const ib_Param *param)
{
    double seconds;
    if (!param->fallback) return "none, must be given";
    if (param->type != IB_PARAM_NUMBER || strcmp(param->unit, "s") != 0 ||
        ib_units_read(param->fallback, "s", &seconds, NULL) != IB_OK || seconds < param->max)
        return param->fallback;
    return strcmp(param->key, "for") == 0 ? "to the end" : "none";
}

static void list_schema(const ib_Schema *schema, const char *prefix)
{
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        char key[96], expected[256];
        snprintf(key, sizeof key, "%s%s", prefix, param->key);
        ib_schema_expected(param, expected, sizeof expected);
        printf("  %-24s %s\n", key, param->sentence);
        printf("  %-24s   %s; default %s%s\n", "", expected, default_text(param),
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

// "-2.7 N to 2.7 N (max_force)", or nothing where any value will do.
static void print_range(const ib_InputDef *input)
{
    static const double unlimited = 1e9;
    if (input->low <= -unlimited && input->high >= unlimited) return;
    printf("; %g %s to %g %s", input->low, input->unit, input->high, input->unit);
    if (input->limit && input->limit[0]) printf(" (%s)", input->limit);
}

static void list_inputs(const ib_RobotPorts *ports, ib_InputRole role)
{
    for (int i = 0; i < ports->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[i];
        if (input->role != role) continue;
        printf("  %-24s %s\n", input->name, input->sentence);
        if (role == IB_INPUT_GAIN) continue;
        printf("  %-24s   in %s", "", input->unit);
        print_range(input);
        if (input->required)
            printf("; must be given, unless control: drives\n");
        else
            printf("; default %g %s\n", input->neutral, input->unit);
    }
}

static void print_ports(const ib_RobotPorts *ports)
{
    printf("\ninputs (under inputs:), with the default parameters\n");
    list_inputs(ports, IB_INPUT_COMMAND);
    printf("\nwhat a fault can scale (disturbances: [{signal: NAME, scale: 0.8}])\n");
    list_inputs(ports, IB_INPUT_GAIN);
    printf("\nsignals (a scenario adds those of sensors, disturbances and paths: list signals "
           "FILE)\n");
    for (int i = 0; i < ports->signal_count; i++)
        printf("  %-24s %-8s %s\n", ports->signals[i].name, ports->signals[i].unit,
               ports->signals[i].sentence);
}

// Inputs and signals may depend on the parameters: those of a robot made with the defaults.
static int list_ports(const ib_RobotKind *kind)
{
    ib_Arena arena = {0};
    ib_Error error = {0};
    ib_RobotPorts ports = {0};
    void *config = ib_arena_alloc(&arena, kind->config_size);
    void *model = ib_arena_alloc(&arena, kind->model_size);
    ib_Status status = config && model ? ib_schema_default(&kind->params, config, &error)
                                       : ib_error_set(&error, IB_FAILED, "out of memory");
    if (status == IB_OK) status = ib_schema_default(&kind->start, config, &error);
    if (status == IB_OK) status = kind->init(config, &arena, model, &ports, &error);
    if (status == IB_OK)
        print_ports(&ports);
    else
        fprintf(stderr, "ironbird list: %s: %s\n", kind->name, error.text);
    ib_arena_reset(&arena);
    return status == IB_OK ? EXIT_DONE : EXIT_FAILED;
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
    return list_ports(kind);
}

static int list_units(void)
{
    int count;
    const ib_UnitInfo *units = ib_units_all(&count);
    printf("%-8s %-6s %-40s %-18s\n", "unit", "SI", "factor", "prefixes");
    for (int i = 0; i < count; i++) {
        const ib_UnitInfo *unit = &units[i];
        char factor[96], offset[32];
        ib_number_format(unit->factor, factor, sizeof factor);
        ib_number_format(unit->offset, offset, sizeof offset);
        size_t used = strlen(factor);
        if (unit->offset != 0) snprintf(factor + used, sizeof factor - used, " x + %s", offset);
        const char *prefixes = unit->use == IB_UNIT_PREFIXED     ? "p n u m k M G"
                               : unit->use == IB_UNIT_DECIMETRIC ? "p n u m c d k M G"
                                                                 : "";
        printf("%-8s %-6s %-40s %-18s %s\n", unit->name, unit->si, factor, prefixes,
               unit->sentence);
    }
    printf("\nValue in SI = factor x + offset. Units combine with *, / and ^: 3.4 N*s^2/m^2.\n");
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
            "unit, default, range and meaning, its inputs and signals, units, and the signals of "
            "a\n"
            "scenario.",
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
