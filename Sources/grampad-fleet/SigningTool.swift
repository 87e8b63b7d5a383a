import Enrolling
import Foundation
import Logging

/// `grampad-broker`, which holds the key of the CA: one process for each request.
struct SigningTool: EnrollmentServer.Signer {
  let program: String
  let folder: String?
  let pidFile: String?
  let logger: Logger

  /// Exit codes of `grampad-broker` for which its message is for the device; others are faults of this machine.
  private static let refusals: Set<Int32> = [65, 66]

  func answer(_ request: EnrollmentServer.Request) throws(EnrollmentServer.Refusal) -> [UInt8] {
    let words = (request.kind == .code ? ["--code"] : []) + ["issue", request.id]
    let ended = run(words, input: request.payload)
    guard ended.code == 0 else {
      let line = ended.complaints.split(separator: "\n").last.map(String.init) ?? ""
      guard Self.refusals.contains(ended.code) else {
        logger.error("cannot sign", metadata: ["device.id": "\(request.id)", "enroll.reason": "\(line)"])
        throw EnrollmentServer.Refusal(reason: "internal error; see the log of grampad enroll --serve")
      }
      throw EnrollmentServer.Refusal(reason: line.replacing("grampad-broker: ", with: "", maxReplacements: 1))
    }
    return ended.output
  }

  func removeUsedCode(of id: String) {
    let ended = run(["installed", id], input: [])
    if ended.code != 0 {
      logger.error("cannot remove a code", metadata: ["device.id": "\(id)", "enroll.reason": "\(ended.complaints)"])
    }
  }

  private func run(_ words: [String], input: [UInt8]) -> (code: Int32, output: [UInt8], complaints: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = (folder.map { ["--folder", $0] } ?? []) + (pidFile.map { ["--pid", $0] } ?? []) + words
    let (requests, answers, complaints) = (Pipe(), Pipe(), Pipe())
    process.standardInput = requests
    process.standardOutput = answers
    process.standardError = complaints
    do {
      try process.run()
    } catch {
      return (-1, [], "cannot run \(program): \(error)")
    }
    // At most 4 KiB, which a pipe holds: this does not wait for the tool. It fails if the tool has ended without reading it.
    try? requests.fileHandleForWriting.write(contentsOf: Data(input))
    try? requests.fileHandleForWriting.close()
    // A few lines each, which the pipes hold as well.
    let output = answers.fileHandleForReading.readDataToEndOfFile()
    let text = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, Array(output), String(decoding: text, as: UTF8.self))
  }
}
