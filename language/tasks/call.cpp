#include "language/tasks/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trl::language::tasks {

using nlohmann::json;
using Kind = Parameter::Kind;

std::string Tensor::text() const { return constant() ? fmt::format("the number {}", number()) : type.text(); }

void fail_at(const json& node, const std::string& message, std::vector<std::string> notes) {
  TaskError error{message, 0, 0, std::move(notes)};
  if (node.is_object() && node.contains("at") && node["at"].is_array() && node["at"].size() == 2) {
    error.begin = node["at"][0].get<std::size_t>();
    error.end = node["at"][1].get<std::size_t>();
  }
  throw error;
}

UsedSizes::UsedSizes(const Sizes& declared, bool alone) {
  all_ = {{"at the task's own sizes", declared}};
  if (alone) return;
  Sizes grown, tiny;
  for (const auto& [name, size] : declared) {
    std::int64_t& own = grown[name] = (3 * size + 1) / 2;
    own += own % 2 == 0;
    tiny[name] = 4;
  }
  all_.emplace_back("at tiny, where every dimension is 4", tiny);
  all_.emplace_back("at resize(150%)", grown);
}

std::optional<std::string> UsedSizes::below(const Dimension& dimension, std::int64_t least) const {
  for (const auto& [where, sizes] : all_)
    if (const std::int64_t size = dimension.at(sizes); size < least) return fmt::format("{} {}", size, where);
  return std::nullopt;
}

const json& Call::place(const std::string& argument) const {
  const auto found = arguments.find(argument);
  if (found == arguments.end()) return node;
  const json* own = found->second.node;
  return own != nullptr && own->is_object() && own->contains("at") ? *own : node;
}

namespace {

/// "`@` joins …", and "`clamp`: min is …".
std::string sentence(const std::string& shown, const std::string& message) {
  for (const char* verb : {"joins ", "compares ", "gives "})
    if (message.starts_with(verb)) return shown + " " + message;
  return shown + ": " + message;
}

}  // namespace

void Call::fail(const std::string& message, std::vector<std::string> notes) const {
  fail_at(node, sentence(shown, message), std::move(notes));
}

void Call::fail(const std::string& argument, const std::string& message,
                std::vector<std::string> notes) const {
  fail_at(place(argument), sentence(shown, message), std::move(notes));
}

std::string Call::named(const std::string& argument) const {
  return fmt::format("{} {}", argument, tensor(argument).text());
}

namespace {

/// Returns advice on how to convert a tensor to floats.
std::string remedy(const Tensor& own) {
  if (own.type.boolean()) return fmt::format("to({}, f32) makes 1 and 0 of a condition", own.source);
  if (own.type.storage())
    return fmt::format("8 bits only store numbers: to({}, f16) computes with them", own.source);
  return fmt::format("to({}, f32) makes floats of integers", own.source);
}

}  // namespace

void Call::a_tensor(const std::string& name) const {
  if (tensor(name).constant())
    fail(name, fmt::format("{} is {}; a tensor is needed", name, tensor(name).text()), {});
}

void Call::a_condition(const std::string& name, const std::string& note) const {
  if (tensor(name).constant() || !tensor(name).type.boolean())
    fail(name, fmt::format("{} is no condition", named(name)), {note});
}

void Call::one_dtype(const std::string& name, const Tensor& own, const Tensor*& before) const {
  if (own.is_size && before) return;
  if (before && !before->is_size && before->type.dtype != own.type.dtype)
    fail(name, fmt::format("joins {} and {}, which have two dtypes", before->text(), own.text()),
         {fmt::format("say in which it computes: to({}, {})", own.source, before->type.dtype)});
  before = &own;
}

std::string Call::floats(const std::vector<std::string>& names) const {
  const Tensor* before = nullptr;
  for (const std::string& name : names) {
    if (!has(name)) continue;
    for (const Tensor& own : tensors(name)) {
      if (own.constant()) fail(name, fmt::format("{} is {}; a tensor is needed", name, own.text()), {});
      if (!own.type.floating())
        fail(name, fmt::format("{} is {}; it takes floats", name, own.text()), {remedy(own)});
      one_dtype(name, own, before);
    }
  }
  return before ? before->type.dtype : "";
}

std::string Call::numbers(const std::vector<std::string>& names) const {
  const Tensor* before = nullptr;
  for (const std::string& name : names) {
    if (!has(name) || tensor(name).constant()) continue;
    const Tensor& own = tensor(name);
    if (!own.type.floating() && !own.type.integer())
      fail(name, fmt::format("{} is {}; it takes numbers", name, own.text()), {remedy(own)});
    one_dtype(name, own, before);
  }
  for (const std::string& name : names) {
    if (!before || !before->type.integer() || !has(name) || !tensor(name).constant()) continue;
    const double number = tensor(name).number();
    if (number != std::floor(number))
      fail(name, fmt::format("joins {} and {}, which is no integer", before->text(), tensor(name).text()),
           {remedy(*before)});
  }
  return before ? before->type.dtype : "";
}

void Call::integers(const std::string& name) const {
  if (!tensor(name).constant() && tensor(name).type.integer()) return;
  for (const Parameter& other : op.parameters)
    if (other.name != name && other.kind == Kind::tensor && has(other.name) &&
        !tensor(other.name).constant() && tensor(other.name).type.integer())
      fail(name, fmt::format("{} is {}; it takes integers", name, tensor(name).text()),
           {fmt::format("the arguments are exchanged: {} = {}, {} = {}", name, tensor(other.name).source,
                        other.name, tensor(name).source)});
  if (tensor(name).constant() || !tensor(name).type.integer())
    fail(name, fmt::format("{} is {}; it takes integers", name, tensor(name).text()),
         {fmt::format("an input of integers says what they are below: {}: i64(C)[N]", name)});
}

void Call::places(const std::string& name) const {
  integers(name);
  const std::string& dtype = tensor(name).type.dtype;
  if (dtype != "i32" && dtype != "i64")
    fail(name, fmt::format("{} is neither i32 nor i64", named(name)),
         {fmt::format("PyTorch's {} takes places of these types alone", op.name)});
}

void Call::ranks(const std::string& name, std::size_t least, std::size_t most,
                 const std::string& meant) const {
  const std::size_t rank = shape(name).size();
  if (tensor(name).constant() || rank < least || rank > most)
    fail(name, fmt::format("{} is {}; it is {}", name, tensor(name).text(), meant), {});
}

void Call::shape_is(const std::string& name, const Shape& wanted, const std::string& why) const {
  if (!has(name)) return;
  if (shape(name) != wanted)
    fail(name,
         fmt::format("{} is {} where {} fits {}", name, tensor(name).text(), tasks::text(wanted), named("x")),
         {why});
}

void Call::at_least(const Dimension& dimension, std::int64_t least,
                    const std::function<std::string(const std::string&)>& message) const {
  if (const auto where = used.below(dimension, least)) fail(message(*where));
}

void Call::index_below(const std::string& name, const Dimension& size) const {
  const Tensor& index = tensor(name);
  if (!index.below)
    fail(name, fmt::format("nothing says that the values of {} are places of {}", named(name), size.text()),
         {fmt::format("as an input it says so: {}: {}({})[…]", name, index.type.dtype, size.text()),
          "clamp(i, 0, 7) keeps computed integers within 0 and 7"});
  if (const auto where = used.below(size - *index.below, 0))
    fail(name,
         fmt::format("the values of {} are below {}, and there are {}", name, index.below->text(),
                     size.text()),
         {fmt::format("declare it below what it indexes: i64({})[…]", size.text())});
}

std::size_t Call::normal_axis(const std::string& name, std::int64_t written, std::size_t rank) const {
  const auto count = static_cast<std::int64_t>(rank);
  if (written < -count || written >= count)
    fail(name,
         has("x") ? fmt::format("axis {} of {}: there {} {} ax{}s", written, tensor("x").text(),
                                rank == 1 ? "is" : "are", rank, rank == 1 ? "i" : "e")
                  : fmt::format("axis {}: there {} {}", written, rank == 1 ? "is" : "are", rank),
         {rank == 0 ? "a tensor of one number has none" : "axes count from 0; -1 is the last"});
  return static_cast<std::size_t>(written < 0 ? written + count : written);
}

std::size_t Call::axis(const std::string& name, std::size_t rank) {
  const std::size_t normal = normal_axis(name, integer(name), rank);
  arguments.at(name).integer = static_cast<std::int64_t>(normal);
  return normal;
}

std::vector<std::size_t> Call::axes(const std::string& name) {
  std::vector<std::size_t> out;
  if (!has(name)) {
    out.resize(shape().size());
    std::iota(out.begin(), out.end(), 0);
  } else {
    for (const std::int64_t written : integer_list(name))
      out.push_back(normal_axis(name, written, shape().size()));
    std::sort(out.begin(), out.end());
    if (const auto twice = std::adjacent_find(out.begin(), out.end()); twice != out.end())
      fail(name, fmt::format("axis {} is there twice", *twice), {});
    if (out.empty()) fail(name, "the list of axes is empty", {"leave it out for all axes"});
  }
  arguments[name].integers.assign(out.begin(), out.end());
  return out;
}

const std::vector<std::int64_t>& Call::window(const std::string& name, std::size_t count,
                                              std::int64_t least) {
  std::vector<std::int64_t>& own = arguments.at(name).integers;
  if (own.size() == 1) own.resize(count, own.front());
  if (own.size() != count)
    fail(name,
         fmt::format("{} has {} numbers for {} spatial ax{}s", name, own.size(), count,
                     count == 1 ? "i" : "e"),
         {"one number holds for all of them"});
  for (const std::int64_t number : own)
    if (number < least) fail(name, fmt::format("{} is {}; it is at least {}", name, number, least), {});
  return own;
}

std::size_t Call::spatial_axes() const {
  for (const char digit : op.name)
    if (digit >= '1' && digit <= '3') return static_cast<std::size_t>(digit - '0');
  return 0;
}

json Call::attributes() const {
  json out = json::object();
  for (const Parameter& parameter : op.parameters) {
    const auto found = arguments.find(parameter.name);
    if (found == arguments.end() || parameter.is_tensor()) continue;
    const Argument& own = found->second;
    json value;
    switch (parameter.kind) {
      case Kind::real:
        value = own.real;
        break;
      case Kind::integer:
      case Kind::axis:
        value = own.integer;
        break;
      case Kind::flag:
        value = own.flag;
        break;
      case Kind::axes:
        value = own.integers.size() == 1 ? json(own.integers.front()) : json(own.integers);
        break;
      case Kind::window:
      case Kind::integers:
        value = own.integers;
        break;
      case Kind::size:
        value = extent_json(own.sizes.front().extent());
        break;
      case Kind::sizes:
        value = json::array();
        for (const Dimension& size : own.sizes) value.push_back(extent_json(size.extent()));
        break;
      case Kind::choice:
      case Kind::text:
        value = own.choice;
        break;
      case Kind::tensor:
      case Kind::operand:
      case Kind::tensors:
        continue;
    }
    if (!parameter.quiet || value != parameter.default_value) out[parameter.name] = std::move(value);
  }
  return out;
}

}  // namespace trl::language::tasks
