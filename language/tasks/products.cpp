// Sums of products: matrices, linear layers, attention.
#include <fmt/format.h>

#include "base/operators/einsum.hpp"
#include "language/tasks/broadcasting.hpp"
#include "language/tasks/rules.hpp"

namespace trl::language::tasks::rules {

/// PyTorch's matmul: matrices in the last two axes, the axes before them broadcast; a vector is a row on the
/// left, a column on the right.
Type matmul(Call& call) {
  const Tensor &x = call.tensor("x"), &w = call.tensor("y");
  const std::string joins = fmt::format("joins {} and {}", x.text(), w.text());
  if (x.constant() || w.constant()) call.fail(joins + "; it takes tensors", {"a number multiplies by *"});
  const std::string dtype = call.numbers({"x", "y"});
  if (operators::is_integer(dtype) && dtype != "i32" && dtype != "i64")
    call.fail(fmt::format("{}: sums of products don't fit {}", joins, dtype),
              {fmt::format("to({}, i32) @ to({}, i32) has room for them", x.source, w.source)});
  const Shape &a = x.shape(), &b = w.shape();
  if (a.empty() || b.empty())
    call.fail(joins + "; a single number has no row or column", {"* multiplies by it"});
  const Dimension& inner = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (!(a.back() == inner)) {
    std::vector<std::string> notes;
    if (b.size() == 2 && a.back() == b[1])
      notes.push_back(fmt::format("{} @ transpose({}, 0, 1) would fit", x.source, w.source));
    else if (b.size() > 2 && a.back() == b.back())
      notes.push_back(fmt::format("{} @ transpose({}, -2, -1) would fit", x.source, w.source));
    else if (a.size() == 2 && a[0] == inner)
      notes.push_back(fmt::format("transpose({}, 0, 1) @ {} would fit", x.source, w.source));
    call.fail(fmt::format("{}: {} is not {}", joins, a.back().text(), inner.text()), notes);
  }
  std::pair<Dimension, Dimension> differing;
  const auto batch = broadcast(slice(a, 0, a.size() < 2 ? 0 : a.size() - 2),
                               slice(b, 0, b.size() < 2 ? 0 : b.size() - 2), &differing);
  if (!batch)
    call.fail(fmt::format("{}: {} is not {}", joins, differing.first.text(), differing.second.text()),
              {"the axes before the last two broadcast: equal, or one of them is 1"});
  Shape shape = *batch;
  if (a.size() > 1) shape.push_back(a[a.size() - 2]);
  if (b.size() > 1) shape.push_back(b.back());
  return {dtype, shape};
}

Type bmm(Call& call) {
  call.ranks("x", 3, 3, "a batch of matrices");
  call.ranks("y", 3, 3, "a batch of matrices");
  if (!(call.shape("x")[0] == call.shape("y")[0]))
    call.fail(fmt::format("joins {} and {}: {} is not {}", call.tensor("x").text(), call.tensor("y").text(),
                          call.shape("x")[0].text(), call.shape("y")[0].text()),
              {"bmm takes batches of one size; @ broadcasts"});
  return matmul(call);
}

Type outer(Call& call) {
  const std::string dtype = call.floats({"x", "y"});
  call.ranks("x", 1, 1, "a vector");
  call.ranks("y", 1, 1, "a vector");
  return {dtype, {call.shape("x")[0], call.shape("y")[0]}};
}

namespace {

/// Adds the size of each letter's axis.
void add_axes(const Call& call, const std::string& name, const std::string& letters,
              std::map<char, Dimension>& sizes) {
  if (call.shape(name).size() != letters.size())
    call.fail(name,
              fmt::format("{} has {} axes, and the equation names {}", call.named(name),
                          call.shape(name).size(), letters.size()),
              {});
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Dimension& own = call.shape(name)[i];
    const auto [place, fresh] = sizes.emplace(letters[i], own);
    if (!fresh && !(place->second == own))
      call.fail(name,
                fmt::format("joins {} and {}: axis {} is {} and {}", call.tensor("x").text(),
                            call.tensor("y").text(), letters[i], place->second.text(), own.text()),
                {});
  }
}

}  // namespace

Type einsum(Call& call) {
  const std::string dtype = call.floats({"x", "y"});
  std::string problem;
  const auto equation = operators::parse_einsum(call.choice("equation"), &problem);
  if (!equation)
    call.fail("equation", fmt::format("\"{}\": {}", call.choice("equation"), problem),
              {"for example einsum(\"bij,bjk->bik\", x, y)"});
  std::map<char, Dimension> sizes;
  add_axes(call, "x", equation->x, sizes);
  add_axes(call, "y", equation->y, sizes);
  Type type{dtype, {}};
  for (const char letter : equation->out) type.shape.push_back(sizes.at(letter));
  return type;
}

/// x is […, L, D]; cos and sin are […, L, D / 2] and broadcast to it.
Type rotary(Call& call) {
  const std::string dtype = call.floats({"x", "cos", "sin"});
  call.ranks("x", 2, 64, "positions and features in the last two axes");
  Shape half = call.shape();
  const auto pairs = half.back().exactly_over(2);
  if (!pairs)
    call.fail("x", fmt::format("the last axis of {} has no half", call.named("x")),
              {"declare it with 2 * D features"});
  half.back() = *pairs;
  for (const char* name : {"cos", "sin"}) {
    const auto together = broadcast(half, call.shape(name));
    if (!together || *together != half || call.shape(name).empty() || !(call.shape(name).back() == *pairs))
      call.fail(name,
                fmt::format("{} doesn't fit {}: one angle for each pair of features", call.named(name),
                            call.named("x")),
                {fmt::format("{} is {}, or what broadcasts to it", name, text(half))});
  }
  return {dtype, call.shape()};
}

Type linear(Call& call) {
  const std::string dtype = call.floats({"x", "weight", "bias"});
  call.ranks("weight", 2, 2, "a matrix [out, in]");
  call.ranks("x", 1, 64, "features along the last axis");
  const Shape& weight = call.shape("weight");
  if (!(call.shape().back() == weight[1])) {
    std::vector<std::string> notes;
    if (call.shape().back() == weight[0])
      notes.push_back(fmt::format("the weight is [out, in]: transpose({}, 0, 1) would fit",
                                  call.tensor("weight").source));
    call.fail("weight",
              fmt::format("joins {} and {}: {} is not {}", call.tensor().text(), call.tensor("weight").text(),
                          call.shape().back().text(), weight[1].text()),
              notes);
  }
  call.shape_is("bias", {weight[0]}, "one for each of the weight's rows");
  Shape shape = call.shape();
  shape.back() = weight[0];
  return {dtype, shape};
}

Type attention(Call& call) {
  const std::string dtype = call.floats({"query", "key", "value"});
  const Shape &q = call.shape("query"), &k = call.shape("key"), &v = call.shape("value");
  for (const char* name : {"query", "key", "value"}) call.ranks(name, 3, 5, "[batch, …, sequence, features]");
  const auto differ = [&](const char* a, const char* b, const Dimension& x, const Dimension& y) {
    if (x == y) return;
    call.fail(b,
              fmt::format("joins {} {} and {} {}: {} is not {}", a, call.tensor(a).text(), b,
                          call.tensor(b).text(), x.text(), y.text()),
              {"query […, L, E], key [… , S, E] and value [… , S, V] have one batch"});
  };
  for (const char* name : {"key", "value"})
    if (call.shape(name).size() != q.size())
      call.fail(name,
                fmt::format("joins query {} and {} {}: they have as many axes", call.tensor("query").text(),
                            name, call.tensor(name).text()),
                {});
  const std::size_t rank = q.size();
  const bool grouped = call.flag("enable_gqa");
  if (grouped && rank < 4)
    call.fail("enable_gqa", fmt::format("query {} has no axis of heads", call.tensor("query").text()),
              {"query is [batch, heads, L, E]"});
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    if (grouped && i + 3 == rank) {
      differ("key", "value", k[i], v[i]);
      if (!q[i].exactly_over(k[i]))
        call.fail(
            "key",
            fmt::format("joins query {} and key {}: {} heads aren't shared by {} evenly whatever the sizes",
                        call.tensor("query").text(), call.tensor("key").text(), k[i].text(), q[i].text()),
            {fmt::format("declare the query with G * {} heads", k[i].text())});
      continue;
    }
    differ("query", "key", q[i], k[i]);
    differ("query", "value", q[i], v[i]);
  }
  differ("query", "key", q[rank - 1], k[rank - 1]);
  differ("key", "value", k[rank - 2], v[rank - 2]);
  if (call.has("attn_mask")) {
    if (call.flag("is_causal"))
      call.fail("attn_mask", "it takes a mask or is_causal, not both", {"leave one of them out"});
    const Tensor& mask = call.tensor("attn_mask");
    if (mask.constant() || (!mask.type.boolean() && mask.type.dtype != dtype))
      call.fail("attn_mask", fmt::format("attn_mask is {}; it is a condition or {}", mask.text(), dtype), {});
    Shape scores = q;
    scores.back() = k[rank - 2];
    const auto together = broadcast(scores, mask.shape());
    if (!together || *together != scores || mask.shape().size() < 2)
      call.fail("attn_mask", fmt::format("attn_mask {} doesn't fit the scores {}", mask.text(), text(scores)),
                {});
  }
  Shape shape = q;
  shape.back() = v.back();
  return {dtype, shape};
}

}  // namespace trl::language::tasks::rules
