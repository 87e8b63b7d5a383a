# shellcheck shell=bash disable=SC2034,SC2154 # variables of the files that are sourced
# The file with which a machine comes back on another card, and its restore. Meant to be sourced after system.sh and state.sh.
#
#   grampad-machine-backup/machine     the answers, with what makes this machine the same one again
#   grampad-machine-backup/scale.tar   what `grampad backup` saves
#
#   /state/backup    the backup that the page can fetch; gone after an hour and with the next start
#   /state/restore   `new`: a backup that is checked; `ready`: one that is complete and on the card, to be restored by the next start
readonly BACKUP=/state/backup RESTORE=/state/restore
readonly BACKUP_NAME=grampad-machine-backup BACKUP_FORMAT=1
# Kept free for the weighings, in bytes.
readonly SPARE=$((64 << 20))
# A restore that was interrupted begins again at the next start, but not forever.
readonly MOST_TRIALS=5

# as_scale COMMAND...: runs it with the rights of the scale only.
as_scale() {
  setpriv --reuid=grampad --regid=grampad --clear-groups --no-new-privs --inh-caps=-all \
    env LC_ALL=C.UTF-8 LANGUAGE=en LIBDISPATCH_LOG=NO STATE_DIRECTORY=/var/lib/grampad TMPDIR="${TMPDIR:-/tmp}" "$@"
}

# has_room BYTES: whether /state has that much room, and some for the weighings.
has_room() { (($(df --output=avail --block-size=1 /state | tail -n 1) >= $1 + SPARE)); }

# describe_machine: prints the member `machine`.
describe_machine() {
  local key
  printf 'format = %s\nversion = %s\nsuffix = %s\nis_set_up = %s\n' "$BACKUP_FORMAT" "$(<"/usr/lib/grampad-machine/version")" "$(suffix)" \
    "$(if [[ -e $MACHINE/owned ]]; then echo yes; else echo no; fi)"
  # This version refuses a backup with a value that it does not accept.
  for key in "${KEYS[@]}"; do unset "others[$key]"; done
  print_answers
}

# read_member KEY VALUE: of read_machine.
read_member() {
  local fault='' problem
  case $1 in
    format) format=$2 ;;
    version) ;;
    suffix) if [[ $2 =~ ^[0-9a-f]{4}$ ]]; then restored_suffix=$2; else fault="is not four hexadecimal digits"; fi ;;
    is_set_up) was_set_up=$2 ;;
    *)
      check_answer "$1" "$2"
      if [[ $problem == "$UNKNOWN" ]]; then
        others["$1"]=$2
      else
        fault=$problem
        answers["$1"]=$2
      fi
      ;;
  esac
  [[ -z $fault || -n $reason ]] || reason="$1 $fault"
}

# read_machine FILE: reads such a member into `answers`, `restored_suffix` and `was_set_up`. Fails, and prints why, at the first fault.
read_machine() {
  local reason='' format=''
  answers=() others=() restored_suffix='' was_set_up=''
  read_answers "$1" read_member exact
  if [[ -n $reason ]]; then
    echo "$reason"
    return 1
  fi
  [[ $format == "$BACKUP_FORMAT" && -n $restored_suffix ]] || {
    echo "it was not made by this version or an older one"
    return 1
  }
}

# restore_ready: restores what was checked before. Runs before the scale. It begins again after a power cut, with the same result: what is
# in `ready` stays until all of it is in its place. The files that it replaces are kept by `grampad restore`.
restore_ready() {
  local trials reason
  trials=$(cat "$RESTORE/ready/trials" 2>/dev/null || echo 0)
  if ((trials >= MOST_TRIALS)); then
    restore_failed "it was interrupted $trials times"
    return
  fi
  replace "$RESTORE/ready/trials" <<<"$((trials + 1))" || return
  echo "a backup is restored"
  # The configuration follows from the answers; the one in the backup only says where the other files go.
  install -d -o grampad -g grampad -m 700 /run/grampad-restore
  if ! as_scale grampad restore --force "$RESTORE/ready/scale.tar" --config /run/grampad-restore/grampad.yaml 2>"$FOLDER/restore.log"; then
    restore_failed "$(first_error "$FOLDER/restore.log")"
    return
  fi
  if ! reason=$(read_machine "$RESTORE/ready/machine"); then
    restore_failed "$reason"
    return
  fi
  # Once more, because that was a shell of its own.
  read_machine "$RESTORE/ready/machine" && store_answers && replace "$MACHINE/suffix" <<<"$restored_suffix" || return
  if [[ $was_set_up == yes ]]; then : | replace "$MACHINE/owned" || return; fi
  sync --file-system /state && rm -rf "$RESTORE" && sync /state
}

# restore_failed REASON: the machine stays as it was, and the page says why.
restore_failed() {
  echo "the backup is not restored: $1" >&2
  rm -rf "$RESTORE"
  printf '{"state":"failed","reason":%s}\n' "$(json "$1")" >"$FOLDER/restore.json"
}

# first_error FILE: the first line of an error, without the names of the program and of the file.
first_error() {
  local line
  line=$(grep -m 1 . "$1") || line="no reason is known"
  line=${line#grampad: }
  line=${line#[Ee]rror: }
  printf %s "${line#*/scale.tar: }"
}
