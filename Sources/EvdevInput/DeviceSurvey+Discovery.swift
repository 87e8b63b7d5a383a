import Linux
import Weighing

extension DeviceSurvey {
  /// The directory of the evdev nodes.
  package static let standardDirectory = "/dev/input"

  /// The link in that directory to the device selected by a udev rule; created by Grampad's own rules.
  package static let padLink = "grampad"

  /// Opens every evdev node of this machine, reads its description and closes it.
  ///
  /// The list is complete: an unreadable node is listed with the reason.
  ///
  /// - Parameter known: The list of known pads.
  package static func scan(
    axis: AxisChoice = .automatic, known: [KnownPad], directory: String = standardDirectory
  ) -> DeviceSurvey {
    let names: [String]
    do {
      names = try InputPath.names(in: directory)
    } catch {
      return DeviceSurvey(entries: [], failure: error)
    }
    let links = lastingNames(in: directory)
    let entries = names.filter(isEventNode).map { name in
      let path = InputPath.join(directory, name)
      var entry = Entry(path: path, links: links[path] ?? [], finding: finding(path, axis))
      entry.known = entry.description.flatMap(known.entry)
      return entry
    }
    return DeviceSurvey(entries: entries.sorted { (nodeNumber($0.path) ?? .max) < (nodeNumber($1.path) ?? .max) })
  }

  /// Whether a udev rule selects a device other than the one at a path, and that device can weigh.
  static func appointsOther(than path: String, axis: AxisChoice, directory: String) -> Bool {
    let link = InputPath.join(directory, padLink)
    // Checked first because it is cheaper than opening a device.
    guard let named = NodeIdentity(link), named != NodeIdentity(path) else { return false }
    switch finding(InputPath.node(link), axis) {
    case .weighs, .doubtful: return true
    case .unsuitable, .unreadable: return false
    }
  }

  /// Whether a name in /dev/input is the name of an evdev node.
  static func isEventNode(_ name: String) -> Bool {
    name.hasPrefix("event") && name.dropFirst(5).allSatisfy { ("0"..."9").contains($0) } && name != "event"
  }

  private static func finding(_ path: String, _ axis: AxisChoice) -> Finding {
    do {
      return Finding(try EvdevDevice(path: path).description, axis: axis)
    } catch {
      return .unreadable(error)
    }
  }

  /// The symbolic links made by udev, by the node they refer to; empty without udev.
  private static func lastingNames(in directory: String) -> [String: [String]] {
    var links: [String: [String]] = [:]
    let pad = InputPath.join(directory, padLink)
    if let target = FileSystem.target(ofLink: pad) { links[InputPath.resolved(target, in: directory)] = [pad] }
    for folder in ["by-id", "by-path"].map({ InputPath.join(directory, $0) }) {
      guard let names = try? InputPath.names(in: folder) else { continue }
      for name in names.sorted() {
        let link = InputPath.join(folder, name)
        guard let target = FileSystem.target(ofLink: link) else { continue }
        links[InputPath.resolved(target, in: folder), default: []].append(link)
      }
    }
    return links
  }
}
