/* A constant signal. */

#include "tellegen_sbs.h"

DECLARE_CLASS(constant)

#define value ssGetFcnParam(S, 0)[0]

static void sbsInitializeSizes(sbsTask *S)
{
    ssSetNumOutputs(S, 1);
}

static void sbsOutputs(double t, const double *x, const double *u, double *y, sbsTask *S)
{
    y[0] = value;
}
