/// Definitions of the measured figures, printed by the help.
enum TruthDefinitions {
  static let text = """
    Pads are simulated: 8 and 10 bits; 60, 125, 250 and 1000 Hz; linear and curved; 0.5, 1 and 2 g of noise; with and \
    without creep and hysteresis. Loads: step (placed by hand, 60 to 300 ms), ramp (1 to 3 s), pausing (placed in two \
    parts, 100 to 250 ms apart), stirring (up to 8 g for 3 s), drip (1 g/s), vibration (2 g at 13 to 23 Hz for 4 s). Loads \
    are 10 to 350 g. All contenders receive the same samples through the same calibration with nine points. The peers also \
    receive repeated samples, which evdev drops, and are reset when a load is put on the empty pad. Truth is the force on \
    the sensor, including creep and hysteresis, because a filter cannot correct those. Every trial is observed for 3.5 s \
    after the load comes to rest.

    settling: time from rest until the unrounded reading stays within one division (1 g) of the truth. It is 0 if the \
    reading was within one division when the hand released the load; two contenders with 0 are ranked equal. Calculated \
    for step, ramp and pausing together.
    steady noise: root mean square of reading minus truth, from 2 s after rest.
    stable, late: time from rest until the load remains reported as stable, minus the contender's stability time (Grampad \
    300 ms, TrackWeight 3 s). Negative if the end of the movement was below the motion limit. The goal applies to step, ramp \
    and pausing; after oscillations Grampad requires twice the time.
    bound: sigma / sqrt(n), where sigma is the standard deviation of a sample including rounding, and n the number of \
    samples since rest (at least those within the contender's stability time, because a contender that reports earlier \
    treats all of that time as rest). The error at stable is compared with it as a root mean square, one standard deviation \
    with another, and by the proportion of errors above 1.96 x 1.3 times the bound; in both cases half a division is used \
    if it is larger. The contender "bound" is the mean of all samples since rest.
    false stable: the load was reported as stable although it had moved, including stirring, by more than the motion limit \
    (Grampad 1 g, TrackWeight 2 g), peak to peak, within the stability time. There is no allowance for noise. Counted per \
    placement, in step, ramp, pausing and stirring; the confidence bound is that of Clopper and Pearson. By 50 ms: the load \
    had also moved by that amount in all but the first 50 ms of the stability time, which is the tolerance of that time.
    early stable: stable was reported correctly by the rule above, but while the load was still being placed and more than \
    one division from its final value. A load that increases by 10 g in 3 s never changes faster than 1.5 g in 300 ms.
    lost: stable was withdrawn at rest. stirred: the proportion of time reported as stable during stirring.
    flickers: changes of the display, at rest and after stable, back to a value shown before; corrections: all changes.
    lag: mean of truth minus reading, from 2 s after the start of the drip.

    Peers use their published parameters. Peers that can be tuned are also run with the parameters from a grid that settle \
    fastest (95 %) on such loads and on pads with the same rate and noise.

    \(sources)
    """

  private static let sources = BenchFilterName.allCases.map { "\($0.title): \($0.source)." }.joined(separator: "\n")
}
