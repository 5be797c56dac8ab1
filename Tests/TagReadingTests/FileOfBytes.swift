import Music
import TagReading
import TestSupport
import Testing

extension TemporaryFolder {
    /// What is read of `bytes` as a file of this name, with and without what takes room.
    func readTags(of bytes: [UInt8], as name: String) throws -> FileTags {
        let path = try #require(FilePath(try write(name, bytes)))
        let file = try TagReader.read(path)
        _ = try TagReader.readTags(path)
        return file
    }
}
