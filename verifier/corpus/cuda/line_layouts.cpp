#include "base/operators/operator_ids.hpp"
#include "verifier/corpus/cuda/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "verifier/corpus/cuda/reductions.hpp"

namespace trl::runtime::cuda {
namespace {

/// The length of the longest line that is kept in shared memory, at the task's own sizes. A line that is half
/// as long again still fits in 48 KiB.
constexpr std::int64_t longest_kept = 8000;

}  // namespace

void Writer::lines_of_matrix() {
  const std::string own = across() ? "row" : "col", count = across() ? "M" : "N";
  const std::string inner = across() ? "col" : "row";
  length_ = std::string(1, across() ? 'N' : 'M');
  need(length_);
  switch (layout_) {
    case Layout::Block:
      kernel_.threads = style_.block;
      kernel_.grid = count;
      kernel_.block = std::to_string(kernel_.threads);
      line(fmt::format("int {} = blockIdx.x;", own));
      loop_ = fmt::format("for (int {0} = threadIdx.x; {0} < {1}; {0} += blockDim.x)", inner, length_);
      keeps_ = cuda_style_.keeps_line && domain_[across() ? 1 : 0].at(dims()) <= longest_kept;
      break;
    case Layout::Warp:
      kernel_.threads = 32 * style_.lines;
      kernel_.grid = blocks(count, style_.lines);
      kernel_.block = fmt::format("dim3(32, {})", style_.lines);
      line(fmt::format("int {} = blockIdx.x * {} + threadIdx.y;", own, style_.lines));
      loop_ = fmt::format("for (int {0} = threadIdx.x; {0} < {1}; {0} += 32)", inner, length_);
      break;
    default:
      // Blocks are small, because there are only as many threads as rows or columns.
      kernel_.threads = std::min(16 * style_.lines, 64);
      kernel_.grid = blocks(count, kernel_.threads);
      kernel_.block = std::to_string(kernel_.threads);
      line(fmt::format("int {} = blockIdx.x * {} + threadIdx.x;", own, kernel_.threads));
      loop_ = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", inner, length_);
  }
  if (layout_ != Layout::Block && guarded_) {
    line(fmt::format("if ({} >= {}) return;", own, count));
    need(count);
  }
  const std::size_t before = body_.size();
  totals(task_.value);
  if (kept_ != nullptr) {
    body_.emplace(body_.begin() + static_cast<std::ptrdiff_t>(before), "    extern __shared__ float line[];");
    for (std::size_t& place : load_lines_) ++place;
    kernel_.shared = length_ + " * sizeof(float)";
  }
  if (task_.value.shape == domain_ || is_operator(task_.value, Form::Transpose)) {
    begin_loop(task_.value);
    element_and_store(target());
    close();
    return;
  }
  const bool one_thread = layout_ == Layout::Thread;
  if (!one_thread) open("if (threadIdx.x == 0)");
  element_and_store(own);
  if (!one_thread) close();
}

void Writer::begin_loop(const Expression& value) {
  const Expression* scan = find_scan(value);
  if (scan != nullptr) {
    line(fmt::format("{}running = 0.0f;", fixed_.insert("running").second ? "float " : ""));
    taken_.insert("running");
  }
  open(loop_);
}

const Expression* Writer::find_scan(const Expression& node) {
  if (node.kind == Expression::Kind::Operator && node.op == Operator::cumsum) return &node;
  for (const Expression& argument : node.args)
    if (const Expression* found = find_scan(argument)) return found;
  return nullptr;
}

void Writer::totals(const Expression& node) {
  for (const Expression& argument : node.args) totals(argument);
  if (!is_along(node)) return;
  const Along how = along(node.op);
  const Expression& of = node.args[0];
  const bool again = how.totals.size() + (is_operator(node, Form::Along) ? 1 : 0) > 1;
  const bool keeps = keeps_ && kept_ == nullptr && again && of.kind == Expression::Kind::Operator &&
                     !has_along(of) && spread_of(of.shape, domain_) == Spread::Full;
  for (const Total& total : how.totals) {
    const std::string name = unused(total.name);
    line(fmt::format("float {} = {};", name, first_of(total.combination)));
    begin_loop(of);
    enter(of);
    const std::string x = element(of);
    if (keeps && kept_ == nullptr) {
      line(fmt::format("line[{}] = {};", across() ? "col" : "row", x));
      keep_next_ = &of;
    }
    const std::string adds = filled(total.of, node, x, "");
    line(total.combination == Combination::sum
             ? fmt::format("{} += {};", name, adds)
             : fmt::format("{} = {};", name, combined(total.combination, name, adds)));
    close();
    finish(total, node, name);
    totals_[&node].push_back(name);
    if (keep_next_ != nullptr) kept_ = std::exchange(keep_next_, nullptr);
  }
}

void Writer::finish(const Total& total, const Expression& node, const std::string& name) {
  std::string whole = name;
  if (layout_ != Layout::Thread) {
    kernel_.reductions.insert(total.combination);
    whole = fmt::format("{}_{}({})", layout_ == Layout::Block ? "block" : "warp", name_of(total.combination),
                        name);
  }
  const std::string value = filled(total.finish, node, "", whole);
  if (value != name) line(fmt::format("{} = {};", name, value));
}

std::string Writer::unused(const std::string& wanted) {
  std::string name = wanted;
  for (int i = 2; fixed_.contains(name) || taken_.contains(name); ++i) name = fmt::format("{}{}", wanted, i);
  fixed_.insert(name);
  taken_.insert(name);
  return name;
}

std::string Writer::filled(const std::string& pattern, const Expression& node, const std::string& value,
                           const std::string& whole) const {
  const auto found = totals_.find(&node);
  const auto total = [&](std::size_t i) {
    return found != totals_.end() && i < found->second.size() ? found->second[i] : std::string();
  };
  const std::string eps = default_attribute(node.op, "eps") ? literal(attribute(node, "eps")) : "";
  return fmt::format(fmt::runtime(pattern), fmt::arg("v", value), fmt::arg("r", whole),
                     fmt::arg("a", total(0)), fmt::arg("b", total(1)), fmt::arg("L", length_),
                     fmt::arg("eps", eps));
}

}  // namespace trl::runtime::cuda
