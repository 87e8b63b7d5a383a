import Foundation

/// How many of the random sequences of some tests run: with `deploy/test --all` all of them, otherwise the first quarter of the
/// batches, because all of them take minutes. The seeds are fixed: without a change of the code, a repetition
/// shows nothing more.
public enum Extent {
  /// Whether all of them run: the variable `GRAMPAD_TEST_EXTENT` is `all`.
  public static let isFull = ProcessInfo.processInfo.environment["GRAMPAD_TEST_EXTENT"] == "all"

  /// The batches or seeds to run.
  public static func of<Number: FixedWidthInteger>(_ all: Range<Number>) -> Range<Number> {
    isFull ? all : all.lowerBound..<(all.lowerBound + (all.upperBound - all.lowerBound + 3) / 4)
  }
}
