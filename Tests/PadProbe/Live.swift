import EvdevInput
import Glibc
import Logging
import Weighing

/// Reads pad and buttons together, as the appliance does, and executes commands from standard input.
///
/// `selected`, `confirmed` and `ended` request feedback of the pad; the end of the input ends the program. When a button is
/// released or lost, it also prints how long it was held, from the times of the events.
struct Live {
  private let pad: PadInput
  private let buttons: ButtonInput

  init(_ selector: PadSelector, _ bindings: [ButtonBinding]) throws {
    let logger = Logger(label: "padprobe")
    pad = try PadInput(selector, buttons: bindings, logger: logger)
    buttons = try ButtonInput(bindings, logger: logger)
  }

  func run() {
    var since: [Int: Instant] = [:]
    var listening: [String] = []
    func report(_ change: ButtonChange, _ time: Instant) {
      say(change)
      switch change.change {
      case .pressed: since[change.button] = time
      case .released, .lost:
        guard let start = since.removeValue(forKey: change.button) else { return }
        say("held \(Int((time - start).seconds * 1000)) ms")
      }
    }
    while true {
      var entries = [pad.fileDescriptor, buttons.fileDescriptor, STDIN_FILENO].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&entries, 3, -1)
      pad.process { event in
        switch event {
        case .button(let change, let time): return report(change, time)
        case .found(_, let path): buttons.exclude(path)
        case .lost: buttons.exclude(nil)
        case .frame, .gap, .setupWarning, .waiting: break
        }
        say(event)
      }
      buttons.process(report)
      if listening != buttons.paths {
        listening = buttons.paths
        say("listens \(listening.joined(separator: " "))")
      }
      if entries[2].revents != 0 {
        guard let word = readLine() else { return }
        switch word {
        case "selected": pad.show(.selected)
        case "confirmed": pad.show(.confirmed)
        case "ended": pad.show(.ended)
        default: exit(64)
        }
        say("asked \(word)")
      }
    }
  }
}
