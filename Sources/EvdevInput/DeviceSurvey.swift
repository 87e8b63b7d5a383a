import Weighing

/// The evdev devices of this machine, and which of them can weigh.
package struct DeviceSurvey: Hashable, Sendable {
  /// The devices, lowest node first.
  package var entries: [Entry]
  /// Why the directory could not be listed at all.
  package var failure: EvdevError?

  /// Makes a survey from what was found.
  package init(entries: [Entry], failure: EvdevError? = nil) {
    self.entries = entries
    self.failure = failure
  }

  /// One device node.
  package struct Entry: Hashable, Sendable {
    /// The node, `/dev/input/event3`.
    package var path: String
    /// The lasting names that lead to it: /dev/input/grampad, and those under /dev/input/by-id and by-path.
    package var links: [String]
    /// What it turned out to be.
    package var finding: Finding

    /// Makes an entry.
    package init(path: String, links: [String] = [], finding: Finding) {
      self.path = path
      self.links = links
      self.finding = finding
    }

    /// Whether a udev rule names it the pad; see `UdevRule`.
    package var isAppointed: Bool {
      links.contains { InputPath.name($0) == DeviceSurvey.padLink && InputPath.parent($0) == InputPath.parent(path) }
    }

    /// What the device says of itself; `nil` when it could not be read.
    package var description: PadDescription? {
      switch finding {
      case .weighs(let pad, _), .doubtful(let pad, _, _), .unsuitable(let pad, _): pad
      case .unreadable: nil
      }
    }

    /// The axis that would carry the load; `nil` when there is none.
    package var axis: LoadAxis? {
      switch finding {
      case .weighs(_, let axis), .doubtful(_, let axis, _): axis
      case .unsuitable, .unreadable: nil
      }
    }

    /// Why it cannot weigh, or is not picked without being named; `nil` for a pad without fault.
    package var reason: String? {
      switch finding {
      case .weighs: nil
      case .doubtful(_, _, let doubt): "\(doubt); used only if pad.device selects it"
      case .unsuitable(_, let reason): reason.description
      case .unreadable(let error): error.reason
      }
    }
  }

  /// What a device turned out to be.
  package enum Finding: Hashable, Sendable {
    /// A pad.
    case weighs(PadDescription, LoadAxis)
    /// It has a pressure axis, but not of what lies on it: only used when the configuration names it.
    case doubtful(PadDescription, LoadAxis, UnsuitablePad)
    /// It cannot weigh.
    case unsuitable(PadDescription, UnsuitablePad)
    /// It could not be opened or asked.
    case unreadable(EvdevError)

    /// Judges a description.
    package init(_ pad: PadDescription, axis choice: AxisChoice = .automatic) {
      do {
        let axis = try pad.loadAxis(choice)
        // A doubt is about pressure: who names another axis knows what it is.
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
