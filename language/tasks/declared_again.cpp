#include "language/tasks/declared_again.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "base/operators/operator.hpp"
#include "language/tasks/dimension.hpp"

namespace trl::language {
namespace {

using nlohmann::json;
using operators::Parameter;
using tasks::Dimension;

[[noreturn]] void malformed(const std::string& what) {
  throw TaskError{fmt::format("what was read of it is malformed: {}", what), 0, 0, {}};
}

/// Converts a size of a task to the form that `size_of` reads.
json size_node(const json& size) {
  if (size.is_string()) return {{"size", size}};
  return size;
}

/// Converts an attribute to an argument of a call.
json argument(const Parameter& parameter, const json& value) {
  using Kind = Parameter::Kind;
  const bool sizes = parameter.kind == Kind::size || parameter.kind == Kind::sizes;
  if (value.is_array()) {
    json list = json::array();
    for (const json& one : value) list.push_back(sizes ? size_node(one) : one);
    return {{"list", std::move(list)}};
  }
  if (parameter.kind == Kind::text) return {{"text", value}};
  if (sizes) return size_node(value);
  if (value.is_string()) return {{"name", value}};
  return value;
}

json expression(const json& node, int depth);

json call(const json& node, int depth) {
  const std::string name = node.at("op");
  const auto found = operators::operator_called(name);
  if (!found) malformed(fmt::format("no operator is called `{}`", name));
  const json& args = node.at("args");
  const json attributes = node.value("attrs", json::object());
  json named = json::object();
  std::size_t next = 0;
  for (const Parameter& parameter : operators::row(*found).parameters) {
    if (!parameter.is_tensor()) {
      const auto own = attributes.find(parameter.name);
      if (own != attributes.end() && !own->is_null()) named[parameter.name] = argument(parameter, *own);
    } else if (parameter.kind == Parameter::Kind::tensors) {
      json list = json::array();
      for (; next < args.size(); ++next) list.push_back(expression(args[next], depth + 1));
      named[parameter.name] = {{"list", std::move(list)}};
    } else if (next < args.size()) {
      named[parameter.name] = expression(args[next++], depth + 1);
    }
  }
  for (const auto& [own, value] : attributes.items())
    if (!value.is_null() && !named.contains(own))
      malformed(fmt::format("{} has no argument `{}`", name, own));
  if (next != args.size()) malformed(fmt::format("{} has {} arguments", name, args.size()));
  return {{"call", name}, {"args", json::array()}, {"named", std::move(named)}};
}

json expression(const json& node, int depth) {
  constexpr int deepest = 400;
  if (depth > deepest) malformed("its expression is too deep");
  if (node.contains("const")) return {{"const", node["const"].get<double>()}};
  if (node.contains("input")) return {{"name", node["input"]}};
  return call(node, depth);
}

/// Returns the node for the parentheses after an input's dtype.
json values_of(const json& input) {
  if (input.contains("below")) return size_node(input["below"]);
  const json& values = input.at("values");
  const std::string kind = values.at("kind");
  if (kind == "range") return {{"range", {values.at("low"), values.at("high")}}};
  if (kind == "normal") return {{"call", "normal"}, {"args", {values.at("mean"), values.at("deviation")}}};
  if (kind == "offsets") return {{"call", "offsets"}, {"args", json::array({size_node(values.at("of"))})}};
  if (values.contains("low"))
    return {{"call", kind}, {"args", json::array({{{"range", {values.at("low"), values.at("high")}}}})}};
  return kind;
}

/// Computes the number of elements of the largest tensor whose shape a lowered task states, at other sizes of
/// its dimensions.
class LargestTensor {
 public:
  explicit LargestTensor(const Task& lowered) {
    const auto named = [&](const std::string& name) -> std::optional<Dimension> {
      const auto at = std::find_if(lowered.dims.begin(), lowered.dims.end(),
                                   [&](const auto& dim) { return dim.first == name; });
      if (at == lowered.dims.end()) return std::nullopt;
      return Dimension::symbol(name, static_cast<std::size_t>(at - lowered.dims.begin()));
    };
    const auto add = [&](const trl::tasks::Shape& shape) {
      Dimension count = 1;
      for (const tasks::Extent& extent : shape) {
        if (extent.name.empty()) {
          count = count * extent.size;
        } else if (const auto size = Dimension::parse(extent.name, named)) {
          count = count * *size;
        }
      }
      if (seen_.insert(count.text()).second) counts_.push_back(std::move(count));
    };
    for (const trl::tasks::TaskInput& input : lowered.inputs) add(input.shape);
    if (lowered.results.empty()) add(lowered.value.shape);
    each_operator(lowered.value, [&](const trl::tasks::Expression& node) {
      if (trl::tasks::form_of(node.op) == operators::Form::Stated) add(node.shape);
    });
  }

  std::int64_t at(const tasks::Sizes& sizes) const {
    std::int64_t most = 0;
    for (const Dimension& count : counts_) most = std::max(most, count.at(sizes));
    return most;
  }

 private:
  std::vector<Dimension> counts_;
  std::set<std::string> seen_;
};

/// Halves the largest of the sizes repeatedly, until no tensor has more than `largest` elements, or until
/// half of the largest size would be less than `least`. With `apart`, sizes that differed and became equal
/// are then raised until they differ.
std::vector<std::int64_t> halved(std::vector<std::int64_t> sizes, const std::vector<std::string>& names,
                                 const LargestTensor& tensors, std::int64_t largest, std::int64_t least,
                                 bool apart) {
  const auto most = [&] {
    tasks::Sizes at;
    for (std::size_t i = 0; i < sizes.size(); ++i) at[names[i]] = sizes[i];
    try {
      return tensors.at(at);
    } catch (const std::overflow_error&) {
      return std::numeric_limits<std::int64_t>::max();
    }
  };
  const std::vector<std::int64_t> own = sizes;
  while (!sizes.empty() && most() > largest) {
    const auto largest_size = std::max_element(sizes.begin(), sizes.end());
    if (*largest_size / 2 < least) break;
    *largest_size /= 2;
  }
  // Keeps different sizes different, so that an answer that confuses two of them is wrong at these sizes,
  // too.
  for (std::size_t i = 0; apart && i < sizes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (own[i] != own[j] && sizes[i] == sizes[j] && sizes[i] < own[i]) ++sizes[i], j = std::size_t(-1);
  return sizes;
}

json with_sizes(json declaration, const std::vector<std::int64_t>& sizes) {
  for (std::size_t i = 0; i < sizes.size(); ++i) declaration["dims"][i][1] = sizes[i];
  return declaration;
}

}  // namespace

std::string with_sizes(const std::string& text, const json& places,
                       const std::vector<std::pair<std::string, std::int64_t>>& dims) {
  try {
    const tasks::Sizes sizes(dims.begin(), dims.end());
    std::map<std::string, std::size_t> order;
    for (const auto& [name, size] : dims) order.emplace(name, order.size());
    const auto named = [&](const std::string& name) -> std::optional<Dimension> {
      const auto at = order.find(name);
      if (at == order.end()) return std::nullopt;
      return Dimension::symbol(name, at->second);
    };
    std::string out;
    std::size_t from = 0;
    for (const json& place : places) {
      const std::size_t begin = place.at(0), end = place.at(1);
      const auto size = Dimension::parse(place.at(3).get<std::string>(), named);
      if (!size || begin < from || end < begin || end > text.size()) malformed("where its text has sizes");
      out +=
          text.substr(from, begin - from) + place.at(2).get<std::string>() + std::to_string(size->at(sizes));
      from = end;
    }
    return out + text.substr(from);
  } catch (const json::exception& error) {
    malformed(error.what());
  } catch (const std::exception&) {
    malformed("the sizes of its text");
  }
}

json declaration_of(const json& task) {
  try {
    constexpr std::int64_t largest_size = std::int64_t{1} << 40;
    for (const json& dim : task.at("dims"))
      if (dim.at(1).get<std::int64_t>() > largest_size) malformed("a dimension is too large");
    json out = {{"suite", task.at("suite")},
                {"id", task.at("id")},
                {"name", task.at("name")},
                {"doc", task.value("doc", "")},
                {"dims", task.at("dims")},
                {"params", json::array()},
                {"sizes", "own"}};
    for (const json& input : task.at("inputs")) {
      json own = {{"name", input.at("name")}, {"dtype", input.at("dtype")}, {"shape", json::array()}};
      for (const json& extent : input.at("shape")) own["shape"].push_back(size_node(extent));
      if (input.contains("below") || input.contains("values")) own["values"] = values_of(input);
      out["params"].push_back(std::move(own));
    }
    const json& value = task.at("value");
    if (value.value("op", "") != "results") {
      out["body"] = expression(value, 0);
    } else {
      json list = json::array();
      for (const json& one : value.at("args")) list.push_back(expression(one, 0));
      out["body"] = {{"list", std::move(list)}};
    }
    return out;
  } catch (const json::exception& error) {
    malformed(error.what());
  }
}

std::variant<Task, TaskError> lower_again(const json& task, std::optional<std::int64_t> largest) {
  try {
    const json declaration = declaration_of(task);
    std::variant<Task, TaskError> own = lower_task(declaration);
    if (std::holds_alternative<TaskError>(own)) return own;
    Task lowered = std::get<Task>(std::move(own));
    if (largest) {
      const LargestTensor tensors(lowered);
      std::vector<std::string> names;
      std::vector<std::int64_t> sizes;
      for (const auto& [name, size] : lowered.dims) names.push_back(name), sizes.push_back(size);
      // With smaller sizes, a window may no longer fit, and a number of groups may no longer divide a size.
      const auto lower_at = [&](std::int64_t least, bool apart) {
        const std::vector<std::int64_t> fewer = halved(sizes, names, tensors, *largest, least, apart);
        if (fewer == sizes) return true;
        std::variant<Task, TaskError> smaller = lower_task(with_sizes(declaration, fewer));
        if (std::holds_alternative<TaskError>(smaller)) return false;
        lowered = std::get<Task>(std::move(smaller));
        return true;
      };
      for (std::int64_t least = 1; least <= 256; least *= 2)
        if (lower_at(least, true) || lower_at(least, false)) break;
    }
    for (std::size_t i = 0; i < lowered.inputs.size(); ++i)
      lowered.inputs[i].parameter = task.at("inputs").at(i).value("parameter", "");
    return lowered;
  } catch (const TaskError& error) {
    return error;
  } catch (const std::exception& error) {  // sizes that are too large, or a document of another form
    return TaskError{error.what(), 0, 0, {}};
  }
}

}  // namespace trl::language
