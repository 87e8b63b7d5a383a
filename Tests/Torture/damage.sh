# shellcheck shell=bash disable=SC2154 # the caller sets the variables listed below
# For Tests/Torture/torture: kills or stops the appliance repeatedly, damages the write-ahead log of the journal, and checks that
# every loss is reported.
#
# Requires from the caller: folder, topic, grampad, appliance, helpers, end_process, start_appliance, wait_for, say.

# damage_log FILE: overwrites up to 32 bytes at a random position or truncates the file there. Fails if the file is empty.
damage_log() {
  local size offset count bytes='' index
  size=$(stat -c %s "$1" 2>/dev/null || printf 0)
  ((size > 0)) || return 1
  offset=$(((RANDOM << 15 | RANDOM) % size)) count=$((1 + RANDOM % 32))
  case $((RANDOM % 6)) in
    0) offset=$((RANDOM % 32)) ;; # the header
    1)
      truncate -s "$offset" "$1"
      return
      ;;
  esac
  for ((index = 0; index < count; index++)); do bytes+=$(printf '\\x%02x' $((RANDOM % 256))); done
  printf '%b' "$bytes" | dd of="$1" bs=1 seek="$offset" conv=notrunc status=none
}

history_of() { "$grampad" history --json --journal "$1" 2>>"$folder/history.log"; }

# damage_cycles COUNT: repeats until COUNT logs have been damaged.
damage_cycles() {
  local damaged=0 clean=0 empty=0 log=$folder/grampad.db-wal faults=0 code lines
  : >"$folder/lost.txt"
  while ((damaged < $1)); do
    lines=$(wc -l <"$folder/result.jsonl")
    wait_for 30 recorded_more "$lines" || say "No further weighing was recorded."
    sleep "0.$((RANDOM % 10))"
    if ((RANDOM % 5 == 0)); then
      end_process TERM "$appliance"
      clean=$((clean + 1))
      cp "$folder/grampad.db" "$folder/alone.db"
      if [[ -e $log ]] || ! cmp -s <(history_of "$folder/grampad.db") <(history_of "$folder/alone.db"); then
        say "After a clean stop, the database file alone does not contain all records."
        faults=$((faults + 1))
      fi
    else
      end_process KILL "$appliance"
      if damage_log "$log"; then damaged=$((damaged + 1)); else empty=$((empty + 1)); fi
      code=0
      "$grampad" history verify --journal "$folder/grampad.db" >"$folder/verify.txt" 2>>"$folder/history.log" || code=$?
      # Ignore losses that the appliance has reported before.
      grep -v '^reported: ' "$folder/verify.txt" | sed -nE \
        -e 's/.*weighings ([0-9]+) to ([0-9]+) are lost.*/\1 \2/p' -e 's/.*weighing ([0-9]+) is lost.*/\1 \1/p' \
        >"$folder/found.txt"
      cat "$folder/found.txt" >>"$folder/lost.txt"
      if [[ $code == 0 && -s $folder/found.txt ]]; then faults=$((faults + 1)); fi
    fi
    start_appliance
    if [[ -t 2 ]]; then printf '\r%d of %d logs damaged ' "$damaged" "$1" >&2; fi
  done
  [[ ! -t 2 ]] || say ""
  # The appliance reports the loss from the last damage before it records the next weighing.
  lines=$(wc -l <"$folder/result.jsonl")
  wait_for 30 recorded_more "$lines" || say "No further weighing was recorded."
  printf '%d logs damaged at random positions, %d were empty; %d clean stops\n' "$damaged" "$empty" "$clean"
  printf '%s' "$faults" >"$folder/stop-faults.txt"
}

# recorded_more LINES: whether a weighing was recorded after the first LINES results.
recorded_more() { tail -n "+$(($1 + 1))" "$folder/result.jsonl" | grep -q '"ok":true'; }

# damage_report: compares the weighings that were reported, received, reported as lost and recorded.
damage_report() {
  recorded >"$folder/journal.json"
  local verified=yes
  "$grampad" history verify --config "$folder/grampad.yaml" >"$folder/verify.txt" || verified=no
  # shellcheck disable=SC2016 # jq variables
  jq -n -r --slurpfile journal "$folder/journal.json" --slurpfile received "$folder/weighing.jsonl" \
    --slurpfile results "$folder/result.jsonl" --slurpfile events "$folder/event.jsonl" --rawfile lost "$folder/lost.txt" \
    --arg verified "$verified" --argjson stops "$(<"$folder/stop-faults.txt")" '
    ($journal[0] | map(.id)) as $recorded
    | [$events[] | select(.type == "journal_loss") | [.from, .to]] as $announcements
    | ($announcements | unique) as $announced
    | ([$lost | split("\n")[] | select(. != "") | split(" ") | map(tonumber)] | unique) as $found
    | ($received + [$results[] | select(.ok and .weighing) | .weighing] | map({id, sequence}) | unique) as $seen
    | (($seen | map(.id)) - $recorded) as $gone
    | [$seen[] | select(.id as $id | $gone | index($id)) | .sequence] as $missing
    | {
        "sequence numbers seen": ($seen | length), "in the journal": ($recorded | length),
        "missing sequence numbers": ($missing | length), "reported losses": ($announced | length)
      } as $figures
    | {
        "every missing sequence number was reported as lost":
          ([$missing[] | . as $n | select($announced | any(.[0] <= $n and $n <= .[1]) | not)] | length),
        "every loss was reported once": (($announcements | length) - ($announced | length)),
        "every loss that history verify found was reported": ($found - $announced | length),
        "no sequence number was reused": ($seen | group_by(.sequence) | map(select(length > 1)) | length),
        "every gap in the journal was reported":
          ([($journal[0] | map(.sequence)) as $s | range(1; $s[-1] + 1)
            | . as $n | select($s | index($n) | not)
            | select($announced | any(.[0] <= $n and $n <= .[1]) | not)] | length),
        "after a clean stop the database file alone contains all records": $stops,
        "the final history verify reports no errors": (if $verified == "yes" then 0 else 1 end)
      } as $faults
    | ($figures | to_entries[] | "\(.value)\t\(.key)"),
      ($faults | to_entries[] | if .value == 0 then "ok \(.key)" else "not ok \(.key): \(.value) faults" end)
    '
}
