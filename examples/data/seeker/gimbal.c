/* A gimbal with two perpendicular axes: a ring that pitches, and in it a camera that yaws.
 *
 * The thesis prints the numbers, not the code. Read here as the principal inertias of ring and camera (kg m2), the
 * place of the ring's centre of mass from the pitch axis and of the camera's from the point where the axes meet, along
 * the yaw axis and away from it (m), and the masses (kg). Lagrange's equations of two rigid bodies, without gravity.
 */

#include <math.h>

#include "tellegen_sbs.h"

DECLARE_CLASS(gimbal)

#define ring_inertia ssGetFcnParam(S, 0)
#define camera_inertia ssGetFcnParam(S, 1)
#define offsets ssGetFcnParam(S, 2)
#define masses ssGetFcnParam(S, 3)

static void sbsInitializeSizes(sbsTask *S)
{
    ssSetNumContStates(S, 4); /* pitch, its rate, yaw, its rate */
    ssSetNumInputs(S, 2);     /* torques about both axes */
    ssSetNumOutputs(S, 4);
}

static void sbsOutputs(double t, const double *x, const double *u, double *y, sbsTask *S)
{
    y[0] = x[0];
    y[1] = x[1];
    y[2] = x[2];
    y[3] = x[3];
}

static void sbsDerivatives(double t, const double *x, const double *u, double *dx, sbsTask *S)
{
    double pitching = x[1];
    double yawing = x[3];
    double s = sin(x[2]);
    double c = cos(x[2]);
    double ring = ring_inertia[1] + masses[0] * (offsets[0] * offsets[0] + offsets[1] * offsets[1]);
    double height = offsets[2];
    double reach = offsets[3];
    double across = camera_inertia[0] - camera_inertia[1] - masses[1] * reach * reach;

    /* The mass matrix, and how it changes with yaw. */
    double m11 = ring + camera_inertia[1] + masses[1] * (height * height + reach * reach) + across * s * s;
    double m12 = -masses[1] * height * reach * s;
    double m22 = camera_inertia[2] + masses[1] * reach * reach;
    double m11_yaw = 2.0 * across * s * c;
    double m12_yaw = -masses[1] * height * reach * c;

    double pitch_torque = u[0] - m11_yaw * yawing * pitching - m12_yaw * yawing * yawing;
    double yaw_torque = u[1] + 0.5 * m11_yaw * pitching * pitching;
    double determinant = m11 * m22 - m12 * m12;

    dx[0] = pitching;
    dx[1] = (m22 * pitch_torque - m12 * yaw_torque) / determinant;
    dx[2] = yawing;
    dx[3] = (m11 * yaw_torque - m12 * pitch_torque) / determinant;
}
