// robot/books.h: rows of the energy balance of a base with motors on a battery. Each row is a
// signal; a base lists its own.
#ifndef IB_ROBOT_BOOKS_H
#define IB_ROBOT_BOOKS_H

#include "robot/kind.h"

#define IB__BOOK_AS(what, sentence, limit, means, kind)                                            \
    {                                                                                              \
        IB_NAME_ENERGY(what), "J", sentence, limit, IB_MEANS(.role = means, .form = kind)          \
    }
#define IB__BOOK(what, sentence, limit, means) IB__BOOK_AS(what, sentence, limit, means, IB_SUM)

#define IB_BOOK_BATTERY                                                                            \
    IB__BOOK("battery", "energy given by the battery's chemistry so far", 1e15, IB_ROLE_SUPPLIED)
#define IB_BOOK_WHEELS                                                                             \
    IB__BOOK_AS("wheels", "kinetic energy of the spinning wheels", 0, IB_ROLE_STORED, IB_SHOWN)
#define IB_BOOK_ROTORS                                                                             \
    IB__BOOK_AS("rotors", "kinetic energy of the motors' rotors", 0, IB_ROLE_STORED, IB_SHOWN)
#define IB_BOOK_STEERING                                                                           \
    IB__BOOK_AS("steering", "kinetic energy of the modules as they turn, rotors included", 0,      \
                IB_ROLE_STORED, IB_SHOWN)
#define IB_BOOK_BEARINGS                                                                           \
    IB__BOOK("bearings", "energy lost to the friction of the modules' bearings so far", 0,         \
             IB_ROLE_LOST)
#define IB_BOOK_COPPER IB__BOOK("copper", "energy lost in the windings so far", 0, IB_ROLE_LOST)
#define IB_BOOK_CONVERSION                                                                         \
    IB__BOOK("conversion",                                                                         \
             "energy lost between electrical and mechanical power so far: Ke is not Kt", 0,        \
             IB_ROLE_LOST)
#define IB_BOOK_LOSS                                                                               \
    IB__BOOK("loss", "energy lost to the motors' loss torque so far", 0, IB_ROLE_LOST)
#define IB_BOOK_GEAR IB__BOOK("gear", "energy lost in the gears so far", 0, IB_ROLE_LOST)
#define IB_BOOK_TYRE IB__BOOK("tyre", "energy lost between tyres and floor so far", 0, IB_ROLE_LOST)
#define IB_BOOK_COLLISION                                                                          \
    IB__BOOK("collision", "energy lost in contacts so far, or handed to another body", 0,          \
             IB_ROLE_LOST)
#define IB_BOOK_RESISTANCE                                                                         \
    IB__BOOK("resistance", "energy lost in the battery's resistance so far", 0, IB_ROLE_LOST)
#define IB_BOOK_BACKGROUND                                                                         \
    IB__BOOK("background", "energy used by controller, radio and lights so far", 0, IB_ROLE_LOST)
#define IB_BOOK_PUSH                                                                               \
    IB__BOOK("push", "energy given by pushes, slopes and the motion it started with, so far", 0,   \
             IB_ROLE_GIVEN)
#define IB_BOOK_ERROR                                                                              \
    IB__BOOK_AS("error", "error of the energy balance: battery + push - all the others", 0,        \
                IB_ROLE_BALANCE, IB_SHOWN)

#endif
