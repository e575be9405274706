import CInput
import CWall
import DetentActions
import DetentPlatform
import DetentTypes
import Glibc

/// The process that reads what one device nearby says: over TCP, UDP or a serial device; or that
/// presses keys of this machine.
///
/// It opens its wire, is shut in, and can then read, write and end; for keys by a shorter list of
/// system calls, with which no other device can be made. The panel starts it with its
/// end of the link as standard input, and a serial device or `/dev/uinput` as standard output.
/// Names are looked up by a process of their own, which reads the answers of name servers and
/// nothing else.
public enum WireProcess {
    /// The argument with which the program becomes this process.
    public static var word: String { Wires.program[1] }

    private struct Failure: Error {
        var text: String
        var isRefused = false

        init(_ text: String) { self.text = text }

        init(errno error: Int32) {
            text = String(cString: strerror(error))
            isRefused = error == ECONNREFUSED
        }
    }

    /// Does its work until the panel ends it.
    ///
    /// - Parameters:
    ///   - arguments: `find HOST PORT`, `tcp ADDRESS…`, `udp ADDRESS…`, `hear ADDRESS`, `serial`,
    ///     or `keys NAME CODE…`.
    ///   - say: prints a message for people.
    /// - Throws: `WallError` if it has no panel, or cannot be shut in.
    public static func run(_ arguments: [String], say: (String) -> Void) throws {
        var kind: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &kind, &size) == 0,
            kind == Int32(SOCK_SEQPACKET.rawValue), let word = arguments.first
        else {
            throw WallError(
                cause: "`detent \(self.word)` is a part of `detent run`", remedy: "use `detent run`"
            )
        }
        signal(SIGPIPE, SIG_IGN)
        detent_wall_be_expendable()
        let rest = Array(arguments.dropFirst())
        do {
            if word == "find" { return try find(rest, say) }
            let wire = try open(word, rest)
            if word == "keys" {
                try ProcessWall.enclose(.keys, name: "the process that presses keys", say: say)
            } else {
                try ProcessWall.enclose(.hearer, name: "the reader of a device", say: say)
                detent_wall_rename("detent-wire")
            }
            var loop = WireLoop(
                link: STDIN_FILENO, wire: wire, isDatagram: word == "udp" || word == "hear")
            loop.run()
        } catch let failure as Failure {
            post(.ended(Array(failure.text.utf8), isRefused: failure.isRefused))
        }
    }

    private static func post(_ note: WireNote) {
        let message = note.message
        _ = write(STDIN_FILENO, message, message.count)
    }

    /// Looks up a name; says the first addresses.
    private static func find(_ arguments: [String], _ say: (String) -> Void) throws {
        guard arguments.count == 2 else { throw Failure("no name") }
        try ProcessWall.enclose(
            .broker, name: "the search for a device", reading: [], isFirst: false, say: say)
        detent_wall_rename("detent-find")
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let error = getaddrinfo(arguments[0], nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard error == 0 else { throw Failure(String(cString: gai_strerror(error))) }
        var found: [String] = []
        var next = list
        while let result = next, found.count < WallLimits.addressesOfName {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(
                result.pointee.ai_addr, result.pointee.ai_addrlen, &text, socklen_t(text.count),
                nil, 0,
                NI_NUMERICHOST) == 0
            {
                let host = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
                found.append(host.contains(":") ? "[\(host)]" : host)
            }
            next = result.pointee.ai_next
        }
        guard !found.isEmpty else { throw Failure("it has no address") }
        let places = found.map { "\($0):\(arguments[1])" }
        post(.found(Array(places.joined(separator: " ").utf8)))
    }

    private static func open(_ word: String, _ addresses: [String]) throws(Failure) -> Int32 {
        switch word {
        case "serial": return STDOUT_FILENO
        case "keys":
            let keys = addresses.dropFirst().compactMap { UInt16($0) }
            let error = detent_input_make(
                STDOUT_FILENO, addresses.first ?? "", keys, Int32(keys.count))
            guard error == 0 else { throw Failure(errno: -error) }
            return STDOUT_FILENO
        case "hear":
            guard let place = addresses.first.flatMap(HostAndPort.init) else {
                throw Failure("it is no address")
            }
            let socket = detent_wall_hear(place.host, place.port)
            guard socket >= 0 else { throw Failure(errno: -socket) }
            return socket
        case "tcp", "udp":
            let kind = word == "tcp" ? SOCK_STREAM : SOCK_DGRAM
            var failure = Failure("it is no address")
            for text in addresses {
                guard let place = HostAndPort(text) else { continue }
                let socket = detent_wall_connect(place.host, place.port, Int32(kind.rawValue))
                if socket >= 0 { return socket }
                failure = Failure(errno: -socket)
            }
            throw failure
        case _: throw Failure("it is no wire")
        }
    }
}
