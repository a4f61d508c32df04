// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Testing

@Suite struct ArgumentsTests {
  private func command(_ name: String) throws -> Command {
    try #require(Command.all.first { $0.name == name })
  }

  @Test func bothFormsOfAnOptionsValueAreEqual() throws {
    let call = try command("call")
    let spaced = try Arguments(["GET", "a", "--query", "x=1", "--query=y=2", "--json"], for: call)
    #expect(spaced.all("query") == ["x=1", "y=2"])
    #expect(spaced.positional == ["GET", "a"])
    #expect(spaced.has("json"))
    #expect(!spaced.has("include"))
    #expect(try Arguments(["--data", "-", "POST", "--", "--json"], for: call).positional == ["POST", "--json"])
  }

  @Test(arguments: Command.all.map(\.name)) func noOptionHasTwoMeanings(_ name: String) throws {
    let names = try command(name).optionNames
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: Command.all.map(\.name)) func everyCommandTakesJSON(_ name: String) throws {
    let command = try command(name)
    #expect(try Arguments(["--json", "--help"], for: command).has("json"))
  }
}
