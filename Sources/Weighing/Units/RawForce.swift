/// A force in counts of a pressure axis as reported by the kernel; of one contact or the sum of several.
public struct RawForce: Comparable, Hashable, Sendable, AdditiveArithmetic {
  /// The number of counts.
  public var counts: Int

  /// Makes a force from a number of counts.
  @inlinable
  public init(_ counts: Int) { self.counts = counts }

  /// No force.
  public static let zero = RawForce(0)

  /// The weaker force first.
  @inlinable
  public static func < (a: RawForce, b: RawForce) -> Bool { a.counts < b.counts }

  /// The sum of two forces; saturates.
  @inlinable
  public static func + (a: RawForce, b: RawForce) -> RawForce {
    let (sum, overflow) = a.counts.addingReportingOverflow(b.counts)
    return RawForce(overflow ? (a.counts < 0 ? .min : .max) : sum)
  }

  /// The difference of two forces; saturates.
  @inlinable
  public static func - (a: RawForce, b: RawForce) -> RawForce {
    let (difference, overflow) = a.counts.subtractingReportingOverflow(b.counts)
    return RawForce(overflow ? (a.counts < 0 ? .min : .max) : difference)
  }
}
