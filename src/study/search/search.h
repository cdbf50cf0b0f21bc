// study/search/search.h: the least value of a function of a few bounded variables,
// found from values alone.
//
// The caller asks for a batch of points, runs them, in any order and as many at once as it likes,
// and tells their scores; then comes the next batch:
//
//   ib_Search *search = ib_search_create(variables, count, most);
//   for (int batch; (batch = ib_search_ask(search)) > 0;) {
//       ... scores[i] of ib_search_values(search, ib_search_count(search) - batch + i), i < batch
//       ib_search_tell(search, scores);
//   }
//   ... ib_search_best(search), ib_search_end(search)
//
// Only the scores decide what is asked: the same scores, the same points, bit for bit.
#ifndef IB_STUDY_SEARCH_SEARCH_H
#define IB_STUDY_SEARCH_SEARCH_H

#include <stdbool.h>

enum { IB_SEARCH_MOST_VARIABLES = 8 };

// A variable is continuous from `low` to `high`, or one of a list of choices, numbered from 0.
typedef struct ib_SearchVariable {
    double low, high; ///< of a continuous one, low < high; both are among its values
    int choices;      ///< of a list, >= 1; 0: continuous
    bool ordered;     ///< of a list: in the order of size, neighbours are alike; false: words
} ib_SearchVariable;

// The score of a point. Any allowed one is better than any that is not; of allowed ones the smaller
// value, of others the smaller violation is better.
typedef struct ib_SearchScore {
    double violation; ///< 0: allowed; else the distance from being allowed, > 0, INFINITY: unknown
    double value;     ///< smaller is better; NAN: none, the point is not allowed then
} ib_SearchScore;

bool ib_search_better(ib_SearchScore one, ib_SearchScore other);

typedef enum ib_SearchEnd {
    IB_SEARCH_GOES_ON,
    IB_SEARCH_RESOLVED, ///< further points would bring nothing
    IB_SEARCH_BUDGET,   ///< all points that the caller allows have been asked
    IB_SEARCH_ALL,      ///< every combination of the lists has been asked
} ib_SearchEnd;

typedef struct ib_Search ib_Search;

// Number of points that suffices for most functions of such variables.
int ib_search_budget(const ib_SearchVariable *variables, int count);

// At most `most` points will be asked. Of more combinations of words than half of that some are
// left out, evenly. NULL: no memory.
ib_Search *ib_search_create(const ib_SearchVariable *variables, int count, int most);
void ib_search_destroy(ib_Search *search);

// Number of new points, the last ones of all; 0: the search is over. No point is asked twice.
int ib_search_ask(ib_Search *search);
// The scores of the batch, in the order of its points.
void ib_search_tell(ib_Search *search, const ib_SearchScore *scores);

ib_SearchEnd ib_search_end(const ib_Search *search);
int ib_search_count(const ib_Search *search); ///< points asked so far
// The best point that has a score, the first of equals; -1: none yet. It may not be allowed.
int ib_search_best(const ib_Search *search);
ib_SearchScore ib_search_score(const ib_Search *search, int point);
// One value a variable: the index of a choice, or a decimal number with few digits: a multiple of
// the power of ten that is 1e-4 to 1e-5 of the range; `low` and `high` as they are.
const double *ib_search_values(const ib_Search *search, int point);

#endif
