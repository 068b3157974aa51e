#include "runtime/model/upload.hpp"

#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <vector>

#include "runtime/model/threads.hpp"

namespace trl::runtime {
namespace {

// Some elements of one tensor.
struct Piece {
  const at::Tensor* from;  // contiguous, on the CPU
  at::Tensor to;           // [elements], on the device
  std::int64_t first, count;
};

std::vector<Piece> pieces_of(const Weights& weights, Weights& out, std::int64_t buffer) {
  std::vector<Piece> pieces;
  for (const auto& [name, tensor] : weights) {
    const auto flat = out.at(name).view({-1});
    const auto step = std::max<std::int64_t>(1, buffer / static_cast<std::int64_t>(tensor.element_size()));
    for (std::int64_t first = 0; first < tensor.numel(); first += step)
      pieces.push_back({&tensor, flat, first, std::min(step, tensor.numel() - first)});
  }
  return pieces;
}

// The two buffers of one thread, with an event for each that tells when the device has read the buffer.
class Staging {
 public:
  Staging(const c10::Device& device, std::int64_t bytes) : device_(device) {
    const auto options = at::TensorOptions(at::kByte).pinned_memory(!device.is_cpu());
    for (auto& buffer : buffers_) buffer = at::empty({bytes}, options);
    if (device.is_cpu()) return;
    const c10::impl::VirtualGuardImpl implementation(device.type());
    stream_ = implementation.getStreamFromGlobalPool(device);
    // Operations that still run may use the memory that is about to be written, since it may have been freed
    // just before.
    c10::Event ready(device.type());
    ready.record(implementation.getStream(device));
    ready.block(*stream_);
    for (auto& event : read_) event.emplace(device.type());
  }

  void copy(const Piece& piece) {
    const std::size_t turn = turn_++ % 2;
    if (read_[turn] && used_[turn]) read_[turn]->synchronize();
    const auto bytes = piece.count * static_cast<std::int64_t>(piece.from->element_size());
    const auto* source = static_cast<const char*>(piece.from->const_data_ptr());
    std::memcpy(buffers_[turn].mutable_data_ptr(),
                source + piece.first * static_cast<std::int64_t>(piece.from->element_size()),
                static_cast<std::size_t>(bytes));
    const auto staged = buffers_[turn].narrow(0, 0, bytes).view(piece.from->scalar_type());
    const c10::OptionalStreamGuard guard(stream_);
    auto target = piece.to.narrow(0, piece.first, piece.count);
    if (staged.scalar_type() == target.scalar_type())
      target.copy_(staged, /*non_blocking=*/true);
    else  // the bytes are copied as they are, since a copy with conversion would convert on the CPU
      target.copy_(staged.to(device_, /*non_blocking=*/true));
    if (stream_) read_[turn]->record(*stream_);
    used_[turn] = true;
  }

  void finish() {
    for (std::size_t turn = 0; turn < 2; ++turn)
      if (read_[turn] && used_[turn]) read_[turn]->synchronize();
  }

 private:
  c10::Device device_;
  at::Tensor buffers_[2];
  std::optional<c10::Stream> stream_;
  std::optional<c10::Event> read_[2];
  bool used_[2] = {false, false};
  std::size_t turn_ = 0;
};

Weights staged(const Weights& weights, const c10::Device& device, c10::ScalarType type,
               const UploadSettings& settings) {
  Weights whole, out;
  for (const auto& [name, tensor] : weights) {
    whole[name] = tensor.contiguous();
    out[name] = at::empty(tensor.sizes(), at::TensorOptions(type).device(device));
  }
  const auto pieces = pieces_of(whole, out, settings.buffer);
  std::atomic<std::size_t> next = 0;
  const auto threads = std::clamp<std::size_t>(pieces.size(), 1, static_cast<std::size_t>(settings.threads));
  parallel(threads, static_cast<int>(threads), [&](std::size_t) {
    const at::NoGradGuard no_grad;
    Staging staging(device, std::max<std::int64_t>(settings.buffer, 8));
    for (auto i = next++; i < pieces.size(); i = next++) staging.copy(pieces[i]);
    staging.finish();
  });
  return out;
}

}  // namespace

Weights upload(const Weights& weights, const c10::Device& device, c10::ScalarType type,
               const UploadSettings& settings) {
  const at::NoGradGuard no_grad;
  if (!device.is_cpu() || settings.staged_on_cpu) return staged(weights, device, type, settings);
  Weights out;
  for (const auto& [name, tensor] : weights) out[name] = tensor.to(type);
  return out;
}

}  // namespace trl::runtime
