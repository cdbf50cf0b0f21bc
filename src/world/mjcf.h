// world/mjcf.h: a model from the text of an external file, MJCF or URDF. docs/world/mujoco.md has
// its limits and their reasons.
//
// MuJoCo's reader is not made for hostile files: it follows names of other files, takes any size
// and any number. The text is therefore read by base/xml.h first; anything too large, any number
// that is not plain and any other file is refused at its place, before MuJoCo sees the text. A URDF
// becomes MJCF here (world/urdf.h), since MuJoCo's own conversion loses the root's mass and all
// effort limits.
#ifndef IB_WORLD_MJCF_H
#define IB_WORLD_MJCF_H

#include "base/xml.h"
#include "world/mujoco.h"
#include "world/urdf.h"

enum { IB_MJCF_VELOCITIES = 300 }; ///< of a model, at most: the size of its matrices

// Checks that the tree stays within the limits. The error begins with its place, "12:7: ".
ib_Status ib_mjcf_check(const ib_Xml *root, ib_Error *error);

typedef struct ib_MjcfFile {
    const ib_Mujoco *model;
    const char *mjcf;     ///< as MuJoCo got it
    bool urdf;            ///< it was one
    const char *left_out; ///< parts of a URDF that were left out, a sentence; "": none
    const char *assumed;  ///< a sentence on the assumptions about an MJCF file; "": none
} ib_MjcfFile;

// Reads, checks, converts and compiles. `base` is for URDF alone. Errors begin with their place in
// the text.
ib_Status ib_mjcf_load(const char *text, size_t length, ib_UrdfBase base, ib_Arena *arena,
                       ib_MjcfFile *file, ib_Error *error);

// The text of a model that begins in this state (positions, velocities, activations), as its first
// keyframe; NULL without memory. `controls` may be NULL.
const char *ib_mjcf_from(const char *mjcf, const ib_MujocoSizes *sizes, const double *state,
                         const double *controls, ib_Arena *arena);

#endif
