#include "interpreter/plan/hardware.hpp"

#include <map>
#include <tuple>

#include "base/contract/protocol.hpp"
#include "base/contract/stages/finetune.hpp"
#include "base/contract/stages/pretrain.hpp"
#include "base/contract/stages/sample.hpp"
#include "base/support/machine.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

/// Kernels are timed on a GPU wherever models run.
bool on_gpu(Work work, const Here& here) { return here.gpu || work == Work::timing; }

std::string here_text(Work work, const Here& here) {
  if (!on_gpu(work, here)) return "a CPU (" + here.loops + ")";
  return here.gpu_model.empty() ? "a GPU" : here.gpu_model;
}

bool is_other(const contract::MadeOn& made_on, Work work, const Here& here) {
  if (made_on.on_gpu() != on_gpu(work, here)) return true;
  const auto& [there, known] =
      made_on.on_gpu() ? std::tie(made_on.device, here.gpu_model) : std::tie(made_on.loops, here.loops);
  return !there.empty() && !known.empty() && there != known;
}

/// Returns the machine that made a stored result; nothing if it isn't recorded, or if the result is missing
/// or damaged.
std::optional<contract::MadeOn> known_made_on(const Store& store, const std::string& key) {
  if (!store.has(key)) return std::nullopt;
  try {
    return store.result(key).made_on();
  } catch (const DamagedResult&) {
    return std::nullopt;  // `trl run` makes the result again
  }
}

}  // namespace

std::optional<Work> work_of(const Stage& stage) {
  if (stage.kind == contract::SampleSpec::kind) return Work::sampling;
  if (stage.kind == contract::FinetuneSpec::kind || stage.kind == contract::PretrainSpec::kind)
    return Work::training;
  if (stage.kind == contract::Protocol::kind && contract::Protocol::read(stage.spec).timed)
    return Work::timing;
  return std::nullopt;
}

std::string work_text(Work work) {
  switch (work) {
    case Work::sampling:
      return "sampling";
    case Work::training:
      return "training";
    case Work::timing:
      break;
  }
  return "timing";
}

std::string hardware_text(const contract::MadeOn& made_on) {
  if (made_on.on_gpu()) return made_on.device;
  const char* comma = made_on.capability.empty() || made_on.loops.empty() ? "" : ", ";
  const auto units = made_on.capability + comma + made_on.loops;
  return units.empty() ? "a CPU" : "a CPU (" + units + ")";
}

Here this_machine(const std::string& device) { return {device != "cpu", vector_level_name(), gpu_model()}; }

std::vector<OtherHardware> other_hardware(const Plan& plan, const Store& store, const Here& here) {
  if (plan.allowed.contains("mixed_hardware")) return {};
  std::map<Work, int> to_do;
  std::map<std::pair<Work, std::string>, int> stored;
  for (const auto& stage : plan.stages) {
    const auto work = work_of(stage);
    if (!work) continue;
    if (!store.has(stage.key)) {
      ++to_do[*work];
    } else if (const auto made_on = known_made_on(store, stage.key);
               made_on && is_other(*made_on, *work, here)) {
      ++stored[{*work, hardware_text(*made_on)}];
    }
  }
  std::vector<OtherHardware> others;
  for (const auto& [of, count] : stored)
    if (const auto missing = to_do.find(of.first); missing != to_do.end())
      others.push_back({of.first, of.second, count, missing->second});
  return others;
}

std::string sentence(const OtherHardware& other, const Here& here) {
  return fmt::format(
      "{} stage{} of {} {} stored from {}, and {} {} to be run here, on {}: rows of both can't be compared, "
      "unless the experiment says `allow(mixed_hardware, \"…\")`. Go on there, or begin another store here "
      "with `--store DIR`.",
      other.stages, other.stages == 1 ? "" : "s", work_text(other.work), other.stages == 1 ? "is" : "are",
      other.made_on, other.to_do, other.to_do == 1 ? "is" : "are", here_text(other.work, here));
}

nlohmann::json as_json(const OtherHardware& other) {
  return {{"work", work_text(other.work)},
          {"made_on", other.made_on},
          {"stages", other.stages},
          {"to_do", other.to_do}};
}

}  // namespace trl::interpreter
