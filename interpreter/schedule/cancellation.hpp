#pragma once

#include "interpreter/schedule/interrupt.hpp"

namespace trl::interpreter {

/// Tells running stages when to stop: when the user interrupts, or when another stage of the run has failed.
/// Several threads may use it at once.
class Cancellation {
 public:
  explicit Cancellation(const Interrupt& interrupt);
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  /// Asks all stages to stop.
  void request();
  bool requested() const;
  const Interrupt& interrupt() const { return interrupt_; }
  /// A file descriptor for poll(2) that is readable once `request` was called.
  int descriptor() const { return event_; }

 private:
  const Interrupt& interrupt_;
  int event_ = -1;
};

}  // namespace trl::interpreter
