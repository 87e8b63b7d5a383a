import Languages
import Linux
import Weighing

/// The evdev devices of this machine, and which of them can weigh.
package struct DeviceSurvey: Hashable, Sendable {
  /// The devices, lowest node first.
  package var entries: [Entry]
  /// Why the directory could not be listed.
  package var failure: EvdevError?

  /// One device node.
  package struct Entry: Hashable, Sendable {
    /// The path of the node, `/dev/input/event3`.
    package var path: String
    /// Its persistent links: /dev/input/grampad, and those in /dev/input/by-id and by-path.
    package var links: [String] = []
    /// The result for the device.
    package var finding: Finding
    /// Its entry in the list of known pads.
    package var known: KnownPad?

    /// What its load axis measures; `nil` without one.
    package var measurement: PadMeasurement? {
      guard let description, let axis else { return nil }
      return PadMeasurement(description, axis: axis, known: known)
    }

    /// Whether a udev rule selects it as the pad; see `UdevRule`.
    package var isAppointed: Bool {
      links.contains { InputPath.name($0) == DeviceSurvey.padLink && parentFolder(of: $0) == parentFolder(of: path) }
    }

    /// The description of the device; `nil` if it could not be read.
    package var description: PadDescription? {
      switch finding {
      case .weighs(let pad, _), .doubtful(let pad, _, _), .unsuitable(let pad, _): pad
      case .unreadable: nil
      }
    }

    /// The axis for the load; `nil` if there is none.
    package var axis: LoadAxis? {
      switch finding {
      case .weighs(_, let axis), .doubtful(_, let axis, _): axis
      case .unsuitable, .unreadable: nil
      }
    }

    /// Why it cannot weigh or is not selected automatically; `nil` for a pad without doubts.
    package var reason: Sentence? {
      switch finding {
      case .weighs: nil
      case .doubtful(_, _, let doubt): Sentence(.deviceDoubt, ["reason": doubt.sentence])
      case .unsuitable(_, let reason): reason.sentence
      case .unreadable(let error): error.reason
      }
    }
  }

  /// The result for a device.
  package enum Finding: Hashable, Sendable {
    /// A pad.
    case weighs(PadDescription, LoadAxis)
    /// It has a pressure axis that may not measure a load: used only if the configuration selects it.
    case doubtful(PadDescription, LoadAxis, UnsuitablePadError)
    /// It cannot weigh.
    case unsuitable(PadDescription, UnsuitablePadError)
    /// It could not be opened or queried.
    case unreadable(EvdevError)

    /// Evaluates a description.
    package init(_ pad: PadDescription, axis choice: AxisChoice = .automatic) {
      do {
        let axis = try pad.loadAxis(choice)
        // Doubts are about pressure: a user who configures another axis has decided to use it.
        let isPressure = axis.code == .pressure || axis.code == .multitouchPressure
        if isPressure, let doubt = pad.misgiving {
          self = .doubtful(pad, axis, doubt)
        } else {
          self = .weighs(pad, axis)
        }
      } catch {
        self = .unsuitable(pad, error)
      }
    }
  }
}
