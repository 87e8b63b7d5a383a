import EventLoop
import Weighing

/// A device that is open, and the frames that its events make.
final class OpenPad {
  /// The device.
  let device: EvdevDevice
  /// Whether any event has come from it.
  private(set) var hasDelivered = false

  private var assembler: FrameAssembler

  /// Makes frames of a device's events.
  ///
  /// - Throws: `EvdevError.unsuitable`, when it cannot weigh.
  init(_ device: EvdevDevice, axis: AxisChoice, rotation: Rotation) throws(EvdevError) {
    self.device = device
    do {
      assembler = try FrameAssembler(pad: device.description, axis: axis, rotation: rotation)
    } catch {
      throw .unsuitable(path: device.path, reason: error)
    }
  }

  /// The frame of what lay on the pad when it was opened.
  func firstFrame() -> Frame {
    var frame = Frame(time: .now())
    device.tellState { event in
      if let complete = assembler.handle(event) { frame = complete }
    }
    return frame
  }

  /// Reads what waits and tells its frames and gaps.
  func readFrames(_ body: (PadEvent) -> Void) throws(EvdevError) {
    try device.readEvents { event in
      hasDelivered = true
      if event.type == .synchronization && event.code == SynchronizationCode.dropped { body(.gap) }
      if let frame = assembler.handle(event) { body(.frame(frame)) }
    }
  }
}
