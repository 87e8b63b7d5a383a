# shellcheck shell=bash
# Starts and kills processes in tests that run for minutes. Meant to be sourced after packages.sh.

# Prints a process and its children.
family() { [[ -z $1 ]] || printf '%s\n' "$1" $(pgrep -P "$1"); }

# Prints a free port, below those that Linux assigns to outgoing connections unless configured otherwise.
free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)); do
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  printf '%s' "$port"
}

# Prints different free ports: free_ports NUMBER
free_ports() {
  local port used=' '
  while (($(wc -w <<<"$used") < $1)); do
    port=$(free_port)
    [[ $used == *" $port "* ]] || used+="$port "
  done
  printf '%s' "$used"
}

# wait_for SECONDS COMMAND...: repeats the command until it succeeds.
wait_for() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.05
  done
}

# A zombie counts as gone: it waits only for its parent.
is_gone() {
  local state
  state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) || true
  [[ -z $state || $state == Z ]]
}

# kill_all PID...: kills the processes and waits until they are gone.
kill_all() {
  local process
  kill -KILL "$@" 2>/dev/null || true
  for process in "$@"; do wait_for 30 is_gone "$process"; done
}

# Milliseconds since 1970.
milliseconds() { printf '%s' "$((${EPOCHREALTIME/./} / 1000))"; }

# Prints milliseconds as seconds with one decimal.
in_seconds() { printf '%d.%d' "$((($1 + 50) / 1000))" "$((($1 + 50) % 1000 / 100))"; }

# find_postgres: sets the folder of the newest PostgreSQL and the command that runs a program as its user, because
# PostgreSQL refuses to run as root.
find_postgres() {
  postgres_programs=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  as_postgres=()
  ((EUID != 0)) || as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups)
}

# make_data_folder FOLDER: makes an empty folder for the user of PostgreSQL.
make_data_folder() {
  install -d -m 700 "$1"
  ((EUID != 0)) || chown postgres: "$1"
}

# create_cluster FOLDER: creates a database cluster that trusts all local users. Without fsync, because a killed process
# loses nothing that the kernel has.
create_cluster() {
  make_data_folder "$1"
  (cd / && "${as_postgres[@]}" "$postgres_programs/initdb" -D "$1" --no-sync -A trust -U postgres -E UTF8 --no-locale) \
    >"$1.log" 2>&1 || die 1 "initdb failed. Log: $1.log"
}
