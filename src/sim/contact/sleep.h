// sim/contact/sleep.h: bodies asleep, which contacts hold where they are. Internal to sim/.
// docs/world/world.md, "Standing" An island of bodies that stand may sleep: its forces need not be
// found, and its rates are 0, as long as its contacts can hold the loads on it.
#ifndef IB_SIM_CONTACT_SLEEP_H
#define IB_SIM_CONTACT_SLEEP_H

#include "sim/contact/contact.h"

// Puts each island to sleep that stands and can be held; before a piece. True if the system
// (ib__sim_system) is another now, as it may be behind each of the functions that wake.
bool ib__sleep_begin(ib_Sim *sim);

// Sets the rates of sleeping bodies to 0; sets contacts->loose where one would not be held.
void ib__sleep_hold(const ib_Sim *sim, double *rate);

// Wakes all. After `loose`, islands of several bodies stay awake for a while.
void ib__sleep_wake_all(ib_Sim *sim);
void ib__sleep_wake_loose(ib_Sim *sim);

// Wakes all if the islands are no longer those that fell asleep.
void ib__sleep_check(ib_Sim *sim);

#endif
