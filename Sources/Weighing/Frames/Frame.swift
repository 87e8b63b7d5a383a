/// The complete state of the pad after one SYN_REPORT.
public struct Frame: Hashable, Sendable {
  /// The time of the SYN_REPORT.
  public var time: Instant
  /// The contacts, in the order of their touch-down.
  public var contacts: [Contact]
  /// Whether events were lost before this frame, so that the changes since the last one are unknown.
  public var followsGap: Bool

  /// Makes a frame.
  @inlinable
  public init(time: Instant, contacts: [Contact] = [], followsGap: Bool = false) {
    (self.time, self.contacts, self.followsGap) = (time, contacts, followsGap)
  }

  /// The sum of the counts of all contacts, both loads and presses.
  public var raw: RawForce { contacts.reduce(.zero) { $0 + $1.raw } }
}

/// A contact with the pad, from touch-down to lift.
public struct Contact: Hashable, Sendable {
  /// Identifies the contact, even within a slot: increases with every touch-down.
  public var serial: UInt64
  /// The position; `nil` on a pad without positions.
  public var position: Position?
  /// The position at touch-down, which decides whether the contact is a load or a press; `nil` on a pad without
  /// positions.
  public var origin: Position?
  /// The force in counts of the axis.
  public var raw: RawForce
  /// Whether the axis is at the end of its range, so that the true force may be larger.
  public var isAtMaximum: Bool

  /// Makes a contact.
  @inlinable
  public init(serial: UInt64, position: Position?, origin: Position?, raw: RawForce, isAtMaximum: Bool) {
    (self.serial, self.position, self.origin, self.raw, self.isAtMaximum) = (serial, position, origin, raw, isAtMaximum)
  }
}
