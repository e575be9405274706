import CProcess
import Glibc

/// What a program is started with, in the form that the kernel needs; freed at the end of its life.
struct ProgramImage: ~Copyable {
    private let arguments: [UnsafeMutablePointer<CChar>?]
    private let environment: [UnsafeMutablePointer<CChar>?]
    private let directory: UnsafeMutablePointer<CChar>?

    /// Copies everything.
    ///
    /// - Parameter inherited: variables of this process, each as `NAME=value`.
    init(_ call: ProgramCall, inherited: [[CChar]]) {
        arguments = call.arguments.map { strdup($0) } + [nil]
        let added = call.environment
        let replaced = added.map { Array("\($0.name)=".utf8CString.dropLast()) }
        let kept = inherited.filter { variable in
            !replaced.contains { variable.starts(with: $0) }
        }
        var last: [String: String] = [:]
        for (name, value) in added { last[name] = value }
        environment =
            kept.map { strdup($0) }
            + last.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        directory = call.workingDirectory.map { strdup($0) }
    }

    deinit {
        for pointer in arguments + environment { free(pointer) }
        free(directory)
    }

    /// Starts the program as the leader of its own process group; -1 is `/dev/null`.
    ///
    /// - Returns: its process id, or the error.
    private func spawn(
        standardInput: Int32, standardOutput: Int32, standardError: Int32, guardian: Guardian
    ) -> Result<pid_t, Errno> {
        var process: pid_t = 0
        let request = detent_spawn_request(
            directory: directory, standard_input: standardInput, standard_output: standardOutput,
            standard_error: standardError, guardian: guardian.descriptor)
        let error = detent_spawn(&process, arguments, environment, request)
        return error == 0 ? .success(process) : .failure(Errno(number: error))
    }

    /// Starts the program, as `spawn` does, with a descriptor that is readable when it has ended.
    func spawnWatched(
        standardInput: Int32, standardOutput: Int32, standardError: Int32, guardian: Guardian
    ) throws(Errno) -> (process: pid_t, descriptor: Int32) {
        let process = try spawn(
            standardInput: standardInput, standardOutput: standardOutput,
            standardError: standardError, guardian: guardian
        ).get()
        let descriptor = detent_pidfd_open(process)
        guard descriptor < 0 else { return (process, descriptor) }
        let error = Errno(number: errno)
        kill(-process, SIGKILL)
        guardian.forget(process)
        _ = waitpid(process, nil, 0)
        throw error
    }

    /// The variables of this process, each as `NAME=value` with a final zero.
    static func inheritedEnvironment() -> [[CChar]] {
        var result: [[CChar]] = []
        guard var entry = detent_environment() else { return [] }
        while let variable = entry.pointee {
            result.append(Array(UnsafeBufferPointer(start: variable, count: strlen(variable) + 1)))
            entry += 1
        }
        return result
    }
}

/// An error number of the system.
struct Errno: Error, Equatable {
    var number: Int32

    var text: String { String(cString: strerror(number)) }
}
