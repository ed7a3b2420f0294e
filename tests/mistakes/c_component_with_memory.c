#include "tellegen_sbs.h"

DECLARE_CLASS(counter)

static void sbsInitializeSizes(sbsTask *S)
{
    ssSetNumOutputs(S, 1);
    ssSetNumIWork(S, 1);
}

static void sbsOutputs(double t, const double *x, const double *u, double *y, sbsTask *S)
{
    ssSetIWorkValue(S, 0, ssGetIWorkValue(S, 0) + 1);
    y[0] = ssGetIWorkValue(S, 0);
}
