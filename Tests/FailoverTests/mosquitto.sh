# shellcheck shell=bash
# Two bridged mosquittos on loopback with the settings of deploy/broker/cluster. Sourced by Tests/FailoverTests/brokers.
# shellcheck disable=SC2034,SC2154 # variables of Tests/FailoverTests/brokers

engine_packages=()
nodes=2
version=5
start=together
# Where a client finds what is retained: on all nodes.
retained=all

prepare_engine() {
  local index
  touch "$folder/passwords"
  mosquitto_passwd -b "$folder/passwords" grampad "$password"
  mosquitto_passwd -b "$folder/passwords" bridge "$password"
  for index in 0 1; do
    cat deploy/broker/cluster/mosquitto.conf - >"$folder/node$index.conf" <<END
user $(id -un)
listener ${port[index]} 127.0.0.1
password_file $folder/passwords
END
  done
  sed "s/^address .*/address 127.0.0.1:${port[1]}/; s/CHANGE-THIS/$password/" deploy/broker/cluster/mosquitto-bridge.conf \
    >>"$folder/node0.conf"
}

start_node() {
  mosquitto -c "$folder/node$1.conf" >>"$folder/node$1.log" 2>&1 &
  node[$1]=$!
  disown
}

signal_node() { kill "-$2" "${node[$1]}"; }
