#include "broker_process.h"
#include <mosquitto.h>
#include <mqtt_protocol.h>
