/// First in, first out.
struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  /// How many wait.
  var count: Int { elements.count - head }
  /// Whether none waits.
  var isEmpty: Bool { count == 0 }

  /// Puts one at the end.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Puts some before all the others, in their order.
  mutating func prepend(_ front: [Element]) {
    if front.isEmpty { return }
    elements.replaceSubrange(0..<head, with: front)
    head = 0
  }

  /// Takes the first one.
  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    head += 1
    // Give back what is spent once it is the greater part: constant time a piece on average.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}

extension Queue: Sendable where Element: Sendable {}
