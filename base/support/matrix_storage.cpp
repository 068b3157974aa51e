#include "base/support/matrix_storage.hpp"

#include <array>
#include <cmath>

namespace trl {
namespace {

using Id = MatrixStorage::Id;
using Scales = MatrixStorage::Scales;

constexpr std::array storages = {
    MatrixStorage{Id::none, "none", 0, Scales::none, 0, "numbers of the model's precision", ""},
    MatrixStorage{
        Id::int8, "int8", 8, Scales::row, 0,
        "integers from -127 to 127 with the row's largest magnitude / 127 as their scale; activations "
        "stay as they are (W8A16)",
        "the weights of LLM.int8()"},
    MatrixStorage{
        Id::llm_int8, "llm_int8", 8, Scales::row, 0,
        "the weights of int8; each token's activations below 6 in magnitude are rounded to 8 bits by "
        "their largest magnitude and multiplied as integers, the others are multiplied apart",
        "Dettmers et al. 2022, LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale, "
        "arXiv 2208.07339; bitsandbytes"},
    MatrixStorage{
        Id::nf4, "nf4", 4, Scales::block, 64,
        "the nearest of 16 quantiles of the normal distribution, times the block's largest magnitude",
        "Dettmers et al. 2023, QLoRA: Efficient Finetuning of Quantized LLMs, arXiv 2305.14314, "
        "appendix E; bitsandbytes, without double quantisation"},
};

}  // namespace

double MatrixStorage::bytes(double rows, double columns, double whole) const {
  const double numbers = rows * columns;
  const double held = bits == 0 ? numbers * whole : std::ceil(numbers * bits / 8);
  const double groups = scales == Scales::row     ? rows
                        : scales == Scales::block ? std::ceil(numbers / block)
                                                  : 0;
  return held + 4 * groups;
}

std::span<const MatrixStorage> matrix_storages() { return storages; }

const MatrixStorage* find_matrix_storage(std::string_view name) {
  for (const auto& storage : storages)
    if (storage.name == name) return &storage;
  return nullptr;
}

}  // namespace trl
