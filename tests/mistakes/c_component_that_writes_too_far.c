#include "tellegen_sbs.h"

DECLARE_CLASS(splitter)

static void sbsInitializeSizes(sbsTask *S)
{
    ssSetNumInputs(S, 1);
    ssSetNumOutputs(S, 1);
}

static void sbsOutputs(double t, const double *x, const double *u, double *y, sbsTask *S)
{
    y[0] = u[0];
    y[1] = -u[0];
}
