// study/search/search_model.h: a quadratic model of values and of violations round a point.
//
//   f(z) = a + b' z + z' C z,   z_i = (x_i - centre_i)/reach_i
// by weighted least squares: near points count most. A violation is known on one side of the border
// only, as it is 0 wherever a point is allowed: there the model may be anything up to 0.
#ifndef IB_STUDY_SEARCH_SEARCH_MODEL_H
#define IB_STUDY_SEARCH_SEARCH_MODEL_H

#include "study/search/search_inside.h"

enum { IB__MODEL_TERMS = (IB_SEARCH_MOST_VARIABLES + 1) * (IB_SEARCH_MOST_VARIABLES + 2) / 2 };

typedef struct ib__SearchModel {
    int n, terms;
    double centre[IB_SEARCH_MOST_VARIABLES];
    double reach[IB_SEARCH_MOST_VARIABLES]; ///< half the sides of the trusted box
    bool barred;                            ///< points near the box are not allowed
    double value[IB__MODEL_TERMS], violation[IB__MODEL_TERMS];
} ib__SearchModel;

// The reach along a list is to the neighbours at least, until the box is a quarter of that.
void ib__search_model_fit(ib__SearchModel *model, const ib_Search *search, int branch,
                          const double *centre, double radius);
// The score that the model expects; where allowed, its violation is below 0.
ib_SearchScore ib__search_model_at(const ib__SearchModel *model, const double *x);
// The slope of the violation at the centre, a reach.
double ib__search_model_slope(const ib__SearchModel *model);

#endif
