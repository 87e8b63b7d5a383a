import Glibc

/// The identity of the device behind a path, to recognise two paths to the same device. See stat(2).
struct NodeIdentity: Hashable {
  private let device: dev_t

  /// Follows symbolic links; `nil` if there is no device node.
  init?(_ path: String) {
    var status = stat()
    // By the name of the node: if devices are emulated for a test, only that name is emulated.
    guard stat(InputPath.node(path), &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    device = status.st_rdev
  }
}
