/// The pad's full state after one SYN_REPORT.
public struct Frame: Hashable, Sendable {
  /// The time of the SYN_REPORT.
  public var time: Instant
  /// Everything that touches, in the order in which it came down.
  public var contacts: [Contact]
  /// Whether events were lost before this frame, so that what happened since the last one is not known.
  public var followsGap: Bool

  /// Makes a frame.
  @inlinable
  public init(time: Instant, contacts: [Contact] = [], followsGap: Bool = false) {
    self.time = time
    self.contacts = contacts
    self.followsGap = followsGap
  }

  /// The counts of all contacts together, be they loads or presses.
  public var raw: RawForce { contacts.reduce(.zero) { $0 + $1.raw } }
}

/// One touch on the pad, from touch-down to lift.
public struct Contact: Hashable, Sendable {
  /// Tells one touch from the next, even in the same slot: counts up with every touch-down.
  public var serial: UInt64
  /// Where it is; `nil` on a pad without positions.
  public var position: Position?
  /// Where it came down; decides for good whether it is a load or a press.
  public var origin: Position?
  /// How hard it presses, in counts of the axis.
  public var raw: RawForce
  /// Whether the axis is at the end of its range, so that the true force may be any larger one.
  public var isAtMaximum: Bool

  /// Makes a contact.
  @inlinable
  public init(serial: UInt64, position: Position?, origin: Position?, raw: RawForce, isAtMaximum: Bool) {
    self.serial = serial
    self.position = position
    self.origin = origin
    self.raw = raw
    self.isAtMaximum = isAtMaximum
  }
}
