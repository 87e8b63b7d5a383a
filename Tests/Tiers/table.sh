# shellcheck shell=bash disable=SC2034 # used by the other scripts
# Reads the table of tiers. Meant to be sourced in the project directory.

tiers_of_table=()
declare -A title=() packages=() cores=() after=() early=() tests=() with_all=()

# Sets these variables from the table.
read_table() {
  local line name=''
  while IFS= read -r line; do
    case $line in
      'Tier: '*)
        name=${line#*: }
        tiers_of_table+=("$name")
        ;;
      'Title: '*) title[$name]=${line#*: } ;;
      'Packages: '*) packages[$name]=${line#*: } ;;
      'Cores: '*) cores[$name]=${line#*: } ;;
      'After: '*) after[$name]=${line#*: } ;;
      'Early: '*) early[$name]=${line#*: } ;;
      'Tests: '*) tests[$name]=${line#*: } ;;
      'All: '*) with_all[$name]=${line#*: } ;;
      '' | '#'*) ;;
      *) die 70 "Tests/Tiers/table: unknown line: $line" ;;
    esac
  done <Tests/Tiers/table
}

is_only_with_all() { [[ ${with_all[$1]:-} == only ]]; }

# For the help: a line for each tier.
list_tiers() {
  local name note
  for name in "${tiers_of_table[@]}"; do
    note=''
    if is_only_with_all "$name"; then note='; only with --all'; fi
    printf '  %-13s %s\n' "$name" "${title[$name]}$note" | fold --spaces --width=118 | sed '2,$s/^/                /'
  done
}

# For Testing.md: the table of the tiers in Markdown.
table_in_markdown() {
  local name more
  # shellcheck disable=SC2016 # Markdown
  printf '| tier | tests | only with `--all` |\n| --- | --- | --- |\n'
  for name in "${tiers_of_table[@]}"; do
    more=${with_all[$name]:-}
    [[ $more != only ]] || more='the whole tier'
    printf "| \`%s\` | %s | %s |\n" "$name" "${tests[$name]}" "$more"
  done
}

# check_table [write]: whether Testing.md contains that table; writes it there on request.
check_table() {
  local page=Sources/Appliance/Appliance.docc/Testing.md expected
  expected=$(table_in_markdown | awk -v page="$page" '
    { table = table $0 "\n" }
    END {
      while ((getline line <page) > 0) {
        isRow = line ~ /^\|/
        if (isRow && !seen && line ~ /^\| tier \|/) { printf "%s", table; seen = inside = 1 }
        if (!isRow) inside = 0
        if (!inside) print line
      }
    }')
  [[ $expected != "$(<"$page")" ]] || return 0
  if [[ ${1:-} == write ]]; then
    printf '%s\n' "$expected" >"$page"
  else
    echo "The table of tiers in $page differs from Tests/Tiers/table: run Tests/Tiers/write-table"
    return 1
  fi
}
