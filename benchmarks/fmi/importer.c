/* A small importer of FMI 3.0 that shares nothing with Tellegen: it loads a library, runs it, prints values.

       importer LIBRARY TOKEN cs|me STOP STEPS [-save FILE] [-restore FILE] [REFERENCE ...]

   cs: STEPS communication steps of equal size. me: STEPS Runge-Kutta steps of order 4, events located by bisection.
   -save writes the serialized state at half the steps (cs) and goes on, -restore begins there from a file.
   Values are printed with all digits, one a line, in the order of the references; the first is the time. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
static void *opened(const char *path) { return (void *)LoadLibraryA(path); }
static void *symbol(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
#else
#include <dlfcn.h>
static void *opened(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *symbol(void *library, const char *name) { return dlsym(library, name); }
#endif

enum { MOST = 4096, HALVINGS = 60 };

typedef void (*Logger)(void *environment, int status, const char *category, const char *message);
typedef struct {
    void *(*instantiate_cs)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t,
                            void *, Logger, void *);
    void *(*instantiate_me)(const char *, const char *, const char *, bool, bool, void *, Logger);
    int (*enter_initialization)(void *, bool, double, double, bool, double);
    int (*exit_initialization)(void *);
    int (*get)(void *, const uint32_t *, size_t, double *, size_t);
    int (*step)(void *, double, double, bool, bool *, bool *, bool *, double *);
    int (*enter_events)(void *);
    int (*update_discrete)(void *, bool *, bool *, bool *, bool *, bool *, double *);
    int (*enter_continuous)(void *);
    int (*completed)(void *, bool, bool *, bool *);
    int (*set_time)(void *, double);
    int (*set_states)(void *, const double *, size_t);
    int (*get_states)(void *, double *, size_t);
    int (*get_rates)(void *, double *, size_t);
    int (*get_indicators)(void *, double *, size_t);
    int (*count_states)(void *, size_t *);
    int (*count_indicators)(void *, size_t *);
    int (*get_state)(void *, void **);
    int (*set_state)(void *, void *);
    int (*state_size)(void *, void *, size_t *);
    int (*serialize)(void *, void *, uint8_t *, size_t);
    int (*deserialize)(void *, const uint8_t *, size_t, void **);
    int (*terminate)(void *);
    void (*free_instance)(void *);
} Functions;

typedef struct {
    Functions call;
    void *instance;
    size_t states, indicators;
    double time, next;
} Run;

static void stop_with(const char *what) {
    fprintf(stderr, "importer: %s\n", what);
    exit(1);
}
static void check(int status, const char *what) {
    if (status > 1) stop_with(what);
}
static void logged(void *environment, int status, const char *category, const char *message) {
    fprintf(stderr, "%d %s: %s\n", status, category, message);
}
static void *found(void *library, const char *name) {
    void *address = symbol(library, name);
    if (!address) stop_with(name);
    return address;
}

static Functions functions_of(const char *path) {
    void *library = opened(path);
    if (!library) stop_with("the library cannot be loaded");
    Functions f;
    f.instantiate_cs = found(library, "fmi3InstantiateCoSimulation");
    f.instantiate_me = found(library, "fmi3InstantiateModelExchange");
    f.enter_initialization = found(library, "fmi3EnterInitializationMode");
    f.exit_initialization = found(library, "fmi3ExitInitializationMode");
    f.get = found(library, "fmi3GetFloat64");
    f.step = found(library, "fmi3DoStep");
    f.enter_events = found(library, "fmi3EnterEventMode");
    f.update_discrete = found(library, "fmi3UpdateDiscreteStates");
    f.enter_continuous = found(library, "fmi3EnterContinuousTimeMode");
    f.completed = found(library, "fmi3CompletedIntegratorStep");
    f.set_time = found(library, "fmi3SetTime");
    f.set_states = found(library, "fmi3SetContinuousStates");
    f.get_states = found(library, "fmi3GetContinuousStates");
    f.get_rates = found(library, "fmi3GetContinuousStateDerivatives");
    f.get_indicators = found(library, "fmi3GetEventIndicators");
    f.count_states = found(library, "fmi3GetNumberOfContinuousStates");
    f.count_indicators = found(library, "fmi3GetNumberOfEventIndicators");
    f.get_state = found(library, "fmi3GetFMUState");
    f.set_state = found(library, "fmi3SetFMUState");
    f.state_size = found(library, "fmi3SerializedFMUStateSize");
    f.serialize = found(library, "fmi3SerializeFMUState");
    f.deserialize = found(library, "fmi3DeserializeFMUState");
    f.terminate = found(library, "fmi3Terminate");
    f.free_instance = found(library, "fmi3FreeInstance");
    return f;
}

/* Co-Simulation */

static void save(Run *run, const char *path) {
    void *state = NULL;
    size_t size = 0;
    check(run->call.get_state(run->instance, &state), "fmi3GetFMUState");
    check(run->call.state_size(run->instance, state, &size), "fmi3SerializedFMUStateSize");
    uint8_t *bytes = malloc(size);
    check(run->call.serialize(run->instance, state, bytes, size), "fmi3SerializeFMUState");
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size) stop_with("the state cannot be written");
    fclose(file);
    free(bytes);
}

static void restore(Run *run, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) stop_with("the state cannot be read");
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(size);
    if (fread(bytes, 1, size, file) != size) stop_with("the state cannot be read");
    fclose(file);
    void *state = NULL;
    check(run->call.deserialize(run->instance, bytes, size, &state), "fmi3DeserializeFMUState");
    check(run->call.set_state(run->instance, state), "fmi3SetFMUState");
    free(bytes);
}

static void run_cs(Run *run, double stop, int steps, const char *saved, const char *restored) {
    int first = 0;
    if (restored) {
        restore(run, restored);
        first = steps / 2;
    }
    for (int k = first; k < steps; k++) {
        double from = stop * k / steps;
        bool event = false, terminates = false, early = false;
        if (saved && k == steps / 2) save(run, saved);
        check(run->call.step(run->instance, from, stop * (k + 1) / steps - from, true, &event, &terminates, &early,
                             &run->time),
              "fmi3DoStep");
        if (terminates) return;
    }
}

/* Model Exchange */

static void rates_at(Run *run, double t, const double *x, double *rates) {
    check(run->call.set_time(run->instance, t), "fmi3SetTime");
    check(run->call.set_states(run->instance, x, run->states), "fmi3SetContinuousStates");
    check(run->call.get_rates(run->instance, rates, run->states), "fmi3GetContinuousStateDerivatives");
}

/* One step of the classical method of order 4 from x; the instance is left at its end. */
static void runge_kutta(Run *run, const double *x, double h, double *end) {
    static double k[4][MOST], at[MOST];
    static const double part[4] = {0.0, 0.5, 0.5, 1.0};
    for (int stage = 0; stage < 4; stage++) {
        for (size_t i = 0; i < run->states; i++) at[i] = stage ? x[i] + h * part[stage] * k[stage - 1][i] : x[i];
        rates_at(run, run->time + h * part[stage], at, k[stage]);
    }
    for (size_t i = 0; i < run->states; i++) end[i] = x[i] + h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    check(run->call.set_states(run->instance, end, run->states), "fmi3SetContinuousStates");
}

static bool crossed(Run *run, const double *before) {
    static double here[MOST];
    check(run->call.get_indicators(run->instance, here, run->indicators), "fmi3GetEventIndicators");
    for (size_t i = 0; i < run->indicators; i++) {
        if ((before[i] > 0.0) != (here[i] > 0.0)) return true;
    }
    return false;
}

/* Event iteration; whether the run goes on. */
static bool handle_events(Run *run) {
    bool again = true, terminates = false, nominals, states, has_next;
    while (again && !terminates) {
        check(run->call.update_discrete(run->instance, &again, &terminates, &nominals, &states, &has_next, &run->next),
              "fmi3UpdateDiscreteStates");
        if (!has_next) run->next = INFINITY;
    }
    check(run->call.enter_continuous(run->instance), "fmi3EnterContinuousTimeMode");
    return !terminates;
}

/* The largest part of a step before which no indicator changes its sign, to the next above. */
static double located(Run *run, const double *x, double h, const double *before, double *end) {
    double low = 0.0, high = h;
    for (int k = 0; k < HALVINGS && high - low > 1e-15 * (run->time + h); k++) {
        double middle = 0.5 * (low + high);
        runge_kutta(run, x, middle, end);
        if (crossed(run, before)) high = middle;
        else low = middle;
    }
    runge_kutta(run, x, high, end);
    return high;
}

static void run_me(Run *run, double stop, int steps) {
    static double x[MOST], end[MOST], before[MOST];
    check(run->call.count_states(run->instance, &run->states), "fmi3GetNumberOfContinuousStates");
    check(run->call.count_indicators(run->instance, &run->indicators), "fmi3GetNumberOfEventIndicators");
    if (run->states > MOST || run->indicators > MOST) stop_with("the model is too large");
    bool goes_on = handle_events(run);
    for (int k = 1; goes_on && run->time < stop;) {
        double target = k == steps ? stop : stop * k / steps;
        bool at_instant = run->next <= target;
        double to = at_instant ? run->next : target;
        check(run->call.get_states(run->instance, x, run->states), "fmi3GetContinuousStates");
        check(run->call.get_indicators(run->instance, before, run->indicators), "fmi3GetEventIndicators");
        double h = to - run->time;
        if (h > 0.0) runge_kutta(run, x, h, end);
        bool at_crossing = h > 0.0 && crossed(run, before);
        if (at_crossing) h = located(run, x, h, before, end);
        bool is_whole = !at_crossing || run->time + h >= to;
        run->time = is_whole ? to : run->time + h;
        check(run->call.set_time(run->instance, run->time), "fmi3SetTime");
        bool enters = false, terminates = false;
        check(run->call.completed(run->instance, true, &enters, &terminates), "fmi3CompletedIntegratorStep");
        if (at_crossing || enters || (at_instant && is_whole)) {
            check(run->call.enter_events(run->instance), "fmi3EnterEventMode");
            goes_on = handle_events(run);
        }
        if (run->time >= target) k++;
        goes_on = goes_on && !terminates;
    }
}

/* The folder of resources: binaries/PLATFORM/LIBRARY stands beside it. */
static const char *resources_of(const char *library) {
    static char path[MOST];
    size_t length = strlen(library);
    for (int up = 0; up < 3; up++) {
        while (length && library[length - 1] != '/' && library[length - 1] != '\\') length--;
        if (length) length--;
    }
    snprintf(path, sizeof path, "%.*s/resources/", (int)length, library);
    return path;
}

int main(int count, char **words) {
    if (count < 6) stop_with("LIBRARY TOKEN cs|me STOP STEPS [-save FILE] [-restore FILE] [REFERENCE ...]");
    Run run = {.call = functions_of(words[1]), .next = INFINITY};
    bool is_cs = !strcmp(words[3], "cs");
    double stop = atof(words[4]);
    int steps = atoi(words[5]);
    const char *saved = NULL, *restored = NULL;
    int at = 6;
    for (; at + 1 < count && words[at][0] == '-'; at += 2) {
        if (!strcmp(words[at], "-save")) saved = words[at + 1];
        else restored = words[at + 1];
    }
    const char *resources = resources_of(words[1]);
    if (is_cs) {
        run.instance = run.call.instantiate_cs("cs", words[2], resources, false, false, false, false, NULL, 0, NULL,
                                               logged, NULL);
    } else {
        run.instance = run.call.instantiate_me("me", words[2], resources, false, false, NULL, logged);
    }
    if (!run.instance) stop_with("no instance");
    check(run.call.enter_initialization(run.instance, false, 0.0, 0.0, true, stop), "fmi3EnterInitializationMode");
    check(run.call.exit_initialization(run.instance), "fmi3ExitInitializationMode");
    if (is_cs) run_cs(&run, stop, steps, saved, restored);
    else run_me(&run, stop, steps);
    printf("%.17g\n", run.time);
    for (; at < count; at++) {
        uint32_t reference = (uint32_t)atol(words[at]);
        double value = 0.0;
        check(run.call.get(run.instance, &reference, 1, &value, 1), "fmi3GetFloat64");
        printf("%.17g\n", value);
    }
    run.call.terminate(run.instance);
    run.call.free_instance(run.instance);
    return 0;
}
