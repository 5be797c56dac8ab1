/// Shows what is read in files, and returns the exit code.
package func showTags(_ options: TagsOptions) -> CInt {
    1
}
