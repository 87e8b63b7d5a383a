import Foundation
import Testing

/// Backups made by Python's tarfile from the parts of a valid one.
struct Archive {
  let folder: TemporaryFolder
  let good: String

  /// Runs a script that changes the members of a valid backup and writes them to `bad.tar`.
  ///
  /// The script has `members`, a list of (TarInfo, bytes), `manifest`, the manifest as a dictionary, and `info(name, size)`. The
  /// archive is written from the final values of `members` and `manifest`.
  func changed(_ script: String, format: String = "USTAR_FORMAT") async throws -> String {
    let program = """
      import sys, tarfile, json, io, hashlib
      source, target = sys.argv[1:]
      FOLDER = "grampad-backup/"
      with tarfile.open(source) as tar:
          members = [(m, tar.extractfile(m).read()) for m in tar.getmembers()]
      manifest = json.loads(members[0][1])
      stamp = members[0][0].mtime
      def info(name, size=0, type=tarfile.REGTYPE, link=""):
          made = tarfile.TarInfo(FOLDER + name)
          made.size, made.mtime, made.mode, made.type, made.linkname = size, stamp, 0o600, type, link
          return made
      def part(name):
          return next(i for i, (m, _) in enumerate(members) if m.name == FOLDER + name)
      def put(name, data):
          entry = next(f for f in manifest["files"] if f["name"] == name)
          entry["size"], entry["sha256"] = len(data), hashlib.sha256(data).hexdigest()
          members[part(name)] = (info(name, len(data)), data)
      \(script)
      if members and members[0][0].name == FOLDER + "manifest.json":
          text = json.dumps(manifest).encode()
          members[0] = (info("manifest.json", len(text)), text)
      with open(target, "wb") as file:
          for member, data in members:
              head = member.tobuf(tarfile.\(format))
              file.write(head + data + bytes(-len(data) % 512 if member.isreg() else 0))
          file.write(bytes(1024))
      """
    let bad = "\(folder.path)/bad.tar"
    let python = try await Program("python3", ["-c", program, good, bad]).ended(within: .seconds(120))
    try #require(python.code == 0, "\(python.complaints)")
    return bad
  }
}

/// The content of a folder: names with their bytes, and the targets of links.
func contents(of folder: String) throws -> [String: Data] {
  var contents: [String: Data] = [:]
  for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
    contents[name] = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
  }
  return contents
}
