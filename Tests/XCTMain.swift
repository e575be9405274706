import Testing

/// Runs all tests. With this file, a build needs no index of the sources to find them.
@main enum AllTests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
