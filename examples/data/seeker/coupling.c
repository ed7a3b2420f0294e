/* An elastic shaft behind a gear: angles of motor and load give a torque. The thesis prints its two numbers only. */

#include "tellegen_sbs.h"

DECLARE_CLASS(coupling)

#define stiffness ssGetFcnParam(S, 0)[0] /* N m/rad, at the load */
#define ratio ssGetFcnParam(S, 0)[1]

static void sbsInitializeSizes(sbsTask *S)
{
    ssSetNumInputs(S, 2);
    ssSetNumOutputs(S, 1);
}

static void sbsOutputs(double t, const double *x, const double *u, double *y, sbsTask *S)
{
    y[0] = stiffness * (u[0] / ratio - u[1]);
}
