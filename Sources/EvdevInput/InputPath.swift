import Glibc
import Linux

/// Path operations as the kernel performs them, without file access unless stated.
enum InputPath {
  /// An absolute path; a relative one is resolved from the working directory.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return normalized(path) }
    guard let buffer = getcwd(nil, 0) else { return normalized("/" + path) }
    defer { free(buffer) }
    return normalized(String(cString: buffer) + "/" + path)
  }

  /// Maximum number of chained links, as in the kernel (MAXSYMLINKS of linux/namei.h).
  static let mostLinks = 40

  /// The evdev node that a path leads to through symbolic links; the path itself if it does not lead to an existing
  /// node.
  static func node(_ path: String) -> String {
    var here = absolute(path)
    for _ in 0..<mostLinks {
      if DeviceSurvey.isEventNode(name(here)) { return access(here, F_OK) == 0 ? here : path }
      guard let target = FileSystem.target(ofLink: here) else { break }
      here = resolved(target, in: parentFolder(of: here))
    }
    return path
  }

  /// The target of a symbolic link in `directory`.
  static func resolved(_ target: String, in directory: String) -> String {
    target.hasPrefix("/") ? normalized(target) : normalized(directory + "/" + target)
  }

  /// The last component of a path.
  static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// The path of a name in a directory.
  static func join(_ directory: String, _ name: String) -> String {
    directory == "/" ? "/" + name : directory + "/" + name
  }

  /// The path without `.`, `..` and empty parts.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// The names in a directory, unsorted. See readdir(3).
  ///
  /// - Throws: `EvdevError.notFound`, `.notPermitted` or `.system`.
  static func names(in directory: String) throws(EvdevError) -> [String] {
    do {
      return try FileSystem.names(in: directory)
    } catch {
      throw EvdevError(errno: error.rawValue, path: directory, doing: "listing the directory")
    }
  }
}
