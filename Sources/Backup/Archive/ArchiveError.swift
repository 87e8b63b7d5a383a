import EventLoop

/// Why an archive is not taken.
package enum ArchiveError: Hashable, Sendable, CustomStringConvertible {
  /// It is packed.
  case compressed
  /// It is not of our making, or damaged.
  case foreign
  /// It ends too early.
  case truncated
  /// There is something behind its end.
  case trailing
  /// A file is not there.
  case missing(String)
  /// Another file is in the place of one.
  case unexpected(String, insteadOf: String)
  /// A file is larger than any of its kind.
  case tooLarge(String)
  /// A file is not what was saved.
  case altered(String)
  /// It was made by a newer version.
  case newer(String)
  /// A file has the right bytes, but cannot be used; with the reason, which may have several lines.
  case unusable(String, String)

  /// What is wrong and what to do.
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
