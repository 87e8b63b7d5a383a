# shellcheck shell=bash
# Compares what the source files import with what Package.swift declares. To be sourced.
#
# The compiler accepts an import of a module that only a dependency of a dependency declares; then the list of
# dependencies no longer shows the architecture.

# check_imports: names each import that its target does not declare, and each declared module that no file imports. Exit status: 0
# without any, else 1.
check_imports() {
  local description known name path declared imported faults=0 module
  description=$(swift package describe --type json 2>/dev/null) || return 1
  # An executable is run by the target that depends on it, not imported.
  known=$(jq -r '[.targets[] | select(.type != "test" and .type != "executable") | .name]
    + [.targets[].product_dependencies // [] | .[]] - ["Atomics"] | unique[]' <<<"$description")
  while IFS=$'\t' read -r name path declared; do
    imported=$(grep -rhoE --include='*.swift' \
      '^ *(@[a-z]+ )?(internal |package |public )?import ((struct|class|enum|func) )?[A-Za-z0-9_]+' "$path" |
      sed 's/.* //' | sort -u)
    while read -r module; do
      [[ -n $module && $module != "$name" ]] || continue
      echo "$name imports $module, which Package.swift does not declare for it"
      faults=1
    done < <(comm -23 <(comm -12 <(echo "$imported") <(sort -u <<<"$known")) <(tr ' ' '\n' <<<"$declared" | sort -u))
    while read -r module; do
      [[ -n $module ]] || continue
      echo "$name declares $module and does not import it"
      faults=1
    done < <(comm -23 <(comm -12 <(tr ' ' '\n' <<<"$declared" | sort -u) <(sort -u <<<"$known")) <(echo "$imported"))
  done < <(jq -r '.targets[] | select(.module_type == "SwiftTarget")
    | [.name, .path, ((.target_dependencies // []) + (.product_dependencies // []) | join(" "))] | @tsv' <<<"$description")
  ((faults == 0))
}

# check_closure: prints our targets that `Appliance` depends on, and names those that only commands may use. Exit status: 0 without any,
# else 1.
check_closure() {
  local closure module faults=0
  closure=$(swift package describe --type json 2>/dev/null | jq -r '[.targets[] | {key: .name, value: (.target_dependencies // [])}]
    | from_entries as $needs | {all: [], more: ["Appliance"]}
    | until(.more == []; .all += .more | .more = ([.more[] | $needs[.][]] | unique) - .all) | .all | sort[]') || return 1
  [[ -n $closure ]] || return 1
  echo "The service is made of: ${closure//$'\n'/ }"
  for module in Backup Calibrating Capture Client Commands CPostgres Fleet Simulating Terminal; do
    if grep -qx "$module" <<<"$closure"; then
      echo "the service depends on $module"
      faults=1
    fi
  done
  ((faults == 0))
}
