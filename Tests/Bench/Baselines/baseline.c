// The minimum that a program can do between a pad and a broker: it reads frames with libevdev, multiplies the pressure by
// a factor and publishes. It has no filter, no stability detection and no storage, one thread and one poll.
//
//   baseline DEVICE PORT PREFIX
//
// Publishes what Grampad publishes for a reading: PREFIX/live, a JSON object with the same fields, and PREFIX/display.
#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <mosquitto.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ended;
static void end(int signal) { (void)signal; ended = 1; }

static void publish(struct mosquitto *broker, const char *prefix, int raw, int maximum) {
  char topic[256], payload[1024], display[32];
  double grams = raw * 385.0 / maximum;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct tm parts;
  gmtime_r(&now.tv_sec, &parts);
  char when[32];
  strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &parts);
  int shown = (int)(grams + 0.5);
  snprintf(display, sizeof display, "%d g", shown);
  int length = snprintf(payload, sizeof payload,
      "{\"time\":\"%s.%03ldZ\",\"state\":\"settling\",\"gross_g\":%d,\"tare_g\":0,\"net_g\":%d,"
      "\"high_resolution_g\":%.3f,\"uncertainty_g\":null,\"stable\":false,\"inside_zero\":false,\"overload\":false,"
      "\"underload\":false,\"printable\":\"%s\",\"raw\":%d,\"force\":%.4f,\"calibration\":\"nominal\",\"tare_epoch\":0}",
      when, now.tv_nsec / 1000000, shown, shown, grams, display, raw, (double)raw / maximum);
  snprintf(topic, sizeof topic, "%s/live", prefix);
  mosquitto_publish(broker, NULL, topic, length, payload, 0, false);
  snprintf(topic, sizeof topic, "%s/display", prefix);
  mosquitto_publish(broker, NULL, topic, (int)strlen(display), display, 0, false);
}

int main(int count, char **words) {
  if (count != 4) return 64;
  signal(SIGTERM, end);
  signal(SIGPIPE, SIG_IGN);
  int device = open(words[1], O_RDONLY | O_NONBLOCK);
  struct libevdev *pad = NULL;
  if (device < 0 || libevdev_new_from_fd(device, &pad) < 0) return 66;
  int maximum = libevdev_get_abs_maximum(pad, ABS_MT_PRESSURE);
  if (maximum <= 0) return 65;
  mosquitto_lib_init();
  struct mosquitto *broker = mosquitto_new(NULL, true, NULL);
  mosquitto_int_option(broker, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  mosquitto_int_option(broker, MOSQ_OPT_TCP_NODELAY, 1);
  if (mosquitto_connect(broker, "127.0.0.1", atoi(words[2]), 60)) return 69;
  int raw = 0;
  while (!ended) {
    int socket = mosquitto_socket(broker);
    if (socket < 0) return 69;
    struct pollfd files[2] = {
        {device, POLLIN, 0}, {socket, (short)(POLLIN | (mosquitto_want_write(broker) ? POLLOUT : 0)), 0}};
    if (poll(files, 2, 1000) < 0 && errno != EINTR) return 74;
    if (files[1].revents & POLLIN) mosquitto_loop_read(broker, 1);
    if (files[1].revents & POLLOUT) mosquitto_loop_write(broker, 1);
    mosquitto_loop_misc(broker);
    struct input_event event;
    while (libevdev_next_event(pad, LIBEVDEV_READ_FLAG_NORMAL, &event) == LIBEVDEV_READ_STATUS_SUCCESS) {
      if (event.type == EV_ABS && event.code == ABS_MT_PRESSURE) raw = event.value;
      if (event.type == EV_SYN && event.code == SYN_REPORT) publish(broker, words[3], raw, maximum);
    }
  }
  mosquitto_disconnect(broker);
  mosquitto_destroy(broker);
  libevdev_free(pad);
  return 0;
}
