/* A DC motor with a gear (listing C-4 of A. Diaz-Calderon's thesis, 2000). Its output is a state: the angle. */

#include "tellegen_sbs.h"

DECLARE_CLASS(dcmotor)

#define Jm ssGetFcnParam(S, 0)[0] /* inertia of the rotor */
#define bm ssGetFcnParam(S, 0)[1] /* friction */
#define Km ssGetFcnParam(S, 0)[2] /* torque constant */
#define Kl ssGetFcnParam(S, 0)[3] /* gain of the amplifier */
#define n ssGetFcnParam(S, 0)[4]  /* ratio of the gear */

static void sbsInitializeSizes(sbsTask *S)
{
    ssSetNumContStates(S, 2);
    ssSetNumInputs(S, 2);
    ssSetNumOutputs(S, 1);
}

static void sbsOutputs(double t, const double *x, const double *u, double *y, sbsTask *S)
{
    y[0] = x[0];
}

static void sbsDerivatives(double t, const double *x, const double *u, double *dx, sbsTask *S)
{
    double drive = Km * Kl * u[0];
    dx[0] = x[1];
    dx[1] = (drive - bm * x[1] - u[1] / n) / Jm;
}
