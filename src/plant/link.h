// plant/link.h: mass, centre and inertia of a link, made of parts that are joined rigidly.
// The derivation is in docs/plant/link.md.
//
//   m = sum m_i,   c = sum m_i c_i/m
//   I = sum (R_i I_i R_i^T + m_i (|d|^2 E - d d^T)),   d = c_i - c          [Steiner]
//
// An inertia is six numbers of a symmetric matrix, xx yy zz xy xz yz, about the centre of mass; its
// products are those of the matrix, xy = -sum m x y.
//
//   Symbols: m mass [kg], c centre of mass [m], I inertia [kg m^2], R turn of a part, r radius, h
//            length of a capsule between the centres of its caps, or of a cylinder
#ifndef IB_PLANT_LINK_H
#define IB_PLANT_LINK_H

#include "base/status.h"

typedef enum ib_LinkForm {
    IB_LINK_CAPSULE,       ///< along its z axis: a cylinder of length h with two half balls
    IB_LINK_SRLIB_CAPSULE, ///< the same with the inertia that SrLib computes for it, which is wrong
    IB_LINK_SPHERE,
    IB_LINK_BOX,
    IB_LINK_CYLINDER, ///< along its z axis
    IB_LINK_EXPLICIT, ///< by its mass and its six numbers
    IB_LINK_FORMS,
} ib_LinkForm;
extern const char *const ib_link_forms[]; ///< their words in a file

// The centre of mass of a part is the origin of its own axes.
typedef struct ib_LinkPart {
    int form;           ///< ib_LinkForm
    double radius;      ///< r [m], > 0
    double length;      ///< h [m]; of a capsule >= 0, of a cylinder > 0
    double size[3];     ///< edges of a box [m], > 0
    double mass;        ///< [kg], > 0; 0: by its density
    double density;     ///< [kg/m^3], > 0; used where mass is 0
    double inertia[6];  ///< of an explicit one, along its own axes [kg m^2]
    double place[3];    ///< of its centre of mass in the link's frame [m]
    double attitude[3]; ///< of its axes there: yaw, pitch, roll [rad]; R = Rz Ry Rx
} ib_LinkPart;

typedef struct ib_Link {
    double mass;       ///< [kg]
    double centre[3];  ///< of mass, in the link's frame [m]
    double inertia[6]; ///< about it, along the frame's axes [kg m^2]
} ib_Link;

// Names what is wrong with a part: mass, density, radius, length, size or inertia; of more than one
// "parts.1.radius". What was composed of parts without a mistake has none.
ib_Status ib_link_check(const ib_LinkPart *parts, int count, ib_Error *error);

// One or more parts as one body.
void ib_link_init(const ib_LinkPart *parts, int count, ib_Link *link);

// Of a body that somebody else has made: mass above 0; principal moments above 0, none more than
// the other two together, which no mass could have.
ib_Status ib_link_check_body(const ib_Link *link, ib_Error *error);

double ib_link_volume(const ib_LinkPart *part); ///< [m^3]; of an explicit one 0

// About another point of the frame, along the same axes [kg m^2].
void ib_link_about(const ib_Link *link, const double point[3], double inertia[6]);

// About an axis through a point; `axis` is of length 1 [kg m^2].
double ib_link_about_axis(const ib_Link *link, const double point[3], const double axis[3]);

// Principal moments [kg m^2], the greatest first, and the turn of their axes in the link's frame as
// a quaternion w x y z, w >= 0.
void ib_link_principal(const ib_Link *link, double moments[3], double quaternion[4]);

#endif
