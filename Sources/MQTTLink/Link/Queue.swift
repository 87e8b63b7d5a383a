/// A FIFO queue.
struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  /// The number of elements.
  var count: Int { elements.count - head }
  /// Whether the queue is empty.
  var isEmpty: Bool { count == 0 }

  /// Appends an element.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Inserts elements before all others, in their order.
  mutating func prepend(_ front: [Element]) {
    if front.isEmpty { return }
    elements.replaceSubrange(0..<head, with: front)
    head = 0
  }

  /// Removes and returns the first element.
  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    head += 1
    // Releases the consumed part once it is the larger one: amortised constant time.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}

extension Queue: Sendable where Element: Sendable {}
