# shellcheck shell=bash
# Certificates for the connections between the nodes of a cluster, and what to check them with. Sourced by
# Tests/FailoverTests/brokers.
# shellcheck disable=SC2154 # variables of Tests/FailoverTests/brokers

# certificate_tool FOLDER ARGUMENT...: grampad-broker with this folder in the temporary one.
certificate_tool() { deploy/broker/grampad-broker --folder "$folder/$1" "${@:2}" 2>>"$folder/tls.log" || die 1 "$(cat "$folder/tls.log")"; }

# In `tls` the files of the nodes, in `foreign` those of another CA, and in `stranger` a certificate of the same CA for another
# name.
make_certificates() {
  certificate_tool tls init "${certificate_options[@]}" 127.0.0.1
  certificate_tool foreign init "${certificate_options[@]}" 127.0.0.1
  cp -r "$folder/tls" "$folder/stranger"
  echo stranger >"$folder/stranger/names"
  certificate_tool stranger renew
}

# Whether a server on this port has the certificate of the nodes. It may then refuse the client, which has none.
shows_certificate() {
  local session shown
  session=$(openssl s_client -connect "127.0.0.1:$1" </dev/null 2>/dev/null) || true
  shown=$(openssl x509 -noout -fingerprint <<<"$session" 2>/dev/null) || return 1
  [[ $shown == "$(openssl x509 -in "$folder/tls/server.pem" -noout -fingerprint)" ]]
}

# Whether a server on this port sends nothing to a client that does not begin with TLS, and closes the connection.
is_silent() {
  local connection answer
  exec {connection}<>"/dev/tcp/127.0.0.1/$1"
  printf '%s' "$2" >&"$connection"
  answer=$(timeout 10 head -c 1 <&"$connection" | wc -c)
  exec {connection}>&-
  [[ $answer == 0 ]]
}

fails() { ! "$@"; }
