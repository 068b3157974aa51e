// What PyTorch launches and moves for each operator of a reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <regex>
#include <set>

#include "base/operators/operator_ids.hpp"
#include "tests/verifier/task_of.hpp"
#include "verifier/tasks/costs.hpp"

namespace trl::runtime {
namespace {

constexpr std::int64_t kib = 1024;

struct Total {
  std::size_t launches = 0;
  std::int64_t in = 0, out = 0;
};

Total total(const std::string& line) {
  const auto costs = operator_costs(task_of(line), Variation{});
  Total sum{costs.size()};
  for (const OperatorCost& one : costs) sum.in += one.bytes_in, sum.out += one.bytes_out;
  return sum;
}

struct Case {
  const char* text;
  std::size_t launches;
  std::int64_t in, out;  // bytes
};

bool names(const std::string& text, const std::string& word) {
  return std::regex_search(text, std::regex("\\b" + word + "\\b"));
}

/// A task of an expression, with those of these inputs and dimensions that it names. x and y are 64 rows of
/// 1 KiB, 64 KiB; s has a number a row, v one a column; i and t name rows.
std::string with_inputs(const std::string& expression) {
  std::string inputs, dims;
  for (const auto& [name, type] :
       std::initializer_list<std::pair<const char*, const char*>>{{"x", "f32[M, N]"},
                                                                  {"y", "f32[M, N]"},
                                                                  {"s", "f32[M]"},
                                                                  {"v", "f32[N]"},
                                                                  {"t", "i64(M)[M]"},
                                                                  {"i", "i64(N)[M, N]"},
                                                                  {"z", "f32[4, 16, 8, 32]"},
                                                                  {"w", "f32[16, 16, 3, 3]"},
                                                                  {"c", "f32[16]"},
                                                                  {"q", "f32[4, 2, 32, 16]"},
                                                                  {"e", "f32[M, 2 * N]"},
                                                                  {"o", "f32[32, 8]"}})
    if (names(expression, name)) inputs += fmt::format("{}{}: {}", inputs.empty() ? "" : ", ", name, type);
  for (const auto& [name, size] : {std::pair{"M", 64}, {"N", 256}})
    if (names(inputs + expression, name))
      dims += fmt::format("{}{} = {}", dims.empty() ? "[" : ", ", name, size);
  return fmt::format("{}({}) = {}", dims.empty() ? "" : dims + "]", inputs, expression);
}

void expect(const Case& one) {
  SCOPED_TRACE(one.text);
  const Total is = total(with_inputs(one.text));
  EXPECT_EQ(is.launches, one.launches);
  EXPECT_EQ(is.in, one.in);
  EXPECT_EQ(is.out, one.out);
}

TEST(Costs, ViewsMoveNothing) {
  const std::int64_t all = 64 * kib;
  for (const Case& one : std::initializer_list<Case>{
           {"relu(reshape(reshape(reshape(x, [N, M]), [M * N]), [M, N]))", 1, all, all},
           {"relu(transpose(x, 0, 1))", 1, all, all},
           {"relu(permute(z, [0, 2, 1, 3]))", 1, all, all},
           {"relu(narrow(x, 0, 0, 4))", 1, 4 * kib, 4 * kib},
           {"relu(select(x, 0, 3))", 1, kib, kib},
           {"relu(squeeze(unsqueeze(x, 1), 1))", 1, all, all},
           {"relu(flatten(x))", 1, all, all},
           {"relu(expand(reshape(v, [1, N]), [64, N]))", 1, kib, all},
           {"x + expand(reshape(v, [1, N]), [M, N])", 1, all + kib, all},
           {"transpose(x, 0, 1) @ y", 1, 2 * all, 256 * kib},
           {"[relu(x), reshape(y, [M * N])]", 1, all, all}})
    expect(one);
}

TEST(Costs, CopiesWhatAnOperatorNeedsInOrder) {
  const std::int64_t all = 64 * kib;
  for (const Case& one : std::initializer_list<Case>{
           {"reshape(transpose(x, 0, 1), [M * N])", 1, all, all},
           {"softmax(transpose(x, 0, 1), axis = 1)", 2, 2 * all, 2 * all},
           {"softmax(relu(transpose(x, 0, 1)), axis = 1)", 3, 3 * all, 3 * all},  // relu keeps the order
           {"relu(reshape(transpose(relu(x), 0, 1), [M, N]))", 3, 3 * all, 3 * all},
           {"cumsum(x, axis = 1)", 1, all, all}})
    expect(one);
}

TEST(Costs, TablesAreReadWhereTheyAreLookedUp) {
  const Total looked_up = total("[V = 100000, D = 32, N = 64](t: i64(V)[N], w: f32[V, D]) = embedding(t, w)");
  EXPECT_EQ(looked_up.in, 64 * 8 + 64 * 32 * 4);
  EXPECT_EQ(looked_up.out, 64 * 32 * 4);
  const Total often = total("[V = 4, D = 32, N = 64](t: i64(V)[N], w: f32[V, D]) = embedding(t, w)");
  EXPECT_EQ(often.in, 64 * 8 + 4 * 32 * 4) << "the table isn't read twice";
}

TEST(Costs, OfEachOperator) {
  const std::int64_t all = 64 * kib, row = 256, column = kib, index = 128 * kib;
  const std::vector<Case> cases = {
      // maps and broadcasts
      {"gelu(x)", 1, all, all},
      {"to(x, f16)", 1, all, all / 2},
      {"softsign(x)", 3, 4 * all, 3 * all},
      {"tanhshrink(x)", 2, 3 * all, 2 * all},
      {"isinf(x)", 2, 2 * all, all + all / 4},
      {"isfinite(x)", 4, 3 * all + all / 2, all + 3 * all / 4},
      {"x + y", 1, 2 * all, all},
      {"x + 1", 1, all, all},
      {"x + v", 1, all + column, all},
      {"where(x > 0, x, y)", 2, all + all / 4 + 2 * all, all / 4 + all},
      {"where(x > 0, x, 0)", 3, all + all / 4 + all, all / 4 + all + 4},
      {"masked_fill(x, x > 0, 1)", 3, 3 * all + all / 4, 2 * all + all / 4},
      // reductions
      {"sum(x, axis = 1)", 1, all, row},
      {"argmax(x, axis = 1)", 1, all, 2 * row},
      {"logsumexp(x, axis = 1)", 9, all + 4 * row + all + row + 2 * all + 3 * row,
       row + 3 * row + 2 * all + 3 * row},
      // along an axis
      {"softmax(x, axis = 1)", 1, all, all},
      {"softmin(x, axis = 1)", 2, 2 * all, 2 * all},
      {"log_softmax(x, axis = 1)", 1, all, all},
      {"layer_norm(x, axis = 1, weight = v, bias = v)", 1, all + 2 * column, all},
      {"layer_norm(x, axis = 0)", 6, 3 * all + column + 2 * column + all + column, 2 * all + 4 * column},
      {"rms_norm(x, axis = 1, weight = v)", 1, all + column, all},
      {"rms_norm(x, axis = 0)", 5, all + all + 2 * column + all + column, 2 * all + 3 * column},
      {"normalize(x, axis = 1)", 3, 2 * all + 2 * row, all + 2 * row},
      {"glu(e)", 1, 2 * all, all},
      {"cummax(x, axis = 1)", 1, all, all + index},
      {"sort(x)", 5, 2 * all + 3 * index, 2 * all + 4 * index},
      {"argsort(x)", 5, 2 * all + 3 * index, 2 * all + 4 * index},
      {"topk(x, 4)", 2, all + 3 * kib, 6 * kib},
      {"flip(x, axis = 1)", 1, all, all},
      {"roll(x, 1, axis = 1)", 1, all, all},
      {"tril(x)", 1, all, all},
      // put together
      {"cat([x, y])", 1, 2 * all, 2 * all},
      {"stack([x, y])", 1, 2 * all, 2 * all},
      {"repeat_interleave(x, 2, axis = 1)", 1, all, 2 * all},
      {"pad(x, [1, 1])", 2, all, all + 64 * 258 * 4},
      {"index_add(x, 0, t, y)", 2, 4 * all - all + row * 2, 2 * all},
      {"scatter_add(x, 1, i, y)", 2, 3 * all + index, 2 * all},
      {"gather(x, 1, i)", 1, all + index, all},
      {"index_select(x, 0, t)", 1, all + 2 * row, all},
      // products
      {"x @ transpose(y, 0, 1)", 1, 2 * all, 16 * kib},
      {"linear(x, y, s)", 1, 2 * all + row, 16 * kib},
      {"outer(s, v)", 1, row + column, all},
      {"einsum(\"mn,mn->m\", x, y)", 1, 2 * all, row},
      {"scaled_dot_product_attention(q, q, q)", 1, 48 * kib, 16 * kib},
      // norms, convolutions, pools
      {"batch_norm(z, c, c)", 1, all + 128, all + 128},
      {"group_norm(z, 4, c, c)", 3, 2 * all + 2 * 128 + 2 * 128, all + 128 + 512},
      {"instance_norm(z)", 3, 2 * all + 512 + 256, all + 512 + 256},
      {"conv2d(z, w, c)", 2, all + 9 * kib + 4 * 16 * 6 * 30 * 4 + 64, 2 * 4 * 16 * 6 * 30 * 4},
      {"max_pool2d(z, 2)", 1, all, 16 * kib + 32 * kib},
      {"avg_pool2d(z, 2)", 1, all, 16 * kib},
      // losses
      {"mse_loss(x, y)", 2, 3 * all, all + 4},
      {"mse_loss(x, y, reduction = none)", 1, 2 * all, all},
      {"l1_loss(x, y)", 3, 4 * all, 2 * all + 4},
      {"cosine_similarity(x, y)", 11, 7 * all + 6 * row, 3 * all + 7 * row + 4},
      {"pairwise_distance(x, y)", 3, 4 * all, 2 * all + row},
      {"cross_entropy(x, t)", 2, all + 3 * row, all + 4},
      {"cross_entropy(x, y)", 5, 4 * all + 8, 2 * all + 12},
      {"nll_loss(x, t)", 1, 3 * row, 4},
      {"kl_div(x, y, reduction = batchmean)", 5, 6 * all + 4, 3 * all + 8},
      {"hinge_embedding_loss(x, y)", 10, 14 * all, 9 * all + 4},
      {"triplet_margin_loss(x, y, x)", 10, 8 * all + 5 * row, 4 * all + 5 * row + 4},
  };
  for (const Case& one : cases) expect(one);
}

TEST(Costs, ASinglePassIsAllThatAnEpilogueIsComparedWith) {
  const auto work = [](const std::string& text) {
    return single_pass_work(task_of(with_inputs(text)), Variation{});
  };
  const double all = 64 * kib, elements = 64 * 256;
  EXPECT_EQ(work("reshape(x, [N, M])"), 0);
  EXPECT_EQ(work("relu(x)"), 2 * all + elements);
  EXPECT_EQ(work("mse_loss(x, y)"), 2 * all + 4 + elements) << "not what PyTorch writes in between";
  EXPECT_EQ(work("embedding(t, x)"), 64 * 8 + 2 * all);
}

TEST(Costs, OfAModuleCountASharedValueOnce) {
  Task task = task_of("[M = 64](x: f32[M]) = exp(x) + exp(x)");
  EXPECT_EQ(operator_costs(task, Variation{}).size(), 3u) << "the task's text computes it twice";
  task.module.emplace();
  EXPECT_EQ(operator_costs(task, Variation{}).size(), 2u);
}

}  // namespace
}  // namespace trl::runtime
