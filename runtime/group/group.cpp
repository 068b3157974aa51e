#include "runtime/group/group.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <span>
#include <utility>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "runtime/group/mesh.hpp"
#include "runtime/group/nccl.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr const char* stopped_file = "stopped";

/// Returns the communicator of a group's processes. Making one takes a second, so each process keeps its last
/// communicator for the next stage of the same processes in the same ranks. It is never destroyed at the end
/// of the process, because CUDA may have ended before.
const Nccl& communicator(const Group& group) {
  static const Nccl* kept = nullptr;
  const bool fits =
      kept != nullptr && kept->rank() == group.rank() && kept->size() == group.size() && kept->healthy();
  const auto ids = group.gather(fits ? kept->id() : "");
  if (!ids.front().empty() &&
      std::all_of(ids.begin(), ids.end(), [&](const auto& id) { return id == ids.front(); }))
    return *kept;
  delete std::exchange(kept, nullptr);
  const auto id = group.gather(group.first() ? Nccl::new_id() : "").front();
  return *(kept = new Nccl(group.rank(), group.size(), id));
}

std::span<const char> bytes_of(const at::Tensor& tensor) {
  return {static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes()};
}

std::span<char> room_of(const at::Tensor& tensor) {
  return {static_cast<char*>(tensor.mutable_data_ptr()), tensor.nbytes()};
}

}  // namespace

Group::Group() = default;

Group::Group(const GroupPlace& place, const std::function<void()>& check)
    : rank_(place.rank), size_(place.size), meeting_(place.meeting) {
  if (size_ > 1) mesh_ = std::make_unique<const Mesh>(rank_, size_, meeting_, check);
}

Group::~Group() = default;

void Group::swap(const std::vector<std::span<const char>>& out,
                 const std::vector<std::span<char>>& in) const {
  try {
    mesh_->exchange(out, in);
  } catch (const Mesh::Lost& lost) {
    const auto said = text_if_there(meeting_ / stopped_file);
    if (!said) throw LostProcess(lost.rank, size_);
    const auto why = json::parse(*said);
    if (why.contains("cancelled")) throw Cancelled();
    if (why.contains("lost")) throw LostProcess(why.at("lost"), size_);
    throw UserError(why.at("message").get<std::string>(), why.at("help").get<std::string>());
  }
}

void Group::barrier() const { any(false); }

std::vector<std::string> Group::gather(const std::string& own) const {
  if (size_ == 1) return {own};
  const auto ranks = static_cast<std::size_t>(size_);
  const std::uint64_t length = own.size();
  std::vector<std::uint64_t> lengths(ranks);
  std::vector<std::string> all(ranks);
  std::vector<std::span<char>> room;
  for (auto& one : lengths) room.push_back({reinterpret_cast<char*>(&one), sizeof one});
  swap({ranks, {reinterpret_cast<const char*>(&length), sizeof length}}, room);
  for (std::size_t r = 0; r < ranks; ++r) {
    all[r].resize(lengths[r]);
    room[r] = all[r];
  }
  swap({ranks, own}, room);
  return all;
}

bool Group::any(bool own) const {
  if (size_ == 1) return own;
  const auto ranks = static_cast<std::size_t>(size_);
  const char said = own ? 1 : 0;
  std::vector<char> all(ranks);
  std::vector<std::span<char>> room;
  for (auto& one : all) room.push_back({&one, 1});
  swap({ranks, {&said, 1}}, room);
  return std::any_of(all.begin(), all.end(), [](char one) { return one != 0; });
}

const Nccl& Group::nccl() const {
  if (nccl_ == nullptr) nccl_ = &communicator(*this);
  // After the barrier, every process queues the operation, so no process waits on its GPU for a stopped one.
  barrier();
  return *nccl_;
}

at::Tensor Group::gather(const at::Tensor& own) const {
  if (size_ == 1) return own.unsqueeze(0);
  const auto given = own.contiguous();
  auto shape = own.sizes().vec();
  shape.insert(shape.begin(), size_);
  const auto all = at::empty(shape, own.options());
  if (own.is_cuda()) {
    nccl().gather(given.const_data_ptr(), all.mutable_data_ptr(), given.nbytes());
    return all;
  }
  std::vector<std::span<char>> room;
  for (int r = 0; r < size_; ++r) room.push_back(room_of(all[r]));
  swap({static_cast<std::size_t>(size_), bytes_of(given)}, room);
  return all;
}

at::Tensor Group::exchange(const at::Tensor& own, const std::vector<std::int64_t>& sent,
                           const std::vector<std::int64_t>& received) const {
  if (size_ == 1) return own;
  const auto all =
      at::empty({std::accumulate(received.begin(), received.end(), std::int64_t{0})}, own.options());
  if (own.is_cuda()) {
    const auto in_bytes = [&](const std::vector<std::int64_t>& counts) {
      std::vector<std::size_t> bytes;
      for (const auto count : counts) bytes.push_back(static_cast<std::size_t>(count) * own.element_size());
      return bytes;
    };
    nccl().exchange(own.const_data_ptr(), in_bytes(sent), all.mutable_data_ptr(), in_bytes(received));
    return all;
  }
  std::vector<std::span<const char>> out;
  std::vector<std::span<char>> in;
  std::int64_t from = 0, to = 0;
  for (std::size_t r = 0; r < sent.size(); ++r) {
    out.push_back(bytes_of(own.narrow(0, from, sent[r])));
    in.push_back(room_of(all.narrow(0, to, received[r])));
    from += sent[r];
    to += received[r];
  }
  swap(out, in);
  return all;
}

void Group::stop(const UserError& error) const {
  leave({{"message", fmt::format("rank {} of {}: {}", rank_, size_, error.what())}, {"help", error.help}});
}
void Group::stop(const LostProcess& lost) const { leave({{"lost", lost.rank}}); }
void Group::stop(const Cancelled&) const { leave({{"cancelled", true}}); }

void Group::leave(const json& why) const {
  if (size_ == 1) return;
  // The file is written under another name and then linked to its final name. The link is made only for the
  // first process that stops.
  const auto own = meeting_ / fmt::format("{}.{}", stopped_file, rank_);
  std::ofstream(own) << why.dump(-1, ' ', false, json::error_handler_t::replace);
  [[maybe_unused]] const auto ignored = ::link(own.c_str(), (meeting_ / stopped_file).c_str());
}

json in_group(Stage& stage, const std::function<json(Group&)>& body) {
  if (!stage.group) {
    Group alone;
    return body(alone);
  }
  Group group(*stage.group, [&] { stage.check_cancelled(); });
  // The reason must be written before the group's destructor closes the sockets, by which the other processes
  // notice the end.
  try {
    return body(group);
  } catch (const Cancelled& cancelled) {
    group.stop(cancelled);
    throw;
  } catch (const LostProcess& lost) {
    group.stop(lost);
    throw;
  } catch (const UserError& error) {
    group.stop(error);
    throw;
  } catch (const std::exception& error) {
    group.stop(UserError(error.what()));
    throw;
  }
}

void require_alike(const Group& group, contract::MadeOn made_on) {
  made_on.threads = 1;  // which changes no bit
  const auto own = made_on.write().dump();
  const auto all = group.gather(own);
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r] != own)
      throw UserError(fmt::format("ranks {} and {} of a group are on machines that differ: {} and {}",
                                  group.rank(), r, own, all[r]),
                      "use GPUs of one kind, and the same installation");
  }
}

std::vector<std::size_t> shares(const std::vector<std::int64_t>& costs, int size) {
  const auto all = std::accumulate(costs.begin(), costs.end(), std::int64_t{0});
  std::vector<std::size_t> bounds(static_cast<std::size_t>(size) + 1, costs.size());
  bounds[0] = 0;
  std::int64_t before = 0;  // the cost of the pieces before `piece`
  std::size_t piece = 0;
  for (int r = 1; r < size; ++r) {
    // A piece in which one share ends and the next begins belongs to the share that has more than half of it.
    while (piece < costs.size() && (2 * before + costs[piece]) * size <= 2 * all * r)
      before += costs[piece++];
    bounds[static_cast<std::size_t>(r)] = piece;
  }
  return bounds;
}

}  // namespace trl::runtime
