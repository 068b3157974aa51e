#include "interpreter/plan/extension.hpp"

#include <algorithm>

#include "base/contract/document.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/stages/draw.hpp"
#include "base/contract/stages/select.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;
using On = std::vector<std::pair<const Extension*, json>>;

template <class Spec>
using Change = void (*Extension::*)(const json&, Spec&);

template <class Spec>
void change_by(const On& on, Change<Spec> change, Spec& spec) {
  for (const auto& [extension, declared] : on)
    if (extension->*change) (extension->*change)(declared, spec);
}

template <class Spec>
json versions_by(const On& on, Change<Spec> change) {
  json versions;
  for (const auto& [extension, declared] : on)
    if (extension->*change) versions.push_back(contract::Declaration::read(declared).carried_out_by());
  return versions;
}

}  // namespace

const Extension* extension_called(const std::string& variant) {
  const auto& all = all_extensions();
  const auto found = std::find_if(all.begin(), all.end(), [&](auto* one) { return one->variant == variant; });
  return found == all.end() ? nullptr : *found;
}

Extensions::Extensions(const std::vector<json>& declared, bool times_kernels)
    : times_kernels_(times_kernels) {
  for (const Extension* extension : all_extensions())
    for (const json& one : declared)
      if (contract::Declaration::read(one).variant == extension->variant) {
        on_.emplace_back(extension, one);
        break;
      }
}

void Extensions::leave_out_inert(const std::set<std::string>& read) {
  std::erase_if(on_, [&](const auto& one) {
    const auto& [extension, declared] = one;
    return extension->acts && !extension->acts(declared, read);
  });
}

void Extensions::change(contract::Protocol& protocol) const {
  change_by(on_, &Extension::verify, protocol);
  if (times_kernels_) change_by(on_, &Extension::time, protocol);
}
void Extensions::change(contract::DrawSpec& spec) const { change_by(on_, &Extension::draw, spec); }
void Extensions::change(contract::SelectSpec& spec) const { change_by(on_, &Extension::select, spec); }

std::uint64_t Extensions::training_seed(std::uint64_t seed) const {
  for (const auto& [extension, declared] : on_)
    if (extension->seed) seed = extension->seed(declared, seed);
  return seed;
}

json Extensions::verify_versions() const {
  json versions = versions_by(on_, &Extension::verify);
  if (times_kernels_) versions.push_back(versions_by(on_, &Extension::time));
  return versions;
}
json Extensions::draw_versions(const json& trainer) const {
  return json::array({trainer, versions_by(on_, &Extension::draw)});
}
json Extensions::select_versions(const json& trainer) const {
  return json::array({trainer, versions_by(on_, &Extension::select)});
}

}  // namespace trl::interpreter
