#pragma once

namespace trl::interpreter {

/// Catches SIGINT and SIGTERM, so that they can be asked and waited for. Only one may exist at a time; its
/// destructor restores the signal handlers.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;
  /// How many signals have come and aren't forgotten: a second one says that the user won't wait.
  int times() const;
  /// Forgets Ctrl-C, so that the next one can be waited for. False where SIGTERM has come, which can't be
  /// forgotten.
  bool forget();
  /// A descriptor for poll(2) that is readable once a signal has come.
  int descriptor() const;
};

}  // namespace trl::interpreter
