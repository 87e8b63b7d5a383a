import EvdevInput
import Glibc
import Weighing

/// Prints a line and flushes it for the test that waits for it.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Prints an event of a pad.
func say(_ event: PadEvent) {
  switch event {
  case .found(let pad, let path): say("found \(path) \(pad.name)")
  case .button(let change, _): say(change)
  case .gap: say("gap")
  case .setupWarning(let warning): say("setup \(warning)")
  case .lost(let reason): say("lost \(reason)")
  case .waiting(let reason): say("waiting \(reason)")
  case .frame(let frame):
    let contacts = frame.contacts.map { "\($0.serial):\($0.raw.counts)\($0.isAtMaximum ? "!" : "")" }
    let words = ["frame\(frame.followsGap ? " after gap" : "")", "\(frame.raw.counts)"] + contacts
    say(words.joined(separator: " "))
  }
}

/// Prints a change of a button.
func say(_ change: ButtonChange) { say("button \(change.button) \(change.action) \(change.change)") }

/// Waits until a descriptor is readable or at its end, with a limit at most that long.
func wait(_ descriptors: [Int32], milliseconds: Int32 = -1) {
  var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  poll(&entries, nfds_t(entries.count), milliseconds)
}
