import UIKit
import UserNotifications
import ActivityKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    static let snoozeMinutes = 60
    private var address = ApnsAddress(token: "")

    func application(_ app: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        Categories.register()
        center.requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in
            Task { @MainActor in app.registerForRemoteNotifications() }  // at every launch: tokens change
        }
        RunActivities.watch { start, running in Task { @MainActor in self.register { $0.startToken = start ?? $0.startToken; $0.activities = running } } }
        Task { await Hub.shared.flush() }
        return true
    }

    func application(_ app: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
        register { $0.token = token.map { String(format: "%02x", $0) }.joined() }
    }

    func application(_ app: UIApplication, didReceiveRemoteNotification info: [AnyHashable: Any]) async -> UIBackgroundFetchResult {
        await Hub.shared.flush()
        return (try? await MissionControl.refresh()) == nil ? .failed : .newData
    }

    /// In the foreground a card is shown as well; what only replaces one goes quietly to the list.
    func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent note: UNNotification) async -> UNNotificationPresentationOptions {
        await report(note, "shown")
        return note.request.content.interruptionLevel == .passive ? [.list] : [.banner, .list, .sound, .badge]
    }

    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
        let info = response.notification.request.content.userInfo
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier:
            await report(response.notification, "shown")
            await MissionControl.open(info["predictionId"] as? String)
        case UNNotificationDismissActionIdentifier:
            await report(response.notification, "cleared")  // dismissed is not rejected
        default:
            let words = (response as? UNTextInputNotificationResponse)?.userText
            guard let (verb, permission) = ActionRequest.said(response.actionIdentifier, about: info, words: words), let token = info["token"] as? String else { return }
            let request = ActionRequest(
                token: token,
                decisionId: UUID().uuidString.lowercased(),
                verb: verb,
                at: Date(),
                prompt: verb == .edit ? words : nil,
                minutes: verb == .snooze ? Self.snoozeMinutes : nil,
                permission: permission
            )
            if case .failure(let problem)? = await Hub.shared.answer(request) { await say(problem, about: info) }
        }
    }

    /// Tells the person why an answer did not count; the hub itself replaces the card where it was settled elsewhere.
    private func say(_ problem: Problem, about info: [AnyHashable: Any]) async {
        let content = UNMutableNotificationContent()
        content.title = problem.detail
        content.body = problem.fix ?? ""
        content.interruptionLevel = .active
        let name = (info["predictionId"] as? String) ?? UUID().uuidString
        try? await UNUserNotificationCenter.current().add(UNNotificationRequest(identifier: "problem-\(name)", content: content, trigger: nil))
    }

    private func report(_ note: UNNotification, _ state: String) async {
        guard let delivery = note.request.content.userInfo["deliveryId"] as? String else { return }
        await Hub.shared.report(delivery, state)
    }

    private func register(_ change: (inout ApnsAddress) -> Void) {
        change(&address)
        address.registeredAt = Date()
        address.environment = Self.environment
        address.lang = Locale.preferredLanguages.first ?? "en"
        address.model = UIDevice.current.model + " " + UIDevice.current.systemVersion
        guard !address.token.isEmpty else { return }
        let current = address
        Task { try? await Hub.shared.register(current) }
    }

    /// The environment stands in the provisioning profile; the App Store has none. The hub finds out if this is wrong.
    private static let environment: String = {
        guard let url = Bundle.main.url(forResource: "embedded", withExtension: "mobileprovision"),
              let text = (try? Data(contentsOf: url)).flatMap({ String(data: $0, encoding: .isoLatin1) }) else { return "production" }
        let value = text.components(separatedBy: "aps-environment").dropFirst().first?.prefix(60) ?? ""
        return value.contains("development") ? "sandbox" : value.contains("production") ? "production" : "unknown"
    }()
}
