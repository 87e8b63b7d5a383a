/// The help text of `grampad-bench flow`.
enum FlowDefinitions {
  static let text = """
    Simulated pours: a cup of \(Table.plain(SimulatedPour.cup)) g is put on the empty plate, rests for \
    \(Table.plain(SimulatedPour.lead)) s and is tared; then mass arrives at a steady rate for \
    \(Table.plain(SimulatedPour.length)) s, and rests. Force pads of 10 counts a gram do not report repeated values, \
    as evdev; load cells have 1,540 counts a gram and 11 samples/s, with white noise and with that of a converter \
    that averages over two samples. A stream that splashes scatters by a tenth of a second of its flow.
    flow_outside_bound: share of the values during the pour that are further from it than 0.2 g/s and 2.5 standard \
    deviations of the slope of a line through the samples since the start. flow_error_p95: 95 % of the values \
    from the first flow on are nearer than this share of the flow. "line" is the least-squares line through all \
    samples since the true start at the same moments: with white noise no unbiased estimate is better, so that a \
    goal below its error is a quarter above it. flow_unknown: share of the samples from \
    1 s after the start without a flow. start_known, stop_known: seconds from the start to the first flow, and from \
    the end to the first zero. start_outside_bound: share of the starts on the timer that are further from the true start \
    than 0.3 s and 2.5 standard deviations of the moment at which a line through the rest meets one through the pour.

    Loads at rest: the cup of the simulated pours rests for 9 minutes in each trial, 6 hours with 40 trials. \
    false_flows: number of separate runs of readings with a flow that is not 0, for an hour. false_flow_time: share of \
    the readings in them. false_pours: number of pours that the scale detects.

    Recordings: --data names a folder with any of these; folders in it are searched too.
    *.json of Beanconqueror and *.shot of Decent Espresso machines: for example those in \
    github.com/miharekar/visualizer at a0d4cd8, test/files (MIT), and in github.com/graphefruit/Beanconqueror at \
    d56e7e6, src/assets (GPL-3.0). shot-*.csv and coffee-scales-brew.csv as in grampad-bench real.
    The reference is the slope of a line through the samples of a second before and after. lag: by how much the flow \
    is behind the reference, where both agree best. rms_at_lag: the rms difference there. "own" is the flow that the \
    recording program has shown. unknown_in_flow: share of the samples with a reference of 0.3 to 12 g/s without a \
    flow. largest_at_rest: the largest flow while the weight stays within a tenth of a gram for 5 s. start_offset: \
    the start on the timer less the last moment before the weight rose by 0.25 g. stop_offset: the stop on the timer \
    less the first moment after which the weight grew by less than 0.1 g/s or a tenth of the strongest flow for 3 s.
    Pours of the data: stretches with more than 3 s of little flow between. A pour begins at the last sample before \
    the weight rose by 0.25 g, unless the next seconds show no stream. It ends at the first sample after which the weight \
    grows by less than a drip, both in the next 3 s and in the next 0.5 s; a drip is a tenth of the strongest flow, 0.1 to \
    0.5 g/s. pours_detected, first_start_offset, last_end_offset: the pours that the scale has detected, the start of the \
    first one less that of the data, and the end of the last one; the goals are for recordings of more than 100 g. \
    unknown_in_pour: share of the samples from 1 s after the \
    start of each pour of the data to its end without a flow, pulses included.
    """
}
