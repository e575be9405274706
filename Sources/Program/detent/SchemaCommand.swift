import ArgumentParser
import DetentCommand
import DetentPanel

/// `detent schema`: the JSON Schema of panel files.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of panel files.",
        discussion: "Example:  detent schema > panel.schema.json")

    func run() throws {
        try StandardOutput.writeOrFail(JSONSchema.text)
    }
}
