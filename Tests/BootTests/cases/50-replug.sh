#!/bin/bash
# Unplugged and plugged in again a hundred times, the scale is back within a second of the device, every time.
#
# The device is there when udev has given it to the service's user and made the link: before that nobody may open it.
# What the kernel and udev take for that is measured, too; in an emulated processor it is most of the time. Such a one
# stands still now and then where its host is busy: run this on a quiet machine.
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
