/* A chain of N masses that diffuse, with a cubic sink, as an FMU of FMI 3.0 for the tests: a tridiagonal Jacobian,
   directional derivatives, memory that only completed steps change, and counters of calls. Written for this purpose. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))
#define N 6
enum { OK = 0, ERROR = 3 };
enum { STATE = 1, RATE = STATE + N, INPUT = RATE + N, OUTPUT, PEAK };
enum { DERIVATIVES, DIRECTIONAL, COMPLETED, STATES_SET, KINDS };

typedef struct {
    double t, x[N], u, peak;
} Chain;

static long calls[KINDS];
EXPORT long chain_calls(int kind) { return calls[kind]; }

typedef void (*Log)(void *, int, const char *, const char *);
EXPORT void *fmi3InstantiateModelExchange(const char *n, const char *token, const char *r, bool v, bool l, void *e, Log g) {
    return calloc(1, sizeof(Chain));
}
EXPORT void fmi3FreeInstance(void *c) { free(c); }
EXPORT int fmi3EnterInitializationMode(void *c, bool td, double tol, double start, bool sd, double stop) { return OK; }
EXPORT int fmi3ExitInitializationMode(void *c) { return OK; }
EXPORT int fmi3EnterEventMode(void *c) { return OK; }
EXPORT int fmi3EnterContinuousTimeMode(void *c) { return OK; }
EXPORT int fmi3UpdateDiscreteStates(void *c, bool *again, bool *stop, bool *nominals, bool *states, bool *defined, double *next) {
    *again = *stop = *nominals = *states = *defined = false;
    return OK;
}
EXPORT int fmi3CompletedIntegratorStep(void *c, bool n, bool *event, bool *stop) {
    Chain *m = c;
    calls[COMPLETED]++;
    if (m->x[0] > m->peak) m->peak = m->x[0];
    *event = *stop = false;
    return OK;
}
EXPORT int fmi3SetTime(void *c, double t) {
    ((Chain *)c)->t = t;
    return OK;
}
EXPORT int fmi3SetContinuousStates(void *c, const double *x, size_t n) {
    calls[STATES_SET]++;
    for (size_t k = 0; k < n; k++) ((Chain *)c)->x[k] = x[k];
    return OK;
}
EXPORT int fmi3GetContinuousStates(void *c, double *x, size_t n) {
    for (size_t k = 0; k < n; k++) x[k] = ((Chain *)c)->x[k];
    return OK;
}
static double rate(const Chain *m, int k) {
    double left = k ? m->x[k - 1] : m->u, here = m->x[k], right = k < N - 1 ? m->x[k + 1] : 0.0;
    return left - 2.0 * here + right - here * here * here;
}
EXPORT int fmi3GetContinuousStateDerivatives(void *c, double *d, size_t n) {
    calls[DERIVATIVES]++;
    for (int k = 0; k < N; k++) d[k] = rate(c, k);
    return OK;
}
EXPORT int fmi3GetEventIndicators(void *c, double *z, size_t n) { return OK; }
EXPORT int fmi3SetFloat64(void *c, const uint32_t *vr, size_t nvr, const double *x, size_t n) {
    for (size_t k = 0; k < nvr; k++) {
        if (vr[k] == INPUT) ((Chain *)c)->u = x[k];
        else if (vr[k] >= STATE && vr[k] < RATE) ((Chain *)c)->x[vr[k] - STATE] = x[k];
        else return ERROR;
    }
    return OK;
}
EXPORT int fmi3GetFloat64(void *c, const uint32_t *vr, size_t nvr, double *x, size_t n) {
    Chain *m = c;
    for (size_t k = 0; k < nvr; k++) {
        if (vr[k] >= STATE && vr[k] < RATE) x[k] = m->x[vr[k] - STATE];
        else if (vr[k] >= RATE && vr[k] < INPUT) x[k] = rate(m, (int)vr[k] - RATE);
        else if (vr[k] == OUTPUT) x[k] = m->x[N - 1] + 0.5 * m->u;
        else if (vr[k] == PEAK) x[k] = m->peak;
        else return ERROR;
    }
    return OK;
}
static double moved(const Chain *m, uint32_t unknown, uint32_t known) { /* of an unknown by a known */
    int column = known == INPUT ? -1 : (int)known - STATE;
    if (unknown == OUTPUT) return column == N - 1 ? 1.0 : column == -1 ? 0.5 : 0.0;
    if (unknown == PEAK) return 0.0;
    int row = (int)unknown - RATE;
    if (column == row) return -2.0 - 3.0 * m->x[row] * m->x[row];
    return column == row - 1 || column == row + 1 ? 1.0 : 0.0;
}
EXPORT int fmi3GetDirectionalDerivative(void *c, const uint32_t *unknowns, size_t nu, const uint32_t *knowns, size_t nk,
                                        const double *seed, size_t ns, double *result, size_t nr) {
    calls[DIRECTIONAL]++;
    for (size_t i = 0; i < nu; i++) {
        if (unknowns[i] < RATE || unknowns[i] == INPUT) return ERROR;
        result[i] = 0.0;
        for (size_t j = 0; j < nk; j++) result[i] += moved(c, unknowns[i], knowns[j]) * seed[j];
    }
    return OK;
}
