// ironbird/plant.h: everything public of src/plant.
#ifndef IRONBIRD_PLANT_H
#define IRONBIRD_PLANT_H

#include "plant/environment.h"

#endif
