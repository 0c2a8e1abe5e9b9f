import SwiftUI
import WatchKit

struct Board: View {
    @State private var all: SyncAnswer?
    @State private var asks = false
    @State private var trouble: String?

    var body: some View {
        List {
            if let trouble { Text(trouble) }
            Text(all?.status.autonomous == true ? "🔮⚡" : "🔮").font(.title)
                .onLongPressGesture(minimumDuration: 0.6) { WKInterfaceDevice.current().play(.click); asks = true }
            ForEach(all?.open ?? []) { card in
                NavigationLink { Text(card.prompt + "\n\n" + card.reasoning) } label: { Text(card.prompt).lineLimit(3) }
            }
        }
        .confirmationDialog("Pulse", isPresented: $asks) {
            Button(all?.status.autonomous == true ? "Autonomous off" : "Autonomous on") { run { try await Hub.shared.setAutonomous(all?.status.autonomous != true) } }
            Button("Pause") { run { try await Hub.shared.pause() } }
            Button("Stop everything", role: .destructive) { run { try await Hub.shared.stopEverything() } }
        }
        .task { await load() }
        .onOpenURL { _ in Task { await load() } }
    }

    private func run(_ act: @escaping () async throws -> Void) {
        Task {
            do { try await act(); WKInterfaceDevice.current().play(.success) } catch { trouble = (error as? Problem)?.detail ?? "\(error)"; WKInterfaceDevice.current().play(.failure) }
            await load()
        }
    }

    private func load() async {
        do { all = try await Hub.shared.sync(); try await Face.refresh() } catch { trouble = (error as? Problem)?.detail ?? "No connection." }
    }
}
