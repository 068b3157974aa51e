// NCCL, loaded when it is first used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trl::runtime {

/// A communicator of NCCL between the GPUs of a group's processes. Operations are queued on the default
/// stream, as kernels are, and all processes must queue the same ones in the same order. Errors are
/// UserErrors that name the rank.
class Nccl {
 public:
  /// Returns random bytes by which the ranks find each other. Rank 0 makes them, and each rank passes them to
  /// the constructor.
  static std::string new_id();

  /// Waits for the communicators of all ranks. The current GPU is the process's own.
  Nccl(int rank, int size, const std::string& id);
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;
  /// Gives the communicator up without waiting for the other ranks, which may have ended.
  ~Nccl();

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::string& id() const { return id_; }
  /// Whether no operation of this communicator has failed.
  bool healthy() const;

  /// Sends sent[r] bytes to rank r and receives received[r] bytes from it. `from` and `to` are in GPU memory
  /// and hold the ranks' bytes one after another.
  void exchange(const void* from, const std::vector<std::size_t>& sent, void* to,
                const std::vector<std::size_t>& received) const;
  /// Gathers `bytes` bytes of each rank in `to`, by rank.
  void gather(const void* from, void* to, std::size_t bytes) const;

 private:
  int rank_, size_;
  std::string id_;
  void* communicator_ = nullptr;
};

}  // namespace trl::runtime
