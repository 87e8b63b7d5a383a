import Testing
import Weighing

@testable import Simulating

/// When a light device publishes health.
@Suite struct HealthScheduleTests {
  @Test func aChangeWaitsForTheInterval() {
    var schedule = HealthSchedule(shortest: .seconds(10))
    let start = Instant(nanoseconds: 0)
    #expect(schedule.isDue(0, at: start))
    schedule.publish(0, at: start)
    #expect(!schedule.isDue(1, at: start + .seconds(9)) && schedule.isDue(1, at: start + .seconds(10)))
    #expect(!schedule.isDue(0, at: start + .seconds(299)) && schedule.isDue(0, at: start + .seconds(300)))
    schedule.connect()
    #expect(schedule.isDue(0, at: start + .seconds(1)))
  }

  @Test func nothingIsRepeatedWithinALongInterval() {
    var schedule = HealthSchedule(shortest: .seconds(3600))
    let start = Instant(nanoseconds: 0)
    schedule.publish(5, at: start)
    for sequence in [5, 6] {
      #expect(!schedule.isDue(sequence, at: start + .seconds(3599)))
      #expect(schedule.isDue(sequence, at: start + .seconds(3600)))
    }
  }
}
