/// A line of the panel, by its place in the plan; inputs, indicators and outputs share one count.
public struct LineID: Equatable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Place in the plan, from 0.
    public var index: UInt16

    /// Names the line at a place in the plan.
    @inlinable
    public init(_ index: UInt16) {
        self.index = index
    }

    /// Orders by place.
    @inlinable
    public static func < (left: LineID, right: LineID) -> Bool { left.index < right.index }
}

/// A control of the panel, by its place in the plan.
public struct ControlID: Equatable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Place in the plan, from 0.
    public var index: UInt16

    /// Names the control at a place in the plan.
    @inlinable
    public init(_ index: UInt16) {
        self.index = index
    }

    /// Orders by place.
    @inlinable
    public static func < (left: ControlID, right: ControlID) -> Bool { left.index < right.index }
}

/// One request from outside the panel; who asks counts them from 1, so an answer finds its request.
///
/// The engine carries the number to the answer and makes nothing else of it: numbers that are used
/// twice give two answers that cannot be told apart.
public struct RequestID: Equatable, Hashable, Sendable, BitwiseCopyable {
    /// The count of this request; 0 where no answer is wanted.
    public var number: UInt32

    /// Names a request by its count.
    @inlinable
    public init(_ number: UInt32) {
        self.number = number
    }

    /// No answer is wanted, so none is given.
    @inlinable
    public static var none: RequestID { RequestID(0) }
}

/// One attempt of an action; the engine counts them from 1, so an outcome finds its attempt.
public struct RunID: Equatable, Hashable, Sendable, BitwiseCopyable {
    /// The count of this attempt.
    public var number: UInt32

    /// Names an attempt by its count.
    @inlinable
    public init(_ number: UInt32) {
        self.number = number
    }
}
