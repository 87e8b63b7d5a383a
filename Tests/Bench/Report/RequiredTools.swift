import Foundation

/// Finds the external programs of a measurement, and collects the packages of all that are missing.
struct RequiredTools {
  private var missing: [String] = []

  /// Returns the path of a program in PATH or in the sbin directories; `nil` if it is not installed.
  static func path(of name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]).map { $0 + "/" + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns the path of a program; an empty one if it is not installed.
  ///
  /// - Parameter package: The Debian 12 package of the program.
  mutating func find(_ name: String, in package: String) -> String {
    if let path = Self.path(of: name) { return path }
    report(package)
    return ""
  }

  /// Reports Debian 12 packages as missing.
  mutating func report(_ packages: String...) { missing += packages.filter { !missing.contains($0) } }

  /// Checks that nothing is missing.
  ///
  /// - Throws: `CostError.missing` with the packages of all missing tools.
  func check() throws(CostError) { guard missing.isEmpty else { throw .missing(missing) } }
}
