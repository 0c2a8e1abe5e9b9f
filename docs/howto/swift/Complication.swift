import AppIntents
import SwiftUI
import WidgetKit

struct Provider: TimelineProvider {
    func placeholder(in context: Context) -> FaceEntry {
        FaceEntry(at: .now, count: 0, circular: Circular(symbol: "🔮", text: ""), rectangular: Rectangular(headline: "🔮"))
    }
    func getSnapshot(in context: Context, completion: @escaping (FaceEntry) -> Void) { completion(Face.kept?.timeline.first ?? placeholder(in: context)) }
    func getTimeline(in context: Context, completion: @escaping (Timeline<FaceEntry>) -> Void) {
        Task {
            let face = (try? await Face.refresh()) ?? Face.kept
            let entries = face?.timeline ?? [placeholder(in: context)]
            completion(Timeline(entries: entries, policy: .after(.now + 20 * 60)))
        }
    }
}

struct ApproveIntent: AppIntent {
    static let title: LocalizedStringResource = "APPROVE_BUTTON"
    static let openAppWhenRun = false
    @Parameter(title: "card") var predictionId: String
    @Parameter(title: "hash") var cardHash: String
    @Parameter(title: "token") var token: String
    init() {}
    init(_ shown: Rectangular) {
        predictionId = shown.predictionId ?? ""
        cardHash = shown.cardHash ?? ""
        token = shown.token ?? ""
    }

    func perform() async throws -> some IntentResult {
        if token.isEmpty {
            try await Hub.shared.confirm(predictionId, cardHash: cardHash)
        } else {
            await Hub.shared.answer(ActionRequest(token: token, decisionId: UUID().uuidString.lowercased(), verb: .approve, at: Date()))
        }
        try? await Face.refresh()
        WidgetCenter.shared.reloadAllTimelines()
        return .result()
    }
}

struct FaceView: View {
    @Environment(\.widgetFamily) private var family
    let entry: FaceEntry

    var body: some View {
        switch family {
        case .accessoryCircular:
            VStack { Text(entry.circular.symbol); if !entry.circular.text.isEmpty { Text(entry.circular.text).bold() } }
                .widgetURL(URL(string: "lifeos://board"))
        case .accessoryInline:
            Text("\(entry.circular.symbol) \(entry.circular.text)")
        default:
            let text = VStack(alignment: .leading) { Text(entry.rectangular.headline).bold(); Text(entry.rectangular.detail ?? "").font(.footnote) }
            if entry.rectangular.tap == "approve" {
                Button(intent: ApproveIntent(entry.rectangular)) { text }.buttonStyle(.plain)
            } else {
                text.widgetURL(URL(string: "lifeos://card/\(entry.rectangular.predictionId ?? "")"))
            }
        }
    }
}

@main
struct Faces: WidgetBundle {
    var body: some Widget {
        if #available(watchOS 26, *) { PushedFace() } else { PulseFace() }
    }
}

private func face() -> some WidgetConfiguration {
    StaticConfiguration(kind: "pulse", provider: Provider()) { FaceView(entry: $0).containerBackground(.clear, for: .widget) }
        .configurationDisplayName("Pulse")
        .supportedFamilies([.accessoryCircular, .accessoryRectangular, .accessoryInline])
}

struct PulseFace: Widget { var body: some WidgetConfiguration { face() } }

@available(watchOS 26, *)
struct PushedFace: Widget { var body: some WidgetConfiguration { face().pushHandler(FacePush.self) } }

@available(watchOS 26, *)
struct FacePush: WidgetPushHandler {
    func pushTokenDidChange(_ info: WidgetPushInfo, widgets: [WidgetInfo]) {
        UserDefaults(suiteName: Store.group)?.set(info.token.hex, forKey: "widgetToken")  // the app registers it when it is next open
    }
}

extension Hub {
    func confirm(_ id: String, cardHash: String) async throws {
        guard let door = Store.door else { return }
        let path = "/api/v1/predictions/\(id)/confirm"
        var request = URLRequest(url: door.api.appending(path: path), timeoutInterval: 20)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(door.token)", forHTTPHeaderField: "Authorization")
        let body = ["cardHash": cardHash, "surface": door.surface, "device": door.device, "humanInput": "tap", "idempotencyKey": "\(id)-approve"]
        request.httpBody = try JSONEncoder.hub.encode(body)
        let (answer, response) = try await URLSession.shared.data(for: request)
        if (response as? HTTPURLResponse)?.statusCode ?? 500 >= 400 { throw try JSONDecoder.hub.decode(Problem.self, from: answer) }
    }
}
