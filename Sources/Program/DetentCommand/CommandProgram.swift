import ArgumentParser
import DetentPanel
import DetentPlatform
import DetentTypes
import Glibc

/// A program of several commands: the first word names one of them.
///
/// It runs one command in the first thread, and exits with a documented code.
package protocol CommandProgram: ParsableCommand {
    /// The exit code after an error that ended a command.
    static func status(after error: any DescribedError) -> ExitStatus

    /// What to do instead of a command that another program has.
    static var moved: [String: String] { get }
}

extension CommandProgram {
    package static var moved: [String: String] { [:] }

    /// Prepares the process: its standard streams, and the signals of files and children.
    package static func prepare() {
        // A closed pipe is then an error of the write, not a signal that ends the process.
        signal(SIGPIPE, SIG_IGN)
        // So is a file that has reached the largest size that the user may write.
        signal(SIGXFSZ, SIG_IGN)
        // A parent may ignore the ends of its children, and a program inherits this. The system
        // would then drop how programs and the panel have ended.
        signal(SIGCHLD, SIG_DFL)
        StandardStream.fillGaps()
    }

    /// Runs the command in the arguments. Does not return after an error.
    ///
    /// - Parameter special: does what is no command, and says whether it did.
    package static func perform(unless special: () throws -> Bool = { false }) {
        do {
            if try special() { return }
            try checkCommandName()
            var command = try parseAsRoot(
                ArgumentOrder.withNumbersLast(Array(ProgramArguments.all.dropFirst())))
            try command.run()
        } catch let code as ExitStatus {
            Glibc.exit(code.rawValue)
        } catch let error as any DescribedError {
            end(error)
        } catch {
            endOfParsing(error)
        }
    }

    /// Prints an error, and exits.
    package static func end(_ error: any DescribedError) -> Never {
        StandardError.write(ErrorText.lines(error, at: configuration.commandName ?? "detent"))
        Glibc.exit(status(after: error).rawValue)
    }

    /// The parser reports an unknown command as an extra argument; this reports it as a command.
    private static func checkCommandName() throws {
        guard let word = ProgramArguments.all.dropFirst().first, !word.hasPrefix("-") else {
            return
        }
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard word != "help", !names.contains(word) else { return }
        let shown = String(word.prefix(60).map { $0.isNewline ? " " : $0 })
        throw Failure(
            code: .usage, cause: "there is no command `\(shown)`",
            remedy: moved[word] ?? nearestWord(to: word, among: names)
                .map { "did you mean `\($0)`?" } ?? "one of: " + names.joined(separator: ", "))
    }

    /// Handles errors of the parser: help and version are printed, all others are usage errors.
    private static func endOfParsing(_ error: any Error) -> Never {
        let text = fullMessage(for: error) + "\n"
        guard exitCode(for: error) == .success else {
            StandardError.write(text)
            Glibc.exit(ExitStatus.usage.rawValue)
        }
        do {
            try StandardOutput.writeOrFail(text)
            Glibc.exit(0)
        } catch {
            // It throws no other errors.
            end(error as? Failure ?? Failure(code: .failed, cause: "\(error)"))
        }
    }
}

/// The order of arguments, as the parser understands them.
package enum ArgumentOrder {
    /// Moves negative numbers and words such as `-10 V` behind `--`, where the parser takes them
    /// for values: no option begins with a digit.
    package static func withNumbersLast(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let isNumber = { (word: String) in
            word.first == "-" && word.dropFirst().first.map { $0.isNumber || $0 == "." } == true
        }
        let isMoved = arguments[..<end].indices.map { place in
            isNumber(arguments[place])
                && !(place > 0 && optionsOfNumbers.contains(arguments[place - 1]))
        }
        guard isMoved.contains(true) else { return arguments }
        let words = zip(arguments, isMoved)
        return words.filter { !$1 }.map(\.0) + ["--"] + words.filter { $1 }.map(\.0)
            + arguments[end...].dropFirst()
    }

    /// Options whose value can be a negative number, which stays behind them.
    private static let optionsOfNumbers = ["--by"]
}
