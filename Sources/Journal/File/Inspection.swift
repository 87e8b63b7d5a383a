import GRDB
import Glibc
import Weighing

/// The look at a file before it is opened for writing: what it has lost is recognised, and the file copied, before SQLite changes it.
///
/// SQLite deletes the log of an empty file and, with its first write, a log that it cannot read.
struct Inspection {
  private let path: String
  private var isCopied = false
  /// The copy of a file that has lost weighings, until the loss is recorded.
  private(set) var copy: String?
  /// The database of the first inspection, closed but kept: when it is released, libdispatch uses its concurrent queue,
  /// which then wakes an idle process every second.
  private var inspected: DatabaseQueue?

  init(_ path: String) { self.path = path }

  /// Inspects the file, and copies it aside if it has lost weighings; once until `finish`.
  ///
  /// - Throws: `corrupt` and `busy`, and why it cannot be copied; other faults are reported when it is opened for writing.
  mutating func inspect(with mark: HighWaterMark.Value?, at time: Instant) throws {
    guard !isCopied, try loss(with: mark) != nil else { return }
    copy = try DamagedFile(path).copyAside(at: time)
    isCopied = true
  }

  /// The loss is recorded: the next opening inspects the file again.
  mutating func finish() { (isCopied, copy) = (false, nil) }

  private mutating func loss(with mark: HighWaterMark.Value?) throws(JournalError) -> JournalLoss? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return Continuity().loss(mark) }
    do throws(JournalError) {
      do {
        let connection = try DatabaseConnection(reading: path, reportedAs: path)
        let continuity = try connection.queue.read { try Continuity($0, with: mark) }
        try connection.queue.close()
        inspected = inspected ?? connection.queue
        return continuity.loss(mark)
      } catch {
        throw JournalError(error, path: path)
      }
    } catch {
      switch error {
      case .corrupt, .busy: throw error
      case .notFound: return Continuity().loss(mark)
      default: return nil  // not a state: any other error
      }
    }
  }
}
