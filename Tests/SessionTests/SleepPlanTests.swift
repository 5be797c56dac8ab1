import Testing

@testable import Session

@Suite("what happens when the machine sleeps")
struct SleepPlanTests {
    /// What may come, in one letter each.
    private enum Step: Character {
        case plays = "p"
        case rests = "r"
        case sleepComes = "S"
        case isSilent = "q"
        case sleepIsOver = "W"
    }

    @Test(
        "sleep is held up while music plays and until its pause is heard, and nothing else",
        arguments: [
            ("", ""),
            ("p", "+"),
            ("pr", "+-"),
            // The pause is told while sleep is held up already.
            ("pSrq", "+!+-"),
            ("pSrqW", "+!+--"),
            ("pSrqWp", "+!+--+"),
            // Nobody gets a lock when sleep has come.
            ("Sp", "--"), ("SpW", "--+"),
            ("rSW", "---"),
            // It does not sleep after all, or wakes before the silence: the next sleep is another.
            ("pSrWq", "+!+--"), ("pSrWpS", "+!+-+!"),
            // Somebody plays on at the last moment: that is not fought.
            ("pSrpq", "+!++-"), ("pSq", "+!-"),
        ]
    )
    func steps(steps: String, outcomes: String) {
        var plan = SleepPlan()
        let found = steps.compactMap(Step.init).map { step -> Character in
            var pauses = false
            switch step {
            case .plays: plan.follow(isPlaying: true)
            case .rests: plan.follow(isPlaying: false)
            case .sleepComes: pauses = plan.sleepComes()
            case .isSilent: plan.fellSilent()
            case .sleepIsOver: plan.sleepIsOver()
            }
            return pauses && plan.holdsUpSleep ? "!" : plan.holdsUpSleep ? "+" : "-"
        }
        #expect(String(found) == outcomes)
    }
}
