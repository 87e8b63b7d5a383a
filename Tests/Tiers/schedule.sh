# shellcheck shell=bash disable=SC2154 # the table, and the chosen tiers of deploy/test
# Runs tiers in parallel. Meant to be sourced after table.sh, results.sh and tiers.sh.
#
# A tier starts once the tiers it depends on have finished and enough cores are free. Most tiers wait for processes, timers and the
# network, so together they may claim one core more than the machine has.

waiting=()
declare -A running=() started=() ended=()

# start_early TIER...: starts those that do not need the programs.
start_early() {
  local tier
  for tier in "$@"; do [[ -z ${early[$tier]:-} ]] || start_tier "$tier"; done
}

# schedule TIER...: runs the tiers that have not started yet, in the given order, until all have ended.
schedule() {
  local tier process status
  for tier in "$@"; do [[ -n ${started[$tier]:-} ]] || waiting+=("$tier"); done
  while ((${#waiting[@]} + ${#running[@]} > 0)); do
    start_tiers
    status=0 process=''
    wait -n -p process "${!running[@]}" || status=$?
    # bash forgets a process that a signal has ended in the meantime, but not its status.
    [[ -n $process ]] || { process=$(first_ended) && wait "$process" || status=$?; }
    tier=${running[$process]}
    unset "running[$process]"
    ended[$tier]=yes
    finish_tier "$tier" "$status"
  done
}

first_ended() {
  local process
  for process in "${!running[@]}"; do kill -0 "$process" 2>/dev/null || { printf '%s' "$process" && return; }; done
}

start_tiers() {
  local tier left=()
  for tier in "${waiting[@]}"; do
    if is_due "$tier" && has_room "$tier"; then start_tier "$tier"; else left+=("$tier"); fi
  done
  waiting=("${left[@]}")
}

# Whether every selected tier listed under After has finished.
is_due() {
  local name
  for name in ${after[$1]:-}; do
    [[ -n ${ended[$name]:-} || " ${tiers[*]} " != *" $name "* ]] || return 1
  done
}

# Whether there are cores for it; one that asks for more than there are runs alone.
has_room() {
  local process sum=${cores[$1]}
  ((${#running[@]} > 0)) || return 0
  for process in "${!running[@]}"; do sum+=" + ${cores[${running[$process]}]}"; done
  awk "BEGIN { exit !($sum <= $(nproc) + 1) }"
}

# start_tier TIER: in a process group of its own, with its output in a log, which is also shown if it is the only tier.
start_tier() {
  local tier=$1 log=.build/test-logs/$1.log
  started[$tier]=${EPOCHREALTIME/./}
  printf '== %s: %s\n' "$tier" "${title[$tier]}"
  set -m
  if ((${#tiers[@]} == 1)); then
    (measured "$tier" 2>&1 | tee "$log"; exit "${PIPESTATUS[0]}") </dev/null &
  else
    measured "$tier" >"$log" 2>&1 </dev/null &
  fi
  set +m
  running[$!]=$tier
}

# measured TIER: performs it, and writes the processor time that it and the processes it has waited for have used.
measured() {
  local status=0 TIMEFORMAT='%U %S'
  # Behind the compiler, for which all other tiers wait.
  [[ -z ${early[$1]:-} ]] || renice --priority 5 --pid "$BASHPID" >/dev/null
  { time perform_tier "$1" 2>&4 || status=$?; } 4>&2 2>".build/test-logs/$1.processor"
  return "$status"
}

finish_tier() {
  local tier=$1 tenths processor
  tenths=$(((${EPOCHREALTIME/./} - ${started[$tier]}) / 100000))
  processor=$(tail -n 1 ".build/test-logs/$tier.processor" | awk '{ printf "%.0f", $1 + $2 }') || processor=
  add_row "$tier" "$2" "$((tenths / 10)).$((tenths % 10))" "$processor"
}

helpers=()

# Ends everything that runs in the background. `swift build` ends its compilers on SIGINT only, and apt, which may be in the middle
# of an installation, ends with the downloads.
end_background() {
  local process
  for process in "${!running[@]}" "${helpers[@]}"; do kill -INT -- "-$process" 2>/dev/null || true; done
  [[ -z ${downloads:-} ]] || say "Waiting for the installation of packages ..."
  finish_downloads
  for process in "${!running[@]}" "${helpers[@]}"; do kill -TERM -- "-$process" 2>/dev/null || true; done
}

# keep_busy: keeps all cores busy until end_background.
keep_busy() {
  local core
  set -m
  for ((core = 0; core < $(nproc); core++)); do
    (while :; do :; done) </dev/null &
    helpers+=("$!")
    disown
  done
  set +m
}

# begin_downloads TIER...: installs the packages of the tiers and downloads what they need, in the background while the tests are
# compiled.
begin_downloads() {
  exec 5>.build/test-logs/apt.lock
  flock 5
  set -m
  (
    # Each in a subshell, as a failure exits.
    (install_for "$@") || echo "Not all packages were installed; the tiers that need them try again."
    local tier
    for tier in "$@"; do
      if declare -F "fetch_$tier" >/dev/null; then ("fetch_$tier") || echo "$tier: a download failed; the tier tries again."; fi
    done
  ) >.build/test-logs/downloads.log 2>&1 </dev/null &
  downloads=$!
  set +m
  # The downloads hold the lock.
  exec 5>&-
}

# Has sudo ask for the password before anything runs in the background, and keeps it from asking again.
hold_root() {
  ((EUID > 0)) && [[ -t 0 ]] && command -v sudo >/dev/null || return 0
  local tier names
  mapfile -t names < <(packages_for "${tiers[@]}")
  if [[ $(for tier in "${tiers[@]}"; do printf '%s\n' "${tests[$tier]}"; done) != *"Needs root"* ]]; then
    [[ -n $(missing_packages "${names[@]}") ]] || return 0
  fi
  sudo --validate || return 0
  set -m
  (while sudo --non-interactive --validate; do sleep 60; done) </dev/null 2>/dev/null &
  helpers+=("$!")
  disown
  set +m
}

# A download that failed is an error of the tier that needs it, which tries again.
finish_downloads() {
  [[ -n ${downloads:-} ]] || return 0
  wait "$downloads" || true
  downloads=''
}
