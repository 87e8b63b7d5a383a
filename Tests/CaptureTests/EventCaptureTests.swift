import Glibc
import Languages
import Linux
import Recordings
import Testing
import Weighing

@testable import Capture

/// Recording a device whose events are known.
@Suite struct EventCaptureTests {
  /// A device with batches of events, one for each time that it is read.
  private final class Device: CapturedDevice {
    let description = PadDescription(
      name: "Pad", axes: [.pressure: AxisRange(minimum: 0, maximum: 4095)], keys: [.touch])
    let state: [InputEvent]
    var batches: [[InputEvent]]
    let failure: CaptureError?
    private let ready = Signal()

    init(state: [InputEvent], batches: [[InputEvent]], failure: CaptureError? = nil) {
      (self.state, self.batches, self.failure) = (state, batches, failure)
      ready.raise()
    }

    var fileDescriptor: Int32 { ready.descriptor }
    var nextDeadline: Instant? { nil }
    func tellState(_ body: (InputEvent) -> Void) { state.forEach(body) }
    func readEvents(_ body: (InputEvent) -> Void) throws(CaptureError) {
      if batches.isEmpty {
        if let failure { throw failure }
        return ready.lower()
      }
      batches.removeFirst().forEach(body)
    }
  }

  private struct DiskFull: Error {}

  private static func report(_ value: Int32, at milliseconds: Int) -> [InputEvent] {
    let time = Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    return [
      InputEvent(time: time, type: .absolute, code: AxisCode.pressure.rawValue, value: value),
      InputEvent(time: time, type: .synchronization, code: 0, value: 0),
    ]
  }

  /// Whatever the device says, in whatever portions: the file has all of it, with the state first, and reads back as it was.
  @Test func theFileHasEveryEventInOrder() throws {
    for seed in UInt64(0)..<50 {
      var random = SplitMix64(seed: seed)
      var time = 1_000
      let batches = (0..<Int(random.next() % 20)).map { _ in
        (0..<Int(random.next() % 5)).flatMap { _ in
          time += Int(random.next() % 20)
          return Self.report(Int32(random.next() % 4096), at: time)
        }
      }
      let error = CaptureError(sentence: .verbatim("unplugged"))
      let device = Device(state: Self.report(7, at: 1_000), batches: batches, failure: error)
      var capture = EventCapture(device)
      var file: [UInt8] = []
      let outcome = capture.run(until: Signal()) { file += $0 }
      let recording = try EvemuReader.recording(from: file, requiresDescription: true)
      let expected = device.state + batches.flatMap(\.self)
      #expect(outcome.error == error && outcome.events == expected.count)
      #expect(recording.description == device.description)
      // The first event is at one microsecond.
      let origin = expected[0].time.nanoseconds - 1000
      #expect(recording.events.map { $0.time.nanoseconds } == expected.map { $0.time.nanoseconds - origin })
      #expect(recording.events.map(\.value) == expected.map(\.value))
    }
  }

  @Test func itEndsWhenItIsStopped() {
    let stop = Signal()
    stop.raise()
    var capture = EventCapture(Device(state: Self.report(1, at: 0), batches: [Self.report(2, at: 10)]))
    let outcome = capture.run(until: stop) { _ in }
    #expect(outcome.error == nil && outcome.events == 4, "the state, and what was there when it was stopped")
  }

  @Test func itEndsAfterItsTime() {
    var capture = EventCapture(Device(state: Self.report(1, at: 0), batches: []), for: .milliseconds(20))
    var told = 0
    let begin = Instant.now()
    let outcome = capture.run(
      until: Signal(), progressInterval: .milliseconds(5), progress: { count, _ in told = count }
    ) { _ in }
    #expect(outcome.error == nil && told == 2 && Instant.now() - begin >= .milliseconds(20))
  }

  @Test func whatCannotBeWrittenEndsIt() {
    var capture = EventCapture(Device(state: [], batches: []))
    #expect(throws: DiskFull.self) {
      try capture.run(until: Signal()) { (_: [UInt8]) throws(DiskFull) in throw DiskFull() }
    }
  }
}
