// world/mjcf_inside.h: declarations shared by the checks of an MJCF text. Internal to them.
#ifndef IB_WORLD_MJCF_INSIDE_H
#define IB_WORLD_MJCF_INSIDE_H

#include "base/number.h"
#include "base/xml.h"

#define IB__MJCF_SHORTEST 1e-5 ///< `timestep` [s]
#define IB__MJCF_LONGEST  0.1

// Takes the next word of a list and moves behind it; false at the end of the list. A word longer
// than any number is cut, and is no number either.
bool ib__mjcf_next(const char **at, char word[IB_NUMBER_TEXT]);

// True if the text is one whole number in decimal digits and nothing else. MuJoCo reads the leading
// digits and drops the rest: "60000e-5" would become 60000.
bool ib__mjcf_whole(const char *text, int *value);

// The vertices and faces of an element <mesh>. MuJoCo takes the faces on trust; `seen`: nothing
// touches it, and with faces of its own it may be flat.
ib_Status ib__mjcf_check_mesh(const ib_Xml *mesh, bool seen, ib_Error *error);

#endif
