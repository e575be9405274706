import CWall
import DetentPlatform
import DetentRuntime
import DetentTypes
import DetentWall
import Glibc

/// The process that hears messages of Open Sound Control for a panel.
///
/// It reads datagrams of strangers, so it has no line, no file and no privilege: it can only print.
/// `PanelFeedback` starts it as it starts programs, with where to listen, and with the address and
/// the number of an argument for each source.
public enum OSCListener {
    /// The argument with which the program becomes this process.
    public static var word: String { PanelFeedback.listenerWord }

    /// Listens until the panel ends it.
    ///
    /// - Parameters:
    ///   - arguments: those after the word.
    ///   - say: prints a message for people.
    /// - Throws: `ServerError` if this process has no panel, or cannot listen.
    public static func run(_ arguments: [String], say: (String) -> Void) throws {
        guard let listen = arguments.first.flatMap(HostAndPort.init),
            var switchboard = OSCSwitchboard(Array(arguments.dropFirst()))
        else {
            throw ServerError(
                cause: "`detent \(word)` is a part of `detent run`", remedy: "use `detent run`")
        }
        let socket = detent_wall_hear(listen.host, listen.port)
        guard socket >= 0 else {
            throw ServerError(
                cause: "OSC messages cannot be heard at \(listen.text): "
                    + String(cString: strerror(-socket)),
                remedy: "in `listen`, write an address of this machine and a port that no other "
                    + "program uses")
        }
        detent_wall_be_expendable()
        try ProcessWall.enclose(.hearer, name: "the listener for OSC", say: say)
        hear(socket, &switchboard)
    }

    private static func hear(_ socket: Int32, _ switchboard: inout OSCSwitchboard) {
        var datagram = [UInt8](repeating: 0, count: ServerLimits.datagramBytes)
        var set = PollSet(capacity: 1)
        while true {
            set.removeAll()
            _ = set.add(socket)
            _ = set.wait(now: MonotonicClock.now, until: switchboard.deadline)
            // The limit lets lines out when datagrams never pause.
            for _ in 0..<ServerLimits.datagramsAtOnce {
                let count = recv(socket, &datagram, datagram.count, Int32(MSG_DONTWAIT))
                guard count >= 0 else { break }
                switchboard.take(datagram[..<count])
            }
            var lines = switchboard.lines(at: MonotonicClock.now)
            let isWritten = lines.withUTF8 { bytes in
                var rest = UnsafeRawBufferPointer(bytes)
                while !rest.isEmpty {
                    let count = write(STDOUT_FILENO, rest.baseAddress, rest.count)
                    guard count > 0 else { return false }
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
                return true
            }
            // The panel has gone.
            if !isWritten { return }
        }
    }
}
