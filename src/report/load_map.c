#include "report/load_map.h"

#include "report/plot/plot.h"

#define DEGREE (3.14159265358979323846 / 180)

// Distances of poses [rad]: of rows, and of the picture's cells.
static const double row_pitch = 5 * DEGREE, cell_pitch = 2 * DEGREE;

// ------------------------------------------------------------------------------------------ making

// The multiples of the pitch within a range.
static double *multiples(const double range[2], double pitch, ib_Arena *arena, int *count)
{
    double first = ceil(range[0] / pitch - 1e-9), last = floor(range[1] / pitch + 1e-9);
    *count = (int)ib_max(last - first + 1, 0);
    double *values = ib_arena_array(arena, (size_t)*count + 1, sizeof *values);
    for (int i = 0; values && i < *count; i++) values[i] = (first + i) * pitch;
    return values;
}

ib_Status ib_load_map_make(const ib_ControlLegs *legs, double pitch, ib_Arena *arena,
                           ib_LoadMap *map, ib_Error *error)
{
    double angles[IB_LEGS_JOINTS] = {0};
    const double(*range)[2] = legs->leg_model.range;
    *map = (ib_LoadMap){.legs = legs, .crawl = ib_crawl_default()};
    for (int i = 0; i < IB_LEG_JOINTS * legs->count; i++) angles[i] = legs->joints[i].start;
    ib_Status status = ib_crawl_load(legs, &map->crawl, angles, &map->start, error);
    if (status != IB_OK) return status;
    map->alpha = ib_min(ib_max(0, range[IB_LEG_ALPHA][0]), range[IB_LEG_ALPHA][1]);
    map->beta = multiples(range[IB_LEG_BETA], pitch, arena, &map->rows);
    map->gamma = multiples(range[IB_LEG_GAMMA], pitch, arena, &map->columns);
    map->cells = ib_arena_array(arena, (size_t)(map->rows * map->columns) + 1, sizeof *map->cells);
    if (!map->beta || !map->gamma || !map->cells)
        return ib_error_set(error, IB_FAILED, "out of memory for a map of loads");
    for (int i = 0; i < map->rows * map->columns && status == IB_OK; i++) {
        double th[IB_LEG_JOINTS] = {map->alpha, map->beta[i / map->columns],
                                    map->gamma[i % map->columns]};
        status = ib_crawl_load_at(legs, &map->crawl, th, &map->cells[i], error);
    }
    return status;
}

bool ib_load_map_stands(const ib_CrawlLoad *load)
{
    return load->height > 0 && load->leg.most > 0 && load->leg.least <= load->leg.most;
}

// -------------------------------------------------------------------------------------------- rows

static const char *joint_name(int joint)
{
    return joint < 0 ? "-" : ib_leg_joints[joint];
}

// A mass, "-" where there is none, with a star where a crawl would leave a joint's range.
static void print_mass(double mass, const char *mark, FILE *file)
{
    if (isnan(mass) || mass < 0)
        fprintf(file, " %8s%s", "-", mark);
    else
        fprintf(file, " %8.2f%s", mass, mark);
}

static void print_row(const double th[IB_LEG_JOINTS], const ib_CrawlLoad *load, const char *mark,
                      FILE *file)
{
    fprintf(file, "%6.4g %6.4g %6.4g %8.3f %8.1f %-5s %8.1f %-5s", th[0] / DEGREE, th[1] / DEGREE,
            th[2] / DEGREE, load->height, load->leg.most, joint_name(load->leg.joint),
            load->least.most, joint_name(load->least.joint));
    print_mass(load->stands.mass, " ", file);
    print_mass(load->crawls.mass, load->reaches ? "" : "*", file);
    fprintf(file, "%s\n", mark);
}

static void print_map(const ib_LoadMap *map, FILE *file)
{
    double th[IB_LEG_JOINTS];
    fprintf(
        file,
        "Loads that the cylinders hold at rest, %.1f kPa against %.1f kPa (docs/control/load.md)."
        "\nforce: of the ground on one foot, straight up, and the joint that bounds it; in a "
        "stance: the least\nof a crawl of %.3g cm a cycle with a shift of %.3g cm. Masses are "
        "those of the body without its legs.\n* a joint would leave its range. Poses in which a "
        "body of %.3g kg does not stand are left out.\n\n"
        "%6s %6s %6s %8s %14s %14s %8s  %8s\n%6s %6s %6s %8s %8s %-5s %8s %-5s %8s  %8s\n",
        1e-3 * map->legs->supply, 1e-3 * map->legs->exhaust, 100 * map->crawl.stride,
        100 * map->crawl.width, map->legs->mass, "alpha", "beta", "gamma", "height",
        "force         ", "in a stance   ", "stands", "crawls", "[deg]", "[deg]", "[deg]", "[m]",
        "[N]", "", "[N]", "", "[kg]", "[kg]");
    for (int j = 0; j < IB_LEG_JOINTS; j++) th[j] = map->legs->joints[j].start;
    print_row(th, &map->start, "  start", file);
    th[IB_LEG_ALPHA] = map->alpha;
    for (int i = 0; i < map->rows * map->columns; i++) {
        th[IB_LEG_BETA] = map->beta[i / map->columns];
        th[IB_LEG_GAMMA] = map->gamma[i % map->columns];
        if (!ib_load_map_stands(&map->cells[i])) continue;
        if (!(map->cells[i].stands.mass < map->legs->mass)) print_row(th, &map->cells[i], "", file);
    }
}

static void pose_json(ib_Json *json, const char *key, const double th[IB_LEG_JOINTS],
                      const ib_CrawlLoad *load)
{
    ib_json_open(json, key, '{');
    for (int j = 0; j < IB_LEG_JOINTS; j++) ib_json_number(json, ib_leg_joints[j], th[j]);
    ib_json_number(json, "height", load->height);
    ib_json_number(json, "force", load->leg.most);
    ib_json_text(json, "joint", joint_name(load->leg.joint));
    ib_json_number(json, "stance_force", load->least.most);
    ib_json_text(json, "stance_joint", joint_name(load->least.joint));
    ib_json_number(json, "stands", load->stands.mass);
    ib_json_number(json, "crawls", load->crawls.mass);
    ib_json_number(json, "friction", load->friction);
    ib_json_flag(json, "reaches", load->reaches);
    ib_json_close(json, '}');
}

static void map_json(const ib_LoadMap *map, ib_Json *json)
{
    double th[IB_LEG_JOINTS];
    ib_json_number(json, "supply", map->legs->supply);
    ib_json_number(json, "exhaust", map->legs->exhaust);
    ib_json_number(json, "stride", map->crawl.stride);
    ib_json_number(json, "width", map->crawl.width);
    for (int j = 0; j < IB_LEG_JOINTS; j++) th[j] = map->legs->joints[j].start;
    pose_json(json, "start", th, &map->start);
    ib_json_open(json, "poses", '[');
    th[IB_LEG_ALPHA] = map->alpha;
    for (int i = 0; i < map->rows * map->columns; i++) {
        th[IB_LEG_BETA] = map->beta[i / map->columns];
        th[IB_LEG_GAMMA] = map->gamma[i % map->columns];
        if (ib_load_map_stands(&map->cells[i])) pose_json(json, NULL, th, &map->cells[i]);
    }
    ib_json_close(json, ']');
}

// ----------------------------------------------------------------------------------------- picture

static double *degrees(const double *angle, int count, ib_Arena *arena)
{
    double *values = ib_arena_array(arena, (size_t)count + 1, sizeof *values);
    for (int i = 0; values && i < count; i++) values[i] = round(1e9 * angle[i] / DEGREE) * 1e-9;
    return values;
}

// Poses that stand; of a crawl hatched where it would leave a joint's range.
static ib_Status draw(const ib_LoadMap *map, bool force, const char *path, ib_Arena *arena,
                      ib_Error *error)
{
    int count = map->rows * map->columns;
    double *values = ib_arena_array(arena, (size_t)count + 1, sizeof *values);
    bool *barred = ib_arena_array(arena, (size_t)count + 1, sizeof *barred);
    ib_PlotHeat heat = {
        .x = {"gamma", "deg", map->columns, degrees(map->gamma, map->columns, arena), NULL},
        .y = {"beta", "deg", map->rows, degrees(map->beta, map->rows, arena), NULL},
        .name = force ? "force of one leg" : "body that crawls",
        .unit = force ? "N" : "kg",
        .values = values,
        .barred = barred,
        .barred_name = "leaves a joint's range",
        .best_column = -1,
        .best_row = -1};
    if (!values || !barred || !heat.x.numbers || !heat.y.numbers)
        return ib_error_set(error, IB_FAILED, "out of memory for a picture");
    double best = 0;
    for (int i = 0; i < count; i++) {
        const ib_CrawlLoad *cell = &map->cells[i];
        double value = force ? cell->leg.most : ib_max(cell->crawls.mass, 0);
        values[i] = ib_load_map_stands(cell) ? value : NAN;
        barred[i] = !force && !cell->reaches;
        if (barred[i] || !(values[i] > best)) continue;
        best = values[i];
        heat.best_column = i % map->columns;
        heat.best_row = i / map->columns;
    }
    ib_Plot plot = ib_plot_default();
    plot.title = ib_arena_format(arena, "%s, %.4g kPa against %.4g kPa",
                                 force ? "Load that one leg holds" : "Body that holds in a crawl",
                                 1e-3 * map->legs->supply, 1e-3 * map->legs->exhaust);
    plot.kind = IB_PLOT_HEAT;
    plot.heat = &heat;
    return plot.title ? ib_plot_write(&plot, path, error)
                      : ib_error_set(error, IB_FAILED, "out of memory for a picture");
}

// -------------------------------------------------------------------------------------------- list

static ib_Status list_robot(const ib_RobotModel *robot, const ib_LoadListing *listing, bool first,
                            ib_Json *json, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_LoadMap map;
    ib_Status status = ib_load_map_make(robot->ports.legs, row_pitch, &arena, &map, error);
    if (status == IB_OK && listing->json) {
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "robot", robot->name);
        map_json(&map, json);
        ib_json_close(json, '}');
    } else if (status == IB_OK) {
        if (robot->name[0]) fprintf(json->file, "%s%s:\n", first ? "" : "\n", robot->name);
        print_map(&map, json->file);
    }
    if (status == IB_OK && listing->plot && first)
        status = ib_load_map_make(robot->ports.legs, cell_pitch, &arena, &map, error);
    if (status == IB_OK && listing->plot && first)
        status = draw(&map, listing->force, listing->plot, &arena, error);
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib_load_map_list(const ib_Scenario *scenario, const ib_LoadListing *listing, FILE *file,
                           ib_Error *error)
{
    const ib_Model *model = scenario->model;
    ib_Json json = {.file = file};
    ib_Status status = IB_OK;
    int count = 0;
    for (int i = 0; i < model->robot_count && status == IB_OK; i++) {
        const ib_ControlLegs *legs = model->robots[i].ports.legs;
        const ib_CrawlConfig crawl = ib_crawl_default();
        ib_CrawlLoad load;
        if (legs) status = ib_crawl_load_at(legs, &crawl, (double[]){0, 0, 0}, &load, error);
        count += legs != NULL;
    }
    if (status != IB_OK) return status;
    if (count == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "no robot of it has legs: expected one such as kind quadruped");
    if (listing->json) ib_json_open(&json, NULL, '[');
    for (int i = 0, first = 1; i < model->robot_count && status == IB_OK; i++) {
        if (!model->robots[i].ports.legs) continue;
        status = list_robot(&model->robots[i], listing, first, &json, error);
        first = 0;
    }
    if (listing->json) ib_json_close(&json, ']');
    if (listing->json) fputc('\n', file);
    return status;
}
