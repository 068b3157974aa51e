#pragma once
// A function with a stack of its own, which can be left in the middle and taken up again.
#include <ucontext.h>

#include <cstddef>
#include <exception>
#include <functional>

namespace trl::executor {

/// One thread starts, resumes and ends a fiber. Pages of its stack cost nothing until they are used; below it
/// lies one that nobody may touch.
class Fiber {
 public:
  /// Throws std::bad_alloc.
  explicit Fiber(std::size_t stack_bytes);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  /// What was started must have ended, else what lies on its stack is never destroyed.
  ~Fiber();

  /// Sets up a call of `body`, which resume() begins.
  void start(std::function<void()> body);
  /// Runs on until the body suspends itself or ends. Throws what the body throws.
  void resume();
  /// Called by the body: goes back to who resumed it.
  void suspend();
  bool ended() const { return ended_; }

 private:
  static void enter();
  void run();
  void leave(bool for_ever);

  void* memory_ = nullptr;
  std::size_t guard_ = 0, bytes_ = 0;
  ucontext_t own_{}, caller_{};
  std::function<void()> body_;
  std::exception_ptr error_;
  bool ended_ = true;
  // What AddressSanitizer wants to know of the two stacks.
  void* own_fake_ = nullptr;
  void* caller_fake_ = nullptr;
  const void* caller_stack_ = nullptr;
  std::size_t caller_bytes_ = 0;
};

}  // namespace trl::executor
