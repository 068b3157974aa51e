#include "runtime/tasks/python_call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ground/error.hpp"
#include "runtime/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

/// What is written of an operator, in this order: its tensors, then `positional` attributes, then those of
/// `named` that PyTorch wouldn't assume.
struct Written {
  std::string callee;
  std::vector<std::string> positional{};
  std::vector<std::string> named{};
  std::vector<std::string> tensors{};  // keywords of the last tensors
  std::string result{};                // ".values"
};

Written axis_and(std::string callee, std::string result = "") {
  return {std::move(callee), {}, {"axis"}, {}, std::move(result)};
}

const std::map<std::string, Written>& table() {
  static const std::map<std::string, Written> written = [] {
    std::map<std::string, Written> all;
    for (const char* name : {"asinh", "atan", "atan2", "erfc", "frac", "log10", "logical_and", "logical_not",
                             "logical_or", "outer", "remainder", "round", "sinc", "tan", "trunc", "where"})
      all[name] = {std::string("torch.") + name};
    for (const char* name : {"linear", "prelu", "embedding"}) all[name] = {std::string("F.") + name};
    for (const char* name : {"cumprod", "logcumsumexp", "cat", "stack"})
      all[name] = axis_and(std::string("torch.") + name);
    for (const char* name : {"prod", "argmax", "argmin", "all", "any"})
      all[name] = {std::string("torch.") + name, {}, {"axis", "keepdim"}};
    for (const char* axes : {"1d", "2d", "3d"}) {
      const std::string d = axes;
      all["conv" + d] = {"F.conv" + d, {}, {"stride", "padding", "dilation", "groups"}};
      all["conv_transpose" + d] = {
          "F.conv_transpose" + d, {}, {"stride", "padding", "output_padding", "groups", "dilation"}};
      all["max_pool" + d] = {"F.max_pool" + d, {"kernel_size"}, {"stride", "padding", "dilation"}};
      all["avg_pool" + d] = {"F.avg_pool" + d, {"kernel_size"}, {"stride", "padding"}};
      all["adaptive_avg_pool" + d] = {"F.adaptive_avg_pool" + d, {"output_size"}};
      all["adaptive_max_pool" + d] = {"F.adaptive_max_pool" + d, {"output_size"}};
    }
    for (const char* name : {"mse_loss", "l1_loss", "soft_margin_loss", "binary_cross_entropy_with_logits"})
      all[name] = {std::string("F.") + name, {}, {"reduction"}};
    const std::map<std::string, Written> others = {
        {"batch_norm", {"F.batch_norm", {}, {"eps"}, {"weight", "bias"}}},
        {"cosine_similarity", {"F.cosine_similarity", {}, {"axis", "eps"}}},
        {"cross_entropy", {"F.cross_entropy", {}, {"reduction", "label_smoothing"}, {"weight"}}},
        {"cummax", axis_and("torch.cummax", ".values")},
        {"cummin", axis_and("torch.cummin", ".values")},
        {"gather", {"torch.gather"}},
        {"index_select", {"torch.index_select"}},
        {"flatten", {"torch.flatten", {"start_axis", "end_axis"}}},
        {"flip", {"torch.flip", {"axis"}}},
        {"glu", axis_and("F.glu")},
        {"group_norm", {"F.group_norm", {"num_groups"}, {"eps"}, {"weight", "bias"}}},
        {"hinge_embedding_loss", {"F.hinge_embedding_loss", {}, {"margin", "reduction"}}},
        {"huber_loss", {"F.huber_loss", {}, {"reduction", "delta"}}},
        {"instance_norm", {"F.instance_norm", {}, {"eps"}, {"weight", "bias"}}},
        {"kl_div", {"F.kl_div", {}, {"reduction", "log_target"}}},
        {"margin_ranking_loss", {"F.margin_ranking_loss", {}, {"margin", "reduction"}}},
        {"masked_fill", {"torch.masked_fill", {"value"}}},
        {"narrow", {"torch.narrow", {"axis", "start", "length"}}},
        {"nll_loss", {"F.nll_loss", {}, {"reduction"}, {"weight"}}},
        {"pad", {"F.pad", {"pad"}, {"value"}}},
        {"pairwise_distance", {"F.pairwise_distance", {}, {"p", "eps"}}},
        {"permute", {"torch.permute", {"axes"}}},
        {"reshape", {"torch.reshape", {"shape"}}},
        {"roll", {"torch.roll", {"shifts", "axis"}}},
        {"scaled_dot_product_attention",
         {"F.scaled_dot_product_attention", {}, {"is_causal", "scale"}, {"attn_mask"}}},
        {"select", {"torch.select", {"axis", "index"}}},
        {"smooth_l1_loss", {"F.smooth_l1_loss", {}, {"reduction", "beta"}}},
        {"sort", {"torch.sort", {}, {"axis", "descending"}, {}, ".values"}},
        {"squeeze", {"torch.squeeze", {"axis"}}},
        {"threshold", {"F.threshold", {"threshold", "value"}}},
        {"topk", {"torch.topk", {"k"}, {"axis"}, {}, ".values"}},
        {"tril", {"torch.tril", {}, {"diagonal"}}},
        {"triplet_margin_loss", {"F.triplet_margin_loss", {}, {"margin", "p", "eps", "reduction"}}},
        {"triu", {"torch.triu", {}, {"diagonal"}}},
        {"unsqueeze", {"torch.unsqueeze", {"axis"}}},
    };
    all.insert(others.begin(), others.end());
    return all;
  }();
  return written;
}

/// Between its two operands.
const std::map<std::string, const char*>& signs() {
  static const std::map<std::string, const char*> all = {
      {"pow", "**"}, {"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="}, {"gt", ">"}, {"ge", ">="}};
  return all;
}

using SizeText = std::function<std::string(const Extent&)>;

/// Windows of one number are that number, truth values Python's, sizes as `size` writes them.
std::string python(const std::string& name, const json& value, const SizeText& size) {
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (name == "reduction") return "\"" + value.get<std::string>() + "\"";
  if (!value.is_array()) return size(parse_extent(value));
  const bool window = name == "stride" || name == "padding" || name == "dilation" ||
                      name == "output_padding" || name == "kernel_size" || name == "output_size";
  bool equal = window;
  std::string items;
  for (const json& item : value) {
    equal = equal && item == value[0];
    items += (items.empty() ? "" : ", ") + size(parse_extent(item));
  }
  if (equal) return value[0].dump();
  return value.size() == 1 ? "(" + items + ",)" : "(" + items + ")";
}

/// Whether PyTorch assumes the value when none is written.
bool assumed(const Expression& node, const std::string& name, const json& value) {
  if (name == "keepdim" || name == "is_causal" || name == "log_target" || name == "descending")
    return value == false;
  if (name == "reduction") return value == "mean";
  if (name == "stride" && node.options.contains("kernel_size"))
    return value == node.options.at("kernel_size");
  if (name == "diagonal") return value == 0;
  if (name == "groups") return value == 1;
  if (!value.is_array() || name == "axis") return false;
  const json usual = name == "stride" || name == "dilation" ? 1 : 0;
  for (const json& item : value)
    if (item != usual) return false;
  return true;
}

}  // namespace

std::string python_call(const Expression& node, const std::vector<std::string>& args, const SizeText& size) {
  if (const auto sign = signs().find(node.op); sign != signs().end())
    return fmt::format("{} {} {}", args.at(0), sign->second, args.at(1));
  if (node.op == "expand")
    return fmt::format("{}.expand{}", args.at(0), python("shape", node.options.at("shape"), size));
  const auto found = table().find(node.op);
  if (found == table().end()) throw UserError(fmt::format("the prompt of \"{}\" is missing", node.op));
  const Written& own = found->second;

  std::vector<std::string> items;
  const std::size_t optional = own.tensors.size();
  const std::size_t plain = optional == 0                                         ? args.size()
                            : node.op == "nll_loss" || node.op == "cross_entropy" ? 2
                            : node.op == "scaled_dot_product_attention"           ? 3
                                                                                  : 1;
  for (std::size_t i = 0; i < std::min(plain, args.size()); ++i) items.push_back(args[i]);
  if (node.op == "cat" || node.op == "stack") items = {fmt::format("[{}]", fmt::join(args, ", "))};
  // The axis and then the indices, as PyTorch has them.
  const bool indexed = node.op == "gather" || node.op == "index_select";
  if (indexed) items = {args.at(0), node.options.at("axis").dump(), args.at(1)};
  const auto value = [&](const std::string& name) {
    // torch.flip takes no single axis.
    if (node.op == "flip" && !node.options.at(name).is_array())
      return python(name, json::array({node.options.at(name)}), size);
    return is_constant_attribute(name) ? python_float(attribute(node, name))
                                       : python(name, node.options.at(name), size);
  };
  for (const std::string& name : own.positional) items.push_back(value(name));
  if (node.op == "batch_norm") items.insert(items.end(), {"None", "None"});
  for (std::size_t i = plain; i < args.size(); ++i)
    items.push_back(own.tensors.at(i - plain) + "=" + args[i]);
  if (node.op == "batch_norm") items.push_back("training=True");
  for (const std::string& name : own.named) {
    const bool constant = is_constant_attribute(name);
    if (constant ? !node.attributes.contains(name) : !node.options.contains(name)) continue;
    if (constant ? standard_attribute(node.op, name) == attribute(node, name)
                 : assumed(node, name, node.options.at(name)))
      continue;
    // Reductions over all axes name none.
    if (name == "axis" && node.options.at(name).is_array() && node.options.contains("keepdim") &&
        node.options.at(name).size() == node.args[0].shape.size() && node.options.at("keepdim") == false)
      continue;
    items.push_back((name == "axis" ? "dim" : name) + "=" + value(name));
  }
  return fmt::format("{}({}){}", own.callee, fmt::join(items, ", "), own.result);
}

}  // namespace trl::runtime
