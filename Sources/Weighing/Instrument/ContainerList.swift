/// The containers that a request can name: those of the configuration, and those that were stored on the scale.
///
/// A stored container takes precedence over one of the configuration with the same name.
struct ContainerList: Sendable {
  private var configured: [Container] = []
  private var stored: [Container] = []
  /// The containers that were removed before those of earlier runs were known, the newest last.
  private var removed: [ContainerName] = []

  /// All containers: those of the configuration in their order, then the stored ones in the order of their storage.
  var containers: [Container] {
    configured.map { container in stored.first { $0.name == container.name } ?? container }
      + stored.filter { container in !configured.contains { $0.name == container.name } }
  }

  /// Replaces the containers of the configuration; returns whether that changes anything.
  mutating func configure(_ containers: [Container]) -> Bool {
    defer { configured = containers }
    return configured != containers
  }

  /// Adds the containers that an earlier run has stored; what was stored and removed since takes precedence.
  mutating func restore(_ containers: [Container]) {
    let earlier = containers.filter { container in
      !removed.contains(container.name) && !stored.contains { $0.name == container.name }
    }
    stored = earlier + stored
    removed = []
  }

  /// The tare of a container; `nil` for an unknown name.
  func tare(of name: ContainerName) -> Grams? {
    (stored.first { $0.name == name } ?? configured.first { $0.name == name })?.tare
  }

  /// Stores a container, replacing one with the same name; returns `false` if there are too many.
  mutating func store(_ container: Container) -> Bool {
    if let index = stored.firstIndex(where: { $0.name == container.name }) {
      stored[index] = container
      return true
    }
    guard stored.count < Container.maximumStored else { return false }
    stored.append(container)
    return true
  }

  /// Removes a stored container; returns `false` if there is none with that name.
  mutating func remove(_ name: ContainerName) -> Bool {
    guard let index = stored.firstIndex(where: { $0.name == name }) else { return false }
    stored.remove(at: index)
    removed = removed.suffix(Container.maximumStored - 1) + [name]
    return true
  }

  /// The container of a mass; `nil` if none or more than one is within the tolerance.
  func container(of mass: Grams, tolerance: Grams) -> Container? {
    var found: Container?
    for container in containers where (container.tare - mass).magnitude <= tolerance {
      if found != nil { return nil }
      found = container
    }
    return found
  }
}
