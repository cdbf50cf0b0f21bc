#include "study/sweep/student.h"

#include "base/maths.h"

#include <math.h>
#include <stdbool.h>

// The share between -t and t, t = sqrt(n) tan a: a finite sum for a whole n (Abramowitz and Stegun,
// 26.7.3 and 26.7.4).
static double share_within(double t, int n)
{
    double r = sqrt(n + t * t), cosine = sqrt(n) / r, sine = t / r;
    bool odd = n % 2 == 1;
    double term = odd ? cosine : 1, sum = n == 1 ? 0 : term;
    for (int k = odd ? 3 : 2; k <= n - 2; k += 2) {
        term *= cosine * cosine * (k - 1) / k;
        sum += term;
    }
    return odd ? 2 / 3.14159265358979323846 * (ib_atan2(sine, cosine) + sine * sum) : sine * sum;
}

// Halves the interval until it is as narrow as a double.
double ib_student_quantile(double p, int freedom)
{
    enum { MOST = 1000, HALVES = 200 }; // beyond it is the normal distribution's within 0.2 %
    int n = freedom < MOST ? freedom : MOST;
    double low = 0, high = 1;
    while (0.5 + 0.5 * share_within(high, n) < p && high < 1e15) high *= 2;
    for (int i = 0; i < HALVES && low < high; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (0.5 + 0.5 * share_within(middle, n) < p)
            low = middle;
        else
            high = middle;
    }
    return high;
}
