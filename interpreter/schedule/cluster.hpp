// A Ray cluster, on which `trl run --on ray` runs stages. This process talks to the program runtime/cluster/,
// which talks to Ray; Ray starts, watches and moves the workers.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/support/child_process.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/seats.hpp"

namespace trl::interpreter {

struct ClusterOptions {
  std::string address;         ///< of Ray: "auto", "ray://HOST:10001", "HOST:6379"
  std::filesystem::path home;  ///< the folder with runtime/cluster/
  std::filesystem::path log;   ///< the file for the program's output
  /// A new file in the store with a random text. A node on which a file with the same text is found at this
  /// path shares the head node's store.
  std::filesystem::path token;
};

/// A node of a cluster, with the resources that Ray knows of.
struct ClusterNode {
  std::string name;
  double cores = 0, gpus = 0;
};

/// The cores and GPUs that Ray reserves for the worker of one seat (seats.hpp).
struct SeatNeeds {
  int cores = 1, gpus = 0;
};

class Cluster {
 public:
  /// Connects to the cluster, which takes seconds. Throws UserError if there is no Ray or no cluster, and
  /// Interrupted if the user interrupts.
  Cluster(ClusterOptions options, const Interrupt& interrupt);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  const std::vector<ClusterNode>& nodes() const { return nodes_; }
  /// Returns a new connection to a worker on the cluster, in the worker's protocol (for
  /// WorkerOptions::connect). Connects to the cluster again if runtime/cluster/'s process has ended. Several
  /// threads may call it at once.
  ByteChannel connect(const SeatNeeds& needs);
  /// Returns the state of each node, as `node.describe` of runtime/cluster/ reports it: `name`, `id`,
  /// `lacks`, `not_confined`, `shared`.
  nlohmann::json examined();

 private:
  void start();
  nlohmann::json answer();

  ClusterOptions options_;
  const Interrupt& interrupt_;
  std::mutex mutex_;
  ChildProcess program_;
  std::vector<ClusterNode> nodes_;
};

/// How a run divides a cluster: the number of workers with a GPU, the number of workers with cores alone, and
/// the cores of each of the latter.
struct ClusterShares {
  std::size_t gpus = 0, workers = 0;
  int threads = 1;
};

/// Divides the nodes' cores into workers of `threads` cores each; by default, `threads` is the number of
/// cores of the smallest node. Each GPU in use takes one core of its node. Nonzero `gpus` and `workers` in
/// `wanted` are taken as they are, even if the cluster is smaller, since it may grow. With `all_gpus`, every
/// GPU is used. Throws UserError if there is nothing to run on.
ClusterShares shares_of(const std::vector<ClusterNode>& nodes, const ClusterShares& wanted, bool all_gpus);

/// The Python that has Ray: $TRL_RAY_PYTHON, or else the one that `trl` uses.
std::filesystem::path ray_python(const std::filesystem::path& home);

}  // namespace trl::interpreter
