#include "runtime/tasks/reference_operators.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "ground/error.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;
using nlohmann::json;

/// A node with the values of its arguments.
struct Node {
  const Expression& expression;
  const std::vector<Tensor>& args;
  const Sizes& sizes;

  const Tensor& operator[](std::size_t i) const { return args.at(i); }
  /// An argument that may be left out.
  std::optional<Tensor> maybe(std::size_t i) const {
    return i < args.size() ? std::optional<Tensor>(args[i]) : std::nullopt;
  }
  const json& option(const char* name) const { return expression.options.at(name); }
  std::int64_t whole(const char* name) const { return parse_extent(option(name)).at(sizes); }
  bool flag(const char* name) const { return option(name).get<bool>(); }
  std::vector<std::int64_t> list(const char* name) const {
    std::vector<std::int64_t> out;
    const json& own = option(name);
    for (const json& item : own.is_array() ? own : json::array({own}))
      out.push_back(parse_extent(item).at(sizes));
    return out;
  }
  double number(const char* name) const { return attribute(expression, name); }
  std::int64_t axis() const { return whole("axis"); }
  /// One axis, or nothing where the reduction is over all.
  std::optional<std::int64_t> one_axis() const {
    if (option("axis").is_array()) return std::nullopt;
    return axis();
  }
  std::int64_t reduction() const {
    const std::string name = option("reduction").get<std::string>();
    return name == "none" ? at::Reduction::None : name == "mean" ? at::Reduction::Mean : at::Reduction::Sum;
  }
};

using Function = Tensor (*)(const Node&);
using Table = std::map<std::string, Function>;

const Table elementwise = {
    {"asinh", [](const Node& n) { return at::asinh(n[0]); }},
    {"atan", [](const Node& n) { return at::atan(n[0]); }},
    {"atan2", [](const Node& n) { return at::atan2(n[0], n[1]); }},
    {"eq", [](const Node& n) { return at::eq(n[0], n[1]); }},
    {"erfc", [](const Node& n) { return at::erfc(n[0]); }},
    {"frac", [](const Node& n) { return at::frac(n[0]); }},
    {"ge", [](const Node& n) { return at::ge(n[0], n[1]); }},
    {"gt", [](const Node& n) { return at::gt(n[0], n[1]); }},
    {"le", [](const Node& n) { return at::le(n[0], n[1]); }},
    {"log10", [](const Node& n) { return at::log10(n[0]); }},
    {"logical_and", [](const Node& n) { return at::logical_and(n[0], n[1]); }},
    {"logical_not", [](const Node& n) { return at::logical_not(n[0]); }},
    {"logical_or", [](const Node& n) { return at::logical_or(n[0], n[1]); }},
    {"lt", [](const Node& n) { return at::lt(n[0], n[1]); }},
    {"masked_fill", [](const Node& n) { return at::masked_fill(n[0], n[1], n.number("value")); }},
    {"ne", [](const Node& n) { return at::ne(n[0], n[1]); }},
    {"pow", [](const Node& n) { return at::pow(n[0], n[1]); }},
    {"prelu", [](const Node& n) { return at::prelu(n[0], n[1]); }},
    {"remainder", [](const Node& n) { return at::remainder(n[0], n[1]); }},
    {"round", [](const Node& n) { return at::round(n[0]); }},
    {"sinc", [](const Node& n) { return at::sinc(n[0]); }},
    {"tan", [](const Node& n) { return at::tan(n[0]); }},
    {"threshold",
     [](const Node& n) { return at::threshold(n[0], n.number("threshold"), n.number("value")); }},
    {"trunc", [](const Node& n) { return at::trunc(n[0]); }},
    {"where", [](const Node& n) { return at::where(n[0], n[1], n[2]); }},
};

const Table along = {
    {"all", [](const Node& n) { return at::all(n[0], n.list("axis"), n.flag("keepdim")); }},
    {"any", [](const Node& n) { return at::any(n[0], n.list("axis"), n.flag("keepdim")); }},
    {"argmax", [](const Node& n) { return at::argmax(n[0], n.one_axis(), n.flag("keepdim")); }},
    {"argmin", [](const Node& n) { return at::argmin(n[0], n.one_axis(), n.flag("keepdim")); }},
    {"cummax", [](const Node& n) { return std::get<0>(at::cummax(n[0], n.axis())); }},
    {"cummin", [](const Node& n) { return std::get<0>(at::cummin(n[0], n.axis())); }},
    {"cumprod", [](const Node& n) { return at::cumprod(n[0], n.axis()); }},
    {"flip", [](const Node& n) { return at::flip(n[0], n.list("axis")); }},
    {"glu", [](const Node& n) { return at::glu(n[0], n.axis()); }},
    {"logcumsumexp", [](const Node& n) { return at::logcumsumexp(n[0], n.axis()); }},
    {"prod",
     [](const Node& n) {
       const auto axis = n.one_axis();
       return axis ? at::prod(n[0], *axis, n.flag("keepdim")) : at::prod(n[0]);
     }},
    {"roll", [](const Node& n) { return at::roll(n[0], n.whole("shifts"), n.axis()); }},
    {"sort", [](const Node& n) { return std::get<0>(at::sort(n[0], n.axis(), n.flag("descending"))); }},
    {"topk", [](const Node& n) { return std::get<0>(at::topk(n[0], n.whole("k"), n.axis())); }},
    {"tril", [](const Node& n) { return at::tril(n[0], n.whole("diagonal")); }},
    {"triu", [](const Node& n) { return at::triu(n[0], n.whole("diagonal")); }},
};

const Table views = {
    {"cat", [](const Node& n) { return at::cat(n.args, n.axis()); }},
    {"embedding", [](const Node& n) { return at::embedding(n[1], n[0]); }},
    {"expand", [](const Node& n) { return n[0].expand(n.list("shape")); }},
    {"flatten", [](const Node& n) { return at::flatten(n[0], n.whole("start_axis"), n.whole("end_axis")); }},
    {"gather", [](const Node& n) { return at::gather(n[0], n.axis(), n[1]); }},
    {"index_select", [](const Node& n) { return at::index_select(n[0], n.axis(), n[1]); }},
    {"narrow", [](const Node& n) { return at::narrow(n[0], n.axis(), n.whole("start"), n.whole("length")); }},
    {"pad", [](const Node& n) { return at::constant_pad_nd(n[0], n.list("pad"), n.number("value")); }},
    {"permute", [](const Node& n) { return at::permute(n[0], n.list("axes")); }},
    {"reshape", [](const Node& n) { return at::reshape(n[0], n.list("shape")); }},
    {"select", [](const Node& n) { return at::select(n[0], n.axis(), n.whole("index")); }},
    {"squeeze", [](const Node& n) { return at::squeeze(n[0], n.axis()); }},
    {"stack", [](const Node& n) { return at::stack(n.args, n.axis()); }},
    {"unsqueeze", [](const Node& n) { return at::unsqueeze(n[0], n.axis()); }},
};

const Table layers = {
    {"batch_norm",
     [](const Node& n) {
       return at::batch_norm(n[0], n.maybe(1), n.maybe(2), {}, {}, true, 0.1, n.number("eps"), false);
     }},
    {"group_norm",
     [](const Node& n) {
       return at::group_norm(n[0], n.whole("num_groups"), n.maybe(1), n.maybe(2), n.number("eps"), false);
     }},
    {"instance_norm",
     [](const Node& n) {
       return at::instance_norm(n[0], n.maybe(1), n.maybe(2), {}, {}, true, 0.1, n.number("eps"), false);
     }},
    {"linear", [](const Node& n) { return at::linear(n[0], n[1], n.maybe(2)); }},
    {"outer", [](const Node& n) { return at::outer(n[0], n[1]); }},
    {"scaled_dot_product_attention",
     [](const Node& n) {
       std::optional<double> scale;
       if (n.expression.attributes.contains("scale")) scale = n.number("scale");
       return at::scaled_dot_product_attention(n[0], n[1], n[2], n.maybe(3), 0.0, n.flag("is_causal"), scale);
     }},
};

/// The arguments of a convolution, and of one that undoes strides, go to `function` in ATen's order.
template <typename Function>
Tensor convolved(const Node& n, Function function) {
  return function(n[0], n[1], n.maybe(2), n.list("stride"), n.list("padding"), n.list("dilation"),
                  n.whole("groups"));
}

template <typename Function>
Tensor transposed(const Node& n, Function function) {
  return function(n[0], n[1], n.maybe(2), n.list("stride"), n.list("padding"), n.list("output_padding"),
                  n.whole("groups"), n.list("dilation"));
}

template <typename Function>
Tensor largest(const Node& n, Function function) {
  return function(n[0], n.list("kernel_size"), n.list("stride"), n.list("padding"), n.list("dilation"));
}

const Table windows = {
    {"adaptive_avg_pool1d",
     [](const Node& n) { return at::adaptive_avg_pool1d(n[0], n.list("output_size")); }},
    {"adaptive_avg_pool2d",
     [](const Node& n) { return at::adaptive_avg_pool2d(n[0], n.list("output_size")); }},
    {"adaptive_avg_pool3d",
     [](const Node& n) { return at::adaptive_avg_pool3d(n[0], n.list("output_size")); }},
    {"adaptive_max_pool1d",
     [](const Node& n) { return std::get<0>(at::adaptive_max_pool1d(n[0], n.list("output_size"))); }},
    {"adaptive_max_pool2d",
     [](const Node& n) { return std::get<0>(at::adaptive_max_pool2d(n[0], n.list("output_size"))); }},
    {"adaptive_max_pool3d",
     [](const Node& n) { return std::get<0>(at::adaptive_max_pool3d(n[0], n.list("output_size"))); }},
    {"avg_pool1d",
     [](const Node& n) {
       return at::avg_pool1d(n[0], n.list("kernel_size"), n.list("stride"), n.list("padding"));
     }},
    {"avg_pool2d",
     [](const Node& n) {
       return at::avg_pool2d(n[0], n.list("kernel_size"), n.list("stride"), n.list("padding"));
     }},
    {"avg_pool3d",
     [](const Node& n) {
       return at::avg_pool3d(n[0], n.list("kernel_size"), n.list("stride"), n.list("padding"));
     }},
    {"conv1d",
     [](const Node& n) { return convolved(n, [](const auto&... all) { return at::conv1d(all...); }); }},
    {"conv2d",
     [](const Node& n) { return convolved(n, [](const auto&... all) { return at::conv2d(all...); }); }},
    {"conv3d",
     [](const Node& n) { return convolved(n, [](const auto&... all) { return at::conv3d(all...); }); }},
    {"conv_transpose1d",
     [](const Node& n) {
       return transposed(n, [](const auto&... all) { return at::conv_transpose1d(all...); });
     }},
    {"conv_transpose2d",
     [](const Node& n) {
       return transposed(n, [](const auto&... all) { return at::conv_transpose2d(all...); });
     }},
    {"conv_transpose3d",
     [](const Node& n) {
       return transposed(n, [](const auto&... all) { return at::conv_transpose3d(all...); });
     }},
    {"max_pool1d",
     [](const Node& n) { return largest(n, [](const auto&... all) { return at::max_pool1d(all...); }); }},
    {"max_pool2d",
     [](const Node& n) { return largest(n, [](const auto&... all) { return at::max_pool2d(all...); }); }},
    {"max_pool3d",
     [](const Node& n) { return largest(n, [](const auto&... all) { return at::max_pool3d(all...); }); }},
};

const Table losses = {
    {"binary_cross_entropy_with_logits",
     [](const Node& n) { return at::binary_cross_entropy_with_logits(n[0], n[1], {}, {}, n.reduction()); }},
    {"cosine_similarity",
     [](const Node& n) { return at::cosine_similarity(n[0], n[1], n.axis(), n.number("eps")); }},
    {"cross_entropy",
     [](const Node& n) {
       return at::cross_entropy_loss(n[0], n[1], n.maybe(2), n.reduction(), -100,
                                     n.number("label_smoothing"));
     }},
    {"hinge_embedding_loss",
     [](const Node& n) { return at::hinge_embedding_loss(n[0], n[1], n.number("margin"), n.reduction()); }},
    {"huber_loss",
     [](const Node& n) { return at::huber_loss(n[0], n[1], n.reduction(), n.number("delta")); }},
    {"kl_div",
     [](const Node& n) {
       const Tensor loss = at::kl_div(n[0], n[1], n.reduction(), n.flag("log_target"));
       return n.option("reduction") == "batchmean" ? loss / n[0].size(0) : loss;
     }},
    {"l1_loss", [](const Node& n) { return at::l1_loss(n[0], n[1], n.reduction()); }},
    {"margin_ranking_loss",
     [](const Node& n) {
       return at::margin_ranking_loss(n[0], n[1], n[2], n.number("margin"), n.reduction());
     }},
    {"mse_loss", [](const Node& n) { return at::mse_loss(n[0], n[1], n.reduction()); }},
    {"nll_loss", [](const Node& n) { return at::nll_loss_nd(n[0], n[1], n.maybe(2), n.reduction(), -100); }},
    {"pairwise_distance",
     [](const Node& n) { return at::pairwise_distance(n[0], n[1], n.number("p"), n.number("eps")); }},
    {"smooth_l1_loss",
     [](const Node& n) { return at::smooth_l1_loss(n[0], n[1], n.reduction(), n.number("beta")); }},
    {"soft_margin_loss", [](const Node& n) { return at::soft_margin_loss(n[0], n[1], n.reduction()); }},
    {"triplet_margin_loss",
     [](const Node& n) {
       return at::triplet_margin_loss(n[0], n[1], n[2], n.number("margin"), n.number("p"), n.number("eps"),
                                      false, n.reduction());
     }},
};

}  // namespace

Tensor stated_value(const Expression& node, const std::vector<Tensor>& args, const Sizes& sizes) {
  for (const Table* table : {&elementwise, &along, &views, &layers, &windows, &losses})
    if (const auto found = table->find(node.op); found != table->end())
      return found->second({node, args, sizes});
  throw UserError(fmt::format("the reference of \"{}\" is missing", node.op));
}

}  // namespace trl::runtime
