// The processes that carry out one stage together: on several GPUs of a host, or on its CPU.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/contract/made_on.hpp"
#include "base/stage/lost.hpp"
#include "base/stage/stage.hpp"

namespace trl::runtime {

class Mesh;
class Nccl;

/// One process's view of a group. All processes call the same operations in the same order; each operation
/// waits for all of them. Bytes and tensors on the CPU are sent through sockets. Tensors on GPUs are sent by
/// NCCL, whose operations may still be running on the GPU when a function returns. When another process
/// leaves the group, operations throw the exception that was given to `stop`: Cancelled, LostProcess, or a
/// UserError with its message. If it left without calling `stop`, they throw LostProcess.
class Group {
 public:
  /// A group of this process alone.
  Group();
  /// Connects to the other processes. `check` is called while this waits; it may throw.
  Group(const GroupPlace& place, const std::function<void()>& check);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group();

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Whether this process is rank 0, whose output counts.
  bool first() const { return rank_ == 0; }

  void barrier() const;
  /// Returns the texts of all processes, by rank.
  std::vector<std::string> gather(const std::string& own) const;
  /// Whether `own` is true in any process.
  bool any(bool own) const;

  /// Returns the tensors of all processes, by rank: [size, …]. `own` has the same shape and type in all
  /// processes.
  at::Tensor gather(const at::Tensor& own) const;
  /// Sends elements of `own`, which is flat, to the other processes: first sent[0] elements to rank 0, and so
  /// on. Returns the elements that they send to this process, by rank; received[r] is their number.
  at::Tensor exchange(const at::Tensor& own, const std::vector<std::int64_t>& sent,
                      const std::vector<std::int64_t>& received) const;

  /// Tells the other processes why this one stops: once it has left the group, their operations throw the
  /// error. If several processes call this, only the first call counts.
  void stop(const UserError& error) const;
  void stop(const LostProcess& lost) const;
  void stop(const Cancelled&) const;

 private:
  void swap(const std::vector<std::span<const char>>& out, const std::vector<std::span<char>>& in) const;
  /// Returns the communicator once all processes are about to use it.
  const Nccl& nccl() const;
  void leave(const nlohmann::json& why) const;

  int rank_ = 0, size_ = 1;
  std::filesystem::path meeting_;
  std::unique_ptr<const Mesh> mesh_;  // null in a group of one
  mutable const Nccl* nccl_ = nullptr;
};

/// Carries out a stage in the group that its request names, or in this process alone if it names none. Calls
/// `body` with the group and returns its result. An exception of `body` is passed to the other processes, and
/// thrown again here.
nlohmann::json in_group(Stage& stage, const std::function<nlohmann::json(Group&)>& body);

/// Throws UserError if a process of the group computes on another kind of device, or with other libraries,
/// than this one: such processes round differently. `made_on` is this process's record.
void require_alike(const Group& group, contract::MadeOn made_on);

/// Splits consecutive pieces of work among the processes of a group, so that each has about the same cost:
/// process r gets the pieces bounds[r] … bounds[r + 1] - 1. Depends on the arguments alone.
std::vector<std::size_t> shares(const std::vector<std::int64_t>& costs, int size);

}  // namespace trl::runtime
