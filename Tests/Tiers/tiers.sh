# shellcheck shell=bash
# What each tier of deploy/test does. Meant to be sourced after packages.sh and table.sh.
#
# A tier prints its results as lines `ok NAME`, `not ok NAME: REASON`, or as Swift Testing does.

# shellcheck source=deploy/lib/arm64.sh
source deploy/lib/arm64.sh
# shellcheck source=deploy/lib/release.sh
source deploy/lib/release.sh
# shellcheck source=Tests/Tiers/imports.sh
source Tests/Tiers/imports.sh
# shellcheck source=Tests/Tiers/language.sh
source Tests/Tiers/language.sh

# tier_packages NAME: prints the packages that a tier requires, one per line.
tier_packages() {
  printf '%s\n' "${TOOLCHAIN_PACKAGES[@]}" "${BUILD_PACKAGES[@]}" "${BROKER_PACKAGES[@]}"
  # shellcheck disable=SC2086 # one argument for each package
  printf '%s\n' ${packages[$1]}
  if is_all; then
    case $1 in
      sensor) printf '%s\n' qemu-system-arm gcc-12-aarch64-linux-gnu make xz-utils cpio kmod ;;
      kernel) echo mmdebstrap ;;
      failover) echo rabbitmq-server ;;
    esac
  fi
}

# Whether the tiers run in their long form.
is_all() { [[ ${GRAMPAD_TEST_EXTENT:-} == all ]]; }

# packages_for NAME...: prints the packages that tiers require.
packages_for() {
  local tier
  for tier in "$@"; do tier_packages "$tier"; done | sort --unique
}

# install_for NAME...: installs them; exits on failure.
install_for() {
  local names
  mapfile -t names < <(packages_for "$@")
  install_packages "${names[@]}"
}

# In a subshell, because a failed installation exits. One tier at a time uses apt, after begin_downloads.
perform_tier() {
  (
    exec 5>.build/test-logs/apt.lock
    flock 5
    install_for "$1"
    exec 5>&-
    "tier_$1"
  )
}

# swift_tests TARGET...: runs the tests of these targets.
swift_tests() {
  local IFS='|'
  swift_test "^($*)[./]"
}

# swift_test FILTER ARGUMENT...: runs the tests that match, as `swift test` does. The program is run directly, because `swift test` lets
# only one run at a time use a build folder. Twelve tests run at the same time, with Swift 6.3 and later: most of them wait for processes.
swift_test() {
  local output status=0
  output=$(mktemp)
  SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=12 "$(test_program)" --testing-library swift-testing \
    --event-stream-output-path ".build/test-logs/$(basename "$output").events" --filter "$@" 2>&1 | tee "$output" || status=$?
  # A run that was aborted has no such line.
  grep -q 'Test run with [1-9]' "$output" || { echo "not ok tests that match $1: no result; $(crash_in "$output")" && status=1; }
  rm "$output"
  return "$status"
}

# Prints why a program of tests crashed, and where in the tests.
crash_in() {
  awk '/Fatal error:|Program crashed:/ { print; next } / crashed:$/ { isCrashed = 1 } isCrashed && / in grampad/ { print; exit }' "$1" |
    paste --serial --delimiters ' '
}

test_program() { printf '%s\n' .build/release/*PackageTests.xctest; }

# check NAME COMMAND...: runs the command and prints a line with the result.
check() {
  local name=$1
  shift
  if "$@"; then echo "ok $name"; else echo "not ok $name" && return 1; fi
}

# Compiles everything, as it ships and with warnings as errors; before all tiers.
compile_tests() { release_build --build-tests; }

tier_sources() {
  local ok=yes
  check formatting swift format lint --strict --recursive Package.swift Sources Tests || ok=no
  check shell-scripts check_shell_scripts || ok=no
  check language check_language || ok=no
  check tiers check_table || ok=no
  check tests-in-tiers check_tests_in_tiers || ok=no
  check constants Tests/Constants/sweep --check || ok=no
  check planted-faults Tests/World/planted --check || ok=no
  check page check_page || ok=no
  check workflows check_workflows || ok=no
  Tests/DeliveryModel/run || ok=no
  [[ $ok == yes ]]
}

# The formatter and the linter of the page, and the linter of the workflows, below .build/linters.
fetch_sources() { install_from_pypi .build/linters Tests/Tiers/requirements.txt; }

# Formats nothing: says what is not formatted, what the linter finds, and which modules are too long.
check_page() {
  local deno=.build/linters/bin/deno ok=yes file lines
  fetch_sources || return
  NO_COLOR=1 "$deno" fmt --quiet --check --line-width 120 --single-quote Sources/Servers/Page/*.js || ok=no
  # The rules about "window" are for code that also runs outside a browser.
  NO_COLOR=1 "$deno" lint --quiet --rules-exclude=no-window,no-window-prefix Sources/Servers/Page/*.js || ok=no
  for file in Sources/Servers/Page/*.js; do
    lines=$(wc -l <"$file")
    ((lines < 300)) || { echo "$file: $lines lines, more than 299" && ok=no; }
    ! grep -nE '^.{141}' "$file" | sed "s|^|$file:|; s|\$|: longer than 140 columns|" | grep . || ok=no
  done
  [[ $ok == yes ]]
}

# The workflows of GitHub, with shellcheck for what they run; and every action must be named by its commit.
check_workflows() {
  local ok=yes
  fetch_sources || return
  .build/linters/bin/actionlint -no-color || ok=no
  ! grep -nE '^[- ]+uses: [^.]' .github/workflows/*.yml | grep -vE '@[0-9a-f]{40} # v[0-9.]+$' || ok=no
  [[ $ok == yes ]]
}

# After compile_tests.
tier_build() {
  local ok=yes
  check documentation deploy/documentation --check || ok=no
  check imports check_imports || ok=no
  check "what the service is made of" check_closure || ok=no
  check manual-pages deploy/manual --check || ok=no
  [[ $ok == yes ]]
}

# Whether a tier runs the tests of every target.
check_tests_in_tiers() {
  local name status=0
  while read -r name; do
    grep -qE "^[^#]*swift_tests? .*\b$name\b" Tests/Tiers/tiers.sh || { echo "No tier runs $name." && status=1; }
  done < <(grep -oE '"[A-Za-z0-9]+Tests"' Package.swift | tr -d '"' | sort --unique)
  return "$status"
}

# Runs shellcheck on all tracked and new shell scripts, including sourced ones.
check_shell_scripts() {
  local scripts
  mapfile -t scripts < <(git ls-files --cached --others --exclude-standard -z |
    xargs -0 grep -lsE -m 1 '^#!.*(bash|sh)$|^# shellcheck shell=' --)
  ((${#scripts[@]} > 0)) || return 1
  shellcheck --external-sources --source-path=SCRIPTDIR --source-path="$PWD" "${scripts[@]}"
}

fetch_arm64() { make_arm64_toolchain; }
tier_arm64() {
  fetch_arm64 && check "all programs for arm64" check_for_arm64
}

# Runs the commands of arm64-commands, which need the manifest of this build.
check_for_arm64() {
  local folder=$ARM64/checked
  until [[ .build/release.yaml -nt .build/test-logs/started ]]; do sleep 1; done
  rm -rf "$folder"
  mkdir -p "$folder"
  Tests/Tiers/arm64-commands "$PWD/.build" "$ARM64" "$folder" >"$folder/commands" || return
  (($(wc -l <"$folder/commands") > 30)) || { echo "The manifest of the build names too few modules." && return 1; }
  # shellcheck disable=SC2016 # for the inner shell
  in_arm64_compiler sh -euc 'while IFS= read -r command; do eval "$command" </dev/null; done <"$0"' "$folder/commands"
}

# Needs umockdev.
EMULATED_COMMANDS='^CommandTests\.(LoadCell|CalibrateRunning)'

tier_core() { swift_tests WeighingTests MessagesTests RecordingsTests CalibratingTests LanguagesTests TerminalTests; }

# Separate from CPU-bound tests: Swift has one thread per core, and a waiting test needs a free one when its event arrives.
tier_edges() {
  local ok=yes
  swift_tests LinuxTests JournalTests ServersTests AnnouncingTests BackupTests CaptureTests EnrollingTests KeyboardTests || ok=no
  swift_tests ClientTests SimulatingTests ConfigurationTests ApplianceTests || ok=no
  swift_test '^CommandTests[./]' --skip "$EMULATED_COMMANDS" || ok=no
  [[ $ok == yes ]]
}

tier_broker() { swift_tests MQTTLinkTests; }

tier_world() {
  if is_all; then export GRAMPAD_WORLD_SEEDS=${GRAMPAD_WORLD_SEEDS:-0..<4000}; fi
  swift_tests WorldTests
}

tier_fleet() {
  local ok=yes
  swift_tests FleetTests || ok=no
  Tests/Torture/torture-fleet || ok=no
  [[ $ok == yes ]]
}

tier_failover() {
  local ok=yes engine
  Tests/FailoverTests/postgresql || ok=no
  if is_all; then
    for engine in mosquitto rabbitmq nats; do Tests/FailoverTests/brokers "$engine" || ok=no; done
  else
    Tests/FailoverTests/brokers nats --short || ok=no
  fi
  [[ $ok == yes ]]
}

# install_from_pypi FOLDER LIST: installs the packages of a list of requirements below .build, unless they are there.
install_from_pypi() {
  ! cmp -s "$2" "$1/requirements.txt" || return 0
  rm -rf "$1"
  python3 -m venv "$1" || return
  "$1/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$2" || return
  cp "$2" "$1/requirements.txt"
}

# axe-core, below .build/axe.
fetch_browser() { install_from_pypi .build/axe Tests/BrowserTests/requirements.txt; }
tier_browser() { fetch_browser && swift_tests BrowserTests; }

fetch_clients() { Tests/PublicClients/install; }
tier_clients() { Tests/PublicClients/run; }

tier_torture() {
  if is_all; then Tests/Torture/torture --rounds 8; else Tests/Torture/torture; fi
}

tier_umockdev() {
  local ok=yes
  swift_tests EvdevInputTests IIOInputTests || ok=no
  swift_test "$EMULATED_COMMANDS" || ok=no
  [[ $ok == yes ]]
}

tier_sensor() {
  local ok=yes
  Tests/SensorTests/run || ok=no
  Tests/SensorTests/load-cells || ok=no
  if is_all; then as_root Tests/SensorTests/real-kernel || ok=no; fi
  [[ $ok == yes ]]
}

# The cases that run without --all.
KERNEL_CASES=(testbed converters devices weigh dropped replug grab embedded buttons scanners range confirm converter hx711)

fetch_kernel() { Tests/KernelTests/kernel .build/kernel-tier >/dev/null; }
tier_kernel() {
  local ok=yes
  if is_all; then
    Tests/KernelTests/run || ok=no
    as_root Tests/KernelTests/run --release trixie converters converter buffer ads1115 hx711 nau7802 || ok=no
  else
    Tests/KernelTests/run "${KERNEL_CASES[@]}" || ok=no
  fi
  [[ $ok == yes ]]
}

# Builds the package as a user would; later tiers use the result in .build/package.
fetch_package() { as_root Tests/PackageTests/root .build/package-tier; }
tier_package() {
  local ok=yes
  if is_all; then
    Tests/PackageTests/twice || ok=no
  else
    # What ships is compressed better, which takes two minutes of a processor.
    local -x DPKG_DEB_COMPRESSOR_LEVEL=1
  fi
  deploy/package && as_root Tests/PackageTests/run || ok=no
  [[ $ok == yes ]]
}

# Only counts have limits, not times, because counts do not depend on the load of the machine.
tier_cost() {
  .build/release/grampad-bench core --check
}

tier_appliance() {
  local ok=yes
  deploy/package || return
  as_root Tests/BootTests/run || ok=no
  as_root Tests/BootTests/run --fleet || ok=no
  [[ $ok == yes ]]
}

tier_image() { as_root Tests/ImageTests/run; }

# Exports the golden cases for the replays in the guest, which has no Swift.
tier_arm() {
  rm -rf .build/golden
  GRAMPAD_EXPORT_GOLDEN=$PWD/.build/golden swift_test '^ApplianceTests[.]ReplayGoldenTests/exportsTheCases' || return
  deploy/package --arch arm64 && as_root Tests/ArmTests/run
}

# Home Assistant in its own root directory below .build.
fetch_homeassistant() { as_root Tests/HomeAssistantTests/install .build/home-assistant; }
tier_homeassistant() { fetch_homeassistant && as_root Tests/HomeAssistantTests/run; }
