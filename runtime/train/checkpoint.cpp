#include "runtime/train/checkpoint.hpp"

#include <fmt/format.h>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/tensors/safetensors.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* checkpoint_file = "training.safetensors";
constexpr const char* checkpoint_format = "1";  // the version of the file's format
/// The largest share of the time that writing checkpoints may take; it limits how often they are written.
constexpr double largest_share = 0.02;

/// Thrown with the reason why a checkpoint can't be used.
struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string kept_parameter_name(std::size_t i) { return fmt::format("parameter.{:06}", i); }
std::string kept_state_name(std::size_t i) { return fmt::format("optimiser.{:06}", i); }

/// Returns the SHA-256 of everything in the file except the digest itself.
std::string digest_of(const Safetensors& content) {
  std::string text;
  for (const auto& [name, value] : content.metadata)
    if (name != "digest") text += fmt::format("{}:{}\n", name, sha256_hex(value));
  for (const auto& [name, tensor] : content.tensors) {
    const std::string_view bytes(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes());
    text += fmt::format("{}:{}:{}\n", name, json(tensor.sizes().vec()).dump(), sha256_hex(bytes));
  }
  return sha256_hex(text);
}

/// Names everything that the bits of a step depend on in addition to the stage's key: the kind of device and
/// the libraries. The number of threads isn't part of it.
std::string arithmetic_of(const contract::MadeOn& made_on) {
  json text = {{"device", made_on.device}, {"versions", made_on.versions}};
  if (made_on.on_gpu())
    text["cuda"] = made_on.cuda;
  else
    text.update({{"cpu", made_on.cpu}, {"capability", made_on.capability}, {"loops", made_on.loops}});
  return text.dump();
}

/// Returns a value that every checkpoint has; throws Unusable without it.
const std::string& value_of(const Safetensors& content, const char* name) {
  const auto found = content.metadata.find(name);
  if (found == content.metadata.end()) throw Unusable(fmt::format("it has no {}", name));
  return found->second;
}

/// Reads a checkpoint and checks its digest.
Safetensors read_checked(const fs::path& file) {
  auto content = [&] {
    try {
      return read_safetensors(file);
    } catch (const UserError& error) {
      throw Unusable(error.what());
    }
  }();
  if (value_of(content, "digest") != digest_of(content)) throw Unusable("its bytes don't have its digest");
  return content;
}

/// Returns the tensors of a checkpoint in the order of the tensors `own` that they will replace.
std::vector<at::Tensor> tensors_of(const Safetensors& content, const std::vector<at::Tensor>& own,
                                   std::string (*name)(std::size_t)) {
  std::vector<at::Tensor> tensors;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto found = content.tensors.find(name(i));
    if (found == content.tensors.end() || found->second.sizes() != own[i].sizes() ||
        found->second.scalar_type() != own[i].scalar_type())
      throw Unusable(fmt::format("its tensor {} isn't that of this stage", name(i)));
    tensors.push_back(found->second);
  }
  return tensors;
}

}  // namespace

Checkpoints::Checkpoints(Stage& stage, const Group& group, std::vector<at::Tensor> parameters,
                         AdamW& optimiser, Clock clock)
    : stage_(stage),
      group_(group),
      parameters_(std::move(parameters)),
      optimiser_(optimiser),
      clock_(std::move(clock)) {}

Checkpoints::Resumed Checkpoints::resume(std::int64_t total) {
  const auto resumed = read(total);
  const auto own = std::to_string(resumed.steps);
  for (const auto& other : group_.gather(own)) {
    if (other != own)
      throw UserError(
          fmt::format("the processes of a group go on from different checkpoints: after step {} and step {}",
                      own, other),
          "give all of them the same `checkpoint`");
  }
  return resumed;
}

Checkpoints::Resumed Checkpoints::read(std::int64_t total) {
  if (!stage_.checkpoint) return {};
  const auto file = stage_.checkpoint->folder / checkpoint_file;
  if (!fs::exists(file)) return {};
  try {
    const auto content = read_checked(file);
    if (value_of(content, "format") != checkpoint_format)
      throw Unusable("it has the format of another version of trl");
    if (value_of(content, "key") != stage_.checkpoint->key) throw Unusable("it is that of another stage");
    if (value_of(content, "arithmetic") != arithmetic_of(stage_.made_on))
      throw Unusable(
          "it was made by another kind of device or version of libtorch, which rounds differently");
    const auto parameters = tensors_of(content, parameters_, kept_parameter_name);
    const auto state = tensors_of(content, optimiser_.state(), kept_state_name);
    if (content.tensors.size() != parameters.size() + state.size())
      throw Unusable("it has tensors that this stage lacks");
    const auto progress = json::parse(value_of(content, "progress"));
    const Resumed resumed{progress.at("steps"), progress.at("seconds")};
    if (resumed.steps < 1 || resumed.steps > total)
      throw Unusable(fmt::format("it has {} steps of {}", resumed.steps, total));
    std::vector<Metric> metrics;
    for (const auto& told : progress.at("metrics")) metrics.push_back({told.at(0), told.at(1), told.at(2)});

    const at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters_[i].copy_(parameters[i]);
    optimiser_.set_state(state);
    stage_.resumed(resumed.steps, total);
    for (const auto& [name, step, value] : metrics) stage_.metric(name, step, value);
    stage_.progress(resumed.steps, total, "steps");
    written_ = resumed.steps;
    return resumed;
  } catch (const Unusable& why) {
    stage_.note(fmt::format("the checkpoint {} isn't used, and the stage begins anew: {}", file.string(),
                            why.what()));
  } catch (const json::exception& error) {
    stage_.note(fmt::format("the checkpoint {} isn't used, and the stage begins anew: {}", file.string(),
                            error.what()));
  }
  return {};
}

void Checkpoints::between_steps(std::int64_t done, const std::function<void()>& before) {
  bool cancelled = false;
  try {
    stage_.check_cancelled();
  } catch (const Cancelled&) {
    cancelled = true;
  }
  cancelled = group_.any(cancelled);
  if (stage_.checkpoint && group_.first()) {
    const auto now = clock_();
    if (!last_) last_ = now;
    const auto wait =
        stage_.checkpoint->seconds <= 0 ? 0 : std::max(stage_.checkpoint->seconds, took_ / largest_share);
    if (done > written_ && (cancelled || now - *last_ >= wait)) write(done, before);
  }
  if (cancelled) throw Cancelled();
}

void Checkpoints::write(std::int64_t done, const std::function<void()>& before) {
  if (before) before();
  const auto& [folder, key, seconds] = *stage_.checkpoint;
  const auto begun = clock_();
  auto metrics = json::array();
  for (const auto& [name, step, value] : stage_.told()) metrics.push_back({name, step, value});
  Safetensors content;
  content.metadata = {
      {"format", checkpoint_format},
      {"key", key},
      {"arithmetic", arithmetic_of(stage_.made_on)},
      {"progress", json{{"steps", done}, {"seconds", begun}, {"metrics", std::move(metrics)}}.dump()}};
  const auto keep = [&](const std::vector<at::Tensor>& tensors, std::string (*name)(std::size_t)) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      content.tensors[name(i)] = tensors[i].detach().to(at::kCPU).contiguous();
  };
  keep(parameters_, kept_parameter_name);
  keep(optimiser_.state(), kept_state_name);
  content.metadata["digest"] = digest_of(content);

  const auto file = folder / checkpoint_file, beside = folder / (std::string(checkpoint_file) + ".new");
  try {
    if (fs::create_directories(folder)) sync_path(folder.parent_path());
    write_safetensors(beside, content);
    sync_path(beside);
    move_path(beside, file);
    sync_path(folder);
    written_ = done;
  } catch (const std::runtime_error& error) {  // a disk's error: UserError or filesystem_error
    std::error_code ignored;
    fs::remove(beside, ignored);
    if (!std::exchange(failed_, true))
      stage_.note(fmt::format("no checkpoint was written, so that an interruption costs what was trained: {}",
                              error.what()));
  }
  last_ = clock_();
  took_ = *last_ - begun;
}

}  // namespace trl::runtime
