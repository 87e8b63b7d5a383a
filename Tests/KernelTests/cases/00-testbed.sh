#!/bin/bash
# The ground the other cases stand on: the kernel makes a pad, a reader sees its frames, a grab works, unplugging ends it.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

bench pad
plug pad led=yes
tell pad open "$node"
tell pad grab "$node"
[[ $answer == "ok grab free" ]] || fail "a new pad is grabbed: $answer"

tell pad frame 0:600,300,200 1:700,300,150
tell pad frame 0:600,300,210
tell pad frame
tell pad seen
((${answer#*events=} >= 15)) || fail "the second reader saw too little: $answer"

tell pad flood 5000 0:600,300,42
note "flood: ${answer#ok flood }"
tell pad destroy
[[ ! -e $node ]] || fail "$node is still there after unplugging"
