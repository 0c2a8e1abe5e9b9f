import Foundation
import Security

struct Door: Codable { let api: URL; let token, surface, device: String }

enum Store {
    static let group = "group.org.example.acc"
    static var folder: URL { FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)! }
    private static let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "pulse", kSecAttrAccessGroup: group]

    static var door: Door? {
        get {
            var item: CFTypeRef?
            let asked = query.merging([kSecReturnData: true]) { $1 } as CFDictionary
            guard SecItemCopyMatching(asked, &item) == errSecSuccess, let data = item as? Data else { return nil }
            return try? JSONDecoder().decode(Door.self, from: data)
        }
        set {
            SecItemDelete(query as CFDictionary)
            guard let newValue, let data = try? JSONEncoder().encode(newValue) else { return }
            let kept: [CFString: Any] = [kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly]
            SecItemAdd(query.merging(kept) { $1 } as CFDictionary, nil)
        }
    }
}

actor Hub {
    static let shared = Hub()
    private let queueFile = Store.folder.appending(path: "answers.json")
    private var isFlushing = false

    /// The QR code holds `https://hub.example/#pair=CODE`; a typed code needs the address beside it.
    func pair(link: URL, title: String) async throws {
        guard let code = link.fragment?.split(separator: "=").last, let host = link.host(), let scheme = link.scheme else {
            throw Problem(code: "bad-request", detail: "That is no pairing link.", fix: "Scan the code that Pulse shows.")
        }
        let api = URL(string: "\(scheme)://\(host)" + (link.port.map { ":\($0)" } ?? ""))!
        let answer: PairAnswer = try await send("POST", "/api/v1/pair", PairRequest(code: String(code), title: title), at: api, token: nil)
        Store.door = Door(api: api, token: answer.token, surface: answer.surface, device: answer.device)
    }

    func sync() async throws -> SyncAnswer { try await get("/api/v1/sync") }
    func prediction(_ id: String) async throws -> Prediction { try await get("/api/v1/predictions/\(id)") }

    func register(_ address: ApnsAddress) async throws {
        guard let door = Store.door else { return }
        try await perform("PUT", "/api/v1/devices/\(door.surface)/\(door.device)/address", AddressRequest(address: address))
    }

    func report(_ deliveryId: String, _ state: String) async {
        try? await perform("POST", "/api/v1/receipts", ReceiptRequest(deliveryId: deliveryId, state: state, at: Date()))
    }

    func pause() async throws { try await perform("POST", "/api/v1/crosspoll/pause", [String: String]()) }
    func resume() async throws { try await perform("POST", "/api/v1/crosspoll/resume", [String: String]()) }
    func setAutonomous(_ on: Bool) async throws { try await perform("PATCH", "/api/v1/crosspoll/config", ["autonomous": on]) }
    func stopEverything() async throws { try await perform("PATCH", "/api/v1/crosspoll/config", ["emergencyStop": true]) }

    /// Writes an answer down and sends what waits. Returns when it was judged, or without a network at once.
    @discardableResult
    func answer(_ request: ActionRequest) async -> Result<AnswerReply, Problem>? {
        save(load() + [request])
        return await flush()[request.decisionId]
    }

    @discardableResult
    func flush() async -> [String: Result<AnswerReply, Problem>] {
        guard !isFlushing else { return [:] }
        isFlushing = true
        defer { isFlushing = false }
        var judged: [String: Result<AnswerReply, Problem>] = [:]
        for request in load() {
            do {
                judged[request.decisionId] = .success(try await send("POST", "/api/v1/actions", request, token: Store.door?.token))
            } catch let problem as Problem where problem.code != "busy" && problem.code != "disk-full" {
                judged[request.decisionId] = .failure(problem)  // the hub has spoken: expired, already-settled, …
            } catch {
                break  // no network: the rest waits, in its order
            }
            save(load().filter { $0.decisionId != request.decisionId })
        }
        return judged
    }

    private func load() -> [ActionRequest] {
        (try? JSONDecoder.hub.decode([ActionRequest].self, from: Data(contentsOf: queueFile))) ?? []
    }

    private func save(_ requests: [ActionRequest]) {
        try? JSONEncoder.hub.encode(requests).write(to: queueFile, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
    }

    private func get<A: Decodable>(_ path: String) async throws -> A {
        try JSONDecoder.hub.decode(A.self, from: try await data("GET", path, nil, at: nil, token: Store.door?.token))
    }

    private func perform<B: Encodable>(_ method: String, _ path: String, _ body: B) async throws {
        _ = try await data(method, path, JSONEncoder.hub.encode(body), at: nil, token: Store.door?.token)
    }

    private func send<B: Encodable, A: Decodable>(_ method: String, _ path: String, _ body: B, at api: URL? = nil, token: String?) async throws -> A {
        try JSONDecoder.hub.decode(A.self, from: try await data(method, path, JSONEncoder.hub.encode(body), at: api, token: token))
    }

    private func data(_ method: String, _ path: String, _ body: Data?, at api: URL?, token: String?) async throws -> Data {
        guard let base = api ?? Store.door?.api else { throw Problem(code: "not-paired", detail: "Pair this phone first.", fix: nil) }
        var request = URLRequest(url: base.appending(path: path), timeoutInterval: 20)
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (answer, response) = try await URLSession.shared.data(for: request)
        guard let http = response as? HTTPURLResponse, http.statusCode < 400 else {
            throw (try? JSONDecoder.hub.decode(Problem.self, from: answer)) ?? Problem(code: "busy", detail: "The hub did not answer.", fix: nil)
        }
        return answer
    }
}
