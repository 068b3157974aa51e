// The seats of a run. A seat is a place, such as one GPU or the machine's cores, on which a worker carries
// out one stage at a time. Tests replace the workers with fakes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/schedule/worker_client.hpp"

namespace trl::interpreter {

/// The resource that a stage needs: `gpu` a GPU or several, `cores` the CPU, `server` a model's server,
/// `head` this process itself.
enum class Need { head, gpu, cores, server };

struct Seat {
  Need offers = Need::cores;
  std::string name;  ///< "GPU 1", for the user; empty if there is nothing to tell apart
  bool on_cluster = false;
};

/// Returns the name of a single seat, "GPUs 0, 1, 3" for several seats on GPUs, and for other seats their
/// names, joined.
std::string seats_text(const std::vector<Seat>& seats, const std::vector<std::size_t>& which);

class Seats {
 public:
  virtual ~Seats() = default;
  /// All seats, at least one. A single seat serves every stage, one after another.
  virtual const std::vector<Seat>& all() const = 0;
  /// Runs a stage on these seats, as WorkerClient::run does. May be called by several threads for different
  /// seats.
  virtual StageDone run(const std::vector<std::size_t>& seats, const WorkerRequest& request,
                        const WorkerEvents& events) = 0;
  /// Cancels the stages that run, as the user's interruption does; `run` then throws Interrupted.
  virtual void cancel() = 0;
};

/// A single seat with the given worker.
class OneSeat : public Seats {
 public:
  explicit OneSeat(WorkerClient& worker) : worker_(worker) {}
  const std::vector<Seat>& all() const override { return seats_; }
  StageDone run(const std::vector<std::size_t>&, const WorkerRequest& request,
                const WorkerEvents& events) override {
    return worker_.run(request, events);
  }
  void cancel() override {}

 private:
  WorkerClient& worker_;
  std::vector<Seat> seats_{Seat{}};
};

/// Return the seats of a run on the GPUs with these names or, respectively, on the CPU with `workers`
/// workers. If there are several GPUs, there is also a seat for the cores. If there are several workers on
/// the CPU, there is also a seat for the GPU on which kernels may be timed. In both cases there are also a
/// seat for requests to servers and one for this process.
std::vector<Seat> seats_on_gpus(const std::vector<std::string>& names);
std::vector<Seat> seats_on_cpu(std::size_t workers);

/// Returns the seats of a run on a cluster: `gpus` seats with a GPU and `workers` seats with cores, at least
/// one in all, and two on this machine, for requests to servers and for this process. If `gpus` is 0, there
/// is also a seat for a GPU on which kernels may be timed; if `workers` is 0, a seat for cores. Those two are
/// on the cluster, too.
std::vector<Seat> seats_on_cluster(std::size_t gpus, std::size_t workers);

}  // namespace trl::interpreter
