// Sockets between the processes that carry out one stage together.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace trl::runtime {

/// A Unix socket to each other process of a group on one host. An operation is called by all processes with
/// arguments that fit together, in the same order.
class Mesh {
 public:
  /// Thrown by an operation when another process has closed its sockets, because it stopped or died.
  struct Lost : std::runtime_error {
    explicit Lost(int other);
    int rank;  ///< of the other process
  };

  /// Connects to the other processes through the folder `meeting`, which must exist and must have been empty
  /// before the first process came. `check` is called while this waits; it may throw. Throws UserError if a
  /// process doesn't come within ten minutes.
  Mesh(int rank, int size, const std::filesystem::path& meeting, const std::function<void()>& check);
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;
  ~Mesh();

  /// Sends out[r] to the process of rank r and receives in[r] from it: as many bytes as that process sends.
  /// Throws Lost.
  void exchange(const std::vector<std::span<const char>>& out, const std::vector<std::span<char>>& in) const;

 private:
  int rank_;
  std::vector<int> sockets_;  // by rank; -1 for this process
};

}  // namespace trl::runtime
