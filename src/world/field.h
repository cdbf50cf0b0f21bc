// world/field.h: the objects on the floor: walls, obstacles, posts, gates and ridges. The page
// is docs/world/world.md.
#ifndef IB_WORLD_FIELD_H
#define IB_WORLD_FIELD_H

#include "base/clock.h"
#include "world/ridge.h"
#include "world/shape.h"

#include <stdbool.h>

enum {
    IB_FIELD_ELEMENTS = 64, ///< walls included
    IB_FIELD_CORNERS = 32,  ///< of the perimeter
    IB_FIELD_NAME = 32,     ///< characters of an element's name
    IB_FIELD_RIDGES = 16,
};

#define IB_WALL_THICKNESS 0.05 ///< outwards [m]
#define IB_WALL_HEIGHT    0.5  ///< unless a field says otherwise [m]

typedef enum ib_ElementForm { IB_ELEMENT_BOX, IB_ELEMENT_DISC, IB_ELEMENT_POLYGON } ib_ElementForm;

// One coordinate of an element over time: straight between the knots, held before and after.
typedef struct ib_FieldTrack {
    int count; ///< 0: it stays
    const ib_Time *times;
    const double *values; ///< offset from the place at rest [m or rad]
} ib_FieldTrack;

enum { IB_TRACK_X, IB_TRACK_Y, IB_TRACK_HEADING, IB_TRACK_COUNT };

typedef struct ib_ElementConfig {
    char name[IB_FIELD_NAME + 1];
    ib_ElementForm form;
    double x, y, heading;               ///< of its origin at rest, field frame [m, m, rad]
    double length, width;               ///< of a box [m], > 0
    double radius;                      ///< of a disc [m], > 0; rounding of the others, >= 0
    int corner_count;                   ///< of a polygon
    double corner_x[IB_SHAPE_CORNERS];  ///< about its origin [m]
    double corner_y[IB_SHAPE_CORNERS];  ///< the same [m]
    double restitution;                 ///< 0 .. 1
    double friction;                    ///< >= 0
    double height;                      ///< for bodies that can be above it [m], > 0
    ib_FieldTrack move[IB_TRACK_COUNT]; ///< all empty: it never moves
} ib_ElementConfig;

typedef struct ib_FieldConfig {
    int corner_count;                  ///< of the perimeter; 0: no walls
    double corner_x[IB_FIELD_CORNERS]; ///< field frame [m], in either sense
    double corner_y[IB_FIELD_CORNERS]; ///< the same [m]
    double restitution;                ///< of the perimeter, 0 .. 1
    double friction;                   ///< of the perimeter, >= 0
    double height;                     ///< of the perimeter, as an element's [m], > 0
    int element_count;                 ///< obstacles
    ib_ElementConfig elements[IB_FIELD_ELEMENTS];
    int zone_count;                    ///< areas without contact
    const struct ib_ZoneConfig *zones; ///< world/zone.h
    int ridge_count;                   ///< of the floor, without contact
    ib_RidgeConfig ridges[IB_FIELD_RIDGES];
} ib_FieldConfig;

// An endless empty floor; walls that may come give back all speed (restitution
// 1) and have friction 0.5.
ib_FieldConfig ib_field_default(void);

// Sets a rectangle as perimeter, with its lower left corner at (x, y).
void ib_field_rectangle(ib_FieldConfig *field, double x, double y, double length, double width);

// An obstacle with the field's restitution and friction, at the origin.
ib_ElementConfig ib_element_default(const ib_FieldConfig *field);

// Checks one element, the perimeter, or all of the field.
ib_Status ib_element_check(const ib_ElementConfig *element, ib_Error *error);
ib_Status ib_perimeter_check(const ib_FieldConfig *field, ib_Error *error);
ib_Status ib_field_check(const ib_FieldConfig *field, ib_Error *error);

// True if any of its tracks has knots.
int ib_element_moves(const ib_ElementConfig *element);

// Its outline about its origin.
ib_Shape ib_element_shape(const ib_ElementConfig *element);

// True if the point is within the perimeter, or there is none.
bool ib_field_within(const ib_FieldConfig *field, double x, double y);

// The wall of the perimeter from corner i to the next, as a bar of IB_WALL_THICKNESS behind that
// edge: its corners, relative to corner i [m].
void ib_field_wall(const ib_FieldConfig *field, int i, double corner_x[4], double corner_y[4]);

#endif
