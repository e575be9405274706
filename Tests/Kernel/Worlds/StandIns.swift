internal import DetentTypes
internal import Glibc

/// A program of the panel that waits to be told what it prints and how it ends.
final class StandIn {
    /// The control, from DETENT_CONTROL; empty for a program that no control asked for.
    let control: String
    /// The value, from DETENT_VALUE.
    let value: String
    /// The program's name and its arguments.
    let arguments: [String]
    private let file: Int32

    fileprivate init(_ words: [String], _ file: Int32) {
        (control, value, arguments) = (words[0], words[1], Array(words[2...]))
        self.file = file
    }

    /// Prints bytes.
    func say(_ bytes: [UInt8]) { order("p", UInt32(bytes.count), bytes) }

    /// Ends with an exit status.
    func end(_ status: UInt8) { order("x", UInt32(status), []) }

    private func order(_ verb: Unicode.Scalar, _ number: UInt32, _ bytes: [UInt8]) {
        let parts = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
        Descriptor.give([UInt8(ascii: verb)] + parts + bytes, to: file)
    }
}

/// Hears of the programs that the panel starts.
final class StandIns {
    private static let address = "\(Surroundings.folder)/programs"

    private let file: Int32
    private let poller: Poller
    private var greetings: [Int32: [UInt8]] = [:]
    private var programs: [Int32: StandIn] = [:]
    /// Takes a program that has started.
    var began: (StandIn) -> Void = { _ in }
    /// Takes a program that has ended, because it was told or killed.
    var ended: (StandIn) -> Void = { _ in }

    /// Listens.
    init(_ poller: Poller) throws {
        self.poller = poller
        unlink(Self.address)
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Self.address.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, size) == 0 }
        }
        guard isBound, Glibc.listen(file, 64) == 0 else {
            throw Failure("\(Self.address): errno \(errno)")
        }
        chmod(Self.address, 0o777)
        poller.watch(file) { [unowned self] in accept() }
    }

    deinit {
        for descriptor in Array(greetings.keys) + Array(programs.keys) + [file] {
            poller.watch(descriptor, nil)
            close(descriptor)
        }
    }

    private func accept() {
        let program = Glibc.accept(file, nil, nil)
        guard program >= 0 else { return }
        _ = fcntl(program, F_SETFD, FD_CLOEXEC)
        _ = fcntl(program, F_SETFL, O_NONBLOCK)
        greetings[program] = []
        poller.watch(program) { [unowned self] in hear(program) }
    }

    private func hear(_ descriptor: Int32) {
        guard let bytes = Descriptor.take(descriptor) else {
            poller.watch(descriptor, nil)
            close(descriptor)
            greetings[descriptor] = nil
            if let program = programs.removeValue(forKey: descriptor) { ended(program) }
            return
        }
        guard var greeting = greetings[descriptor] else { return }
        greeting += bytes
        greetings[descriptor] = greeting
        let length = greeting.prefix(4).enumerated().reduce(0) { $0 + Int($1.1) << (8 * $1.0) }
        guard greeting.count >= 4, greeting.count >= 4 + length else { return }
        greetings[descriptor] = nil
        let words = greeting[4...].split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count > 3 else { return }
        let program = StandIn(Array(words.dropLast()), descriptor)
        programs[descriptor] = program
        began(program)
    }
}
