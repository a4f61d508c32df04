/// One line of a table: a piece of work, our way of doing it, and the others'.
struct Row {
  /// The table it stands in, such as `payload`.
  let path: String
  /// The work, such as `W1 token request`: what `--filter` and the gates go by.
  let name: String
  /// Bytes that one piece of work reads; for MB/s. Zero where that says nothing.
  let bytes: Int
  /// How many things one call works on: the figures are for one of them.
  let items: Int
  /// Our way.
  let ours: Contender
  /// The ways it is compared with.
  let baselines: [Contender]

  init(_ path: String, _ name: String, bytes: Int = 0, items: Int = 1, ours: Contender, baselines: [Contender] = []) {
    self.path = path
    self.name = name
    self.bytes = bytes
    self.items = items
    self.ours = ours
    self.baselines = baselines
  }
}

/// One way of doing a piece of work.
struct Contender {
  let name: String
  /// Does the work, and returns something of the result, so that the compiler cannot leave the work out.
  let run: () -> Int

  init(_ name: String, _ run: @escaping () -> Int) {
    self.name = name
    self.run = run
  }
}
