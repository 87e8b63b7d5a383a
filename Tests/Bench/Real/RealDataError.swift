/// Why a folder of recordings cannot be measured.
enum RealDataError: Error, CustomStringConvertible {
  /// The folder does not exist.
  case noFolder(String)
  /// The folder has none of the wanted recordings.
  case noRecordings(folder: String, wanted: [String])
  /// A file cannot be read.
  case unreadable(file: String)
  /// A file is not as expected.
  case malformed(file: String, line: Int, reason: String)

  /// The exit status, as in sysexits.h: EX_NOINPUT or EX_DATAERR.
  var status: Int32 {
    switch self {
    case .noFolder, .noRecordings, .unreadable: 66
    case .malformed: 65
    }
  }

  var description: String {
    switch self {
    case .noFolder(let folder): "\(folder): no such folder; see --help for the recordings that --data needs"
    case .noRecordings(let folder, let wanted):
      "\(folder): none of these recordings found: \(wanted.joined(separator: ", ")); see --help for where to get them"
    case .unreadable(let file): "\(file): the file cannot be read"
    case .malformed(let file, let line, let reason): "\(file):\(line): \(reason)"
    }
  }
}
