/* The functions of FMI 3.0, for Model Exchange and Co-Simulation, over model.h. */
#include <stdbool.h>

#include "model.h"

typedef uint32_t Reference;
typedef void (*Logger)(void *environment, Status status, const char *category, const char *message);
typedef void (*IntermediateUpdate)(void *environment, double time, bool sets, bool gets, bool step_finished,
                                   bool can_return, bool *returns, double *return_time);

typedef struct {
    Model *model;
    Logger logger;
    IntermediateUpdate intermediate;
    void *environment;
    bool has_event_mode, can_return_early;
} Instance;

static void report(void *importer, Status status, const char *category, const char *text) {
    Instance *i = importer;
    if (i->logger) i->logger(i->environment, status, category, text);
}

static Model *model_of(void *instance) { return ((Instance *)instance)->model; }

static Instance *instantiated(const char *token, const char *resources, bool logs, void *environment, Logger logger) {
    Instance *i = malloc(sizeof *i);
    if (!i) return NULL;
    *i = (Instance){0};
    i->environment = environment;
    i->logger = logger;
    i->model = model_new(token);
    if (!i->model) {
        report(i, ERROR, "logStatusError", "the instantiation token is not that of this library, or there is no memory");
        free(i);
        return NULL;
    }
    if (!python_begin(resources)) {
        report(i, ERROR, "logStatusError", python_complaint());
        model_free(i->model);
        free(i);
        return NULL;
    }
    i->model->importer = i;
    i->model->report = report;
    i->model->logs_errors = 1;
    i->model->logs_events = logs;
    return i;
}

EXPORTED const char *fmi3GetVersion(void) { return "3.0"; }

EXPORTED Status fmi3SetDebugLogging(void *instance, bool logs, size_t count, const char *const categories[]) {
    return model_set_logging(model_of(instance), logs, count, categories);
}

EXPORTED void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                            bool logs, void *environment, Logger logger) {
    return instantiated(token, resources, logs, environment, logger);
}

EXPORTED void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                           bool logs, bool has_event_mode, bool can_return_early,
                                           const Reference intermediate_variables[], size_t count, void *environment,
                                           Logger logger, IntermediateUpdate intermediate) {
    Instance *i = instantiated(token, resources, logs, environment, logger);
    if (i) {
        i->has_event_mode = has_event_mode;
        i->can_return_early = can_return_early;
        i->intermediate = intermediate;
    }
    return i;
}

EXPORTED void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources,
                                                 bool visible, bool logs, void *environment, Logger logger,
                                                 void *clock, void *lock, void *unlock) {
    return NULL;
}

EXPORTED void fmi3FreeInstance(void *instance) {
    if (!instance) return;
    model_free(((Instance *)instance)->model);
    free(instance);
    python_end();
}

EXPORTED Status fmi3EnterInitializationMode(void *instance, bool has_tolerance, double tolerance, double start,
                                            bool has_stop, double stop) {
    Model *model = model_of(instance);
    double wanted = has_tolerance ? tolerance : 0.0;
    return model_ended(model, model_enter_initialization(model, start, has_stop ? stop : start, wanted));
}

EXPORTED Status fmi3ExitInitializationMode(void *instance) {
    Model *model = model_of(instance);
    int status = model_initialize(model);
    model->mode = EVENTS;
    return model_ended(model, status);
}

EXPORTED Status fmi3EnterEventMode(void *instance) { return model_enter_event_mode(model_of(instance)); }

EXPORTED Status fmi3Terminate(void *instance) {
    ((Instance *)instance)->model->mode = TERMINATING;
    return OK;
}

EXPORTED Status fmi3Reset(void *instance) {
    return model_ended(model_of(instance), model_reset(model_of(instance)));
}

#define TYPE_OF_VARIABLES(NAME, TYPE, VALUE)                                                                       \
    GET_AND_SET(NAME, TYPE, VALUE)                                                                                 \
    EXPORTED Status fmi3Get##NAME(void *instance, const Reference references[], size_t count, TYPE values[],       \
                                  size_t size) {                                                                   \
        return get_##NAME(model_of(instance), references, count, values, size);                                    \
    }                                                                                                              \
    EXPORTED Status fmi3Set##NAME(void *instance, const Reference references[], size_t count, const TYPE values[], \
                                  size_t size) {                                                                   \
        return set_##NAME(model_of(instance), references, count, values, size);                                    \
    }
TYPE_OF_VARIABLES(Float64, double, value)
TYPE_OF_VARIABLES(Int32, int32_t, (int32_t)ROUNDED(value))
TYPE_OF_VARIABLES(Int64, int64_t, (int64_t)ROUNDED(value))
TYPE_OF_VARIABLES(Boolean, bool, value > 0.5)
TYPE_OF_VARIABLES(UInt64, uint64_t, (uint64_t)ROUNDED(value))

/* Types that no variable has. */
#define ABSENT(NAME, TYPE)                                                                                         \
    EXPORTED Status fmi3Get##NAME(void *instance, const Reference references[], size_t count, TYPE values[],       \
                                  size_t size) {                                                                   \
        return count ? ERROR : OK;                                                                                 \
    }                                                                                                              \
    EXPORTED Status fmi3Set##NAME(void *instance, const Reference references[], size_t count, const TYPE values[], \
                                  size_t size) {                                                                   \
        return count ? ERROR : OK;                                                                                 \
    }
ABSENT(Float32, float)
ABSENT(Int8, int8_t)
ABSENT(UInt8, uint8_t)
ABSENT(Int16, int16_t)
ABSENT(UInt16, uint16_t)
ABSENT(UInt32, uint32_t)
ABSENT(String, char *)

EXPORTED Status fmi3GetBinary(void *instance, const Reference references[], size_t count, size_t sizes[],
                              const uint8_t *values[], size_t size) {
    return count ? ERROR : OK;
}
EXPORTED Status fmi3SetBinary(void *instance, const Reference references[], size_t count, const size_t sizes[],
                              const uint8_t *const values[], size_t size) {
    return count ? ERROR : OK;
}
EXPORTED Status fmi3GetClock(void *instance, const Reference references[], size_t count, bool values[]) {
    return count ? ERROR : OK;
}
EXPORTED Status fmi3SetClock(void *instance, const Reference references[], size_t count, const bool values[]) {
    return count ? ERROR : OK;
}
EXPORTED Status fmi3GetNumberOfVariableDependencies(void *instance, Reference reference, size_t *count) {
    return model_dependency_count(model_of(instance), reference, count);
}
EXPORTED Status fmi3GetVariableDependencies(void *instance, Reference dependent, size_t elements[],
                                            Reference independents[], size_t independent_elements[], int kinds[],
                                            size_t count) {
    size_t known = 0;
    if (model_dependency_count(model_of(instance), dependent, &known) != OK || known != count) return ERROR;
    const Sizes *sizes = model_of(instance)->sizes;
    const Dependencies *some = sizes->dependencies + sizes->dependency_starts[dependent];
    for (size_t k = 0; k < count; some++) {
        for (int64_t other = some->first; other <= some->last; other++, k++) {
            elements[k] = (size_t)some->element;
            independents[k] = (Reference)some->other;
            independent_elements[k] = (size_t)other;
            kinds[k] = 5; /* dependent, in no way that is known */
        }
    }
    return OK;
}

EXPORTED Status fmi3GetFMUState(void *instance, void **state) { return model_get_state(model_of(instance), state); }
EXPORTED Status fmi3SetFMUState(void *instance, void *state) {
    return model_ended(model_of(instance), model_restore(model_of(instance), state));
}
EXPORTED Status fmi3FreeFMUState(void *instance, void **state) { return model_free_state(state); }
EXPORTED Status fmi3SerializedFMUStateSize(void *instance, void *state, size_t *size) {
    *size = model_state_size(state);
    return OK;
}
EXPORTED Status fmi3SerializeFMUState(void *instance, void *state, uint8_t bytes[], size_t size) {
    return model_serialize(state, bytes, size);
}
EXPORTED Status fmi3DeserializeFMUState(void *instance, const uint8_t bytes[], size_t size, void **state) {
    return model_deserialize(bytes, size, state);
}

EXPORTED Status fmi3GetDirectionalDerivative(void *instance, const Reference unknowns[], size_t unknown_count,
                                             const Reference knowns[], size_t known_count, const double seed[],
                                             size_t seed_size, double sensitivity[], size_t sensitivity_size) {
    if (seed_size != model_scalars(model_of(instance), knowns, known_count)) return ERROR;
    if (sensitivity_size != model_scalars(model_of(instance), unknowns, unknown_count)) return ERROR;
    Pairs pairs = {unknowns, unknown_count, knowns, known_count};
    return model_directional(model_of(instance), pairs, seed, sensitivity);
}
EXPORTED Status fmi3GetAdjointDerivative(void *instance, const Reference unknowns[], size_t unknown_count,
                                         const Reference knowns[], size_t known_count, const double seed[],
                                         size_t seed_size, double sensitivity[], size_t sensitivity_size) {
    if (seed_size != model_scalars(model_of(instance), unknowns, unknown_count)) return ERROR;
    if (sensitivity_size != model_scalars(model_of(instance), knowns, known_count)) return ERROR;
    Pairs pairs = {unknowns, unknown_count, knowns, known_count};
    return model_adjoint(model_of(instance), pairs, seed, sensitivity);
}
EXPORTED Status fmi3EnterConfigurationMode(void *instance) {
    return model_ended(model_of(instance), model_configure(model_of(instance)));
}
EXPORTED Status fmi3ExitConfigurationMode(void *instance) {
    return model_ended(model_of(instance), model_end_configuration(model_of(instance)));
}

#define NO_CLOCK(NAME, ...)                                                                                        \
    EXPORTED Status NAME(void *instance, const Reference references[], size_t count, __VA_ARGS__) {                \
        return count ? ERROR : OK;                                                                                 \
    }
NO_CLOCK(fmi3GetIntervalDecimal, double intervals[], int qualifiers[])
NO_CLOCK(fmi3GetIntervalFraction, uint64_t counters[], uint64_t resolutions[], int qualifiers[])
NO_CLOCK(fmi3GetShiftDecimal, double shifts[])
NO_CLOCK(fmi3GetShiftFraction, uint64_t counters[], uint64_t resolutions[])
NO_CLOCK(fmi3SetIntervalDecimal, const double intervals[])
NO_CLOCK(fmi3SetIntervalFraction, const uint64_t counters[], const uint64_t resolutions[])
NO_CLOCK(fmi3SetShiftDecimal, const double shifts[])
NO_CLOCK(fmi3SetShiftFraction, const uint64_t counters[], const uint64_t resolutions[])
EXPORTED Status fmi3ActivateModelPartition(void *instance, Reference clock, double time) { return ERROR; }

EXPORTED Status fmi3EvaluateDiscreteStates(void *instance) { return OK; }

EXPORTED Status fmi3UpdateDiscreteStates(void *instance, bool *needs_update, bool *terminates, bool *nominals_changed,
                                         bool *states_changed, bool *has_next, double *next) {
    Instance *i = instance;
    int changed = 0;
    int status = model_event(i->model, &changed);
    *needs_update = false;
    *terminates = i->model->is_terminated;
    *nominals_changed = false;
    *states_changed = changed;
    *next = model_next_event(i->model);
    *has_next = *next < 1e300;
    return model_ended(i->model, status);
}

/* Model Exchange */

EXPORTED Status fmi3EnterContinuousTimeMode(void *instance) {
    ((Instance *)instance)->model->mode = CONTINUOUS;
    return OK;
}
EXPORTED Status fmi3CompletedIntegratorStep(void *instance, bool is_final, bool *enters_event_mode, bool *terminates) {
    Instance *i = instance;
    int is_event_due = 0;
    int status = model_keep(i->model, &is_event_due);
    *enters_event_mode = is_event_due;
    *terminates = false;
    return model_ended(i->model, status);
}
EXPORTED Status fmi3SetTime(void *instance, double time) {
    model_set_time(((Instance *)instance)->model, time);
    return OK;
}
EXPORTED Status fmi3SetContinuousStates(void *instance, const double x[], size_t count) {
    model_set_states(((Instance *)instance)->model, x);
    return OK;
}
EXPORTED Status fmi3GetContinuousStateDerivatives(void *instance, double rates[], size_t count) {
    Instance *i = instance;
    return model_ended(i->model, model_get_rates(i->model, rates));
}
EXPORTED int tellegen_direct(void *instance, Direct *direct) {
    return model_direct(((Instance *)instance)->model, direct);
}
EXPORTED Status fmi3GetEventIndicators(void *instance, double values[], size_t count) {
    Instance *i = instance;
    return model_ended(i->model, model_get_indicators(i->model, values));
}
EXPORTED Status fmi3GetContinuousStates(void *instance, double x[], size_t count) {
    model_get_states(((Instance *)instance)->model, x);
    return OK;
}
EXPORTED Status fmi3GetNominalsOfContinuousStates(void *instance, double nominals[], size_t count) {
    return model_get_nominals(model_of(instance), nominals, count);
}
EXPORTED Status fmi3GetNumberOfEventIndicators(void *instance, size_t *count) {
    *count = (size_t)model_of(instance)->sizes->numbers[ROOTS];
    return OK;
}
EXPORTED Status fmi3GetNumberOfContinuousStates(void *instance, size_t *count) {
    *count = (size_t)model_of(instance)->sizes->numbers[STATES];
    return OK;
}

/* Co-Simulation */

EXPORTED Status fmi3EnterStepMode(void *instance) {
    ((Instance *)instance)->model->mode = STEPPING;
    return OK;
}
EXPORTED Status fmi3GetOutputDerivatives(void *instance, const Reference references[], size_t count,
                                         const int32_t orders[], double values[], size_t size) {
    return count ? ERROR : OK;
}

/* Tell the importer where a step has come; whether it wants to return there. */
static bool returns_here(Instance *i) {
    bool returns = false;
    double until = 0.0;
    if (i->intermediate) {
        i->intermediate(i->environment, model_time(i->model), false, true, true, i->can_return_early, &returns, &until);
    }
    return returns && i->can_return_early;
}

EXPORTED Status fmi3DoStep(void *instance, double time, double step, bool is_final, bool *needs_event, bool *terminates,
                           bool *returned_early, double *reached) {
    Instance *i = instance;
    double target = time + step;
    i->model->mode = STEPPING;
    *needs_event = false;
    int stops = (i->has_event_mode && i->can_return_early) || i->intermediate != NULL;
    int status = model_begin_step(i->model, time, step);
    int changed;
    bool is_done = i->model->is_terminated || status != DONE;
    while (!is_done) {
        status = model_advance(i->model, target, stops);
        is_done = status != EVENT || returns_here(i);
        if (status == EVENT && i->has_event_mode && i->can_return_early) {
            *needs_event = true;
            is_done = true;
            status = DONE;
        } else if (status == EVENT) {
            status = model_event(i->model, &changed);
            is_done = is_done || status != DONE || i->model->is_terminated;
        }
    }
    *reached = model_time(i->model);
    *terminates = i->model->is_terminated;
    *returned_early = i->can_return_early && *reached < target;
    if (status != DONE) model_log(i->model, status);
    else if (!*needs_event) returns_here(i);
    return status == DONE ? OK : ERROR;
}
