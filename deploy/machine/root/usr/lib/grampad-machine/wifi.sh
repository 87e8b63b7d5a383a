# shellcheck shell=bash disable=SC2034,SC2154 # for the scripts that read it; answers
# The Wi-Fi: what is in reach, and the two configurations of wpa_supplicant. Meant to be sourced after answers.sh, system.sh and state.sh.
#
#   no owner            access point, open: a password could not be told to anyone
#   `finish`            station; without a connection, access point again, with the reason
#   owner               station, if there is a network among the answers; never an access point again

readonly WIFI=wlan0
# Its address as an access point, as in 80-access-point.network, dnsmasq.conf and the page's server.
readonly OWN_ADDRESS=10.71.80.1
readonly WIFI_CONFIGURATION=/etc/wpa_supplicant/wpa_supplicant-$WIFI.conf
# What is there only while the access point is open: its name.
readonly ACCESS_POINT=$FOLDER/access-point
# While a network is tried after `finish`, and why the last one failed: password, missing or failed.
readonly JOINING=$FOLDER/joining WIFI_FAULT=$FOLDER/wifi-fault

has_wifi() { [[ -e /sys/class/net/$WIFI ]]; }

# Whether a cable connects the machine to a network.
has_cable() {
  local each line
  for each in /sys/class/net/*; do
    first_line "$each/operstate"
    [[ ${each##*/} == lo || -e $each/phy80211 || $line != up ]] || return 0
  done
  return 1
}

# The beginning of a configuration. Wi-Fi Direct would be one more way in.
wifi_header() { printf 'ctrl_interface=DIR=/run/wpa_supplicant\ncountry=%s\np2p_disabled=1\n' "${answers[country]:-00}"; }

# Names and passwords are written in hexadecimal, so that nothing in them has another meaning.
station() {
  local password=${answers[wifi_password]:-}
  wifi_header
  printf 'network={\n  ssid=%s\n  scan_ssid=1\n' "$(hexadecimal "${answers[wifi]}")"
  if [[ -z $password ]]; then
    printf '  key_mgmt=NONE\n}\n'
  else
    [[ $password =~ ^[0-9a-fA-F]{64}$ ]] ||
      password=$(wpa_passphrase "${answers[wifi]}" <<<"$password" 2>/dev/null | sed -nE 's/^\tpsk=([0-9a-f]{64})$/\1/p')
    printf '  key_mgmt=WPA-PSK WPA-PSK-SHA256\n  psk=%s\n}\n' "$password"
  fi
}

# access_point NAME: channel 6 is allowed everywhere.
access_point() {
  wifi_header
  printf 'network={\n  ssid=%s\n  mode=2\n  key_mgmt=NONE\n  frequency=2437\n}\n' "$(hexadecimal "$1")"
}

# write_wifi COMMAND...: writes what it prints as configuration. Fails if that changes nothing.
write_wifi() {
  mkdir -p "${WIFI_CONFIGURATION%/*}"
  (umask 077 && "$@" >"$WIFI_CONFIGURATION.new")
  if cmp --silent "$WIFI_CONFIGURATION.new" "$WIFI_CONFIGURATION"; then rm "$WIFI_CONFIGURATION.new" && return 1; fi
  mv "$WIFI_CONFIGURATION.new" "$WIFI_CONFIGURATION"
}

# The answers have changed. Before the set-up is finished, the access point stays; another name of the scale does not interrupt the network.
apply_wifi() {
  has_wifi || return 0
  rm -f "$WIFI_FAULT"
  [[ -e $MACHINE/owned ]] || return 0
  if [[ -n ${answers[wifi]:-} ]]; then write_wifi station || return 0; fi
  systemctl --no-block restart grampad-wifi.service
}

# find_networks SECONDS: searches, and writes the networks in reach for the page; if it takes longer, those found until then. An access point
# stays open: not every driver can search then, and the list is that of before. The names are bytes from strangers: those that are not UTF-8,
# or that control something, are left out.
find_networks() {
  local signal secured name separator='' new=$FOLDER/networks.new
  ip link set "$WIFI" up
  timeout "$1" iw dev "$WIFI" scan ap-force 2>/dev/null >"$FOLDER/scan" || iw dev "$WIFI" scan dump >"$FOLDER/scan" || return 0
  {
    printf '['
    while IFS=$'\t' read -r signal secured name; do
      printf '%s{"ssid":%s,"signal_dbm":%d,"secured":%s}' "$separator" "$(json "$name")" "$signal" "$secured"
      separator=,
    done < <(decoded <"$FOLDER/scan")
    printf ']'
  } >"$new"
  mv "$new" "$FOLDER/networks.json"
}

# Reads the output of `iw scan` and prints SIGNAL, whether it is encrypted, and NAME of the strongest networks, one a line. iw writes the
# bytes of a name as \xNN unless they are printable.
decoded() {
  awk '
    function flush() {
      rest = name
      gsub(/\\x[0-9a-f][0-9a-f]/, "", rest)
      control = tolower(name) ~ /\\x([01][0-9a-f]|7f|c2\\x[89][0-9a-f]|e2\\x80\\xa[89])/
      if (name != "" && length(name) <= 128 && rest !~ /[\\[:cntrl:]]/ && !control && signal ~ /^-[0-9]+$/)
        printf "%d\t%s\t%s\n", signal, secured, name
      name = signal = ""
      secured = "false"
    }
    /^BSS / { flush() }
    /^\tsignal: -[0-9.]+ dBm/ { signal = int($2) "" }
    /^\tcapability: .* Privacy/ { secured = "true" }
    /^\tSSID: / { name = substr($0, 8) }
    END { flush() }' | sort -t $'\t' -k 1,1nr -s | awk -F '\t' '!seen[$3]++' | head -n 50 |
    while IFS= read -r line; do printf '%b\n' "$line"; done | LC_ALL=C.UTF-8 grep -ax '.*' || true
}
