import PushKit
import SwiftUI
import UserNotifications
import WatchKit
import WidgetKit

@main
struct LifeOS: App {
    @WKApplicationDelegateAdaptor(Delegate.self) private var delegate
    var body: some Scene { WindowGroup { Board() } }
}

final class Delegate: NSObject, WKApplicationDelegate, UNUserNotificationCenterDelegate, PKPushRegistryDelegate {
    private var address = ApnsAddress(token: "")
    private let registry = PKPushRegistry(queue: .main)

    func applicationDidFinishLaunching() {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        WatchCategories.register()
        center.requestAuthorization(options: [.alert, .sound, .badge]) { _, _ in
            Task { @MainActor in WKApplication.shared().registerForRemoteNotifications() }
        }
        if #unavailable(watchOS 26) {
            registry.delegate = self
            registry.desiredPushTypes = [.complication]
        }
    }

    func applicationDidBecomeActive() {
        Task { await Hub.shared.flush(); try? await Face.refresh() }
        if let token = UserDefaults(suiteName: Store.group)?.string(forKey: "widgetToken") { register { $0.widgetToken = token } }
    }

    func didRegisterForRemoteNotifications(withDeviceToken token: Data) { register { $0.token = token.hex } }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate credentials: PKPushCredentials, for type: PKPushType) {
        register { $0.complicationToken = credentials.token.hex }
    }

    func pushRegistry(_ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType) async {
        Face.keep(payload.dictionaryPayload)
    }

    func didReceiveRemoteNotification(_ info: [AnyHashable: Any]) async -> WKBackgroundFetchResult {
        await Hub.shared.flush()
        if info["face"] != nil { Face.keep(info); return .newData }
        return (try? await Face.refresh()) == nil ? .failed : .newData
    }

    func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent note: UNNotification) async -> UNNotificationPresentationOptions {
        if let name = note.request.content.userInfo["haptic"] as? String, let haptic = Self.haptics[name] { WKInterfaceDevice.current().play(haptic) }
        return note.request.content.interruptionLevel == .passive ? [.list] : [.banner, .list]
    }

    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
        let info = response.notification.request.content.userInfo
        guard let (verb, permission) = ActionRequest.said(response.actionIdentifier, about: info, words: nil), let token = info["token"] as? String else { return }
        let minutes = verb == .snooze ? 60 : nil
        let request = ActionRequest(token: token, decisionId: UUID().uuidString.lowercased(), verb: verb, at: Date(), minutes: minutes, permission: permission)
        let verdict = await Hub.shared.answer(request)
        if case .failure? = verdict { WKInterfaceDevice.current().play(.failure) } else { WKInterfaceDevice.current().play(.success) }
    }

    static let haptics: [String: WKHapticType] = [
        "notification": .notification, "success": .success, "failure": .failure, "retry": .retry,
        "start": .start, "stop": .stop, "click": .click, "directionUp": .directionUp,
    ]

    private func register(_ change: (inout ApnsAddress) -> Void) {
        change(&address)
        address.registeredAt = Date()
        address.strings = 0  // a watch is sent whole sentences, in its language
        address.lang = Locale.preferredLanguages.first ?? "en"
        address.model = WKInterfaceDevice.current().model + " watchOS " + WKInterfaceDevice.current().systemVersion
        guard !address.token.isEmpty else { return }
        let current = address
        Task { try? await Hub.shared.register(current) }
    }
}

extension Data { var hex: String { map { String(format: "%02x", $0) }.joined() } }

enum WatchCategories {
    static func register() {
        let approve = UNNotificationAction(identifier: "APPROVE", title: "✅ Approve", options: [])
        let approveUnlocked = UNNotificationAction(identifier: "APPROVE", title: "✅ Approve", options: [.authenticationRequired])
        let reject = UNNotificationAction(identifier: "REJECT", title: "❌ Dismiss", options: [.destructive])
        let snooze = UNNotificationAction(identifier: "SNOOZE", title: "⏰ Snooze", options: [])
        let stop = UNNotificationAction(identifier: "STOP", title: "⏹ Stop", options: [.destructive])
        let undo = UNNotificationAction(identifier: "UNDO", title: "↩️ Undo", options: [])
        let retry = UNNotificationAction(identifier: "RETRY", title: "🔁 Try again", options: [.authenticationRequired])
        let less = UNNotificationAction(identifier: "LESS", title: "🔉 Show less often", options: [])
        let never = UNNotificationAction(identifier: "NEVER", title: "🔇 Never suggest this here", options: [])
        let fix = UNNotificationAction(identifier: "FIX", title: "🛠 Let the agent fix it", options: [.authenticationRequired])
        let ignore = UNNotificationAction(identifier: "IGNORE", title: "🙈 Ignore", options: [])
        let choice1 = UNNotificationAction(identifier: "CHOICE_1", title: "1", options: [])
        let choice2 = UNNotificationAction(identifier: "CHOICE_2", title: "2", options: [])
        let choice3 = UNNotificationAction(identifier: "CHOICE_3", title: "3", options: [])
        let choice4 = UNNotificationAction(identifier: "CHOICE_4", title: "4", options: [])
        let all: [(String, [UNNotificationAction])] = [
            ("CROSSPOLL_PREDICTION_BRIEF", [approve, reject, snooze]),
            ("CROSSPOLL_RISKY_BRIEF", [reject, snooze, approveUnlocked]),
            ("CROSSPOLL_UNREAD", [reject, snooze]),
            ("CROSSPOLL_RUNNING", [stop]),
            ("CROSSPOLL_UNDO", [undo]),
            ("CROSSPOLL_RETRY", [retry]),
            ("CROSSPOLL_PREDICTION_LESS", [approve, reject, snooze, less]),
            ("CROSSPOLL_RISKY_LESS", [reject, snooze, approveUnlocked, less]),
            ("CROSSPOLL_UNREAD_LESS", [reject, snooze, less, never]),
            ("CROSSPOLL_FAILED", [retry, ignore]),
            ("CROSSPOLL_FAILED_FIX", [retry, fix, ignore]),
            ("CROSSPOLL_IGNORE", [ignore]),
            ("CROSSPOLL_CHOICES_1", [choice1, reject]),
            ("CROSSPOLL_CHOICES_2", [choice1, choice2, reject]),
            ("CROSSPOLL_CHOICES_3", [choice1, choice2, choice3, reject]),
            ("CROSSPOLL_CHOICES_4", [choice1, choice2, choice3, choice4]),
        ]
        let made = all.map { UNNotificationCategory(identifier: $0, actions: $1, intentIdentifiers: [], options: []) }
        UNUserNotificationCenter.current().setNotificationCategories(Set(made))
    }
}
