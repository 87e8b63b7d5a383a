# shellcheck shell=bash disable=SC2154 # folder, here and the like are grampad-broker's
# Enrolment: one-time codes, client certificates of devices and their revocation. Sourced by grampad-broker.

# In days. A device renews when less than a third is left, so it can be off for that long.
readonly device_days=365
# A device has one certificate, and two around a renewal. The limit stops a device that asks again and again.
readonly most_certificates=8

require_enrollment() {
  [[ -n $(setting certificate-port) ]] || die 66 "enrolment is not set up; run grampad-broker init --certificate-port 8884"
}

# authority ARGUMENT...: openssl ca with the records of this CA.
authority() {
  local complaints
  complaints=$(openssl ca -batch -notext -config <(fill "$here/authority.cnf") "$@" 2>&1) ||
    die 70 "openssl ca failed: $(tail -n 1 <<<"$complaints")"
}

# The records of the CA: certificates that were issued, and the revoked ones.
init_enrollment() {
  install -d -m 0700 "$folder/invitations" "$folder/issued"
  [[ -e $folder/issued/index ]] || : >"$folder/issued/index"
  [[ -e $folder/revoked.pem ]] || write_revoked
}

# Lists the revoked certificates for the broker. The list is valid as long as the CA: the broker would refuse every client
# with a list that has expired. OpenSSL, which keeps earlier lists when the broker reloads, prefers the later one, by
# seconds: a list of the same second is made again.
write_revoked() {
  local before='' draft=$folder/.work.revoked
  [[ ! -e $folder/revoked.pem ]] || before=$(openssl crl -in "$folder/revoked.pem" -noout -lastupdate)
  while authority -gencrl -crldays "$ca_days" -out "$draft"; do
    [[ $(openssl crl -in "$draft" -noout -lastupdate) == "$before" ]] || break
  done
  place "$folder/revoked.pem" 0644 root:root <"$draft"
  rm "$draft"
}

# The serial numbers of the certificates of ID that are not revoked.
certificates_of() { awk -F '\t' -v subject="/CN=$1" '$1 == "V" && $6 == subject { print $4 }' "$folder/issued/index"; }

# The certificates of ID that are not revoked and valid for another day.
valid_certificates_of() {
  local serial
  for serial in $(certificates_of "$1"); do
    ! openssl x509 -in "$folder/issued/$serial.pem" -noout -checkend 86400 >/dev/null || echo "$folder/issued/$serial.pem"
  done
}

# key_of req|x509 FILE: the public key of a request or a certificate.
key_of() { openssl "$1" -in "$2" -noout -pubkey 2>/dev/null; }

# --- Codes: the file invitations/ID has the second at which the code expires, and after its use the key of the device ----

# invite ID: prints a code with which one device can get a certificate for this ID within the given time.
invite() {
  local id=$1 secret line role
  role=$(role_of "$id")
  [[ -z $role || $role == device ]] || die 65 "$id already exists as a $role; choose another name"
  [[ -z $(valid_certificates_of "$id") ]] ||
    say "$id has a certificate, which stays valid. To revoke it: grampad-broker remove $id; then run invite again."
  forget_invitation "$id"
  forget_expired_invitations
  [[ -n $role ]] || add_user device "$id"
  secret=$(openssl rand -base64 18 | tr '+/' '-_')
  line=$(hashed "enroll-$id" <<<"$secret")
  { cat "$folder/passwords" && printf '%s\n' "$line"; } | place_for_broker "$folder/passwords"
  add_user invitation "enroll-$id"
  printf '%s\n' "$(($(date +%s) + given_hours * 3600))" | place "$folder/invitations/$id" 0600 root:root
  write_access
  tell_broker reload
  say "The code of $id is valid for $given_hours h, for one device. On the device, with a copy of $folder/ca.pem, run" \
    "sudo -u grampad grampad enroll --broker mqtts://$(head -n 1 "$folder/names"):$(setting port) --ca-file ca.pem" \
    "and paste the code."
  printf '%s.%s\n' "$id" "$secret"
}

add_user() { printf '%s %s\n' "$1" "$2" | cat "$folder/users" - | place "$folder/users" 0600 root:root; }

# Removes the code of ID and its user.
forget_invitation() {
  rm -f "$folder/invitations/$1"
  remove_user "enroll-$1"
}

forget_expired_invitations() {
  local file
  for file in "$folder"/invitations/*; do
    [[ -e $file ]] || continue
    (($(date +%s) < $(head -n 1 "$file"))) || forget_invitation "${file##*/}"
  done
}

# withdraw ID: removes the code of ID.
withdraw() {
  forget_invitation "$1"
  write_access
  tell_broker reload
}

# installed ID: removes the code of ID if it was used.
installed() {
  [[ -e $folder/invitations/$1 && $(wc -l <"$folder/invitations/$1") -gt 1 ]] || return 0
  withdraw "$1"
}

# use_code ID KEY: binds the code of ID to the key of the first request that comes with it.
use_code() {
  local file=$folder/invitations/$1 expiry key
  [[ -e $file ]] || die 65 "there is no code for $1"
  { read -r expiry && key=$(cat); } <"$file"
  (($(date +%s) < expiry)) || die 65 "the code of $1 has expired"
  [[ -n $key ]] || printf '%s\n%s\n' "$expiry" "$2" | place "$file" 0600 root:root
  [[ -z $key || $key == "$2" ]] || die 65 "the code of $1 was already used by another device"
}

# --- Certificates -----------------------------------------------------------------------------------------------------

# issue ID: answers the certificate request on standard input. With --code it uses the code of ID; without, ID needs a valid
# certificate, because only its owner may ask the broker for another one. A request for the key of a certificate gets that
# certificate again. Only the key of the request counts: the subject is ID.
issue() {
  local id=$1 work key file certificate=''
  [[ $(role_of "$id") == device ]] || die 66 "no such device: $id"
  work=$(mktemp -d "$folder/.work.XXXXXX")
  # shellcheck disable=SC2064 # expand now
  trap "rm -rf '$work'" EXIT
  head -c 4096 >"$work/request"
  key=$(key_of req "$work/request") || die 65 "the certificate request is invalid"
  [[ $(openssl pkey -pubin -noout -text <<<"$key" 2>/dev/null) == *prime256v1* ]] ||
    die 65 "the request is not for a P-256 key"
  if [[ $with_code == yes ]]; then use_code "$id" "$key"; fi
  mapfile -t valid < <(valid_certificates_of "$id")
  for file in "${valid[@]}"; do
    [[ $(key_of x509 "$file") != "$key" ]] || certificate=$file
  done
  if [[ -z $certificate ]]; then
    [[ $with_code == yes || ${#valid[@]} -gt 0 ]] || die 65 "$id has no valid certificate"
    ((${#valid[@]} < most_certificates)) || die 65 "$id has ${#valid[@]} valid certificates, the maximum"
    [[ $(openssl req -in "$work/request" -noout -verify 2>&1) == *"verify OK"* ]] ||
      die 65 "the signature of the request is invalid"
    certificate=$work/certificate
    authority -in "$work/request" -subj "/CN=$id" -days "$device_days" -out "$certificate"
  fi
  say "Issued a certificate for $id, valid until $(openssl x509 -in "$certificate" -noout -enddate | cut -d = -f 2)."
  printf '{"id": "%s", "brokers": ["mqtts://%s:%s"], "prefix": "%s", "certificate": "%s"}\n' \
    "$id" "$(head -n 1 "$folder/names")" "$(setting certificate-port)" "$(setting prefix)" \
    "$(awk '{ printf "%s\\n", $0 }' "$certificate")"
}

# revoke ID: the broker refuses all certificates of ID from its next reload on.
revoke() {
  local serial
  for serial in $(certificates_of "$1"); do authority -revoke "$folder/issued/$serial.pem"; done
  write_revoked
}
