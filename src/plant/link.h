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
    IB_LINK_BOX,
    IB_LINK_CYLINDER, ///< along its z axis
} ib_LinkForm;

// The centre of mass of a part is the origin of its own axes.
typedef struct ib_LinkPart {
    int form;           ///< ib_LinkForm
    double radius;      ///< r [m], > 0
    double length;      ///< h [m]; of a capsule >= 0, of a cylinder > 0
    double size[3];     ///< edges of a box [m], > 0
    double mass;        ///< [kg], > 0; 0: by its density
    double density;     ///< [kg/m^3], > 0; used where mass is 0
    double place[3];    ///< of its centre of mass in the link's frame [m]
    double attitude[3]; ///< of its axes there: yaw, pitch, roll [rad]; R = Rz Ry Rx
} ib_LinkPart;

typedef struct ib_Link {
    double mass;       ///< [kg]
    double centre[3];  ///< of mass, in the link's frame [m]
    double inertia[6]; ///< about it, along the frame's axes [kg m^2]
} ib_Link;

// One or more parts as one body.
void ib_link_init(const ib_LinkPart *parts, int count, ib_Link *link);

// Checks a body from elsewhere: mass above 0; principal moments above 0, none more than the other
// two together, which is impossible.
ib_Status ib_link_check_body(const ib_Link *link, ib_Error *error);

double ib_link_volume(const ib_LinkPart *part); ///< [m^3]

#endif
