import UserNotifications

final class NotificationService: UNNotificationServiceExtension {
    private var done: ((UNNotificationContent) -> Void)?
    private var best: UNMutableNotificationContent?

    override func didReceive(_ request: UNNotificationRequest, withContentHandler handler: @escaping (UNNotificationContent) -> Void) {
        done = handler
        best = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let best, let id = best.userInfo["predictionId"] as? String, best.userInfo["event"] as? String == "prediction.new",
              best.userInfo["question"] == nil else { return finish() }  // a question stands there whole, with the numbers of its buttons
        Task {
            if let card = try? await Hub.shared.prediction(id), card.cardHash == best.userInfo["cardHash"] as? String {
                best.subtitle = card.placeAndPercent
                best.body = card.reasoning.isEmpty ? card.prompt : "\(card.prompt)\n\n\(card.reasoning)"
            }
            finish()
        }
    }

    override func serviceExtensionTimeWillExpire() { finish() }

    private func finish() {
        if let best { done?(best) }
        done = nil
    }
}
