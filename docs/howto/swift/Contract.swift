import Foundation

enum Verb: String, Codable { case approve, reject, snooze, edit, undo, stop, retry, less, never, fix, ignore }
enum Risk: String, Codable { case low, medium, high }

struct Prediction: Codable, Identifiable {
    let id, prompt, targetAgent, targetChannel, reasoning, status, source, cardHash: String
    let confidence: Double
    let risk: Risk
    let createdAt, expiresAt: Date
    let snoozedUntil: Date?
    let executionId: String?
    let outcome: String?
    let repository: String?
    let confidenceLearnt: Bool?
}

extension Prediction {
    /// Its repository, who asks, or what kind of work it is.
    var place: String {
        if source == "ask" { return targetAgent }
        if let repository, !repository.isEmpty { return repository }
        let key = "CHANNEL_" + targetChannel.uppercased().replacingOccurrences(of: "-", with: "_")
        let title = NSLocalizedString(key, comment: "")
        return title == key ? targetChannel : title
    }

    /// Where it belongs, and how sure Pulse is of it where it has learnt anything.
    var placeAndPercent: String { confidenceLearnt == true ? "\(place) • \(Int(confidence * 100))%" : place }
}

struct CrossPollStatus: Codable {
    let enabled, autonomous, quiet: Bool
    let state, reason: String
    let pending: Int
}

struct SyncAnswer: Codable {
    let status: CrossPollStatus
    let open, recent: [Prediction]
    let seq: Int
    let feed: String
    let timestamp: Date
}

struct PairRequest: Codable { let code, title: String }
struct PairAnswer: Codable { let token, user, surface, device, title: String }

struct ActionRequest: Codable {
    let token, decisionId: String
    let verb: Verb
    var humanInput = "tap"
    let at: Date
    var prompt: String?
    var minutes: Int?
    var permission: PermissionAnswer?
}

struct PermissionAnswer: Codable { var answers: [String: [String]] = [:] }

extension ActionRequest {
    /// What a button says: a verb, or the answer to the question that the notification asks.
    static func said(_ identifier: String, about info: [AnyHashable: Any], words: String?) -> (Verb, PermissionAnswer?)? {
        let question = info["question"] as? String ?? ""
        if identifier == "ANSWER" {
            guard let words, !words.isEmpty, !question.isEmpty else { return nil }
            return (.approve, PermissionAnswer(answers: [question: [words]]))
        }
        if identifier.hasPrefix("CHOICE_") {
            guard let number = Int(identifier.dropFirst("CHOICE_".count)), let labels = info["choices"] as? [String],
                  labels.indices.contains(number - 1), !question.isEmpty else { return nil }
            return (.approve, PermissionAnswer(answers: [question: [labels[number - 1]]]))
        }
        return Verb(rawValue: identifier.lowercased()).map { ($0, nil) }
    }
}

struct AnswerReply: Codable { let prediction: Prediction; let repeated: Bool?; let message: String? }
struct ActivityToken: Codable, Hashable { let executionId, token: String }

struct ApnsAddress: Codable {
    var kind = "apns"
    var token: String
    var environment = "unknown"
    var registeredAt = Date()
    var topic = Bundle.main.bundleIdentifier ?? ""
    var widgetToken = ""
    var complicationToken = ""
    var controlToken = ""
    var startToken = ""
    var activities: [ActivityToken] = []
    var lang = "en"
    var strings = 8          // the version of Localizable.strings beside this file; 0 if the app has none
    var categories = 2       // the version of the buttons in Categories.swift and WatchApp.swift
    var model = ""
}

struct AddressRequest: Codable { let address: ApnsAddress }

struct ReceiptRequest: Codable {
    let deliveryId, state: String  // "shown", "acted" or "cleared"
    let at: Date
}

struct Problem: Codable, Error { let code, detail: String; let fix: String? }

extension JSONDecoder {
    static let hub: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            let whole = text.replacingOccurrences(of: #"\.\d+"#, with: "", options: .regularExpression)
            guard let date = ISO8601DateFormatter().date(from: whole) else { throw Problem(code: "bad-time", detail: text, fix: nil) }
            return date
        }
        return decoder
    }()
}

extension JSONEncoder {
    static let hub: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()
}
