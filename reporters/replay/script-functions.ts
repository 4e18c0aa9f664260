/**
 * What the lines of a replay call. Each request has a number, under which its answer is kept; `field` reads the nth
 * value under a key from an answer, without a JSON parser.
 */
export const scriptFunctions: string = `
answers=$(mktemp -d)
sent=()
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$answers"' EXIT
send() { curl -sS -g -i -N --max-time 60 "\${@:2}" >"$answers/$1" 2>&1; touch "$answers/$1.ended"; }
show() { printf '\\n--- %s. %s\\n' "$1" "$2"; cat "$answers/$1"; echo; }
section() { printf '\\n===== %s\\n' "$1"; }
told() { printf '\\n--- %s\\n%s\\n' "$1" "$2"; }
field() { grep -aEo "\\"$2\\" *: *(\\"[^\\"\\\\\\\\]*\\"|[0-9]+)" "$answers/$1" | sed -n "$3p" | sed -E 's/^"[^"]*" *: *"?([^"]*)"?$/\\1/'; }
body() { sed '1,/^\\r\\{0,1\\}$/d' "$answers/$1"; }
take() {
  local value ended
  for _ in {1..100}; do
    ended=$([ -e "$answers/$2.ended" ] && echo yes)
    value=$(field "$2" "$3" "$4" 2>/dev/null)
    [ -z "$value" ] && [ -z "$ended" ] || break
    sleep 0.1
  done
  [ -n "$value" ] && printf -v "$1" %s "$value" && return
  echo "The answer to request $2 holds no $3 as it did when it was recorded: what follows cannot be replayed."
  exit 1
}
bucket_from() {
  local name
  bucket=yes
  for name; do [ -n "\${!name:-}" ] || { bucket=; echo "No destination is registered: $name is not set."; }; done
}
with_bucket() {
  [ -n "$bucket" ] && return
  echo "(left out: its bucket is gone; the settings for another one stand at the top of this script)" >"$answers/$1"
  touch "$answers/$1.ended"
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
