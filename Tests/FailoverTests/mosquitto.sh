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
  local index user
  # Both may use all topics.
  for user in grampad bridge; do make_user "$user"; done
  for index in 0 1; do
    sed "s/^listener .*/listener ${port[index]} 127.0.0.1/" "$folder/tls/mosquitto.conf" >"$folder/node$index.conf"
    cat deploy/broker/cluster/mosquitto.conf - >>"$folder/node$index.conf" <<END
user $(id -un)
listener ${plain[index]} 127.0.0.1
END
  done
  sed "s/^address .*/address 127.0.0.1:${port[1]}/; s/CHANGE-THIS/$password/; s|/etc/mosquitto/grampad|$folder/tls|" \
    deploy/broker/cluster/mosquitto-bridge.conf >>"$folder/node0.conf"
}
make_user() { deploy/broker/grampad-broker --folder "$folder/tls" --ask add-bridge "$1" <<<"$password" 2>>"$folder/tls.log"; }

start_node() {
  mosquitto -c "$folder/node$1.conf" >>"$folder/node$1.log" 2>&1 &
  node[$1]=$!
  disown
}

signal_node() { kill "-$2" "${node[$1]}"; }
