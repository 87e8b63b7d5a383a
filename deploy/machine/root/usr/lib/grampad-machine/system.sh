# shellcheck shell=bash disable=SC2154 # answers
# Makes the system as the answers say: files in /etc, which is in memory. Meant to be sourced after answers.sh.

readonly CONFIGURATION=/etc/grampad/grampad.yaml

# Prints four hexadecimal digits that tell one machine from another. A restored machine is the same one on another card.
suffix() {
  local text
  read_text "$MACHINE/suffix"
  [[ -n $text ]] || read_text /etc/machine-id
  printf %s "${text:0:4}"
}

apply_hostname() {
  local name=${answers[hostname]:-grampad}
  printf '%s\n' "$name" >/etc/hostname
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n::1 localhost ip6-localhost ip6-loopback\n' "$name" >/etc/hosts
  [[ $(</proc/sys/kernel/hostname) == "$name" ]] || printf '%s\n' "$name" >/proc/sys/kernel/hostname
}

apply_time_zone() {
  local zone=/usr/share/zoneinfo/${answers[time_zone]:-UTC}
  [[ /etc/localtime -ef $zone ]] || ln -sfn "$zone" /etc/localtime
}

# Only for a login with a key. Host keys are made when the first key is given.
apply_ssh() {
  if [[ -z ${answers[ssh_key]:-} ]]; then
    [[ ! -e /etc/ssh/grampad-keys ]] || {
      rm /etc/ssh/grampad-keys
      systemctl --quiet --no-block stop ssh.service
    }
    return
  fi
  make_host_key /var/lib/ssh/ssh_host_ed25519_key
  printf '%s\n' "${answers[ssh_key]}" >/etc/ssh/grampad-keys
  systemctl --quiet --no-block start ssh.service
}

# make_host_key FILE: unless there is one. It has its name only once it is on the card: after a power cut, an empty file would stay, and no
# one could log in.
make_host_key() {
  [[ ! -s $1 ]] || return 0
  rm -f "$1.new"
  ssh-keygen -q -t ed25519 -N '' -f "$1.new"
  rm "$1.new.pub"
  sync "$1.new" && mv "$1.new" "$1" && sync "${1%/*}"
}

hexadecimal() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n'; }

# yaml TEXT: a double-quoted string.
yaml() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# The configuration of the scale. A grampad.yaml on the boot partition takes its place.
configuration() {
  local text pad=${answers[pad]:-auto} journal=/var/lib/grampad/grampad.db
  # Weighings are not recorded in memory, where they would be lost with the next start: the page says that there is no such folder.
  [[ ! -e /run/grampad-no-state ]] || journal=/state/cannot-be-mounted/grampad.db
  read_text /run/grampad-machine/grampad.yaml 1048577
  if [[ -n $text ]]; then
    printf %s "$text"
    return
  fi
  printf 'device: {id: grampad-' && suffix && printf ', name: ' && yaml "${answers[name]:-Grampad}"
  printf '}\npad: {device: '
  case $pad in
    auto | simulated) printf %s "$pad" ;;
    /*) yaml "$pad" ;;
    iio:*) printf '{iio: ' && yaml "${pad#iio:}" && printf '}' ;;
    *) printf '{name: ' && yaml "$pad" && printf '}' ;;
  esac
  printf '}\njournal: {path: %s}\nmqtt:\n  broker: ' "$journal" && yaml "${answers[broker]:-embedded}"
  [[ -z ${answers[broker_user]:-} ]] || { printf '\n  username: ' && yaml "${answers[broker_user]}"; }
  [[ -z ${answers[broker_password]:-} ]] || printf '\n  password_file: /etc/grampad/mqtt-password'
  printf '\nhome_assistant: {discovery: ' && boolean test "${answers[home_assistant]:-yes}" = yes && printf '}\n'
  printf 'dashboard: {address: "::"}\n'
}

# apply_scale: writes the configuration; a scale that runs reads it at once. Fails, and prints the reason, if the scale would not accept it;
# the old one stays.
apply_scale() {
  local new=$CONFIGURATION.new text version before password=/etc/grampad/mqtt-password
  if [[ -n ${answers[broker_password]:-} ]]; then
    (umask 027 && printf '%s\n' "${answers[broker_password]}" >"$password")
    chgrp grampad "$password"
  elif [[ -e $password ]]; then
    rm "$password"
  fi
  configuration >"$new"
  # What this version has accepted before is not checked again: each start is sooner.
  read_text /usr/lib/grampad-machine/version && version=$text
  read_text "$MACHINE/accepted" 1048700 && before=$text
  read_text "$new" 1048577
  if [[ $version$text != "$before" ]]; then
    if ! grampad check "$new" >/dev/null 2>/run/grampad-machine/check; then
      sed -n "1s|^$new:||p" /run/grampad-machine/check
      rm "$new"
      return 1
    fi
    printf %s "$version$text" | replace "$MACHINE/accepted"
  fi
  before=$text
  read_text "$CONFIGURATION" 1048577
  if [[ $text == "$before" ]]; then rm "$new"; else mv "$new" "$CONFIGURATION"; fi
}

# overlay_text: sets `text` to what sensor.txt on the boot partition has to be. The firmware of a Raspberry Pi reads it through config.txt.
overlay_text() {
  text='# Written by the set-up.'
  [[ ${answers[sensor]:-none} == none ]] || text+=$'\n'dtoverlay=grampad-${answers[sensor]}
  printf -v text '%-511s\n' "$text"
}

# apply_sensor FOLDER: on a Raspberry Pi, names the overlay of the sensor in sensor.txt. FOLDER is the boot partition, mounted. Fails if
# nothing had to be changed. The file is one sector and is written in place: nothing else on this file system, which has no journal, changes.
apply_sensor() {
  local file=$1/sensor.txt text
  [[ -e $file ]] || return 1
  overlay_text
  [[ $text != "$(<"$file")"$'\n' ]] || return 1
  mount -o remount,rw "$1" &&
    printf %s "$text" | dd of="$file" bs=512 count=1 iflag=fullblock conv=notrunc,fsync status=none &&
    mount -o remount,ro "$1"
}

# on_boot_partition COMMAND...: runs it with the folder of the boot partition as last argument.
on_boot_partition() {
  local folder=/run/grampad-machine/boot status=0
  mkdir -p "$folder"
  mount -t vfat -o ro,nodev,nosuid,noexec /dev/disk/by-partlabel/grampad-boot "$folder" || return
  "$@" "$folder" || status=$?
  umount "$folder"
  return "$status"
}

# What cannot be refused.
apply_system() {
  apply_hostname
  apply_time_zone
  apply_ssh
}
