# shellcheck shell=bash
# The tiers of deploy/test: how to run them and how to count their results. Meant to be sourced after packages.sh.

# shellcheck source=deploy/lib/language.sh
source deploy/lib/language.sh
# shellcheck source=deploy/lib/repeat.sh
source deploy/lib/repeat.sh

export TIERS="build core broker fleet failover browser clients torture umockdev sensor kernel package cost homeassistant appliance arm"
# Run only with --all or by name: they need a long set-up or large downloads, homeassistant also from sources other than Debian.
export LONG_TIERS="homeassistant appliance arm"
rows=()
faults=()
unsteady=()
built=()
background=()
total_passed=0
total_failed=0

# prepare_tiers NAME...: updates the package lists once for all tiers if any package is missing.
prepare_tiers() {
  local tier packages
  mapfile -t packages < <(for tier in "$@"; do tier_packages "$tier"; done | sort --unique)
  [[ -z $(missing_packages "${packages[@]}") ]] || update_package_lists
}

# run_tier NAME: runs a tier and adds a row to the table. Never exits the script.
run_tier() {
  local started=${EPOCHREALTIME/./} status=0
  head_tier "$1"
  perform_tier "$1" 2>&1 | tee ".build/test-logs/$1.log" || status=$?
  ((status != 0)) || built=(--skip-build)
  add_row "$1" "$status" "$started"
}

# begin_tier NAME: runs a tier in the background until finish_tier, with its output in the log only.
begin_tier() {
  begun=$1 begun_at=${EPOCHREALTIME/./}
  printf '\n-- %s runs in parallel with the next tiers.\n' "$1"
  # In the foreground, so that only one tier uses apt.
  install_for "$1" >".build/test-logs/$1.log" 2>&1 || true
  in_background perform_tier "$1" >>".build/test-logs/$1.log" 2>&1
  begun_process=$!
}

# finish_tier: waits for the tier in the background, prints its output and adds its row.
finish_tier() {
  local status=0
  [[ -n ${begun:-} ]] || return 0
  wait "$begun_process" || status=$?
  head_tier "$begun"
  cat ".build/test-logs/$begun.log"
  add_row "$begun" "$status" "$begun_at"
}

# begin_release: compiles the release for the tiers package and cost in the background until finish_release. At idle priority, it
# gets only the time that the tests leave unused.
begin_release() {
  # shellcheck source=deploy/lib/release.sh
  source deploy/lib/release.sh
  install_for package >.build/test-logs/release.log 2>&1 || true
  in_background compile_release >>.build/test-logs/release.log 2>&1
  release_process=$!
}

compile_release() {
  chrt --idle --pid 0 "$BASHPID"
  release_build --product grampad && release_build --product grampad-bench
}

# The tier package repeats a build that failed, and reports its errors.
finish_release() { [[ -z ${release_process:-} ]] || wait "$release_process" || true; }

# in_background COMMAND...: in a process group of its own, which end_background ends.
in_background() {
  set -m
  "$@" </dev/null &
  set +m
  background+=("$!")
}
end_background() {
  local process
  for process in "${background[@]}"; do kill -- "-$process" 2>/dev/null || true; done
}

head_tier() {
  mkdir -p .build/test-logs
  printf '\n== %s: %s\n' "$1" "$(tier_title "$1")"
}

# install_for NAME: installs the packages that a tier requires; exits on failure.
install_for() {
  local packages
  mapfile -t packages < <(tier_packages "$1")
  install_packages "${packages[@]}"
}

# In a subshell, because install_packages exits on failure.
perform_tier() { (install_for "$1" && "tier_$1"); }

# add_row NAME STATUS STARTED: counts the results in the log of a tier that has ended.
add_row() {
  local tier=$1 status=$2 log=.build/test-logs/$1.log seconds result
  passed=0 failed=0 skipped=0
  "count_$tier" "$log"
  if ((skipped > 0)) && [[ -n ${CI:-} ]]; then failed=$((failed + skipped)) && printf '%s skipped\n' "$skipped"; fi
  if ((status != 0 && failed == 0)); then failed=1; fi
  if ((passed + failed == 0)); then failed=1 && printf 'No tests were run; the tier counts as failed.\n'; fi
  result=$( ((failed == 0)) && echo passed || echo FAILED)
  seconds=$(((${EPOCHREALTIME/./} - $3) / 100000))
  seconds=$((seconds / 10)).$((seconds % 10))
  printf -- '-- %s: %s in %s s (%s ok, %s not ok, %s skipped)\n' "$tier" "$result" "$seconds" "$passed" "$failed" "$skipped"
  rows+=("$(printf '%-13s %-6s %6s %6s %7s %8s s  %s' "$tier" "$result" "$passed" "$failed" "$skipped" "$seconds" \
    "$(tier_title "$tier")")")
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
  if ((failed > 0)); then
    faults+=("$(what_failed "$tier" "$log")")
  elif (($(count_recovered "$log") > 0)); then
    unsteady+=("$(what_failed "$tier" "$log")")
  fi
}

# what_failed TIER LOG: prints the lines that report failures, including the details of Swift Testing, or else the last lines.
what_failed() {
  local lines
  lines=$(sed 's/\x1b\[[0-9;]*m//g' "$2" | awk '
    /^✘|^not ok |(^|: )error: |Fatal error: / { print; below = 8; next }
    /^↳|^ / && below > 0 { print; below -= 1; next }
    { below = 0 }' | cut -c -1000 | head -n 120)
  printf '%s (.build/test-logs/%s.log):\n%s\n' "$1" "$1" "${lines:-$(tail -n 30 "$2")}"
}

# Repeats the failures at the end, so that a truncated log still contains them. Prints the summary and the line that
# programs parse, and exits.
report() {
  ((${#faults[@]} == 0)) || printf '\nFailed in %s\n' "${faults[@]}"
  ((${#unsteady[@]} == 0)) || printf '\nPassed only when repeated, in %s\n' "${unsteady[@]}"
  printf '\n%-13s %-6s %6s %6s %7s %10s  %s\n' tier result passed failed skipped time description
  printf '%s\n' "${rows[@]}"
  printf '\n%s passed, %s failed\n' "$total_passed" "$total_failed"
  exit $((total_failed > 0))
}

tier_title() {
  case $1 in
    build) echo "formatting, shell scripts, language, compilation with warnings as errors" ;;
    core) echo "scale, messages, recordings, journal, dashboard, appliance, commands" ;;
    broker) echo "a real mosquitto on loopback" ;;
    torture) echo "no lost weighings when processes are killed at random" ;;
    fleet) echo "the collector with a real PostgreSQL, a real mosquitto and a real appliance; delivery as a model" ;;
    failover) echo "no lost weighings when a database server or a node of a broker cluster fails" ;;
    browser) echo "the page in headless Chromium; screenshots in .build/screenshots" ;;
    clients) echo "public clients from PyPI" ;;
    umockdev) echo "emulated input devices and load-cell converters" ;;
    sensor) echo "the build sheets: device trees and readings" ;;
    kernel) echo "real input devices and converters, Debian's kernel in QEMU" ;;
    package) echo "the Debian package in a clean Debian 12: installed, confined, upgraded, purged; a signed repository" ;;
    cost) echo "allocations and instructions per frame" ;;
    homeassistant) echo "a real, headless Home Assistant" ;;
    appliance) echo "the services of the packages in a booted Debian 12: killed, hung, unplugged, without a database" ;;
    arm) echo "the package for 64-bit Arm on an emulated Cortex-A53" ;;
  esac
}

# Prints the packages that a tier requires, one per line.
tier_packages() {
  printf '%s\n' "${TOOLCHAIN_PACKAGES[@]}" "${BUILD_PACKAGES[@]}" "${BROKER_PACKAGES[@]}"
  case $1 in
    build) printf '%s\n' shellcheck jq ;;
    core) printf "%s\n" jq python3 openssl strace nodejs influxdb ;;
    broker) echo openssl ;;
    torture) echo jq ;;
    fleet) printf '%s\n' postgresql util-linux procps spin gcc ;;
    failover) printf '%s\n' postgresql util-linux procps jq openssl rabbitmq-server nats-server socat ;;
    browser) printf '%s\n' chromium fonts-dejavu-core fonts-droid-fallback python3 python3-venv ;;
    clients) printf '%s\n' python3 python3-venv ;;
    umockdev) echo umockdev ;;
    sensor)
      echo device-tree-compiler
      [[ -z ${SENSOR_KERNEL:-} ]] || printf '%s\n' qemu-system-arm gcc-12-aarch64-linux-gnu make xz-utils cpio kmod
      ;;
    kernel)
      printf '%s\n' qemu-system-x86 busybox-static cpio kmod jq udev gcc-12 libelf1 make python3-evdev libxkbcommon-tools xkb-data
      [[ -z ${KERNEL_DEBIAN13:-} ]] || echo mmdebstrap
      ;;
    package) printf '%s\n' "${PACKAGING_PACKAGES[@]}" "${REPOSITORY_PACKAGES[@]}" mmdebstrap lintian python3-venv ;;
    cost) echo valgrind ;;
    homeassistant) printf '%s\n' mmdebstrap python3 ;;
    appliance) printf '%s\n' "${PACKAGING_PACKAGES[@]}" mmdebstrap qemu-system-x86 e2fsprogs kmod jq ;;
    arm) printf '%s\n' "${PACKAGING_PACKAGES[@]}" mmdebstrap qemu-system-arm cpio kmod jq ;;
  esac
}

tier_build() {
  local ok=yes
  check formatting swift format lint --strict --recursive Package.swift Sources Tests || ok=no
  check shell-scripts check_shell_scripts || ok=no
  check language check_language || ok=no
  check documentation deploy/documentation --check || ok=no
  check imports check_imports || ok=no
  check compilation swift build --build-tests || ok=no
  check manual-pages deploy/manual --check || ok=no
  [[ $ok == yes ]]
}

# check NAME COMMAND...: runs the command and prints the result line that count_lines counts.
check() {
  local name=$1
  shift
  if "$@" </dev/null; then echo "ok $name"; else echo "not ok $name" && return 1; fi
}

# Runs shellcheck on all tracked and new shell scripts, including sourced ones.
check_shell_scripts() {
  local scripts
  mapfile -t scripts < <(git ls-files --cached --others --exclude-standard -z |
    xargs -0 grep -lsE -m 1 '^#!.*(bash|sh)$|^# shellcheck shell=' --)
  ((${#scripts[@]} > 0)) || return 1
  shellcheck --external-sources --source-path=SCRIPTDIR --source-path="$PWD" "${scripts[@]}"
}

# Prints the option that limits `swift test` to twelve parallel tests, if supported (6.3 and later). Running all of them in
# parallel delays their processes so much that timing checks fail.
not_all_at_once() {
  # Not in a pipe to grep, which ends at the first match: the pipe would count as failed if swift has not written all of it.
  [[ $(swift test --help-hidden) != *--experimental-maximum-parallelization-width* ]] ||
    printf '%s\n' --experimental-maximum-parallelization-width 12
}

# Suites that start dozens of processes. Timing checks fail if they run in parallel with these.
BUSY_COMMANDS='^CommandTests\.(Backup|Restore|RestoreCrash|HostileArchive|Report|BrokerTool|Secrets|Secured|Service)'

# Needs umockdev.
EMULATED_COMMANDS='^CommandTests\.(LoadCell|CalibrateRunning)'

# Keeps all cores busy, so it has to run alone.
FLOOD='^CommandTests\.Flood'

tier_core() {
  local ok=yes
  swift_tests WeighingTests MessagesTests RecordingsTests EventLoopTests JournalTests DashboardTests \
    CalibratingTests BackupTests InstrumentsTests LanguagesTests SimulatingTests ApplianceTests || ok=no
  # These tests run the commands as processes in real time, so they run separately from tests that keep all cores busy.
  local few
  mapfile -t few < <(not_all_at_once)
  swift_test '^CommandTests[./]' "${few[@]}" --skip "$BUSY_COMMANDS" --skip "$FLOOD" --skip "$EMULATED_COMMANDS" || ok=no
  swift_test "$BUSY_COMMANDS" "${few[@]}" || ok=no
  swift_test "$FLOOD" || ok=no
  [[ $ok == yes ]]
}

tier_broker() {
  swift_tests MQTTLinkTests
}

tier_fleet() {
  local ok=yes
  Tests/DeliveryModel/run </dev/null || ok=no
  swift_tests FleetTests || ok=no
  deploy/torture-fleet --devices 300 --weighings 9000 --rate 600 --kills 8 --lose 0.01 </dev/null || ok=no
  [[ $ok == yes ]]
}

# Short; with --all, each node of each cluster is killed.
tier_failover() {
  local ok=yes engine
  if ((${#built[@]} == 0)); then swift build --product grampad </dev/null || return; fi
  Tests/FailoverTests/postgresql --rounds "${FAILOVER_ROUNDS:-2}" </dev/null || ok=no
  Tests/FailoverTests/brokers mosquitto </dev/null || ok=no
  for engine in rabbitmq nats; do
    # shellcheck disable=SC2086 # no argument if empty
    Tests/FailoverTests/brokers "$engine" ${FAILOVER_BROKERS---short} </dev/null || ok=no
  done
  [[ $ok == yes ]]
}

# Installs axe-core once, below .build/axe.
tier_browser() {
  local list=Tests/BrowserTests/requirements.txt
  if ! cmp -s "$list" .build/axe/requirements.txt; then
    rm -rf .build/axe
    python3 -m venv .build/axe || return
    .build/axe/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement "$list" || return
    cp "$list" .build/axe/
  fi
  swift_tests BrowserTests
}

# Installs the clients once, below .build/clients.
tier_clients() {
  if ((${#built[@]} == 0)); then swift build --product grampad </dev/null || return; fi
  Tests/ClientTests/run </dev/null
}

tier_torture() {
  deploy/torture --cycles "${TORTURE_CYCLES:-20}" --damages "${TORTURE_DAMAGES:-10}" </dev/null
}

tier_umockdev() {
  local ok=yes
  swift_tests EvdevInputTests IIOInputTests || ok=no
  swift_test "$EMULATED_COMMANDS" || ok=no
  [[ $ok == yes ]]
}

# With --all, also runs the drivers in Debian's arm64 kernel in QEMU.
tier_sensor() {
  local ok=yes
  if ((${#built[@]} == 0)); then swift build --product grampad </dev/null || return; fi
  Tests/SensorTests/run </dev/null || ok=no
  Tests/SensorTests/load-cells </dev/null || ok=no
  if [[ -n ${SENSOR_KERNEL:-} ]]; then as_root Tests/SensorTests/real-kernel </dev/null || ok=no; fi
  [[ $ok == yes ]]
}

tier_kernel() {
  if ((${#built[@]} == 0)); then
    swift build --product grampad </dev/null && swift build --product testpad </dev/null &&
      swift build --product padprobe </dev/null || return
  fi
  local ok=yes
  repeat_cases Tests/KernelTests/run || ok=no
  # With --all, also the converters on the kernel of Debian 13.
  if [[ -n ${KERNEL_DEBIAN13:-} ]]; then
    as_root Tests/KernelTests/run --release trixie converters converter buffer ads1115 hx711 nau7802 </dev/null || ok=no
  fi
  [[ $ok == yes ]]
}

# Builds the package as a user would; later tiers use the result in .build/package. Meanwhile, the clean Debian is downloaded.
# With --all, also builds the package twice from scratch and compares the results.
tier_package() {
  local ok=yes clean
  as_root Tests/PackageTests/root .build/package-tier </dev/null >.build/test-logs/package-root.log 2>&1 &
  clean=$!
  if [[ -n ${PACKAGE_TWICE:-} ]]; then Tests/PackageTests/twice </dev/null || ok=no; fi
  if ! deploy/package; then
    ok=no
    wait "$clean" || true
  elif wait "$clean"; then
    as_root Tests/PackageTests/run </dev/null || ok=no
  else
    cat .build/test-logs/package-root.log
    ok=no
  fi
  [[ $ok == yes ]]
}

# Runs after package, to reuse its build. Only counts have limits, not times, because counts do not depend on the load of
# the machine.
tier_cost() {
  local ok=yes bench
  # shellcheck source=deploy/lib/release.sh
  source deploy/lib/release.sh
  release_build --product grampad-bench || return
  bench=$(swift build "${RELEASE[@]}" --show-bin-path)/grampad-bench
  "$bench" core --check </dev/null || ok=no
  [[ $ok == yes ]]
}

tier_appliance() {
  # shellcheck source=deploy/lib/release.sh
  source deploy/lib/release.sh
  local ok=yes
  deploy/package && release_build --product testpad || return
  as_root Tests/BootTests/run </dev/null || ok=no
  as_root Tests/BootTests/run --fleet </dev/null || ok=no
  [[ $ok == yes ]]
}

# Exports the golden cases for the replays in the guest, which has no Swift.
tier_arm() {
  rm -rf .build/golden
  GRAMPAD_EXPORT_GOLDEN=$PWD/.build/golden swift_test '^ApplianceTests[.]ReplayGoldenTests/exportsTheCases' || return
  deploy/package --arch arm64 && as_root Tests/ArmTests/run </dev/null
}

# Installs Home Assistant once, in its own root directory below .build.
tier_homeassistant() {
  if ((${#built[@]} == 0)); then swift build --product grampad </dev/null || return; fi
  as_root Tests/HomeAssistantTests/install .build/home-assistant </dev/null &&
    as_root Tests/HomeAssistantTests/run </dev/null
}

count_lines() {
  passed=$(grep -c '^ok ' "$1" || true)
  failed=$(grep -c '^not ok ' "$1" || true)
}

count_build() { count_lines "$1"; }
count_core() { count_swift_tests "$1"; }
count_broker() { count_swift_tests "$1"; }
# Swift tests, the checks of the model and those of deploy/torture-fleet.
count_fleet() {
  local tests tests_failed
  count_swift_tests "$1"
  tests=$passed tests_failed=$failed
  count_lines "$1"
  passed=$((passed + tests)) failed=$((failed + tests_failed))
}
count_failover() { count_lines "$1"; }
count_browser() { count_swift_tests "$1"; }
count_clients() { count_lines "$1"; }
count_torture() { count_lines "$1"; }
count_umockdev() { count_swift_tests "$1"; }
count_sensor() { count_lines "$1"; }
count_kernel() {
  local recovered
  recovered=$(count_recovered "$1")
  count_lines "$1"
  passed=$((passed + recovered)) failed=$((failed - recovered))
}
count_package() { count_lines "$1"; }
count_cost() { count_lines "$1"; }
count_homeassistant() { count_lines "$1"; }
count_appliance() { count_lines "$1"; }
count_arm() { count_lines "$1"; }
