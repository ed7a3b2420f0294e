/* Functions in Python, computed by a process of an installed Python (serve.py among the resources of the FMU).

   One process serves all instances of this library, one call after the other; it ends with the last of them. Which
   Python: what the environment variable TELLEGEN_PYTHON names, the one that exported the FMU, python3 and python of the
   search path; the first that has what the functions import. The system's functions are declared here, as nothing else
   of its headers is needed. */
#include "model.h"

char *getenv(const char *name);

enum { LONGEST_PATH = 4096, LONGEST_MESSAGE = 3000 };

/* A text of limited length. */
typedef struct {
    size_t length;
    char text[LONGEST_MESSAGE];
} Message;

static Message complaint;

static void add(Message *message, const char *text) {
    while (*text && message->length + 1 < LONGEST_MESSAGE) message->text[message->length++] = *text++;
    message->text[message->length] = 0;
}

void python_forget(void) { complaint.length = 0; }

const char *python_complaint(void) {
    if (!complaint.length) return NULL;
    for (char *each = complaint.text; *each; each++) {
        if (*each == '%' || *each == '#') *each = ' '; /* loggers would replace these */
    }
    return complaint.text;
}

#ifdef _WIN32

typedef struct {
    void *process, *input, *output; /* ends of pipes: what it reads, what it writes */
    unsigned long owner;
} Child;

typedef struct {
    unsigned long size;
    char *reserved, *desktop, *title;
    unsigned long x, y, width, height, columns, rows, fill, flags;
    unsigned short show, size2;
    unsigned char *reserved2;
    void *input, *output, *error;
} Startup;

typedef struct {
    void *process, *thread;
    unsigned long process_number, thread_number;
} Started;

typedef struct {
    unsigned long size;
    void *descriptor;
    int is_inherited;
} Security;

__declspec(dllimport) int __stdcall CreatePipe(void **, void **, Security *, unsigned long);
__declspec(dllimport) int __stdcall SetHandleInformation(void *, unsigned long, unsigned long);
__declspec(dllimport) int __stdcall CreateProcessA(const char *, char *, void *, void *, int, unsigned long, void *,
                                                   const char *, Startup *, Started *);
__declspec(dllimport) int __stdcall CloseHandle(void *);
__declspec(dllimport) int __stdcall ReadFile(void *, void *, unsigned long, unsigned long *, void *);
__declspec(dllimport) int __stdcall WriteFile(void *, const void *, unsigned long, unsigned long *, void *);
__declspec(dllimport) void *__stdcall GetStdHandle(unsigned long);
__declspec(dllimport) unsigned long __stdcall GetCurrentProcessId(void);
__declspec(dllimport) unsigned long __stdcall GetFileAttributesA(const char *);
__declspec(dllimport) unsigned long __stdcall WaitForSingleObject(void *, unsigned long);
__declspec(dllimport) void __stdcall Sleep(unsigned long);

static const char *const names[] = {"python.exe", "python3.exe"};
static const char between_folders = ';';

static int is_program(const char *path) { return GetFileAttributesA(path) != 0xFFFFFFFFul; }
static unsigned long own_process(void) { return GetCurrentProcessId(); }
static void rest(void) { Sleep(0); }

static int begin_child(Child *child, const char *program, const char *script) {
    Security inherited = {sizeof inherited, NULL, 1};
    void *child_input, *child_output;
    if (!CreatePipe(&child_input, &child->input, &inherited, 0)) return 0;
    if (!CreatePipe(&child->output, &child_output, &inherited, 0)) return 0;
    SetHandleInformation(child->input, 1, 0); /* ours are not inherited: the process would not see them close */
    SetHandleInformation(child->output, 1, 0);
    Startup startup = {.size = sizeof startup, .flags = 0x100, .input = child_input, .output = child_output};
    startup.error = GetStdHandle((unsigned long)-12);
    static Message command; /* on the stack it would need a function of the compiler's library */
    command.length = 0;
    add(&command, "\"");
    add(&command, program);
    add(&command, "\" \"");
    add(&command, script);
    add(&command, "\"");
    Started started;
    int is_begun = CreateProcessA(program, command.text, NULL, NULL, 1, 0x08000000, NULL, NULL, &startup, &started);
    CloseHandle(child_input);
    CloseHandle(child_output);
    if (!is_begun) return 0;
    CloseHandle(started.thread);
    child->process = started.process;
    return 1;
}

static int told(const Child *child, const void *bytes, size_t size) {
    const char *next = bytes;
    while (size) {
        unsigned long done = 0;
        if (!WriteFile(child->input, next, (unsigned long)size, &done, NULL) || !done) return 0;
        next += done;
        size -= done;
    }
    return 1;
}

static int heard(const Child *child, void *bytes, size_t size) {
    char *next = bytes;
    while (size) {
        unsigned long done = 0;
        if (!ReadFile(child->output, next, (unsigned long)size, &done, NULL) || !done) return 0;
        next += done;
        size -= done;
    }
    return 1;
}

static void end_child(Child *child, int is_ours) {
    CloseHandle(child->input);
    CloseHandle(child->output);
    if (is_ours) WaitForSingleObject(child->process, 10000);
    CloseHandle(child->process);
}

#else

typedef struct {
    int process, channel;
    int owner;
} Child;

int socketpair(int domain, int type, int protocol, int ends[2]);
int fcntl(int file, int command, ...);
int fork(void);
int dup2(int file, int other);
int execv(const char *program, char *const arguments[]);
void _exit(int status);
int close(int file);
long send(int channel, const void *bytes, size_t size, int flags);
long recv(int channel, void *bytes, size_t size, int flags);
int setsockopt(int channel, int level, int option, const void *value, unsigned size);
int waitpid(int process, int *status, int options);
int getpid(void);
int access(const char *path, int how);
int usleep(unsigned microseconds);

static const char *const names[] = {"python3", "python"};
static const char between_folders = ':';

static int is_program(const char *path) { return access(path, 1) == 0; }
static int own_process(void) { return getpid(); }
static void rest(void) { usleep(20); }

#ifdef __APPLE__
enum { WITHOUT_SIGNAL = 0 };
static void silence(int channel) { /* a process that has ended must not end this one by a signal */
    int yes = 1;
    setsockopt(channel, 0xffff, 0x1022, &yes, sizeof yes);
}
#else
enum { WITHOUT_SIGNAL = 0x4000 };
static void silence(int channel) {}
#endif

static int begin_child(Child *child, const char *program, const char *script) {
    int ends[2];
    if (socketpair(1, 1, 0, ends)) return 0; /* local, a stream */
    for (int k = 0; k < 2; k++) fcntl(ends[k], 2, 1); /* closed in other processes that are begun */
    silence(ends[0]);
    char *const arguments[] = {(char *)program, (char *)script, NULL};
    child->process = fork();
    if (child->process == 0) {
        dup2(ends[1], 0);
        dup2(ends[1], 1);
        execv(program, arguments);
        _exit(127);
    }
    close(ends[1]);
    child->channel = ends[0];
    if (child->process > 0) return 1;
    close(ends[0]);
    return 0;
}

static int told(const Child *child, const void *bytes, size_t size) {
    const char *next = bytes;
    while (size) {
        long done = send(child->channel, next, size, WITHOUT_SIGNAL);
        if (done <= 0) return 0;
        next += done;
        size -= (size_t)done;
    }
    return 1;
}

static int heard(const Child *child, void *bytes, size_t size) {
    char *next = bytes;
    while (size) {
        long done = recv(child->channel, next, size, 0);
        if (done <= 0) return 0;
        next += done;
        size -= (size_t)done;
    }
    return 1;
}

static void end_child(Child *child, int is_ours) {
    close(child->channel);
    if (is_ours) waitpid(child->process, NULL, 0);
}

#endif

static Child child;
static int is_running;
static int users; /* instances */
static int lock;

static void take_lock(void) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) rest();
}
static void leave_lock(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

static void stop(void) {
    /* after a fork of the importer's the process is another one's child */
    if (is_running) end_child(&child, child.owner == own_process());
    is_running = 0;
}

/* An answer of the process: 1, or 0 after a complaint of its own, or -1 where it does not answer. */
static int is_well(Message *message) {
    int64_t length = 0;
    if (!heard(&child, &length, sizeof length)) return -1;
    if (length == 0) return 1;
    char each[2] = {0};
    for (int64_t k = 0; k < length; k++) {
        if (!heard(&child, each, 1)) return -1;
        add(message, each);
    }
    return 0;
}

/* Begin a process of a Python; whether it has all that it needs. */
static int is_begun(const char *program, const char *script) {
    add(&complaint, complaint.length ? "; " : "functions in Python cannot be called: ");
    add(&complaint, program);
    add(&complaint, ": ");
    if (!is_program(program) || !begin_child(&child, program, script)) {
        add(&complaint, "no such program");
        return 0;
    }
    is_running = 1;
    child.owner = own_process();
    int status = is_well(&complaint);
    if (status == 1) {
        complaint.length = 0;
        return 1;
    }
    if (status < 0) add(&complaint, "it ends without an answer");
    stop();
    return 0;
}

/* The first Python of the search path by a name. */
static int is_found(const char *name, const char *script) {
    const char *next = getenv("PATH");
    static char path[LONGEST_PATH]; /* under the lock */
    while (next && *next) {
        size_t length = 0;
        while (*next && *next != between_folders) {
            if (length < LONGEST_PATH / 2) path[length++] = *next;
            next++;
        }
        if (*next) next++;
        path[length++] = '/';
        for (const char *c = name; *c; c++) path[length++] = *c;
        path[length] = 0;
        if (is_program(path)) return is_begun(path, script);
    }
    return 0;
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The path of the script in a folder of resources: a path (FMI 3.0) or an address such as file:///tmp/a%20b. */
static int find_script(const char *resources, char *path) {
    static const char scheme[] = "file:";
    static const char inside[] = "/python/serve.py";
    size_t length = 0;
    if (!resources) return 0;
    int is_address = 1;
    for (size_t k = 0; is_address && scheme[k]; k++) is_address = resources[k] == scheme[k];
    if (is_address) {
        resources += 5;
        if (resources[0] == '/' && resources[1] == '/') {
            resources += 2;
            while (*resources && *resources != '/') resources++; /* the machine */
        }
        if (resources[0] == '/' && resources[1] && resources[2] == ':') resources++; /* a drive */
    }
    while (*resources && length < LONGEST_PATH - sizeof inside) {
        int is_coded = is_address && *resources == '%' && digit(resources[1]) >= 0 && digit(resources[2]) >= 0;
        path[length++] = is_coded ? (char)(16 * digit(resources[1]) + digit(resources[2])) : *resources;
        resources += is_coded ? 3 : 1;
    }
    while (length && (path[length - 1] == '/' || path[length - 1] == '\\')) length--;
    memcpy(path + length, inside, sizeof inside);
    return 1;
}

int python_begin(const char *resources) {
    static const char recorded[] = RECORDED_PYTHON;
    static char script[LONGEST_PATH]; /* under the lock */
    take_lock();
    if (is_running && child.owner != own_process()) stop();
    if (!is_running) {
        complaint.length = 0;
        const char *wanted = getenv("TELLEGEN_PYTHON");
        if (getenv("TELLEGEN_SERVES_FMU")) {
            add(&complaint, "functions in Python cannot be called: their own script runs the FMU when it is loaded");
        } else if (!find_script(resources, script)) {
            add(&complaint, "functions in Python cannot be called: the importer does not say where the resources are");
        } else if (wanted && *wanted) {
            is_begun(wanted, script);
        } else if (!is_begun(recorded, script)) {
            for (size_t k = 0; !is_running && k < sizeof names / sizeof *names; k++) is_found(names[k], script);
        }
        if (!is_running) add(&complaint, "; TELLEGEN_PYTHON may name a Python that has what is missing");
    }
    int is_there = is_running;
    users += is_there;
    leave_lock();
    return is_there;
}

void python_end(void) {
    take_lock();
    if (--users <= 0) {
        users = 0;
        stop();
    }
    leave_lock();
}

static int is_answered(int64_t function, const double arguments[], int64_t count, double results[], int64_t size) {
    int64_t head[2] = {function, count};
    if (!is_running || child.owner != own_process()) return -1;
    if (!told(&child, head, sizeof head)) return -1;
    if (!told(&child, arguments, sizeof(double) * (size_t)count)) return -1;
    Message found = {0};
    int status = is_well(&found);
    if (status == 1) return heard(&child, results, sizeof(double) * (size_t)size) ? 1 : -1;
    if (status == 0) {
        complaint.length = 0;
        add(&complaint, found.text);
    }
    return status;
}

/* The results of a function; no numbers where it fails. */
static void call_python(int64_t function, const double arguments[], int64_t count, double results[], int64_t size) {
    take_lock();
    int status = is_answered(function, arguments, count, results, size);
    if (status < 0) {
        stop();
        complaint.length = 0;
        add(&complaint, "the process of Python that computes functions has ended");
    }
    if (status != 1) {
        for (int64_t k = 0; k < size; k++) results[k] = __builtin_nan("");
    }
    leave_lock();
}
