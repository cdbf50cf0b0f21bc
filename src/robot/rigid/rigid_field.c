// robot/rigid/rigid_field.c: walls and elements of a field as fixed geoms of a MuJoCo world.
#include "base/extreme.h"
#include "base/maths.h"
#include "robot/rigid/rigid_group_inside.h"

#include <math.h>

bool ib_rigid_group_wants(const ib_FieldConfig *field)
{
    bool stands = field && field->corner_count > 0;
    for (int i = 0; field && i < field->element_count; i++)
        stands |= !ib_element_moves(&field->elements[i]);
    return stands;
}

// Rounded boxes and polygons are the prisms of their outlines.
static bool is_prism(const ib_ElementConfig *e)
{
    bool box = e->form == IB_ELEMENT_BOX && e->radius == 0;
    return !box && e->form != IB_ELEMENT_DISC && !ib_element_moves(e);
}

void ib__rigid_put_meshes(const ib_FieldConfig *field, ib_RigidText *text)
{
    double x[IB_OUTLINE_POINTS], y[IB_OUTLINE_POINTS];
    for (int i = 0; field && i < field->element_count; i++) {
        const ib_ElementConfig *e = &field->elements[i];
        ib_Shape shape = ib_element_shape(e);
        ib_Placed placed;
        if (!is_prism(e)) continue;
        ib_shape_place(&shape, 0, 0, 0, &placed);
        int count = ib_shape_outline(&placed, x, y);
        ib_rigid_put(text, "<mesh name='field.%' vertex='", e->name);
        for (int k = 0; k < 2 * count; k++)
            ib_rigid_put(text, "@3 ",
                         (double[]){x[k % count], y[k % count], k < count ? 0 : e->height});
        ib_rigid_put(text, "'/>\n");
    }
}

// Touches as the robots' own ground does: softer along a pyramid (quadruped_mjcf.c says why).
void ib__rigid_put_surface(const ib_RigidWriter *robot, double friction, ib_RigidTouch touch,
                           ib_RigidText *text)
{
    double own = ib_max(friction, 1e-5), most = ib_max(own, robot->friction);
    double softer = robot->cone ? 1 : ib_max(1, 0.5 * most * most * (1 + most * most));
    double grip = ib_min(1 / (1 + (1 / robot->grip - 1) / softer), 0.9999);
    ib_rigid_put_touch(text, touch);
    ib_rigid_put(text, " friction='@3' solref='@2' solimp='@3' solmix='1' rgba='0.6 0.6 0.6 1'/>\n",
                 (double[]){own, 0.005, 0.0001}, (double[]){robot->time, 1},
                 (double[]){grip, grip, 0.001});
}

static void put_place(double x, double y, double z, double heading, ib_RigidText *text)
{
    double s, c;
    ib_sincos(0.5 * heading, &s, &c);
    ib_rigid_put(text, " pos='@3' quat='@4'", (double[]){x, y, z}, (double[]){c, 0, 0, s});
}

static void put_walls(const ib_FieldConfig *field, const ib_RigidWriter *robot, ib_RigidText *text)
{
    for (int i = 0; i < field->corner_count; i++) {
        double x[4], y[4];
        ib_field_wall(field, i, x, y);
        double along[2] = {x[1] - x[0], y[1] - y[0]}, out[2] = {x[3] - x[0], y[3] - y[0]};
        double half[3] = {0.5 * sqrt(along[0] * along[0] + along[1] * along[1]),
                          0.5 * sqrt(out[0] * out[0] + out[1] * out[1]), 0.5 * field->height};
        ib_rigid_put(text, "<geom name='wall.$' type='box' size='@3'", (double)i, half);
        put_place(field->corner_x[i] + 0.5 * (x[0] + x[2]),
                  field->corner_y[i] + 0.5 * (y[0] + y[2]), half[2], ib_atan2(along[1], along[0]),
                  text);
        ib__rigid_put_surface(robot, field->friction, text->ground, text);
    }
}

void ib__rigid_put_field(const ib_FieldConfig *field, const ib_RigidWriter *robot,
                         ib_RigidText *text)
{
    if (!field) return;
    put_walls(field, robot, text);
    for (int i = 0; i < field->element_count; i++) {
        const ib_ElementConfig *e = &field->elements[i];
        double half = 0.5 * e->height;
        if (ib_element_moves(e)) continue;
        ib_rigid_put(text, "<geom name='field.%'", e->name);
        if (is_prism(e))
            ib_rigid_put(text, " type='mesh' mesh='field.%'", e->name);
        else if (e->form == IB_ELEMENT_DISC)
            ib_rigid_put(text, " type='cylinder' size='@2'", (double[]){e->radius, half});
        else
            ib_rigid_put(text, " type='box' size='@3'",
                         (double[]){0.5 * e->length, 0.5 * e->width, half});
        put_place(e->x, e->y, is_prism(e) ? 0 : half, e->heading, text);
        ib__rigid_put_surface(robot, e->friction, text->ground, text);
    }
}
