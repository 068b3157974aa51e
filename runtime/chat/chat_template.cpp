#include "runtime/chat/chat_template.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <set>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "runtime/chat/functions.hpp"
#include "runtime/chat/syntax.hpp"

namespace trl::runtime {
namespace chat {
namespace {

constexpr std::int64_t kMostSteps = 5'000'000;
constexpr int kDeepestCall = 100;

/// Names and their values. Loops and macros have scopes of their own; conditions have not.
struct Scope {
  std::map<std::string, Value> names;
  std::shared_ptr<Scope> outer;
  const Value* find(const std::string& name) const {
    for (const Scope* scope = this; scope; scope = scope->outer.get())
      if (const auto found = scope->names.find(name); found != scope->names.end()) return &found->second;
    return nullptr;
  }
};
using ScopePointer = std::shared_ptr<Scope>;

/// The object `loop` at one item.
Value loop_at(const std::shared_ptr<std::vector<Value>>& items, std::int64_t at) {
  const auto member = [items, at](const std::string& name) -> Value {
    const auto size = static_cast<std::int64_t>(items->size());
    if (name == "index") return at + 1;
    if (name == "index0") return at;
    if (name == "revindex") return size - at;
    if (name == "revindex0") return size - at - 1;
    if (name == "first") return at == 0;
    if (name == "last") return at + 1 == size;
    if (name == "length") return size;
    if (name == "depth") return std::int64_t{1};  // loops aren't recursive
    if (name == "depth0") return std::int64_t{0};
    if (name == "previtem")
      return at > 0 ? (*items)[static_cast<std::size_t>(at - 1)] : Value::undefined(name);
    if (name == "nextitem")
      return at + 1 < size ? (*items)[static_cast<std::size_t>(at + 1)] : Value::undefined(name);
    if (name == "cycle")
      return std::make_shared<Object>(Object{name,
                                             [at](Arguments& arguments) {
                                               const auto& all = arguments.positional;
                                               if (all.empty()) throw ValueError("loop.cycle needs values");
                                               return all[static_cast<std::size_t>(at) % all.size()];
                                             },
                                             {}});
    throw ValueError(fmt::format("loop.{} is not supported", name));
  };
  return std::make_shared<Object>(Object{"loop", {}, member});
}

std::int64_t floor_division(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Value arithmetic(const std::string& sign, const Value& a, const Value& b) {
  for (const Value* one : {&a, &b})
    if (one->is_undefined() && sign != "~")
      throw ValueError(fmt::format("'{}' is undefined", one->get<Undefined>()->name));
  if (sign == "~") {
    std::string text = a.text() + b.text();
    check_length(text.size());
    return text;
  }
  const auto mistake = [&] {
    return ValueError(fmt::format("{} {} {} can't be computed", a.type(), sign, b.type()));
  };
  if (sign == "+" && a.is_text() && b.is_text())
    check_length(a.get<std::string>()->size() + b.get<std::string>()->size());
  if (sign == "+" && a.is_text() && b.is_text()) return *a.get<std::string>() + *b.get<std::string>();
  if (sign == "+" && a.list() && b.list()) {
    if (a.list()->kind != b.list()->kind || a.list()->kind > List::Kind::tuple) throw mistake();
    check_length(0, a.list()->items.size() + b.list()->items.size());
    auto items = a.list()->items;
    items.insert(items.end(), b.list()->items.begin(), b.list()->items.end());
    return {std::move(items), a.list()->kind};
  }
  if (sign == "*" && (a.is_text() || b.is_text())) {
    const Value &text = a.is_text() ? a : b, &times = a.is_text() ? b : a;
    if (!times.integer()) throw mistake();
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(*times.integer(), 0));
    const std::string& part = *text.get<std::string>();
    if (count > kLongestText || part.size() * count > kLongestText)
      throw ValueError("a text would become longer than 8 MiB");
    std::string out;
    for (std::uint64_t i = 0; i < count; ++i) out += part;
    return out;
  }
  if (!a.number() || !b.number()) throw mistake();
  const double x = *a.number(), y = *b.number();
  if ((sign == "/" || sign == "//" || sign == "%") && y == 0) throw ValueError("a division by zero");
  if (sign == "/") return x / y;
  if (a.integer() && b.integer()) {
    const std::int64_t i = *a.integer(), j = *b.integer();
    std::int64_t result = 0;
    bool fits = true;
    if (sign == "+") {
      fits = !__builtin_add_overflow(i, j, &result);
    } else if (sign == "-") {
      fits = !__builtin_sub_overflow(i, j, &result);
    } else if (sign == "*") {
      fits = !__builtin_mul_overflow(i, j, &result);
    } else if (j == -1) {
      fits = !__builtin_sub_overflow(std::int64_t{0}, i, &result);
      if (sign == "%") return std::int64_t{0};
    } else if (sign == "//") {
      result = floor_division(i, j);
    } else if (sign == "%") {
      result = i - floor_division(i, j) * j;
    } else {
      if (j < 0 || j > 64) throw ValueError("** is supported for exponents from 0 to 64");
      result = 1;
      for (std::int64_t k = 0; k < j && fits; ++k) fits = !__builtin_mul_overflow(result, i, &result);
    }
    if (sign == "**" && j == -1) throw ValueError("** is supported for exponents from 0 to 64");
    if (!fits) throw ValueError("an integer beyond 64 bits");
    return result;
  }
  if (sign == "+") return x + y;
  if (sign == "-") return x - y;
  if (sign == "*") return x * y;
  if (sign == "//") return std::floor(x / y);
  if (sign == "%") return x - std::floor(x / y) * y;
  throw ValueError("** of floats is not supported");
}

bool compares(const std::string& word, const Value& a, const Value& b) {
  if (word == "==") return equal(a, b);
  if (word == "!=") return !equal(a, b);
  if (word == "in") return contains(b, a);
  if (word == "not in") return !contains(b, a);
  if (word == "<") return less(a, b);
  if (word == ">") return less(b, a);
  return word == "<=" ? !less(b, a) : !less(a, b);
}

Value sliced(const Value& value, const std::optional<std::int64_t> (&parts)[3]) {
  const bool text = value.is_text();
  const std::vector<Value> items = value.iterate();
  const auto size = static_cast<std::int64_t>(items.size());
  const std::int64_t step = parts[2].value_or(1);
  if (step == 0) throw ValueError("a slice's step is 0");
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  const auto place = [&](const std::optional<std::int64_t>& given, std::int64_t otherwise) {
    if (!given) return otherwise;
    return std::clamp(*given < 0 ? *given + size : *given, low, high);
  };
  const std::int64_t begin = place(parts[0], step > 0 ? low : high),
                     end = place(parts[1], step > 0 ? high : low);
  std::vector<Value> kept;
  for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
    kept.push_back(items[static_cast<std::size_t>(i)]);
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  if (!text) return {std::move(kept), value.list()->kind};
  std::string out;
  for (const Value& one : kept) out += *one.get<std::string>();
  return out;
}

class Renderer {
 public:
  Renderer(const std::string& name, const nlohmann::ordered_json& variables, const std::tm& now)
      : name_(name), top_(std::make_shared<Scope>()) {
    const auto global = [&](const char* of, auto call) {
      top_->names[of] = std::make_shared<Object>(Object{of, std::move(call), {}});
    };
    global("namespace", [](Arguments& arguments) -> Value {
      auto made = std::make_shared<Namespace>();
      for (const Value& one : arguments.positional) {
        if (!one.dict()) throw ValueError("namespace needs names or mappings");
        for (const auto& [key, value] : one.dict()->items) made->members.set(key, value);
      }
      for (const auto& [key, value] : arguments.named) made->members.set(key, value);
      return made;
    });
    global("dict", [](Arguments& arguments) -> Value {
      auto made = std::make_shared<Dict>();
      for (const Value& one : arguments.positional) {
        if (!one.dict()) throw ValueError("dict of a list is not supported");
        for (const auto& [key, value] : one.dict()->items) made->set(key, value);
      }
      for (const auto& [key, value] : arguments.named) made->set(key, value);
      return made;
    });
    global("range", [](Arguments& arguments) -> Value {
      Taken taken(arguments, "range");
      std::int64_t first = 0, last = taken.integer("start", 0);
      if (arguments.positional.size() > 1) {
        first = last;
        last = taken.integer("stop", 0);
      }
      const std::int64_t step = taken.integer("step", 1);
      taken.finish();
      if (step == 0) throw ValueError("range: the step is 0");
      std::vector<Value> items;
      for (std::int64_t i = first; step > 0 ? i < last : i > last;) {
        if (items.size() >= 100'000) throw ValueError("range of more than 100000");
        items.emplace_back(i);
        if (__builtin_add_overflow(i, step, &i)) break;
      }
      return {std::move(items), List::Kind::list};
    });
    global("raise_exception", [](Arguments& arguments) -> Value {
      Taken taken(arguments, "raise_exception");
      const std::string message = taken.required("message").text();
      throw ValueError(fmt::format("the template refuses this conversation: {}", message));
    });
    global("strftime_now", [now](Arguments& arguments) -> Value {
      Taken taken(arguments, "strftime_now");
      const std::string format = taken.text("format", "");
      taken.finish();
      for (const char* one : {"%f", "%z", "%Z", "%:"})
        if (format.find(one) != std::string::npos)
          throw ValueError(fmt::format("strftime_now: {} is not supported", one));
      char text[512];
      if (format.empty()) return "";
      const std::size_t length = std::strftime(text, sizeof text, format.c_str(), &now);
      return std::string(text, length);
    });
    for (const auto& [key, value] : variables.items()) top_->names[key] = Value::from_json(value);
  }

  std::string render(const Template& whole) {
    std::string out;
    const auto scope = within(top_, whole.fresh);
    run(whole.body, scope, out);
    // Macros hold the scope that holds them.
    scope->names.clear();
    return out;
  }

 private:
  enum class Leaving { no, loop, round };

  void step(Place place) {
    if (++steps_ > kMostSteps) fail(name_, place, "the template takes more than 5 million steps");
  }

  /// A scope inside of another, in which the names that its body sets first are not defined yet.
  static ScopePointer within(const ScopePointer& outer, const std::vector<std::string>& fresh) {
    auto inner = std::make_shared<Scope>();
    inner->outer = outer;
    for (const std::string& name : fresh) inner->names.emplace(name, Value::undefined(name));
    return inner;
  }

  Leaving run(const Body& body, const ScopePointer& scope, std::string& out) {
    for (const auto& statement : body) {
      step(statement->place);
      const Leaving leaving = run(*statement, scope, out);
      if (leaving != Leaving::no) return leaving;
      if (out.size() > kLongestText) fail(name_, statement->place, "the template writes more than 8 MiB");
    }
    return Leaving::no;
  }

  Leaving run(const Statement& statement, const ScopePointer& scope, std::string& out) {
    switch (statement.kind) {
      case Statement::Kind::text:
        out += statement.text;
        return Leaving::no;
      case Statement::Kind::output:
        out += at(statement.place, [&] { return evaluate(*statement.expression, scope).text(); });
        return Leaving::no;
      case Statement::Kind::condition:
        for (const auto& [test, body] : statement.branches)
          if (!test || evaluate(*test, scope).truth()) return run(body, scope, out);
        return Leaving::no;
      case Statement::Kind::loop:
        return loop(statement, scope, out);
      case Statement::Kind::set:
        assign(statement.target, evaluate(*statement.expression, scope), scope);
        return Leaving::no;
      case Statement::Kind::set_block: {
        std::string text;
        run(statement.body, within(scope, statement.fresh), text);
        Value value = text;
        if (statement.expression) value = filtered(*statement.expression, value, scope);
        assign(statement.target, value, scope);
        return Leaving::no;
      }
      case Statement::Kind::macro:
        define(statement, scope);
        return Leaving::no;
      case Statement::Kind::generation:
        return run(statement.body, within(scope, statement.fresh), out);
      case Statement::Kind::leave:
        return Leaving::loop;
      case Statement::Kind::next:
        return Leaving::round;
    }
    return Leaving::no;
  }

  Leaving loop(const Statement& statement, const ScopePointer& scope, std::string& out) {
    const auto given = at(statement.place, [&] { return evaluate(*statement.expression, scope).iterate(); });
    auto items = std::make_shared<std::vector<Value>>();
    for (const Value& item : given) {
      step(statement.place);
      if (statement.filter) {
        const auto inner = within(scope, {});
        assign(statement.target, item, inner);
        if (!evaluate(*statement.filter, inner).truth()) continue;
      }
      items->push_back(item);
    }
    for (std::size_t i = 0; i < items->size(); ++i) {
      const auto inner = within(scope, statement.fresh);
      inner->names["loop"] = loop_at(items, static_cast<std::int64_t>(i));
      assign(statement.target, (*items)[i], inner);
      if (run(statement.body, inner, out) == Leaving::loop) break;
    }
    if (!items->empty()) return Leaving::no;
    return run(statement.otherwise, within(scope, statement.fresh_otherwise), out);
  }

  void assign(const Target& target, const Value& value, const ScopePointer& scope) {
    if (!target.several.empty()) {
      const auto parts = at(target.place, [&] { return value.iterate(); });
      if (parts.size() != target.several.size())
        fail(name_, target.place, fmt::format("{} values for {} names", parts.size(), target.several.size()));
      for (std::size_t i = 0; i < parts.size(); ++i) assign(target.several[i], parts[i], scope);
    } else if (!target.member.empty()) {
      const Value* found = scope->find(target.name);
      const auto* space = found ? found->get<std::shared_ptr<Namespace>>() : nullptr;
      if (!space)
        fail(name_, target.place,
             fmt::format("{} is no namespace, so that its members can't be set", target.name));
      (*space)->members.set(target.member, value);
    } else {
      scope->names[target.name] = value;
    }
  }

  void define(const Statement& macro, const ScopePointer& scope) {
    const std::weak_ptr<Scope> outer = scope;
    const auto call = [this, &macro, outer](Arguments& arguments) -> Value {
      struct Level {
        int& depth;
        explicit Level(int& count) : depth(count) {
          if (++depth > kDeepestCall) {
            --depth;
            throw ValueError("macros call each other more than 100 deep");
          }
        }
        ~Level() { --depth; }
      } level(calls_);
      const auto inner = within(outer.lock(), macro.fresh);
      if (!inner->outer)
        throw ValueError(fmt::format("the macro {} is called after its loop has ended", macro.text));
      Taken taken(arguments, macro.text);
      for (const auto& [parameter, otherwise] : macro.parameters) {
        if (const Value* given = taken.optional(parameter.c_str()))
          inner->names[parameter] = *given;
        else
          inner->names[parameter] = otherwise ? evaluate(*otherwise, inner) : Value::undefined(parameter);
      }
      taken.finish();
      std::string out;
      run(macro.body, inner, out);
      return out;
    };
    scope->names[macro.text] = std::make_shared<Object>(Object{macro.text, call, {}});
  }

  /// Adds the place to what goes wrong in `body`.
  template <typename Run>
  auto at(Place place, const Run& body) -> decltype(body()) {
    try {
      return body();
    } catch (const ValueError& error) {
      fail(name_, place, error.what());
    }
  }

  Arguments arguments_of(const Node& node, const ScopePointer& scope) {
    Arguments arguments;
    for (std::size_t i = 1; i < node.parts.size(); ++i)
      arguments.positional.push_back(evaluate(*node.parts[i], scope));
    for (const auto& [name, value] : node.named) arguments.named.emplace_back(name, evaluate(*value, scope));
    return arguments;
  }

  /// A filter of `value`, which the innermost filter of a chain takes.
  Value filtered(const Node& node, const Value& value, const ScopePointer& scope) {
    const Value inner = node.parts[0] ? filtered(*node.parts[0], value, scope) : value;
    return apply(node, inner, scope);
  }

  Value apply(const Node& node, const Value& value, const ScopePointer& scope) {
    if (!is_filter(node.text))
      fail(name_, node.place, fmt::format("the filter {} is not supported", node.text));
    auto arguments = arguments_of(node, scope);
    return at(node.place, [&] { return apply_filter(node.text, value, arguments); });
  }

  Value evaluate(const Node& node, const ScopePointer& scope) {
    step(node.place);
    const auto part = [&](std::size_t i) { return evaluate(*node.parts[i], scope); };
    switch (node.kind) {
      case Node::Kind::constant:
        return node.value;
      case Node::Kind::name: {
        const Value* found = scope->find(node.text);
        return found ? *found : Value::undefined(node.text);
      }
      case Node::Kind::list:
      case Node::Kind::tuple: {
        std::vector<Value> items;
        for (std::size_t i = 0; i < node.parts.size(); ++i) items.push_back(part(i));
        return {std::move(items), node.kind == Node::Kind::list ? List::Kind::list : List::Kind::tuple};
      }
      case Node::Kind::dict: {
        auto made = std::make_shared<Dict>();
        for (std::size_t i = 0; i + 1 < node.parts.size(); i += 2) {
          const Value key = part(i);
          if (key.list() || key.dict())
            fail(name_, node.place, fmt::format("a {} can't be a key", key.type()));
          made->set(key, part(i + 1));
        }
        return made;
      }
      case Node::Kind::member: {
        const Value of = part(0);
        return at(node.place, [&] { return member_of(of, node.text); });
      }
      case Node::Kind::index: {
        const Value of = part(0), index = part(1);
        return at(node.place, [&] { return item_of(of, index); });
      }
      case Node::Kind::slice: {
        const Value of = part(0);
        if (of.is_undefined())
          fail(name_, node.place, fmt::format("'{}' is undefined", of.get<Undefined>()->name));
        if (!of.is_text() && (!of.list() || of.list()->kind > List::Kind::tuple))
          fail(name_, node.place, fmt::format("a {} can't be sliced", of.type()));
        std::optional<std::int64_t> bounds[3];
        for (std::size_t i = 0; i < 3; ++i) {
          if (!node.parts[i + 1]) continue;
          const Value bound = part(i + 1);
          if (bound.is_none()) continue;
          bounds[i] = bound.integer();
          if (!bounds[i]) fail(name_, node.place, fmt::format("a slice from or to a {}", bound.type()));
        }
        return at(node.place, [&] { return sliced(of, bounds); });
      }
      case Node::Kind::call: {
        const Value of = part(0);
        auto arguments = arguments_of(node, scope);
        return at(node.place, [&] {
          if (of.is_undefined())
            throw ValueError(fmt::format("'{}' is undefined", of.get<Undefined>()->name));
          if (!of.object() || !of.object()->call)
            throw ValueError(fmt::format("a {} can't be called", of.type()));
          return of.object()->call(arguments);
        });
      }
      case Node::Kind::filter:
        return apply(node, part(0), scope);
      case Node::Kind::test: {
        if (!is_test(node.text))
          fail(name_, node.place, fmt::format("the test {} is not supported", node.text));
        const Value of = part(0);
        auto arguments = arguments_of(node, scope);
        return at(node.place, [&] { return apply_test(node.text, of, arguments); });
      }
      case Node::Kind::negation:
        return !part(0).truth();
      case Node::Kind::minus:
      case Node::Kind::plus: {
        const Value of = part(0);
        return at(node.place, [&] {
          return arithmetic(node.kind == Node::Kind::minus ? "-" : "+", std::int64_t{0}, of);
        });
      }
      case Node::Kind::operation: {
        const Value left = part(0), right = part(1);
        return at(node.place, [&] { return arithmetic(node.text, left, right); });
      }
      case Node::Kind::both: {
        Value left = part(0);
        return left.truth() ? part(1) : left;
      }
      case Node::Kind::either: {
        Value left = part(0);
        return left.truth() ? left : part(1);
      }
      case Node::Kind::compare: {
        Value left = part(0);
        for (std::size_t i = 0; i < node.words.size(); ++i) {
          Value right = part(i + 1);
          if (!at(node.place, [&] { return compares(node.words[i], left, right); })) return false;
          left = std::move(right);
        }
        return true;
      }
      case Node::Kind::choice:
        if (part(0).truth()) return part(1);
        return node.parts[2] ? part(2) : Value::undefined("the missing else of an if");
    }
    return None{};
  }

  const std::string& name_;
  ScopePointer top_;
  std::int64_t steps_ = 0;
  int calls_ = 0;
};

}  // namespace
}  // namespace chat

ChatTemplate::ChatTemplate(std::string_view source, std::string name)
    : name_(std::move(name)),
      parsed_(std::make_shared<chat::Template>(chat::parse_template(source, name_))) {}

std::string ChatTemplate::render(const nlohmann::ordered_json& variables, const std::tm& now) const {
  try {
    return chat::Renderer(name_, variables, now).render(*parsed_);
  } catch (const chat::ValueError& error) {
    throw UserError(fmt::format("{}: {}", name_, error.what()));
  }
}

Chat Chat::load(const std::filesystem::path& folder) {
  using nlohmann::ordered_json;
  Chat chat;
  chat.folder_ = folder.string();
  const auto read = [&](const char* file) {
    const auto path = folder / file;
    ordered_json document = ordered_json::object();
    if (std::filesystem::exists(path)) {
      try {
        document = ordered_json::parse(read_text(path));
      } catch (const ordered_json::exception& error) {
        throw UserError(fmt::format("{}: not JSON: {}", path.string(), error.what()));
      }
      if (!document.is_object()) throw UserError(fmt::format("{}: an object is needed", path.string()));
    }
    return document;
  };
  const auto add = [&](const std::string& name, const std::string& source, const std::string& file) {
    chat.templates_.insert_or_assign(name, ChatTemplate(source, file));
  };
  const ordered_json config = read("tokenizer_config.json"), map = read("special_tokens_map.json");
  for (const ordered_json* document : {&map, &config}) {
    for (const char* name :
         {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}) {
      const auto found = document->find(name);
      if (found == document->end()) continue;
      if (found->is_string())
        chat.special_tokens_[name] = *found;
      else if (found->is_object() && found->contains("content") && found->at("content").is_string())
        chat.special_tokens_[name] = found->at("content");
      else if (found->is_null())
        chat.special_tokens_.erase(name);
      else
        throw UserError(
            fmt::format("{}: {} is neither text nor an object with content", folder.string(), name));
    }
  }
  if (const auto file = folder / "chat_template.jinja"; std::filesystem::exists(file)) {
    add("default", read_text(file), file.string());
    if (const auto more = folder / "additional_chat_templates"; std::filesystem::is_directory(more))
      for (const auto& entry : std::filesystem::directory_iterator(more))
        if (entry.path().extension() == ".jinja")
          add(entry.path().stem().string(), read_text(entry.path()), entry.path().string());
    return chat;
  }
  const auto given = config.find("chat_template");
  if (given == config.end() || given->is_null()) return chat;
  const std::string file = (folder / "tokenizer_config.json").string() + ": chat_template";
  if (given->is_string()) {
    add("default", given->get<std::string>(), file);
    return chat;
  }
  const auto wrong = [&] {
    return UserError(fmt::format("{}: neither text nor a list of {{\"name\": …, \"template\": …}}", file));
  };
  if (!given->is_array()) throw wrong();
  for (const auto& one : *given) {
    if (!one.is_object() || !one.contains("name") || !one["name"].is_string() || !one.contains("template") ||
        !one["template"].is_string())
      throw wrong();
    add(one["name"].get<std::string>(), one["template"].get<std::string>(),
        file + " " + one["name"].get<std::string>());
  }
  return chat;
}

std::string Chat::render(const nlohmann::ordered_json& messages, const Options& options) const {
  if (templates_.empty())
    throw UserError(fmt::format("{}: the model has no chat template", folder_),
                    "put one into chat_template.jinja, or use a model that was trained for conversations");
  std::string name = options.name;
  if (name.empty())
    name = !options.tools.is_null() && templates_.contains("tool_use") ? "tool_use" : "default";
  const auto found = templates_.find(name);
  if (found == templates_.end()) {
    std::string names;
    for (const auto& [one, made] : templates_) names += (names.empty() ? "" : ", ") + one;
    throw UserError(fmt::format("{}: there is no chat template {}", folder_, name), "there are: " + names);
  }
  if (!messages.is_array() || messages.empty())
    throw UserError(fmt::format("{}: a conversation needs at least one message", folder_));
  nlohmann::ordered_json variables = special_tokens_;
  variables["messages"] = messages;
  variables["tools"] = options.tools;
  variables["documents"] = options.documents;
  variables["add_generation_prompt"] = options.add_generation_prompt;
  for (const auto& [key, value] : options.variables.items()) variables[key] = value;
  return found->second.render(variables, options.now);
}

}  // namespace trl::runtime
