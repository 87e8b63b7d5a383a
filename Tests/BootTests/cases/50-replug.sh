#!/bin/bash
# Unplugged and plugged in again a hundred times, the scale is back within a second of the device, every time.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

rounds=${REPLUGS:-100}
subscribe operator 'grampad/scale/#'
hear 'availability online'
process=$(property MainPID) restarts=$(property NRestarts)
descriptors() { find "/proc/$process/fd" -mindepth 1 | wc -l; }
before=$(descriptors)

made=() told=() weighed=()
for ((round = 1; round <= rounds; round++)); do
  unplug
  hear 'event \{"type":"pad_lost"'
  [[ ! -e /dev/input/grampad ]] || until_true "the link outlives the pad" test ! -e /dev/input/grampad
  ordered=$(now)
  plug
  made+=($(($(now) - ordered)))
  hear 'event \{"type":"pad_found"'
  told+=($((heard_at - ordered)))
  # A load of its own in each round, so that an old message cannot be taken for a new one.
  counts=$((100 + 2 * round))
  load "$counts"
  hear "live .*\"raw\":${counts}[,}]"
  weighed+=($((heard_at - ordered)))
  ((told[-1] <= 1000000)) || fail "round $round: found after $(milliseconds "${told[-1]}") ms"
done
tell frame

in_milliseconds() { spread "${@/%[0-9][0-9][0-9]/}"; }
note "$rounds rounds, ms from the order to make the device until"
note "  the device stands, as its maker sees it: $(in_milliseconds "${made[@]}")"
note "  pad_found at a subscriber through TLS:   $(in_milliseconds "${told[@]}")"
note "  a load put on it then at the subscriber: $(in_milliseconds "${weighed[@]}")"
[[ $(property MainPID) == "$process" && $(property NRestarts) == "$restarts" ]] || fail "the service was restarted"
note "open descriptors of the service: $before before, $(descriptors) after"
(($(descriptors) <= before + 1)) || fail "descriptors are lost: $before before, $(descriptors) after"
