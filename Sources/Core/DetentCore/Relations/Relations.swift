import DetentTypes

/// The machines of one control that most controls do not have.
struct Relations: BitwiseCopyable {
    /// The control that these relations belong to; its index in the engine.
    var control: UInt16 = .max
    var confirmation = Confirmation()
    var navigator = Navigator()
    var sequence = ActionSequence()
    /// When the value returns by itself.
    var returnsAt = Instant.never
    /// When the device will have been silent for too long.
    var staleAt = Instant.never
    /// What the device reported while it may still report an old value; unknown: nothing.
    var held = Value.unknown
    /// When what is held counts.
    var heldUntil = Instant.never
    /// When the contacts are read again although nothing happened.
    var auditAt = Instant.never
    /// Something that the control looks at may have changed.
    var isDirty = false
    /// The condition looks at all controls, or at the broker.
    var looksAtPanel = false
    /// Whether the buttons of the chord were all down when it was last looked at.
    var isChordDown = false
    /// The contact whose press is being confirmed.
    var confirmingContact: UInt8 = 0
    /// How far a hold is that will act.
    var holding = HoldProgress()
    /// The button of a row whose gestures are looked for.
    var followed = FollowedButton()
    /// Of a gesture that turns: detents that no run is for yet.
    var waitingSteps: Int32 = 0
    /// Of a gesture that turns: what the present run is for.
    var runningSteps: Int32 = 0
    /// The phase that was told last, where gestures have phases, too.
    var toldPhase = Phase.idle
    /// The present press was carried out, so its release ends what it began.
    var isPressAccepted = false

    var deadline: Instant {
        if isDirty { return .zero }
        return min(
            min(
                min(confirmation.deadline, holding.deadline),
                min(followed.deadline, navigatorDeadline)),
            min(sequence.deadline, min(min(returnsAt, staleAt), min(heldUntil, auditAt))))
    }

    /// A menu stays open while one of its items is being confirmed.
    var navigatorDeadline: Instant {
        confirmation.value == nil ? navigator.deadline : .never
    }
}
