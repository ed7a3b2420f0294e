/* tellegen_sbs.h: components of a simulation written in C.
 *
 *     #include "tellegen_sbs.h"
 *
 *     DECLARE_CLASS(lag)
 *
 *     #define T ssGetFcnParam(S, 0)[0]
 *
 *     static void sbsInitializeSizes(sbsTask *S)
 *     {
 *         ssSetNumContStates(S, 1);
 *         ssSetNumInputs(S, 1);
 *         ssSetNumOutputs(S, 1);
 *     }
 *
 *     static void sbsOutputs(double t, const double *x, const double *u, double *y, sbsTask *S)
 *     {
 *         y[0] = x[0];
 *     }
 *
 *     static void sbsDerivatives(double t, const double *x, const double *u, double *dx, sbsTask *S)
 *     {
 *         dx[0] = (u[0] - x[0]) / T;
 *     }
 *
 * sbsInitializeSizes  once for each description of a component: sizes, nothing else
 * sbsOutputs          at every evaluation: all outputs from time, states and inputs
 * sbsDerivatives      at every evaluation: the derivatives of the continuous states
 * sbsUpdate           at the sampling instants: the next discrete states, dx[0] being the first discrete one
 * sbsTerminate        once for each sbsInitializeSizes
 *
 * The vector x holds the continuous states, then the discrete ones. Methods may be static or not; those without a
 * purpose may be left out. One copy of the code serves all instances and threads at once, and an integrator repeats
 * and rejects evaluations: what a method returns must follow from its arguments alone. Hence no static variables, and
 * work vectors that belong to one call: all zero when it begins, forgotten when it ends. What is to be remembered is a
 * state.
 */
#ifndef TELLEGEN_SBS_H
#define TELLEGEN_SBS_H

typedef struct sbsTask sbsTask;
typedef void (*sbsTaskMethod)(sbsTask *S);
typedef void (*sbsVectorMethod)(double t, const double *x, const double *u, double *result, sbsTask *S);

typedef struct {
    int numContStates;
    int numDiscStates;
    int numInputs;
    int numOutputs;
    int numRWork;
    int numIWork;
    int numPWork;
    int directFeedThrough; /* 1 or 0 where declared, -1 where it is to be inferred */
    double sampleTime;     /* the period of sbsUpdate, in seconds */
} sbsSizes;

typedef struct {
    int count;
    const double **params; /* one array for each array of setParam */
} sbsParams;

typedef struct {
    double *U;
    double *Y;
    double *X;
    double *dX;
} sbsVectors;

typedef struct {
    double *rWork;
    int *iWork;
    void **pWork;
    int *mapVector; /* where the inputs stand among all outputs; not known to code that serves many instances: 0 */
} sbsWork;

typedef struct {
    sbsTaskMethod initializeSizes;
    sbsTaskMethod terminate;
    sbsVectorMethod outputs;
    sbsVectorMethod derivatives;
    sbsVectorMethod update;
} sbsMethods;

struct sbsTask {
    const char *modelName;
    sbsSizes sizes;
    sbsParams fcnParams;
    sbsVectors states;
    sbsWork work;
    struct {
        sbsMethods sbsFcn;
    } modelMethods;
};

/* Name and sizes */

#define ssGetModelName(S) ((S)->modelName)
#define ssSetModelName(S, name) ((S)->modelName = (name))

#define ssGetNumContStates(S) ((S)->sizes.numContStates)
#define ssSetNumContStates(S, count) ((S)->sizes.numContStates = (count))
#define ssGetNumDiscStates(S) ((S)->sizes.numDiscStates)
#define ssSetNumDiscStates(S, count) ((S)->sizes.numDiscStates = (count))
#define ssGetNumTotalStates(S) (ssGetNumContStates(S) + ssGetNumDiscStates(S))
#define ssGetNumInputs(S) ((S)->sizes.numInputs)
#define ssSetNumInputs(S, count) ((S)->sizes.numInputs = (count))
#define ssGetNumOutputs(S) ((S)->sizes.numOutputs)
#define ssSetNumOutputs(S, count) ((S)->sizes.numOutputs = (count))
#define ssGetNumRWork(S) ((S)->sizes.numRWork)
#define ssSetNumRWork(S, count) ((S)->sizes.numRWork = (count))
#define ssGetNumIWork(S) ((S)->sizes.numIWork)
#define ssSetNumIWork(S, count) ((S)->sizes.numIWork = (count))
#define ssGetNumPWork(S) ((S)->sizes.numPWork)
#define ssSetNumPWork(S, count) ((S)->sizes.numPWork = (count))

#define ssGetSampleTime(S) ((S)->sizes.sampleTime)
#define ssSetSampleTime(S, seconds) ((S)->sizes.sampleTime = (seconds))
#define ssGetDirectFeedThrough(S) ((S)->sizes.directFeedThrough)
#define ssSetDirectFeedThrough(S, flag) ((S)->sizes.directFeedThrough = (flag) != 0)

/* Parameters: element j of array i is ssGetFcnParam(S, i)[j] */

#define ssGetFcnParamsCount(S) ((S)->fcnParams.count)
#define ssSetFcnParamsCount(S, number) ((S)->fcnParams.count = (number))
#define ssGetFcnParamsPtr(S) ((S)->fcnParams.params)
#define ssSetFcnParamsPtr(S, pointer) ((S)->fcnParams.params = (pointer))
#define ssGetFcnParam(S, index) ((S)->fcnParams.params[index])
#define ssSetFcnParam(S, index, array) ((S)->fcnParams.params[index] = (array))
#define ssGetFcnParams(S, index) ssGetFcnParam(S, index)

/* Vectors */

#define ssGetU(S) ((S)->states.U)
#define ssSetU(S, vector) ((S)->states.U = (vector))
#define ssGetY(S) ((S)->states.Y)
#define ssSetY(S, vector) ((S)->states.Y = (vector))
#define ssGetX(S) ((S)->states.X)
#define ssSetX(S, vector) ((S)->states.X = (vector))
#define ssGetdX(S) ((S)->states.dX)
#define ssSetdX(S, vector) ((S)->states.dX = (vector))

/* Work vectors */

#define ssGetRWork(S) ((S)->work.rWork)
#define ssSetRWork(S, vector) ((S)->work.rWork = (vector))
#define ssGetRWorkValue(S, index) ((S)->work.rWork[index])
#define ssSetRWorkValue(S, index, value) ((S)->work.rWork[index] = (value))
#define ssGetIWork(S) ((S)->work.iWork)
#define ssSetIWork(S, vector) ((S)->work.iWork = (vector))
#define ssGetIWorkValue(S, index) ((S)->work.iWork[index])
#define ssSetIWorkValue(S, index, value) ((S)->work.iWork[index] = (value))
#define ssGetPWork(S) ((S)->work.pWork)
#define ssSetPWork(S, vector) ((S)->work.pWork = (vector))
#define ssGetPWorkValue(S, index) ((S)->work.pWork[index])
#define ssSetPWorkValue(S, index, value) ((S)->work.pWork[index] = (value))
#define ssGetmapV(S) ((S)->work.mapVector)
#define ssSetmapV(S, vector) ((S)->work.mapVector = (vector))

/* Methods: how they are registered and called */

#define ssSetsbsInitializeSizes(S, method) ((S)->modelMethods.sbsFcn.initializeSizes = (method))
#define ssSetsbsTerminate(S, method) ((S)->modelMethods.sbsFcn.terminate = (method))
#define ssSetsbsOutputs(S, method) ((S)->modelMethods.sbsFcn.outputs = (method))
#define ssSetsbsDerivatives(S, method) ((S)->modelMethods.sbsFcn.derivatives = (method))
#define ssSetsbsUpdate(S, method) ((S)->modelMethods.sbsFcn.update = (method))
#define fcnInitializeSizes(S) ((S)->modelMethods.sbsFcn.initializeSizes(S))
#define fcnTerminate(S) ((S)->modelMethods.sbsFcn.terminate(S))
#define fcnOutputs(t, x, u, y, S) ((S)->modelMethods.sbsFcn.outputs(t, x, u, y, S))
#define fcnDerivatives(t, x, u, dx, S) ((S)->modelMethods.sbsFcn.derivatives(t, x, u, dx, S))
#define fcnUpdate(t, x, u, next, S) ((S)->modelMethods.sbsFcn.update(t, x, u, next, S))
#define ssCopyModelMethods(T, S) ((T)->modelMethods = (S)->modelMethods)

/* DECLARE_CLASS(name) declares the methods, makes the record of the class and the function that fills its table of
 * methods. A method declared static here may be defined with or without the word. Tellegen defines SBS_WITHOUT_... for
 * the methods that a source leaves out; without it, only sbsUpdate may be left out. */

#ifdef SBS_WITHOUT_OUTPUTS
#define SBS_OUTPUTS_ 0
#else
#define SBS_OUTPUTS_ sbsOutputs
#endif
#ifdef SBS_WITHOUT_DERIVATIVES
#define SBS_DERIVATIVES_ 0
#else
#define SBS_DERIVATIVES_ sbsDerivatives
#endif
#ifdef SBS_WITHOUT_TERMINATE
#define SBS_TERMINATE_ 0
#else
#define SBS_TERMINATE_ sbsTerminate
#endif
#ifdef SBS_WITH_UPDATE
#define SBS_UPDATE_ sbsUpdate
#else
#define SBS_UPDATE_ 0
#endif
#ifndef SBS_ENTRIES_ /* what Tellegen adds to load a class; see sbs_entries.h */
#define SBS_ENTRIES_(classname)
#endif

#define DECLARE_CLASS(classname)                                                                                      \
    static void sbsInitializeSizes(sbsTask *);                                                                        \
    static void sbsTerminate(sbsTask *);                                                                              \
    static void sbsOutputs(double, const double *, const double *, double *, sbsTask *);                              \
    static void sbsDerivatives(double, const double *, const double *, double *, sbsTask *);                          \
    static void sbsUpdate(double, const double *, const double *, double *, sbsTask *);                               \
    void sbsInitializeClass_##classname(sbsTask *sbs_class_)                                                          \
    {                                                                                                                 \
        ssSetModelName(sbs_class_, "SIMKIT sbs-task \"" #classname "\"");                                             \
        ssSetsbsInitializeSizes(sbs_class_, sbsInitializeSizes);                                                      \
        ssSetsbsTerminate(sbs_class_, SBS_TERMINATE_);                                                                \
        ssSetsbsOutputs(sbs_class_, SBS_OUTPUTS_);                                                                    \
        ssSetsbsDerivatives(sbs_class_, SBS_DERIVATIVES_);                                                            \
        ssSetsbsUpdate(sbs_class_, SBS_UPDATE_);                                                                      \
    }                                                                                                                 \
    SBS_ENTRIES_(classname)

#endif
