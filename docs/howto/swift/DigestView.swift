import SwiftUI
import UserNotifications
import UserNotificationsUI

struct DigestItem: Decodable, Identifiable {
    let predictionId, deliveryId, token: String
    let risk: Risk
    let actions: [Verb]
    var id: String { predictionId }
}

/// Several suggestions in one notification: its numbered lines, and below each the answers that its token is good for.
final class DigestViewController: UIViewController, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {
        let content = notification.request.content
        let items = (content.userInfo["items"] as? [[String: Any]] ?? []).compactMap { fields -> DigestItem? in
            guard let data = try? JSONSerialization.data(withJSONObject: fields) else { return nil }
            return try? JSONDecoder().decode(DigestItem.self, from: data)
        }
        let lines = content.body.components(separatedBy: "\n").filter { $0.range(of: #"^\d+\. "#, options: .regularExpression) != nil }
        let host = UIHostingController(rootView: DigestList(rows: Array(zip(lines, items))))
        addChild(host)
        host.view.frame = view.bounds
        host.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(host.view)
        host.didMove(toParent: self)
    }
}

struct DigestList: View {
    let rows: [(String, DigestItem)]
    @State private var said: [String: String] = [:]

    var body: some View {
        ForEach(rows, id: \.1.id) { line, item in
            VStack(alignment: .leading) {
                Text(line)
                if let word = said[item.id] { Text(word).foregroundStyle(.secondary) } else {
                    HStack {
                        ForEach(item.actions, id: \.self) { verb in
                            Button(NSLocalizedString("\(verb.rawValue.uppercased())_BUTTON", comment: "")) { answer(item, verb) }
                        }
                    }
                }
            }
            .task { await Hub.shared.report(item.deliveryId, "shown") }
        }
    }

    /// The outcome comes as a silent notification of its own card, with Undo where it can be taken back.
    private func answer(_ item: DigestItem, _ verb: Verb) {
        said[item.id] = "…"
        Task {
            let request = ActionRequest(token: item.token, decisionId: UUID().uuidString.lowercased(), verb: verb, at: Date())
            switch await Hub.shared.answer(request) {
            case .success(let reply)?: said[item.id] = reply.message.flatMap { $0.isEmpty ? nil : $0 } ?? "✓"
            case .failure(let problem)?: said[item.id] = problem.detail
            case nil: said[item.id] = "⏳"  // sent as soon as there is a network
            }
        }
    }
}
