// The test stand: an emulated pad (umockdev) that is driven at a rate, a program on it, and a subscriber behind it.
//
//   umockdev-wrapper stand DESCRIPTION IOCTLS PORT TOPIC RATE SECONDS -- PROGRAM ARGUMENT ...
//
// Waits until PROGRAM has published something on TOPIC or answers a touch, then writes frames at RATE a second (0: as fast
// as they are read) for SECONDS, each with another pressure, and matches what arrives on TOPIC by its "raw". Prints one JSON
// object: frames, readings, CPU seconds of PROGRAM (all its threads), latencies from the writing of the frame to its
// arrival in microseconds, resident kilobytes, voluntary context switches, and seconds from start to the first message.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <mosquitto.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <umockdev.h>
#include <unistd.h>

enum { VALUES = 4096, MOST = 4000000 };
static const char *topic;
static int master, slave;
static _Atomic long long written[VALUES]; // when the frame with this raw value was written, 0 once it has arrived
static double *latency;
static _Atomic long arrived;
static _Atomic int firstSeen;
static _Atomic int measuring;
static long long firstArrival;

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void onMessage(struct mosquitto *broker, void *context, const struct mosquitto_message *message) {
  (void)broker, (void)context;
  long long time = now();
  if (!firstSeen) firstArrival = time, firstSeen = 1;
  if (!measuring) return;
  const char *found = memmem(message->payload, message->payloadlen, "\"raw\":", 6);
  if (!found) return;
  int raw = atoi(found + 6);
  if (raw < 0 || raw >= VALUES) return;
  long long sent = atomic_exchange(&written[raw], 0);
  long index = arrived++;
  if (index < MOST) latency[index] = sent ? (time - sent) / 1e3 : -1;
}

static void onConnect(struct mosquitto *broker, void *context, int code) {
  (void)context;
  if (!code) mosquitto_subscribe(broker, NULL, topic, 0);
}

static int queued(void) {
  int count = 0;
  syscall(SYS_ioctl, slave, FIONREAD, &count); // as the kernel has it: umockdev answers ioctl() itself
  return count;
}

static struct input_event frame[16];
static int length;
static void add(int type, int code, int value) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  struct input_event *event = &frame[length++];
  event->input_event_sec = t.tv_sec;
  event->input_event_usec = t.tv_nsec / 1000;
  event->type = type, event->code = code, event->value = value;
}

static void report(void) {
  add(EV_SYN, SYN_REPORT, 0);
  ssize_t size = (ssize_t)(length * sizeof *frame);
  // The pty has room for 4,095 bytes, and a reader that falls behind finds torn events in it.
  while (queued() > 1200) sched_yield();
  if (write(master, frame, size) != size) perror("stand: write");
  length = 0;
}

static double cpu(pid_t process) {
  clockid_t clock;
  struct timespec t = {0, 0};
  if (clock_getcpuclockid(process, &clock) == 0) clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static long field(pid_t process, const char *name) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/status", process);
  FILE *file = fopen(path, "r");
  long value = -1;
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, name, strlen(name))) value = atol(line + strlen(name) + 1);
  if (file) fclose(file);
  return value;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

int main(int count, char **words) {
  if (count < 9) return 64;
  int port = atoi(words[3]);
  topic = words[4];
  double rate = atof(words[5]), seconds = atof(words[6]);
  latency = malloc(sizeof(double) * MOST);
  char *description;
  GError *error = NULL;
  if (!g_file_get_contents(words[1], &description, NULL, &error)) return 66;
  UMockdevTestbed *bed = umockdev_testbed_new();
  if (!umockdev_testbed_add_from_string(bed, description, &error) ||
      !umockdev_testbed_load_ioctl(bed, "/dev/input/event0", words[2], &error)) {
    fprintf(stderr, "stand: %s\n", error->message);
    return 66;
  }
  master = umockdev_testbed_get_dev_fd(bed, "/dev/input/event0");
  char name[64];
  if (ptsname_r(master, name, sizeof name)) return 74;
  slave = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK);

  mosquitto_lib_init();
  struct mosquitto *broker = mosquitto_new(NULL, true, NULL);
  mosquitto_int_option(broker, MOSQ_OPT_TCP_NODELAY, 1);
  mosquitto_connect_callback_set(broker, onConnect);
  mosquitto_message_callback_set(broker, onMessage);
  if (mosquitto_connect(broker, "127.0.0.1", port, 60)) return 69;
  mosquitto_loop_start(broker);

  long long started = now();
  pid_t child = fork();
  if (!child) {
    execvp(words[8], words + 8);
    _exit(127);
  }
  // A touch now and then until the program answers: what is written before it has opened the pad is lost.
  for (int touch = 0; !firstSeen; touch++) {
    if (now() - started > 20000000000LL || waitpid(child, NULL, WNOHANG)) {
      fprintf(stderr, "stand: the program published nothing\n");
      kill(child, SIGKILL);
      return 70;
    }
    if (touch == 0) add(EV_ABS, ABS_MT_SLOT, 0), add(EV_ABS, ABS_MT_TRACKING_ID, 7), add(EV_KEY, BTN_TOUCH, 1);
    add(EV_ABS, ABS_MT_POSITION_X, 500 + touch % 100);
    add(EV_ABS, ABS_MT_PRESSURE, 100 + touch % 200);
    report();
    usleep(10000);
  }
  usleep(300000);
  double startup = (firstArrival - started) / 1e9;

  measuring = 1;
  double before = cpu(child);
  long switches = field(child, "voluntary_ctxt_switches");
  long long begin = now();
  long frames = 0;
  double step = rate > 0 ? 1e9 / rate : 0;
  for (;; frames++) {
    long long due = begin + (long long)(frames * step);
    if ((rate > 0 ? due : now()) - begin > seconds * 1e9) break;
    if (rate > 0) {
      struct timespec until = {due / 1000000000LL, due % 1000000000LL};
      while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
    }
    // A ramp that grows by more than a division a frame, so that every frame changes what is displayed.
    int raw = 60 + (int)(frames * 7 % 3600);
    add(EV_ABS, ABS_MT_POSITION_X, 400 + (int)(frames % 300));
    add(EV_ABS, ABS_MT_PRESSURE, raw);
    written[raw] = now();
    report();
  }
  long long wrote = now();
  while (queued() > 0 && now() - wrote < 10000000000LL) usleep(1000);
  double elapsed = (now() - begin) / 1e9;
  usleep(300000);
  double used = cpu(child) - before;
  measuring = 0;
  long resident = field(child, "VmRSS:"), most = field(child, "VmHWM:");
  switches = field(child, "voluntary_ctxt_switches") - switches;

  long total = arrived < MOST ? arrived : MOST, matched = 0;
  for (long i = 0; i < total; i++)
    if (latency[i] >= 0) latency[matched++] = latency[i];
  qsort(latency, matched, sizeof *latency, ascending);
#define AT(share) (matched ? latency[(long)((matched - 1) * (share))] : -1)
  printf("{\"frames\":%ld,\"readings\":%ld,\"matched\":%ld,\"seconds\":%.3f,\"cpu_s\":%.6f,\"p50_us\":%.1f,\"p99_us\":%.1f,"
         "\"max_us\":%.1f,\"rss_kb\":%ld,\"hwm_kb\":%ld,\"switches\":%ld,\"startup_s\":%.4f}\n",
         frames, total, matched, elapsed, used, AT(0.5), AT(0.99), AT(1), resident, most, switches, startup);
  kill(child, SIGTERM);
  int status;
  waitpid(child, &status, 0);
  mosquitto_disconnect(broker);
  mosquitto_loop_stop(broker, true);
  g_object_unref(bed);
  return 0;
}
