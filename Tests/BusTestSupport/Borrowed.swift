/// Stands on a bus for whoever owns the server that serves it, which would otherwise own its owner.
package final class Borrowed<Owner: AnyObject> {
    package private(set) weak var owner: Owner?

    package init(_ owner: Owner) {
        self.owner = owner
    }
}
