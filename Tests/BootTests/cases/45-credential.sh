#!/bin/bash
# Password and token as credentials of systemd, with the drop-in of Operating.md: the password is encrypted on disk, both can
# be read by root and the service only, and without them the service stays stopped and names the file.
# shellcheck source=Tests/BootTests/guest/words.sh
source "$PAYLOAD/words.sh"
# shellcheck source=Tests/BootTests/guest/setup.sh
source "$PAYLOAD/setup.sh"

configuration=/etc/grampad/grampad.yaml
drop_in=/etc/systemd/system/grampad.service.d
credentials=/run/credentials/grampad.service
password=$(</etc/grampad/mqtt.password)
token=0123456789abcdef-token
cp -p "$configuration" before.yaml
mv /etc/grampad/mqtt.password kept.password

systemd-creds encrypt --name=mqtt-password kept.password /etc/grampad/mqtt-password.cred >creds.out 2>&1 ||
  fail "systemd-creds: $(tail -n 1 creds.out)"
! grep -qF -e "$password" /etc/grampad/mqtt-password.cred || fail "the password is not encrypted"
install -m 600 /dev/null /etc/grampad/dashboard.token
printf '%s\n' "$token" >/etc/grampad/dashboard.token
mkdir -p "$drop_in"
cat >"$drop_in/credentials.conf" <<'UNIT'
[Service]
LoadCredentialEncrypted=mqtt-password:/etc/grampad/mqtt-password.cred
LoadCredential=dashboard-token:/etc/grampad/dashboard.token
UNIT
put password_file "  password_file: $credentials/mqtt-password"
sed -i '/^dashboard:/a\  token_file: '"$credentials/dashboard-token" "$configuration"

subscribe operator 'grampad/scale/#'
hear 'availability online'
restart() {
  systemctl daemon-reload
  systemctl restart grampad
  hear 'availability online'
  hear 'health .*"broker":\{"state":"connected"'
}
restart
note "the credentials: $(stat -c '%n %a %U:%G' "$credentials"/* | tr '\n' ' '), on $(stat -f -c %T "$credentials")"
load 400
hear 'stable .*"net_g":200[,}]'
tell frame

# answer_to [HEADER]: the status of a request that only the owner of the scale may make.
answer_to() {
  local connection line
  exec {connection}<>/dev/tcp/127.0.0.1/8385
  printf 'GET /api/clients HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n' "${1:+$1$'\r\n'}" >&"$connection"
  IFS=' ' read -r -t "$PATIENCE" _ line _ <&"$connection"
  exec {connection}>&-
  printf '%s' "$line"
}
[[ $(answer_to) == 401 ]] || fail "without the token: $(answer_to)"
[[ $(answer_to "Authorization: Bearer $token") == 200 ]] || fail "with the token: $(answer_to "Authorization: Bearer $token")"

# Another user reads neither. The commands of the user of the service do, while it runs.
for name in mqtt-password dashboard-token; do
  if setpriv --reuid 65534 --regid 65534 --clear-groups cat "$credentials/$name" >other.out 2>&1; then
    fail "another user can read $name"
  fi
done
as_grampad grampad check "$configuration" >check.out 2>&1 || fail "check: $(tail -n 2 check.out)"
! grep -E 'warning.*(password|token)' check.out || fail "check warns about a credential"

# A saved configuration is accepted while the service runs.
sed -i 's/^  capacity_g: .*/  capacity_g: 320/' "$configuration"
hear 'event \{"type":"reloaded"'

# Without the drop-in there is no such file. That is an error of the configuration, and the service is not started again.
rm -r "$drop_in"
systemctl daemon-reload
systemctl restart grampad || true
hear 'availability offline'
is_stopped() { [[ $(property ActiveState) == failed ]]; }
until_true "the service is $(property ActiveState)" is_stopped
[[ $(property ExecMainStatus) == 78 ]] || fail "the exit code is $(property ExecMainStatus)"
journalctl --unit grampad --boot --lines 5 --no-pager --output cat >log.out
grep -qF "$credentials/mqtt-password" log.out || fail "the log does not name the file: $(tail -n 1 log.out)"

cp -p before.yaml "$configuration"
mv kept.password /etc/grampad/mqtt.password
rm /etc/grampad/mqtt-password.cred /etc/grampad/dashboard.token
restart
