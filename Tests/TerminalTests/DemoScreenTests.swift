import Testing

@testable import Terminal
@testable import Weighing

@Suite struct DemoScreenTests {
  private static let event = ScaleEvent(kind: .tareCleared, time: Instant(nanoseconds: 0), tareEpoch: 0)

  @Test func greetsWhenBothPortsAreKnown() throws {
    let output = try Pipe()
    let screen = DemoScreen(output: output.writing, program: "grampad") {}
    screen.show(.event(Self.event))
    screen.setBrokerPort(1883)
    screen.setPagePort(8385)
    screen.setPagePort(8385)
    screen.show(.event(Self.event))
    output.closeWriting()
    let text = output.readAll()
    #expect(text.hasPrefix("Grampad demo: a scale with a simulated pad.\n"))
    #expect(text.contains("http://127.0.0.1:8385/") && text.contains("-p 1883"))
    #expect(text.split(separator: "Grampad demo").count == 1 && text.hasSuffix("\n  tare cleared\n"))
  }
}
