import Foundation
import Testing

/// Waits until a condition is met; fails the test if that takes longer than the limit.
func eventually(
  _ what: Comment, within limit: Duration = .seconds(90), at location: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try !condition() {
    try #require(ContinuousClock.now < end, what, sourceLocation: location)
    // There is no signal for the progress of another process, so this polls. The limit above decides.
    try await Task.sleep(for: .milliseconds(20))
  }
}

/// A temporary folder for a test, removed with the value.
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
