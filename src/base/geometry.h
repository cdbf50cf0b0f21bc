// base/geometry.h: the look of a robot or field: solids with colours, on frames that signals move.
// Its page is docs/robot/geometry.md.
//
// A robot or a field declares its look in the same way as its signals: in tables, next to its
// physics. The viewer and the pictures of the report draw these tables; neither knows a robot.
//
// A frame stands at a fixed place in its parent; signals then move and turn it from there, so that
// a pose, a joint of an arm and the knee of a leg are declared alike:
//   parent <- translate(place) <- turn(attitude) <- translate(move) <- turn(turn) <- this frame
// An attitude is yaw about z, then pitch about the new y, then roll about the new x, each by the
// right hand: a positive yaw turns left, a positive pitch dips the front.
// Axes: x forward, y left, z up; [m], [rad].
#ifndef IB_BASE_GEOMETRY_H
#define IB_BASE_GEOMETRY_H

#include "base/arena.h"
#include "base/json.h"

#include <stdint.h>

// Colours are 0xRRGGBB. These are neither white nor black, so that they stand out from a light and
// from a dark floor.
enum {
    IB_COLOUR_METAL = 0x9aa7b4,
    IB_COLOUR_DARK = 0x46505b,
    IB_COLOUR_TYRE = 0x555b63,
    IB_COLOUR_BUMPER = 0x1f8a9e,
    IB_COLOUR_FRONT = 0xffc531,
    IB_COLOUR_WARNING = 0xff4d1f, ///< a wheel that slips
    IB_COLOUR_LOAD = 0xe08a2c,
    IB_COLOUR_WOOD = 0xc49a62,
    IB_COLOUR_BATTEN = 0x8f6a3a,
};

// The colour of one of ten words or of a near synonym; false: `word` is none. The page gives the
// same colour to lines and trails of a robot of that name (web/src/colours.ts).
bool ib_colour_named(const char *word, uint32_t *colour);

#define IB_SOLID_LYING 1.5707963267948966 ///< a quarter turn, lays a cylinder down [rad]

typedef struct ib_FrameDef {
    const char *name;    ///< "body", "arm.upper"; unique
    const char *parent;  ///< a frame declared before this one; NULL: the field
    double place[3];     ///< of its origin in the parent [m]
    double attitude[3];  ///< yaw, pitch, roll there [rad]
    const char *move[3]; ///< signals [m] along its own x, y, z; NULL: none
    const char *turn[3]; ///< signals [rad] of yaw, pitch, roll; NULL: none
    bool body;           ///< a camera follows it and it leaves a trail: one for each moving thing
} ib_FrameDef;

typedef enum ib_SolidForm {
    IB_SOLID_BOX,      ///< size: length along x, width along y, height along z; around its centre
    IB_SOLID_CYLINDER, ///< size: radius, length along its z; around its centre
    IB_SOLID_CAPSULE,  ///< size: radius, distance of the two centres along its z; around its middle
    IB_SOLID_POLYGON,  ///< size: height; its corners in the plane z = 0, raised along z
} ib_SolidForm;

typedef struct ib_SolidDef {
    const char *name;  ///< for a person who points at it: "left wheels"
    const char *frame; ///< NULL: the field
    ib_SolidForm form;
    double place[3];    ///< in the frame [m]
    double attitude[3]; ///< yaw, pitch, roll there [rad]
    double size[3];     ///< [m], > 0; see the form
    int corner_count;   ///< of a polygon, >= 3; it may be concave, but does not cross itself
    const double *corner_x, *corner_y; ///< [m]
    uint32_t colour;                   ///< 0xRRGGBB
    bool livery;    ///< a robot named after a colour has that colour here instead
    double opacity; ///< 0 < opacity <= 1; 0 counts as 1
    // A signal that shows as colour: 0 is `colour`, a size of `tint_full` and more is
    // `tint_colour`, between them it is mixed.
    const char *tint;       ///< NULL: none
    const char *tint_label; ///< its quantity in a legend: "wheel slip"; NULL: as its signal
    double tint_full;       ///< in the signal's unit, > 0
    uint32_t tint_colour;   ///< 0xRRGGBB
} ib_SolidDef;

// Each kind has a scale of its own.
typedef enum ib_ArrowKind {
    IB_ARROW_VELOCITY, ///< [m/s]
    IB_ARROW_FORCE,    ///< [N]
    IB_ARROW_IMPULSE,  ///< [N s]
} ib_ArrowKind;

// The sum of up to three signals, each along a direction of the frame.
typedef struct ib_ArrowDef {
    const char *name;  ///< "velocity", "F_drag,l"
    const char *frame; ///< NULL: the field
    ib_ArrowKind kind;
    double place[3];       ///< its start, in the frame [m]
    const char *move[3];   ///< signals [m] added to it; NULL: none
    const char *since;     ///< signal: its time of arrival [s], after which it soon fades;
                           ///< NULL: permanent
    const char *signal[3]; ///< NULL: none
    double along[3][3];    ///< unit vector of each, in the frame
} ib_ArrowDef;

// A foot that may carry: a ball of this radius [m], its centre at these signals [m, field frame]
// and the ground's push up on it a signal [N].
typedef struct ib_SoleDef {
    const char *move[3];
    double radius;
    const char *load;
} ib_SoleDef;

// A point of the frame that is marked, with its shadow on the floor: a centre of mass. Of one that
// stands on feet the support polygon is drawn, the convex hull of those that carry, and the margin:
// how far the shadow is inside of it.
typedef struct ib_MarkDef {
    const char *name;       ///< "centre of mass"
    const char *frame;      ///< NULL: the field
    double place[3];        ///< in the frame [m]
    const char *move[3];    ///< signals [m] added to it; NULL: none
    const ib_SoleDef *feet; ///< NULL: none
    int foot_count;
    double margin; ///< wanted; less is shown as a warning [m]
} ib_MarkDef;

// An area of the floor, painted on it: a zone of the field.
typedef struct ib_AreaDef {
    const char *name;                  ///< shown with it
    int corner_count;                  ///< >= 3
    const double *corner_x, *corner_y; ///< field frame [m]
    uint32_t colour;                   ///< 0xRRGGBB; drawn as a tint of the floor
} ib_AreaDef;

// A planned way on the floor of the field: straight lines from point to point.
typedef struct ib_WayDef {
    const char *name; ///< "planned way"
    const char *body; ///< the frame that is to follow it; NULL: none
    int count;        ///< of points, >= 2
    const double *x, *y;
    const char *now[2]; ///< signals [m]: the planned position now; NULL: not known
} ib_WayDef;

// A point that leaves a line in the air along its way: the hand of an arm.
typedef struct ib_TraceDef {
    const char *name;    ///< in a legend: "way of the hand"
    const char *frame;   ///< NULL: the field
    double place[3];     ///< in the frame [m]
    const char *move[3]; ///< signals [m] added to it; NULL: none
    double reach;        ///< its largest distance from the frame's origin [m]; 0: not known
    bool wanted;         ///< the planned way: a thin line over the actual one
} ib_TraceDef;

typedef struct ib_Geometry {
    const ib_FrameDef *frames;
    int frame_count;
    const ib_SolidDef *solids;
    int solid_count;
    const ib_ArrowDef *arrows;
    int arrow_count;
    const ib_MarkDef *marks;
    int mark_count;
    const ib_AreaDef *areas;
    int area_count;
    const ib_WayDef *ways;
    int way_count;
    const ib_TraceDef *traces;
    int trace_count;
} ib_Geometry;

// Looks up a signal by the name in the table, in a row or in a recording; NaN: missing.
typedef double (*ib_SignalLookup)(const void *self, const char *name);

// The pose of a frame in the field: its point p is at turn p + place.
typedef struct ib_Pose {
    double turn[9];  ///< rotation, row by row
    double place[3]; ///< [m]
} ib_Pose;

// The pose of the field itself, and of a frame in `parent` at a place with an attitude.
ib_Pose ib_pose_field(void);
ib_Pose ib_pose_in(const ib_Pose *parent, const double place[3], const double attitude[3]);
void ib_pose_point(const ib_Pose *pose, const double own[3], double field[3]);

// Yaw, pitch and roll of a turn: R = Rz Ry Rx.
void ib_pose_attitude(const double turn[9], double attitude[3]);

// The inverse: R = Rz(yaw) Ry(pitch) Rx(roll), row by row.
void ib_attitude_turn(const double attitude[3], double turn[9]);

// The index of the frame with this name; -1: the field, or no such frame.
int ib_geometry_frame(const ib_Geometry *geometry, const char *name);

// The poses of all frames: `poses` has room for frame_count. Signals that are missing or not finite
// count as 0.
void ib_geometry_poses(const ib_Geometry *geometry, ib_SignalLookup lookup, const void *self,
                       ib_Pose *poses);

// Writes the tables as one JSON object under `key`, with the names of the fields above; a frame,
// parent or signal that is NULL is null. docs/robot/geometry.md has an example.
void ib_geometry_write(const ib_Geometry *geometry, const char *key, ib_Json *json);

// The same as a text of its own in `arena`; NULL without memory.
char *ib_geometry_text(const ib_Geometry *geometry, ib_Arena *arena);

#endif
