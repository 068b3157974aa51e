// The safetensors file format: the length of the header (u64), the header in JSON, then the tensors' bytes
// without gaps.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>

namespace trl::runtime {

struct Safetensors {
  std::map<std::string, at::Tensor> tensors;  // on the CPU; views of the mapped file, copied on write
  std::map<std::string, std::string> metadata;
  /// Tensors of the file with an unsupported dtype (F8_E4M3, F4, U16, …), each with the reason, such as "is
  /// stored as F8_E4M3". They are an error only if they are needed.
  std::map<std::string, std::string> unusable = {};
};

/// Maps the file. Throws UserError naming the file and the defect: a header longer than
/// 100,000,000 bytes or than the file, a duplicate key, gaps, overlaps, a size that disagrees with shape and
/// dtype, trailing bytes. It accepts all files that Hugging Face's library accepts, except files that the
/// format's description rules out: duplicate keys, and a tensor described by a list instead of an object.
Safetensors read_safetensors(const std::filesystem::path& file);

/// Writes tensors in the order of their names; the header is padded with spaces to 8 bytes. Tensors may be on
/// any device. Throws UserError when the file cannot be written.
void write_safetensors(const std::filesystem::path& file, const Safetensors& content);

}  // namespace trl::runtime
