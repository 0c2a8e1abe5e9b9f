import UserNotifications

enum Categories {
    static let approve = UNNotificationAction(identifier: "APPROVE", title: String(localized: "APPROVE_BUTTON"), options: [])
    static let approveUnlocked = UNNotificationAction(identifier: "APPROVE", title: String(localized: "APPROVE_BUTTON"), options: [.authenticationRequired])
    static let reject = UNNotificationAction(identifier: "REJECT", title: String(localized: "REJECT_BUTTON"), options: [.destructive])
    static let snooze = UNNotificationAction(identifier: "SNOOZE", title: String(localized: "SNOOZE_BUTTON"), options: [])
    static let edit = UNTextInputNotificationAction(identifier: "EDIT", title: String(localized: "EDIT_BUTTON"), options: [.authenticationRequired],
                                                    textInputButtonTitle: String(localized: "APPROVE_BUTTON"), textInputPlaceholder: "")
    static let undo = UNNotificationAction(identifier: "UNDO", title: String(localized: "UNDO_BUTTON"), options: [])
    static let stop = UNNotificationAction(identifier: "STOP", title: String(localized: "STOP_BUTTON"), options: [.destructive])
    static let retry = UNNotificationAction(identifier: "RETRY", title: String(localized: "RETRY_BUTTON"), options: [.authenticationRequired])
    static let less = UNNotificationAction(identifier: "LESS", title: String(localized: "LESS_BUTTON"), options: [])
    static let never = UNNotificationAction(identifier: "NEVER", title: String(localized: "NEVER_BUTTON"), options: [])
    static let fix = UNNotificationAction(identifier: "FIX", title: String(localized: "FIX_BUTTON"), options: [.authenticationRequired])
    static let ignore = UNNotificationAction(identifier: "IGNORE", title: String(localized: "IGNORE_BUTTON"), options: [])
    static let answer = UNTextInputNotificationAction(identifier: "ANSWER", title: String(localized: "QUESTION_WRITE"), options: [.authenticationRequired],
                                                      textInputButtonTitle: String(localized: "QUESTION_WRITE"), textInputPlaceholder: "")
    // What the numbers mean stands in the notification, and behind them in its `choices`.
    static let choice1 = UNNotificationAction(identifier: "CHOICE_1", title: "1", options: [])
    static let choice2 = UNNotificationAction(identifier: "CHOICE_2", title: "2", options: [])
    static let choice3 = UNNotificationAction(identifier: "CHOICE_3", title: "3", options: [])
    static let choice4 = UNNotificationAction(identifier: "CHOICE_4", title: "4", options: [])

    static let all: [(String, [UNNotificationAction])] = [
        ("CROSSPOLL_PREDICTION", [approve, reject, snooze, edit]),
        ("CROSSPOLL_PREDICTION_BRIEF", [approve, reject, snooze]),
        ("CROSSPOLL_RISKY", [reject, snooze, approveUnlocked, edit]),
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
        ("CROSSPOLL_ANSWER", [answer, reject]),
        ("CROSSPOLL_CHOICES_1", [choice1, reject]),
        ("CROSSPOLL_CHOICES_2", [choice1, choice2, reject]),
        ("CROSSPOLL_CHOICES_3", [choice1, choice2, choice3, reject]),
        ("CROSSPOLL_CHOICES_4", [choice1, choice2, choice3, choice4]),
        ("CROSSPOLL_CHOICES_1_ANSWER", [choice1, answer, reject]),
        ("CROSSPOLL_CHOICES_2_ANSWER", [choice1, choice2, answer, reject]),
        ("CROSSPOLL_CHOICES_3_ANSWER", [choice1, choice2, choice3, answer]),
        ("CROSSPOLL_DIGEST", []),  // DigestView.swift has the buttons of each card
    ]

    static func register() {
        let made = all.map { name, actions in
            UNNotificationCategory(identifier: name, actions: actions, intentIdentifiers: [],
                                   hiddenPreviewsBodyPlaceholder: String(localized: "HIDDEN_NEWS"), options: [.customDismissAction])
        }
        UNUserNotificationCenter.current().setNotificationCategories(Set(made))
    }
}
