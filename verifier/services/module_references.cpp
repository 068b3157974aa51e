#include "verifier/services/module_references.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

#include "base/stage/cancelled.hpp"
#include "base/support/child_process.hpp"
#include "base/support/error.hpp"
#include "base/tensors/safetensors.hpp"
#include "base/tensors/scalar_type.hpp"
#include "verifier/hostile_json.hpp"
#include "verifier/sandbox/options.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::int64_t most_bytes = std::int64_t{16} << 30;       // the bytes of one task
constexpr std::int64_t most_kept_bytes = std::int64_t{24} << 30;  // the bytes of all tasks that are kept
constexpr std::chrono::minutes most_time{15};

/// A new folder, which is removed with its last owner.
std::shared_ptr<const fs::path> new_folder() {
  std::string text = (fs::temp_directory_path() / "trl-reference-XXXXXX").string();
  if (::mkdtemp(text.data()) == nullptr)
    throw UserError(fmt::format("no folder can be made in {}: {}", fs::temp_directory_path().string(),
                                std::strerror(errno)),
                    "KernelBench's expected outputs are kept there; name another with TMPDIR");
  return {new fs::path(text), [](const fs::path* folder) {
            std::error_code ignored;
            fs::remove_all(*folder, ignored);
            delete folder;
          }};
}

const at::Tensor& tensor_of(const Safetensors& file, const std::string& name, const std::string& whose) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end())
    throw NoReference(fmt::format("{} has no {}", whose, name),
                      "what was read of its file and what it does differ: report it");
  return found->second;
}

/// A tensor's bytes as an input of the task, whose dtype and shape it must have.
InputData input_of(const at::Tensor& tensor, const TensorShape& wanted) {
  if (tensor.sizes() != at::IntArrayRef(wanted.extents))
    throw NoReference(fmt::format("{} is {} in its module and {} in what was read", wanted.name,
                                  fmt::join(tensor.sizes(), " x "), fmt::join(wanted.extents, " x ")));
  // Class numbers and indices get the task's dtype, whatever dtype the file has.
  const at::Tensor data = tensor.to(scalar_type(wanted.dtype)).contiguous();
  InputData out{wanted.name, std::vector<std::byte>(data.nbytes())};
  std::memcpy(out.bytes.data(), data.const_data_ptr(), data.nbytes());
  return out;
}

std::vector<std::string> file_names() {
  std::vector<std::string> names = {"state.safetensors", "init.safetensors"};
  for (int i = 0; i < ModuleReference::trials; ++i) names.push_back(fmt::format("trial_{}.safetensors", i));
  return names;
}

/// Writes the next bytes of a process to a file. Returns whether the process gave all `bytes`.
bool write_from(ChildProcess& child, std::int64_t bytes, const fs::path& path, const WaitLimit& limit) {
  constexpr std::int64_t block = std::int64_t{1} << 20;
  std::ofstream file(path, std::ios::binary);
  for (; bytes > 0; bytes -= block) {
    const auto data = child.read_bytes(static_cast<std::size_t>(std::min(bytes, block)), limit);
    if (!data) return false;
    file.write(reinterpret_cast<const char*>(data->data()), static_cast<std::streamsize>(data->size()));
  }
  if (!file.flush())
    throw UserError(fmt::format("{} can't be written: {}", path.string(), std::strerror(errno)),
                    "KernelBench's expected outputs are kept there; name another folder with TMPDIR");
  return true;
}

/// Reads the files that reference.py sends, which the task's code may have forged, and writes them to the
/// folder. Returns their bytes; nothing if they aren't all there.
std::optional<std::int64_t> take_files(ChildProcess& child, const fs::path& folder, const WaitLimit& limit) {
  constexpr std::size_t most_line = std::size_t{1} << 16;
  std::int64_t taken = 0;
  for (const std::string& name : file_names()) {
    const auto line = child.read_line(limit, most_line);
    const auto head = read_hostile(line.value_or(""), {most_line, 16, 2});
    const std::int64_t bytes = head ? integer_of(*head, "bytes", 0, most_bytes - taken, -1) : -1;
    if (!head || text_of(*head, "file") != name || bytes < 0) return std::nullopt;
    if (!write_from(child, bytes, folder / name, limit)) return std::nullopt;
    taken += bytes;
  }
  return taken;
}

}  // namespace

void ReferenceTrial::put_weights(const Task& task, const std::vector<DrawnWeight>& weights) {
  // Any seed other than the module's will do.
  auto generator = at::detail::createCPUGenerator(ModuleReference::seed + 1);
  for (const DrawnWeight& one : weights) {
    std::vector<std::byte>& bytes = inputs[one.input].bytes;
    const at::ScalarType type = scalar_type(task.inputs[one.input].dtype);
    at::Tensor values =
        at::empty({static_cast<std::int64_t>(bytes.size() / at::elementSize(type))}, at::kDouble);
    if (one.family == "uniform")
      values.uniform_(one.first, one.second, generator);
    else if (one.family == "normal")
      values.normal_(one.first, one.second, generator);
    else
      values.fill_(one.first);
    values = values.to(type);
    std::memcpy(bytes.data(), values.const_data_ptr(), bytes.size());
  }
}

json kernelbench_protocol(const Task& task, const std::string& device) {
  return {{"code", task.module->code},
          {"entry", task.module->entry},
          {"pair", false},
          {"seed", ModuleReference::seed},
          {"trials", ModuleReference::trials},
          {"precision", "f32"},
          {"cast", "floats"},
          {"device", device},
          {"most_bytes", most_bytes}};
}

ReferenceTrial ModuleReference::trial(const Task& task, int number) const try {
  const Safetensors state = read_safetensors(*folder_ / "state.safetensors");
  const Safetensors trial = read_safetensors(*folder_ / fmt::format("trial_{}.safetensors", number));
  std::vector<const at::Tensor*> given;
  for (std::size_t i = 0, missed = 0; missed < 64; ++i)
    if (const auto found = trial.tensors.find(fmt::format("inputs.{}", i)); found != trial.tensors.end())
      given.push_back(&found->second);
    else
      ++missed;  // a number among the inputs
  ReferenceTrial out;
  const std::vector<TensorShape> shapes = input_shapes(task, Variation{});
  std::size_t next = 0;
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    const TaskInput& input = task.inputs[i];
    if (!input.parameter.empty()) {
      out.inputs.push_back(input_of(tensor_of(state, input.parameter, "its module"), shapes[i]));
    } else {
      if (next == given.size()) throw NoReference("its get_inputs gives fewer tensors than were read");
      out.inputs.push_back(input_of(*given[next++], shapes[i]));
    }
  }
  if (next != given.size()) throw NoReference("its get_inputs gives more tensors than were read");
  const std::vector<TensorShape> results = output_shapes(task, Variation{});
  for (std::size_t i = 0; i < results.size(); ++i) {
    const at::Tensor& own = tensor_of(trial, fmt::format("outputs.{}", i), "its result");
    if (own.sizes() != at::IntArrayRef(results[i].extents))
      throw NoReference(fmt::format("its result is {} in its module and {} in what was read",
                                    fmt::join(own.sizes(), " x "), fmt::join(results[i].extents, " x ")));
    const at::Tensor values = own.to(at::kDouble).contiguous();
    const auto* first = values.const_data_ptr<double>();
    out.outputs.emplace_back(first, first + values.numel());
  }
  return out;
} catch (const NoReference&) {
  throw;
} catch (const UserError& error) {
  throw NoReference(fmt::format("its module gave no tensors: {}", error.what()));
}

ModuleReferences::Entry ModuleReferences::computed(const std::string& key, const json& request, bool confined,
                                                   const std::function<bool()>& cancelled) const {
  Entry entry{key, nullptr, {}, {}};
  const auto folder = new_folder();
  const std::string script = "kernelbench/reference.py";
  ChildOptions options;
  options.input = request.dump();
  options.environment = {"OMP_NUM_THREADS=1"};
  ChildProcess child(confined ? installation_.confined(script, {"--env", options.environment.front()})
                              : std::vector<std::string>{installation_.python.string(), "-B", "-s",
                                                         (installation_.scripts / script).string()},
                     options);
  const WaitLimit limit{std::chrono::steady_clock::now() + most_time, cancelled};
  const auto bytes = take_files(child, *folder, limit);
  if (cancelled && cancelled()) throw Cancelled();
  const int status = child.wait(std::chrono::seconds(5));
  if (confined && status == sandbox::status_refused)
    throw UserError(child.errors(),
                    "run `trl doctor`; or pass --no-sandbox, with which no code of a store runs");
  if (!bytes) {
    entry.problem = child.errors();
    if (entry.problem.starts_with("error: ")) entry.problem.erase(0, 7);
    if (entry.problem.empty())
      entry.problem = "its module takes longer than 15 minutes, or more memory than there is";
    return entry;
  }
  entry.reference = std::make_shared<const ModuleReference>(folder, *bytes);
  return entry;
}

std::shared_ptr<ModuleReferences> ModuleReferences::shared(const Installation& installation) {
  static std::mutex mutex;
  static std::weak_ptr<ModuleReferences> one;
  const std::lock_guard lock(mutex);
  auto found = one.lock();
  if (!found) one = found = std::make_shared<ModuleReferences>(installation);
  return found;
}

std::shared_ptr<const ModuleReference> ModuleReferences::of(const Task& task, bool own, bool on_gpu,
                                                            bool sandbox,
                                                            const std::function<bool()>& cancelled) {
  if (!own && !sandbox)
    throw NoReference(
        "KernelBench's protocol carries out the task's module, and that of a store runs in the sandbox "
        "alone");
  const bool beside_gpu = own && on_gpu;  // a GPU can't be reached from the sandbox
  const json request = kernelbench_protocol(task, beside_gpu ? "cuda" : "cpu");
  const bool confined = sandbox && !beside_gpu;
  const std::string key = request.dump() + (confined ? " confined" : "");
  const std::lock_guard lock(mutex_);
  auto found = std::find_if(recent_.begin(), recent_.end(), [&](const Entry& one) { return one.key == key; });
  if (found == recent_.end()) {
    recent_.push_front(computed(key, request, confined, cancelled));
  } else {
    recent_.splice(recent_.begin(), recent_, found);
  }
  std::int64_t kept = 0;
  for (auto one = recent_.begin(); one != recent_.end();) {
    kept += one->reference ? one->reference->bytes() : 0;
    const bool drop = one != recent_.begin() && kept > most_kept_bytes;
    one = drop ? recent_.erase(one) : std::next(one);
  }
  const Entry& entry = recent_.front();
  if (!entry.reference)
    throw NoReference(fmt::format("KernelBench's protocol can't be carried out: {}", entry.problem),
                      entry.help);
  return entry.reference;
}

}  // namespace trl::runtime
