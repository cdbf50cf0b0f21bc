#include "study/search/search.h"

#include "base/extreme.h"
#include "base/status.h"
#include "study/search/search_inside.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static bool is_word(const ib_SearchVariable *variable)
{
    return variable->choices > 0 && !variable->ordered;
}

// The number of combinations of all variables, or of the words alone; at most 1e15.
static double combinations(const ib_Search *search, bool words)
{
    double all = 1;
    for (int i = 0; i < search->variable_count; i++)
        if (!words || is_word(&search->variables[i])) all *= search->ladders[i].last + 1.0;
    return ib_min(all, 1e15);
}

// One of these combinations; the last variable changes first.
static ib__Place combination(const ib_Search *search, int64_t number, bool words)
{
    ib__Place place = {0};
    for (int i = search->variable_count - 1; i >= 0; i--) {
        if (words && !is_word(&search->variables[i])) continue;
        place.of[i] = (int)(number % (search->ladders[i].last + 1));
        number /= search->ladders[i].last + 1;
    }
    return place;
}

// ------------------------------------------------------------------------------ create and destroy

int ib_search_budget(const ib_SearchVariable *variables, int count)
{
    double words = 1;
    int axes = 0;
    for (int i = 0; i < count; i++)
        if (is_word(&variables[i]))
            words *= variables[i].choices;
        else
            axes++;
    int alone = axes == 0 ? 1 : axes == 1 ? 40 : 60 * axes;
    return (int)ib_min(alone * (axes == 0 ? words : (1 + words) / 2), 10000);
}

static int size_of_first(const ib_Search *search)
{
    int n = search->axis_count, branches = search->branch_count;
    int share = branches == 1 ? search->most : search->most / (2 * branches);
    int enough = n == 1 ? 11 : 8 * (n + 1);
    return share < 1 ? 1 : share < enough ? share : enough;
}

ib_Search *ib_search_create(const ib_SearchVariable *variables, int count, int most)
{
    IB_ASSERT(count >= 1 && count <= IB_SEARCH_MOST_VARIABLES && most >= 1);
    ib_Search *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    search->variable_count = count;
    search->most = most;
    for (int i = 0; i < count; i++) {
        const ib_SearchVariable *variable = &variables[i];
        double range = variable->high - variable->low;
        IB_ASSERT(variable->choices > 0 || (range > 0 && range < INFINITY));
        search->variables[i] = *variable;
        search->ladders[i] = ib__search_ladder(variable);
        if (search->ladders[i].last > 0 && !is_word(variable))
            search->axes[search->axis_count++] = i;
    }
    double words = combinations(search, true);
    search->branch_count = (int)ib_min(words, search->axis_count > 0 && most > 1 ? most / 2 : most);
    search->branches = calloc((size_t)search->branch_count, sizeof *search->branches);
    search->points = calloc((size_t)most, sizeof *search->points);
    search->order = calloc((size_t)most, sizeof *search->order);
    search->parts = calloc((size_t)most, sizeof *search->parts);
    if (!search->branches || !search->points || !search->order || !search->parts) {
        ib_search_destroy(search);
        return NULL;
    }
    for (int i = 0; i < search->branch_count; i++)
        search->branches[i] = (ib__Branch){
            .words = combination(search, (int64_t)(i * words / search->branch_count), true),
            .first = size_of_first(search),
            .best = -1,
            .before = -1,
        };
    return search;
}

void ib_search_destroy(ib_Search *search)
{
    if (!search) return;
    free(search->branches);
    free(search->points);
    free(search->order);
    free(search->parts);
    free(search);
}

// ------------------------------------------------------------------------------------------ search

static void ask_branch(ib_Search *search, int number)
{
    ib__Branch *branch = &search->branches[number];
    if (branch->resolved || branch->given_up) return;
    int before = search->count;
    if (search->axis_count == 0)
        ib__search_add(search, number, branch->words);
    else if (search->axis_count == 1)
        ib__search_line(search, number);
    else
        ib__search_region(search, number);
    branch->batch = before;
    if (branch->to == 0) {
        branch->from = before;
        branch->to = search->count;
    }
    branch->resolved = search->count == before;
}

int ib_search_ask(ib_Search *search)
{
    IB_ASSERT(search->told == search->count);
    double all = combinations(search, false);
    if (search->end) return 0;
    if (all <= search->most)
        for (int i = 0; i < (int)all; i++) ib__search_add(search, 0, combination(search, i, false));
    else
        for (int i = 0; i < search->branch_count; i++) ask_branch(search, i);
    if (search->count == search->told)
        search->end = search->count == all            ? IB_SEARCH_ALL
                      : search->count == search->most ? IB_SEARCH_BUDGET
                                                      : IB_SEARCH_RESOLVED;
    return search->count - search->told;
}

// True if the first is worse; one without points is the worst.
static bool is_worse(const ib_Search *search, const ib__Branch *one, const ib__Branch *other)
{
    if (one->best < 0 || other->best < 0) return one->best < other->best;
    return ib_search_better(search->points[other->best].score, search->points[one->best].score);
}

// Half of the branches go on after each round, but two of them for two rounds, and no more than may
// have two more batches each.
static void give_up_the_worst(ib_Search *search)
{
    int live = 0, rounds = ++search->rounds;
    int stay = rounds < 31 ? search->branch_count >> rounds : 0;
    int affordable = (search->most - search->told) / (2 * IB__SEARCH_BATCH);
    if (stay < 2 && rounds < 3) stay = 2;
    if (stay > affordable) stay = affordable;
    if (stay < 1) stay = 1;
    for (int i = 0; i < search->branch_count; i++) live += !search->branches[i].given_up;
    for (; live > stay; live--) {
        ib__Branch *worst = NULL;
        for (int i = 0; i < search->branch_count; i++) {
            ib__Branch *branch = &search->branches[i];
            if (!branch->given_up && (!worst || is_worse(search, branch, worst))) worst = branch;
        }
        worst->given_up = true;
    }
}

void ib_search_tell(ib_Search *search, const ib_SearchScore *scores)
{
    for (int i = 0; i < search->branch_count; i++)
        search->branches[i].before = search->branches[i].best;
    for (; search->told < search->count; search->told++) {
        ib__SearchPoint *point = &search->points[search->told];
        ib__Branch *branch = &search->branches[point->branch];
        point->score = ib__search_tidy(*scores++);
        if (branch->best < 0 || ib_search_better(point->score, search->points[branch->best].score))
            branch->best = search->told;
    }
    give_up_the_worst(search);
}

// --------------------------------------------------------------------------------------- questions

ib_SearchEnd ib_search_end(const ib_Search *search)
{
    return search->end;
}

int ib_search_count(const ib_Search *search)
{
    return search->count;
}

int ib_search_best(const ib_Search *search)
{
    int best = -1;
    for (int i = 0; i < search->told; i++)
        if (best < 0 || ib_search_better(search->points[i].score, search->points[best].score))
            best = i;
    return best;
}

ib_SearchScore ib_search_score(const ib_Search *search, int point)
{
    IB_ASSERT(point >= 0 && point < search->told);
    return search->points[point].score;
}

const double *ib_search_values(const ib_Search *search, int point)
{
    IB_ASSERT(point >= 0 && point < search->count);
    return search->points[point].values;
}
