import CLinux
import Glibc
import Linux

/// Detects new devices with inotify, without polling. See inotify(7).
///
/// Watches directories: that of the device and, if its path is a symbolic link, those on the way to the node. If a
/// directory does not exist, its nearest existing ancestor is watched until it appears.
struct AppearanceWatch: ~Copyable {
  /// What to watch for.
  enum Goal: Hashable {
    /// Any evdev node in a directory.
    case nodes(directory: String)
    /// One path, which may be a symbolic link.
    case path(String)
  }

  /// A relevant name in a watched directory.
  private enum Name: Hashable {
    case exact(String)
    case eventNode
  }

  private let goals: Set<Goal>
  private let descriptor: Descriptor
  /// The relevant names, by watch descriptor.
  private var watched: [Int32: Set<Name>]

  /// Makes a watch; it does nothing until `arm`.
  ///
  /// - Throws: `EvdevError.system` if the user's limit of inotify instances is reached.
  init(_ goals: Set<Goal>) throws(EvdevError) {
    guard let descriptor = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))) else {
      throw .system(path: "inotify", doing: "watching for devices", code: errno)
    }
    self.goals = goals
    self.descriptor = descriptor
    watched = [:]
  }

  /// The descriptor, for polling only.
  var fileDescriptor: Int32 { descriptor.number }

  /// Updates the watches to the current directories. Changes after this call are detected, so search for the device
  /// afterwards.
  ///
  /// - Throws: `EvdevError.system` if nothing can be watched.
  mutating func arm() throws(EvdevError) {
    var fresh: [Int32: Set<Name>] = [:]
    for goal in goals {
      switch goal {
      case .nodes(let directory): try watch(directory, .eventNode, &fresh)
      case .path(let path): try watch(path: InputPath.absolute(path), &fresh)
      }
    }
    for stale in watched.keys where fresh[stale] == nil { inotify_rm_watch(descriptor.number, stale) }
    watched = fresh
  }

  private func watch(path: String, _ fresh: inout [Int32: Set<Name>]) throws(EvdevError) {
    var path = path
    for _ in 0..<InputPath.mostLinks {
      let directory = parentFolder(of: path)
      try watch(directory, .exact(InputPath.name(path)), &fresh)
      guard let target = FileSystem.target(ofLink: path) else { break }
      path = InputPath.resolved(target, in: directory)
    }
  }

  /// Watches a directory for a name, or its nearest existing ancestor for the next name on the path.
  private func watch(_ directory: String, _ name: Name, _ fresh: inout [Int32: Set<Name>]) throws(EvdevError) {
    var here = directory
    var number = add(here)
    while number < 0 && here != "/" {
      here = parentFolder(of: here)
      number = add(here)
    }
    guard number >= 0 else { throw .system(path: directory, doing: "watching for devices", code: errno) }
    // A directory created before its parent was watched is found while descending.
    while here != directory {
      let next = String(directory.dropFirst(here == "/" ? 1 : here.utf8.count + 1).prefix { $0 != "/" })
      fresh[number, default: []].insert(.exact(next))
      let below = InputPath.join(here, next)
      let found = add(below)
      if found < 0 { return }
      here = below
      number = found
    }
    fresh[number, default: []].insert(name)
  }

  private func add(_ directory: String) -> Int32 {
    let mask = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    return inotify_add_watch(descriptor.number, directory, UInt32(mask))
  }

  /// Reads all notifications; returns whether the device may have appeared.
  mutating func drain() -> Bool {
    var isRelevant = false
    // Space for the longest single event and dozens of typical ones; see inotify(7).
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while true {
        let count = read(descriptor.number, buffer.baseAddress, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let start = offset + MemoryLayout<inotify_event>.size
          let end = min(start + Int(event.len), count)
          if matters(event, name: buffer[start..<end]) { isRelevant = true }
          offset = start + Int(event.len)
        }
      }
    }
    return isRelevant
  }

  private func matters(_ event: inotify_event, name: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    guard let names = watched[event.wd] else { return false }
    // An event without a name refers to the directory itself: it was removed or changed.
    guard event.len > 0 else { return true }
    let name = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    return names.contains(.exact(name)) || names.contains(.eventNode) && DeviceSurvey.isEventNode(name)
  }
}
