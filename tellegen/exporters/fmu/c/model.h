/* An instance of an exported model: a copy of its image, and what an interface needs to know besides.

   The numbers of a model (tellegen_...) are in an object that is made for it; all mathematics is in procedures of
   Tellegen's runtime (tellegen_instance_...), which are given the address of the instance's record in the image. */
#ifndef TELLEGEN_MODEL_H
#define TELLEGEN_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

void *malloc(size_t size);
void free(void *memory);
void *memcpy(void *target, const void *source, size_t size);
void *memset(void *memory, int value, size_t size);
int strcmp(const char *left, const char *right);

/* What functions of FMI return, in both versions. */
enum { OK, WARNING, DISCARD, ERROR };
typedef int Status;

/* What the procedures return. */
enum { DONE, EVENT, TERMINATED, UNSOLVED, UNSETTLED, NOT_INTEGRATED, NO_PAST, NO_DERIVATIVE, LONG_STEP,
       NO_SUCH_SIZE, WRONG_MODE, NO_ROOM, WRONG_STEP };

/* Kinds of variables. Indicators are root functions, by their number; states and their rates are by number of those
   that are chosen at the moment; structural parameters by their number. */
enum { PARAMETER, UNKNOWN, RATE, TIME, ZERO, INDICATOR, STATE, STATE_RATE, STRUCTURAL };

/* Indices of `numbers`: sizes, and the positions of arrays in the image. */
enum {
    IMAGE_SIZE,
    CONTENT_SIZE, /* of what is stored; zeros follow */
    RELOCATIONS,
    RECORD,
    SIZE,
    STATES,
    ROOTS,
    VARIABLES,
    WORK,
    PARAMETERS,
    PARAMETER_GIVEN,
    START,
    START_GIVEN,
    TIME_WORD,
    STALE_WORD,
    CHANGED_WORD,
    RETURNS_WORD,
    EVENT_COUNT_WORD,
    CHANGE_OF_WORK, /* of directional derivatives; negative: there are none */
    CHANGE_OF_PARAMETERS,
    CHANGE_OF_TIME_WORD,
    IS_STATE,
    PARAMETER_COUNT,
    DELAYS,
    STATE_INDEX_WORD,
    HAS_ELEMENT_DEPENDENCIES,
};

typedef struct {
    int64_t position, target, is_function;
} Relocation;

typedef struct {
    int64_t kind, place, sign;
} Variable;

/* The scalars of a value reference. */
typedef struct {
    int64_t first, count;
} Span;

/* An element of a variable depends on elements of another one, counted from 1; 0 to 0 stands for all of them. */
typedef struct {
    int64_t element, other, first, last;
} Dependencies;

/* All that depends on sizes: one of these for every combination of values of structural parameters. */
typedef struct {
    const unsigned char *image;
    const int64_t *numbers;
    const Relocation *relocations;
    void *const *functions;
    const double *nominals;
    /* start, stop, tolerance, the shortest delay (infinite: none), the tolerance that importers are asked to have */
    const double *experiment;
    const Span *spans;
    const Variable *variables; /* of scalars */
    const int64_t *dependency_starts; /* of each value reference */
    const Dependencies *dependencies;
    const int64_t *structure; /* the values of structural parameters */
} Sizes;

extern const Sizes tellegen_sizes[]; /* the first are those that an instance begins with */
extern const int64_t tellegen_structure[]; /* how many sizes, and how many structural parameters */
extern const char tellegen_token[];

typedef enum { INSTANTIATED, CONFIGURING, INITIALIZING, EVENTS, CONTINUOUS, STEPPING, TERMINATING } Mode;

/* A message: category, text. */
typedef void (*Report)(void *importer, Status status, const char *category, const char *text);

enum { MOST_STRUCTURAL = 16 };

typedef struct {
    const Sizes *sizes;
    int64_t structure[MOST_STRUCTURAL]; /* values of structural parameters, as they were set last */
    unsigned char *image;
    unsigned char *setup; /* the image before initialization, with all values that were set */
    double *time, *unknowns, *rates; /* in the image */
    int64_t *stale;
    Mode mode;
    int is_initialized; /* whether the image has initial values for what was set */
    int is_event_due;
    int is_terminated;
    int logs_events, logs_errors;
    double start, stop, tolerance;
    double kept; /* the time of the last point that belongs to the solution */
    void *importer;
    Report report;
} Model;

/* Functions in Python (python.c), where a model calls some: whether they can be called by an instance with these
   resources, the end of that, and why the last call has failed, or NULL. */
#ifdef RECORDED_PYTHON
int python_begin(const char *resources);
void python_end(void);
void python_forget(void);
const char *python_complaint(void);
#else
static inline int python_begin(const char *resources) { return 1; }
static inline void python_end(void) {}
static inline void python_forget(void) {}
static inline const char *python_complaint(void) { return NULL; }
#endif

Model *model_new(const char *token);
void model_free(Model *model);
int model_reset(Model *model);
int model_configure(Model *model);
int model_end_configuration(Model *model);
void model_take_tolerance(Model *model, double tolerance);
int model_enter_initialization(Model *model, double start, double stop, double tolerance);
int model_initialize(Model *model);
int model_get(Model *model, size_t scalar, double *value);
int model_set(Model *model, size_t scalar, double value);
size_t model_scalars(const Model *model, const uint32_t references[], size_t count);
void model_set_time(Model *model, double t);
double model_time(const Model *model);
void model_set_states(Model *model, const double *x);
void model_get_states(const Model *model, double *x);
int model_get_rates(Model *model, double *rates);

/* For Tellegen as the importer: what evaluates an instance in continuous time at a point, several functions of FMI in
   one and without what lies between, which takes as long as a small model itself. Whether there is something. */
typedef struct {
    void *record;
    int (*rates_at)(void *record, double t, const double *x, double *rates);
    int (*roots_at)(void *record, double t, const double *x, double *values);
} Direct;
int model_direct(const Model *model, Direct *direct);

int model_get_indicators(Model *model, double *values);
int model_event(Model *model, int *states_changed);
int model_keep(Model *model, int *is_event_due);
int model_begin_step(const Model *model, double time, double step);
int model_advance(Model *model, double target, int returns_at_events);
double model_next_event(const Model *model);
size_t model_state_size(const unsigned char *state);
int model_restore(Model *model, const unsigned char *state);
void model_log(Model *model, int status);

/* What both versions have alike. */
Status model_ended(Model *model, int status);
Status model_set_logging(Model *model, int logs, size_t count, const char *const categories[]);

/* Values of variables, for each type of numbers: those of arrays one after the other. */
#define ROUNDED(value) ((value) < 0.0 ? (value) - 0.5 : (value) + 0.5)
#define GET_AND_SET(NAME, TYPE, VALUE)                                                                             \
    static Status get_##NAME(Model *model, const uint32_t references[], size_t count, TYPE values[], size_t size) { \
        int status = model_scalars(model, references, count) == size ? DONE : UNSETTLED;                                  \
        size_t filled = 0;                                                                                         \
        for (size_t k = 0; status == DONE && k < count; k++) {                                                     \
            Span span = model->sizes->spans[references[k]];                                                             \
            for (int64_t j = 0; status == DONE && j < span.count; j++) {                                           \
                double value = 0.0;                                                                                \
                status = model_get(model, (size_t)(span.first + j), &value);                                       \
                values[filled++] = VALUE;                                                                          \
            }                                                                                                      \
        }                                                                                                          \
        return model_ended(model, status);                                                                         \
    }                                                                                                              \
    static Status set_##NAME(Model *model, const uint32_t references[], size_t count, const TYPE values[],         \
                             size_t size) {                                                                        \
        int status = model_scalars(model, references, count) == size ? DONE : UNSETTLED;                                  \
        size_t read = 0;                                                                                           \
        for (size_t k = 0; status == DONE && k < count; k++) {                                                     \
            Span span = model->sizes->spans[references[k]];                                                             \
            for (int64_t j = 0; status == DONE && j < span.count; j++) {                                           \
                status = model_set(model, (size_t)(span.first + j), (double)values[read++]);                       \
            }                                                                                                      \
        }                                                                                                          \
        return model_ended(model, status);                                                                         \
    }

Status model_enter_event_mode(Model *model);
Status model_get_nominals(const Model *model, double nominals[], size_t count);
Status model_get_state(Model *model, void **state);
Status model_free_state(void **state);
Status model_serialize(const void *state, unsigned char bytes[], size_t size);
Status model_deserialize(const unsigned char bytes[], size_t size, void **state);

/* Derivatives of unknowns by knowns: of all in a direction, or of a weighted sum by each. */
typedef struct {
    const uint32_t *unknowns;
    size_t unknown_count;
    const uint32_t *knowns;
    size_t known_count;
} Pairs; /* by value references; numbers are those of their scalars */
Status model_dependency_count(const Model *model, uint32_t reference, size_t *count);
Status model_directional(Model *model, Pairs pairs, const double seed[], double sensitivity[]);
Status model_adjoint(Model *model, Pairs pairs, const double seed[], double sensitivity[]);

#endif
