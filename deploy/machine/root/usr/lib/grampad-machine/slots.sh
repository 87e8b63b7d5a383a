# shellcheck shell=bash
# The two systems of a Grampad machine, slots a and b, and which of them starts. Meant to be sourced.
#
# The boot loader reads and writes the same block: GRUB's environment block, the only file on a partition of its own (see grub.cfg). Both
# write it in place. Everything in it is in its first sector, which a disk writes as a whole, so that a power cut leaves the old or the new
# content. The file system around it is never written.

readonly SLOTS=/dev/disk/by-partlabel/grampad-slots
# Where the file is on the partition, in sectors of 512 bytes; see deploy/lib/image/disk.
readonly SLOTS_SECTOR=45

# The slot of the running system, and the other one.
# shellcheck disable=SC2034 # used by the scripts
read -r RUNNING </proc/cmdline
# shellcheck disable=SC2034 # used by the scripts
if [[ $RUNNING == *grampad.slot=b* ]]; then readonly RUNNING=b OTHER=a; else readonly RUNNING=a OTHER=b; fi

# slot_setting slot|try|again: prints a or b, or nothing.
slot_setting() { dd if="$SLOTS" bs=512 skip=$SLOTS_SECTOR count=2 iflag=direct status=none | sed -nE "s/^$1=([ab])\$/\1/p"; }

# set_slots SLOT [TRY]: the slot that starts from now on, and one that is tried before: twice, if the first trial ends without a verdict.
set_slots() {
  local content
  printf -v content '# GRUB Environment Block\nslot=%s\ntry=%s\nagain=%s\n' "$1" "${2:-}" "${2:-}"
  while ((${#content} < 1024)); do content+='#'; done
  printf %s "$content" | dd of="$SLOTS" bs=512 seek=$SLOTS_SECTOR count=2 iflag=fullblock conv=notrunc,fsync status=none
}
