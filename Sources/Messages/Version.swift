/// What this program calls itself.
package enum Version {
  /// The version, as `--version` and `health` give it.
  package static let text = "0.1.0"

  /// Whether this version precedes another one, by their numbers.
  package static func precedes(_ other: String) -> Bool {
    func numbers(_ text: String) -> [Int] {
      text.prefix { "0123456789.".contains($0) }.split(separator: ".").map { Int($0) ?? 0 }
    }
    return numbers(text).lexicographicallyPrecedes(numbers(other))
  }

  /// The public address of the project: a placeholder, to be set once, here. The packages take it from this line.
  package static let homepage = "https://github.com/grampad/grampad"

  /// The architecture that the program is compiled for, as Debian names it.
  package static let architecture: String = {
    #if arch(x86_64)
      "amd64"
    #elseif arch(arm64)
      "arm64"
    #else
      "unknown"
    #endif
  }()
}
