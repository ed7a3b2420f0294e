/* See model.h. */
#include "model.h"

extern int tellegen_instance_initialize(void *record);
extern void tellegen_instance_experiment(void *record, double start, double stop, double tolerance);
extern void tellegen_instance_located(void *record);
extern int tellegen_instance_update(void *record);
extern int tellegen_instance_rates(void *record);
extern int tellegen_instance_rates_at(void *record, double t, const double *x, double *rates);
extern int tellegen_instance_roots(void *record, double *values);
extern int tellegen_instance_roots_at(void *record, double t, const double *x, double *values);
extern double tellegen_instance_next(void *record);
extern int tellegen_instance_event(void *record);
extern int tellegen_instance_keep(void *record);
extern int tellegen_instance_advance(void *record, double target);
extern int tellegen_instance_directional(void *record);
extern int tellegen_instance_adjoint(void *record);

#ifdef _WIN32
int _fltused;
int __stdcall DllMainCRTStartup(void *library, unsigned reason, void *reserved) { return 1; }
#endif

static int64_t number(const Model *model, int what) { return model->sizes->numbers[what]; }
static double *doubles(const Model *model, unsigned char *image, int what) {
    return (double *)(image + number(model, what));
}
static int64_t *word(const Model *model, unsigned char *image, int what) {
    return (int64_t *)(image + number(model, what));
}
static void *record(const Model *model) { return model->image + number(model, RECORD); }

/* Where the states of the moment stand among the unknowns. */
static const int32_t *state_places(const Model *model) {
    return *(const int32_t **)(model->image + number(model, STATE_INDEX_WORD));
}

/* Addresses of an image at the place where it is, or none. */
static void relocate(const Model *model, unsigned char *image, int is_located) {
    for (int64_t k = 0; k < number(model, RELOCATIONS); k++) {
        const Relocation *r = model->sizes->relocations + k;
        void *address = r->is_function ? model->sizes->functions[r->target] : image + r->target;
        int64_t value = is_located ? (int64_t)(intptr_t)address : 0;
        memcpy(image + r->position, &value, sizeof value);
    }
}

static void place_image(const Model *model, unsigned char *image) {
    relocate(model, image, 1);
    tellegen_instance_located(image + number(model, RECORD));
}

static void take_image(const Model *model, unsigned char *target, const unsigned char *source) {
    memcpy(target, source, (size_t)number(model, IMAGE_SIZE));
    place_image(model, target);
}

/* The image as it was exported. */
static void take_new_image(const Model *model, unsigned char *target) {
    size_t content = (size_t)number(model, CONTENT_SIZE);
    memcpy(target, model->sizes->image, content);
    memset(target + content, 0, (size_t)number(model, IMAGE_SIZE) - content);
    place_image(model, target);
}

/* Room for images of these sizes, with nothing in it; where there is none everything stays as it was. */
static int take_sizes(Model *model, const Sizes *sizes) {
    if (model->sizes != sizes) {
        unsigned char *image = malloc((size_t)sizes->numbers[IMAGE_SIZE]);
        unsigned char *setup = malloc((size_t)sizes->numbers[IMAGE_SIZE]);
        if (!image || !setup) {
            free(image);
            free(setup);
            return NO_ROOM;
        }
        free(model->image);
        free(model->setup);
        model->sizes = sizes;
        model->image = image;
        model->setup = setup;
        model->time = doubles(model, image, TIME_WORD);
        model->stale = word(model, image, STALE_WORD);
        model->unknowns = doubles(model, image, WORK);
        model->rates = model->unknowns + number(model, SIZE);
    }
    for (int64_t k = 0; k < tellegen_structure[1]; k++) model->structure[k] = sizes->structure[k];
    return DONE;
}

Model *model_new(const char *token) {
    if (!token || strcmp(token, tellegen_token)) return NULL;
    Model *model = malloc(sizeof *model);
    if (!model) return NULL;
    *model = (Model){0};
    if (model_reset(model) != DONE) {
        model_free(model);
        return NULL;
    }
    return model;
}

void model_free(Model *model) {
    if (!model) return;
    free(model->image);
    free(model->setup);
    free(model);
}

/* As it was exported, with the sizes that a model has. */
static void begin_again(Model *model) {
    take_new_image(model, model->image);
    take_new_image(model, model->setup);
    model->mode = INSTANTIATED;
    model->is_initialized = 0;
    model->is_event_due = 0;
    model->is_terminated = 0;
    model->start = model->sizes->experiment[0];
    model->stop = model->sizes->experiment[1];
    model->tolerance = model->sizes->experiment[2];
}

int model_reset(Model *model) {
    int status = take_sizes(model, tellegen_sizes);
    if (status == DONE) begin_again(model);
    return status;
}

/* Structural parameters can be set from now on. */
int model_configure(Model *model) {
    if (!tellegen_structure[1] || model->mode != INSTANTIATED) return WRONG_MODE;
    model->mode = CONFIGURING;
    return DONE;
}

static int has_structure(const Sizes *sizes, const int64_t *structure) {
    for (int64_t k = 0; k < tellegen_structure[1]; k++) {
        if (sizes->structure[k] != structure[k]) return 0;
    }
    return 1;
}

/* The numbers of an image before initialization that belong to a variable, and whether they were given; NULL for what
   cannot be. */
static double *given(const Model *model, const Variable *variable, double **flag) {
    int is_parameter = variable->kind == PARAMETER;
    if (!is_parameter && variable->kind != UNKNOWN) return NULL;
    *flag = doubles(model, model->setup, is_parameter ? PARAMETER_GIVEN : START_GIVEN) + variable->place;
    return doubles(model, model->setup, is_parameter ? PARAMETERS : START) + variable->place;
}

/* What was set before, of variables that have as many elements now. */
static void keep_given(const Model *model, const Model *before) {
    for (int64_t k = 0; k < number(model, VARIABLES); k++) {
        Span new = model->sizes->spans[k];
        Span old = before->sizes->spans[k];
        for (int64_t j = 0; j < new.count && new.count == old.count; j++) {
            const Variable *to = model->sizes->variables + new.first + j;
            const Variable *from = before->sizes->variables + old.first + j;
            double *was_given, *is_given;
            double *source = given(before, from, &was_given);
            double *target = given(model, to, &is_given);
            if (source && target && *was_given != 0.0) {
                *target = (double)(to->sign * from->sign) * *source;
                *is_given = 1.0;
            }
        }
    }
}

/* The sizes that the values of structural parameters ask for; where there are none the old values hold. */
int model_end_configuration(Model *model) {
    if (model->mode != CONFIGURING) return WRONG_MODE;
    model->mode = INSTANTIATED;
    if (has_structure(model->sizes, model->structure)) return DONE;
    for (int64_t k = 0; k < tellegen_structure[0]; k++) {
        if (has_structure(tellegen_sizes + k, model->structure)) {
            Model before = *model;
            model->image = model->setup = NULL;
            if (take_sizes(model, tellegen_sizes + k) != DONE) {
                *model = before;
                return NO_ROOM;
            }
            begin_again(model);
            keep_given(model, &before);
            free(before.image);
            free(before.setup);
            return DONE;
        }
    }
    take_sizes(model, model->sizes);
    return NO_SUCH_SIZE;
}

/* What the description proposes is for the integrators of importers; here it stands for our own. */
void model_take_tolerance(Model *model, double tolerance) {
    if (tolerance > 0.0) model->tolerance = tolerance == model->sizes->experiment[4] ? model->sizes->experiment[2] : tolerance;
}

int model_enter_initialization(Model *model, double start, double stop, double tolerance) {
    model->start = start;
    model->stop = stop;
    model_take_tolerance(model, tolerance);
    model->mode = INITIALIZING;
    model->is_initialized = 0;
    return DONE;
}

/* Initial values for what has been set so far. */
int model_initialize(Model *model) {
    if (model->is_initialized) return DONE;
    take_image(model, model->image, model->setup);
    tellegen_instance_experiment(record(model), model->start, model->stop, model->tolerance);
    int status = tellegen_instance_initialize(record(model));
    model->kept = model->start;
    model->is_terminated = status == TERMINATED;
    model->is_initialized = status == DONE || status == TERMINATED;
    if (model->is_initialized) python_forget(); /* of guesses that were no good */
    return status == TERMINATED ? DONE : status;
}

/* A function in Python that has failed gives no numbers, which need not be noticed. */
static int unless_python_failed(int status) { return status == DONE && python_complaint() ? UNSOLVED : status; }

/* The unknowns where the model stands. */
static int update(Model *model) {
    if (model->mode == INSTANTIATED || model->mode == CONFIGURING) return DONE;
    if (model->mode == INITIALIZING) return model_initialize(model);
    return unless_python_failed(tellegen_instance_update(record(model)));
}

static int get_indicator(Model *model, int64_t place, double *value) {
    double *values = malloc(sizeof(double) * (size_t)number(model, ROOTS));
    if (!values) return UNSOLVED;
    int status = tellegen_instance_roots(record(model), values);
    *value = values[place];
    free(values);
    return status;
}

/* How many numbers the variables of some references have; more than there can be where there is none of them. */
size_t model_scalars(const Model *model, const uint32_t references[], size_t count) {
    size_t total = 0;
    for (size_t k = 0; k < count; k++) {
        if (references[k] >= number(model, VARIABLES)) return SIZE_MAX;
        total += (size_t)model->sizes->spans[references[k]].count;
    }
    return total;
}

int model_get(Model *model, size_t scalar, double *value) {
    const Variable *variable = model->sizes->variables + scalar;
    int64_t place = variable->place;
    int is_set_up = model->mode == INSTANTIATED || model->mode == CONFIGURING;
    if (variable->kind == STRUCTURAL) {
        *value = (double)model->structure[place];
        return DONE;
    }
    if (variable->kind == TIME) {
        *value = is_set_up || model->mode == INITIALIZING ? model->start : model_time(model);
        return DONE;
    }
    *value = 0.0;
    if (variable->kind == ZERO) return DONE;
    if (is_set_up && variable->kind != PARAMETER && variable->kind != UNKNOWN) return DONE;
    int status = update(model);
    unsigned char *image = is_set_up ? model->setup : model->image;
    if (variable->kind == INDICATOR) return get_indicator(model, place, value);
    if (variable->kind == PARAMETER) *value = doubles(model, image, PARAMETERS)[place];
    if (variable->kind == UNKNOWN) *value = doubles(model, image, is_set_up ? START : WORK)[place];
    if (variable->kind == RATE) *value = doubles(model, image, WORK)[number(model, SIZE) + place];
    if (variable->kind == STATE) *value = model->unknowns[state_places(model)[place]];
    if (variable->kind == STATE_RATE) *value = model->rates[state_places(model)[place]];
    *value *= (double)variable->sign;
    return status;
}

/* Values before initialization are numbers to begin with; afterwards inputs, parameters and states are set. */
int model_set(Model *model, size_t scalar, double value) {
    const Variable *variable = model->sizes->variables + scalar;
    int64_t place = variable->place;
    int is_set_up = model->mode == INSTANTIATED || model->mode == INITIALIZING;
    unsigned char *image = is_set_up ? model->setup : model->image;
    double signed_value = (double)variable->sign * value;
    if ((variable->kind == STRUCTURAL) != (model->mode == CONFIGURING)) return WRONG_MODE;
    if (variable->kind == STRUCTURAL) {
        model->structure[place] = (int64_t)value;
        return DONE;
    }
    if (variable->kind == PARAMETER) {
        double *here = doubles(model, image, PARAMETERS) + place;
        doubles(model, image, PARAMETER_GIVEN)[place] = 1.0;
        if (!is_set_up && *here != signed_value) {
            *word(model, image, STALE_WORD) = 1;
            *word(model, image, CHANGED_WORD) = 1;
        }
        *here = signed_value;
    } else if (variable->kind == UNKNOWN && is_set_up) {
        doubles(model, image, START)[place] = signed_value;
        doubles(model, image, START_GIVEN)[place] = 1.0;
    } else if (variable->kind == UNKNOWN) {
        doubles(model, image, WORK)[place] = signed_value;
        *word(model, image, STALE_WORD) = 1;
    } else if (variable->kind == STATE && !is_set_up) {
        model->unknowns[state_places(model)[place]] = signed_value;
        *model->stale = 1;
    } else {
        return UNSETTLED;
    }
    if (is_set_up) model->is_initialized = 0;
    return DONE;
}

void model_set_time(Model *model, double t) {
    if (*model->time == t) return;
    *model->time = t;
    *model->stale = 1;
}

double model_time(const Model *model) { return *model->time; }

static void gather(const Model *model, double *target, const double *source) {
    const int32_t *places = state_places(model);
    int64_t count = number(model, STATES);
    for (int64_t k = 0; k < count; k++) target[k] = source[places[k]];
}

void model_get_states(const Model *model, double *x) { gather(model, x, model->unknowns); }

void model_set_states(Model *model, const double *x) {
    const int32_t *places = state_places(model);
    int64_t count = number(model, STATES);
    double *unknowns = model->unknowns;
    int has_changed = 0;
    for (int64_t k = 0; k < count; k++) {
        has_changed |= unknowns[places[k]] != x[k];
        unknowns[places[k]] = x[k];
    }
    if (has_changed) *model->stale = 1;
}

int model_get_rates(Model *model, double *rates) {
    int runs = model->mode == EVENTS || model->mode == CONTINUOUS;
    int status = runs ? unless_python_failed(tellegen_instance_rates(record(model))) : update(model);
    gather(model, rates, model->rates);
    return status;
}

int model_direct(const Model *model, Direct *direct) {
#ifdef RECORDED_PYTHON
    return 0; /* that a function in Python has failed is found out here */
#else
    *direct = (Direct){record(model), tellegen_instance_rates_at, tellegen_instance_roots_at};
    return 1;
#endif
}

int model_get_indicators(Model *model, double *values) {
    if (!number(model, ROOTS)) return DONE;
    int runs = model->mode == EVENTS || model->mode == CONTINUOUS;
    int status = runs ? DONE : update(model);
    return status == DONE ? unless_python_failed(tellegen_instance_roots(record(model), values)) : status;
}

static void log_event(Model *model) {
    if (model->logs_events) model->report(model->importer, OK, "logEvents", "event");
}

/* What happens at this instant, if something is due. */
int model_event(Model *model, int *states_changed) {
    *states_changed = 0;
    if (!model->is_event_due && !*word(model, model->image, CHANGED_WORD)) return DONE;
    int64_t count = number(model, STATES);
    double *before = malloc(sizeof(double) * (size_t)(count + 1));
    if (!before) return UNSETTLED;
    model_get_states(model, before);
    int status = tellegen_instance_event(record(model));
    const int32_t *places = state_places(model);
    for (int64_t k = 0; k < count; k++) {
        if (model->unknowns[places[k]] != before[k]) *states_changed = 1;
    }
    free(before);
    model->is_event_due = 0;
    model->kept = model_time(model);
    if (status == TERMINATED) {
        model->is_terminated = 1;
        status = DONE;
    }
    log_event(model);
    return status;
}

/* The present point belongs to the solution; whether an event is due there. */
int model_keep(Model *model, int *is_event_due) {
    double t = model_time(model);
    int is_long = t - model->kept > model->sizes->experiment[3] * (1.0 + 1e-9);
    model->kept = t;
    int status = tellegen_instance_keep(record(model));
    *is_event_due = status == EVENT;
    if (status != DONE && status != EVENT) return status;
    return is_long ? LONG_STEP : DONE;
}

/* Whether a step of Co-Simulation leads on from where the model stands; one of no length does nothing. */
int model_begin_step(const Model *model, double time, double step) {
    double off = time - model_time(model);
    double close = 1e-9 * (time < 0.0 ? -time : time) + 1e-6 * step;
    return step >= 0.0 && -close <= off && off <= close ? DONE : WRONG_STEP;
}

int model_advance(Model *model, double target, int returns_at_events) {
    *word(model, model->image, RETURNS_WORD) = returns_at_events;
    int64_t events_before = *word(model, model->image, EVENT_COUNT_WORD);
    int status = tellegen_instance_advance(record(model), target);
    if (*word(model, model->image, EVENT_COUNT_WORD) != events_before) log_event(model);
    if (status == EVENT) model->is_event_due = 1;
    if (status == TERMINATED) {
        model->is_terminated = 1;
        status = DONE;
    }
    if (status == DONE || status == EVENT) python_forget(); /* shorter steps have helped */
    return status;
}

double model_next_event(const Model *model) { return tellegen_instance_next(record(model)); }

/* A saved state: the model without what belongs to one instance, then its image without addresses. */
typedef struct {
    int64_t sizes, mode, is_initialized, is_event_due, is_terminated;
    double start, stop, tolerance;
} Saved;

static size_t room_for_state(const Sizes *sizes) {
    return sizeof(Saved) + 2 * (size_t)sizes->numbers[IMAGE_SIZE];
}

/* The sizes of a saved state, by number; -1 where there are none. */
static int64_t sizes_of(const unsigned char *state) {
    int64_t found;
    memcpy(&found, state, sizeof found);
    return found >= 0 && found < tellegen_structure[0] ? found : -1;
}

size_t model_state_size(const unsigned char *state) { return room_for_state(tellegen_sizes + sizes_of(state)); }

static void save(const Model *model, unsigned char *state) {
    size_t size = (size_t)number(model, IMAGE_SIZE);
    Saved saved = {model->sizes - tellegen_sizes, model->mode, model->is_initialized, model->is_event_due,
                   model->is_terminated, model->start, model->stop, model->tolerance};
    memcpy(state, &saved, sizeof saved);
    unsigned char *image = state + sizeof saved;
    memcpy(image, model->image, size);
    relocate(model, image, 0);
    memcpy(image + size, model->setup, size);
    relocate(model, image + size, 0);
}

int model_restore(Model *model, const unsigned char *state) {
    Saved saved;
    memcpy(&saved, state, sizeof saved);
    int status = take_sizes(model, tellegen_sizes + saved.sizes);
    if (status != DONE) return status;
    model->mode = (Mode)saved.mode;
    model->is_initialized = (int)saved.is_initialized;
    model->is_event_due = (int)saved.is_event_due;
    model->is_terminated = (int)saved.is_terminated;
    model->start = saved.start;
    model->stop = saved.stop;
    model->tolerance = saved.tolerance;
    take_image(model, model->image, state + sizeof saved);
    take_image(model, model->setup, state + sizeof saved + number(model, IMAGE_SIZE));
    model->kept = model_time(model);
    return DONE;
}

void model_log(Model *model, int status) {
    static const char *const texts[] = {
        "",
        "an event is due",
        "the model has ended the run",
        "the equations have no solution at the present states, inputs and parameters",
        "event iteration does not settle, an assertion fails, or a value cannot be accessed",
        "the integrator finds no step that is small enough",
        "there is no room for the past that delays read",
        "a derivative that is not known here: after initialization, of variables by states, inputs and parameters",
        "a step was longer than a delay: what the delayed signal was is a guess, let the integrator take shorter steps",
        "this FMU was not made for these values of its structural parameters; its documentation lists those it has",
        "structural parameters are set in configuration mode, before initialization; all else is set outside of it",
        "there is no memory for these sizes",
        "a step begins where the last one ended, and ends later",
    };
    if (model->logs_errors && status >= 0 && status <= WRONG_STEP)
        model->report(model->importer, status == LONG_STEP ? WARNING : ERROR, "logStatusError", texts[status]);
    if (model->logs_errors && python_complaint())
        model->report(model->importer, ERROR, "logStatusError", python_complaint());
    python_forget();
}

Status model_ended(Model *model, int status) {
    if (status == DONE) return OK;
    model_log(model, status);
    if (status == LONG_STEP) return WARNING;
    return status == UNSOLVED ? DISCARD : ERROR;
}

Status model_set_logging(Model *model, int logs, size_t count, const char *const categories[]) {
    for (size_t k = 0; k < count; k++) {
        if (!strcmp(categories[k], "logEvents")) model->logs_events = logs;
        if (!strcmp(categories[k], "logStatusError")) model->logs_errors = logs;
    }
    if (!count) model->logs_events = model->logs_errors = logs;
    return OK;
}

Status model_enter_event_mode(Model *model) {
    model->mode = EVENTS;
    model->is_event_due = 1;
    return OK;
}

Status model_get_nominals(const Model *model, double nominals[], size_t count) {
    for (size_t k = 0; k < count; k++) nominals[k] = model->sizes->nominals[k];
    return OK;
}

/* Memory for a state, which may have been that of one with other sizes. */
static int make_room(void **state, size_t size) {
    if (*state && model_state_size(*state) != size) model_free_state(state);
    if (!*state) *state = malloc(size);
    return *state != NULL;
}

Status model_get_state(Model *model, void **state) {
    if (!make_room(state, room_for_state(model->sizes))) return ERROR;
    save(model, *state);
    return OK;
}

Status model_free_state(void **state) {
    if (state) {
        free(*state);
        *state = NULL;
    }
    return OK;
}

Status model_serialize(const void *state, unsigned char bytes[], size_t size) {
    if (size < model_state_size(state)) return ERROR;
    memcpy(bytes, state, model_state_size(state));
    return OK;
}

Status model_deserialize(const unsigned char bytes[], size_t size, void **state) {
    if (size < sizeof(Saved) || sizes_of(bytes) < 0 || size != model_state_size(bytes)) return ERROR;
    if (!make_room(state, size)) return ERROR;
    memcpy(*state, bytes, size);
    return OK;
}

/* Where the change of a variable stands; NULL: it does not change, or nothing is known of it. */
static double *change_of(Model *model, const Variable *variable) {
    double *work = doubles(model, model->image, CHANGE_OF_WORK);
    if (variable->kind == PARAMETER) return doubles(model, model->image, CHANGE_OF_PARAMETERS) + variable->place;
    if (variable->kind == UNKNOWN) return work + variable->place;
    if (variable->kind == RATE) return work + number(model, SIZE) + variable->place;
    return variable->kind == TIME ? doubles(model, model->image, CHANGE_OF_TIME_WORD) : NULL;
}

/* Whether a value may be given: states, inputs, parameters; time unless signals are delayed. */
static int is_known(Model *model, const Variable *variable) {
    const int32_t *is_state = (const int32_t *)(model->image + number(model, IS_STATE));
    if (variable->kind == UNKNOWN) return is_state[variable->place];
    return variable->kind == PARAMETER || (variable->kind == TIME && !number(model, DELAYS));
}

static int is_differentiable(Model *model, const Variable *variable) { return variable->kind != INDICATOR; }

/* Whether the scalars of all references are as a function says. */
static int are_all(Model *model, const uint32_t references[], size_t count, int (*is)(Model *, const Variable *)) {
    if (model_scalars(model, references, count) == SIZE_MAX) return 0;
    for (size_t k = 0; k < count; k++) {
        Span span = model->sizes->spans[references[k]];
        for (int64_t j = 0; j < span.count; j++) {
            if (!is(model, model->sizes->variables + span.first + j)) return 0;
        }
    }
    return 1;
}

/* Whether derivatives of these can be asked for now. */
static int are_there(Model *model, Pairs pairs) {
    if (number(model, CHANGE_OF_WORK) < 0 || model->mode == INSTANTIATED || model->mode == INITIALIZING) return 0;
    return are_all(model, pairs.knowns, pairs.known_count, is_known) &&
           are_all(model, pairs.unknowns, pairs.unknown_count, is_differentiable);
}

static void clear_changes(Model *model) {
    double *work = doubles(model, model->image, CHANGE_OF_WORK);
    double *parameters = doubles(model, model->image, CHANGE_OF_PARAMETERS);
    for (int64_t k = 0; k < 2 * number(model, SIZE); k++) work[k] = 0.0;
    for (int64_t k = 0; k < number(model, PARAMETER_COUNT); k++) parameters[k] = 0.0;
    *doubles(model, model->image, CHANGE_OF_TIME_WORD) = 0.0;
}

static void add_changes(Model *model, const uint32_t references[], size_t count, const double values[]) {
    for (size_t k = 0; k < count; k++) {
        Span span = model->sizes->spans[references[k]];
        for (int64_t j = 0; j < span.count; j++) {
            const Variable *variable = model->sizes->variables + span.first + j;
            double *change = change_of(model, variable);
            if (change) *change += (double)variable->sign * *values;
            values++;
        }
    }
}

static void read_changes(Model *model, const uint32_t references[], size_t count, double values[]) {
    for (size_t k = 0; k < count; k++) {
        Span span = model->sizes->spans[references[k]];
        for (int64_t j = 0; j < span.count; j++) {
            const Variable *variable = model->sizes->variables + span.first + j;
            const double *change = change_of(model, variable);
            *values++ = change ? (double)variable->sign * *change : 0.0;
        }
    }
}

/* What an initialization depends on is not known here. */
Status model_dependency_count(const Model *model, uint32_t reference, size_t *count) {
    int is_early = model->mode == INSTANTIATED || model->mode == INITIALIZING;
    if (is_early || !number(model, HAS_ELEMENT_DEPENDENCIES) || reference >= number(model, VARIABLES)) return ERROR;
    *count = 0;
    for (int64_t k = model->sizes->dependency_starts[reference]; k < model->sizes->dependency_starts[reference + 1]; k++) {
        *count += (size_t)(model->sizes->dependencies[k].last - model->sizes->dependencies[k].first + 1);
    }
    return OK;
}

Status model_directional(Model *model, Pairs pairs, const double seed[], double sensitivity[]) {
    if (!are_there(model, pairs)) return model_ended(model, NO_DERIVATIVE);
    clear_changes(model);
    add_changes(model, pairs.knowns, pairs.known_count, seed);
    int status = tellegen_instance_directional(record(model));
    read_changes(model, pairs.unknowns, pairs.unknown_count, sensitivity);
    return model_ended(model, status);
}

Status model_adjoint(Model *model, Pairs pairs, const double seed[], double sensitivity[]) {
    if (!are_there(model, pairs)) return model_ended(model, NO_DERIVATIVE);
    clear_changes(model);
    add_changes(model, pairs.unknowns, pairs.unknown_count, seed);
    int status = tellegen_instance_adjoint(record(model));
    read_changes(model, pairs.knowns, pairs.known_count, sensitivity);
    return model_ended(model, status);
}
