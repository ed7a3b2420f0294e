/* A ball above a table, as an FMU of FMI 3.0 for the tests: two states, an input, an event indicator, a time event,
   a discrete output, a parameter. Written for this purpose; it contains no more than the tests call. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { OK = 0, ERROR = 3 };
enum { HEIGHT = 1, SPEED = 2, RATE_H = 3, RATE_V = 4, FORCE = 5, ENERGY = 6, RESTITUTION = 7, BOUNCES = 8, FAN = 9 };

typedef struct {
    double t, h, v, force, e, z;
    int32_t bounces;
    bool fan;
    double next;
} Ball;

typedef void (*Log)(void *, int, const char *, const char *);

static void *made(const char *token) {
    if (strcmp(token, "{ball}") != 0) return NULL;
    Ball *b = calloc(1, sizeof *b);
    b->h = 1.0;
    b->e = 0.8;
    b->next = 0.25;
    return b;
}

EXPORT void *fmi3InstantiateModelExchange(const char *n, const char *token, const char *r, bool v, bool l, void *e, Log g) {
    return made(token);
}
EXPORT void *fmi3InstantiateCoSimulation(const char *n, const char *token, const char *r, bool v, bool l, bool ev, bool er,
                                         const uint32_t *q, size_t nq, void *e, Log g, void *u) {
    return made(token);
}
EXPORT void fmi3FreeInstance(void *c) { free(c); }
EXPORT int fmi3EnterInitializationMode(void *c, bool td, double tol, double start, bool sd, double stop) {
    ((Ball *)c)->t = start;
    return OK;
}
EXPORT int fmi3ExitInitializationMode(void *c) { return ((Ball *)c)->e > 1.0 ? ERROR : OK; }
EXPORT int fmi3EnterEventMode(void *c) { return OK; }
EXPORT int fmi3EnterContinuousTimeMode(void *c) { return OK; }
EXPORT int fmi3CompletedIntegratorStep(void *c, bool n, bool *event, bool *stop) {
    *event = *stop = false;
    return OK;
}
EXPORT int fmi3UpdateDiscreteStates(void *c, bool *again, bool *stop, bool *nominals, bool *states, bool *defined, double *next) {
    Ball *b = c;
    *again = *stop = *nominals = *states = false;
    if (b->e == 0.25 && b->bounces == 1) return ERROR; /* for the test of events that fail */
    if (b->h <= 0.0 && b->v < 0.0) {
        if (b->e == -1.25) abort();
        b->h = 0.0;
        b->v = -b->e * b->v;
        b->bounces += 1;
        *states = true;
    }
    if (b->t >= b->next) { /* the fan is switched on once */
        b->fan = true;
        b->next = 1e9;
    }
    *defined = b->next < 1e8;
    *next = b->next;
    return OK;
}
EXPORT int fmi3SetTime(void *c, double t) {
    ((Ball *)c)->t = t;
    return OK;
}
EXPORT int fmi3SetContinuousStates(void *c, const double *x, size_t n) {
    ((Ball *)c)->h = x[0];
    ((Ball *)c)->v = x[1];
    return OK;
}
EXPORT int fmi3GetContinuousStates(void *c, double *x, size_t n) {
    x[0] = ((Ball *)c)->h;
    x[1] = ((Ball *)c)->v;
    return OK;
}
static double acceleration(const Ball *b) { return b->force - 9.81 + (b->fan ? 1.0 : 0.0); }
EXPORT int fmi3GetContinuousStateDerivatives(void *c, double *d, size_t n) {
    if (((Ball *)c)->e < -1.5 && ((Ball *)c)->t > 0.1) abort(); /* for the test of crashes */
    d[0] = ((Ball *)c)->v;
    d[1] = acceleration(c);
    return OK;
}
EXPORT int fmi3GetEventIndicators(void *c, double *z, size_t n) {
    z[0] = ((Ball *)c)->h;
    return OK;
}
EXPORT int fmi3SetFloat64(void *c, const uint32_t *vr, size_t nvr, const double *x, size_t n) {
    Ball *b = c;
    for (size_t k = 0; k < nvr; k++) switch (vr[k]) {
        case HEIGHT: b->h = x[k]; break;
        case SPEED: b->v = x[k]; break;
        case FORCE: b->force = x[k]; break;
        case RESTITUTION: b->e = x[k]; break;
        default: return ERROR;
    }
    return OK;
}
EXPORT int fmi3GetFloat64(void *c, const uint32_t *vr, size_t nvr, double *x, size_t n) {
    Ball *b = c;
    for (size_t k = 0; k < nvr; k++) switch (vr[k]) {
        case 0: x[k] = b->t; break;
        case HEIGHT: x[k] = b->h; break;
        case SPEED: x[k] = b->v; break;
        case RATE_H: x[k] = b->v; break;
        case RATE_V: x[k] = acceleration(b); break;
        case FORCE: x[k] = b->force; break;
        case ENERGY: x[k] = 9.81 * b->h + 0.5 * b->v * b->v; break;
        case RESTITUTION: x[k] = b->e; break;
        default: return ERROR;
    }
    return OK;
}
EXPORT int fmi3GetInt32(void *c, const uint32_t *vr, size_t nvr, int32_t *x, size_t n) {
    x[0] = ((Ball *)c)->bounces;
    return OK;
}
EXPORT int fmi3GetBoolean(void *c, const uint32_t *vr, size_t nvr, bool *x, size_t n) {
    x[0] = ((Ball *)c)->fan;
    return OK;
}
EXPORT int fmi3DoStep(void *c, double t, double step, bool no, bool *event, bool *stop, bool *early, double *last) {
    Ball *b = c;
    bool ignored, defined;
    double next;
    if (b->e < 0.0) abort(); /* for the test of crashes */
    int parts = 200; /* Euler's symplectic method: good enough for the tests */
    *event = *stop = *early = false;
    for (int k = 0; k < parts; k++) {
        double h = step / parts;
        b->v += h * acceleration(b);
        b->h += h * b->v;
        b->t = t + (k + 1) * h;
        fmi3UpdateDiscreteStates(c, &ignored, &ignored, &ignored, &ignored, &defined, &next);
    }
    *last = t + step;
    return OK;
}
