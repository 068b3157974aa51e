// Samples answers on a GPU: sequences take columns, and leave them to others when they are finished.
#pragma once

#include <string>
#include <vector>

#include "runtime/decode/step.hpp"
#include "runtime/sample/generate.hpp"

namespace trl::runtime {

/// Why `generate_on_gpu` can't sample from this model on its device; empty when it can.
std::string reason_against_gpu_decoding(const LanguageModel& model,
                                        decode::Storage storage = decode::Storage::bf16);

/// How the kernels store the matrices of a model that they can decode.
decode::Storage decode_storage(const LanguageModel& model);

/// The most sequences that `generate_on_gpu` decodes at once, with any model.
inline constexpr std::int64_t kMostColumns = 640;

/// Answers[prompt][sample], as `generate` gives them on the CPU, drawn from the same streams, by the kernels
/// of runtime/decode. An answer depends on its prompt, its stream and the settings, not on the sequences that
/// are decoded beside it. `adapter` stays unmerged.
std::vector<std::vector<Answer>> generate_on_gpu(const LanguageModel& model,
                                                 const std::vector<Prompt>& prompts,
                                                 const GenerateSettings& settings,
                                                 const GenerateProgress& progress,
                                                 decode::Storage storage = decode::Storage::bf16,
                                                 const Lora* adapter = nullptr);

}  // namespace trl::runtime
