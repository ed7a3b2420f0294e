/* The functions of FMI 2.0, for Model Exchange and Co-Simulation, over model.h. */
#include "model.h"

typedef int Boolean;

typedef void (*Logger)(void *environment, const char *instance, Status status, const char *category, const char *message,
                       ...);
typedef struct {
    Logger logger;
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *memory);
    void (*finished)(void *environment, Status status);
    void *environment;
} Callbacks;

typedef struct {
    Boolean needs_update, terminates, nominals_changed, states_changed, has_next;
    double next;
} EventInfo;

typedef struct {
    Model *model;
    Callbacks callbacks;
    char *name;
    double reached;
} Instance;

typedef unsigned int Reference;

/* Texts have no % and no #, which loggers would replace: many importers do not look at further arguments. */
static void report(void *importer, Status status, const char *category, const char *text) {
    Instance *i = importer;
    if (i->callbacks.logger) {
        i->callbacks.logger(i->callbacks.environment, i->name, status, category, text);
    }
}

static Model *model_of(void *instance) { return ((Instance *)instance)->model; }

static char *copied(const char *text) {
    size_t length = 0;
    while (text && text[length]) length++;
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    if (length) memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

EXPORTED const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORTED const char *fmi2GetVersion(void) { return "2.0"; }

EXPORTED void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                               const Callbacks *callbacks, Boolean visible, Boolean logs) {
    Instance *i = malloc(sizeof *i);
    if (!i) return NULL;
    *i = (Instance){0};
    if (callbacks) i->callbacks = *callbacks;
    i->name = copied(name);
    i->model = model_new(guid);
    int is_made = i->model && i->name;
    if (!is_made || !python_begin(resources)) {
        report(i, ERROR, "logStatusError",
               is_made ? python_complaint() : "the guid is not that of this library, or there is no memory");
        model_free(i->model);
        free(i->name);
        free(i);
        return NULL;
    }
    i->model->importer = i;
    i->model->report = report;
    i->model->logs_errors = 1;
    i->model->logs_events = logs;
    return i;
}

EXPORTED void fmi2FreeInstance(void *instance) {
    Instance *i = instance;
    if (!i) return;
    model_free(i->model);
    free(i->name);
    free(i);
    python_end();
}

EXPORTED Status fmi2SetDebugLogging(void *instance, Boolean logs, size_t count, const char *const categories[]) {
    return model_set_logging(model_of(instance), logs, count, categories);
}

EXPORTED Status fmi2SetupExperiment(void *instance, Boolean has_tolerance, double tolerance, double start,
                                    Boolean has_stop, double stop) {
    Model *model = ((Instance *)instance)->model;
    model->start = start;
    model->stop = has_stop ? stop : start;
    if (has_tolerance) model_take_tolerance(model, tolerance);
    return OK;
}

EXPORTED Status fmi2EnterInitializationMode(void *instance) {
    Instance *i = instance;
    return model_ended(i->model, model_enter_initialization(i->model, i->model->start, i->model->stop, i->model->tolerance));
}

EXPORTED Status fmi2ExitInitializationMode(void *instance) {
    Instance *i = instance;
    int status = model_initialize(i->model);
    i->model->mode = EVENTS;
    i->reached = i->model->start;
    return model_ended(i->model, status);
}

EXPORTED Status fmi2Terminate(void *instance) {
    ((Instance *)instance)->model->mode = TERMINATING;
    return OK;
}

EXPORTED Status fmi2Reset(void *instance) {
    return model_ended(model_of(instance), model_reset(model_of(instance)));
}

GET_AND_SET(doubles, double, value)
GET_AND_SET(integers, int, (int)ROUNDED(value))

EXPORTED Status fmi2GetReal(void *instance, const Reference references[], size_t count, double values[]) {
    return get_doubles(model_of(instance), references, count, values, count);
}
EXPORTED Status fmi2SetReal(void *instance, const Reference references[], size_t count, const double values[]) {
    return set_doubles(model_of(instance), references, count, values, count);
}
EXPORTED Status fmi2GetInteger(void *instance, const Reference references[], size_t count, int values[]) {
    return get_integers(model_of(instance), references, count, values, count);
}
EXPORTED Status fmi2SetInteger(void *instance, const Reference references[], size_t count, const int values[]) {
    return set_integers(model_of(instance), references, count, values, count);
}
EXPORTED Status fmi2GetBoolean(void *instance, const Reference references[], size_t count, Boolean values[]) {
    return get_integers(model_of(instance), references, count, values, count);
}
EXPORTED Status fmi2SetBoolean(void *instance, const Reference references[], size_t count, const Boolean values[]) {
    return set_integers(model_of(instance), references, count, values, count);
}

EXPORTED Status fmi2GetString(void *instance, const Reference references[], size_t count, const char *values[]) {
    return count ? ERROR : OK;
}
EXPORTED Status fmi2SetString(void *instance, const Reference references[], size_t count, const char *const values[]) {
    return count ? ERROR : OK;
}

EXPORTED Status fmi2GetFMUstate(void *instance, void **state) { return model_get_state(model_of(instance), state); }
EXPORTED Status fmi2SetFMUstate(void *instance, void *state) {
    Instance *i = instance;
    int status = model_restore(i->model, state);
    i->reached = model_time(i->model);
    return model_ended(i->model, status);
}
EXPORTED Status fmi2FreeFMUstate(void *instance, void **state) { return model_free_state(state); }
EXPORTED Status fmi2SerializedFMUstateSize(void *instance, void *state, size_t *size) {
    *size = model_state_size(state);
    return OK;
}
EXPORTED Status fmi2SerializeFMUstate(void *instance, void *state, char bytes[], size_t size) {
    return model_serialize(state, (unsigned char *)bytes, size);
}
EXPORTED Status fmi2DeSerializeFMUstate(void *instance, const char bytes[], size_t size, void **state) {
    return model_deserialize((const unsigned char *)bytes, size, state);
}
EXPORTED Status fmi2GetDirectionalDerivative(void *instance, const Reference unknowns[], size_t unknown_count,
                                             const Reference knowns[], size_t known_count, const double seed[],
                                             double sensitivity[]) {
    Pairs pairs = {unknowns, unknown_count, knowns, known_count};
    return model_directional(model_of(instance), pairs, seed, sensitivity);
}

/* Model Exchange */

EXPORTED Status fmi2EnterEventMode(void *instance) { return model_enter_event_mode(model_of(instance)); }
EXPORTED Status fmi2NewDiscreteStates(void *instance, EventInfo *info) {
    Instance *i = instance;
    int status = model_event(i->model, &info->states_changed);
    info->needs_update = 0;
    info->terminates = i->model->is_terminated;
    info->nominals_changed = 0;
    info->next = model_next_event(i->model);
    info->has_next = info->next < 1e300;
    return model_ended(i->model, status);
}
EXPORTED Status fmi2EnterContinuousTimeMode(void *instance) {
    ((Instance *)instance)->model->mode = CONTINUOUS;
    return OK;
}
EXPORTED Status fmi2CompletedIntegratorStep(void *instance, Boolean is_final, Boolean *enters_event_mode,
                                            Boolean *terminates) {
    Instance *i = instance;
    *terminates = 0;
    return model_ended(i->model, model_keep(i->model, enters_event_mode));
}
EXPORTED Status fmi2SetTime(void *instance, double time) {
    model_set_time(((Instance *)instance)->model, time);
    return OK;
}
EXPORTED Status fmi2SetContinuousStates(void *instance, const double x[], size_t count) {
    model_set_states(((Instance *)instance)->model, x);
    return OK;
}
EXPORTED Status fmi2GetDerivatives(void *instance, double rates[], size_t count) {
    Instance *i = instance;
    return model_ended(i->model, model_get_rates(i->model, rates));
}
EXPORTED int tellegen_direct(void *instance, Direct *direct) {
    return model_direct(((Instance *)instance)->model, direct);
}
EXPORTED Status fmi2GetEventIndicators(void *instance, double values[], size_t count) {
    Instance *i = instance;
    return model_ended(i->model, model_get_indicators(i->model, values));
}
EXPORTED Status fmi2GetContinuousStates(void *instance, double x[], size_t count) {
    model_get_states(((Instance *)instance)->model, x);
    return OK;
}
EXPORTED Status fmi2GetNominalsOfContinuousStates(void *instance, double nominals[], size_t count) {
    return model_get_nominals(model_of(instance), nominals, count);
}

/* Co-Simulation */

EXPORTED Status fmi2SetRealInputDerivatives(void *instance, const Reference references[], size_t count,
                                            const int order[], const double values[]) {
    return count ? ERROR : OK;
}
EXPORTED Status fmi2GetRealOutputDerivatives(void *instance, const Reference references[], size_t count,
                                             const int order[], double values[]) {
    return count ? ERROR : OK;
}
EXPORTED Status fmi2DoStep(void *instance, double time, double step, Boolean is_final) {
    Instance *i = instance;
    i->model->mode = STEPPING;
    if (i->model->is_terminated) return DISCARD;
    int status = model_begin_step(i->model, time, step);
    if (status == DONE) status = model_advance(i->model, time + step, 0);
    i->reached = model_time(i->model);
    if (status != DONE) {
        model_log(i->model, status);
        return ERROR;
    }
    return i->model->is_terminated && i->reached < time + step ? DISCARD : OK;
}
EXPORTED Status fmi2CancelStep(void *instance) { return ERROR; }
EXPORTED Status fmi2GetStatus(void *instance, int kind, Status *value) { return DISCARD; }
EXPORTED Status fmi2GetRealStatus(void *instance, int kind, double *value) {
    if (kind != 2) return DISCARD;
    *value = ((Instance *)instance)->reached;
    return OK;
}
EXPORTED Status fmi2GetIntegerStatus(void *instance, int kind, int *value) { return DISCARD; }
EXPORTED Status fmi2GetBooleanStatus(void *instance, int kind, Boolean *value) {
    if (kind != 3) return DISCARD;
    *value = ((Instance *)instance)->model->is_terminated;
    return OK;
}
EXPORTED Status fmi2GetStringStatus(void *instance, int kind, const char **value) { return DISCARD; }
