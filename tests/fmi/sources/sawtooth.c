/* A counter without event indicators, as an FMU of FMI 2.0 for the tests: x' = 1, and after a completed step at which x
   is 1 or more it asks for an event, which takes 1 away. Written for this purpose. */

#include <stddef.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))
enum { OK = 0, ERROR = 3 };

typedef struct {
    double t, x;
    int teeth, steps;
} Saw;
typedef struct {
    int again, stop, nominals, states, defined;
    double next;
} Info;

EXPORT void *fmi2Instantiate(const char *n, int k, const char *g, const char *r, const void *c, int v, int l) {
    return calloc(1, sizeof(Saw));
}
EXPORT void fmi2FreeInstance(void *c) { free(c); }
EXPORT int fmi2SetupExperiment(void *c, int td, double tol, double start, int sd, double stop) { return OK; }
EXPORT int fmi2EnterInitializationMode(void *c) { return OK; }
EXPORT int fmi2ExitInitializationMode(void *c) { return OK; }
EXPORT int fmi2EnterEventMode(void *c) { return OK; }
EXPORT int fmi2EnterContinuousTimeMode(void *c) { return OK; }
EXPORT int fmi2NewDiscreteStates(void *c, Info *info) {
    Saw *s = c;
    info->again = info->stop = info->nominals = info->states = info->defined = 0;
    if (s->x >= 1.0) {
        s->x -= 1.0;
        s->teeth += 1;
        info->states = 1;
    }
    return OK;
}
EXPORT int fmi2CompletedIntegratorStep(void *c, int no, int *event, int *stop) {
    Saw *s = c;
    s->steps += 1;
    *event = s->x >= 1.0;
    *stop = s->teeth >= 8;
    return OK;
}
EXPORT int fmi2SetTime(void *c, double t) {
    ((Saw *)c)->t = t;
    return OK;
}
EXPORT int fmi2SetContinuousStates(void *c, const double *x, size_t n) {
    ((Saw *)c)->x = x[0];
    return OK;
}
EXPORT int fmi2GetContinuousStates(void *c, double *x, size_t n) {
    x[0] = ((Saw *)c)->x;
    return OK;
}
EXPORT int fmi2GetDerivatives(void *c, double *d, size_t n) {
    d[0] = 1.0;
    return OK;
}
EXPORT int fmi2GetEventIndicators(void *c, double *z, size_t n) { return OK; }
EXPORT int fmi2SetReal(void *c, const unsigned *vr, size_t n, const double *x) {
    ((Saw *)c)->x = x[0];
    return OK;
}
EXPORT int fmi2GetReal(void *c, const unsigned *vr, size_t n, double *x) {
    for (size_t k = 0; k < n; k++) x[k] = vr[k] == 2 ? 1.0 : ((Saw *)c)->x;
    return OK;
}
EXPORT int fmi2GetInteger(void *c, const unsigned *vr, size_t n, int *x) {
    for (size_t k = 0; k < n; k++) x[k] = vr[k] == 3 ? ((Saw *)c)->teeth : ((Saw *)c)->steps;
    return OK;
}
