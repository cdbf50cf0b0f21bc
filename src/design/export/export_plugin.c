// design/export/export_plugin.c: writes <name>_plugin.c: the exported loop as a plug-in of the
// simulation (include/ironbird/plugin.h), with the commands, the state and the arithmetic of
// `control: {design: <name>.json}`: both give the same run.
#include "design/export/export_text.h"

static void write_list(const ib_Export *out, const char *macro, const char *prefix, int count,
                       const char names[][IB_STATE_NAME + 1])
{
    fprintf(out->file, "#ifndef %s_%s\n#define %s_%s", out->upper, macro, out->upper, macro);
    for (int i = 0; i < count; i++)
        fprintf(out->file, "%s \"%s%s\"", i ? "," : "", prefix, names[i]);
    ib__export_text(out, "\n#endif\n");
}

static void write_commands(const ib_Export *out)
{
    const ib_Loop *loop = out->loop;
    ib__export_text(out, "static const ironbird_command commands[] = {\n");
    for (int i = 0; i < loop->states; i++) {
        if (!ib__export_is_goal(loop, i)) continue;
        fprintf(out->file, "    {\"goal.%s\", \"%s\", \"wanted, SI\", ",
                loop->gear[0].plant.state[i], loop->state_unit[i][0] ? loop->state_unit[i] : "1");
        ib__export_double(out, loop->start[i]);
        ib__export_text(out, ", -DBL_MAX, DBL_MAX},\n");
    }
    ib__export_text(out, "};\n\nstatic const int goals[] = {");
    for (int i = 0; i < loop->states; i++)
        if (ib__export_is_goal(loop, i)) fprintf(out->file, "%d, ", i);
    ib__export_text(out, "}; // which states they are\n\n");
}

static const char *const purpose =
    "// $_plugin.c: the controller \"$\" as a plug-in of the simulation, written by Ironbird.\n"
    "//\n"
    "//   cc -std=c99 -O2 -ffp-contract=off -fPIC -shared -I IRONBIRD/include -Isrc src/$.c "
    "extras/$_plugin.c\n//      -o $.so        in the folder above\n"
    "//   control: {plugin: $.so}, or control: {lift: {plugin: $.so}} for a mechanism, and\n"
    "//   ironbird run --allow-plugins\n"
    "//\n"
    "// Sensors and commands of the robot, where they have other names than below:\n"
    "//   -D@_SENSORS='\"sensor.one\", \"sensor.two\"' -D@_COMMANDS='\"motor\"'\n";

static void write_state(const ib_Export *out, const char *way)
{
    const ib_Loop *loop = out->loop;
    bool in = way[0] == 'i';
    static const char *const parts[] = {"x", "z", "w", "u", "carry"};
    const char *sizes[] = {"STATES", "INTEGRALS", "INPUTS", "INPUTS", "INPUTS"};
    for (int i = 0; i < 5; i++) {
        if ((i == 1 && loop->integrals == 0) || (i == 4 && loop->gears == 1)) continue;
        fprintf(out->file, "    for (i = 0; i < %s_%s; i++) ", out->upper, sizes[i]);
        fprintf(out->file,
                in ? "c->%s[i] = (%s_real)*state++;\n" : "*state++ = (double)c->%s[i];\n", parts[i],
                out->name);
    }
    if (loop->gears > 1)
        ib__export_text(out, in ? "    c->gear = (int)*state;\n" : "    *state = c->gear;\n");
}

static void write_functions(const ib_Export *out)
{
    bool shifts = out->loop->gears > 1;
    ib__export_text(out, "static void load($_state *c, const double *state)\n{\n    int i;\n");
    write_state(out, "in");
    ib__export_text(out,
                    "}\n\nstatic void store(const $_state *c, double *state)\n{\n    int i;\n");
    write_state(out, "out");
    ib__export_text(out, "}\n\n"
                         "static int init(double *state)\n{\n"
                         "    $_state c;\n"
                         "    $_init(&c, 0, 0);\n"
                         "    store(&c, state);\n"
                         "    return 0;\n}\n\n"
                         "static int step(double *state, const double *measurement, const double "
                         "*command, double *output)\n{\n"
                         "    $_state c;\n"
                         "    $_real y[@_MEASURED], r[@_STATES] = {0}, u[@_INPUTS];\n"
                         "    int i;\n"
                         "    load(&c, state);\n"
                         "    for (i = 0; i < @_MEASURED; i++) y[i] = ($_real)measurement[i];\n"
                         "    for (i = 0; i < GOALS; i++) r[goals[i]] = ($_real)command[i];\n");
    ib__export_text(out, shifts ? "    $_step(&c, y, r, 0, (int)measurement[@_MEASURED], u);\n"
                                : "    $_step(&c, y, r, 0, 0, u);\n");
    ib__export_text(out, "    for (i = 0; i < @_INPUTS; i++) output[i] = (double)u[i];\n"
                         "    store(&c, state);\n"
                         "    return 0;\n}\n\n");
}

void ib_export_plugin(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file)
{
    ib_Export out = ib__export_start(loop, options, file);
    const ib_StateSpace *plant = &loop->gear[0].plant;
    bool shifts = loop->gears > 1;
    ib__export_text(&out, purpose);
    ib__export_text(&out, "#include \"$.h\"\n\n#include \"ironbird/plugin.h\"\n\n"
                          "#include <float.h>\n\n");
    write_list(&out, "SENSORS", "sensor.", ib_loop_measured(loop),
               loop->observer ? plant->output : plant->state);
    write_list(&out, "COMMANDS", "", loop->inputs, plant->input);
    ib__export_text(&out, "\n");
    write_commands(&out);
    ib__export_text(&out, "enum { GOALS = sizeof goals / sizeof goals[0] };\n\n"
                          "static const char *const measurements[] = {@_SENSORS");
    ib__export_text(&out, shifts ? ", \"gear\"};\n" : "};\n");
    ib__export_text(&out, "static const char *const outputs[] = {@_COMMANDS};\n\n");
    write_functions(&out);
    int count = loop->states + loop->integrals + (shifts ? 3 : 2) * loop->inputs + shifts;
    ib__export_text(&out, "const ironbird_plugin_v1 *ironbird_plugin(void)\n{\n"
                          "    static const ironbird_plugin_v1 plugin = {\n"
                          "        IRONBIRD_PLUGIN_ABI, sizeof plugin, \"$\", ");
    // The period stays double: in float it is not a whole number of nanoseconds.
    ib__export_double(&out, loop->period);
    fprintf(file, ",\n        %d, GOALS, %d, %s_INPUTS, 0,\n", count,
            ib_loop_measured(loop) + shifts, out.upper);
    ib__export_text(&out, "        commands, measurements, outputs, 0, init, step};\n"
                          "    return &plugin;\n}\n");
}
