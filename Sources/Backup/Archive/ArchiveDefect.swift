import Languages
import Linux
import Weighing

/// Why an archive cannot be restored.
package enum ArchiveDefect: Hashable, Sendable {
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
  case unexpected(String, insteadOf: Sentence)
  /// A file exceeds the maximum size.
  case tooLarge(String)
  /// A file does not match its checksum.
  case altered(String)
  /// It was made by this newer version.
  case newer(String)
  /// A file is intact but cannot be used; with the reason, which may have several lines.
  case unusable(String, Sentence)

  /// What is wrong and what to do about it.
  package var sentence: Sentence {
    switch self {
    case .compressed: Sentence(.archiveCompressed, ["command": "zcat FILE | grampad restore -"])
    case .foreign: Sentence(.archiveForeign)
    case .truncated: Sentence(.archiveTruncated)
    case .trailing: Sentence(.archiveTrailing)
    case .missing(let name): Sentence(.archiveMissing, ["name": name])
    case .unexpected(let found, let expected):
      Sentence(.archiveUnexpected, ["found": printable(found), "expected": expected])
    case .tooLarge(let name): Sentence(.archiveTooLarge, ["name": name])
    case .altered(let name): Sentence(.archiveAltered, ["name": name])
    case .newer(let version): Sentence(.archiveNewer, ["version": printable(version)])
    case .unusable(let name, let reason): Sentence(.archiveUnusable, ["name": name, "reason": reason])
    }
  }
}
