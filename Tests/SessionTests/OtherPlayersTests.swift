import Testing

@testable import Session

@Suite("other players")
struct OtherPlayersTests {
    @Test(
        "only what is heard here is a player",
        arguments: [
            ("org.mpris.MediaPlayer2.vlc", true), ("org.mpris.MediaPlayer2.chromium.instance42", true),
            ("org.mpris.MediaPlayer2.tianlai.instance7", true),
            ("org.mpris.MediaPlayer2.plasma-browser-integration", true),
            ("org.mpris.MediaPlayer2.playerctld", false),
            ("org.mpris.MediaPlayer2.kdeconnect.mpris_000001", false),
            ("org.mpris.MediaPlayer2.GSConnect.phone", false),
            ("org.mpris.MediaPlayer2.playerctld2", true),
            ("org.mpris.MediaPlayer2", false), ("org.mpris.MediaPlayer2.", false),
            ("org.mpris.MediaPlayer2x.vlc", false), ("org.gnome.Shell", false), (":1.5", false), ("", false),
        ]
    )
    func names(name: String, isPlayer: Bool) {
        #expect(OtherPlayers.isPlayer(name) == isPlayer)
    }

    /// What may come of one player: it is found or comes, goes, plays or rests.
    @Test(
        "one that begins to play is noticed, one that goes on playing is not",
        arguments: [
            // Found playing, it goes on; found at rest, it begins.
            ("fP", "--"), ("fPP", "---"), ("fR", "--"), ("fRP", "--!"), ("fRPP", "--!-"),
            ("fPRP", "---!"), ("fRPRP", "--!-!"),
            // Come while we look, it begins.
            ("eP", "-!"), ("ePP", "-!-"), ("eRP", "--!"),
            // Found or come twice: by another name.
            ("fRfP", "---!"), ("ePeP", "-!--"), ("eRePfP", "---!--"),
            // Gone, it is nobody; come again, it is new.
            ("P", "-"), ("ePlP", "-!--"), ("ePleP", "-!--!"), ("l", "-"),
        ]
    )
    func begins(steps: String, outcomes: String) {
        var players = OtherPlayers()
        let found = steps.map { step -> Character in
            // Another that always plays changes nothing.
            players.find(":1.1")
            _ = players.note(":1.1", isPlaying: true)
            switch step {
            case "f": players.find(":1.2")
            case "e": players.enter(":1.2")
            case "l": players.leave(":1.2")
            default: if players.note(":1.2", isPlaying: step == "P") { return "!" }
            }
            return "-"
        }
        #expect(String(found) == outcomes)
    }
}
