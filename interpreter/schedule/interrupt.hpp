#pragma once

namespace trl::interpreter {

/// Catches SIGINT, SIGTERM and SIGHUP, so that the program can check for them and wait for them. Only one
/// object may exist at a time; its destructor restores the signal handlers.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;
  /// The number of signals that were received since the last `forget`. A second signal means that the user
  /// won't wait.
  int times() const;
  /// Clears the received SIGINT signals (Ctrl-C), so that the program can wait for the next signal. Returns
  /// false if SIGTERM or SIGHUP was received, which isn't cleared.
  bool forget();
  /// A file descriptor for poll(2) that is readable once a signal was received.
  int descriptor() const;
};

}  // namespace trl::interpreter
