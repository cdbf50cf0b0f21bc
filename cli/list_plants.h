// cli/list_plants.h: listing of the mechanisms that a design file can name as its plant.
#ifndef IB_CLI_LIST_PLANTS_H
#define IB_CLI_LIST_PLANTS_H

#include "plant/mechanism/mechanism.h"

// All kinds, each with its sentence; returns an exit code.
int list_plants(void);

// Lists states, inputs and outputs of one, and its derived numbers, with the default parameters;
// returns an exit code.
int list_plant_ports(const ib_MechanismKind *kind);

#endif
