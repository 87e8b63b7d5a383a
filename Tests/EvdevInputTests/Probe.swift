import Foundation
import Testing

/// Runs `padprobe` among emulated devices and gives the lines that it prints.
enum Probe {
  /// Seconds after which a run has failed; a run takes one or less.
  private static let deadline = "20"

  /// Runs the probe; `onLine` is called with every line as it comes and with what is /dev to the probe, so that a test
  /// can act on it.
  ///
  /// The node of the pad `hidden` is taken away before the probe starts: to plug it in, move `away` in /dev to `input`.
  static func run(
    _ words: [String], among pads: [MockPad], hidden: MockPad? = nil,
    onLine: (String, _ devices: String) throws -> Void = { _, _ in }
  ) throws -> [String] {
    var log = ""
    return try run(words, among: pads, hidden: hidden, log: &log, onLine: onLine)
  }

  /// The same; `log` gets what the probe has written to standard error.
  static func run(
    _ words: [String], among pads: [MockPad], hidden: MockPad? = nil, log: inout String,
    onLine: (String, _ devices: String) throws -> Void = { _, _ in }
  ) throws -> [String] {
    let directory = FileManager.default.temporaryDirectory.appending(path: "evdev-input-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var arguments = ["--kill-after=1", deadline, "umockdev-run"]
    for pad in pads {
      func write(_ content: Data, _ suffix: String) throws -> String {
        let file = directory.appending(path: "pad\(pad.number).\(suffix)")
        try content.write(to: file)
        return file.path
      }
      arguments += ["--device", try write(Data(pad.description.utf8), "umockdev")]
      if pad.answersQuestions {
        arguments += ["--ioctl", pad.node + "=" + (try write(Data(pad.answers.utf8), "ioctl"))]
      }
      if !pad.frames.isEmpty || !pad.ending.isEmpty {
        arguments += ["--script", pad.node + "=" + (try write(pad.script, "script"))]
      }
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments = arguments + ["--", "sh", "-c", Self.script(pads, hidden), try executable()] + words
    let output = Pipe()
    process.standardOutput = output
    let logFile = directory.appending(path: "log")
    try Data().write(to: logFile)
    process.standardError = try FileHandle(forWritingTo: logFile)
    try process.run()
    // Should the test stop early, the probe ends with its deadline.
    let lines = try lines(of: output.fileHandleForReading, onLine)
    process.waitUntilExit()
    log = try String(contentsOf: logFile, encoding: .utf8)
    #expect(process.terminationStatus == 0, "padprobe \(words) printed \(lines)")
    return lines
  }

  private static func lines(of handle: FileHandle, _ onLine: (String, String) throws -> Void) throws -> [String] {
    var lines: [String] = []
    var devices: String?
    var rest = Data()
    while case let data = handle.availableData, !data.isEmpty {
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
        rest = rest[rest.index(after: end)...]
        if let devices {
          lines.append(line)
          try onLine(line, devices)
        } else {
          devices = line
        }
      }
    }
    return lines
  }

  /// What a shell does in umockdev's tree before it becomes the probe, its `$0`.
  private static func script(_ pads: [MockPad], _ hidden: MockPad?) -> String {
    var lines = ["set -e", "cd $UMOCKDEV_DIR/dev/input"]
    for pad in pads {
      for link in pad.links {
        let up = String(repeating: "../", count: link.count { $0 == "/" })
        lines.append("mkdir -p \"$(dirname \(link))\" && ln -s \(up)event\(pad.number) \(link)")
      }
    }
    if let hidden { lines.append("mv event\(hidden.number) ../away") }
    lines.append("echo $UMOCKDEV_DIR/dev")
    lines.append("exec \"$0\" \"$@\"")
    return lines.joined(separator: "\n")
  }

  /// Returns the path of the probe, in the directory of the tests.
  private static func executable() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "padprobe").path
  }
}

/// Everything that runs the probe, one at a time: each run is several processes.
@Suite(.serialized) enum Emulated {}
