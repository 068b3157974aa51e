#pragma once
// A function with a stack of its own, which can be suspended and resumed.
#include <ucontext.h>

#include <cstddef>
#include <exception>
#include <functional>

namespace trl::executor {

/// The same thread must start, resume and destroy a fiber. Pages of the stack take no memory until they are
/// used; below the stack is a guard page.
class Fiber {
 public:
  /// Throws std::bad_alloc when there is no memory for the stack.
  explicit Fiber(std::size_t stack_bytes);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  /// The body must have ended, if it was started; otherwise objects on the fiber's stack are never destroyed.
  ~Fiber();

  /// Prepares a call of `body`; the next resume() begins the call.
  void start(std::function<void()> body);
  /// Runs the body until it suspends itself or ends. Throws what the body throws.
  void resume();
  /// Called by the body: returns to the caller of resume().
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
  // The state that AddressSanitizer needs for the fiber's own stack and its caller's.
  void* own_fake_ = nullptr;
  void* caller_fake_ = nullptr;
  const void* caller_stack_ = nullptr;
  std::size_t caller_bytes_ = 0;
};

}  // namespace trl::executor
