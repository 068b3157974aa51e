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
  /// A descriptor for poll(2) that is readable once a signal has come.
  int descriptor() const;
};

}  // namespace trl::interpreter
