#include "interpreter/schedule/seats.hpp"

#include <algorithm>

namespace trl::interpreter {
namespace {

std::vector<Seat> with_others(std::vector<Seat> seats) {
  if (seats.size() < 2) {
    seats.front().name.clear();
    return seats;
  }
  const bool on_gpus = seats.front().offers == Need::gpu;
  seats.push_back(on_gpus ? Seat{Need::cores, "the CPU"} : Seat{Need::gpu, "the GPU"});
  seats.push_back({Need::server, ""});
  seats.push_back({Need::head, ""});
  return seats;
}

}  // namespace

std::string seats_text(const std::vector<Seat>& seats, const std::vector<std::size_t>& which) {
  if (which.size() == 1) return seats[which.front()].name;
  const std::string gpu = "GPU ";
  const bool numbered = std::all_of(which.begin(), which.end(),
                                    [&](std::size_t seat) { return seats[seat].name.starts_with(gpu); });
  std::string text;
  for (const std::size_t seat : which)
    text +=
        (text.empty() ? numbered ? "GPUs " : "" : ", ") + seats[seat].name.substr(numbered ? gpu.size() : 0);
  return text;
}

std::vector<Seat> seats_on_gpus(const std::vector<std::string>& names) {
  std::vector<Seat> seats;
  for (const auto& name : names) seats.push_back({Need::gpu, name});
  return with_others(std::move(seats));
}

std::vector<Seat> seats_on_cpu(std::size_t workers) {
  std::vector<Seat> seats;
  for (std::size_t i = 1; i <= workers; ++i) seats.push_back({Need::cores, "worker " + std::to_string(i)});
  return with_others(std::move(seats));
}

std::vector<Seat> seats_on_cluster(std::size_t gpus, std::size_t workers) {
  std::vector<Seat> seats;
  for (std::size_t i = 1; i <= gpus; ++i) seats.push_back({Need::gpu, "GPU " + std::to_string(i), true});
  for (std::size_t i = 1; i <= workers; ++i)
    seats.push_back({Need::cores, "worker " + std::to_string(i), true});
  if (gpus == 0) seats.push_back({Need::gpu, "a GPU", true});
  if (workers == 0) seats.push_back({Need::cores, "cores", true});
  seats.push_back({Need::server, ""});
  seats.push_back({Need::head, ""});
  return seats;
}

}  // namespace trl::interpreter
