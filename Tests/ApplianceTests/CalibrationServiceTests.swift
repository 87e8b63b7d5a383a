import Messages
import Servers
import Testing
import Weighing

@testable import Appliance

/// The calibration of a running appliance: at most one page or program commands it.
struct CalibrationServiceTests {
  private let source: CalibratingSource

  init() {
    let service = CalibrationService { _ in }
    service.setPad(isPresent: true)
    source = service.start()
  }

  private func perform(_ command: String) async throws(RouteError) -> JSONValue? {
    let result: Result<[UInt8], RouteError> = await completed { source.perform(Array(command.utf8), $0) }
    let json = try result.get()
    return try? JSONValue(json, maximumBytes: 1 << 16)
  }

  private func reason(_ command: String) async -> String? {
    do throws(RouteError) {
      _ = try await perform(command)
      return nil
    } catch {
      if case .refused(let refusal) = error { return refusal.reason }
      return "\(error)"
    }
  }

  @Test func onlyThePageThatHasItCommands() async throws {
    let start = #"{"do": "start", "masses_g": [50, 100]}"#
    let first = try #require(try await perform(start)?["session"]?.text)
    #expect(await reason(start) == "busy")
    let second = try #require(try await perform(#"{"do": "take_over"}"#)?["session"]?.text)
    #expect(await reason(#"{"do": "skip", "session": "\#(first)"}"#) == "no_session")
    #expect(await reason(#"{"do": "close", "session": "\#(first)"}"#) == "no_session")
    #expect(try await perform(#"{"do": "status", "session": "\#(second)"}"#)?["attended"]?.isTrue == true)
    let closed = try await perform(#"{"do": "close", "session": "\#(second)"}"#)
    #expect(closed?["state"]?.text == "ended" && closed?["attended"]?.isTrue == false)
    #expect(await reason(#"{"do": "take_over"}"#) == "not_now")
  }
}
