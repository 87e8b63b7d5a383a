# shellcheck shell=bash
# Two bridged mosquittos on loopback with the settings of deploy/broker/cluster. Sourced by Tests/FailoverTests/brokers.
# shellcheck disable=SC2034,SC2154 # variables of Tests/FailoverTests/brokers

engine_packages=()
certificate_options=()
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

# --- The bridge

# A third broker has a bridge to each of three further ones, with the settings of the recipe. Those with a certificate of another
# CA or for another name must not get even the password.
check_encryption() {
  local name more=() ports
  read -r -a ports <<<"$(free_ports 4)"
  check "the port of the bridge shows the certificate" shows_certificate "${port[1]}"
  check "the port of the bridge accepts no client without TLS" fails mosquitto_pub -h 127.0.0.1 -p "${port[1]}" -u bridge -P "$password" \
    -t grampad/ready -m ready 2>>"$folder/client.log"
  printf 'user %s\nlistener %s 127.0.0.1\n' "$(id -un)" "${ports[3]}" >"$folder/bridging.conf"
  for name in tls foreign stranger; do
    sed -e "s/^listener ${port[1]} /listener ${ports[${#more[@]}]} /; /^listener ${plain[1]}/d; s|tls/server|$name/server|" \
      "$folder/node1.conf" >"$folder/$name.conf"
    sed -n "/^connection/,\$ { s/^connection .*/connection $name/; s/:${port[1]}/:${ports[${#more[@]}]}/; p }" "$folder/node0.conf" \
      >>"$folder/bridging.conf"
    mosquitto -c "$folder/$name.conf" >"$folder/$name.log" 2>&1 &
    more+=($!)
    disown
  done
  mosquitto -c "$folder/bridging.conf" >"$folder/bridging.log" 2>&1 &
  more+=($!)
  disown
  engine_processes+=("${more[@]}")
  check "a bridge to a broker with a certificate of the CA connects" wait_for 30 grep -q "New client connected .*u'bridge'" "$folder/tls.log"
  check "a bridge to a broker with a certificate of another CA fails" wait_for 30 grep -q 'alert unknown ca' "$folder/foreign.log"
  check "a bridge to a broker with a certificate for another name fails" wait_for 30 grep -q 'Client <unknown> disconnected' "$folder/stranger.log"
  check "those brokers have not received a user" fails grep -q 'New client connected' "$folder/foreign.log" "$folder/stranger.log"
  kill_all "${more[@]}"
}
