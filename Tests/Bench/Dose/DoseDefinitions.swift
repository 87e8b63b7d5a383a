/// The help text of `grampad-bench dose`.
enum DoseDefinitions {
  static let text = """
    A vessel of 100 g is put on the empty plate, rests for 2 s and is tared; a target is set, a source is switched on, and
    each contender stops it. Whatever is commanded takes effect a dead time later, which deviates by 5 % from dose to
    dose, as the flow does. A tenth of a second of the flow drips after the end. A series has eight doses, so that the
    contenders learn; each sees the same samples until it stops. Targets are 10 g, or what flows in 7.5 s.

    Kinds: valve: steady. pump: rises from a third of the flow to a little more than it. grinder: fluctuates by a quarter
    for 0.3 s. pulsing: between nothing and twice the mean, each 0.6 s. clumps: a grinder, of which a third falls in clumps
    of 0.15 s of flow, one of them after three of ten ends. empty: fades from 60 to 90 % of the target on, and is about
    half at the target; the hopper is empty before the target in the third dose, which is not scored. recording: the
    part of a recorded pour that only grows is the inflow, at 95 to 105 % of its speed, with targets at a third, two thirds and
    nine tenths of it; dead times of 0.3 and 0.8 s.
    Cells: 10 and 80 samples/s with 0.03 g of noise, 10 and 40 with 0.1 g, 20 and 80 with 0.5 g; in half of the conditions
    the converter averages over two samples. Division 0.1 g; 0.5 g with 0.5 g of noise.

    error: the mass at rest less the target, its magnitude; doses 1 to 5 (first) and 6 to 8 (after five doses).
    duration: from the start of the source to the last command that ends it. missed: doses that were never stopped.
    bound: an oracle that knows the source, its mean flow, dead time and drip, but not those of the dose, and the mass as
    well as a line through all samples of a steady flow with white noise would. No scale can know that; --check allows a
    multiple of it.

    Recordings: see grampad-bench flow --help. The sources of the peers are in the file of --json.
    """
}
