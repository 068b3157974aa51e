#include "runtime/model/threads.hpp"

#include <ATen/Parallel.h>
#include <ATen/ThreadLocalState.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace trl::runtime {

void parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const at::ThreadLocalState state;
  const auto run = [&] {
    const at::ThreadLocalStateGuard guard(state);
    at::set_num_threads(1);
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads && i < static_cast<int>(count); ++i) others.emplace_back(run);
  run();
  for (auto& thread : others) thread.join();
  at::set_num_threads(before);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace trl::runtime
