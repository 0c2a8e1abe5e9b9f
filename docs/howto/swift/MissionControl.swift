import SwiftUI
import UserNotifications
import WidgetKit

@MainActor
final class MissionControl: ObservableObject {
    static let shared = MissionControl()
    @Published var open: [Prediction] = []
    @Published var recent: [Prediction] = []
    @Published var status: CrossPollStatus?
    @Published var shown: String?

    static func refresh() async throws {
        let all = try await Hub.shared.sync()
        shared.open = all.open
        shared.recent = all.recent
        shared.status = all.status
        let center = UNUserNotificationCenter.current()
        try? await center.setBadgeCount(all.status.pending)
        let waiting = Set(all.open.map(\.id))
        let stale = await center.deliveredNotifications().filter { note in
            guard let id = note.request.content.userInfo["predictionId"] as? String, !id.isEmpty else { return false }
            return note.request.content.userInfo["event"] as? String == "prediction.new" && !waiting.contains(id)
        }
        center.removeDeliveredNotifications(withIdentifiers: stale.map(\.request.identifier))
        WidgetCenter.shared.reloadAllTimelines()
    }

    static func open(_ id: String?) async {
        shared.shown = id
        try? await refresh()
    }
}
