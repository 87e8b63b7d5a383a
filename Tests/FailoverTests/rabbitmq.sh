# shellcheck shell=bash
# A cluster of three RabbitMQ nodes on loopback with the settings of deploy/broker/cluster, without systemd. Sourced by
# Tests/FailoverTests/brokers.
# shellcheck disable=SC2034,SC2154 # variables of Tests/FailoverTests/brokers

engine_packages=(rabbitmq-server)
certificate_options=(--cluster)
nodes=3
version=3.1.1
# Together, a node of 3.10 may miss the leader of the client identifiers, and then accepts no client until it restarts.
start=in-turn
# Where a client finds what is retained: on the node of the scale only.
retained=own

prepare_engine() {
  local index
  rabbitmq=$(printf '%s\n' /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin | sort -V | tail -n 1)
  read -r -a distribution <<<"$(free_ports 4)"
  printf 'grampad' >"$folder/.erlang.cookie"
  chmod 400 "$folder/.erlang.cookie"
  # Erlang starts one by itself otherwise, which stays.
  export ERL_EPMD_PORT=${distribution[3]} ERL_EPMD_ADDRESS=127.0.0.1
  epmd -address 127.0.0.1 -port "$ERL_EPMD_PORT" >"$folder/epmd.log" 2>&1 &
  engine_processes+=($!)
  disown
  for ((index = 0; index < nodes; index++)); do
    mkdir "$folder/node$index"
    sed -e "s/rabbit@node\([123]\)/node\1@localhost/; s/CHANGE-THIS/$password/" \
      -e "s/^mqtt.listeners.ssl.default = .*/mqtt.listeners.ssl.1 = 127.0.0.1:${port[index]}/; s|/etc/rabbitmq/tls|$folder/tls|" \
      -e "s/^mqtt.listeners.tcp = none/mqtt.listeners.tcp.1 = 127.0.0.1:${plain[index]}/" \
      deploy/broker/cluster/rabbitmq.conf >"$folder/node$index/rabbitmq.conf"
    cp deploy/broker/cluster/advanced.config deploy/broker/cluster/enabled_plugins "$folder/node$index/"
  done
  sed "s|/etc/rabbitmq/tls|$folder/tls|" deploy/broker/cluster/inter_node_tls.config >"$folder/inter_node_tls.config"
  sed "s|/etc/rabbitmq/|$folder/|" deploy/broker/cluster/rabbitmq-env.conf >"$folder/rabbitmq-env.conf"
  # Nodes have 7 s to accept each other unless configured otherwise, which a busy machine may need for a handshake of TLS.
  # shellcheck disable=SC2016 # expanded by rabbitmq-server and rabbitmqctl
  cat >>"$folder/rabbitmq-env.conf" <<'END'
SERVER_ADDITIONAL_ERL_ARGS="$SERVER_ADDITIONAL_ERL_ARGS -kernel inet_dist_use_interface {127,0,0,1} net_setuptime 20 +S 2:2 +sbwt none"
CTL_ERL_ARGS="$CTL_ERL_ARGS -kernel net_setuptime 20"
END
}

# In a process group of its own: the node consists of several processes.
start_node() {
  local home=$folder/node$1
  HOME=$folder RABBITMQ_NODENAME=node$(($1 + 1))@localhost RABBITMQ_DIST_PORT=${distribution[$1]} RABBITMQ_MNESIA_BASE=$home/mnesia \
    RABBITMQ_LOG_BASE=$home/log RABBITMQ_CONFIG_FILE=$home/rabbitmq.conf RABBITMQ_CONF_ENV_FILE=$folder/rabbitmq-env.conf \
    RABBITMQ_ADVANCED_CONFIG_FILE=$home/advanced.config RABBITMQ_ENABLED_PLUGINS_FILE=$home/enabled_plugins \
    RABBITMQ_PID_FILE=$home/pid setsid "$rabbitmq/rabbitmq-server" >>"$home/output" 2>&1 &
  node[$1]=$!
  disown
}

# Only while it exists: its number may belong to another process group afterwards.
signal_node() { ! grep -qs "$folder" "/proc/${node[$1]}/environ" || kill "-$2" -- "-${node[$1]}"; }

# --- Connections between nodes

# Nodes of RabbitMQ are nodes of Erlang, and join each other by connecting like these.
check_encryption() {
  local tls name
  tls=(-pa /usr/lib/erlang/lib/ssl-*/ebin -proto_dist inet_tls -ssl_dist_optfile)
  for name in foreign stranger; do sed "s|tls/server|$name/server|" "$folder/inter_node_tls.config" >"$folder/$name.config"; done
  check "rabbitmqctl lists three nodes" lists_all_nodes
  check "the port for nodes shows the certificate" shows_certificate "${distribution[0]}"
  check "a node with a certificate of the CA connects" has_answer pong node1 "${tls[@]}" "$folder/inter_node_tls.config"
  check "a node with a certificate of another CA is refused" has_answer pang node1 "${tls[@]}" "$folder/foreign.config"
  check "a node without TLS is refused" has_answer pang node1
  HOME=$folder erl -noinput -sname stranger@localhost "${tls[@]}" "$folder/stranger.config" >"$folder/stranger.log" 2>&1 &
  engine_processes+=($!)
  disown
  wait_for 30 is_registered stranger || die 1 "The node stranger did not start: $(tail -n 3 "$folder/stranger.log")"
  check "no node connects to one with a certificate for another name" has_answer pang stranger "${tls[@]}" "$folder/inter_node_tls.config"
}

is_registered() { epmd -names | grep -q "^name $1 "; }
# has_answer ANSWER NODE OPTION...: whether net_adm:ping has this answer, pong or pang, on a node with these options. Erlang also
# prints why a connection failed.
has_answer() {
  [[ $(HOME=$folder erl -noinput -hidden -sname "test$RANDOM@localhost" -kernel net_setuptime 20 "${@:3}" \
    -eval "io:format(\"answer: ~s~n\", [net_adm:ping('$2@localhost')]), halt()." 2>>"$folder/ping.log") == *"answer: $1"* ]]
}
lists_all_nodes() { [[ $(ask_node cluster_status | jq '.running_nodes | length') == "$nodes" ]]; }
ask_node() {
  HOME=$folder RABBITMQ_NODENAME=node1@localhost RABBITMQ_CONF_ENV_FILE=$folder/rabbitmq-env.conf \
    "$rabbitmq/rabbitmqctl" --formatter json "$@" 2>>"$folder/rabbitmqctl.log"
}

# --- Durable sessions

# Of a client on node 1 that is away when a message is published on node 2.
leave_session() {
  session mosquitto_sub 0 -E
  check "the queue of a durable session is a quorum queue" has_quorum_queue
  client mosquitto_pub 1 -q 1 -t durable/test -m kept
}
# After node 1 was killed.
resume_session() { check "a durable session has its message on another node" wait_for 60 has_message; }
session() { client "$1" "$2" --disable-clean-session --id durable -q 1 -t durable/test "${@:3}"; }
has_message() { [[ $(session mosquitto_sub 1 -C 1 -W 10) == kept ]]; }
# The client is connected to node 1, which is therefore its leader.
has_quorum_queue() {
  [[ $(ask_node list_queues --local name type | jq -r '.[] | select(.name | contains("durable")) | .type') == *quorum* ]]
}
