// SUNDIALS is never part of the program; without it this file is empty.
#include "t10.h"

#ifdef IB_HAVE_SUNDIALS
#include <math.h>
#include <string.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { OWN = IB_RIG_FIRST }; // without books, which would only cost it time

typedef struct Peer {
    ib_CylinderRigModel rig;
    double state[64], input[IB_RIG_INPUTS], rate[64], J[64 * 64];
    long rates;
} Peer;

static int peer_rate(double t, N_Vector y, N_Vector dy, void *self)
{
    Peer *peer = self;
    (void)t;
    memcpy(peer->state, N_VGetArrayPointer(y), OWN * sizeof(double));
    ib_cylinder_rig_rate(&peer->rig, peer->state, peer->input, peer->rate);
    memcpy(N_VGetArrayPointer(dy), peer->rate, OWN * sizeof(double));
    peer->rates++;
    return 0;
}

static int peer_jacobian(double t, N_Vector y, N_Vector dy, SUNMatrix J, void *self, N_Vector a,
                         N_Vector b, N_Vector c)
{
    Peer *peer = self;
    int n = peer->rig.state_count;
    (void)t, (void)a, (void)b, (void)c;
    memcpy(peer->state, N_VGetArrayPointer(y), OWN * sizeof(double));
    memset(peer->J, 0, (size_t)(n * n) * sizeof(double));
    // Beyond supply and exhaust the rig knows it not, because of its books: differences.
    bool known = ib_cylinder_rig_jacobian(&peer->rig, peer->state, peer->input, peer->J, n);
    for (int j = 0; !known && j < OWN; j++) {
        double x = peer->state[j], d = 1.5e-8 * (1 + fabs(x));
        peer->state[j] = x + d;
        ib_cylinder_rig_rate(&peer->rig, peer->state, peer->input, peer->rate);
        peer->state[j] = x;
        for (int i = 0; i < OWN; i++)
            peer->J[i * n + j] = (peer->rate[i] - N_VGetArrayPointer(dy)[i]) / d;
    }
    for (int i = 0; i < OWN; i++)
        for (int j = 0; j < OWN; j++) SM_ELEMENT_D(J, i, j) = peer->J[i * n + j];
    return 0;
}

static int peer_root(double t, N_Vector y, double *g, void *self)
{
    Peer *peer = self;
    double guards[IB_RIG_GUARDS];
    (void)t;
    memcpy(peer->state, N_VGetArrayPointer(y), OWN * sizeof(double));
    ib_cylinder_rig_guard(&peer->rig, peer->state, peer->input, guards);
    g[0] = guards[IB_RIG_GUARD_STOP];
    return 0;
}

// The state is where the peer has it; modes follow.
static void peer_settle(Peer *peer, void *cvode, double t, N_Vector y)
{
    memcpy(peer->state, N_VGetArrayPointer(y), OWN * sizeof(double));
    while (ib_cylinder_rig_settle(&peer->rig, peer->input, peer->state)) continue;
    memcpy(N_VGetArrayPointer(y), peer->state, OWN * sizeof(double));
    if (cvode) CVodeReInit(cvode, t, y);
}

void t10_cvode(double tolerance, bool own_jacobian, Answer *answer)
{
    static Peer peer;
    ib_CylinderRigConfig config = setup_rig(published);
    SUNContext context;
    SUNContext_Create(NULL, &context);
    memset(&peer, 0, sizeof peer);
    *answer = (Answer){0};
    ib_cylinder_rig_init(&config, &peer.rig);
    ib_cylinder_rig_reset(&peer.rig, peer.state);
    peer.input[IB_RIG_GAIN] = 1;
    N_Vector y = N_VNew_Serial(OWN, context);
    SUNMatrix A = SUNDenseMatrix(OWN, OWN, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
    memcpy(N_VGetArrayPointer(y), peer.state, OWN * sizeof(double));
    double begin = now(), t = 0;
    peer_settle(&peer, NULL, 0, y);
    void *cvode = CVodeCreate(CV_BDF, context);
    CVodeInit(cvode, peer_rate, 0, y);
    CVodeSStolerances(cvode, tolerance, tolerance);
    CVodeSetUserData(cvode, &peer);
    CVodeSetLinearSolver(cvode, solver, A);
    if (own_jacobian) CVodeSetJacFn(cvode, peer_jacobian);
    CVodeRootInit(cvode, 1, peer_root);
    CVodeSetMaxNumSteps(cvode, 1000000);
    const double stops[] = {5, look_t[0], look_t[1], look_t[2], look_t[3], 10};
    for (int i = 0; i < 6; i++) {
        long steps = 0;
        CVodeSetStopTime(cvode, i == 0 ? 5 : 10);
        int flag;
        while ((flag = CVode(cvode, stops[i], y, &t, CV_NORMAL)) == CV_ROOT_RETURN) {
            CVodeGetNumSteps(cvode, &steps);
            answer->steps += steps;
            if (answer->hits < HITS) answer->hit[answer->hits++] = t;
            peer_settle(&peer, cvode, t, y);
        }
        if (flag < 0) give_up("CVODE failed");
        if (i > 0 && i < 5) answer->x[answer->looks++] = N_VGetArrayPointer(y)[0];
        if (i == 0 || i == 5) CVodeGetNumSteps(cvode, &steps), answer->steps += steps;
        if (i > 0) continue;
        peer.input[IB_RIG_VALVE] = 6.25;
        peer_settle(&peer, cvode, t, y);
    }
    answer->seconds = now() - begin;
    answer->rates = peer.rates;
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(A);
    N_VDestroy(y);
    SUNContext_Free(&context);
}
#endif
