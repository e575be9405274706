import ArgumentParser
struct ReplayCommand: ParsableCommand { static let configuration = CommandConfiguration(commandName: "replay"); func run() throws {} }
struct TestCommand: ParsableCommand { static let configuration = CommandConfiguration(commandName: "test"); func run() throws {} }
