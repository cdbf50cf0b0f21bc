// test/odd_models.h: robots of MJCF and URDF files that are odd somewhere: a model that has every
// section, with one to three of its values replaced by what does not belong there (nothing, wild
// and negative numbers, other words, too many), elements that are gone or doubled. The same number
// makes the same model on every machine.
#ifndef IB_TEST_ODD_MODELS_H
#define IB_TEST_ODD_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IB_ODD_MOST = 1 << 18,  ///< bytes of a model
    IB_ODD_SAMPLE = 170,    ///< models of a test run, from 0 on
    IB_ODD_ALL = 12000,     ///< of a soak
    IB_ODD_SECONDS = 10,    ///< of processor time that one may take
    IB_ODD_MEGABYTES = 1000 ///< by which the process may grow with one
};

// Writes model `number`, ended by NUL, into `text`, which has room for IB_ODD_MOST.
void ib_odd_model(uint64_t number, char *text);

// Reads it as a robot and moves it for a few steps under inputs at their neutral values and at
// their ends. True: a refusal with its place, or numbers at every step. False: `wrong` says what
// is not. What writes outside of its memory is left to a sanitizer to find.
bool ib_odd_model_try(uint64_t number, char *wrong, size_t size);

#endif
