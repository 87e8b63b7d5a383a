// The test stand: it writes frames to an emulated pad, runs a program that reads the pad, and subscribes to its messages.
//
//   stand PAD.SO FIFO PORT FILTER RATE FRAMES IDLE PROGRAM ARGUMENT ...
//
// It starts PROGRAM with PAD.SO preloaded, presses the pad until a reading arrives, then writes FRAMES frames with
// different pressures to FIFO: RATE per second, as fast as they are read (RATE 0), or each one after the reading of the
// previous one has arrived (RATE -1). Then it lifts the finger and measures for IDLE seconds. Readings are the messages
// that match FILTER and have a member "raw", which identifies their frame. It prints one JSON object.
//
// It sleeps between frames and while the FIFO is full, so that PROGRAM has the processor. The subscriber is a thread that
// sleeps until a message arrives.
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
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

enum { LOWEST = 60, VALUES = 3600, STRIDE = 37, POINTS = 11, TIME_LIMIT = 300 };
static const char *filter;
static int fifo;
static pid_t child;

// The state of the subscriber.
static _Atomic long long written[VALUES]; // the time of the frame with this pressure; 0 after its reading has arrived
static float *latency; // in microseconds, for the first reading of each frame
static long room;
static _Atomic long readings, matched, torn, others, bytes;
static _Atomic long long last, changed; // the time of the last reading, and of the last one with a new frame
static int previous = -1;

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static double seconds(long long nanoseconds) { return (double)nanoseconds / 1e9; }

static void sleepUntil(long long time) {
  struct timespec until = {time / 1000000000LL, time % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) continue;
}

static void onMessage(struct mosquitto *broker, void *context, const struct mosquitto_message *message) {
  (void)broker, (void)context;
  long long time = now();
  const char *payload = message->payload;
  size_t length = (size_t)message->payloadlen;
  const char *found = length ? memmem(payload, length, "\"raw\":", 6) : NULL;
  if (!found) {
    others++;
    return;
  }
  int raw = atoi(found + 6) - LOWEST;
  if (payload[0] != '{' || payload[length - 1] != '}' || raw >= VALUES) {
    torn++;
    return;
  }
  if (raw < 0) return; // nothing on the pad
  last = time;
  if (raw != previous) changed = time;
  previous = raw;
  readings++;
  bytes += (long)length;
  long long sent = atomic_exchange(&written[raw], 0);
  if (sent && matched < room) latency[matched++] = (float)(time - sent) / 1e3f;
}

static void onConnect(struct mosquitto *broker, void *context, int code) {
  (void)context;
  if (!code) mosquitto_subscribe(broker, NULL, filter, 0);
}

static int waiting(void) {
  int count = 0;
  return ioctl(fifo, FIONREAD, &count) ? -1 : count;
}

static struct input_event events[8];
static int length;
static void add(int type, int code, int value) {
  long long time = now();
  events[length++] = (struct input_event){
      .input_event_sec = time / 1000000000LL,
      .input_event_usec = time % 1000000000LL / 1000,
      .type = (unsigned short)type,
      .code = (unsigned short)code,
      .value = value};
}

// Writes one frame. Writes of up to PIPE_BUF bytes are atomic; write(2) blocks while the FIFO is full. See pipe(7).
static void report(void) {
  add(EV_SYN, SYN_REPORT, 0);
  ssize_t size = (ssize_t)((size_t)length * sizeof *events);
  if (write(fifo, events, (size_t)size) != size) perror("stand: write");
  length = 0;
}

// Writes a sawtooth that rises by more than a division per frame (37 of 4,095 steps, 3.5 g of 385 g), so that each frame
// changes the displayed value. No pressure repeats within 3,600 frames.
static void press(long number) {
  int raw = (int)(number * STRIDE % VALUES);
  add(EV_ABS, ABS_MT_POSITION_X, 400 + (int)(number % 300));
  add(EV_ABS, ABS_MT_PRESSURE, LOWEST + raw);
  written[raw] = now();
  report();
}

static int ascending(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static double at(double share) {
  return matched ? (double)latency[(long)((double)(matched - 1) * share)] : -1;
}

// Handles a signal to terminate, and the time limit.
static void end(int number) {
  if (child > 0 && !kill(child, number == SIGALRM ? SIGKILL : SIGTERM)) waitpid(child, NULL, 0);
  _exit(number == SIGALRM ? 70 : 128 + number);
}

static void fail(int status, const char *words) {
  fprintf(stderr, "stand: %s\n", words);
  if (child > 0) kill(child, SIGKILL);
  exit(status);
}

int main(int count, char **words) {
  if (count < 9) fail(64, "PAD.SO FIFO PORT FILTER RATE FRAMES IDLE PROGRAM ARGUMENT ...");
  double rate = atof(words[5]), idle = atof(words[7]);
  long frames = room = atol(words[6]);
  filter = words[4];
  latency = calloc((size_t)frames + 1, sizeof *latency);
  if (mkfifo(words[2], 0600) && errno != EEXIST) fail(73, "cannot make the FIFO");
  fifo = open(words[2], O_RDWR | O_CLOEXEC); // O_RDWR, so that it opens without a reader
  if (fifo < 0) fail(74, "cannot open the FIFO");
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGTERM, end), signal(SIGINT, end), signal(SIGALRM, end);
  alarm(TIME_LIMIT + (unsigned)(idle + (rate > 0 ? (double)frames / rate : 0)));

  mosquitto_lib_init();
  struct mosquitto *broker = mosquitto_new(NULL, true, NULL);
  mosquitto_int_option(broker, MOSQ_OPT_TCP_NODELAY, 1);
  mosquitto_connect_callback_set(broker, onConnect);
  mosquitto_message_callback_set(broker, onMessage);
  if (mosquitto_connect(broker, "127.0.0.1", atoi(words[3]), 60)) fail(69, "no broker");
  mosquitto_loop_start(broker);

  long long started = now(), first = 0;
  child = fork();
  if (!child) {
    signal(SIGTERM, SIG_DFL), signal(SIGINT, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setenv("LD_PRELOAD", words[1], 1);
    execvp(words[8], words + 8);
    _exit(127);
  }
  prctl(PR_SET_TIMERSLACK, 1); // nanoseconds, this thread only
  add(EV_ABS, ABS_MT_SLOT, 0), add(EV_ABS, ABS_MT_TRACKING_ID, 7), add(EV_KEY, BTN_TOUCH, 1);
  for (long touch = 0; !last; touch++) {
    if (waitpid(child, NULL, WNOHANG)) fail(70, "the program ended");
    if (!waiting()) press(touch);
    usleep(500);
  }
  first = last;
  usleep(500000);
  readings = matched = torn = others = bytes = 0;

  long points[POINTS] = {0}, part = frames / (POINTS - 1) + 1;
  double before = cpu(child);
  long switched = switches(child);
  long long begin = now(), drained;
  for (long frame = 0; frame < frames; frame++) {
    if (rate > 0) sleepUntil(begin + (long long)((double)frame * 1e9 / rate));
    if (frame % part == 0) points[frame / part] = resident(child);
    press(frame);
    // If no reading arrives within a second, the program has skipped the frame.
    long long deadline = now() + 1000000000LL;
    while (rate < 0 && written[frame * STRIDE % VALUES] && now() < deadline) usleep(50);
  }
  while (waiting() > 0) usleep(100);
  drained = now();
  // Wait until no message has arrived for half a second.
  while (now() - last < 500000000LL || now() - drained < 500000000LL) usleep(1000);
  switched = switches(child) - switched;
  double used = cpu(child) - before, arrived = seconds(changed - begin);
  long told = readings;
  points[POINTS - 1] = resident(child);

  add(EV_ABS, ABS_MT_TRACKING_ID, -1), add(EV_KEY, BTN_TOUCH, 0);
  report();
  sleep(idle > 0 ? 3 : 0);
  long resting = switches(child);
  double restingCPU = cpu(child);
  sleepUntil(now() + (long long)(idle * 1e9));
  resting = switches(child) - resting;
  restingCPU = cpu(child) - restingCPU;

  qsort(latency, (size_t)matched, sizeof *latency, ascending);
  // readings: all that arrived; matched: the first reading of each frame, for which the latency is measured. read_s: until
  // the FIFO was empty; arrived_s: until the first reading of the last frame arrived. rss_kb: after each tenth of the frames
  // and at the end. CPU time and switches are those of all threads.
  printf("{\"frames\":%ld,\"readings\":%ld,\"matched\":%ld", frames, told, matched);
  printf(",\"torn\":%ld,\"others\":%ld", torn, others);
  printf(",\"payload_bytes\":%.1f", told ? (double)bytes / (double)told : 0);
  printf(",\"read_s\":%.4f,\"arrived_s\":%.4f", seconds(drained - begin), arrived);
  printf(",\"cpu_s\":%.6f,\"switches\":%ld", used, switched);
  printf(",\"p50_us\":%.1f,\"p99_us\":%.1f,\"most_us\":%.1f", at(0.5), at(0.99), at(1));
  printf(",\"start_s\":%.4f,\"idle_s\":%.1f", seconds(first - started), idle);
  printf(",\"idle_switches\":%ld,\"idle_cpu_s\":%.6f,\"rss_kb\":[", resting, restingCPU);
  for (int i = 0; i < POINTS; i++) printf("%s%ld", i ? "," : "", points[i]);
  printf("]}\n");
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
  mosquitto_disconnect(broker);
  mosquitto_loop_stop(broker, true);
  return 0;
}
