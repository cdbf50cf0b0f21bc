// robot/errata.h: mistakes of the source documents about robots, each told once: the report of a
// robot and `ironbird verify NAME --errata` print these tables.
#ifndef IB_ROBOT_ERRATA_H
#define IB_ROBOT_ERRATA_H

#include <stddef.h>

typedef struct ib_Erratum {
    const char *where;     ///< its section, equation or listing; NULL: the end of a table
    const char *published; ///< as printed
    const char *corrected; ///< as Ironbird has it
    const char *evidence;  ///< why it is wrong, or what it costs
    const char *see;       ///< a command that shows it; NULL: none
} ib_Erratum;

// In the order of the document.
extern const ib_Erratum ib_roomba_errata[], ib_tank_errata[], ib_motor_bench_errata[],
    ib_holonomic_errata[], ib_cylinder_rig_errata[], ib_quadruped_errata[];

#endif
