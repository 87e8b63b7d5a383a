import EventLoop

/// Why an archive cannot be restored.
package enum ArchiveDefect: Hashable, Sendable, CustomStringConvertible {
  /// It is compressed.
  case compressed
  /// It was not made by `grampad backup`, or it is damaged.
  case foreign
  /// It is incomplete.
  case truncated
  /// There is data after its end.
  case trailing
  /// A file is missing.
  case missing(String)
  /// It contains another file than expected.
  case unexpected(String, insteadOf: String)
  /// A file exceeds the maximum size.
  case tooLarge(String)
  /// A file does not match its checksum.
  case altered(String)
  /// It was made by this newer version.
  case newer(String)
  /// A file is intact but cannot be used; with the reason, which may have several lines.
  case unusable(String, String)

  /// What is wrong and what to do about it.
  package var description: String {
    switch self {
    case .compressed: "compressed; decompress it with gunzip, or run `zcat FILE | grampad restore -`"
    case .foreign: "not a backup made by `grampad backup`, or damaged"
    case .truncated: "truncated: the copy of the backup is incomplete"
    case .trailing: "unexpected data after the end: not a backup made by `grampad backup`"
    case .missing(let name): "\(name) is missing"
    case .unexpected(let found, let expected):
      "found \(printable(found)) instead of \(expected): not a backup made by `grampad backup`"
    case .tooLarge(let name): "\(name) exceeds the maximum size"
    case .altered(let name): "\(name) does not match its checksum: it was changed or damaged after the backup"
    case .newer(let version): "made by the newer version \(printable(version)); restore it with that version"
    case .unusable(let name, let reason): "\(name) in the backup cannot be used: \(reason)"
    }
  }
}
