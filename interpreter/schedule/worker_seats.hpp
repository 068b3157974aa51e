// The real workers of a run: a warm trl-worker for each seat.
#pragma once

#include <memory>
#include <vector>

#include "interpreter/schedule/seats.hpp"
#include "interpreter/schedule/worker_process.hpp"

namespace trl::interpreter {

/// The seats of a run with their workers. A worker is started for the first stage on its seat, since a run
/// without missing stages needs none, and kept for later stages. A stage on several seats is carried out by
/// their workers together (`run_together`).
class WorkerSeats : public Seats {
 public:
  /// Makes the options of the worker of a seat.
  using OptionsOf = std::function<WorkerOptions(std::size_t seat)>;
  WorkerSeats(std::vector<Seat> seats, OptionsOf options_of, const Interrupt& interrupt)
      : seats_(std::move(seats)),
        options_of_(std::move(options_of)),
        cancellation_(interrupt),
        workers_(seats_.size()) {}
  ~WorkerSeats() override {
    // All end at the same time.
    for (const auto& worker : workers_)
      if (worker) worker->dismiss();
  }

  const std::vector<Seat>& all() const override { return seats_; }
  StageDone run(const std::vector<std::size_t>& seats, const WorkerRequest& request,
                const WorkerEvents& events) override;
  void cancel() override { cancellation_.request(); }

 private:
  std::vector<Seat> seats_;
  OptionsOf options_of_;
  Cancellation cancellation_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;  ///< by seat
};

/// The entries of CUDA_VISIBLE_DEVICES that a run on GPUs can give to workers: the entries in `variable`, the
/// variable's value, or else the numbers of the GPUs that `nvidia-smi --list-gpus` lists.
std::vector<std::string> gpu_entries(const std::optional<std::string>& variable, const std::string& listed);
/// Returns the UUID of the GPU with this entry, which is the same for every process of the machine. For an
/// entry that `listed` lacks, such as a part of a GPU, returns the entry itself.
std::string gpu_id(const std::string& entry, const std::string& listed);

struct VisibleGpu {
  std::string entry;  ///< for CUDA_VISIBLE_DEVICES
  std::string id;     ///< as by `gpu_id`
};
/// The GPUs of this machine that a run may use.
std::vector<VisibleGpu> gpus_here();

/// Returns the number of GPUs that `wanted` requests: a number, or "all" for all `there`. Throws UserError if
/// fewer are available, or none.
std::size_t wanted_gpus(std::size_t there, const std::string& wanted);

/// Returns the name of the GPU with this entry, for the user: "GPU 3"; for a UUID, its first part.
std::string gpu_name(const std::string& entry);

}  // namespace trl::interpreter
