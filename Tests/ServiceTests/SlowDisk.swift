import Foundation
import TestSupport

/// A disk whose reads of some files hang when it is told to: a library between the service and the C library.
struct SlowDisk {
    private let folder: TemporaryFolder
    private let library: String
    private let file: String

    /// Builds the library; reads of files in `folder` whose path ends in `name` can hang.
    init(in folder: TemporaryFolder, _ name: String) throws {
        self.folder = folder
        library = folder.path("slow-disk.so")
        file = name
        let source = try folder.write("slow-disk.c", Self.source.utf8)
        let report = try ChildProcess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        )
        guard report.exit == .code(0) else { throw TestFailure("cc: \(report.errorText)") }
    }

    /// What the service must be started with.
    var environment: [String: String] {
        ["LD_PRELOAD": library, "SLOW_DISK_FILE": file, "SLOW_DISK_HANGS": folder.path("hangs")]
    }

    /// Reads hang from now on.
    func hang() {
        _ = try? folder.write("hangs", [])
    }

    /// Reads go on.
    func goOn() {
        try? FileManager.default.removeItem(atPath: folder.path("hangs"))
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        static void wait_for(int descriptor) {
            const char *name = getenv("SLOW_DISK_FILE"), *hangs = getenv("SLOW_DISK_HANGS");
            char link[64], path[4096];
            if (!name || !hangs || access(hangs, F_OK) != 0) return;
            snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
            ssize_t length = readlink(link, path, sizeof path - 1);
            if (length < (ssize_t)strlen(name)) return;
            path[length] = 0;
            if (strcmp(path + length - strlen(name), name) != 0) return;
            while (access(hangs, F_OK) == 0) usleep(5000);
        }

        ssize_t read(int descriptor, void *buffer, size_t size) {
            static ssize_t (*next)(int, void *, size_t);
            if (!next) next = dlsym(RTLD_NEXT, "read");
            wait_for(descriptor);
            return next(descriptor, buffer, size);
        }

        ssize_t pread(int descriptor, void *buffer, size_t size, off_t offset) {
            static ssize_t (*next)(int, void *, size_t, off_t);
            if (!next) next = dlsym(RTLD_NEXT, "pread");
            wait_for(descriptor);
            return next(descriptor, buffer, size, offset);
        }

        ssize_t pread64(int descriptor, void *buffer, size_t size, off64_t offset) {
            static ssize_t (*next)(int, void *, size_t, off64_t);
            if (!next) next = dlsym(RTLD_NEXT, "pread64");
            wait_for(descriptor);
            return next(descriptor, buffer, size, offset);
        }

        """
}
