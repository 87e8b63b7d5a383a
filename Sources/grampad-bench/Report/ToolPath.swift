import Foundation

/// Finds external programs.
enum ToolPath {
  /// Returns the path of a program in PATH or in the sbin directories; `nil` if it is not installed.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]).map { $0 + "/" + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
