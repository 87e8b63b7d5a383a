import EventLoop

/// Why an archive is not taken.
package enum ArchiveFault: Hashable, Sendable, CustomStringConvertible {
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
    case .compressed: "it is compressed: unpack it first (gunzip), or `zcat FILE | grampad restore -`"
    case .foreign: "not a backup made by `grampad backup`, or damaged"
    case .truncated: "it ends too early: the copy of it is not complete"
    case .trailing: "there is something behind its end: not a backup made by `grampad backup`"
    case .missing(let name): "\(name) is not in it"
    case .unexpected(let found, let expected):
      "it has \(printable(found)) where \(expected) has to be: not a backup made by `grampad backup`"
    case .tooLarge(let name): "\(name) in it is larger than any can be"
    case .altered(let name): "\(name) in it is not what was saved: it was changed or damaged since"
    case .newer(let version): "made by a newer version, \(printable(version)): restore it with that one"
    case .unusable(let name, let reason): "\(name) in it cannot be used: \(reason)"
    }
  }
}
