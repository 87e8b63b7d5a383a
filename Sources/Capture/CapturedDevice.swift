import EvdevInput
import IIOInput
import Languages
import Linux
import Logging
import Weighing

/// A device whose events can be recorded. Used by one thread.
package protocol CapturedDevice {
  /// The description for the head of the recording.
  var description: PadDescription { get }
  /// Readable when there are events.
  var fileDescriptor: Int32 { get }
  /// When there may be events, even if the descriptor is not readable.
  var nextDeadline: Instant? { get }
  /// Passes the current state as events, ended by a SYN_REPORT.
  func tellState(_ body: (InputEvent) -> Void)
  /// Passes all pending events.
  ///
  /// - Throws: Why the device can no longer be read.
  func readEvents(_ body: (InputEvent) -> Void) throws(CaptureError)
}

/// Why a device cannot be recorded.
package struct CaptureError: SentenceError, Hashable {
  /// What failed, on what, and what to do; the reason of a source is in English.
  package let sentence: Sentence
}

/// An input device for a recording.
package struct CapturedInputDevice: CapturedDevice {
  private let device: EvdevDevice

  /// Records a device.
  package init(_ device: EvdevDevice) { self.device = device }

  package var description: PadDescription { device.description }
  package var fileDescriptor: Int32 { device.fileDescriptor }
  package var nextDeadline: Instant? { nil }

  package func tellState(_ body: (InputEvent) -> Void) { device.tellState(body) }

  package func readEvents(_ body: (InputEvent) -> Void) throws(CaptureError) {
    do throws(EvdevError) {
      try device.readEvents(body)
    } catch {
      throw CaptureError(sentence: error.sentence)
    }
  }
}

/// A load cell for a recording: ABS_PRESSURE of a single-touch device with BTN_TOUCH held.
///
/// Each sample is a report of its own, also one that repeats the value.
package final class CapturedConverter: CapturedDevice {
  package let description: PadDescription
  private let input: IIOInput
  private let first: Frame

  /// How long the converter may take for its first sample.
  private static let patience = Interval.seconds(5)

  /// Opens a converter and waits for its first sample.
  ///
  /// - Throws: Why there is none.
  package init(_ settings: ConverterSettings, logger: Logger) throws(CaptureError) {
    let input = IIOInput(settings, logger: logger)
    let poller = Poller()
    if let descriptor = input.descriptor { poller.watch(descriptor, for: .readable) }
    let end = Instant.now() + Self.patience
    var pad: PadDescription?
    var frame: Frame?
    var reason = Sentence(.converterNoSamples).about(settings.name ?? "iio")
    var isMissing = false
    while frame == nil, !isMissing, Instant.now() < end {
      input.process(at: .now()) { event in
        switch event {
        case .found(let description, _): pad = description
        case .frame(let new): frame = frame ?? new
        case .waiting(let text), .lost(let text):
          reason = text
          isMissing = true
        case .button, .gap, .setupWarning: break
        }
      }
      if frame == nil, !isMissing { poller.wait(until: min(input.nextDeadline ?? end, end)) { _, _ in } }
    }
    guard let pad, let frame else { throw CaptureError(sentence: reason) }
    self.input = input
    description = pad
    first = frame
  }

  package var fileDescriptor: Int32 { input.descriptor ?? -1 }
  package var nextDeadline: Instant? { input.nextDeadline }

  package func tellState(_ body: (InputEvent) -> Void) {
    body(InputEvent(time: first.time, type: .key, code: KeyCode.touch.rawValue, value: 1))
    append(first, body)
  }

  package func readEvents(_ body: (InputEvent) -> Void) throws(CaptureError) {
    var lost: Sentence?
    input.process(at: .now()) { event in
      switch event {
      case .frame(let frame): append(frame, body)
      case .lost(let reason): lost = reason
      case .found, .button, .gap, .setupWarning, .waiting: break
      }
    }
    if let lost { throw CaptureError(sentence: lost) }
  }

  private func append(_ frame: Frame, _ body: (InputEvent) -> Void) {
    let pressure = Int32(clamping: frame.raw.counts)
    body(InputEvent(time: frame.time, type: .absolute, code: AxisCode.pressure.rawValue, value: pressure))
    body(InputEvent(time: frame.time, type: .synchronization, code: SynchronizationCode.report, value: 0))
  }
}
