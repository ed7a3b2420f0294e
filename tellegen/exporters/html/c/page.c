/* A model in a page: one instance, which JavaScript sets up, runs and reads. Numbers go in and out one by one. */
#include "model.h"

#define CALLED(name) __attribute__((export_name(#name)))

/* -- what a C library would have ------------------------------------------------------------------------------- */

extern unsigned char __heap_base;
enum { PAGE = 65536, ALIGNED = 16 };
static unsigned char *next; /* the first byte that is free */

/* Memory grows and is kept, but for the last piece: the others live as long as the page. */
void *malloc(size_t size) {
    if (!next) next = (unsigned char *)(((uintptr_t)&__heap_base + ALIGNED - 1) / ALIGNED * ALIGNED);
    size_t *length = (size_t *)next;
    size_t whole = (size + 2 * ALIGNED - 1) / ALIGNED * ALIGNED; /* with its length before it */
    uintptr_t end = (uintptr_t)next + whole;
    size_t there = __builtin_wasm_memory_size(0) * (size_t)PAGE;
    if (end > there && __builtin_wasm_memory_grow(0, (end - there + PAGE - 1) / PAGE) == (size_t)-1) return NULL;
    *length = whole;
    next = (unsigned char *)end;
    return (unsigned char *)length + ALIGNED;
}

void free(void *memory) {
    if (!memory) return;
    unsigned char *begin = (unsigned char *)memory - ALIGNED;
    if (begin + *(size_t *)begin == next) next = begin;
}

void *memcpy(void *target, const void *source, size_t size) {
    unsigned char *to = target;
    const unsigned char *from = source;
    while (size--) *to++ = *from++;
    return target;
}

void *memset(void *target, int value, size_t size) {
    unsigned char *to = target;
    while (size--) *to++ = (unsigned char)value;
    return target;
}

int strcmp(const char *left, const char *right) {
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return (unsigned char)*left - (unsigned char)*right;
}

/* -- the instance ---------------------------------------------------------------------------------------------- */

static Model *model;

/* Everything as it was exported; zero where there is no memory. */
CALLED(begin) int page_begin(void) {
    if (model) return model_reset(model) == DONE;
    model = model_new(tellegen_token);
    return model != NULL;
}

CALLED(set) int page_set(int reference, double value) { return model_set(model, (size_t)reference, value); }

CALLED(initialize) int page_initialize(double start, double stop) {
    model_enter_initialization(model, start, stop, 0.0);
    int status = model_initialize(model);
    model->mode = STEPPING;
    return status;
}

CALLED(advance) int page_advance(double target, int returns_at_events) {
    return model_advance(model, target, returns_at_events);
}

CALLED(happen) int page_happen(void) {
    int states_changed;
    return model_event(model, &states_changed);
}

CALLED(time) double page_time(void) { return model_time(model); }

CALLED(terminated) int page_terminated(void) { return model->is_terminated; }

/* A value where the model stands; not a number where its equations have no solution. */
CALLED(get) double page_get(int reference) {
    double value;
    return model_get(model, (size_t)reference, &value) == DONE ? value : __builtin_nan("");
}
