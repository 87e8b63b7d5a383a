/// The help text of `grampad-bench real`.
enum RealDefinitions {
  static let text = """
    The recordings are not part of Grampad. --data names a folder with any of these files; folders in it are \
    searched too:

    \(RecordingFolder.Name.coffee) from github.com/mortenfyhn/coffee-scales at 0bd6ca1, firmware/logs (GPL-3.0): raw \
    counts of an HX711 with a bar cell of 1 kg, 11 samples/s, with that scale's own filter and steady flag.
    shot-real.csv, shot-negative.csv from github.com/miharekar/visualizer at a0d4cd8, test/files (MIT): the weights \
    of beanconqueror_real.json and beanconqueror_negative.json, as columns time_s and weight_g.
    "\(RecordingFolder.Name.hanging.file)" and "\(RecordingFolder.calibrationFile)" from github.com/telenaco/FARE-KE \
    at 675f97c, Calibration scripts/Comparison Beam load cells (no licence stated): three bar cells on which loads \
    of 2.2 to 2.3 kg hang and swing, 8.8 samples/s.

    Grampad runs with its whole scale machine on a platter with one ABS_PRESSURE axis of 2^23 counts (2^24 for the \
    hanging loads), under a plate of 50 g that it has to find. The peers receive each sample in grams. Their tuned \
    parameters are those with which they settle fastest on brew. The capacity is that of the cell: 1000 g, 5000 g \
    for hanging loads, 385 g for shot-real and 2000 g for shot-negative.

    Rest is found in the recording alone, with a rule that looks ahead, which no scale can. A line is fitted to each \
    block of 2 s; the noise is the lower quartile of the standard deviations from these lines. Blocks with at most \
    four times that noise and at most 0.1 g/s of slope are quiet; overlapping ones are a plateau. The load rests \
    from the sample from which on all samples up to the first quiet block are within 0.5 g (or five times the noise) \
    of its mean. The load at a moment of a plateau is a line through the samples within 5 s of it, less the mean of \
    the empty plate.

    rest_to_stable: time from rest to a stable reading. rest_to_limit_kept: time from rest until the samples \
    themselves have stayed within the motion limit, peak to peak, for the time in force, at least six sample periods. \
    A load that rests within 0.5 g may still move by more than that limit. rest_to_reading: until the unrounded reading stays \
    within the motion limit of the load, observed for 8 s after rest. error_at_onset: rms difference to the load when Grampad becomes \
    stable. noise_at_rest: rms difference from 2 s after rest. drift_error: the largest one on plateaus of more than \
    a minute. later_than_own_flag: by how much Grampad is later than the recorded scale, worst plateau.
    outside_2u: share of the stable displayed readings, from 1 s after rest, that differ from the load by more than \
    twice their uncertainty. uncertainty_to_needed: the median uncertainty, divided by the one with which 95 % would \
    be inside.
    topic_lag: longest time from a stable reading with a new value to its message on the topic stable.
    stable_in_flow: share of the samples with more than 0.5 g/s (a line through 1 s before and after) at which the \
    scale is stable. onsets_over_6_g: stable readings that begin while the load swings by more than 6 g, peak to \
    peak, both in the 1.5 s before and in the 1.5 s after. A loading lasts while more than half of the largest load \
    hangs on the cell.
    largest_excursion: the largest value that an empty scale displays, from zeroed on; for peers, their reading less \
    that of the first second, rounded to the division. zeroed_after: time to the event zeroed; on ranges of 2^10 to \
    2^31, each with the counts of a converter of that range, and those above the recorded one also with the recorded \
    counts on an axis that declares more.
    Synthetic series have \(Table.plain(SyntheticSeries.noise)) g of noise and a known load: \
    \(Table.plain(SyntheticSeries.mass)) g put on after \(Table.plain(SyntheticSeries.placed)) s. \
    settled_noise_ratio: rms of reading minus load 5 to 8 s after rest, to the noise of a sample, without the error \
    of the learned plate, which net_noise_ratio includes. spikes_that_change: share of single wrong samples after \
    which, compared with the same series without them, the display differs by more than a division, a stable reading \
    ends, or a message follows. Wrong values: stable readings, or readings of a load that has not changed for 1 s, \
    that are off by more than a division and three standard deviations of a sample. stable_in_silence: how long a \
    reading remains stable after the last sample. drip_lost: mass missing 6 s after a drip of 0.02 to 0.5 g/s onto \
    the empty plate.
    """
}

extension RecordingFolder.Name {
  /// The files of coffee-scales.
  fileprivate static let coffee = [brew, coldstart, startup].map(\.file).joined(separator: ", ")
}
