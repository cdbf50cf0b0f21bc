// cli/cmd_list.c: `ironbird list`: all that can be written in a scenario or a design, from the
// tables that read it.
#include "cli.h"
#include "list_data.h"
#include "list_kinds.h"
#include "list_plants.h"
#include "list_schema.h"

#include "base/units.h"
#include "base/word.h"
#include "robot/equipment.h"
#include "scenario/schemas.h"

#include <string.h>

static const Option options_table[] = {{.common = COMMON_PLUGINS}, {0}};

static int list_robots(void)
{
    int width = 0;
    for (int i = 0; ib_robot_kinds[i]; i++) width = list_wider(width, ib_robot_kinds[i]->name);
    for (int i = 0; ib_robot_kinds[i]; i++) {
        const ib_RobotKind *kind = ib_robot_kinds[i];
        printf("%-*s %s (%s)\n", width, kind->name, kind->sentence, kind->docs);
    }
    printf("\n'ironbird list robot KIND' prints the parameters of one; 'ironbird list plants' what "
           "a design\nfile can name; 'ironbird list routine' the steps of an autonomous.\n");
    list_data_names();
    return EXIT_DONE;
}

// " N", or nothing for a pure number.
static void print_unit(const char *unit)
{
    if (strcmp(unit, "1") != 0) printf(" %s", unit);
}

// "-2.7 N to 2.7 N (max_force)", or nothing where any value will do.
static void print_range(const ib_InputDef *input)
{
    static const double unlimited = 1e9;
    if (input->low <= -unlimited && input->high >= unlimited) return;
    printf("; %g", input->low);
    print_unit(input->unit);
    printf(" to %g", input->high);
    print_unit(input->unit);
    if (input->limit && input->limit[0]) printf(" (%s)", input->limit);
}

// "one of auto, on, off", or "in N; -2.7 N to 2.7 N (max_force)"
static void print_values(const ib_InputDef *input)
{
    if (!input->words) {
        bool pure = strcmp(input->unit, "1") == 0;
        printf("%s%s", pure ? "a number" : "in ", pure ? "" : input->unit);
        print_range(input);
    }
    for (int i = 0; input->words && input->words[i]; i++)
        printf("%s%s", i ? ", " : "one of ", input->words[i]);
    if (input->held && !input->words) printf("; holds its value between knots");
}

// True if there is another way to drive, so that this one may be left out.
static bool has_other_set(const ib_RobotPorts *ports, int set)
{
    for (int i = 0; set && i < ports->input_count; i++)
        if (ports->inputs[i].set && ports->inputs[i].set != set) return true;
    return false;
}

// The name of the neutral value, or the value.
static void print_neutral(const ib_InputDef *input)
{
    int last = 0, neutral = (int)input->neutral;
    while (input->words && input->words[last]) last++;
    if (neutral >= 0 && neutral < last)
        printf("; default %s", input->words[neutral]);
    else
        printf("; default %g", input->neutral);
    if (!input->words) print_unit(input->unit);
    printf("\n");
}

static void list_inputs(const ib_RobotPorts *ports, ib_InputRole role)
{
    for (int i = 0; i < ports->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[i];
        if (input->role != role) continue;
        printf("  %-24s %s\n", input->name, input->sentence);
        if (role == IB_INPUT_GAIN) continue;
        printf("  %-24s   ", "");
        print_values(input);
        if (input->required)
            printf("; must be given, unless control: drives%s\n",
                   has_other_set(ports, input->set) ? " or other inputs do" : "");
        else
            print_neutral(input);
    }
}

static void print_ports(const ib_RobotPorts *ports)
{
    printf("\ninputs (under inputs:), with the default parameters\n");
    list_inputs(ports, IB_INPUT_COMMAND);
    bool scaled = false;
    for (int i = 0; i < ports->input_count; i++) scaled |= ports->inputs[i].role == IB_INPUT_GAIN;
    if (scaled) {
        printf("\nwhat a fault can scale (disturbances: [{signal: NAME, scale: 0.8}])\n");
        list_inputs(ports, IB_INPUT_GAIN);
    }
    printf("\nsignals (a scenario adds those of sensors, disturbances and paths: list signals "
           "FILE)\n");
    for (int i = 0; i < ports->signal_count; i++)
        printf("  %-24s %-8s %s\n", ports->signals[i].name, ports->signals[i].unit,
               ports->signals[i].sentence);
}

// The solver of a run that names none, where the robot has a wish.
static void print_solver(const ib_RobotKind *kind, const void *config)
{
    ib_SolverConfig solver = ib_solver_default();
    ib_robot_ask_solver(kind, config, &solver);
    if (solver.kind != IB_RK4)
        printf("\nsolver, with the default parameters and where run: names none: %s\n",
               ib_solver_names[solver.kind]);
}

// Inputs and signals may depend on the parameters: those of a robot made with the defaults.
static int list_ports(const ib_RobotKind *kind)
{
    ib_Arena arena = {0};
    ib_Error error = {0};
    ib_Robot robot;
    void *config = ib_arena_alloc(&arena, kind->config_size);
    ib_Status status = config ? ib_read_defaults(&kind->params, config, &error)
                              : ib_error_set(&error, IB_FAILED, "out of memory");
    if (status == IB_OK) status = ib_read_defaults(&kind->start, config, &error);
    if (status == IB_OK) status = ib_robot_init(kind, config, &arena, &robot, &error);
    if (status == IB_OK) {
        print_solver(kind, config);
        print_ports(&robot.ports);
    } else {
        ib_tell(stderr, "ironbird list: %s: %s\n", kind->name, error.text);
    }
    ib_arena_reset(&arena);
    return status == IB_OK ? EXIT_DONE : EXIT_FAILED;
}

static int list_robot(const Options *options, const char *name)
{
    const ib_RobotKind *kind = ib_robot_kind_find(name);
    if (!kind) return bad_usage(options, "there is no robot kind '%s'", name);
    printf("%s: %s. Derivation: %s\n\nparameters (under robot:)\n", kind->name, kind->sentence,
           kind->docs);
    list_schema(&kind->params);
    printf("\nstart (under start:)\n");
    list_schema(&kind->start);
    return list_ports(kind);
}

static int list_plant(const Options *options, const char *name)
{
    const ib_MechanismKind *kind = ib_equipment_kind_find(name);
    if (!kind) return bad_usage(options, "there is no kind of plant '%s': see list plants", name);
    ib_Schema desk = ib_mechanism_desk_schema(kind), robot = kind->params;
    printf("%s: %s. ", kind->name, kind->sentence);
    if (kind->build) {
        printf(
            "Derivation: docs/robot/cylinder_rig.md\n\nparameters (under mechanisms: {NAME: {kind: "
            "%s, …}})\n",
            kind->name);
    } else {
        printf("Derivation: docs/design/mechanism.md\n\nparameters (under plant:)\n");
        list_schema(&desk);
        robot.params += desk.count;
        robot.count -= desk.count;
        if (kind->start.count > 0)
            printf("\nthe same on a robot (under mechanisms: {NAME: {kind: %s, …}}), and also\n",
                   kind->name);
    }
    if (kind->start.count > 0) {
        list_schema(&robot);
        printf("\nstart on a robot (under start: {NAME: {…}})\n");
        list_schema(&kind->start);
    }
    return kind->build ? 0 : list_plant_ports(kind);
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
    } parts[] = {
        {"run", &ib_run_schema},
        {"record", &ib_record_schema},
        {"field", &ib_field_schema},
        {"field.walls, a rectangle", &ib_wall_schema},
        {"field.elements.NAME, beside its shape and track", &ib_element_schema},
        {"field.zones.NAME", &ib_zone_schema},
        {"field.starts.NAME", &ib_start_schema},
        {"inputs", &ib_inputs_schema},
        {"inputs.NAME, a timeline or a part of it that repeats, beside timeline",
         &ib_repeat_schema},
        {"inputs.NAME, a wave (beside mean and amplitude)", &ib_wave_schema},
        {"carried, beside by and until, of a robot that another carries", &ib_carried_schema},
        {"control, a path", &ib_control_schema},
        {"disturbances[]", &ib_disturbance_schema},
        {"robot.sensors.NAME", &ib_sensor_schema}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        printf("%s%s:\n", i ? "\n" : "", parts[i].key);
        list_schema(parts[i].schema);
    }
    printf("\nrobot.sensors.NAME, kinds (list sensor KIND has their keys):\n");
    list_sensors();
    printf("\ncontrol, kinds (list controller KIND has their keys):\n");
    list_controllers();
    printf("\ncontrol, a routine: 'ironbird list routine' has its steps.\n");
    printf("\nThe rest (robot, start, timelines, paths, expectations) is in "
           "docs/scenario/scenario.md.\n");
    return EXIT_DONE;
}

static int list_signals(const char *file, const ib_ScenarioOptions *how)
{
    ib_Scenario *scenario = load_scenario(file, how);
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

// The bodies of each robot that MuJoCo moves, as a file that it reads again.
static int list_mjcf(const char *file, const ib_ScenarioOptions *how)
{
    ib_Scenario *scenario = load_scenario(file, how);
    if (!scenario) return EXIT_BAD_INPUT;
    ib_Arena arena = {0};
    int count = 0, code = EXIT_DONE;
    const ib_Model *model = scenario->model;
    for (int i = 0; i < model->robot_count && code == EXIT_DONE; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (!robot->kind->mjcf || robot->member > 0) continue; // which the first one's has
        const char *text = ib_model_mjcf(model, i, &arena);
        if (robot->name[0] && robot->member < 0) printf("<!-- %s -->\n", robot->name);
        if (text) printf("%s", text);
        if (!text) code = EXIT_FAILED;
        count++;
    }
    if (code != EXIT_DONE) ib_tell(stderr, "ironbird list: out of memory\n");
    if (count == 0) {
        ib_tell(stderr,
                "ironbird list: MuJoCo moves no robot of %s: expected one of kind mjcf or "
                "quadruped\n",
                file);
        code = EXIT_BAD_INPUT;
    }
    ib_arena_reset(&arena);
    ib_scenario_destroy(scenario);
    return code;
}

// The listing with this kind, "robot" for a robot's; NULL: no kind.
static const char *kind_listing(const char *word)
{
    return ib_robot_kind_find(word)        ? "robot"
           : ib_equipment_kind_find(word)  ? "plant"
           : ib_controller_kind_find(word) ? "controller"
           : ib_sensor_kind_find(word)     ? "sensor"
                                           : NULL;
}

// Refuses a word that is no listing, with the most likely meaning.
static int refuse_word(const Options *options, const char *word)
{
    static const char *const own[] = {"robots",     "robot",   "plants", "plant",   "controllers",
                                      "controller", "sensors", "sensor", "routine", "scenario",
                                      "units",      "signals", "mjcf"};
    enum { OWN = sizeof own / sizeof own[0] };
    const char *words[DATA_NAMES + OWN + 1];
    int count = 0;
    data_names(words);
    while (words[count]) count++;
    for (int i = 0; i < OWN; i++) words[count++] = own[i];
    words[count] = NULL;
    const char *kind = kind_listing(word);
    if (kind)
        return bad_usage(options, "'%s' is a kind of %s: expected 'list %s %s'", word, kind, kind,
                         word);
    const char *near = ib_nearest_word(word, words);
    return bad_usage(
        options,
        "expected robots, robot KIND, plants, plant KIND, controllers, controller KIND, sensors, "
        "sensor KIND, routine, scenario, units, signals SCENARIO, mjcf SCENARIO or a data file "
        "such as "
        "motors, got "
        "'%s'%s%s%s",
        word, near ? "; did you mean '" : "", near ? near : "", near ? "'" : "");
}

int cmd_list(int argc, char **argv)
{
    CommonOptions common = {0};
    Options options = {
        .command = "list",
        .usage = "robots | robot KIND | plants | plant KIND | controllers | controller KIND | "
                 "sensors | sensor KIND | routine | scenario | units | signals SCENARIO | mjcf "
                 "SCENARIO | "
                 "motors | …",
        .about =
            "Shows what can be written in a scenario or a design: robot kinds, the parameters of\n"
            "one with unit, default, range and meaning, its inputs and signals; the plants of\n"
            "design files, controllers and sensors in the same way; the steps of routines; units,\n"
            "the signals of a scenario, and the data files (motors, batteries, breakers …) with "
            "their sources.",
        .example = "ironbird list robot roomba",
        .options = options_table,
        .common = &common,
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
    if (count == 1 && !strcmp(words[0], "plants")) return list_plants();
    if (count == 2 && !strcmp(words[0], "plant")) return list_plant(&options, words[1]);
    if (count == 1 && !strcmp(words[0], "controllers")) return list_controllers();
    if (count == 2 && !strcmp(words[0], "controller")) return list_controller(&options, words[1]);
    if (count == 1 && !strcmp(words[0], "sensors")) return list_sensors();
    if (count == 2 && !strcmp(words[0], "sensor")) return list_sensor(&options, words[1]);
    if (count == 1 && !strcmp(words[0], "routine")) return list_routine();
    if (count == 2 && !strcmp(words[0], "signals")) return list_signals(words[1], &common.scenario);
    if (count == 2 && !strcmp(words[0], "mjcf")) return list_mjcf(words[1], &common.scenario);
    if (count == 1 && list_data(words[0])) return EXIT_DONE;
    return refuse_word(&options, words[0]);
}
