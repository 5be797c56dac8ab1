import Testing

@testable import Pulse

/// What was sent is there again, as long as the server could still hold it.
@Suite
struct SentSoundTests {
    /// Frames of two samples that tell their own numbers.
    private static func frames(_ numbers: Range<Int>) -> [Float] {
        numbers.flatMap { [Float($0), -Float($0)] }
    }

    private static func append(_ numbers: Range<Int>, to sent: inout SentSound) {
        frames(numbers).withUnsafeBufferPointer { sent.append($0) }
    }

    private static func copy(_ range: Range<Int>, of sent: borrowing SentSound) -> [Float] {
        var copied = [Float](repeating: 99, count: range.count * 2)
        copied.withUnsafeMutableBufferPointer { sent.copy(from: Int64(range.lowerBound), into: $0) }
        return copied
    }

    @Test("frames come back under their numbers, however they were added", arguments: [1, 3, 7, 10, 25])
    func ring(step: Int) {
        var sent = SentSound(capacity: 10, channels: 2)
        for start in stride(from: 0, to: 100, by: step) { Self.append(start..<start + step, to: &sent) }
        let end = Int(sent.end)
        #expect(end >= 100 && sent.start == Int64(end - 10))
        #expect(Self.copy(end - 10..<end, of: sent) == Self.frames(end - 10..<end))
        #expect(Self.copy(end - 4..<end - 1, of: sent) == Self.frames(end - 4..<end - 1))
    }

    @Test("what is not known is silence")
    func unknown() {
        var sent = SentSound(capacity: 10, channels: 2)
        Self.append(0..<12, to: &sent)
        #expect(Self.copy(0..<4, of: sent) == [0, 0, 0, 0, 2, -2, 3, -3])
        #expect(Self.copy(11..<13, of: sent) == [11, -11, 0, 0])
    }

    @Test("what was taken back is gone, and what it had pushed out does not come back")
    func takenBack() {
        var sent = SentSound(capacity: 10, channels: 2)
        Self.append(0..<12, to: &sent)
        sent.takeBack(4)
        #expect(sent.end == 8 && sent.start == 2)
        Self.append(50..<52, to: &sent)
        #expect(sent.end == 10 && sent.start == 2)
        #expect(Self.copy(2..<10, of: sent) == Self.frames(2..<8) + Self.frames(50..<52))
        sent.takeBack(100)
        #expect(sent.end == 2)
    }
}
