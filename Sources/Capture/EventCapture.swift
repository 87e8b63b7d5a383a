import Linux
import Recordings
import Weighing

/// Copies the events of a device to an evemu file until stopped.
///
/// The file begins with the current state of the device as one frame, so that a load already on the pad is recorded.
package struct EventCapture {
  /// The result of a recording.
  package struct Outcome: Sendable {
    /// The number of events recorded.
    package var events: Int
    /// Why the device could no longer be read; `nil` if the recording was stopped.
    package var error: CaptureError?
  }

  private let device: any CapturedDevice
  private let duration: Interval?
  private var text: [UInt8] = []
  private var writer: EvemuWriter?
  private var count = 0

  /// Makes a capture that stops after `duration`, if given.
  package init(_ device: any CapturedDevice, for duration: Interval? = nil) {
    (self.device, self.duration) = (device, duration)
    EvemuWriter().append(device.description, to: &text)
  }

  /// Records until `stop` is raised, the duration is over or the device is gone.
  ///
  /// - Parameters:
  ///   - progressInterval: How often `progress` is called at least; `nil` if not at all.
  ///   - progress: Receives the number of events and the time since the start.
  ///   - write: Writes text of the file; called after each batch of events.
  package mutating func run<Failure: Error>(
    until stop: Signal, progressInterval: Interval? = nil, progress: (Int, Interval) -> Void = { _, _ in },
    write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> Outcome {
    let poller = Poller()
    let begin = Instant.now()
    let end = duration.map { begin + $0 }
    for descriptor in [device.fileDescriptor, stop.descriptor] {
      poller.watch(descriptor, for: .readable)
    }
    device.tellState { append($0) }
    while true {
      try write(text)
      text.removeAll(keepingCapacity: true)
      if progressInterval != nil { progress(count, Instant.now() - begin) }
      let nextProgress = progressInterval.map { Instant.now() + $0 }
      var isStopped = false
      poller.wait(until: [end, nextProgress, device.nextDeadline].compactMap(\.self).min()) { descriptor, _ in
        if descriptor == stop.descriptor { isStopped = true }
      }
      if let end, end <= .now() { isStopped = true }
      let error = readEvents()
      if isStopped || error != nil {
        try write(text)
        return Outcome(events: count, error: error)
      }
    }
  }

  private mutating func readEvents() -> CaptureError? {
    do throws(CaptureError) {
      try device.readEvents { append($0) }
      return nil
    } catch {
      return error
    }
  }

  private mutating func append(_ event: InputEvent) {
    // evemu-record gives its first event a time of one microsecond.
    var writer = self.writer ?? EvemuWriter(origin: Instant(nanoseconds: event.time.nanoseconds - 1000))
    writer.append(event, to: &text)
    self.writer = writer
    count += 1
  }
}
