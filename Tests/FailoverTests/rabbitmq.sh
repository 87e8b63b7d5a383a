# shellcheck shell=bash
# A cluster of three RabbitMQ nodes on loopback with the settings of deploy/broker/cluster, without systemd. Sourced by
# Tests/FailoverTests/brokers.
# shellcheck disable=SC2034,SC2154 # variables of Tests/FailoverTests/brokers

engine_packages=(rabbitmq-server)
nodes=3
version=3.1.1
# Together, a node of 3.10 may miss the leader of the client identifiers, and then accepts no client until it restarts.
start=in-turn
# Where a client finds what is retained: on the node of the scale only.
retained=own

prepare_engine() {
  local index
  rabbitmq=$(printf '%s\n' /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin | sort -V | tail -n 1)
  read -r -a amqp <<<"$(free_ports 7)"
  printf 'grampad' >"$folder/.erlang.cookie"
  chmod 400 "$folder/.erlang.cookie"
  # Erlang starts one by itself otherwise, which stays.
  export ERL_EPMD_PORT=${amqp[6]} ERL_EPMD_ADDRESS=127.0.0.1
  epmd -address 127.0.0.1 -port "$ERL_EPMD_PORT" >"$folder/epmd.log" 2>&1 &
  engine_processes+=($!)
  disown
  for ((index = 0; index < nodes; index++)); do
    mkdir "$folder/node$index"
    sed -e "s/rabbit@node\([123]\)/node\1@localhost/; s/CHANGE-THIS/$password/" \
      -e "s/^listeners.tcp.default = .*/listeners.tcp.1 = 127.0.0.1:${amqp[index]}/" \
      -e "s/^mqtt.listeners.ssl.default = .*/mqtt.listeners.ssl.1 = 127.0.0.1:${port[index]}/; s|/etc/rabbitmq/tls|$folder/tls|" \
      -e "s/^mqtt.listeners.tcp = none/mqtt.listeners.tcp.1 = 127.0.0.1:${plain[index]}/" \
      deploy/broker/cluster/rabbitmq.conf >"$folder/node$index/rabbitmq.conf"
    cp deploy/broker/cluster/advanced.config deploy/broker/cluster/enabled_plugins "$folder/node$index/"
  done
}

# In a process group of its own: the node consists of several processes.
start_node() {
  local home=$folder/node$1
  HOME=$folder RABBITMQ_NODENAME=node$(($1 + 1))@localhost RABBITMQ_DIST_PORT=${amqp[$1 + 3]} RABBITMQ_MNESIA_BASE=$home/mnesia \
    RABBITMQ_LOG_BASE=$home/log RABBITMQ_CONFIG_FILE=$home/rabbitmq.conf RABBITMQ_CONF_ENV_FILE=/dev/null \
    RABBITMQ_ADVANCED_CONFIG_FILE=$home/advanced.config RABBITMQ_ENABLED_PLUGINS_FILE=$home/enabled_plugins \
    RABBITMQ_PID_FILE=$home/pid \
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none" \
    setsid "$rabbitmq/rabbitmq-server" >>"$home/output" 2>&1 &
  node[$1]=$!
  disown
}

# Only while it exists: its number may belong to another process group afterwards.
signal_node() { ! grep -qs "$folder" "/proc/${node[$1]}/environ" || kill "-$2" -- "-${node[$1]}"; }
