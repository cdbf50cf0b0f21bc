// report/load_map.h: the loads of a robot's legs over the angles of beta and gamma, as rows, as
// JSON and as a picture. docs/control/load.md
#ifndef IB_REPORT_LOAD_MAP_H
#define IB_REPORT_LOAD_MAP_H

#include "base/json.h"
#include "control/leg/crawl_load.h"
#include "scenario/scenario.h"

typedef struct ib_LoadMap {
    const ib_ControlLegs *legs;
    ib_CrawlConfig crawl;
    double alpha; ///< of all poses but the start's: 0, or the end of its range next to it [rad]
    int rows, columns;
    double *beta, *gamma; ///< of each row and column: multiples of the pitch in their ranges [rad]
    ib_CrawlLoad *cells;  ///< [row * columns + column]
    ib_CrawlLoad start;   ///< in the robot's start
} ib_LoadMap;

// Computes a map with poses every `pitch` [rad], in the arena. IB_BAD_INPUT without cylinders.
ib_Status ib_load_map_make(const ib_ControlLegs *legs, double pitch, ib_Arena *arena,
                           ib_LoadMap *map, ib_Error *error);

// True for a pose that stands: feet below the body's middle, and legs that hold themselves.
bool ib_load_map_stands(const ib_CrawlLoad *load);

typedef struct ib_LoadListing {
    const char *plot; ///< file of the picture; NULL: none
    bool force;       ///< it shows the force of one leg, not the mass that crawls
    bool json;
} ib_LoadListing;

// Lists the loads of each robot on legs of a scenario, and draws those of the first. IB_BAD_INPUT
// if there is none with a cylinder.
ib_Status ib_load_map_list(const ib_Scenario *scenario, const ib_LoadListing *listing, FILE *file,
                           ib_Error *error);

#endif
