/// A force in the counts of a pressure axis, as the kernel hands them over; of one contact or summed over several.
public struct RawForce: Comparable, Hashable, Sendable, AdditiveArithmetic {
  /// The number of counts.
  public var counts: Int

  /// Makes a force from a number of counts.
  @inlinable
  public init(_ counts: Int) {
    self.counts = counts
  }

  /// No force.
  public static let zero = RawForce(0)

  /// The weaker force first.
  @inlinable
  public static func < (a: RawForce, b: RawForce) -> Bool { a.counts < b.counts }

  /// Both forces together; saturates.
  @inlinable
  public static func + (a: RawForce, b: RawForce) -> RawForce {
    let (sum, overflow) = a.counts.addingReportingOverflow(b.counts)
    return RawForce(overflow ? (a.counts < 0 ? .min : .max) : sum)
  }

  /// What is left of `a` without `b`; saturates.
  @inlinable
  public static func - (a: RawForce, b: RawForce) -> RawForce {
    let (difference, overflow) = a.counts.subtractingReportingOverflow(b.counts)
    return RawForce(overflow ? (a.counts < 0 ? .min : .max) : difference)
  }
}
