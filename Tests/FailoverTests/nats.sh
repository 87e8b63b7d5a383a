# shellcheck shell=bash
# A cluster of three NATS servers on loopback with the settings of deploy/broker/cluster. Sourced by Tests/FailoverTests/brokers.
# shellcheck disable=SC2034,SC2154 # variables of Tests/FailoverTests/brokers

engine_packages=(nats-server socat)
certificate_options=(--cluster)
nodes=3
version=3.1.1
start=together
# Where a client finds what is retained: on all nodes.
retained=all
# A subscription with QoS 1 that is made while a node is down stays without a replica there when the node is back (2.9.10).
recovers_subscriptions=no

prepare_engine() {
  local index
  # For the protocol of NATS, for routes, and for monitoring.
  read -r -a client_port <<<"$(free_ports 21)"
  route_port=("${client_port[@]:7}")
  monitor_port=("${client_port[@]:14}")
  for ((index = 0; index < nodes; index++)); do
    settings "$index" "node$((index + 1))" | sed "s/0.0.0.0:8883/127.0.0.1:${port[index]}/" >"$folder/node$index.conf"
    # A server has one listener for MQTT.
    socat "TCP-LISTEN:${plain[index]},bind=127.0.0.1,reuseaddr,fork,nodelay" \
      "OPENSSL:127.0.0.1:${port[index]},cafile=$folder/tls/ca.pem,nodelay" 2>>"$folder/socat.log" &
    engine_processes+=($!)
    disown
  done
}

# settings INDEX NAME
settings() {
  sed -e "s/^server_name: .*/server_name: $2/; s/CHANGE-THIS/$password/; s|/var/lib/nats|$folder/node$1|" \
    -e "s/127.0.0.1:4222/127.0.0.1:${client_port[$1]}/; s/0.0.0.0:6222/127.0.0.1:${route_port[$1]}/; s|/etc/nats/tls|$folder/tls|" \
    -e "s|node1:6222|localhost:${route_port[0]}|; s|node2:6222|localhost:${route_port[1]}|; s|node3:6222|localhost:${route_port[2]}|" \
    deploy/broker/cluster/nats-server.conf
  echo "http: 127.0.0.1:${monitor_port[$1]}"
}

start_node() {
  nats-server -c "$folder/node$1.conf" >>"$folder/node$1.log" 2>&1 &
  node[$1]=$!
  disown
}

# Whether the messages and all subscriptions of the collectors have both replicas; the node that leads a group of replicas knows. A
# collector subscribes to `+`, an appliance to its own topics. The subscriptions of clients that are gone can stay (2.9.10); nothing
# is bound to them.
is_whole() {
  local index
  for ((index = 0; index < nodes; index++)); do
    monitor "$index" >"$folder/replicas.$index" || return 1
    jq --exit-status --arg name "node$((index + 1))" '[.account_details[].stream_detail[] |
      ., (.consumer_detail[]? | select(.push_bound and (.config.filter_subject // "" | contains("*")))) | .cluster | select(.leader == $name) |
      (.replicas | length == 2 and all(.current))] | all' "$folder/replicas.$index" >/dev/null || return 1
  done
}
monitor() {
  local connection
  { exec {connection}<>"/dev/tcp/127.0.0.1/${monitor_port[$1]}"; } 2>/dev/null || return 1
  printf 'GET /jsz?accounts=true&streams=true&consumers=true&config=true HTTP/1.0\r\n\r\n' >&"$connection"
  sed '1,/^\r$/d' <&"$connection"
  exec {connection}>&-
}

signal_node() { kill "-$2" "${node[$1]}"; }

# --- Connections between nodes

# Starts four further servers with routes to the nodes, without JetStream, so that they do not take part in elections. Each
# has a subscription to what the nodes publish.
check_encryption() {
  local index=2 name more=()
  check "the port for routes shows the certificate" shows_certificate "${route_port[0]}"
  check "the port for routes sends nothing as plain text" is_silent "${route_port[0]}" $'INFO {}\r\n'
  for name in joining foreign stranger plain; do
    index=$((index + 1))
    settings "$index" "$name" | sed -e '/^jetstream/,/^}/d; /^mqtt/,/^}/d' >"$folder/$name.conf"
    case $name in
      foreign | stranger) sed -i "s|tls/server|$name/server|" "$folder/$name.conf" ;;
      plain) sed -i '/^  tls/,/^  }/d' "$folder/$name.conf" ;;
    esac
    nats-server -c "$folder/$name.conf" >"$folder/$name.log" 2>&1 &
    more+=($!)
    disown
    wait_for 20 subscribes "$index" "$name" || die 1 "The server $name did not start: $(tail -n 3 "$folder/$name.log")"
  done
  engine_processes+=("${more[@]}")
  check "a server with a certificate of the CA joins" wait_for 30 receives joining 1
  check "a server with a certificate of another CA is refused" wait_for 30 grep -q 'certificate signed by unknown authority' "$folder/node0.log"
  check "a server with a certificate for another name is refused" wait_for 30 grep -q 'Authorization Violation' "$folder/stranger.log"
  check "a server without TLS is refused" wait_for 30 grep -q 'not look like a TLS handshake' "$folder/node0.log"
  check "a server that joined receives messages" wait_for 30 receives joining $(($(received joining) + 1))
  for name in foreign stranger plain; do check "the server $name received no message" test "$(received "$name")" == 0; done
  kill_all "${more[@]}"
}

subscribes() {
  local connection
  { exec {connection}<>"/dev/tcp/127.0.0.1/${client_port[$1]}"; } 2>/dev/null || return 1
  printf 'CONNECT {"verbose":false,"user":"grampad","pass":"%s"}\r\nSUB grampad.> 1\r\n' "$password" >&"$connection"
  cat <&"$connection" >"$folder/$2.messages" &
  engine_processes+=($!)
  disown
  exec {connection}>&-
}
received() { grep -c '^MSG grampad.ready ' "$folder/$1.messages" || true; }
# receives NAME NUMBER: publishes a message, and tells whether this server has received as many.
receives() { accepts 0 && (($(received "$1") >= $2)); }
