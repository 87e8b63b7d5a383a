import Testing

extension All {
  /// The view of a brew of several pours, told by events and readings of another time than that of the pad.
  struct BrewPageTests {
    /// Tells events and readings, and returns the line below the timer after each reading. No message of the appliance comes in between.
    private static func told(_ steps: [String]) -> String {
      """
      import('./scale.js').then(({ tell, scale }) => {
        const line = document.querySelector('.brewing .pour'), lines = [];
        const event = (type, more) => tell('event', { type, time: scale.reading.time, ...more });
        const live = (more) => {
          tell('live', { ...scale.reading, ...more });
          lines.push(line.hidden ? 'hidden' : line.textContent);
        };
        \(steps.joined(separator: ";\n  "));
        live({});
        return lines.join('|');
      })
      """
    }

    private static let brews = [
      (
        [
          "event('timer_started', { timer_s: 11.3, pours: 1 })", "live({ timer_s: 11.3, pours: 1 })",
          "event('timer_stopped', { timer_s: 8, pours: 1 })", "live({ timer_s: 8, pours: 1 })",
          "event('timer_started', { timer_s: 14.3, pours: 2, pause_s: 5 })", "live({ timer_s: 14.3, pours: 2 })",
          "event('timer_stopped', { timer_s: 14.3, pours: 2, amended: true })", "live({ timer_s: 14.3, pours: 2 })",
        ], "Pour 1 · 0:11|Pour 1 · Paused 0:03|Pour 2 · 0:01|Pour 2|hidden"
      ),
      // The page was opened in the pause, or does not know how the pour began.
      (
        [
          "live({ timer_s: 8, pours: 1 })", "event('timer_started', { timer_s: 14.3, pours: 2, pause_s: 5 })",
          "live({ timer_s: 14.3, pours: 2 })",
        ], "Pour 1|Pour 2 · 0:01|hidden"
      ),
      // A run that a user starts has no pours.
      (["event('timer_started', { timer_s: 0 })", "live({ timer_s: 0 })"], "hidden|hidden"),
      // The vessel is lifted.
      (
        [
          "event('timer_started', { timer_s: 11.3, pours: 1 })", "event('timer_stopped', { timer_s: 8, pours: 1 })",
          "live({ timer_s: 8, pours: 1, state: 'empty' })",
        ], "Pour 1|hidden"
      ),
    ]

    @Test func theCurrentPourIsBelowTheTimer() throws {
      let stage = try Stage("still")
      defer { withExtendedLifetime(stage) {} }
      let browser = try Browser()
      try browser.call("Page.navigate", ["url": stage.address])
      try browser.wait("live", until: "document.documentElement.dataset.link === 'live'")
      try browser.waitForLateParts()
      try browser.evaluate("location.hash = '#/brew'")
      try browser.wait("the view", until: "document.querySelector('#view-brew')?.checkVisibility()")
      for (steps, lines) in Self.brews { #expect(try browser.text(Self.told(steps)) == lines) }
    }
  }
}
