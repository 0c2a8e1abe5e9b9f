import Foundation
import WidgetKit

struct Circular: Codable { let symbol, text: String }
struct Rectangular: Codable { let headline: String; var detail: String?; var tap: String?; var predictionId: String?; var cardHash: String?; var token: String? }
struct FaceEntry: Codable, TimelineEntry {
    let at: Date
    let count: Int
    let circular: Circular
    let rectangular: Rectangular
    var date: Date { at }
}
struct FaceData: Codable { let mood: String; let at: Date; let timeline: [FaceEntry]; let version: Int }

enum Face {
    private static let file = Store.folder.appending(path: "face.json")
    static var kept: FaceData? { (try? Data(contentsOf: file)).flatMap { try? JSONDecoder.hub.decode(FaceData.self, from: $0) } }

    /// Keeps the time line of a push; an older one than ours is let go, for pushes may overtake each other.
    static func keep(_ payload: [AnyHashable: Any]) {
        guard let face = payload["face"], let data = try? JSONSerialization.data(withJSONObject: face),
              let fresh = try? JSONDecoder.hub.decode(FaceData.self, from: data), fresh.at >= kept?.at ?? .distantPast else { return }
        try? data.write(to: file, options: .atomic)
        WidgetCenter.shared.reloadAllTimelines()
    }

    /// Asks the hub, and makes the same time line of its answer.
    @discardableResult
    static func refresh() async throws -> FaceData {
        let face = make(of: try await Hub.shared.sync())
        try JSONEncoder.hub.encode(face).write(to: file, options: .atomic)
        return face
    }

    static let ages = [0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 120, 240, 480].map { TimeInterval($0 * 60) }

    static func make(of all: SyncAnswer) -> FaceData {
        let now = all.timestamp
        let mood = switch all.status.state {
            case "paused": "paused"
            case "disabled": all.status.reason.hasPrefix("emergency") ? "emergency" : "off"
            case "autonomous": "autonomous"
            default: "calm"
        }
        var moments: Set<Date> = [now]
        for card in all.open { moments.formUnion(ages.map { card.createdAt + $0 } + [card.expiresAt] + [card.snoozedUntil].compactMap { $0 }) }
        let entries = moments.filter { $0 >= now }.sorted().prefix(16).map { entry(all, mood, at: $0) }
        return FaceData(mood: mood, at: now, timeline: Array(entries), version: 1)
    }

    private static func entry(_ all: SyncAnswer, _ mood: String, at moment: Date) -> FaceEntry {
        let open = all.open.filter { $0.expiresAt > moment && ($0.snoozedUntil ?? .distantPast) <= moment }
        let symbol = ["paused": "⏸", "emergency": "⛔", "off": "○", "autonomous": "🔮⚡"][mood] ?? "🔮"
        let circular = Circular(symbol: symbol, text: open.isEmpty ? "" : open.count > 99 ? "99+" : "\(open.count)")
        var wide = Rectangular(headline: "🔮 " + String(localized: "CALM"))
        if mood == "paused" || mood == "emergency" || mood == "off" {
            wide = Rectangular(headline: String(localized: mood == "paused" ? "PAUSED" : "STOPPED"), detail: all.status.reason)
        } else if let card = open.max(by: { $0.createdAt < $1.createdAt }) {
            let whole = card.prompt.count <= 40
            let minutes = Int(moment.timeIntervalSince(card.createdAt) / 60)
            let age = minutes < 1 ? "now" : minutes < 60 ? "\(minutes) min ago" : "\(minutes / 60) h ago"
            wide = Rectangular(headline: "🔮 \"\(card.prompt.prefix(40))\(whole ? "" : "…")\"",
                               detail: "\(card.placeAndPercent) • \(age)",
                               tap: card.risk == .low && whole ? "approve" : "open", predictionId: card.id, cardHash: card.cardHash)
        }
        return FaceEntry(at: moment, count: open.count, circular: circular, rectangular: wide)
    }
}
