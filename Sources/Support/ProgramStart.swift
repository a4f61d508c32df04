// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
  #if canImport(Darwin)
    package import Darwin
  #elseif canImport(Musl)
    package import Musl
  #else
    package import Glibc
  #endif

  /// Functions for starting another program and waiting for it.
  package enum ProgramStart {
    /// Starts a program found by `PATH`, in a process group of its own and with the default signal handling.
    ///
    /// The program inherits only the descriptors named here, no matter how other code of the process has opened its
    /// descriptors.
    ///
    /// - Parameters:
    ///   - program: The program, by its path or its name.
    ///   - arguments: Its arguments, which other processes can see.
    ///   - environment: Its environment variables, or `nil` for those of this process.
    ///   - input: The descriptor for its input, which must not be 1 or 2, or `nil` for /dev/null.
    ///   - output: The descriptor for its output, which must not be 0 or 2, or `nil` for /dev/null.
    ///   - errors: The descriptor for its errors, which must not be 0 or 1, or `nil` for /dev/null.
    /// - Returns: The process, which the caller must wait for, or `nil` if it could not be started.
    package static func start(
      _ program: String, _ arguments: [String], environment: [String: String]? = nil, input: Int32? = nil,
      output: Int32? = nil, errors: Int32? = nil
    ) -> pid_t? {
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
      #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
      #endif
      // Every pointer below is used within its call: `actions` and `attributes` are initialised by the first calls and destroyed
      // at the end, and the strings are freed after the spawn, which copies them.
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      unsafe posix_spawnattr_init(&attributes)
      defer { unsafe posix_spawnattr_destroy(&attributes) }
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe posix_spawnattr_setsigmask(&attributes, &signals)
      unsafe sigfillset(&signals)
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
      #if canImport(Darwin)
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
      #endif
      unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
      for (number, descriptor) in zip(Int32(0)..., [input, output, errors]) {
        if let descriptor {
          unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        } else {
          unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
      }
      #if !canImport(Darwin)
        if unsafe !OpenDescriptors.close(from: 3, by: &actions) {
          for descriptor in OpenDescriptors.all where descriptor > 2 {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
          }
        }
      #endif
      var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) }
      unsafe argv.append(nil)
      defer { unsafe argv.forEach { unsafe free($0) } }
      var variables: [UnsafeMutablePointer<CChar>?] =
        unsafe environment?.map { unsafe strdup("\($0.key)=\($0.value)") } ?? []
      unsafe variables.append(nil)
      defer { unsafe variables.forEach { unsafe free($0) } }
      var process: pid_t = 0
      let result =
        environment == nil
        ? unsafe posix_spawnp(&process, program, &actions, &attributes, argv, environ)
        : unsafe posix_spawnp(&process, program, &actions, &attributes, argv, variables)
      return result == 0 ? process : nil
    }

    /// Waits for a process to end, which blocks.
    ///
    /// - Returns: Its exit status, or 128 plus the number of the terminating signal.
    @discardableResult
    package static func wait(for process: pid_t) -> Int {
      var status: Int32 = 0
      // The status is a local.
      while unsafe waitpid(process, &status, 0) == -1 {
        guard errno == EINTR else { return 255 }
      }
      // The macros WIFEXITED, WEXITSTATUS and WTERMSIG, which are the same on every system.
      let signal = Int(status & 0x7F)
      return signal == 0 ? Int(status >> 8 & 0xFF) : 128 + signal
    }
  }
#endif
