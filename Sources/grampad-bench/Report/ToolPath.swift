import Foundation

/// Finds the programs of others.
enum ToolPath {
  /// Where a program is, looked for on the PATH and where servers are as well; `nil` where it is not.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]).map { $0 + "/" + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
