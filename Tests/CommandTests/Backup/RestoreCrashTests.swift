import Foundation
import Testing

/// Interrupted restores: killed at each step, failed system calls, a full disk.
@Suite struct RestoreCrashTests {
  /// The possible content of a file at any time.
  private enum State: String {
    case old, new
  }

  /// Two states of an appliance: the current files, and a backup with different files.
  private struct Pair {
    let scale: SavedScale
    let place: TemporaryFolder
    let file: String
    private let present: TemporaryFolder

    init() async throws {
      scale = try await SavedScale(weighings: 2)
      place = try TemporaryFolder()
      file = try await scale.saved(in: place)
      try scale.folder.write("scale.yaml", "device: {name: Newer}\ncalibration: {file: calibration.yaml}\n")
      try scale.folder.write("calibration.yaml", "points: [{raw: 0, grams: 0}, {raw: 500, grams: 100}]\n")
      try scale.folder.write("grampad.settings.yaml", "device: {name: Newer}\n")
      try scale.folder.write("grampad.settings.yaml.previous", "scale: {unit: lb}\n")
      try await scale.weigh(3)
      present = try TemporaryFolder()
      for name in try FileManager.default.contentsOfDirectory(atPath: scale.folder.path) {
        try FileManager.default.copyItem(
          atPath: "\(scale.folder.path)/\(name)", toPath: "\(present.path)/\(name)")
      }
    }

    /// Restores the current files.
    func reset() throws {
      for name in try FileManager.default.contentsOfDirectory(atPath: scale.folder.path) {
        try FileManager.default.removeItem(atPath: "\(scale.folder.path)/\(name)")
      }
      for name in try FileManager.default.contentsOfDirectory(atPath: present.path) {
        try FileManager.default.copyItem(
          atPath: "\(present.path)/\(name)", toPath: "\(scale.folder.path)/\(name)")
      }
    }

    var arguments: [String] { ["restore", file, "--force", "--config", scale.path] }

    /// Checks that journal, calibration, both settings and configuration are each complete, in the old or the new version.
    func states() async throws -> [State] {
      let verified = try await Program.run(["history", "verify", "--journal", scale.journal])
      #expect(verified.code == 0, "\(verified)")
      let count = try await recorded(in: scale.journal).count
      #expect([2, 5].contains(count), "\(count)")
      func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(scale.folder.path)/\(name)") ?? Data(), as: UTF8.self)
      }
      let checked = try await Program.run(["check", "--config", scale.path])
      #expect(checked.code == 0, "an appliance can be started: \(checked)")
      return [
        count == 2 ? .new : .old, text("calibration.yaml") == SavedScale.calibration ? .new : .old,
        text("grampad.settings.yaml.previous") == SavedScale.previousSettings ? .new : .old,
        text("grampad.settings.yaml") == SavedScale.settings ? .new : .old,
        text("scale.yaml").contains("Saved") ? .new : .old,
      ]
    }

    /// Checks that all five weighings exist.
    func everyWeighingIsThere() async throws -> Bool {
      let names = try FileManager.default.contentsOfDirectory(atPath: scale.folder.path)
      for name in names where name == "grampad.db" || name.hasPrefix("grampad.db.before-") && name.hasSuffix("Z") {
        if try await recorded(in: "\(scale.folder.path)/\(name)").count == 5 { return true }
      }
      return false
    }
  }

  @Test(.enabled(if: Program.find("strace") != "strace", "strace kills at a step"))
  func killedAtEveryStep() async throws {
    let pair = try await Pair()
    var seen: [String] = []
    // link(2) and rename(2) are all that changes a name; killed before the first, the second, ...
    for call in ["link", "rename"] {
      for step in 1...10 {
        try pair.reset()
        let inject = "inject=\(call):signal=KILL:when=\(step)"
        let killed = try await Program(
          "strace",
          ["-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", inject, Program.path()] + pair.arguments
        ).ended(within: .seconds(120))
        if killed.code == 0 { break }
        let states = try await pair.states()
        seen.append("\(call) \(step): \(states.map(\.rawValue).joined(separator: " "))")
        // In this order.
        #expect(states.drop { $0 == .new }.allSatisfy { $0 == .old }, "\(states)")
        #expect(try await pair.everyWeighingIsThere())
        let again = try await Program.run(pair.arguments)
        #expect(again.code == 0, "\(again)")
        #expect(try await pair.states() == [.new, .new, .new, .new, .new])
        #expect(try await pair.everyWeighingIsThere())
      }
    }
    #expect(seen.count >= 10, "\(seen)")
    print("restores killed at a step leave (journal calibration previous settings configuration):", seen)
  }

  @Test func killedAtAnyTime() async throws {
    let pair = try await Pair()
    var random = SystemRandomNumberGenerator()
    var duration = Duration.seconds(60)
    for _ in 1...3 {
      try pair.reset()
      let begin = ContinuousClock.now
      #expect(try await Program.run(pair.arguments).code == 0)
      duration = min(duration, ContinuousClock.now - begin)
    }
    var counts: [[State]: Int] = [:]
    for _ in 1...15 {
      try pair.reset()
      let program = try Program.grampad(pair.arguments)
      // The time is what is tested: anywhere from the start to the end.
      try await Task.sleep(for: duration * Double.random(in: 0...1, using: &random))
      program.end()
      let states = try await pair.states()
      counts[states, default: 0] += 1
      #expect(states.drop { $0 == .new }.allSatisfy { $0 == .old }, "\(states)")
      #expect(try await pair.everyWeighingIsThere())
    }
    print("restores killed at any time:", counts.map { "\($0.key.map(\.rawValue)): \($0.value)" })
  }

  /// The last step fails: a file that is a mount point cannot be renamed.
  @Test(.enabled(if: geteuid() == 0, "mounting takes root")) func aFaultUndoesWhatWasDone() async throws {
    for name in ["scale.yaml", "grampad.settings.yaml", "calibration.yaml"] {
      let pair = try await Pair()
      let path = "\(pair.scale.folder.path)/\(name)"
      let mounted = try await Program("mount", ["--bind", path, path]).ended()
      try #require(mounted.code == 0, "\(mounted)")
      let before = try contents(of: pair.scale.folder.path).keys.sorted()
      let ended = try await Program.run(pair.arguments)
      let states = try await pair.states()
      let after = try contents(of: pair.scale.folder.path).keys.sorted()
      let unmounted = try await Program("umount", [path]).ended()
      #expect(unmounted.code == 0, "\(unmounted)")
      #expect(ended.code == 73 && ended.complaints.contains(path), "\(name): \(ended)")
      #expect(states == [.old, .old, .old, .old, .old])
      #expect(after == before, "nothing is left behind")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting takes root")) func aFullDiskChangesNothing() async throws {
    let disk = try await Disk("size=768k")
    let scale = try await SavedScale(weighings: 400)
    let place = try TemporaryFolder()
    let file = try await scale.saved(in: place)
    for room in [0, 8_192, 40_000, 90_000] {
      try disk.fillUp(leaving: room)
      let before = try contents(of: disk.path).keys.sorted()
      let ended = try await Program.run(["restore", file, "--config", "\(disk.path)/scale.yaml"])
      #expect(ended.code == 74, "room for \(room): \(ended)")
      #expect(try contents(of: disk.path).keys.sorted() == before)
      try await disk.emptyCompletely()
    }
    let ended = try await Program.run(["restore", file, "--config", "\(disk.path)/scale.yaml"])
    #expect(ended.code == 0, "\(ended)")
  }

  @Test(.enabled(if: geteuid() == 0, "another user takes root")) func whoMayNotWriteIsTold() async throws {
    let pair = try await Pair()
    chmod(pair.file, 0o644)
    chmod(pair.scale.folder.path, 0o755)
    chmod(pair.scale.journal, 0o644)
    let before = try contents(of: pair.scale.folder.path)
    let ended = try await Program(
      "setpriv", ["--reuid=65534", "--clear-groups", try Program.path()] + pair.arguments
    ).ended(within: .seconds(120))
    #expect(ended.code == 77, "\(ended)")
    #expect(try contents(of: pair.scale.folder.path) == before)
  }
}

extension Disk {
  /// Fills the disk except for `room` bytes.
  fileprivate func fillUp(leaving room: Int) throws {
    try fill()
    let filler = try #require(FileHandle(forUpdatingAtPath: "\(path)/filler"))
    // Cut, which takes no room: written again from the start it was refused, once in a while, for want of room.
    try filler.truncate(atOffset: max(filler.seekToEnd(), UInt64(room)) - UInt64(room))
    try filler.close()
  }

  /// Removes what `fillUp` has written, and waits until its room is free: a program that another test starts at that moment holds
  /// the inherited file open until it runs, and until then the disk would count as full.
  fileprivate func emptyCompletely() async throws {
    func free() -> UInt {
      var disk = statvfs()
      return statvfs(path, &disk) == 0 ? disk.f_bavail * disk.f_frsize : 0
    }
    var filler = stat()
    try #require(stat("\(path)/filler", &filler) == 0)
    let expected = free() + UInt(filler.st_blocks) * 512
    try empty()
    try await eventually("the room is free") { free() >= expected }
  }
}
