import Foundation
import Testing

@testable import GoldenCases

/// Compares the output of `grampad replay` for every case in the folder `Golden`, byte by byte.
///
/// After an intended change, GRAMPAD_REWRITE_GOLDEN=1 rewrites the expected output, see Testing.md.
/// Review the difference before you commit it. Never set it in CI.
///
/// `GRAMPAD_EXPORT_GOLDEN=DIRECTORY` writes all cases as recordings for tests of the program on another machine.
@Suite struct ReplayGoldenTests {
  private static let isRewriting = ProcessInfo.processInfo.environment["GRAMPAD_REWRITE_GOLDEN"] == "1"

  // Not a condition of the test: in CI a skipped test counts as failed.
  @Test func rewritesTheExpectedOutput() throws {
    guard Self.isRewriting else { return }
    for golden in try GoldenCase.all() { try golden.rewrite() }
  }

  @Test(arguments: try GoldenCase.all())
  func printsTheExpectedOutput(_ golden: GoldenCase) throws {
    guard !Self.isRewriting else { return }
    #expect(try golden.isWrittenAsDifferences())
    let expected = try golden.expected()
    let replayed = try golden.replayed()
    guard replayed != Array(expected.utf8) else { return }
    let (old, new) = (lines(expected), lines(String(decoding: replayed, as: UTF8.self)))
    let first = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
    func line(_ lines: [Substring]) -> Substring { first < lines.count ? lines[first] : "(no such line)" }
    Issue.record(
      "\(try golden.position(ofExpectedLine: first)):\n  expected \(line(old))\n  replayed \(line(new))")
  }

  private func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  @Test func everyFileBelongsToACase() throws {
    let cases = try GoldenCase.all()
    #expect(cases.count >= 58)
    #expect(Set(cases.map(\.name)).count == cases.count, "every name is used once")
    let recordings = Set(cases.filter { $0.format == .recording }.map { "\($0.name).expected" })
    let known = recordings.union(cases.map { "\($0.name).\($0.format.rawValue)" })
    #expect(try GoldenCase.files().filter { !known.contains($0) } == [])
  }

  private static let exportFolder = ProcessInfo.processInfo.environment["GRAMPAD_EXPORT_GOLDEN"]

  @Test func exportsTheCases() throws {
    guard let exportFolder = Self.exportFolder else { return }
    let folder = URL(fileURLWithPath: exportFolder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for golden in try GoldenCase.all() { try golden.export(to: folder) }
  }
}
