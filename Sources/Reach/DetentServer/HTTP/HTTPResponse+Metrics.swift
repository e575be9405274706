import DetentCore
import DetentPanel
import DetentRuntime
import DetentTypes
import DetentWall

extension HTTPResponse {
    /// Reports whether every line of a panel can be used.
    init(healthOf hub: Hub) {
        let faulty = hub.plan.allControls.filter { hub.isFaulty($0) }
        guard faulty.isEmpty else {
            let names = faulty.map { hub.plan[$0].id }
            self.init(
                APIError(
                    503,
                    "These controls have a line that cannot be used: "
                        + names.joined(separator: ", "),
                    "check the wiring, and run `detent doctor`"))
            return
        }
        self.init(200, type: "text/plain; charset=utf-8", text: "ok\n")
    }

    /// Counters and gauges in Prometheus' text format.
    init(metricsOf hub: Hub) {
        var text = ""
        func add(_ name: String, _ kind: String, _ help: String, _ samples: [(String, UInt64)]) {
            text += "# HELP detent_\(name) \(help)\n# TYPE detent_\(name) \(kind)\n"
            for (labels, value) in samples { text += "detent_\(name)\(labels) \(value)\n" }
        }
        func count(_ name: String, _ help: String, _ value: UInt64) {
            add(name, "counter", help, [("", value)])
        }
        if !hub.version.isEmpty {
            add(
                "build_info", "gauge", "1, with the version of Detent.",
                [("{version=\"\(hub.version)\"}", 1)])
        }
        let counters = hub.counters
        count("events_total", "Events since the panel started.", hub.history.last)
        count(
            "dropped_notes_total", "Events and states dropped because the server was too slow.",
            counters.droppedUpdates)
        count("http_requests_total", "Requests.", counters.requests)
        count("http_refused_total", "Requests refused by access control.", counters.refused)
        count(
            "http_displaced_total", "Connections closed to make room for others.",
            counters.displaced)
        count("websocket_messages_total", "WebSocket messages received.", counters.messages)
        count(
            "websocket_lost_total", "Times that a client was too slow.", counters.lostListeners)
        add("websockets", "gauge", "Open WebSockets.", [("", UInt64(hub.subscriptions.count))])
        add(
            "queue_length", "gauge", "Requests that wait for an answer of the panel.",
            [("{queue=\"requests\"}", UInt64(hub.changes.count))])
        let controls = hub.plan.allControls.map { ("{control=\"\(hub.name($0))\"}", $0) }
        add(
            "control_lost_total", "counter", "Edges and steps lost since the start.",
            controls.map { ($0.0, UInt64(hub.states[Int($0.1.index)]?.lost ?? 0)) })
        add(
            "control_faulty", "gauge", "1 while a line of the control cannot be used.",
            controls.map { ($0.0, hub.isFaulty($0.1) ? 1 : 0) })
        add(
            "control_failed", "gauge", "1 while the last attempt of its action has failed.",
            controls.map { ($0.0, hub.states[Int($0.1.index)]?.phase == .failed ? 1 : 0) })
        add(
            "control_busy", "gauge", "1 while its action runs.",
            controls.map { ($0.0, hub.isBusy($0.1) ? 1 : 0) })
        if let broker = hub.broker {
            add(
                "mqtt_connected", "gauge", "1 while the broker has accepted the connection.",
                [("", broker.isConnected ? 1 : 0)])
            count(
                "mqtt_reconnects_total", "Connections to the broker after the first.",
                broker.connects - min(1, broker.connects))
            count("mqtt_sent_total", "Messages handed over for the broker.", broker.sent)
            count(
                "mqtt_unsent_total",
                "Messages that the broker did not take: larger than it allows, or refused.",
                broker.unsent)
            add(
                "mqtt_dropped_total", "counter",
                "Events and answers dropped, without a connection or without room.",
                [
                    ("{topic=\"event\"}", broker.droppedEvents),
                    ("{topic=\"answer\"}", broker.droppedAnswers),
                ])
            count(
                "mqtt_refused_total", "Commands of the broker that did not reach the panel.",
                broker.refusedCommands)
        }
        text += Self.actions(hub) + Self.processes(hub)
        self.init(200, type: "text/plain; version=0.0.4; charset=utf-8", text: text)
    }
}

extension HTTPResponse {
    /// What the processes of the panel use, by the names that Prometheus gives to such figures.
    fileprivate static func processes(_ hub: Hub) -> String {
        let all = hub.processes.compactMap { probe in
            probe.read().map { (probe: probe, figures: $0) }
        }
        guard !all.isEmpty else { return "" }
        var text = ""
        func add(
            _ name: String, _ kind: String, _ help: String,
            _ value: (ProcessProbe, ProcessFigures) -> String
        ) {
            text += "# HELP process_\(name) \(help)\n# TYPE process_\(name) \(kind)\n"
            for (probe, figures) in all {
                text += "process_\(name){process=\"\(probe.name)\"} \(value(probe, figures))\n"
            }
        }
        add("resident_memory_bytes", "gauge", "Bytes in memory.") { String($1.residentBytes) }
        add("cpu_seconds_total", "counter", "Processor time.") { $1.processorSeconds }
        add("start_time_seconds", "gauge", "When it started, in seconds since 1970.") {
            $0.startSeconds($1)
        }
        return text
    }

    /// What the actions of each control came to.
    fileprivate static func actions(_ hub: Hub) -> String {
        let controls = hub.plan.allControls.filter {
            !hub.plan[$0].settings.actions.indices.isEmpty
        }
        guard !controls.isEmpty else { return "" }
        var text = """
            # HELP detent_actions_total Ends of actions, by their result.
            # TYPE detent_actions_total counter

            """
        for control in controls {
            for result in ActionFigures.Result.allCases {
                let labels = "control=\"\(hub.name(control))\",result=\"\(result.rawValue)\""
                let count = hub.figures[Int(control.index)][result]
                text += "detent_actions_total{\(labels)} \(count)\n"
            }
        }
        let name = "detent_action_seconds"
        text += "# HELP \(name) Time from a request to the outcome of its action.\n"
        text += "# TYPE \(name) histogram\n"
        for control in controls {
            let figures = hub.figures[Int(control.index)]
            let label = "control=\"\(hub.name(control))\""
            var sum: UInt64 = 0
            for (bound, count) in zip(ActionFigures.bounds, figures.buckets) {
                sum += count
                text += "\(name)_bucket{\(label),le=\"\(bound.text)\"} \(sum)\n"
            }
            text += "\(name)_bucket{\(label),le=\"+Inf\"} \(figures.count)\n"
            text += "\(name)_sum{\(label)} \(figures.seconds)\n"
            text += "\(name)_count{\(label)} \(figures.count)\n"
        }
        return text
    }
}

extension Hub {
    fileprivate func name(_ control: ControlID) -> String { plan[control].id }

    fileprivate func isFaulty(_ control: ControlID) -> Bool {
        states[Int(control.index)]?.flags.contains(.fault) == true
    }

    fileprivate func isBusy(_ control: ControlID) -> Bool {
        switch states[Int(control.index)]?.phase {
        case .pending, .loading: true
        case .idle, .failed, .none: false
        }
    }
}
