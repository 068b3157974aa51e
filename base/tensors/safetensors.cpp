#include "base/tensors/safetensors.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>

#include <ATen/ATen.h>

#include "base/support/error.hpp"
#include "base/support/reading.hpp"
#include "base/tensors/scalar_type.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLongestHeader = 100'000'000;
constexpr int kDeepest = 127;

/// How a file stores the elements of a tensor.
struct Format {
  std::string_view name;
  unsigned bits = 0;
  at::ScalarType type = at::ScalarType::Undefined;  // undefined for a type with which nothing here computes
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = [] {
    std::vector<Format> out = {{"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6},
                               {"F6_E3M2", 6}, {"F4", 4},          {"C64", 64}};
    for (const operators::Dtype& row : operators::all_dtypes) {
      const bool computed = operators::dtype_called(row.name) != nullptr && !row.storage();
      out.push_back({row.safetensors, 8 * static_cast<unsigned>(row.bytes),
                     computed ? scalar_type(row) : at::ScalarType::Undefined});
    }
    return out;
  }();
  return all;
}

[[noreturn]] void damaged(const std::filesystem::path& file, const std::string& what) {
  throw UserError(fmt::format("{}: {}", file.string(), what),
                  "the file is damaged or not a safetensors file: copy or download it again");
}

// A file mapped copy-on-write; it is unmapped when the last tensor that refers to it is gone.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& file) {
    const OpenFile opened(file, {.within = file.parent_path(), .most = UINT64_MAX});
    size = opened.bytes();
    if (size > 0) {
      void* address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, opened.descriptor(), 0);
      if (address != MAP_FAILED) data = static_cast<char*>(address);
    }
    if (size > 0 && !data) damaged(file, "it cannot be mapped into memory");
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (data) ::munmap(data, size);
  }

  char* data = nullptr;
  std::uint64_t size = 0;
};

json parse_header(const std::filesystem::path& file, std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) damaged(file, "the header begins with a byte order mark");
  // The JSON library would take the zero byte for the end of the text.
  if (text.find('\0') != std::string_view::npos) damaged(file, "the header is not JSON: it has a zero byte");
  std::vector<std::set<std::string>> keys;
  const auto reject_duplicates = [&](int depth, json::parse_event_t event, json& value) {
    if (depth >= kDeepest) damaged(file, fmt::format("the header is nested {} levels deep", kDeepest));
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      damaged(file, fmt::format("the header has the key `{}` twice", value.get<std::string>()));
    }
    return true;
  };
  try {
    json header = json::parse(text, reject_duplicates);
    if (!header.is_object()) damaged(file, "the header is not a JSON object");
    return header;
  } catch (const json::exception& error) {
    damaged(file, fmt::format("the header is not JSON: {}", error.what()));
  }
}

std::string_view header_text(const std::filesystem::path& file, const char* data, std::uint64_t size) {
  if (size < 8) damaged(file, fmt::format("it has {} bytes; a header needs at least 8", size));
  std::uint64_t length = 0;
  std::memcpy(&length, data, 8);
  if (length > kLongestHeader) {
    damaged(file, fmt::format("the header claims {} bytes; at most {} are allowed", length, kLongestHeader));
  }
  if (length > size - 8) {
    damaged(file,
            fmt::format("the header claims {} bytes, but the file is truncated after {}", length, size - 8));
  }
  return {data + 8, length};
}

std::map<std::string, std::string> metadata_of(const std::filesystem::path& file, const json& header) {
  std::map<std::string, std::string> metadata;
  const auto found = header.find("__metadata__");
  if (found == header.end() || found->is_null()) return metadata;
  if (!found->is_object()) damaged(file, "__metadata__ is not an object");
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string()) damaged(file, fmt::format("__metadata__.{} is not a string", key));
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

struct Entry {
  std::string name;
  const Format* format;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin, end;
};

Entry parse_entry(const std::filesystem::path& file, const std::string& name, const json& value) {
  try {
    Entry entry{name, nullptr, {}, 0, 0};
    const auto dtype = value.at("dtype").get<std::string>();
    for (const Format& known : formats())
      if (dtype == known.name) entry.format = &known;
    if (!entry.format) damaged(file, fmt::format("tensor {} has the unknown dtype {}", name, dtype));
    const auto& shape = value.at("shape");
    if (!shape.is_array()) damaged(file, fmt::format("tensor {}: its shape is {}", name, shape.dump()));
    std::uint64_t bits = 1;
    for (const auto& size : shape) {
      if (!size.is_number_unsigned())
        damaged(file, fmt::format("tensor {}: its shape is {}", name, shape.dump()));
      entry.shape.push_back(size.get<std::uint64_t>());
      if (__builtin_mul_overflow(bits, entry.shape.back(), &bits))
        damaged(file, fmt::format("tensor {}: its shape overflows", name));
    }
    if (__builtin_mul_overflow(bits, entry.format->bits, &bits))
      damaged(file, fmt::format("tensor {}: its shape overflows", name));
    if (bits % 8 != 0)
      damaged(file, fmt::format("tensor {}: its {} bits are no whole number of bytes", name, bits));
    const auto bytes = bits / 8;
    const auto& offsets = value.at("data_offsets");
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned()) {
      damaged(file, fmt::format("tensor {}: its data_offsets are {}", name, offsets.dump()));
    }
    entry.begin = offsets[0].get<std::uint64_t>();
    entry.end = offsets[1].get<std::uint64_t>();
    if (entry.end < entry.begin || entry.end - entry.begin != bytes) {
      damaged(file, fmt::format("tensor {}: dtype and shape need {} bytes, data_offsets are {}", name, bytes,
                                offsets.dump()));
    }
    return entry;
  } catch (const json::exception& error) {
    damaged(file, fmt::format("tensor {}: {}", name, error.what()));
  }
}

}  // namespace

Safetensors read_safetensors(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<MappedFile>(file);
  const auto text = header_text(file, mapped->data, mapped->size);
  const json header = parse_header(file, text);
  Safetensors content;
  content.metadata = metadata_of(file, header);

  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items()) {
    if (name != "__metadata__") entries.push_back(parse_entry(file, name, value));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  std::uint64_t expected = 0;
  for (const auto& entry : entries) {
    if (entry.begin != expected) {
      damaged(file, fmt::format("tensor {} begins at {} instead of {}: tensors {}", entry.name, entry.begin,
                                expected, entry.begin < expected ? "overlap" : "leave a gap"));
    }
    expected = entry.end;
  }
  const std::uint64_t available = mapped->size - 8 - text.size();
  if (expected > available) {
    damaged(file,
            fmt::format("it is truncated: the tensors need {} bytes, {} are there", expected, available));
  }
  if (expected < available)
    damaged(file, fmt::format("{} bytes follow the last tensor", available - expected));

  char* data = mapped->data + 8 + text.size();
  for (const auto& entry : entries) {
    const auto type = entry.format->type;
    const bool fits = std::all_of(entry.shape.begin(), entry.shape.end(),
                                  [](std::uint64_t size) { return size <= INT64_MAX; });
    if (type == at::ScalarType::Undefined || !fits) {
      content.unusable[entry.name] = fits ? fmt::format("is stored as {}", entry.format->name)
                                          : std::string("has a size beyond 63 bits");
      continue;
    }
    const std::vector<std::int64_t> shape(entry.shape.begin(), entry.shape.end());
    char* begin = data + entry.begin;
    if (reinterpret_cast<std::uintptr_t>(begin) % at::elementSize(type) == 0) {
      content.tensors[entry.name] = at::from_blob(
          begin, shape, [mapped](void*) {}, at::TensorOptions(type));
    } else {
      auto copy = at::empty(shape, type);
      if (entry.end > entry.begin) std::memcpy(copy.data_ptr(), begin, entry.end - entry.begin);
      content.tensors[entry.name] = copy;
    }
  }
  return content;
}

void write_safetensors(const std::filesystem::path& file, const Safetensors& content) {
  nlohmann::ordered_json header;
  if (!content.metadata.empty()) header["__metadata__"] = content.metadata;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : content.tensors) {
    const auto found = std::ranges::find(formats(), tensor.scalar_type(), &Format::type);
    if (found == formats().end())
      throw UserError(fmt::format("tensor {} has a dtype that safetensors lacks", name));
    const std::uint64_t end = offset + tensor.nbytes();
    header[name] = {{"dtype", found->name}, {"shape", tensor.sizes().vec()}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.empty() ? "{}" : header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  const std::uint64_t length = text.size();
  out.write(reinterpret_cast<const char*>(&length), 8);
  out << text;
  for (const auto& [name, tensor] : content.tensors) {
    const auto bytes = tensor.detach().to(at::kCPU).contiguous();
    out.write(static_cast<const char*>(bytes.const_data_ptr()), static_cast<std::streamsize>(bytes.nbytes()));
  }
  out.close();
  if (!out) throw DiskError("write", file, errno, 8 + length + offset);
}

}  // namespace trl::runtime
