import Glibc

/// Which device a path leads to, so that two paths to one device can be told from two devices. See stat(2).
struct NodeIdentity: Hashable {
  private let device: dev_t

  /// Looks where a path leads, by links too; `nil` when there is no device node.
  init?(_ path: String) {
    guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFCHR else { return nil }
    device = status.st_rdev
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    // By the node's own name: where devices are emulated for a test, only that is known to be one.
    return stat(InputPath.node(path), &status) == 0 ? status : nil
  }
}
