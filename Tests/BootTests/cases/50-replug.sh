#!/bin/bash
# The pad is unplugged and plugged in a hundred times. Each time the scale is back within a second of the device.
#
# The device is present when udev has given it to the user of the service and created the link; before that it cannot be
# opened. The time that the kernel and udev need is also measured; on an emulated processor it is most of the time. The
# emulated processor pauses when the host is busy, so run this on an idle machine.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"

rounds=${REPLUGS:-100}
subscribe operator 'grampad/scale/#'
hear 'availability online'
process=$(property MainPID) restarts=$(property NRestarts)
descriptors() { find "/proc/$process/fd" -mindepth 1 | wc -l; }
before=$(descriptors)

made=() ready=() back=() told=() weighed=()
for ((round = 1; round <= rounds; round++)); do
  unplug
  hear 'event \{"type":"pad_lost"'
  [[ ! -e /dev/input/grampad ]] || until_true "the link outlives the pad" test ! -e /dev/input/grampad
  ordered=$(now)
  plug
  made+=($(($(now) - ordered)))
  hear 'event \{"type":"pad_found"'
  told+=($((heard_at - ordered)))
  linked=$(stat -c %.6Z /dev/input/grampad)
  ready+=($((${linked/./} - ordered)))
  back+=($((told[-1] - ready[-1])))
  # A load of its own in each round, so that an old message cannot be taken for a new one.
  counts=$((100 + 2 * round))
  load "$counts"
  hear "live .*\"raw\":${counts}[,}]"
  weighed+=($((heard_at - ordered)))
  ((back[-1] < 1000000)) || fail "round $round: back $(milliseconds "${back[-1]}") ms after the device"
done
tell frame

note "back every time; ms from the device being there to pad_found at a subscriber through TLS: $(spread "${back[@]}")"
note "of $rounds rounds, ms from the order to make the device until"
note "  the kernel has made it:                $(spread "${made[@]}")"
note "  udev has given it to its user:         $(spread "${ready[@]}")"
note "  pad_found is at the subscriber:        $(spread "${told[@]}")"
note "  a load put on then is there, weighed:  $(spread "${weighed[@]}")"
[[ $(property MainPID) == "$process" && $(property NRestarts) == "$restarts" ]] || fail "the service was restarted"
note "open descriptors of the service: $before before, $(descriptors) after"
(($(descriptors) <= before + 1)) || fail "descriptors are lost: $before before, $(descriptors) after"
