#pragma once

namespace trl::interpreter {

/// SIGINT and SIGTERM as something that can be asked and waited for. One at a time may exist; the handlers go
/// with it.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;
  /// Readable once a signal has come; for poll(2).
  int descriptor() const;
};

}  // namespace trl::interpreter
