import FreePorts
import Glibc

/// A broker on loopback, with its log in standard error.
struct Mosquitto: ~Copyable {
    /// Whether it is there.
    static let isInstalled = access("/usr/sbin/mosquitto", X_OK) == 0

    let port = Int(FreePorts.next())
    let session: Session
    private let file: TemporaryFile

    init() {
        file = TemporaryFile(
            "mosquitto.conf",
            "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\n")
        session = Session([], shell: "exec /usr/sbin/mosquitto -v -c \(file.path);")
    }
}
