import Glibc

/// A small random number generator, with the same sequence on every platform for the same seed.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, and Vigna's public
/// domain `splitmix64.c`, from which the constants are.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// Makes a generator with any seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// A number in the open interval from 0 to 1, with 53 random bits.
  public mutating func unit() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }

  /// A number of the normal distribution with mean 0 and standard deviation 1, by the method of Box and Muller.
  public mutating func gaussian() -> Double { (-2 * log(unit())).squareRoot() * cos(2 * .pi * unit()) }
}
