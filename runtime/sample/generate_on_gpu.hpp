// Samples answers on a GPU. Sequences are the columns of a batch; when a sequence is finished, the next
// sequence takes its column.
#pragma once

#include <string>
#include <vector>

#include "runtime/decode/step.hpp"
#include "runtime/sample/generate.hpp"

namespace trl::runtime {

/// Returns the reason why `generate_on_gpu` can't sample from this model on its device; empty if it can.
std::string reason_against_gpu_decoding(const LanguageModel& model,
                                        decode::Storage storage = decode::Storage::bf16);

/// Returns how the kernels store the matrices of a model; the kernels must support the model.
decode::Storage decode_storage(const LanguageModel& model);

/// The most sequences that `generate_on_gpu` decodes at the same time, for any model.
inline constexpr std::int64_t kMostColumns = 640;

/// Returns answers[prompt][sample], sampled from the same random streams as by `generate` on the CPU, but
/// with the kernels of runtime/decode. An answer depends on its prompt, its stream and the settings, not on
/// the sequences that are decoded beside it. `adapter` is not merged.
std::vector<std::vector<Answer>> generate_on_gpu(const LanguageModel& model,
                                                 const std::vector<Prompt>& prompts,
                                                 const GenerateSettings& settings,
                                                 const GenerateProgress& progress,
                                                 decode::Storage storage = decode::Storage::bf16,
                                                 const Lora* adapter = nullptr);

}  // namespace trl::runtime
