#include "world/skyline.h"

#include <math.h>
#include <string.h>

bool ib__skyline_init(ib__Skyline *s, int body_room, size_t room, ib_Arena *arena)
{
    size_t bodies = (size_t)body_room;
    *s = (ib__Skyline){.body_room = body_room, .room = room};
    s->first = ib_arena_array(arena, bodies, sizeof *s->first);
    s->start = ib_arena_array(arena, bodies + 1, sizeof *s->start);
    s->diagonal = ib_arena_array(arena, bodies, sizeof *s->diagonal);
    s->lower = ib_arena_array(arena, room, sizeof *s->lower);
    s->upper = ib_arena_array(arena, room, sizeof *s->upper);
    return s->first && s->start && s->diagonal && s->lower && s->upper;
}

bool ib__skyline_lay_out(ib__Skyline *s, int count)
{
    int blocks = 0;
    s->count = count;
    for (int i = 0; i < count; i++) {
        s->start[i] = blocks;
        blocks += i - s->first[i];
    }
    s->start[count] = blocks;
    if ((size_t)blocks > s->room) return false;
    memset(s->lower, 0, (size_t)blocks * sizeof *s->lower);
    memset(s->upper, 0, (size_t)blocks * sizeof *s->upper);
    memset(s->diagonal, 0, (size_t)count * sizeof *s->diagonal);
    return true;
}

void ib__skyline_add(ib__Skyline *s, int i, int k, double size, const double *x, const double *y)
{
    ib__Block *block = i == k  ? &s->diagonal[i]
                       : i > k ? &s->lower[s->start[i] + k - s->first[i]]
                               : &s->upper[s->start[k] + i - s->first[k]];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) block->m[3 * r + c] += size * x[r] * y[c];
}

// to -= a b
static inline void take(double *restrict to, const double *restrict a, const double *restrict b)
{
    for (int r = 0; r < 3; r++) {
        double x = a[3 * r], y = a[3 * r + 1], z = a[3 * r + 2];
        for (int c = 0; c < 3; c++) to[3 * r + c] -= x * b[c] + y * b[3 + c] + z * b[6 + c];
    }
}

// A diagonal block as the product of its factors: rows exchanged for the largest pivots, below the
// diagonal what was taken of each row above, on it the inverses of the pivots. An inverse would lose
// what is soft beside what is stiff.
static void split(ib__Block *block)
{
    double *m = block->m;
    for (int k = 0; k < 3; k++) block->row[k] = k;
    for (int k = 0; k < 3; k++) {
        int best = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(m[3 * i + k]) > fabs(m[3 * best + k])) best = i;
        for (int j = 0; j < 3 && best != k; j++) {
            double held = m[3 * k + j];
            m[3 * k + j] = m[3 * best + j], m[3 * best + j] = held;
        }
        int held = block->row[k];
        block->row[k] = block->row[best], block->row[best] = held;
        m[4 * k] = 1 / m[4 * k];
        for (int i = k + 1; i < 3; i++) {
            m[3 * i + k] *= m[4 * k];
            for (int j = k + 1; j < 3; j++) m[3 * i + j] -= m[3 * i + k] * m[3 * k + j];
        }
    }
}

// x of  D x = b, in the place of b.
static inline void divide(const ib__Block *block, double *b)
{
    const double *m = block->m;
    double x = b[block->row[0]], y = b[block->row[1]] - m[3] * x;
    double z = (b[block->row[2]] - m[6] * x - m[7] * y) * m[8];
    y = (y - m[5] * z) * m[4];
    b[0] = (x - m[1] * y - m[2] * z) * m[0];
    b[1] = y;
    b[2] = z;
}

// X of  X D = B, in the place of B, row by row.
static inline void divide_right(double *B, const ib__Block *block)
{
    const double *m = block->m;
    for (int r = 0; r < 3; r++) {
        double *b = B + 3 * r;
        double x = b[0] * m[0], y = (b[1] - x * m[1]) * m[4];
        double z = (b[2] - x * m[2] - y * m[5]) * m[8];
        y -= z * m[7];
        x -= y * m[3] + z * m[6];
        b[block->row[0]] = x;
        b[block->row[1]] = y;
        b[block->row[2]] = z;
    }
}

void ib__skyline_factor(ib__Skyline *s)
{
    for (int i = 0; i < s->count; i++) {
        int from = s->first[i];
        ib__Block *low = s->lower + s->start[i] - from, *up = s->upper + s->start[i] - from;
        for (int j = from; j < i; j++) {
            const ib__Block *low_j = s->lower + s->start[j] - s->first[j];
            const ib__Block *up_j = s->upper + s->start[j] - s->first[j];
            for (int k = from > s->first[j] ? from : s->first[j]; k < j; k++) {
                take(low[j].m, low[k].m, up_j[k].m);
                take(up[j].m, low_j[k].m, up[k].m);
            }
            divide_right(low[j].m, &s->diagonal[j]);
        }
        for (int j = from; j < i; j++) take(s->diagonal[i].m, low[j].m, up[j].m);
        split(&s->diagonal[i]);
    }
}

static inline void take_vector(double *restrict to, const double *restrict m,
                               const double *restrict x)
{
    for (int r = 0; r < 3; r++)
        to[r] -= m[3 * r] * x[0] + m[3 * r + 1] * x[1] + m[3 * r + 2] * x[2];
}

void ib__skyline_solve(const ib__Skyline *s, double *b)
{
    for (int i = 0; i < s->count; i++) {
        const ib__Block *low = s->lower + s->start[i] - s->first[i];
        for (int j = s->first[i]; j < i; j++) take_vector(b + 3 * i, low[j].m, b + 3 * j);
    }
    for (int i = s->count - 1; i >= 0; i--) {
        const ib__Block *up = s->upper + s->start[i] - s->first[i];
        divide(&s->diagonal[i], b + 3 * i);
        for (int j = s->first[i]; j < i; j++) take_vector(b + 3 * j, up[j].m, b + 3 * i);
    }
}
