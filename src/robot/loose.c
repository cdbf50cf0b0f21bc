#include "robot/loose.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/solid.h"

#include <string.h>

// The contacts of a quadruped's feet by default: time constant [s], impedance.
static const double contact_time = 3e-3, contact_grip = 0.99;

// -------------------------------------------------------------------------------------------- body

// Box l x w x h: m (w^2 + h^2)/12 …; upright cylinder: m (3 r^2 + h^2)/12, m r^2/2.
void ib_loose_spread(ib_Loose *loose)
{
    double m = loose->mass, l = loose->size[0], w = loose->size[1], h = loose->size[2];
    double r = 0.5 * l;
    if (loose->form == IB_LOOSE_BOX) {
        loose->inertia[0] = m * (w * w + h * h) / 12;
        loose->inertia[1] = m * (l * l + h * h) / 12;
        loose->inertia[2] = m * (l * l + w * w) / 12;
    } else if (loose->form == IB_LOOSE_PUCK) {
        loose->inertia[0] = loose->inertia[1] = m * (3 * r * r + h * h) / 12;
        loose->inertia[2] = 0.5 * m * r * r;
    }
}

const char *ib_loose_idle(const void *config, const char *key)
{
    (void)config;
    bool planar = strcmp(key, "slip_speed") == 0 || strncmp(key, "bumper", 6) == 0;
    return planar || ib_equipment_feeds(key) ? key : NULL;
}

ib_Status ib_loose_check(const ib_EquipmentConfig *equipment, ib_Error *error)
{
    if (equipment->mechanisms.count == 0) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "mechanisms: a loose body carries none beside robots on legs");
}

// ---------------------------------------------------------------------------------------- its text

static void put_softness(ib_RigidText *out)
{
    ib_rigid_put(out, " solref='@2' solimp='@3'", (double[]){contact_time, 1},
                 (double[]){contact_grip, contact_grip, 0.001});
}

static void put_body(ib_RigidText *out, const ib_Loose *loose)
{
    static const char *const forms[] = {"box", "cylinder", "sphere"};
    const double *size = loose->size;
    double half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]}, s, c;
    // Torques that hold back spin and roll, over the force on the floor [m].
    double r = half[0], grip[3] = {ib_max(loose->mu, 1e-5), 0.005, 0.0001};
    if (loose->form == IB_LOOSE_PUCK) half[1] = half[2];
    if (loose->form == IB_LOOSE_BALL) {
        grip[1] = ib_max(loose->spinning * r, 1e-5);
        grip[2] = ib_max(loose->rolling * r, 1e-5);
    }
    ib_sincos(0.5 * loose->start.heading, &s, &c);
    ib_rigid_put(out, "<body name='&body' pos='@3' quat='@4'",
                 (double[]){loose->start.x, loose->start.y, 0.5 * size[2]}, (double[]){c, 0, 0, s});
    if (out->prefix[0]) ib_rigid_put(out, " childclass='&'");
    ib_rigid_put(out,
                 "><freejoint name='&body'/>\n"
                 "<inertial pos='0 0 0' mass='$' diaginertia='@3'/>\n"
                 "<geom name='&body' type='%' friction='@3' rgba='0.77 0.6 0.38 1'",
                 loose->mass, loose->inertia, forms[loose->form], grip);
    if (loose->form == IB_LOOSE_BOX) ib_rigid_put(out, " size='@3'", half);
    if (loose->form == IB_LOOSE_PUCK) ib_rigid_put(out, " size='@2'", half);
    if (loose->form == IB_LOOSE_BALL) ib_rigid_put(out, " size='$' condim='6'", r);
    ib_rigid_put(out, "/>\n</body>\n");
}

// The plane has next to no friction, so that the body's own counts.
static void write_section(const void *config, int section, ib_RigidText *out)
{
    if (section == IB_RIGID_DEFAULTS) {
        ib_rigid_put(out, "<geom solmix='0'");
        put_softness(out);
        ib_rigid_put_touch(out, out->own);
        ib_rigid_put(out, "/>\n");
    } else if (section == IB_RIGID_FLOOR) {
        ib_rigid_put(out, "<geom name='&ground'~ type='plane' size='0 0 1'");
        ib_rigid_put(out, " friction='@3' solmix='1' rgba='0.7 0.7 0.7 1'",
                     (double[]){1e-5, 1e-5, 1e-5});
        ib_rigid_put_touch(out, out->floor);
        ib_rigid_put(out, "/>\n");
    } else if (section == IB_RIGID_BODIES) {
        put_body(out, config);
    }
}

static void put_all(const void *config, ib_RigidText *out)
{
    ib_rigid_put(out, "<mujoco model='loose'>\n<compiler angle='radian' autolimits='true'/>\n"
                      "<option timestep='0.001' integrator='Euler' cone='elliptic'/>\n"
                      "<size njmax='100' nconmax='24' nstack='40000'/>\n<default>\n");
    write_section(config, IB_RIGID_DEFAULTS, out);
    ib_rigid_put(out, "</default>\n<worldbody>\n");
    write_section(config, IB_RIGID_FLOOR, out);
    write_section(config, IB_RIGID_BODIES, out);
    ib_rigid_put(out, "</worldbody>\n</mujoco>\n");
}

// ------------------------------------------------------------------------------------------- build

static void find_gravity(const void *own, const double *input, double gravity[3])
{
    (void)own;
    gravity[0] = input[IB_SLOPE_X];
    gravity[1] = input[IB_SLOPE_Y];
    gravity[2] = -input[IB_GRAVITY];
}

// Positions and velocities at the start; MuJoCo has the turn of a free body in its own axes.
static void set_start(const ib_Loose *loose, ib_Rigid *b)
{
    double *v = b->start + b->sizes.positions, s, c, r = 0.5 * loose->size[0];
    const ib_PlanarConfig *start = &loose->start;
    double rate[2] = {0, 0};
    if (loose->rolls) rate[0] = -start->velocity_y / r, rate[1] = start->velocity_x / r;
    ib_sincos(start->heading, &s, &c);
    ib_mujoco_start(b->world, b->start);
    b->start[b->heading] = start->heading;
    v[0] = start->velocity_x;
    v[1] = start->velocity_y;
    v[3] = c * rate[0] + s * rate[1];
    v[4] = c * rate[1] - s * rate[0];
    v[5] = start->velocity_heading;
}

static ib_Status compile(const ib_Loose *loose, ib_Arena *arena, ib_Rigid *b, ib_Error *error)
{
    ib_RigidText text = {0};
    ib_rigid_text_alone(&text, false);
    const char *mjcf = ib_rigid_compose(put_all, loose, &text, arena);
    const ib_Mujoco *world;
    if (!mjcf) return ib_error_set(error, IB_FAILED, "out of memory for a loose body");
    ib_Status status =
        ib_mujoco_compile("a loose body's MJCF", mjcf, strlen(mjcf), arena, &world, error);
    if (status != IB_OK) return status;
    if (!ib_rigid_init(world, mjcf, ib_mujoco_find(world, IB_MUJOCO_BODY, "body"), arena, b))
        return ib_error_set(error, IB_FAILED, "out of memory for a loose body");
    set_start(loose, b);
    return IB_OK;
}

// The look stands on the floor, and the body's place is its middle.
static ib_Status look(const ib_Loose *loose, const ib_SolidDef *solids, int count, ib_Build *build,
                      ib_Error *error)
{
    static const ib_FrameDef frame = {.name = "body",
                                      .move = {"pose.x", "pose.y", "pose.z"},
                                      .turn = {"pose.heading", "pose.pitch", "pose.roll"},
                                      .body = true};
    ib_SolidDef lowered[IB_LOOSE_SOLIDS];
    IB_ASSERT(count <= IB_LOOSE_SOLIDS);
    for (int i = 0; i < count; i++) {
        lowered[i] = solids[i];
        lowered[i].place[2] -= 0.5 * loose->size[2];
    }
    ib_Geometry whole = {
        .frames = &frame, .frame_count = 1, .solids = lowered, .solid_count = count};
    build->ports->geometry = ib_geometry_keep(&whole, build->arena);
    if (build->ports->geometry) return IB_OK;
    return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
}

ib_Status ib_loose_build(const ib_Loose *loose, const ib_SolidDef *solids, int count,
                         ib_Build *build, ib_LooseModel *model, ib_Error *error)
{
    static const int of_pose[] = {1, 1, 0, 1, 0, 0};
    *model = (ib_LooseModel){.is = *loose};
    ib_Rigid *b = &model->rigid;
    ib_Status status = compile(&model->is, build->arena, b, error);
    if (status != IB_OK) return status;
    b->gravity = find_gravity;
    b->writer = (ib_RigidWriter){.write = write_section,
                                 .config = &model->is,
                                 .loose = true,
                                 .cone = true,
                                 .hold = 1,
                                 .friction = loose->mu,
                                 .time = contact_time,
                                 .grip = contact_grip};
    ib_rigid_build(b, 0.5 * contact_time, build);
    for (int group = 0; group < IB_RIGID_GROUPS; group++)
        ib_rigid_declare(b, group, group == IB_RIGID_POSE ? of_pose : NULL, build->d);
    build->ports->pushed = true;
    return look(loose, solids, count, build, error);
}
