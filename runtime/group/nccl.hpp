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
  /// Returns the random bytes that rank 0 makes and by which all ranks find each other.
  static std::string new_id();

  /// Waits for the communicators of all ranks. The current GPU is the process's own.
  Nccl(int rank, int size, const std::string& id);
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;
  /// Gives the communicator up, whether the others are still there or not.
  ~Nccl();

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::string& id() const { return id_; }
  /// Whether no operation of it has failed.
  bool healthy() const;

  /// Sends sent[r] bytes to rank r and receives received[r] bytes from it, one rank's after another's in
  /// `from` and `to`, which lie on the GPU.
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
