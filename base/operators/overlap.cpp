#include "base/operators/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/headers/read_number.hpp"
#include "base/operators/operator_ids.hpp"

namespace trl::operators {
namespace {

/// A constant in an expression. It is unknown if the key leaves constants out (Constants::unknown).
struct Number {
  double value = 0;
  bool known = true;
  bool either_sign = false;  ///< whether some choice of the constants turns the sign of a known one

  bool is(double other) const { return known && (either_sign ? std::abs(value) : value) == other; }
};

Number operator+(Number a, Number b) {
  // Adding 0 to an unknown number gives the same unknown number.
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  return {a.value + b.value + 0.0, a.known && b.known && !a.either_sign && !b.either_sign};
}
Number operator*(Number a, Number b) {
  if (a.is(0) || b.is(0)) return {0, true};
  return {a.value * b.value, a.known && b.known, a.either_sign || b.either_sign};
}
Number inverse(Number a) { return {1 / a.value, a.known, a.either_sign}; }
Number magnitude(Number a) { return {std::abs(a.value), a.known}; }

/// Powers of texts.
using Product = std::map<std::string, int>;

/// A linear combination: a sum of products with factors other than 0, plus a constant.
struct Sum {
  std::map<Product, Number> terms;
  Number constant;
};

/// A number times a product.
struct Scaled {
  Number factor{1, true};
  Product product;
};

/// The expression of a key.
struct Node {
  enum class Kind { constant, input, call };
  Kind kind = Kind::constant;
  Number number;
  std::size_t input = 0;
  std::string_view name, attributes;
  std::optional<Operator> op;
  std::vector<Node> args;
};

struct Key {
  Node root;
  std::map<std::size_t, std::string> inputs;  ///< as the key declares them: "f32[d0,d1]"
};

struct Malformed {};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Key key() {
    Key key;
    inputs_ = &key.inputs;
    key.root = node();
    if (at_ != text_.size()) throw Malformed{};
    return key;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool took(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
  std::string_view word() {
    const std::size_t from = at_;
    while (is_word(peek())) ++at_;
    if (at_ == from) throw Malformed{};
    return text_.substr(from, at_ - from);
  }
  /// Returns the text up to the bracket that closes the bracket before the reader; brackets may nest.
  std::string_view within(char open, char close) {
    const std::size_t from = at_;
    for (int depth = 1; at_ < text_.size(); ++at_) {
      if (text_[at_] == open) ++depth;
      if (text_[at_] == close && --depth == 0) return text_.substr(from, at_++ - from);
    }
    throw Malformed{};
  }
  Number number() {
    double value = 0;
    const auto [end, error] = read_number(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) return {0, false};
    at_ = static_cast<std::size_t>(end - text_.data());
    return {value, true};
  }

  Node node() {
    if (++depth_ > 500) throw Malformed{};
    Node node;
    if (took('#')) {
      node.number = number();
    } else {
      node.name = word();
      const auto place = input_number(node.name);
      if (place && peek() != '(' && peek() != '[')
        input(node, *place);
      else
        call(node);
    }
    --depth_;
    return node;
  }

  /// The i of "xi".
  static std::optional<std::size_t> input_number(std::string_view name) {
    std::size_t place = 0;
    if (name.size() < 2 || name.front() != 'x') return std::nullopt;
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), place);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return place;
  }

  void input(Node& node, std::size_t place) {
    node.kind = Node::Kind::input;
    node.input = place;
    if (took(':')) {
      std::string declared(word());
      if (took('(')) declared += "(" + std::string(within('(', ')')) + ")";
      if (!took('[')) throw Malformed{};
      declared += "[" + std::string(within('[', ']')) + "]";
      inputs_->emplace(place, std::move(declared));
    }
    if (!inputs_->contains(place)) throw Malformed{};
  }

  void call(Node& node) {
    node.kind = Node::Kind::call;
    node.op = operator_called(node.name);
    if (took('[')) node.attributes = within('[', ']');
    if (!took('(')) throw Malformed{};
    if (took(')')) return;
    do node.args.push_back(this->node());
    while (took(','));
    if (!took(')')) throw Malformed{};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::map<std::size_t, std::string>* inputs_ = nullptr;
};

/// Replaces every dimension "di" of a text by name(i).
template <typename Name>
std::string with_dimensions(std::string_view text, const Name& name) {
  std::string out;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string_view word = text.substr(at, end - at);
    int dimension = 0;
    const bool numbered = word.size() > 1 && word.front() == 'd' &&
                          std::from_chars(word.data() + 1, word.data() + word.size(), dimension).ptr ==
                              word.data() + word.size();
    out += numbered ? name(dimension) : std::string(word);
    at = end;
  }
  return out;
}

enum class Symmetry { none, even, odd };

Symmetry symmetry_of(Operator op) {
  using enum Operator;
  static constexpr std::array even = {cos, cosh, sinc};
  static constexpr std::array odd = {tanh,  sin,  erf,        sinh, softsign, softshrink,
                                     asinh, atan, hardshrink, tan,  sign};
  if (std::find(even.begin(), even.end(), op) != even.end()) return Symmetry::even;
  return std::find(odd.begin(), odd.end(), op) != odd.end() ? Symmetry::odd : Symmetry::none;
}

bool is_one_of(Operator op, std::initializer_list<Operator> all) {
  return std::find(all.begin(), all.end(), op) != all.end();
}

/// Whether a constant factor of the operator's only argument can be moved to its value.
bool is_linear(Operator op) {
  using enum Operator;
  return is_one_of(op, {sum, mean, cumsum, transpose});
}
/// Whether a constant that is added to the operator's only argument can be added to its value instead.
bool keeps_shift(Operator op) {
  using enum Operator;
  return is_one_of(op, {mean, transpose, amax, amin, logsumexp});
}
/// Whether a constant that is added to the operator's only argument doesn't change its value.
bool ignores_shift(Operator op) {
  using enum Operator;
  return is_one_of(op, {softmax, log_softmax, softmin, var, std, layer_norm});
}
/// Whether the arguments may be reordered and regrouped.
bool is_associative(Operator op) {
  using enum Operator;
  return is_one_of(op, {maximum, minimum, hypot, logaddexp});
}
bool is_commutative(Operator op) {
  using enum Operator;
  return is_one_of(op, {eq, ne, logical_and, logical_or});
}

/// Names for inputs and dimensions, and the text that declares them.
struct Labels {
  std::map<std::size_t, std::string> inputs;
  std::map<int, std::string> dimensions;
  std::string declared;
};

/// Computes the normal form of an expression whose inputs have names.
class NormalForm {
 public:
  NormalForm(const Labels& names, Constants constants) : names_(names), constants_(constants) {}

  Sum sum_of(const Node& node) {
    switch (node.kind) {
      case Node::Kind::constant:
        return {{}, node.number};
      case Node::Kind::input:
        return of(Product{{names_.inputs.at(node.input), 1}});
      case Node::Kind::call:
        break;
    }
    return node.op ? call(node, *node.op) : opaque(node.name, node, arguments(node));
  }

  std::string text(const Sum& sum) const {
    std::string out;
    for (const auto& [product, factor] : sum.terms) {
      if (!out.empty()) out += "+";
      if (factor.is(-1)) out += "-";
      if (!factor.is(1) && !factor.is(-1)) out += text(factor) + "*";
      out += text(product);
    }
    if (out.empty()) return text(sum.constant);
    return sum.constant.is(0) ? out : out + "+" + text(sum.constant);
  }

 private:
  std::string text(Number number) const {
    return number.known && constants_ == Constants::said ? fmt::format("{:.9g}", number.value) : "#";
  }

  static Sum of(Product product, Number factor = {1, true}) {
    return {{{std::move(product), factor}}, {0, true}};
  }

  static std::string text(const Product& product) {
    std::string out;
    for (const auto& [base, power] : product) {
      out += (out.empty() ? "" : "*") + base;
      if (power != 1) out += "^" + std::to_string(power);
    }
    return out;
  }

  std::vector<Sum> arguments(const Node& node) {
    std::vector<Sum> all;
    for (const Node& argument : node.args) all.push_back(sum_of(argument));
    return all;
  }

  static Sum scaled(Sum sum, Number factor) {
    if (factor.is(0)) sum.terms.clear();
    for (auto& [product, own] : sum.terms) own = own * factor;
    sum.constant = sum.constant * factor;
    return sum;
  }
  static Sum shifted(Sum sum, Number constant) {
    sum.constant = sum.constant + constant;
    return sum;
  }
  static Sum added(Sum a, const Sum& b) {
    for (const auto& [product, factor] : b.terms) {
      const auto [place, fresh] = a.terms.emplace(product, factor);
      if (!fresh) place->second = place->second + factor;
      if (place->second.is(0)) a.terms.erase(place);
    }
    return shifted(std::move(a), b.constant);
  }

  /// The factor of the first term.
  static Number leading(const Sum& sum) { return sum.terms.begin()->second; }
  /// The sum divided by that.
  static Sum over_leading(Sum sum) {
    const auto factor = inverse(leading(sum));
    sum = scaled(std::move(sum), factor);
    sum.terms.begin()->second = {1, true};
    return sum;
  }

  /// Returns a sum as a number times a product. A sum that isn't a number or a single term becomes one factor
  /// of the product, divided by the factor of its first term.
  Scaled factored(const Sum& sum) const {
    if (sum.terms.empty()) return {sum.constant, {}};
    if (sum.terms.size() == 1 && sum.constant.is(0)) {
      const auto& [product, factor] = *sum.terms.begin();
      return {factor, product};
    }
    return {leading(sum), {{"(" + text(over_leading(sum)) + ")", 1}}};
  }
  static Scaled raised(Scaled scaled, int power) {
    const Number base = scaled.factor;
    scaled.factor = {1, true};
    for (int i = 0; i < std::abs(power); ++i) scaled.factor = scaled.factor * base;
    if (power < 0) scaled.factor = inverse(scaled.factor);
    if (power % 2 == 0) scaled.factor = magnitude(scaled.factor);
    for (auto& [text, own] : scaled.product) own *= power;
    return scaled;
  }
  static Sum multiplied(Scaled a, const Scaled& b) {
    for (const auto& [text, power] : b.product)
      if ((a.product[text] += power) == 0) a.product.erase(text);
    const Number factor = a.factor * b.factor;
    if (a.product.empty() || factor.is(0)) return {{}, factor};
    return of(std::move(a.product), factor);
  }
  Sum product_of(const Sum& a, const Sum& b) const {
    if (a.terms.empty()) return scaled(b, a.constant);
    if (b.terms.empty()) return scaled(a, b.constant);
    return multiplied(factored(a), factored(b));
  }
  Sum power_of(const Sum& a, int power) const { return multiplied(raised(factored(a), power), {}); }

  Sum call(const Node& node, Operator op) {
    using enum Operator;
    std::vector<Sum> args = arguments(node);
    if (args.size() == 1) return unary(node, op, std::move(args.front()));
    if (args.size() == 2) {
      const Sum &a = args[0], &b = args[1];
      if (op == add) return added(a, b);
      if (op == sub) return added(a, scaled(b, {-1, true}));
      if (op == mul) return product_of(a, b);
      if (op == div) {
        if (b.terms.empty()) return scaled(a, inverse(b.constant));
        // With unknown constants, c / b with some constant c is the same function as the reciprocal of b.
        const bool reciprocal = a.terms.empty() && constants_ == Constants::unknown;
        return reciprocal ? power_of(b, -1) : product_of(a, power_of(b, -1));
      }
      if (op == lerp) {
        const Number weight = attribute(node, "weight");
        const Number rest{1 - weight.value, weight.known};
        return added(scaled(a, rest), scaled(b, weight));
      }
      if (op == gt || op == ge) {
        std::swap(args[0], args[1]);
        return opaque(name_of(op == gt ? lt : le), node, args);
      }
      if (op == matmul) return multilinear(node, args);
      if (is_associative(op)) return associative(node.name, op, args);
      if (is_commutative(op) && text(args[1]) < text(args[0])) std::swap(args[0], args[1]);
    }
    return opaque(node.name, node, args);
  }

  Sum unary(const Node& node, Operator op, Sum x) {
    using enum Operator;
    const auto named = [&](Operator other, Sum argument) {
      std::vector<Sum> args{std::move(argument)};
      return opaque(name_of(other), node, args);
    };
    const Number minus{-1, true};
    switch (op) {
      case neg:
        return scaled(std::move(x), minus);
      case square:
        return power_of(x, 2);
      case reciprocal:
        return power_of(x, -1);
      case rsqrt:
        return power_of(named(sqrt, std::move(x)), -1);
      case abs: {
        if (x.terms.empty()) break;
        const Number lead = leading(x);
        return scaled(named(abs, over_leading(std::move(x))), magnitude(lead));
      }
      case relu:
      case threshold:
        // `threshold` has real numbers as attributes, which a key without constants doesn't contain.
        if (op == threshold && constants_ != Constants::unknown) break;
        return associative(name_of(maximum), maximum, {std::move(x), Sum{{}, {0, true}}});
      case silu:
        return product_of(x, named(sigmoid, x));
      case hardswish:
        return product_of(x, named(hardsigmoid, x));
      case tanhshrink:
        return added(x, scaled(signed_call(node, tanh, x), minus));
      case expm1:
        return shifted(named(exp, std::move(x)), minus);
      case log1p:
        return named(log, shifted(std::move(x), {1, true}));
      case exp2:
        return named(exp, scaled(std::move(x), {std::numbers::ln2, true}));
      case log2:
        return scaled(named(log, std::move(x)), {1 / std::numbers::ln2, true});
      case logsigmoid:
        return scaled(named(softplus, scaled(std::move(x), minus)), minus);
      default:
        break;
    }
    if (symmetry_of(op) != Symmetry::none) return signed_call(node, op, std::move(x));
    if (x.terms.empty()) return named(op, std::move(x));
    Number shift{0, true};
    if (keeps_shift(op)) std::swap(shift, x.constant);
    if (ignores_shift(op)) x.constant = {0, true};
    if (!is_linear(op)) return shifted(named(op, std::move(x)), shift);
    std::vector<Sum> args{std::move(x)};
    return shifted(multilinear(node, args), shift);
  }

  /// Takes the sign of the argument out of an even or odd operator.
  Sum signed_call(const Node& node, Operator op, Sum x) {
    const int sign = sign_of(x);
    std::vector<Sum> args{sign < 0 ? scaled(std::move(x), {-1, true}) : std::move(x)};
    Sum value = opaque(name_of(op), node, args);
    if (symmetry_of(op) == Symmetry::even) return value;
    return scaled(std::move(value), {sign < 0 ? -1.0 : 1.0, true, sign == 0});
  }

  /// Returns a sign of the sum, 1 or -1, such that -1 times the sum has the opposite one; 1 for a number.
  /// Returns 0 if some choice of the unknown constants gives -1 times the sum.
  int sign_of(const Sum& sum) const {
    if (sum.terms.empty()) return 1;
    if (constants_ == Constants::said) return leading(sum).value < 0 ? -1 : 1;
    for (const auto& [product, factor] : sum.terms)
      if (!factor.either_sign && (factor.is(1) || factor.is(-1))) return factor.is(1) ? 1 : -1;
    return 0;
  }

  /// Takes the factors out of the arguments of an operator that is linear in each of them.
  Sum multilinear(const Node& node, std::vector<Sum>& args) {
    Number factor{1, true};
    for (Sum& argument : args) {
      if (argument.terms.empty()) continue;
      factor = factor * leading(argument);
      argument = over_leading(std::move(argument));
    }
    return scaled(opaque(node.name, node, args), factor);
  }

  /// The normal form of an operator whose arguments may be reordered and regrouped.
  Sum associative(std::string_view name, Operator op, const std::vector<Sum>& args) {
    const bool chooses = op == Operator::maximum || op == Operator::minimum;
    Group all{op, {}, {}};
    const auto bounded = [&](Number number) {
      if (all.bound && !(all.bound->known && number.known))
        number.known = false;
      else if (all.bound)
        number.value = op == Operator::maximum ? std::max(all.bound->value, number.value)
                                               : std::min(all.bound->value, number.value);
      all.bound = number;
    };
    for (const Sum& argument : args) {
      const auto group = groups_.find(text(argument));
      if (group != groups_.end() && group->second.op == op) {
        all.texts.insert(all.texts.end(), group->second.texts.begin(), group->second.texts.end());
        if (group->second.bound) bounded(*group->second.bound);
      } else if (chooses && argument.terms.empty()) {
        bounded(argument.constant);
      } else if (op == Operator::hypot && sign_of(argument) < 0) {
        all.texts.push_back(text(scaled(argument, {-1, true})));
      } else {
        all.texts.push_back(text(argument));
      }
    }
    std::sort(all.texts.begin(), all.texts.end());
    if (chooses) all.texts.erase(std::unique(all.texts.begin(), all.texts.end()), all.texts.end());
    std::string out = std::string(name) + "(" + fmt::format("{}", fmt::join(all.texts, ","));
    if (all.bound) out += "," + text(*all.bound);
    out += ")";
    groups_[out] = std::move(all);
    return of(Product{{out, 1}});
  }

  /// The normal form of a call to which no identity applies: the operator with its arguments' texts.
  Sum opaque(std::string_view name, const Node& node, const std::vector<Sum>& args) {
    std::string out(name);
    if (!node.attributes.empty())
      out += "[" +
             with_dimensions(node.attributes,
                             [&](int d) {
                               const auto own = names_.dimensions.find(d);
                               return own == names_.dimensions.end() ? "e" + std::to_string(d) : own->second;
                             }) +
             "]";
    out += "(";
    for (std::size_t i = 0; i < args.size(); ++i) out += (i ? "," : "") + text(args[i]);
    return of(Product{{out + ")", 1}});
  }

  /// Returns a number among the attributes; an unknown number if the key leaves it out.
  static Number attribute(const Node& node, std::string_view name) {
    const std::string wanted = std::string(name) + "=";
    const auto at = node.attributes.find(wanted);
    if (at == std::string_view::npos) return {0, false};
    double value = 0;
    const char* from = node.attributes.data() + at + wanted.size();
    read_number(from, node.attributes.data() + node.attributes.size(), value);
    return {value, true};
  }

  /// The arguments of a chain of calls of one associative operator. `groups_` has them by the chain's text.
  struct Group {
    Operator op{};
    std::vector<std::string> texts;
    /// Of `maximum` and `minimum`: the largest or the smallest of the numbers among the arguments, if any.
    std::optional<Number> bound;
  };

  const Labels& names_;
  Constants constants_;
  std::map<std::string, Group> groups_;
};

void collect_inputs(const Node& node, std::set<std::size_t>& inputs) {
  if (node.kind == Node::Kind::input) inputs.insert(node.input);
  for (const Node& argument : node.args) collect_inputs(argument, inputs);
}

/// Numbers texts in alphabetical order; equal texts get equal numbers.
template <typename Of>
std::map<Of, std::size_t> ranked(const std::map<Of, std::string>& texts) {
  std::set<std::string> sorted;
  for (const auto& [of, text] : texts) sorted.insert(text);
  std::map<Of, std::size_t> ranks;
  for (const auto& [of, text] : texts)
    ranks[of] = static_cast<std::size_t>(std::distance(sorted.begin(), sorted.find(text)));
  return ranks;
}

/// Groups inputs by their shapes, whatever their names and order: inputs of a group have the same shape, and
/// their dimensions occur in the same places of other inputs.
std::vector<std::vector<std::size_t>> grouped(const std::map<std::size_t, std::string>& inputs) {
  std::map<int, std::size_t> dimensions;
  std::map<std::size_t, std::size_t> ranks;
  for (const auto& [input, declared] : inputs)
    with_dimensions(declared, [&](int d) { return dimensions[d] = 0, std::string(); });
  for (std::size_t round = 0; round <= dimensions.size() + 1; ++round) {
    std::map<std::size_t, std::string> of_inputs;
    for (const auto& [input, declared] : inputs)
      of_inputs[input] = with_dimensions(declared, [&](int d) { return fmt::format("d{}", dimensions[d]); });
    ranks = ranked(of_inputs);
    std::map<int, std::string> of_dimensions;
    for (const auto& [dimension, rank] : dimensions) {
      std::vector<std::string> places;
      for (const auto& [input, declared] : inputs)
        places.push_back(
            with_dimensions(declared, [dimension = dimension](int d) { return d == dimension ? "D" : "d"; }) +
            std::to_string(ranks[input]));
      std::sort(places.begin(), places.end());
      of_dimensions[dimension] = fmt::format("{} {}", rank, fmt::join(places, ";"));
    }
    dimensions = ranked(of_dimensions);
  }
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (const auto& [input, rank] : ranks) groups[rank].push_back(input);
  std::vector<std::vector<std::size_t>> all;
  for (auto& [rank, group] : groups) all.push_back(std::move(group));
  return all;
}

/// Returns grouped(inputs) from a cache: thousands of keys have the same few inputs.
std::vector<std::vector<std::size_t>> alike(const std::map<std::size_t, std::string>& inputs) {
  constexpr std::size_t most = 4096;
  thread_local std::map<std::map<std::size_t, std::string>, std::vector<std::vector<std::size_t>>> kept;
  if (const auto at = kept.find(inputs); at != kept.end()) return at->second;
  if (kept.size() >= most) kept.clear();
  return kept.emplace(inputs, grouped(inputs)).first->second;
}

Labels labels_in_order(const std::vector<std::vector<std::size_t>>& order,
                       const std::map<std::size_t, std::string>& inputs) {
  Labels names;
  for (const auto& group : order)
    for (const std::size_t input : group) {
      const std::string name = fmt::format("x{}", names.inputs.size());
      names.inputs[input] = name;
      names.declared += fmt::format("{}{}:{}", names.declared.empty() ? "" : ", ", name,
                                    with_dimensions(inputs.at(input), [&](int d) {
                                      const auto next = fmt::format("d{}", names.dimensions.size());
                                      return names.dimensions.emplace(d, next).first->second;
                                    }));
    }
  return names;
}

/// The smallest of the texts that the expression has under different names of its inputs.
std::string smallest_text(const Node& root, const std::map<std::size_t, std::string>& inputs,
                          Constants constants) {
  // With more orders of the inputs than this, only the first order is tried: inputs of a group stand as in
  // the key.
  constexpr std::size_t most = 720;
  std::set<std::size_t> used;
  collect_inputs(root, used);
  std::map<std::size_t, std::string> declared;
  for (const std::size_t input : used) declared[input] = inputs.at(input);
  auto order = alike(declared);
  std::size_t orders = 1;
  for (const auto& group : order)
    for (std::size_t i = 2; i <= group.size() && orders <= most; ++i) orders *= i;
  std::string smallest;
  for (;;) {
    const Labels names = labels_in_order(order, declared);
    NormalForm form(names, constants);
    std::string text = form.text(form.sum_of(root));
    if (!names.declared.empty()) text += " of " + names.declared;
    if (smallest.empty() || text < smallest) smallest = std::move(text);
    // Goes to the next order of the inputs: the first group that has a next permutation advances, and the
    // groups before it start again.
    const bool another = orders <= most && std::any_of(order.begin(), order.end(), [](auto& group) {
                           return std::next_permutation(group.begin(), group.end());
                         });
    if (!another) return smallest;
  }
}

std::optional<Key> read(std::string_view text) {
  try {
    return Reader(text).key();
  } catch (const Malformed&) {
    return std::nullopt;
  }
}

/// Returns the operator that stands for `op` in an overlap key; nothing for arithmetic.
std::optional<Operator> lasting(Operator op) {
  using enum Operator;
  switch (op) {
    case add:
    case sub:
    case mul:
    case div:
    case lerp:
    case neg:
    case square:
    case reciprocal:
      return std::nullopt;
    case rsqrt:
      return sqrt;
    case relu:
    case threshold:
      return maximum;
    case silu:
      return sigmoid;
    case hardswish:
      return hardsigmoid;
    case tanhshrink:
      return tanh;
    case expm1:
    case exp2:
      return exp;
    case log1p:
    case log2:
      return log;
    case logsigmoid:
      return softplus;
    case gt:
      return lt;
    case ge:
      return le;
    default:
      return op;
  }
}

/// The number of calls of operators in a sub-expression, and the set of the operators that stand for them in
/// overlap keys (`lasting`).
struct Together {
  int operators = 0;
  OperatorSet lasting;
};

/// Calls `found` with every sub-expression of two or more operators, and with the set of the operators that
/// stand for them in overlap keys (`lasting`).
template <typename Found>
Together each_part(const Node& node, const Found& found) {
  Together all{node.kind == Node::Kind::call, {}};
  if (node.op)
    if (const auto last = lasting(*node.op)) all.lasting.set(static_cast<std::size_t>(*last));
  for (const Node& argument : node.args) {
    const Together own = each_part(argument, found);
    all.operators += own.operators;
    all.lasting |= own.lasting;
  }
  if (node.kind == Node::Kind::call && all.operators >= 2) found(node, all.lasting);
  return all;
}

}  // namespace

std::string overlap_key(std::string_view key, Constants constants) {
  const auto read_key = read(key);
  return read_key ? smallest_text(read_key->root, read_key->inputs, constants) : std::string(key);
}

SharedParts::SharedParts(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    auto& parts = parts_.emplace_back();
    if (const auto whole = read(key))
      each_part(whole->root, [&](const Node& part, const OperatorSet& lasting) {
        const auto text = smallest_text(part, whole->inputs, Constants::unknown);
        parts.insert(text);
        if (unseen_.emplace(text, lasting).second) ++operators_[lasting];
      });
  }
}

void SharedParts::see(std::string_view key) {
  const auto whole = read(key);
  if (!whole) return;
  each_part(whole->root, [&](const Node& part, const OperatorSet& lasting) {
    const auto like = operators_.find(lasting);
    if (like == operators_.end()) return;
    if (unseen_.erase(smallest_text(part, whole->inputs, Constants::unknown)) == 0) return;
    if (--like->second == 0) operators_.erase(like);
  });
}

std::vector<SharedParts::Count> SharedParts::counts() const {
  std::vector<Count> all;
  for (const auto& parts : parts_) {
    const auto unseen =
        std::count_if(parts.begin(), parts.end(), [&](const auto& p) { return unseen_.contains(p); });
    all.push_back({parts.size(), parts.size() - static_cast<std::size_t>(unseen)});
  }
  return all;
}

namespace {

/// Bits of operators by name. A name is found by comparing it with the few that have its first letter and its
/// length.
class LastingBits {
 public:
  LastingBits() {
    for (const Row& row : table())
      if (const auto last = lasting(row.id))
        names_[place(row.name)].emplace_back(row.name, static_cast<std::size_t>(*last));
  }
  void set(std::string_view name, OperatorSet& operators) const {
    for (const auto& [own, bit] : names_[place(name)])
      if (own == name) return static_cast<void>(operators.set(bit));
  }

 private:
  static std::size_t place(std::string_view name) {
    return (static_cast<unsigned char>(name.front()) * 32 + name.size()) % 1024;
  }
  std::array<std::vector<std::pair<std::string_view, std::size_t>>, 1024> names_;
};

constexpr std::array<bool, 256> word_characters = [] {
  std::array<bool, 256> all{};
  for (std::size_t c = 0; c < all.size(); ++c)
    all[c] = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (c >= 'A' && c <= 'Z');
  return all;
}();

}  // namespace

OperatorSet lasting_operators(std::string_view key) {
  static const LastingBits bits;
  OperatorSet set;
  for (std::size_t at = 0; at < key.size(); ++at) {
    if (key[at] != '(' && key[at] != '[') continue;
    std::size_t from = at;
    while (from > 0 && word_characters[static_cast<unsigned char>(key[from - 1])]) --from;
    if (from < at) bits.set(key.substr(from, at - from), set);
  }
  return set;
}

namespace {

/// A number that is equal for keys whose inputs have the same dtypes and numbers of axes, whatever their
/// order: an overlap key declares the inputs, `x0:f32[d0,d1]`.
std::size_t inputs_number(std::string_view key) {
  const auto digit = [&](std::size_t i) { return key[i] >= '0' && key[i] <= '9'; };
  const auto word = [&](std::size_t i) { return word_characters[static_cast<unsigned char>(key[i])]; };
  std::size_t sum = 0;
  for (std::size_t colon = key.find(':'); colon != std::string_view::npos; colon = key.find(':', colon + 1)) {
    std::size_t name = colon;
    while (name > 0 && digit(name - 1)) --name;
    if (name == colon || name == 0 || key[name - 1] != 'x' || (name > 1 && word(name - 2))) continue;
    std::size_t at = colon + 1;
    while (at < key.size() && word(at)) ++at;
    const std::string_view dtype = key.substr(colon, at - colon);
    // The description of the values stands in parentheses and may name dimensions, whose names differ between
    // spellings.
    for (int depth = 0; at < key.size() && (depth > 0 || key[at] == '('); ++at)
      depth += key[at] == '(' ? 1 : key[at] == ')' ? -1 : 0;
    const std::size_t close = std::min(key.find(']', at), key.size());
    std::size_t axes = 0;
    for (; at < close; ++at) axes += key[at] == ',';
    sum += std::hash<std::string_view>()(dtype) * (2 * axes + 3);
  }
  return sum;
}

}  // namespace

void Functions::add(std::string_view key) {
  inputs_[lasting_operators(key)].insert(inputs_number(key));
  overlap_keys_.insert(overlap_key(key));
}

std::optional<std::string> Functions::find(std::string_view key) const {
  const auto like = inputs_.find(lasting_operators(key));
  if (like == inputs_.end() || !like->second.contains(inputs_number(key))) return std::nullopt;
  std::string own = overlap_key(key);
  if (!overlap_keys_.contains(own)) return std::nullopt;
  return own;
}

}  // namespace trl::operators
