import Backup
import Commands
import Configuration
import Linux

/// The files of `demo`, so that its settings and its calibration can be changed like those of any scale. They are removed with this
/// value.
struct DemoFiles {
  private let folder: StagingFolder
  /// The configuration `Configuration.demonstration`.
  let configuration: ConfigurationFile

  /// - Throws: `Failure`: there is no room or no permission for temporary files.
  init() throws {
    folder = try StagingFolder()
    let path = folder.file("grampad.yaml")
    do throws(FileError) {
      try FileSystem.replaceFile(
        path, with: Array(Configuration.demonstration.resolvedYAML().utf8), permissions: 0o600)
    } catch {
      throw Failure(BackupError.file(FileFailure(path, .write, error.errno)))
    }
    configuration = try ConfigurationFile(path: path)
  }
}
