import Foundation
import Testing

/// Waits until a condition holds; fails the test when it does not within the limit.
func eventually(
  _ what: Comment, within limit: Duration = .seconds(30), at location: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try !condition() {
    try #require(ContinuousClock.now < end, what, sourceLocation: location)
    // Nothing tells when a process elsewhere has come so far; the limit above is what decides.
    try await Task.sleep(for: .milliseconds(10))
  }
}

/// A folder of its own for a test, removed when the value goes.
final class TemporaryFolder: Sendable {
  let path: String

  init(in parent: String = FileManager.default.temporaryDirectory.path) throws {
    let url = URL(fileURLWithPath: parent).appending(path: "grampad-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file as an editor does, a new one in the place of the old, and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"), options: .atomic)
    return "\(path)/\(name)"
  }
}
