internal import CGPIOD
internal import DetentHAL
internal import DetentTypes

extension LineSettings {
    var isOutput: Bool {
        switch direction {
        case .input: false
        case .output: true
        }
    }

    var wantsEdges: Bool {
        switch direction {
        case .input(_, .interrupt, _): true
        case .input(_, .polled, _), .output: false
        }
    }

    var wantsDebounce: Bool {
        switch direction {
        case .input(_, _, let debounce): debounce != nil
        case .output: false
        }
    }

    /// Whether the kernel cannot tell the two apart: a request of one serves the other too.
    func isSameRequest(as other: LineSettings) -> Bool {
        guard isActiveLow == other.isActiveLow else { return false }
        switch (direction, other.direction) {
        case (.output, .output):
            return true
        case (.input(let bias, _, let debounce), .input(let otherBias, _, let otherDebounce)):
            return bias == otherBias && debounce == otherDebounce
                && wantsEdges == other.wantsEdges
        case (.input, .output), (.output, .input):
            return false
        }
    }

    /// The interval of reading the level; nil for lines that are not polled.
    var pollPeriod: TimeSpan? {
        switch direction {
        case .input(_, .polled(let period), _): period
        case .input(_, .interrupt, _), .output: nil
        }
    }

    /// The initial level of an output; inactive for inputs, which ignore it.
    var initialLevel: Level {
        switch direction {
        case .input: .inactive
        case .output(let initial, _): initial
        }
    }

    var releaseLevel: Level? {
        switch direction {
        case .input: nil
        case .output(_, let onRelease): onRelease
        }
    }

    /// The request for the C shim; `initial` replaces the level of the panel file.
    func request(offset: UInt32, initial: Level) -> detent_gpio_line_request {
        var request = detent_gpio_line_request()
        request.offset = offset
        request.active_low = isActiveLow
        switch direction {
        case .input(let bias, let edges, let debounce):
            request.bias = bias.shimValue
            request.edges = edges == .interrupt
            let microseconds = (debounce?.nanoseconds ?? 0) / 1000
            request.debounce_microseconds = UInt32(clamping: microseconds)
        case .output:
            request.output = true
            request.initial = initial == .active
        }
        return request
    }
}

extension Bias {
    fileprivate var shimValue: detent_gpio_bias {
        switch self {
        case .asIs: DETENT_GPIO_BIAS_AS_IS
        case .disabled: DETENT_GPIO_BIAS_DISABLED
        case .pullUp: DETENT_GPIO_BIAS_PULL_UP
        case .pullDown: DETENT_GPIO_BIAS_PULL_DOWN
        }
    }
}
