/// What is measured, and how it is meant.
enum TruthDefinitions {
  static let text = """
    Pads are simulated: 8 and 10 bits; 60, 125, 250 and 1000 Hz; linear and curved; 0.5, 1 and 2 g of noise; with and \
    without creep and hysteresis. Loads: step (a hand, 60 to 300 ms), ramp (1 to 3 s), pausing (a hand in two parts, 100 \
    to 250 ms apart), stirring (up to 8 g for 3 s), drip (1 g/s), vibration (2 g at 13 to 23 Hz for 4 s). Loads weigh 10 \
    to 350 g. All contenders see the same samples through the same calibration at nine points; the peers are given every \
    sample, the repeated ones that evdev drops as well, and begin anew when something is put on the empty pad. Truth is \
    what the sensor feels, creep and hysteresis included: nobody can know more. Every trial is watched for 3.5 s after rest.

    settling: from the moment the load rests until the reading, unrounded, is within one division (1 g) of the truth for \
    good. It is 0 where the reading was within a division when the hand let go; two that are at 0 count as equally soon. \
    Scored on step, ramp and pausing together.
    steady noise: the root mean square of reading less truth, from 2 s after rest.
    stable, late: from rest until the load is called stable for good, less the time that the contender is told to wait \
    (Grampad 300 ms, TrackWeight 3 s). Negative where the end of the movement was under the limit.
    bound: sigma / sqrt(n), sigma that of a sample with its rounding, n the samples since rest. The error at stable is held \
    against it as a root mean square, one standard deviation against one, and by the share of errors beyond 1.96 x 1.3 times \
    it, each time with half a division where that is more. The contender "bound" is the mean of all samples since rest.
    false stable: an announcement when the load, stirring included, had moved by more than the limit (Grampad 1 g, \
    TrackWeight 2 g), peak to peak, within the time before it. Nothing is allowed for noise. Counted per placement, in step, \
    ramp, pausing and stirring; the bound given is that of Clopper and Pearson. By 50 ms: the load had also moved that much in \
    all but the first 50 ms of the time, which is what stable may be apart from its time.
    early stable: an announcement that is right by that rule but made while a hand was still at work, more than a division \
    from where it ended. A hand that takes 3 s to put down 10 g is never faster than 1.5 g in 300 ms.
    lost: stable was taken back at rest. stirred: the share of the time called stable in the middle of stirring.
    flickers: changes of the display, at rest and after it was stable, to a value that it had left; corrections: all changes.
    lag: truth less reading, mean, from 2 s after the drip began.

    Peers are taken with their published parameters; those that can be tuned, also with those of a grid that settle soonest, \
    95 % of the time, on such loads on pads of the same rate and noise.
    """
}
