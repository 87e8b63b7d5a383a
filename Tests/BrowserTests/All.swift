import Testing

/// One after the other: each measures time.
@Suite(.serialized) struct All {}
