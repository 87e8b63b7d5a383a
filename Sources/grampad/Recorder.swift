import EvdevInput
import EventLoop
import Recordings
import Weighing

/// Copies the events of a device to an evemu file until stopped.
///
/// The file begins with the current state of the device as one frame, so that a load already on the pad is recorded.
struct Recorder {
  private let device: EvdevDevice
  private var output: Output
  private let seconds: Double?
  private var text: [UInt8] = []
  private var writer: EvemuWriter?
  private var count = 0

  /// Makes a recorder that stops after `seconds`, if given.
  init(device: EvdevDevice, output: Output, seconds: Double?) {
    self.device = device
    self.output = output
    self.seconds = seconds
    EvemuWriter().append(device.description, to: &text)
  }

  /// Records until `ended` is raised, the time is over or the device is gone; returns the number of events.
  mutating func run(until ended: Signal) throws -> Int {
    let poller = Poller()
    let timer = DeadlineTimer()
    if let seconds { timer.set(.now() + .seconds(seconds)) }
    for descriptor in [device.fileDescriptor, ended.descriptor, timer.descriptor] {
      poller.watch(descriptor, for: .readable)
    }
    device.tellState { append($0) }
    let begin = Instant.now()
    let bar = ProgressBar()
    defer { bar.clear() }
    while true {
      try flush()
      let passed = (Instant.now() - begin).seconds
      let text = "\(count) events, \(Int(passed)) s"
      if let seconds { bar.show(passed / seconds, text) } else { bar.show(text) }
      let ready = poller.wait(milliseconds: bar.isShown ? 500 : -1)
      var isOver = ready.contains { $0.descriptor != device.fileDescriptor }
      do throws(EvdevError) {
        try device.readEvents { append($0) }
      } catch {
        complain("\(error)")
        isOver = true
      }
      if isOver {
        try flush()
        return count
      }
    }
  }

  private mutating func append(_ event: InputEvent) {
    // evemu-record gives its first event a time of one microsecond.
    var writer = self.writer ?? EvemuWriter(origin: Instant(nanoseconds: event.time.nanoseconds - 1000))
    writer.append(event, to: &text)
    self.writer = writer
    count += 1
  }

  private mutating func flush() throws {
    try output.write(text)
    try output.flush()
    text.removeAll(keepingCapacity: true)
  }
}
