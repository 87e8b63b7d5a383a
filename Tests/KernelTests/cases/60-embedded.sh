#!/bin/bash
# From the pad to a subscriber through the broker that the scale brings itself.
# shellcheck source=Tests/KernelTests/guest/words.sh
source "$(dirname "$0")/../guest/words.sh"

port=18831
through=embedded
# shellcheck source=Tests/KernelTests/guest/end-to-end.sh
source "$(dirname "$0")/../guest/end-to-end.sh"
