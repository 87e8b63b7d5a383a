import Foundation
import Testing

/// Waits until a condition holds; records an issue when it does not within the limit.
func eventually(
  _ what: Comment, within limit: Duration = .seconds(60), at location: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while !condition() {
    try #require(ContinuousClock.now < end, what, sourceLocation: location)
    // Nothing tells when a process or a thread elsewhere has come so far; the limit above is what decides.
    try await Task.sleep(for: .milliseconds(4))
  }
}

/// A temporary folder for a test, removed with the value.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/grampad-mqtt-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  func write(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    return "\(path)/\(name)"
  }
}
