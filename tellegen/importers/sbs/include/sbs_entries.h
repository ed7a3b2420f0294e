/* sbs_entries.h: how Tellegen calls a component of tellegen_sbs.h. Included before the user's source.
 *
 * Native code calls  void f(double t, const double *x, const double *u, const double *p, double *result)  where p
 * begins with a description of the instance: seven sizes, whether they depend on parameters, the number of parameter
 * arrays and their lengths. Each call makes the record of its task on the stack, so that instances and threads share nothing. Results and work vectors
 * stand between guard words; a component that writes there, or leaves a result unwritten, is found out: the fault is
 * returned to Python, and native code gets results that are no numbers.
 */
#ifndef SBS_ENTRIES_H
#define SBS_ENTRIES_H

#include <stdlib.h>
#include <string.h>

enum { SBS_OUTPUTS = 0, SBS_DERIVATIVES = 1, SBS_UPDATE = 2 };
enum { SBS_FINE = 0, SBS_RESULT = 1, SBS_RWORK = 2, SBS_IWORK = 3, SBS_PWORK = 4 };
enum { SBS_MEMORY = 5, SBS_UNWRITTEN = 6, SBS_OTHER_SIZES = 7 };
enum { SBS_SIZES = 7, SBS_DESCRIPTION = 8, SBS_GUARD = 4, SBS_SMALL = 256, SBS_ARRAYS = 16, SBS_MISSING = 64 };

#ifdef _WIN32
#define SBS_EXPORT_ __declspec(dllexport)
#else
#define SBS_EXPORT_
#endif
#define SBS_ENTRIES_(classname)                                                                                       \
    static void sbs_initialize_(sbsTask *sbs_class_) { sbsInitializeClass_##classname(sbs_class_); }                  \
    SBS_EXPORT_ void sbs_sizes(const double *sbs_p_, double *sbs_sizes_)                                              \
    {                                                                                                                 \
        sbs_sizes_of_(sbs_initialize_, sbs_p_, sbs_sizes_);                                                           \
    }                                                                                                                 \
    SBS_EXPORT_ int sbs_call(int sbs_what_, double sbs_fill_, double sbs_t_, const double *sbs_x_,                    \
                             const double *sbs_u_, const double *sbs_p_, double *sbs_y_)                              \
    {                                                                                                                 \
        return sbs_run_(sbs_initialize_, sbs_what_, sbs_fill_, sbs_t_, sbs_x_, sbs_u_, sbs_p_, sbs_y_);               \
    }                                                                                                                 \
    SBS_EXPORT_ void sbs_outputs(double sbs_t_, const double *sbs_x_, const double *sbs_u_, const double *sbs_p_,     \
                                 double *sbs_y_)                                                                      \
    {                                                                                                                 \
        sbs_run_(sbs_initialize_, SBS_OUTPUTS, 0.0, sbs_t_, sbs_x_, sbs_u_, sbs_p_, sbs_y_);                          \
    }                                                                                                                 \
    SBS_EXPORT_ void sbs_derivatives(double sbs_t_, const double *sbs_x_, const double *sbs_u_, const double *sbs_p_, \
                                     double *sbs_y_)                                                                  \
    {                                                                                                                 \
        sbs_run_(sbs_initialize_, SBS_DERIVATIVES, 0.0, sbs_t_, sbs_x_, sbs_u_, sbs_p_, sbs_y_);                      \
    }                                                                                                                 \
    SBS_EXPORT_ void sbs_update(double sbs_t_, const double *sbs_x_, const double *sbs_u_, const double *sbs_p_,      \
                                double *sbs_y_)                                                                       \
    {                                                                                                                 \
        sbs_run_(sbs_initialize_, SBS_UPDATE, 0.0, sbs_t_, sbs_x_, sbs_u_, sbs_p_, sbs_y_);                           \
    }

#include "tellegen_sbs.h"

/* Two values that are no numbers and that no calculation yields: of what nobody has written, and of parameters that
 * were not given. */
#define SBS_FOUR_(word) word, word, word, word
#define SBS_SIXTEEN_(word) SBS_FOUR_(word), SBS_FOUR_(word), SBS_FOUR_(word), SBS_FOUR_(word)
#define SBS_UNWRITTEN_WORD_ 0x7ffc5ba55ba55ba5ULL
#define SBS_NOT_GIVEN_ 0x7ffca11ca11ca11cULL
static const union {
    unsigned long long bits;
    double number;
} sbs_guard_ = {SBS_UNWRITTEN_WORD_};
static const union {
    unsigned long long bits[SBS_MISSING];
    double numbers[SBS_MISSING];
} sbs_missing_ = {{SBS_SIXTEEN_(SBS_NOT_GIVEN_), SBS_SIXTEEN_(SBS_NOT_GIVEN_), SBS_SIXTEEN_(SBS_NOT_GIVEN_),
                   SBS_SIXTEEN_(SBS_NOT_GIVEN_)}};

static int sbs_is_guard_(const double *place)
{
    unsigned long long bits;
    memcpy(&bits, place, sizeof bits);
    return bits == SBS_UNWRITTEN_WORD_;
}

static int sbs_is_intact_(const double *guard)
{
    return sbs_is_guard_(guard) & sbs_is_guard_(guard + 1) & sbs_is_guard_(guard + 2) & sbs_is_guard_(guard + 3);
}

/* Parameters: arrays that were not given are not numbers, so that code which reads them fails in words. */
static void sbs_take_parameters_(sbsTask *S, const double *described, const double **arrays)
{
    int given = (int)described[0];
    const double *lengths = described + 1;
    const double *values = lengths + given;
    int k;
    for (k = 0; k < given && k < SBS_ARRAYS; ++k) {
        arrays[k] = values;
        values += (int)lengths[k];
    }
    for (; k < SBS_ARRAYS; ++k)
        arrays[k] = sbs_missing_.numbers;
    ssSetFcnParamsCount(S, given);
    ssSetFcnParamsPtr(S, arrays);
}

static void sbs_sizes_of_(sbsTaskMethod initialize, const double *described, double *sizes)
{
    const double *arrays[SBS_ARRAYS];
    sbsTask task;
    memset(&task, 0, sizeof task);
    initialize(&task);
    sbs_take_parameters_(&task, described, arrays);
    task.sizes.directFeedThrough = -1;
    fcnInitializeSizes(&task);
    sizes[0] = ssGetNumContStates(&task);
    sizes[1] = ssGetNumDiscStates(&task);
    sizes[2] = ssGetNumInputs(&task);
    sizes[3] = ssGetNumOutputs(&task);
    sizes[4] = ssGetNumRWork(&task);
    sizes[5] = ssGetNumIWork(&task);
    sizes[6] = ssGetNumPWork(&task);
    sizes[7] = ssGetDirectFeedThrough(&task);
    sizes[8] = ssGetSampleTime(&task);
    if (task.modelMethods.sbsFcn.terminate)
        fcnTerminate(&task);
}

/* Whether an instance has the sizes of its class with the parameters of this call. */
static int sbs_has_sizes_(sbsTaskMethod initialize, const double *p)
{
    double sizes[SBS_SIZES + 2];
    sbs_sizes_of_(initialize, p + SBS_DESCRIPTION, sizes);
    return memcmp(sizes, p, SBS_SIZES * sizeof(double)) == 0;
}

/* The first area before or after which a guard was overwritten, or a result that was not written. */
static int sbs_fault_(const double *arena, const int *lengths, const double *result, int results)
{
    const double *guard = arena;
    int area;
    int k;
    if (!sbs_is_intact_(guard))
        return SBS_RESULT;
    for (area = 0; area < 4; ++area) {
        guard += SBS_GUARD + lengths[area];
        if (!sbs_is_intact_(guard))
            return SBS_RESULT + area;
    }
    for (k = 0; k < results; ++k)
        if (sbs_is_guard_(result + k))
            return SBS_UNWRITTEN;
    return SBS_FINE;
}

static int sbs_run_(sbsTaskMethod initialize, int what, double fill, double t, const double *x, const double *u,
                    const double *p, double *y)
{
    int results = (int)(what == SBS_OUTPUTS ? p[3] : what == SBS_DERIVATIVES ? p[0] : p[1]);
    int ints = ((int)p[5] * (int)sizeof(int) + 7) / 8;
    int pointers = ((int)p[6] * (int)sizeof(void *) + 7) / 8;
    int lengths[4] = {results, (int)p[4], ints, pointers};
    int total = 5 * SBS_GUARD + lengths[0] + lengths[1] + lengths[2] + lengths[3];
    double small[SBS_SMALL];
    double *arena = total <= SBS_SMALL ? small : (double *)malloc((size_t)total * sizeof(double));
    const double *arrays[SBS_ARRAYS];
    double *areas[4];
    int fault = SBS_MEMORY;
    int k;
    if (p[SBS_SIZES] != 0.0 && !sbs_has_sizes_(initialize, p)) {
        fault = SBS_OTHER_SIZES;
    } else if (arena) {
        sbsTask task;
        double *place = arena;
        for (k = 0; k < total; ++k)
            arena[k] = sbs_guard_.number;
        for (k = 0; k < 4; ++k) {
            areas[k] = place + SBS_GUARD;
            place = areas[k] + lengths[k];
        }
        for (k = 0; k < lengths[1]; ++k)
            areas[1][k] = fill;
        memset(areas[2], fill != 0.0, (size_t)lengths[2] * sizeof(double));
        memset(areas[3], 0, (size_t)lengths[3] * sizeof(double));
        memset(&task, 0, sizeof task);
        initialize(&task);
        task.sizes.numContStates = (int)p[0];
        task.sizes.numDiscStates = (int)p[1];
        task.sizes.numInputs = (int)p[2];
        task.sizes.numOutputs = (int)p[3];
        task.sizes.numRWork = (int)p[4];
        task.sizes.numIWork = (int)p[5];
        task.sizes.numPWork = (int)p[6];
        sbs_take_parameters_(&task, p + SBS_DESCRIPTION, arrays);
        ssSetX(&task, (double *)x);
        ssSetU(&task, (double *)u);
        ssSetRWork(&task, areas[1]);
        ssSetIWork(&task, (int *)areas[2]);
        ssSetPWork(&task, (void **)areas[3]);
        if (what == SBS_OUTPUTS) {
            ssSetY(&task, areas[0]);
            fcnOutputs(t, x, u, areas[0], &task);
        } else {
            ssSetdX(&task, areas[0]);
            if (what == SBS_DERIVATIVES)
                fcnDerivatives(t, x, u, areas[0], &task);
            else
                fcnUpdate(t, x, u, areas[0], &task);
        }
        fault = sbs_fault_(arena, lengths, areas[0], results);
        memcpy(y, areas[0], (size_t)results * sizeof(double));
    }
    if (arena != small)
        free(arena);
    if (fault)
        for (k = 0; k < results; ++k)
            y[k] = sbs_guard_.number;
    return fault;
}

#endif
