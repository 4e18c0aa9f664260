/**
 * The shell functions of a replay script. Each request has a number; its response is kept in a file with that name.
 * `field` reads the nth value of a key from a response, without a JSON parser.
 */
export const scriptFunctions: string = `
# Requires bash, curl, grep and sed. Prints every response and does not evaluate it. Reads that the check repeated
# until something changed are repeated here too, for up to 20 seconds. Every other request is sent as soon as the
# requests before it allow. To replay against another server, set the variable of its URL above.
responses=$(mktemp -d)
sent=()
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$responses"' EXIT
send() { curl -sS -g -i -N --max-time 60 "\${@:2}" >"$responses/$1" 2>&1; touch "$responses/$1.ended"; }
show() { printf '\\n--- %s. %s\\n' "$1" "$2"; cat "$responses/$1"; echo; }
section() { printf '\\n===== %s\\n' "$1"; }
note() { printf '\\n--- %s\\n%s\\n' "$1" "$2"; }
field() { grep -aEo "\\"$2\\" *: *(\\"[^\\"\\\\\\\\]*\\"|[0-9]+)" "$responses/$1" | sed -n "$3p" | sed -E 's/^"[^"]*" *: *"?([^"]*)"?$/\\1/'; }
body() { sed '1,/^\\r\\{0,1\\}$/d' "$responses/$1"; }
take() {
  local value ended
  for _ in {1..100}; do
    ended=$([ -e "$responses/$2.ended" ] && echo yes)
    value=$(field "$2" "$3" "$4" 2>/dev/null)
    [ -z "$value" ] && [ -z "$ended" ] || break
    sleep 0.1
  done
  [ -n "$value" ] && printf -v "$1" %s "$value" && return
  echo "Cannot continue: expected $3 in the response to request $2, as in the recorded run."
  exit 1
}
bucket_from() {
  local name
  bucket=yes
  for name; do [ -n "\${!name:-}" ] || { bucket=; echo "No destination is created: set $name to create destinations."; }; done
}
with_bucket() {
  [ -n "$bucket" ] && return
  echo "(skipped: it needs a bucket; see the settings at the top of this script)" >"$responses/$1"
  touch "$responses/$1.ended"
  return 1
}
until_ended() {
  for _ in {1..100}; do
    send "$1" "\${@:3}"
    [[ "$(field "$1" status "$2")" =~ ^([Pp]ending|[Rr]unning|[Cc]reated|[Qq]ueued)$ ]] || return
    sleep 0.2
  done
}
until_changed() {
  for _ in {1..100}; do
    send "$1" "\${@:3}"
    [ "$(body "$1")" != "$(body "$2")" ] && return
    sleep 0.2
  done
}
`
