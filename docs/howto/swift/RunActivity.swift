import ActivityKit
import AppIntents
import SwiftUI
import WidgetKit

struct PulseRunAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable { let state, line: String; let number, updatedAt: Int }
    let executionId, predictionId, channel, title, stopToken: String
    let startedAt: Int
}

struct StopIntent: LiveActivityIntent {
    static let title: LocalizedStringResource = "STOP_BUTTON"
    @Parameter(title: "token") var token: String
    init() {}
    init(token: String) { self.token = token }

    func perform() async throws -> some IntentResult {
        await Hub.shared.answer(ActionRequest(token: token, decisionId: UUID().uuidString.lowercased(), verb: .stop, at: Date()))
        return .result()
    }
}

struct RunActivity: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: PulseRunAttributes.self) { run in
            VStack(alignment: .leading) {
                HStack {
                    Text(run.attributes.title).lineLimit(2).bold()
                    Spacer()
                    Text(Date(timeIntervalSince1970: TimeInterval(run.attributes.startedAt)), style: .timer)
                }
                Text(run.state.line).font(.footnote.monospaced()).lineLimit(1)
                if run.state.state == "running" && !run.attributes.stopToken.isEmpty {
                    Button(intent: StopIntent(token: run.attributes.stopToken)) { Text("STOP_BUTTON") }.tint(.red)
                }
            }.padding()
        } dynamicIsland: { run in
            DynamicIsland { DynamicIslandExpandedRegion(.bottom) { Text(run.state.line) } }
                compactLeading: { Text("▶️") } compactTrailing: { Text(run.attributes.channel) } minimal: { Text("▶️") }
        }
    }
}

enum RunActivities {
    /// Tells the tokens as they come: the one to start activities with, and one for each that runs.
    static func watch(_ tell: @escaping (String?, [ActivityToken]) -> Void) {
        Task {
            for await token in Activity<PulseRunAttributes>.pushToStartTokenUpdates { tell(hex(token), running()) }
        }
        Task {
            for await activity in Activity<PulseRunAttributes>.activityUpdates {
                Task { for await _ in activity.pushTokenUpdates { tell(nil, running()) } }
                Task { for await state in activity.activityStateUpdates where state == .ended || state == .dismissed { tell(nil, running()) } }
            }
        }
    }

    private static func running() -> [ActivityToken] {
        Activity<PulseRunAttributes>.activities.filter { $0.activityState == .active }.compactMap { activity in
            activity.pushToken.map { ActivityToken(executionId: activity.attributes.executionId, token: hex($0)) }
        }.suffix(8)
    }

    private static func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }
}
