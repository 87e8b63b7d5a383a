# shellcheck shell=bash disable=SC2154 # folder, ca_days and server_days are grampad-broker's
# CA and server certificate. Sourced by grampad-broker.

# Creates a CA for this broker only. Clients trust it only if they are configured to.
make_authority() {
  say "Creating the CA $folder/ca.pem ..."
  openssl ecparam -name prime256v1 -genkey -noout | place "$folder/ca.key" 0600 root:root
  openssl req -new -x509 -sha256 -key "$folder/ca.key" -days "$ca_days" -subj "/CN=Grampad broker of $(uname -n)" \
    -addext basicConstraints=critical,CA:TRUE,pathlen:0 -addext keyUsage=critical,keyCertSign,cRLSign |
    place "$folder/ca.pem" 0644 root:root
}

# names_with NAME...: the names in the certificate plus these, without duplicates.
names_with() {
  local name
  for name in "$@"; do
    is_host "$name" || die 64 "not a host name or an address: $name"
  done
  { [[ ! -e $folder/names ]] || cat "$folder/names"; printf '%s\n' "$@"; } | awk 'NF && !seen[$0]++'
}

# Converts the names on standard input to the openssl format.
subject_names() {
  local name list=() IFS=,
  while read -r name; do
    if is_address "$name"; then list+=("IP:$name"); else list+=("DNS:$name"); fi
  done
  printf '%s\n' "${list[*]}"
}

# make_certificate NAMES: creates a server key and certificate for these names, one per line.
make_certificate() {
  local names=$1 usage=serverAuth work
  # A node connects to the other ones as their client.
  [[ -z $(setting cluster) ]] || usage+=,clientAuth
  work=$(mktemp -d "$folder/.work.XXXXXX")
  # shellcheck disable=SC2064 # expand now
  trap "rm -rf '$work'" EXIT
  openssl ecparam -name prime256v1 -genkey -noout -out "$work/key"
  openssl req -new -sha256 -key "$work/key" -subj "/CN=$(head -n 1 <<<"$names")" -out "$work/request"
  printf '%s\n' "subjectAltName=$(subject_names <<<"$names")" basicConstraints=critical,CA:FALSE \
    keyUsage=critical,digitalSignature "extendedKeyUsage=$usage" >"$work/extensions"
  openssl x509 -req -sha256 -in "$work/request" -CA "$folder/ca.pem" -CAkey "$folder/ca.key" \
    -set_serial "0x$(openssl rand -hex 16)" -days "$server_days" -extfile "$work/extensions" -out "$work/certificate" \
    2>"$work/complaints" ||
    die 65 "cannot create a certificate for $(paste -sd ' ' <<<"$names"): $(tail -n 1 "$work/complaints")"
  place "$folder/server.key" 0640 "root:$(broker_group)" <"$work/key"
  place "$folder/server.pem" 0644 root:root <"$work/certificate"
  place "$folder/names" 0644 root:root <<<"$names"
  rm -rf "$work"
  say "Server certificate issued for: $(paste -sd ' ' "$folder/names")"
}

own_names() {
  local own
  own=$(uname -n)
  [[ $own == *.* ]] || printf '%s\n' "$own.local"
  printf '%s\n' "$own" localhost 127.0.0.1 ::1
}
