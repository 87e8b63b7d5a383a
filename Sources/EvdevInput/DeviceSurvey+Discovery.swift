import Weighing

extension DeviceSurvey {
  /// Where evdev nodes are.
  package static let standardDirectory = "/dev/input"

  /// The name there of the device that a udev rule names the pad: the link that Grampad's own rules make.
  package static let padLink = "grampad"

  /// Looks at every evdev node of this machine: opens it, asks what it is and closes it.
  ///
  /// Nothing is left out: a node that cannot be read is listed with the reason.
  package static func take(axis: AxisChoice = .automatic, directory: String = standardDirectory) -> DeviceSurvey {
    let names: [String]
    do {
      names = try InputPath.names(in: directory)
    } catch {
      return DeviceSurvey(entries: [], failure: error)
    }
    let links = lastingNames(in: directory)
    let entries = names.filter(isEventNode).map { name in
      let path = InputPath.join(directory, name)
      return Entry(path: path, links: links[path] ?? [], finding: finding(path, axis))
    }
    return DeviceSurvey(entries: entries.sorted { (nodeNumber($0.path) ?? .max) < (nodeNumber($1.path) ?? .max) })
  }

  /// Whether a udev rule names another device the pad than the one at a path, and one that could weigh.
  static func appointsOther(than path: String, axis: AxisChoice, directory: String) -> Bool {
    let link = InputPath.join(directory, padLink)
    // Looked at first, since it costs less than to open a device.
    guard let named = NodeIdentity(link), named != NodeIdentity(path) else { return false }
    switch finding(InputPath.node(link), axis) {
    case .weighs, .doubtful: return true
    case .unsuitable, .unreadable: return false
    }
  }

  /// Whether a name in /dev/input is that of an evdev node.
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

  /// The links that udev makes, by the node to which they lead; none where there is no udev.
  private static func lastingNames(in directory: String) -> [String: [String]] {
    var links: [String: [String]] = [:]
    let pad = InputPath.join(directory, padLink)
    if let target = InputPath.target(of: pad) { links[InputPath.resolved(target, in: directory)] = [pad] }
    for folder in ["by-id", "by-path"].map({ InputPath.join(directory, $0) }) {
      guard let names = try? InputPath.names(in: folder) else { continue }
      for name in names.sorted() {
        let link = InputPath.join(folder, name)
        guard let target = InputPath.target(of: link) else { continue }
        links[InputPath.resolved(target, in: folder), default: []].append(link)
      }
    }
    return links
  }
}
