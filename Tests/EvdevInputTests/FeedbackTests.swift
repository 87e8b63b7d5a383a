import CLinux
import Foundation
import Linux
import Testing
import Weighing

@testable import EvdevInput

/// What a device is found to be able to show; that it does is tested on a real kernel.
@Suite struct FeedbackTests {
  @Test(
    arguments: [
      ([], nil), ([8], 8), ([0, 1, 2, 8], 8), ([0, 7], 7), ([0, 1, 2], 2), ([15], 15),
    ] as [(Set<UInt16>, UInt16?)]) func light(codes: Set<UInt16>, light: UInt16?)
  {
    #expect(FeedbackMeans(PadDescription(name: "", otherCodes: [.led: codes])).light == light)
  }

  @Test(
    arguments: [
      ([0], nil), ([0, 1], .bell), ([1, 2], .tone),
    ] as [(Set<UInt16>, FeedbackMeans.Sound?)]) func sound(codes: Set<UInt16>, sound: FeedbackMeans.Sound?)
  {
    #expect(FeedbackMeans(PadDescription(name: "", otherCodes: [.sound: codes])).sound == sound)
  }

  @Test(
    arguments: [
      ([0x51, 0x60], nil), ([0x50, 0x51], .rumble), ([0x4f], .click), ([0x4f, 0x50], .click),
    ] as [(Set<UInt16>, FeedbackMeans.Shake?)]) func shake(codes: Set<UInt16>, shake: FeedbackMeans.Shake?)
  {
    #expect(FeedbackMeans(PadDescription(name: "", otherCodes: [.forceFeedback: codes])).shake == shake)
  }

  /// Byte layout of the kernel's `struct ff_effect`, the union of which begins at 16.
  @Test(
    arguments: [
      (.selected, .rumble, 0x50, 50, [0, 0x6000]), (.confirmed, .rumble, 0x50, 120, [0xc000, 0xc000]),
      (.selected, .click, 0x4f, 0, [0x1003, 0, 0, 50, 0, 0]), (.confirmed, .click, 0x4f, 0, [0x1003, 0, 0, 100, 0, 0]),
    ] as [(Feedback, FeedbackMeans.Shake, UInt16, UInt16, [UInt16])])
  func whatIsTaught(
    feedback: Feedback, shake: FeedbackMeans.Shake, type: UInt16, milliseconds: UInt16, numbers: [UInt16]
  ) throws {
    let effect = try #require(ff_effect(feedback, shake))
    withUnsafeBytes(of: effect) { bytes in
      func number(_ offset: Int) -> UInt16 { bytes.load(fromByteOffset: offset, as: UInt16.self) }
      #expect(bytes.count == 48)
      #expect((number(0), number(2), number(10)) == (type, 0xffff, milliseconds))
      #expect(numbers.indices.map { number(16 + 2 * $0) } == numbers)
    }
    #expect(ff_effect(.ended, shake) == nil)
  }

  /// A pipe takes events as a device does.
  @Test func whatIsWritten() throws {
    let pipe = Pipe()
    var device = try Self.device(writingTo: pipe, lights: [8], sounds: [2])
    for feedback in [Feedback.selected, .confirmed, .ended, .ended] { try device.show(feedback) }
    #expect(device.silence == nil)
    let written = pipe.fileHandleForReading.availableData.withUnsafeBytes { bytes in
      bytes.bindMemory(to: input_event.self).map { "\($0.type) \($0.code) \($0.value)" }
    }
    #expect(written == ["17 8 1", "18 2 1000", "18 2 2000", "17 8 0", "18 2 0"])
  }

  /// A target that is reached sounds, and lights nothing: no end of a press would switch the light off.
  @Test func aTargetSoundsAndLightsNothing() throws {
    let pipe = Pipe()
    var device = try Self.device(writingTo: pipe, lights: [8], sounds: [2])
    try device.show(.reached)
    let end = device.silence
    try device.hush()
    let isSounding = end != nil && device.silence == end
    #expect(isSounding, "400 ms are not over")
    let written = pipe.fileHandleForReading.availableData.withUnsafeBytes { bytes in
      bytes.bindMemory(to: input_event.self).map { "\($0.type) \($0.code) \($0.value)" }
    }
    #expect(written == ["18 2 1500"])
  }

  /// A press takes the light over.
  @Test func aRequestLightsSilently() throws {
    let pipe = Pipe()
    var device = try Self.device(writingTo: pipe, lights: [8], sounds: [2])
    try device.show(.asking)
    let isSilent = device.silence == nil
    #expect(isSilent)
    try device.show(.selected)
    try device.show(.asking)
    try device.show(.ended)
    let written = pipe.fileHandleForReading.availableData.withUnsafeBytes { bytes in
      bytes.bindMemory(to: input_event.self).map { "\($0.type) \($0.code) \($0.value)" }
    }
    #expect(written == ["17 8 1", "18 2 1000", "18 2 0", "17 8 0"])
  }

  /// What fails is given up, the rest is not; and a sound that cannot be ended is not waited for again and again.
  @Test func whatFailsIsNotTriedAgain() throws {
    let pipe = Pipe()
    var device = try Self.device(writingTo: pipe, lights: [], sounds: [2], effects: [0x50])
    #expect(throws: EvdevError.notEvdev(path: "pipe")) { try device.show(.selected) }  // it cannot be taught
    try device.show(.confirmed)
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let junk = [UInt8](repeating: 0, count: 4096)
    while write(descriptor, junk, junk.count) > 0 {}
    var isRefused = false
    do { try device.show(.selected) } catch { isRefused = true }
    #expect(isRefused)
    try device.show(.ended)
    #expect(device.silence == nil)
  }

  private static func device(
    writingTo pipe: Pipe, lights: Set<UInt16>, sounds: Set<UInt16>, effects: Set<UInt16> = []
  ) throws -> FeedbackDevice {
    let codes: [EventType: Set<UInt16>] = [.led: lights, .sound: sounds, .forceFeedback: effects]
    guard let descriptor = Descriptor(dup(pipe.fileHandleForWriting.fileDescriptor)) else { throw POSIXError(.EMFILE) }
    return FeedbackDevice(
      descriptor, path: "pipe", means: FeedbackMeans(PadDescription(name: "", otherCodes: codes)))
  }

  @Test func aPadWithNothing() {
    let means = FeedbackMeans(PadDescription(name: "", otherCodes: [.synchronization: [0, 1, 3], .led: []]))
    #expect(means.isEmpty)
  }
}
