// design/export/export_arm_source.c: writes <name>.c of an arm's follower: the arithmetic of
// control/arm/arm_linear.c, arm_ekf.c, arm_table.c and arm_act.c, in the same order.
#include "base/extreme.h"
#include "design/export/export_arm_text.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ tables

static void write_constant(const ib_ExportArm *arm, const char *name, double value)
{
    fprintf(arm->out.file, "static const double %s = ", name);
    ib__export_double(&arm->out, value);
    fputs(";\n", arm->out.file);
}

static void write_list(const ib_ExportArm *arm, const char *name, int count, const double *values)
{
    fprintf(arm->out.file, "static const double %s[%d] = ", name, count);
    ib__export_arm_list(arm, count, values);
    fputs(";\n", arm->out.file);
}

// Constants of the arm and its filter.
static void write_constants(const ib_ExportArm *arm)
{
    const ib_ArmFollower *follower = arm->follower;
    const ib_ArmPlant *plant = &follower->plan->plant;
    const double push[2] = {plant->gear[0].push, plant->gear[1].push};
    const double drag[2] = {plant->gear[0].drag, plant->gear[1].drag};
    fputs("// The arm: inertias [kg m^2], S g [N m], volts to torque, speed to torque.\n",
          arm->out.file);
    write_constant(arm, "alpha", plant->link.alpha);
    write_constant(arm, "beta", plant->link.beta);
    write_constant(arm, "gamma_", plant->link.gamma);
    const double weight[2] = {plant->link.first * plant->gravity,
                              plant->link.second * plant->gravity};
    write_list(arm, "weight", 2, weight);
    write_list(arm, "push", 2, push);
    write_list(arm, "drag", 2, drag);
    fputs("\n// The filter: densities of unknown disturbances, variances of samples and of the "
          "start.\n",
          arm->out.file);
    write_list(arm, "Q", IB_ARM_X, follower->ekf.Q);
    write_list(arm, "R", 2, follower->ekf.R);
    write_list(arm, "start", IB_ARM_X, follower->ekf.start);
    write_constant(arm, "largest", follower->ekf.largest);
    fputs(
        "\n// The follower: most volts, those that its plan counts on, most that its pace changes "
        "[1/s].\n",
        arm->out.file);
    const double *counts = follower->plan->limits.volts;
    write_constant(arm, "limit", follower->config.volts);
    write_constant(arm, "counted", ib_max(counts[0], counts[1]));
    write_constant(arm, "fastest", IB_ARM_PACE_RATE);
}

static void write_row(const ib_ExportArm *arm, const ib_ArmTableRow *row)
{
    fputs("    {", arm->out.file);
    ib__export_arm_list(arm, 2, row->th);
    fputs(", ", arm->out.file);
    ib__export_arm_list(arm, 2, row->w);
    fputs(",\n     {", arm->out.file);
    ib__export_arm_list(arm, IB_ARM_FED, row->K[0]);
    fputs(",\n      ", arm->out.file);
    ib__export_arm_list(arm, IB_ARM_FED, row->K[1]);
    fputs("}},\n", arm->out.file);
}

static void write_tables(const ib_ExportArm *arm)
{
    const ib_ArmFollower *follower = arm->follower;
    const ib_ArmPlan *plan = follower->plan;
    FILE *file = arm->out.file;
    fputs("\n// Reference at equal times: angles, rates, and volts per th1, w1, th2, w2.\n"
          "typedef struct row {\n    double th[2], w[2], K[2][4];\n} row;\n"
          "typedef struct table {\n    int rows, from, to; // goals\n    double spacing;\n"
          "    const row *list;\n} table;\n\n",
          file);
    ib__export_text(&arm->out, "static const row goals[@_GOALS] = {\n");
    for (int i = 0; i < plan->goal_count; i++) {
        ib_ArmTableRow row;
        ib_ArmTable stand;
        ib_arm_table_stand(&plan->plant, plan->goals[i].th, &follower->config.weights,
                           follower->config.period, &row, &stand);
        write_row(arm, &row);
    }
    fputs("};\n", file);
    for (int i = 0; i < plan->track_count; i++) {
        const ib_ArmTable *table = &follower->tables[i];
        fprintf(file, "static const row way_%d[%d] = {\n", i, table->count);
        for (int k = 0; k < table->count; k++) write_row(arm, &table->rows[k]);
        fputs("};\n", file);
    }
    ib__export_text(&arm->out, "static const table ways[@_WAYS] = {\n");
    for (int i = 0; i < plan->track_count; i++) {
        fprintf(file, "    {%d, %d, %d, ", follower->tables[i].count, plan->tracks[i].from,
                plan->tracks[i].to);
        ib__export_double(&arm->out, follower->tables[i].spacing);
        fprintf(file, ", way_%d},\n", i);
    }
    fputs("};\n\n", file);
}

// -------------------------------------------------------------------------------------- arithmetic

static const char dynamics[] =
    "static double larger(double a, double b)\n{\n    return a > b ? a : b;\n}\n"
    "static double smaller(double a, double b)\n{\n    return a < b ? a : b;\n}\n"
    "static double size(double a)\n{\n    return a < 0 ? -a : a;\n}\n\n"
    "// c beta, s beta, torques of gravity and their slopes, determinant of the mass matrix.\n"
    "typedef struct place {\n    double c, s, turn[2], level[2], det;\n} place;\n\n"
    "static void place_of(const double th[2], place *at)\n{\n"
    "    double s1 = sin(th[0]), c1 = cos(th[0]), s2 = sin(th[1]), c2 = cos(th[1]);\n"
    "    at->c = (c1 * c2 + s1 * s2) * beta;\n    at->s = (s1 * c2 - c1 * s2) * beta;\n"
    "    at->turn[0] = weight[0] * s1;\n    at->turn[1] = weight[1] * s2;\n"
    "    at->level[0] = weight[0] * c1;\n    at->level[1] = weight[1] * c2;\n"
    "    at->det = alpha * gamma_ - at->c * at->c;\n}\n\n"
    "// Accelerations that torques give.\n"
    "static void answer(const place *at, double T1, double T2, double a[2])\n{\n"
    "    double per = 1 / at->det;\n"
    "    a[0] = (gamma_ * T1 - at->c * T2) * per;\n"
    "    a[1] = (alpha * T2 - at->c * T1) * per;\n}\n\n"
    "static void torques(const double x[6], const double u[2], double T[2])\n{\n"
    "    T[0] = push[0] * (u[0] + x[4]) - drag[0] * x[1];\n"
    "    T[1] = push[1] * (u[1] + x[5]) - drag[1] * x[3];\n}\n\n"
    "// x = (th1, w1, th2, w2, e1, e2), e volts that the model lacks.\n"
    "static void rate_of(const double x[6], const double u[2], double rate[6])\n{\n"
    "    double th[2], T[2], a[2];\n    place at;\n"
    "    th[0] = x[0], th[1] = x[2];\n    place_of(th, &at);\n    torques(x, u, T);\n"
    "    answer(&at, T[0] + at.turn[0] - at.s * x[3] * x[3],\n"
    "           T[1] + at.turn[1] + at.s * x[1] * x[1], a);\n"
    "    rate[0] = x[1], rate[1] = a[0], rate[2] = x[3], rate[3] = a[1];\n"
    "    rate[4] = rate[5] = 0;\n}\n\n"
    "// One step of RK4.\n"
    "static void advance(const double u[2], double h, double x[6])\n{\n"
    "    double k1[6], k2[6], k3[6], k4[6], at[6];\n    int i;\n"
    "    rate_of(x, u, k1);\n"
    "    for (i = 0; i < 6; i++) at[i] = x[i] + 0.5 * h * k1[i];\n"
    "    rate_of(at, u, k2);\n"
    "    for (i = 0; i < 6; i++) at[i] = x[i] + 0.5 * h * k2[i];\n"
    "    rate_of(at, u, k3);\n"
    "    for (i = 0; i < 6; i++) at[i] = x[i] + h * k3[i];\n"
    "    rate_of(at, u, k4);\n"
    "    for (i = 0; i < 6; i++) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);\n}\n\n"
    "// Volts that give these accelerations.\n"
    "static void volts_for(const double th[2], const double w[2], const double a[2],\n"
    "                      double volts[2], double slope[2], const double along[2])\n{\n"
    "    place at;\n    double T1, T2;\n    place_of(th, &at);\n"
    "    T1 = alpha * a[0] + at.c * a[1] + at.s * w[1] * w[1] - at.turn[0];\n"
    "    T2 = at.c * a[0] + gamma_ * a[1] - (at.s * w[0] * w[0] + at.turn[1]);\n"
    "    volts[0] = (T1 + drag[0] * w[0]) / push[0];\n"
    "    volts[1] = (T2 + drag[1] * w[1]) / push[1];\n"
    "    slope[0] = (alpha * along[0] + at.c * along[1]) / push[0];\n"
    "    slope[1] = (at.c * along[0] + gamma_ * along[1]) / push[1];\n}\n\n";

static const char filter[] =
    "// A = d rate/dx.\n"
    "static void slopes_of(const double x[6], const double u[2], double A[6][6])\n{\n"
    "    double th[2], T[2], a[2], apart[2], column[2];\n    place at;\n    int i, j;\n"
    "    th[0] = x[0], th[1] = x[2];\n    place_of(th, &at);\n    torques(x, u, T);\n"
    "    answer(&at, T[0] + at.turn[0] - at.s * x[3] * x[3],\n"
    "           T[1] + at.turn[1] + at.s * x[1] * x[1], a);\n"
    "    apart[0] = at.s * a[1] - at.c * x[3] * x[3];\n"
    "    apart[1] = at.s * a[0] + at.c * x[1] * x[1];\n"
    "    for (i = 0; i < 6; i++)\n        for (j = 0; j < 6; j++) A[i][j] = 0;\n"
    "    A[0][1] = A[2][3] = 1;\n"
    "    answer(&at, apart[0] + at.level[0], apart[1], column);\n"
    "    A[1][0] = column[0], A[3][0] = column[1];\n"
    "    answer(&at, -apart[0], at.level[1] - apart[1], column);\n"
    "    A[1][2] = column[0], A[3][2] = column[1];\n"
    "    answer(&at, 0, 2 * at.s * x[1], column);\n"
    "    A[1][1] = column[0], A[3][1] = column[1];\n"
    "    answer(&at, -2 * at.s * x[3], 0, column);\n"
    "    A[1][3] = column[0], A[3][3] = column[1];\n"
    "    for (j = 0; j < 2; j++) {\n"
    "        answer(&at, j == 0, j == 1, column);\n"
    "        for (i = 0; i < 2; i++) {\n"
    "            A[2 * i + 1][2 * j + 1] -= column[i] * drag[j];\n"
    "            A[2 * i + 1][4 + j] = column[i] * push[j];\n        }\n    }\n}\n\n"
    "static void multiply(double a[6][6], double b[6][6], double c[6][6])\n{\n"
    "    int i, j, k;\n"
    "    for (i = 0; i < 6; i++) {\n"
    "        for (j = 0; j < 6; j++) c[i][j] = 0;\n"
    "        for (k = 0; k < 6; k++)\n"
    "            for (j = 0; j < 6; j++) c[i][j] += a[i][k] * b[k][j];\n    }\n}\n\n"
    "// e^(A h), by eight terms of its series.\n"
    "static void transition(double A[6][6], double h, double Phi[6][6])\n{\n"
    "    double product[6][6];\n    int i, j, k;\n"
    "    for (i = 0; i < 6; i++)\n        for (j = 0; j < 6; j++) Phi[i][j] = i == j;\n"
    "    for (k = 8; k > 0; k--) {\n        multiply(A, Phi, product);\n"
    "        for (i = 0; i < 6; i++)\n"
    "            for (j = 0; j < 6; j++) Phi[i][j] = product[i][j] * (h / k) + (i == j);\n"
    "    }\n}\n\n"
    "// P <- F P F'.\n"
    "static void carry(double F[6][6], double P[6][6])\n{\n"
    "    double FP[6][6];\n    int i, j, k;\n    multiply(F, P, FP);\n"
    "    for (i = 0; i < 6; i++)\n        for (j = 0; j <= i; j++) {\n"
    "            double sum = 0;\n"
    "            for (k = 0; k < 6; k++) sum += FP[i][k] * F[j][k];\n"
    "            P[i][j] = P[j][i] = sum;\n        }\n}\n\n"
    "// P += scale F Q F'.\n"
    "static void spread(double F[6][6], double scale, double P[6][6])\n{\n"
    "    int i, j, k;\n"
    "    for (i = 0; i < 6; i++)\n        for (j = 0; j <= i; j++) {\n"
    "            double sum = 0;\n"
    "            for (k = 0; k < 6; k++) sum += F[i][k] * Q[k] * F[j][k];\n"
    "            P[i][j] += scale * sum;\n            P[j][i] = P[i][j];\n        }\n}\n\n"
    "static void predict($_state *s)\n{\n"
    "    double A[6][6], half[6][6], whole[6][6], one[6][6], h = @_PERIOD;\n    int i, j;\n"
    "    advance(s->u, 0.5 * h, s->x);\n    slopes_of(s->x, s->u, A);\n"
    "    advance(s->u, 0.5 * h, s->x);\n    transition(A, 0.5 * h, half);\n"
    "    multiply(half, half, whole);\n"
    "    for (i = 0; i < 6; i++)\n        for (j = 0; j < 6; j++) one[i][j] = i == j;\n"
    "    carry(whole, s->P);\n    spread(one, h / 6, s->P);\n"
    "    spread(half, 4 * h / 6, s->P);\n    spread(whole, h / 6, s->P);\n}\n\n"
    "static void correct($_state *s, const double y[2])\n{\n"
    "    double a = s->P[0][0] + R[0], b = s->P[0][2], c = s->P[2][2] + R[1];\n"
    "    double per = 1 / (a * c - b * b), K[6][2], left[6][6], e[2];\n    int i, j;\n"
    "    for (i = 0; i < 6; i++) {\n"
    "        K[i][0] = s->P[i][0] * (c * per) + s->P[i][2] * (-b * per);\n"
    "        K[i][1] = s->P[i][0] * (-b * per) + s->P[i][2] * (a * per);\n    }\n"
    "    e[0] = y[0] - s->x[0], e[1] = y[1] - s->x[2];\n"
    "    for (i = 0; i < 6; i++) s->x[i] += K[i][0] * e[0] + K[i][1] * e[1];\n"
    "    for (i = 4; i < 6; i++) s->x[i] = smaller(larger(s->x[i], -largest), largest);\n"
    "    for (i = 0; i < 6; i++) {\n"
    "        for (j = 0; j < 6; j++) left[i][j] = i == j;\n"
    "        left[i][0] -= K[i][0];\n        left[i][2] -= K[i][1];\n    }\n"
    "    carry(left, s->P);\n"
    "    for (i = 0; i < 6; i++)\n        for (j = 0; j <= i; j++) {\n"
    "            s->P[i][j] += K[i][0] * R[0] * K[j][0] + K[i][1] * R[1] * K[j][1];\n"
    "            s->P[j][i] = s->P[i][j];\n        }\n}\n\n";

static const char pace[] =
    "// Reference at a time: angles by the cubic through both rows' angles and rates.\n"
    "typedef struct wanted {\n    double th[2], w[2], a[2], K[2][4];\n} wanted;\n\n"
    "static void stand(const row *r, wanted *at)\n{\n    int i, j;\n"
    "    for (i = 0; i < 2; i++) {\n        at->th[i] = r->th[i];\n"
    "        at->w[i] = at->a[i] = 0;\n"
    "        for (j = 0; j < 4; j++) at->K[i][j] = r->K[i][j];\n    }\n}\n\n"
    "static void wanted_at(const $_state *s, double t, wanted *at)\n{\n"
    "    const table *way = &ways[s->way < 0 ? 0 : s->way];\n    const row *from, *to;\n"
    "    double h = way->spacing, at_row = t / h, x;\n    int i, j, k, last = way->rows - 1;\n"
    "    if (s->way < 0) {\n        stand(&goals[s->goal], at);\n        return;\n    }\n"
    "    if (!(at_row > 0)) at_row = 0;\n"
    "    if (at_row >= last) {\n        stand(&way->list[last], at);\n        return;\n    }\n"
    "    k = (int)at_row;\n    x = at_row - k;\n    from = &way->list[k], to = from + 1;\n"
    "    for (i = 0; i < 2; i++) {\n"
    "        double d = to->th[i] - from->th[i], w0 = h * from->w[i], w1 = h * to->w[i];\n"
    "        double c2 = 3 * d - 2 * w0 - w1, c3 = w0 + w1 - 2 * d;\n"
    "        at->th[i] = from->th[i] + x * (w0 + x * (c2 + x * c3));\n"
    "        at->w[i] = (w0 + x * (2 * c2 + 3 * x * c3)) / h;\n"
    "        at->a[i] = (2 * c2 + 6 * x * c3) / (h * h);\n"
    "        for (j = 0; j < 4; j++)\n"
    "            at->K[i][j] = from->K[i][j] + x * (to->K[i][j] - from->K[i][j]);\n    }\n}\n\n"
    "static double worst(const double base[2], const double slope[2], double rate)\n{\n"
    "    return larger(size(base[0] + slope[0] * rate), size(base[1] + slope[1] * rate));\n}\n\n"
    "// The p' nearest to the one wanted that keeps both voltages within the limit; where there "
    "is\n"
    "// none, the one with the least of the larger voltage.\n"
    "static double choose_rate(const double base[2], const double slope[2], double most,\n"
    "                          double low, double high, double want)\n{\n"
    "    double from = low, to = high, best, up[4], down[4];\n    int i;\n"
    "    for (i = 0; i < 2; i++) {\n        double one, other;\n"
    "        if (!(size(slope[i]) > 1e-7)) continue;\n"
    "        one = (-most - base[i]) / slope[i], other = (most - base[i]) / slope[i];\n"
    "        from = larger(from, smaller(one, other));\n"
    "        to = smaller(to, larger(one, other));\n    }\n"
    "    if (!(from > to)) return smaller(larger(want, from), to);\n"
    "    up[0] = -base[0], up[1] = -base[1];\n"
    "    up[2] = base[1] - base[0], up[3] = -base[1] - base[0];\n"
    "    down[0] = slope[0], down[1] = slope[1];\n"
    "    down[2] = slope[0] - slope[1], down[3] = slope[0] + slope[1];\n"
    "    best = worst(base, slope, high) < worst(base, slope, low) ? high : low;\n"
    "    for (i = 0; i < 4; i++) {\n        double rate;\n"
    "        if (!(size(down[i]) > 1e-7)) continue;\n"
    "        rate = smaller(larger(up[i] / down[i], low), high);\n"
    "        if (worst(base, slope, rate) < worst(base, slope, best)) best = rate;\n    }\n"
    "    return best;\n}\n\n";

static const char step[] =
    "// The pace at which all that is left of the way needs no more than `most`, with V = G + D p "
    "+\n"
    "// A p^2 at each row.\n"
    "static double ceiling(const $_state *s, double most)\n{\n"
    "    const table *way;\n    wanted at;\n"
    "    double top = 1, whole[2], still[2], unused[2], none[2] = {0, 0};\n    int i, k, n;\n"
    "    if (s->way < 0 || most >= counted) return 1;\n    way = &ways[s->way];\n"
    "    for (k = (int)(s->t / way->spacing); k + 1 < way->rows; k++) {\n"
    "        wanted_at(s, (k + 0.5) * way->spacing, &at);\n"
    "        volts_for(at.th, at.w, at.a, whole, unused, none);\n"
    "        volts_for(at.th, none, none, still, unused, none);\n"
    "        for (i = 0; i < 2; i++) {\n"
    "            double G = still[i], D = drag[i] * at.w[i] / push[i], A = whole[i] - G - D;\n"
    "            double low = 0.05, high = top;\n"
    "            if (size(G + high * (D + high * A)) <= most) continue;\n"
    "            for (n = 0; n < 12; n++) {\n"
    "                double half = 0.5 * (low + high);\n"
    "                if (size(G + half * (D + half * A)) <= most)\n"
    "                    low = half;\n                else\n                    high = half;\n"
    "            }\n            top = low;\n        }\n    }\n    return top;\n}\n\n"
    "// w = p w_r, a = p^2 a_r + p' w_r, u = V(th, w, a) + K (x_r - x) - e.\n"
    "static void act($_state *s, double volts[2])\n{\n"
    "    double p = s->pace, h = @_PERIOD, w[2], a[2], base[2], slope[2], low, high, rate, end;\n"
    "    double most = s->supply > 0 ? smaller(limit, s->supply) : limit, want;\n"
    "    wanted now, middle;\n    int i;\n"
    "    wanted_at(s, s->t, &now);\n    wanted_at(s, s->t + 0.5 * p * h, &middle);\n"
    "    for (i = 0; i < 2; i++) w[i] = p * middle.w[i], a[i] = p * p * middle.a[i];\n"
    "    volts_for(middle.th, w, a, base, slope, middle.w);\n"
    "    for (i = 0; i < 2; i++)\n"
    "        base[i] += now.K[i][0] * (now.th[0] - s->x[0]) +\n"
    "                   now.K[i][1] * (p * now.w[0] - s->x[1]) +\n"
    "                   now.K[i][2] * (now.th[1] - s->x[2]) +\n"
    "                   now.K[i][3] * (p * now.w[1] - s->x[3]) - s->x[4 + i];\n"
    "    high = smaller(fastest, (1 - p) / h);\n"
    "    low = smaller(larger(-fastest, -p / h), high);\n"
    "    want = smaller(larger((ceiling(s, most) - p) / h, low), high);\n"
    "    rate = choose_rate(base, slope, most, low, high, want);\n"
    "    for (i = 0; i < 2; i++) {\n"
    "        volts[i] = smaller(larger(base[i] + slope[i] * rate, -most), most);\n"
    "        s->u[i] = volts[i];\n        s->th[i] = now.th[i];\n        s->w[i] = p * now.w[i];\n"
    "    }\n"
    "    end = s->way < 0 ? 0 : (ways[s->way].rows - 1) * ways[s->way].spacing;\n"
    "    s->t = smaller(s->t + h * (p + 0.5 * rate * h), end);\n"
    "    s->pace = smaller(larger(p + rate * h, 0), 1);\n}\n\n"
    "int $_init($_state *s, int goal)\n{\n    int i, j;\n"
    "    for (i = 0; i < 6; i++)\n        for (j = 0; j < 6; j++) s->P[i][j] = s->x[i] = 0;\n"
    "    for (i = 0; i < 2; i++) s->u[i] = s->w[i] = s->th[i] = 0;\n"
    "    s->t = s->supply = 0;\n    s->pace = 1;\n    s->way = s->goal = -1;\n    s->begun = 0;\n"
    "    if (goal < 0 || goal >= @_GOALS) return -1;\n"
    "    for (i = 0; i < 2; i++) s->th[i] = goals[goal].th[i];\n"
    "    s->goal = goal;\n    return 0;\n}\n\n"
    "void $_supply($_state *s, double volts)\n{\n    s->supply = volts > 1 ? volts : 0;\n}\n\n"
    "int $_go($_state *s, int way)\n{\n"
    "    int at = s->way < 0 ? s->goal : $_done(s) ? ways[s->way].to : -1;\n"
    "    if (way < 0 || way >= @_WAYS || at < 0 || ways[way].from != at) return -1;\n"
    "    s->way = way;\n    s->t = 0;\n    s->pace = 1;\n    return 0;\n}\n\n"
    "int $_done(const $_state *s)\n{\n"
    "    return s->way < 0 || s->t >= (ways[s->way].rows - 1) * ways[s->way].spacing;\n}\n\n"
    "void $_step($_state *s, const double encoder[2], double volts[2])\n{\n"
    "    int good = encoder[0] - encoder[0] == 0 && encoder[1] - encoder[1] == 0, i;\n"
    "    volts[0] = volts[1] = 0;\n    if (s->goal < 0 || (!s->begun && !good)) return;\n"
    "    if (s->begun) {\n        predict(s);\n        if (good) correct(s, encoder);\n"
    "    } else {\n        s->x[0] = encoder[0], s->x[2] = encoder[1];\n"
    "        for (i = 0; i < 6; i++) s->P[i][i] = start[i];\n        s->begun = 1;\n    }\n"
    "    act(s, volts);\n}\n";

void ib__export_arm_source(const ib_ExportArm *arm)
{
    ib__export_text(&arm->out, "// $.c: written by Ironbird; see $.h for its use.\n"
                               "#include \"$.h\"\n\n#include <math.h>\n\n");
    write_constants(arm);
    write_tables(arm);
    ib__export_text(&arm->out, dynamics);
    ib__export_text(&arm->out, filter);
    ib__export_text(&arm->out, pace);
    ib__export_text(&arm->out, step);
}
