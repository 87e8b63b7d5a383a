import Weighing

extension PadSelector {
  /// Whether a device matches, whether or not it can weigh.
  func accepts(_ entry: DeviceSurvey.Entry) -> Bool {
    switch self {
    case .automatic: return true
    case .path(let path): return entry.path == path || entry.links.contains(path)
    case .match:
      guard let pad = entry.description else { return false }
      return accepts(pad, at: entry.path)
    }
  }

  /// Whether a device that was opened by path matches.
  func accepts(_ pad: PadDescription, at path: String) -> Bool {
    switch self {
    case .automatic: return true
    case .path(let named):
      guard let node = NodeIdentity(named) else { return false }
      return node == NodeIdentity(path)
    case .match(let name, let vendor, let product):
      return (name ?? pad.name) == pad.name && (vendor ?? pad.id.vendor) == pad.id.vendor
        && (product ?? pad.id.product) == pad.id.product
    }
  }

  /// How precisely the device is identified: of two bindings, the larger value wins.
  var precision: Int {
    switch self {
    case .automatic: 0
    case .match: 1
    case .path: 2
    }
  }
}
