# shellcheck shell=bash
# A cluster of three NATS servers on loopback with the settings of deploy/broker/cluster. Sourced by Tests/FailoverTests/brokers.
# shellcheck disable=SC2034,SC2154 # variables of Tests/FailoverTests/brokers

engine_packages=(nats-server socat)
nodes=3
version=3.1.1
start=together
# Where a client finds what is retained: on all nodes.
retained=all

prepare_engine() {
  local index ports routes
  read -r -a ports <<<"$(free_ports 6)"
  routes=nats://127.0.0.1:${ports[3]},nats://127.0.0.1:${ports[4]},nats://127.0.0.1:${ports[5]}
  for ((index = 0; index < nodes; index++)); do
    sed -e "s/^server_name: .*/server_name: node$((index + 1))/; s/CHANGE-THIS/$password/; s|/var/lib/nats|$folder/node$index|" \
      -e "s/0.0.0.0:4222/127.0.0.1:${ports[index]}/; s/0.0.0.0:6222/127.0.0.1:${ports[index + 3]}/" \
      -e "s/0.0.0.0:8883/127.0.0.1:${port[index]}/; s|/etc/nats/tls|$folder/tls|; s|routes: .*|routes: [${routes//,/, }]|" \
      deploy/broker/cluster/nats-server.conf >"$folder/node$index.conf"
    # A server has one listener for MQTT.
    socat "TCP-LISTEN:${plain[index]},bind=127.0.0.1,reuseaddr,fork,nodelay" \
      "OPENSSL:127.0.0.1:${port[index]},cafile=$folder/tls/ca.pem,nodelay" 2>>"$folder/socat.log" &
    engine_processes+=($!)
    disown
  done
}

start_node() {
  nats-server -c "$folder/node$1.conf" >>"$folder/node$1.log" 2>&1 &
  node[$1]=$!
  disown
}

signal_node() { kill "-$2" "${node[$1]}"; }
