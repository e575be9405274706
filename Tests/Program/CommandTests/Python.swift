/// Another program's opinion of what `detent` prints.
enum Python {
    static func run(_ script: String, _ arguments: [String] = [], input: String) -> Program.Result {
        let session = Session(
            arguments, shell: "set -- -c '\(script)' \"$@\"; exec python3 \"$@\";")
        session.write(input)
        session.closeInput()
        return session.end()
    }

    static let isPresent = run("", input: "").code == 0
    static let hasSchemas = run("import jsonschema, yaml", input: "").code == 0
}
