#include "language/tasks/other_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/operators/dtype.hpp"
#include "base/operators/operator.hpp"
#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/suggest.hpp"

namespace trl::language::tasks {
namespace {

struct OtherName {
  std::string_view names;  // several are separated by spaces
  std::string_view here;
};

constexpr std::array<OtherName, 34> functions = {{
    {"attention sdpa flash_attention flash_attn flash_attn_func memory_efficient_attention",
     "scaled_dot_product_attention(query, key, value)"},
    {"astype type type_as cast convert float half bfloat16 int long double bool", "to(x, f32)"},
    {"mm mv dot vdot inner addmm baddbmm", "x @ y"},
    {"clip clamp_min clamp_max", "clamp(x, min = 0, max = 1)"},
    {"concat concatenate hstack vstack", "cat([x, y], axis = 1)"},
    {"view", "reshape(x, [M, -1])"},
    {"t mT swapaxes swapdims movedim", "transpose(x, 0, 1), or permute(x, [1, 0, 2])"},
    {"chunk split unbind", "narrow(x, axis, start, length)"},
    {"repeat tile", "expand(x, [B, M]), or repeat_interleave(x, 2, axis)"},
    {"expand_as broadcast_to", "expand(x, [B, M])"},
    {"norm", "vector_norm(x, axis = 1)"},
    {"power float_power", "x ^ y"},
    {"multiply", "x * y"},
    {"subtract", "x - y"},
    {"divide true_divide", "x / y"},
    {"floor_divide", "floor(x / y), or remainder(i, 8) of integers"},
    {"fmod mod", "remainder(x, y)"},
    {"swish", "silu(x)"},
    {"gelu_tanh quick_gelu", "gelu(x, approximate = tanh)"},
    {"reduce_sum nansum", "sum(x, axis = 1)"},
    {"reduce_mean", "mean(x, axis = 1)"},
    {"reduce_max", "amax(x, axis = 1)"},
    {"reduce_min", "amin(x, axis = 1)"},
    {"argtopk topk_indices", "narrow(argsort(x, descending = true), axis = 1, start = 0, length = K)"},
    {"rope apply_rotary_emb apply_rotary_pos_emb rotary", "rotary_embedding(x, cos, sin)"},
    {"segment_sum segment_mean unsorted_segment_sum segment_coo segment_csr",
     "segment_reduce(x, offsets, reduce = sum), with offsets: i64(offsets(N))[B + 1]"},
    {"bincount histc scatter scatter_reduce scatter_", "scatter_add(x, axis, index, source)"},
    {"take take_along_dim take_along_axis", "gather(x, axis, index)"},
    {"dropout",
     "where(u < 1 - p, x / (1 - p), 0), where p is the share that is dropped, a number, and with the input "
     "u: "
     "f32(0..1)[M, N]"},
    {"one_hot", "an input of such rows: y: f32(one_hot)[N, C]"},
    {"ones ones_like full full_like", "zeros([M]) + 1"},
    {"zeros_like empty empty_like", "zeros([M, N])"},
    {"rand randn randint uniform_ normal_", "an input: u: f32(0..1)[M, N]"},
    {"shape numel len dim", "the dimension's name: x / N"},
}};

/// Whether a name is one of the names in a text.
bool among(std::string_view names, std::string_view wanted) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (names.substr(0, end) == wanted) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

}  // namespace

std::string said_otherwise(const std::string& name) {
  for (const OtherName& row : functions)
    if (among(row.names, name)) return std::string(row.here);
  return "";
}

std::string foreign_value(const std::string& name) {
  for (const ForeignWord* word : foreign_words(Place::value, name)) return help_for(*word);
  return "";
}

std::string did_you_mean(const std::string& name) {
  return name.empty() ? "" : "did you mean `" + name + "`?";
}

std::vector<std::string> notes_on_function(const std::string& name) {
  const std::string last = name.substr(name.rfind('.') + 1);
  if (const std::string here = said_otherwise(last); !here.empty()) return {"here it is " + here};
  if (last != name && operators::operator_called(last))
    return {"a function has its tensor as an argument: " + last + "(x)"};
  std::vector<std::string> names;
  for (const operators::Row* row : operators::by_name()) names.push_back(row->name);
  if (const auto best = closest(last, names)) return {did_you_mean(*best)};
  return {"`trl explain task` lists the tensor functions"};
}

std::string dtype_said_otherwise(const std::string& name) {
  for (const operators::Dtype& row : operators::dtypes)
    if (row.torch == name && row.name != name) return std::string(row.name);
  constexpr std::array<OtherName, 9> others = {{{"float fp32 single", "f32"},
                                                {"half fp16", "f16"},
                                                {"brain", "bf16"},
                                                {"long", "i64"},
                                                {"int", "i32"},
                                                {"short", "i16"},
                                                {"char", "i8"},
                                                {"byte uchar", "u8"},
                                                {"fp8 f8 float8_e4m3 fp8e4nv e4m3", "f8e4m3"}}};
  for (const OtherName& row : others)
    if (among(row.names, name)) return std::string(row.here);
  return "";
}

}  // namespace trl::language::tasks
