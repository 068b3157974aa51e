#include "verifier/executor/machine/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define TRL_FIBERS_ARE_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TRL_FIBERS_ARE_WATCHED 1
#endif
#endif
#ifdef TRL_FIBERS_ARE_WATCHED
#include <sanitizer/common_interface_defs.h>
#endif

namespace trl::executor {
namespace {

thread_local Fiber* entering = nullptr;

void switching([[maybe_unused]] void** fake, [[maybe_unused]] const void* stack,
               [[maybe_unused]] std::size_t bytes) {
#ifdef TRL_FIBERS_ARE_WATCHED
  __sanitizer_start_switch_fiber(fake, stack, bytes);
#endif
}

void switched([[maybe_unused]] void* fake, [[maybe_unused]] const void** stack,
              [[maybe_unused]] std::size_t* bytes) {
#ifdef TRL_FIBERS_ARE_WATCHED
  __sanitizer_finish_switch_fiber(fake, stack, bytes);
#endif
}

}  // namespace

Fiber::Fiber(std::size_t stack_bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  guard_ = page;
  bytes_ = (stack_bytes + page - 1) / page * page;
  memory_ = mmap(nullptr, guard_ + bytes_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
  if (mprotect(memory_, guard_, PROT_NONE) != 0) {
    munmap(memory_, guard_ + bytes_);
    throw std::bad_alloc();
  }
}

Fiber::~Fiber() { munmap(memory_, guard_ + bytes_); }

void Fiber::start(std::function<void()> body) {
  body_ = std::move(body);
  ended_ = false;
  getcontext(&own_);
  own_.uc_stack.ss_sp = static_cast<std::byte*>(memory_) + guard_;
  own_.uc_stack.ss_size = bytes_;
  own_.uc_link = nullptr;
  own_fake_ = nullptr;
  makecontext(&own_, &Fiber::enter, 0);
}

void Fiber::enter() { entering->run(); }

void Fiber::run() {
  switched(nullptr, &caller_stack_, &caller_bytes_);
  try {
    body_();
  } catch (...) {
    error_ = std::current_exception();
  }
  ended_ = true;
  leave(true);
}

void Fiber::resume() {
  entering = this;
  switching(&caller_fake_, own_.uc_stack.ss_sp, bytes_);
  swapcontext(&caller_, &own_);
  switched(caller_fake_, nullptr, nullptr);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Fiber::suspend() { leave(false); }

void Fiber::leave(bool for_ever) {
  switching(for_ever ? nullptr : &own_fake_, caller_stack_, caller_bytes_);
  swapcontext(&own_, &caller_);
  switched(own_fake_, &caller_stack_, &caller_bytes_);
}

}  // namespace trl::executor
