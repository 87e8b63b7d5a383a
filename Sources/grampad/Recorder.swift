import EvdevInput
import EventLoop
import Recordings
import Weighing

/// Copies a device's events into an evemu file until it is told to stop.
struct Recorder {
  let device: EvdevDevice
  var output: Output
  let seconds: Double?

  init(device: EvdevDevice, output: Output, seconds: Double?) {
    self.device = device
    self.output = output
    self.seconds = seconds
  }

  /// Returns the number of events, when `ended` is raised, the time is over or the device is gone.
  mutating func run(until ended: Signal) throws -> Int {
    var text: [UInt8] = []
    EvemuWriter().append(device.description, to: &text)
    try output.write(text)
    try output.flush()
    let poller = Poller()
    poller.watch(device.fileDescriptor, for: .readable)
    poller.watch(ended.descriptor, for: .readable)
    let timer = DeadlineTimer()
    poller.watch(timer.descriptor, for: .readable)
    if let seconds { timer.set(.now() + .seconds(seconds)) }
    var writer: EvemuWriter?
    var count = 0
    while true {
      let ready = poller.wait(milliseconds: -1)
      var isGone = false
      do throws(EvdevError) {
        try device.readEvents { event in
          // evemu-record puts its first event at one microsecond.
          var current = writer ?? EvemuWriter(origin: Instant(nanoseconds: event.time.nanoseconds - 1000))
          current.append(event, to: &text)
          writer = current
          count += 1
        }
      } catch {
        complain("\(error)")
        isGone = true
      }
      try output.write(text)
      try output.flush()
      text.removeAll(keepingCapacity: true)
      let isOver = ready.contains { $0.descriptor == ended.descriptor || $0.descriptor == timer.descriptor }
      if isGone || isOver { return count }
    }
  }
}
