/// A socket that a process beside a panel gets each time it starts; it stays open in between.
package protocol ChildSocket: AnyObject, Sendable {
    /// The open descriptor, which the socket closes.
    var descriptor: Int32 { get }
}
