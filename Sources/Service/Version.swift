/// The version of Tianlai, in the one place where it is written.
package let version = "0.1.0"
