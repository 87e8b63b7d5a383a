import CEvdev
import Weighing

/// The udev rule by which a user names one device the pad, to be saved as /etc/udev/rules.d/71-grampad-pad.rules. udev(7)
///
/// It matches what stays the same when the device is plugged in anew, at another port too: vendor, product, name and, of
/// a device that has one, the serial number. Only where another device agrees in all of that is it told by its port.
/// What follows from being the pad is said by the package's own rules, 72-grampad.rules.
package struct UdevRule: Sendable {
  /// Where the rule is to be saved; its number is below that of the package's rules.
  package static let file = "/etc/udev/rules.d/71-grampad-pad.rules"

  /// The rule, and how to put it into force.
  package let text: String

  /// Makes the rule for a device of a survey.
  ///
  /// - Throws: `EvdevError`, when the device cannot be read.
  package init(for entry: DeviceSurvey.Entry, in survey: DeviceSurvey) throws(EvdevError) {
    if case .unreadable(let error) = entry.finding { throw error }
    let device = try EvdevDevice(path: entry.path)
    let pad = device.description
    var matches = [
      ("id/vendor", HexadecimalText.fixed(pad.id.vendor)), ("id/product", HexadecimalText.fixed(pad.id.product)),
      ("name", Self.pattern(pad.name)),
    ]
    if !pad.unique.isEmpty { matches.append(("uniq", Self.pattern(pad.unique))) }
    let twins = survey.entries.filter { other in
      guard other.path != entry.path, let other = other.description else { return false }
      return (other.name, other.unique, other.id.vendor, other.id.product)
        == (pad.name, pad.unique, pad.id.vendor, pad.id.product)
    }
    if !twins.isEmpty, !device.port.isEmpty { matches.append(("phys", Self.pattern(device.port))) }
    let conditions = matches.map { "ATTRS{\($0)}==\"\($1)\", " }.joined()
    text = """
      # Makes this device the Grampad pad. Save the rule as \(Self.file) and run as root:
      #   udevadm control --reload && udevadm trigger --subsystem-match=input --settle
      # The device is then available as /dev/input/grampad, and only Grampad can read it. A running desktop session keeps
      # using it as a pointer until you reconnect it.
      SUBSYSTEM=="input", \(conditions)ENV{GRAMPAD_PAD}="1"

      """
  }

  /// What matches a text in a rule: the text itself, but for what could be read as anything else.
  ///
  /// A device may call itself what it likes: quotes and backslashes, line breaks, and the signs of a pattern (`*?[]|`) are
  /// each matched by `?`, which stands for any one character, and what is not ASCII by `*`, since how many characters
  /// that is depends on udev's locale. Blanks at the end are left out: udev does not compare them then.
  static func pattern(_ text: String) -> String {
    var pattern = ""
    // Those that isspace(3) knows, as udev does.
    let end = text.unicodeScalars.lastIndex { !(9...13).contains($0.value) && $0 != " " }
    guard let end else { return "" }
    for scalar in text.unicodeScalars[...end] {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "_", ".", ",", ":", ";", "+", "@", "#", "/", "=", "(", ")":
        pattern.unicodeScalars.append(scalar)
      case _ where scalar.isASCII: pattern += "?"
      case _ where pattern.hasSuffix("*"): break
      default: pattern += "*"  // any other character, not a case of an enum
      }
    }
    return pattern
  }
}

extension EvdevDevice {
  /// Where the device is plugged in, as its driver has it, `usb-0000:00:14.0-2/input0`; empty where that does not say.
  fileprivate var port: String { libevdev_get_phys(handle).map { String(cString: $0) } ?? "" }
}

extension DeviceSurvey {
  /// The device that a user means by a path, which may be a link, or else by its name; of several of that name, the one
  /// that `choose` would take.
  ///
  /// - Throws: `EvdevError.notFound`, when there is none.
  package func device(called word: String) throws(EvdevError) -> Entry {
    let selector: PadSelector =
      word.contains("/") ? .path(InputPath.node(word)) : .match(name: word, vendor: nil, product: nil)
    if case .chosen(let entry, _) = choose(selector) { return entry }
    guard let entry = entries.first(where: selector.accepts) else { throw .notFound(path: word) }
    return entry
  }
}
