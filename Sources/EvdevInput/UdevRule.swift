import CEvdev
import Linux
import Weighing

/// The udev rule with which a user selects a device as the pad, for /etc/udev/rules.d/71-grampad-pad.rules. udev(7)
///
/// It matches properties that do not change when the device is reconnected, even to another port: vendor, product, name
/// and, if available, the serial number. The port is added only if another device has the same properties. The
/// consequences of the selection are defined by the package's own rules, 72-grampad.rules.
package struct UdevRule: Sendable {
  /// Where to save the rule; its number precedes that of the package's rules.
  package static let file = "/etc/udev/rules.d/71-grampad-pad.rules"

  /// The rule, with instructions for applying it.
  package let text: String

  /// Makes the rule for a device of a survey.
  ///
  /// - Throws: `EvdevError` if the device cannot be read.
  package init(for entry: DeviceSurvey.Entry, in survey: DeviceSurvey) throws(EvdevError) {
    if case .unreadable(let error) = entry.finding { throw error }
    let device = try EvdevDevice(path: entry.path)
    let pad = device.description
    var matches = [
      ("id/vendor", HexadecimalText.fixed(pad.id.vendor)), ("id/product", HexadecimalText.fixed(pad.id.product)),
      ("name", udevPattern(pad.name)),
    ]
    if !pad.unique.isEmpty { matches.append(("uniq", udevPattern(pad.unique))) }
    let twins = survey.entries.filter { other in
      guard other.path != entry.path, let other = other.description else { return false }
      return (other.name, other.unique, other.id.vendor, other.id.product)
        == (pad.name, pad.unique, pad.id.vendor, pad.id.product)
    }
    if !twins.isEmpty, !device.port.isEmpty { matches.append(("phys", udevPattern(device.port))) }
    let conditions = matches.map { "ATTRS{\($0)}==\"\($1)\", " }.joined()
    text = """
      # Makes this device the Grampad pad. Save the rule as \(Self.file) and run as root:
      #   udevadm control --reload && udevadm trigger --subsystem-match=input --settle
      # The device is then available as /dev/input/grampad, and only Grampad can read it. A running desktop session keeps
      # using it as a pointer until you reconnect it.
      SUBSYSTEM=="input", \(conditions)ENV{GRAMPAD_PAD}="1"

      """
  }
}

extension EvdevDevice {
  /// The physical location from the driver, `usb-0000:00:14.0-2/input0`; empty if the driver does not provide it.
  fileprivate var port: String { libevdev_get_phys(handle).map { String(cString: $0) } ?? "" }
}

extension DeviceSurvey {
  /// The device for a path, which may be a symbolic link, or else for a name; of several devices with that name, the
  /// one that `choose` selects.
  ///
  /// - Throws: `EvdevError.notFound` if there is none.
  package func device(called word: String) throws(EvdevError) -> Entry {
    let selector: PadSelector =
      word.contains("/") ? .path(InputPath.node(word)) : .match(name: word, vendor: nil, product: nil)
    if case .chosen(let entry, _) = choose(selector) { return entry }
    guard let entry = entries.first(where: selector.accepts) else { throw .notFound(path: word) }
    return entry
  }
}
