#include "interpreter/plan/why.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "base/contract/formula.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

constexpr int most_candidates = 16;
constexpr std::size_t most_shown = 4, most_cached = 128;

bool is_formula(const json& value) {
  return value.is_object() && value.contains("params") && value.contains("body");
}

std::string brief(const json& value) {
  if (value.is_number_float()) return number_text(value.get<double>());
  if (value.is_null()) return "none";
  if (value.is_string() && value.get_ref<const std::string&>().size() <= 40) return value;
  if (is_formula(value)) {
    constexpr std::size_t longest = 120;
    try {
      const std::string formula = formula_text(contract::Formula::read({{"formula", value}}).body);
      return formula.size() > longest ? formula.substr(0, longest) + "…" : formula;
    } catch (const std::exception&) {
      // The formula has the form of another version, so it is shown as it is.
    }
  }
  const auto text = value.dump();
  if (text.size() <= 40) return text;
  return value.is_array() ? std::to_string(value.size()) + " entries" : std::string("{…}");
}

/// Whether both are lists of declarations with the same names.
bool are_alike_named(const json& before, const json& now) {
  if (!before.is_array() || !now.is_array() || before.size() != now.size()) return false;
  for (std::size_t i = 0; i < now.size(); ++i)
    if (!now[i].is_object() || !before[i].is_object() || !now[i].value("name", json()).is_string() ||
        now[i]["name"] != before[i].value("name", json()))
      return false;
  return !now.empty();
}

void list_differences(const std::string& path, const json& before, const json& now,
                      std::vector<std::string>& found) {
  if (before == now) return;
  if (are_alike_named(before, now)) {
    for (std::size_t i = 0; i < now.size(); ++i)
      list_differences((path.empty() ? "" : path + ".") + now[i]["name"].get<std::string>(), before[i],
                       now[i], found);
    return;
  }
  if (before.is_array() && now.is_array() && before.size() == now.size() && now.dump().size() > 40) {
    std::size_t changed = 0;
    for (std::size_t i = 0; i < now.size(); ++i) changed += before[i] != now[i];
    found.push_back(path + ": " + std::to_string(changed) + " of " + std::to_string(now.size()) +
                    " entries differ");
    return;
  }
  if (!before.is_object() || !now.is_object() || is_formula(now)) {
    found.push_back(path + " " + brief(before) + " → " + brief(now));
    return;
  }
  const auto inside = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
  for (const auto& [name, value] : now.items())
    list_differences(inside(name), before.contains(name) ? before[name] : json(), value, found);
  for (const auto& [name, value] : before.items())
    if (!now.contains(name)) found.push_back(inside(name) + " is gone");
}

/// Returns the differences of a stage itself, without the differences of its inputs.
std::vector<std::string> own_differences(const Stage& stage, const json& before) {
  std::vector<std::string> found;
  if (before.value("implementation", "") != stage.implementation)
    found.push_back("version of " + stage.kind + " " + before.value("implementation", "?") + " → " +
                    stage.implementation);
  if (const std::string now = tool_chain_of(stage.kind); before.value("tool_chain", "") != now)
    found.push_back("tool chain " + before.value("tool_chain", "?") + " → " + now);
  list_differences("", before.value("spec", json::object()), stage.spec, found);
  return found;
}

std::vector<std::string> changed_inputs(const Stage& stage, const json& before) {
  std::vector<std::string> changed;
  const auto inputs = before.value("inputs", json::object());
  for (const auto& [name, key] : stage.inputs)
    if (inputs.value(name, "") != key) changed.push_back(name);
  return changed;
}

/// A sentence for each input that only the earlier stage has.
std::vector<std::string> inputs_gone(const Stage& stage, const json& before) {
  std::vector<std::string> gone;
  const auto inputs = before.value("inputs", json::object());
  for (const auto& [name, key] : inputs.items())
    if (!stage.inputs.contains(name)) gone.push_back("input " + name + " is gone");
  return gone;
}

}  // namespace

std::string number_text(double value) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  std::string number(text.data(), end);
  // to_chars writes two digits of exponent.
  if (const auto e = number.find('e');
      e != std::string::npos && number.size() > e + 2 && number[e + 2] == '0')
    number.erase(e + 2, 1);
  return number;
}

std::vector<std::string> value_differences(const json& before, const json& now) {
  std::vector<std::string> found;
  list_differences("", before, now, found);
  return found;
}

std::vector<std::string> differences(const Stage& stage, const json& before) {
  auto found = own_differences(stage, before);
  for (const auto& name : changed_inputs(stage, before)) found.push_back("input " + name);
  for (auto& sentence : inputs_gone(stage, before)) found.push_back(std::move(sentence));
  return found;
}

Nearest::Nearest(const Store& store)
    : store_(store), index_(Index::open_to_read(store.root() / "index.sqlite")) {
  if (index_) return;
  for (const auto& key : store.keys()) {
    if (store.damage(key, Check::sizes)) continue;
    const auto made = store.stage(key);
    entries_.push_back({key, made.value("kind", ""), made.value("slot", ""), 0});
  }
}

std::vector<std::string> Nearest::candidates(const Stage& stage) const {
  if (index_) return index_->keys_of(stage.kind, stage.slot, most_candidates);
  std::vector<std::string> at_slot, anywhere;
  for (const auto& entry : entries_)
    if (entry.kind == stage.kind) (entry.slot == stage.slot ? at_slot : anywhere).push_back(entry.key);
  auto& keys = at_slot.empty() ? anywhere : at_slot;
  keys.resize(std::min<std::size_t>(keys.size(), most_candidates));
  return keys;
}

const json& Nearest::described(const std::string& key) {
  const auto found = cached_.find(key);
  if (found != cached_.end()) return found->second;
  // The index may list a result that no longer exists.
  const bool whole = store_.has(key) && !store_.damage(key, Check::sizes);
  return cached_[key] = whole ? store_.stage(key) : json();
}

const json* Nearest::to(const Stage& stage) {
  if (cached_.size() > most_cached) cached_.clear();
  const json* nearest = nullptr;
  std::size_t fewest = 0;
  for (const auto& key : candidates(stage)) {
    const auto& made = described(key);
    if (made.is_null()) continue;
    const auto count = differences(stage, made).size();
    if (nearest && count >= fewest) continue;
    nearest = &made, fewest = count;
  }
  return nearest;
}

Reason reason_for(const Stage& stage, const Plan& plan, const Store& store, Nearest& nearest) {
  Reason reason;
  const auto because = [&](std::string text) {
    reason.text = std::move(text);
    return reason;
  };
  if (const auto how = store.damage(stage.key, Check::sizes))
    return because("its result is damaged: " + *how);
  const json* before = nearest.to(stage);
  if (!before) return because("no " + stage.kind + " is stored");
  auto found = own_differences(stage, *before);
  if (found.size() > most_shown) {
    const auto more = found.size() - most_shown;
    found.resize(most_shown);
    found.push_back("and " + std::to_string(more) + " more");
  }
  const bool changed = !found.empty();
  std::size_t others = 0;
  for (const auto& name : changed_inputs(stage, *before)) {
    const Stage* input = plan.find(stage.inputs.at(name));
    const bool missing = input != nullptr && !store.has(input->key);
    if (missing) reason.follows = input->key;
    others += !missing;
    // A change of the stage itself is the cause of the run, whatever inputs are also missing.
    if (missing && changed) continue;
    found.push_back("input " + name +
                    (!input    ? " is another model"
                     : missing ? " has to be made: " + input->slot
                               : " is another: " + input->slot));
  }
  for (auto& sentence : inputs_gone(stage, *before)) found.push_back(std::move(sentence)), ++others;
  if (changed || others > 0) reason.follows.clear();
  std::string text;
  for (const auto& difference : found) text += (text.empty() ? "" : "; ") + difference;
  if (text.empty()) return because("it has not been made yet");
  if (const auto slot = before->value("slot", ""); slot != stage.slot) reason.against = slot;
  return because(std::move(text));
}

}  // namespace trl::interpreter
