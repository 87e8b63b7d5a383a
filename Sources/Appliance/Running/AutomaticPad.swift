import EvdevInput
import IIOInput
import Linux
import Weighing

/// The pad that `pad.device: auto` selects: an input device, or a load cell while there is none.
///
/// A load cell stays in use when an input device is connected, until it is lost.
final class AutomaticPad {
  /// What is used as the pad.
  private enum Use {
    case none, inputDevice, loadCell
  }

  private let inputDevice: PadInput
  private let loadCell: IIOInput
  private let poller = Poller()
  private var use = Use.none
  private var inputReason: Sentence?
  private var cellReason: Sentence?
  private var isReasonNew = false

  /// Makes a source that searches on the first call of `process`.
  init(_ inputDevice: PadInput, _ loadCell: IIOInput) {
    (self.inputDevice, self.loadCell) = (inputDevice, loadCell)
    poller.watch(inputDevice.fileDescriptor, for: .readable)
    if let descriptor = loadCell.descriptor { poller.watch(descriptor, for: .readable) }
  }

  private func processInputDevice(_ body: (PadEvent) -> Void) {
    inputDevice.process { event in
      switch event {
      case .found:
        use = .inputDevice
        loadCell.release()
        body(event)
      case .lost:
        use = .none
        body(event)
      case .waiting(let reason):
        inputReason = reason
        isReasonNew = true
      case .frame, .button, .gap, .setupWarning: body(event)
      }
    }
  }

  private func processLoadCell(at now: Instant, _ body: (PadEvent) -> Void) {
    loadCell.process(at: now) { event in
      switch event {
      case .found:
        use = .loadCell
        cellReason = nil
        // Its events wait in the kernel until the load cell is lost.
        poller.forget(inputDevice.fileDescriptor)
        body(event)
      case .lost:
        use = .none
        poller.watch(inputDevice.fileDescriptor, for: .readable)
        body(event)
      case .waiting(let reason):
        cellReason = reason
        isReasonNew = true
      case .frame, .button, .gap, .setupWarning: body(event)
      }
    }
  }

  private func tellWaiting(_ body: (PadEvent) -> Void) {
    // A load cell that was just found is about to deliver its first sample, or the reason why it does not.
    guard use == .none, isReasonNew, let inputReason, !(loadCell.isStarting && cellReason == nil) else { return }
    isReasonNew = false
    body(.waiting(reason: inputReason.and(cellReason)))
  }
}

extension AutomaticPad: PadSource {
  var descriptor: Int32? { poller.fileDescriptor }

  var nextDeadline: Instant? {
    switch use {
    case .none, .loadCell: inputDevice.isBarred ? nil : loadCell.nextDeadline
    case .inputDevice: nil
    }
  }

  func process(at now: Instant, _ body: (PadEvent) -> Void) {
    if use != .loadCell { processInputDevice(body) }
    // An input device that another program has grabbed is a pad, too.
    if inputDevice.isBarred {
      loadCell.release()
    } else if use != .inputDevice {
      processLoadCell(at: now, body)
    }
    tellWaiting(body)
  }

  func show(_ feedback: Feedback) {
    switch use {
    case .none, .loadCell: break
    case .inputDevice: inputDevice.show(feedback)
    }
  }
}
