# shellcheck shell=bash
# Checks user-visible texts for banned words. Meant to be sourced; run check_language in the project directory.
#
# Checked: README.md, the documentation, config/, deploy/, the scripts of the tests, the English texts and the files of the web page, including comments,
# and in Sources the string literals: help texts, log messages and errors. Literals without a space are skipped, because they
# are identifiers.

# One entry per line: a word or phrase as an extended regular expression, then the reason with the alternative.
BANNED_WORDS='
nobody|imprecise: name the subject, for example no client, no other process
whoever|imprecise: name the subject, for example the client, the caller, the user
anew|archaic: again
(the|a|its|true) begin|not a noun: the start, the beginning
beside|archaic: next to, in addition to, in parallel with
so many|translated: the maximum number of, up to
for ever|forever; usually better: without a limit, permanently
is none|translated: there is no ..., not set
mend(s|ed|ing)?|archaic: fix
strikes|translated: a record voids a weighing
foretells?|archaic: predict
by and by|archaic: gradually
has it done|translated: does it, requests it
takes (it|this|that|them) for|translated: treats it as
'

# Prints every offending line as FILE:LINE:TEXT, then the reasons. Fails if there are any.
check_language() {
  local pattern texts found entry
  pattern=$(sed -n 's/|[^|]*$//p' <<<"$BANNED_WORDS" | paste --serial --delimiters='|')
  texts=$(git ls-files --cached --others --exclude-standard -z -- 'Sources/*.swift' | string_literals)
  [[ -n $texts ]] || { echo "No string literals found in Sources." && return 1; }
  found=$(
    whole_files | xargs -0 grep -HniwE -e "$pattern" --
    grep -iwE -e "$pattern" <<<"$texts"
  ) || true
  [[ -n $found ]] || return 0
  printf '%s\n' "$found"
  while IFS= read -r entry; do
    if [[ -n $entry ]] && grep -qiwE -e "${entry%|*}" <<<"$found"; then printf '%s: %s\n' "${entry%|*}" "${entry##*|}"; fi
  done <<<"$BANNED_WORDS"
  return 1
}

# Prints the names of the files that are checked as a whole, separated by null bytes. Licence texts are quotations, and this
# file contains the list.
whole_files() {
  git ls-files --cached --others --exclude-standard -z -- README.md config deploy Sources/Servers/Page \
    Tests/{Capacity,Shell,Tiers,Torture} \
    'Sources/Appliance/Appliance.docc/*.md' Sources/Languages/Strings/en.txt \
    ':!deploy/debian/copyright' ':!Tests/Tiers/language.sh'
}

# Prints FILE:LINE:TEXT for every line with text in string literals, for the Swift files named on standard input. Comments
# and the code in interpolations are left out.
string_literals() {
  # shellcheck disable=SC2016 # awk fields
  xargs -0 awk '
    function close_literal() {
      if (literal ~ / /) text = text literal "; "
      literal = ""
    }
    FNR == 1 { block = 0 }
    !block && !/"/ { next }
    {
      text = literal = ""; depth = suspended = 0; in_literal = block
      for (at = 1; at <= length($0); at++) {
        c = substr($0, at, 1)
        if (!in_literal) {
          if (c == "\"") {
            if (substr($0, at, 3) == "\"\"\"") { block = 1; at += 2 }
            in_literal = 1
          } else if (depth > 0) {
            if (c == "(") depth++
            if (c == ")" && --depth == 0) { in_literal = 1; block = suspended; suspended = 0 }
          } else if (substr($0, at, 2) == "//") break
        } else if (c == "\\") {
          at++
          if (substr($0, at, 1) == "(" && depth == 0) { in_literal = 0; depth = 1; suspended = block; block = 0 }
        } else if (c == "\"" && (!block || substr($0, at, 3) == "\"\"\"")) {
          if (block) at += 2
          block = in_literal = 0
          close_literal()
        } else literal = literal c
      }
      if (suspended) block = 1
      if (block) close_literal()
      if (text != "") print FILENAME ":" FNR ":" text
    }'
}
