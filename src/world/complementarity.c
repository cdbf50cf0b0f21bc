#include "world/complementarity.h"

#include <math.h>

enum {
    MOST = IB__UNKNOWNS / 2,
    PATIENCE = 3, ///< exchanges of all wrong signs at once that need not get better
    SWEEPS = 200,
    FEW = 4,          ///< rows for which the signs of q are guess enough
    GUESS_SWEEPS = 3, ///< that guess which rows push, where there are more
};

#define DEPENDENT 1e-15 ///< a pivot this small, against the row's largest, is rounding
#define NOISE     1e-14 ///< a wrong sign this small, against the sizes at hand, is rounding

static void swap(double *a, double *b)
{
    double held = *a;
    *a = *b;
    *b = held;
}

// Below the diagonal the factors of the elimination take the place of the zeros.
void ib__linear_factor(int n, int columns, double *A, ib__Order *order)
{
    double scale = 0;
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(A[i * columns + i]));
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(A[r * columns + c]) > fabs(A[pivot * columns + c])) pivot = r;
        order->pivot[c] = pivot;
        order->kept[c] = fabs(A[pivot * columns + c]) > DEPENDENT * scale;
        if (!order->kept[c]) order->pivot[c] = c;
        for (int k = 0; k < n && order->pivot[c] != c; k++)
            swap(&A[c * columns + k], &A[pivot * columns + k]);
        for (int r = c + 1; r < n; r++) {
            double *row = A + r * columns;
            const double *from = A + c * columns;
            row[c] = order->kept[c] ? row[c] / from[c] : 0;
            if (row[c] == 0) continue;
            for (int k = c + 1; k < n; k++) row[k] -= row[c] * from[k];
        }
    }
}

void ib__linear_apply(int n, int columns, const double *A, const ib__Order *order, double *b)
{
    for (int c = 0; c < n; c++)
        if (order->pivot[c] != c) swap(&b[c], &b[order->pivot[c]]);
    for (int r = 1; r < n; r++)
        for (int c = 0; c < r; c++) b[r] -= A[r * columns + c] * b[c];
    for (int c = n - 1; c >= 0; c--) {
        for (int k = c + 1; k < n; k++) b[c] -= A[c * columns + k] * b[k];
        b[c] = order->kept[c] ? b[c] / A[c * columns + c] : 0;
    }
}

void ib__linear_solve(int n, int columns, double *A, double *b)
{
    ib__Order order;
    ib__linear_factor(n, columns, A, &order);
    ib__linear_apply(n, columns, A, &order, b);
}

// z of the chosen rows so that their w vanish; 0 elsewhere.
static void solve_chosen(int n, const double *M, const double *q, const bool *chosen, double *z)
{
    double A[MOST * MOST], b[MOST];
    int rows[MOST], count = 0;
    for (int i = 0; i < n; i++)
        if (chosen[i]) rows[count++] = i;
    for (int r = 0; r < count; r++) {
        b[r] = -q[rows[r]];
        for (int c = 0; c < count; c++) A[r * count + c] = M[rows[r] * n + rows[c]];
    }
    ib__linear_solve(count, count, A, b);
    for (int i = 0; i < n; i++) z[i] = 0;
    for (int r = 0; r < count; r++) z[rows[r]] = b[r];
}

// Which rows have the wrong sign: z < 0 where chosen, w < 0 elsewhere. Returns how many.
static int find_wrong(int n, const double *M, const double *q, const bool *chosen, const double *z,
                      bool *wrong)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        double w = q[i], size = fabs(q[i]);
        for (int k = 0; k < n; k++) {
            w += M[i * n + k] * z[k];
            size += fabs(M[i * n + k] * z[k]);
        }
        wrong[i] = chosen[i] ? z[i] < 0 && -z[i] * M[i * n + i] > NOISE * size : w < -NOISE * size;
        count += wrong[i];
    }
    return count;
}

// z_i <- max(0, z_i - w_i/M_ii), row by row.
static void relax(int n, const double *M, const double *q, int sweeps, double *z)
{
    for (int i = 0; i < n; i++) z[i] = fmax(0, z[i]);
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int i = 0; i < n; i++) {
            double w = q[i];
            for (int k = 0; k < n; k++) w += M[i * n + k] * z[k];
            w = z[i] - w / M[i * n + i];
            z[i] = w > 0 ? w : 0;
        }
}

// [J. J. Judice and F. M. Pires, Computers & Operations Research 21 (1994) 587: exchange all wrong
// rows as long as they get fewer, else the last one only, which always ends (Murty)]
void ib__complementarity(int n, const double *M, const double *q, double *z)
{
    bool chosen[MOST] = {false}, wrong[MOST];
    int fewest = n + 1, patience = PATIENCE;
    // A load that runs through a row of bodies reaches one more body with each exchange; relaxing
    // the rows carries it through all of them at once. z of a problem next to this one is as good.
    bool known = false;
    for (int i = 0; i < n; i++) known |= z[i] > 0;
    if (n > FEW && !known) relax(n, M, q, GUESS_SWEEPS, z);
    for (int i = 0; i < n; i++) chosen[i] = n > FEW ? z[i] > 0 : q[i] < 0;
    for (int round = 0; round < 20 + 10 * n; round++) {
        solve_chosen(n, M, q, chosen, z);
        int count = find_wrong(n, M, q, chosen, z, wrong);
        if (count == 0) {
            for (int i = 0; i < n; i++) z[i] = fmax(0, z[i]);
            return;
        }
        bool all = count < fewest || patience-- > 0;
        if (count < fewest) fewest = count, patience = PATIENCE;
        for (int i = n - 1; i >= 0; i--) {
            if (!wrong[i]) continue;
            chosen[i] = !chosen[i];
            if (!all) break;
        }
    }
    relax(n, M, q, SWEEPS, z);
}

// ------------------------------------------------------------------------------------------- Lemke

// Columns of the table: w_0 .., z_0 .., the artificial z, the right side.
enum { COLUMNS = 2 * IB__LEMKE_MOST + 2 };

typedef struct Table {
    int n;
    double rows[IB__LEMKE_MOST][COLUMNS];
    int basis[IB__LEMKE_MOST]; ///< the variable of each row
} Table;

#define TINY 1e-11 ///< an entry this small is rounding; the problem is scaled to 1

// Is row a before row b, both divided by their entry in `column`? The right side first, then the
// columns of the first basis, so that equal ratios never lead in a circle.
static bool precedes(const Table *t, int a, int b, int column)
{
    const double *x = t->rows[a], *y = t->rows[b];
    double da = x[column], db = y[column];
    int right = 2 * t->n + 1;
    double gap = x[right] / da - y[right] / db;
    for (int k = 0; k < t->n && fabs(gap) <= 1e-14; k++) gap = x[k] / da - y[k] / db;
    return gap < 0;
}

static void exchange(Table *t, int row, int column)
{
    int width = 2 * t->n + 2;
    double *pivot = t->rows[row], scale = 1 / pivot[column];
    for (int k = 0; k < width; k++) pivot[k] *= scale;
    pivot[column] = 1;
    for (int r = 0; r < t->n; r++) {
        double factor = t->rows[r][column];
        if (r == row || factor == 0) continue;
        for (int k = 0; k < width; k++) t->rows[r][k] -= factor * pivot[k];
        t->rows[r][column] = 0;
    }
    t->basis[row] = column;
}

static void fill(int n, const double *M, const double *q, Table *t)
{
    t->n = n;
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < n; k++) {
            t->rows[r][k] = k == r;
            t->rows[r][n + k] = -M[r * n + k];
        }
        t->rows[r][2 * n] = -1;
        t->rows[r][2 * n + 1] = q[r];
        t->basis[r] = r;
    }
}

// [C. E. Lemke, Management Science 11 (1965) 681; for friction: M. Anitescu and F. A. Potra,
// Nonlinear Dynamics 14 (1997) 231]
bool ib__lemke(int n, const double *M, const double *q, double *z)
{
    Table t;
    int row = 0, artificial = 2 * n, right = 2 * n + 1;
    fill(n, M, q, &t);
    for (int i = 0; i < n; i++) z[i] = 0;
    for (int r = 1; r < n; r++)
        if (q[r] < q[row]) row = r;
    if (n == 0 || q[row] >= 0) return true;
    int leaves = row;
    exchange(&t, row, artificial);
    for (int round = 0; round < 50 + 20 * n; round++) {
        // What left comes back as its partner.
        int enters = leaves < n ? leaves + n : leaves - n;
        row = -1;
        for (int r = 0; r < n; r++)
            if (t.rows[r][enters] > TINY && (row < 0 || precedes(&t, r, row, enters))) row = r;
        if (row < 0) return false;
        leaves = t.basis[row];
        exchange(&t, row, enters);
        if (leaves != artificial) continue;
        for (int r = 0; r < n; r++)
            if (t.basis[r] >= n) z[t.basis[r] - n] = fmax(0, t.rows[r][right]);
        return true;
    }
    return false;
}
