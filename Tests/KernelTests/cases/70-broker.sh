#!/bin/bash
# From the pad to a subscriber through a broker that is there already.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

port=18830
through=mqtt://127.0.0.1:18830
broker "$port"
# shellcheck source=Tests/KernelTests/guest/end-to-end.sh
source "$(dirname "$0")/../guest/end-to-end.sh"
