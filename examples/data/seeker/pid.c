/* A PID controller of an angle: inputs are angle, rate, and what is wanted of both. The thesis prints the gains only. */

#include "tellegen_sbs.h"

DECLARE_CLASS(pid)

#define Kp ssGetFcnParam(S, 0)[0]
#define Ki ssGetFcnParam(S, 0)[1]
#define Kd ssGetFcnParam(S, 0)[2]

static void sbsInitializeSizes(sbsTask *S)
{
    ssSetNumContStates(S, 1); /* the integral of the error */
    ssSetNumInputs(S, 4);
    ssSetNumOutputs(S, 1);
}

static void sbsOutputs(double t, const double *x, const double *u, double *y, sbsTask *S)
{
    y[0] = Kp * (u[2] - u[0]) + Ki * x[0] + Kd * (u[3] - u[1]);
}

static void sbsDerivatives(double t, const double *x, const double *u, double *dx, sbsTask *S)
{
    dx[0] = u[2] - u[0];
}
