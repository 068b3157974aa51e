#include "runtime/model/safetensors.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>

#include "ground/error.hpp"
#include "ground/files.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLongestHeader = 100'000'000;

struct Dtype {
  const char* name;
  at::ScalarType type;
};
constexpr std::array<Dtype, 10> kDtypes = {{{"F64", at::kDouble},
                                            {"F32", at::kFloat},
                                            {"F16", at::kHalf},
                                            {"BF16", at::kBFloat16},
                                            {"I64", at::kLong},
                                            {"I32", at::kInt},
                                            {"I16", at::kShort},
                                            {"I8", at::kChar},
                                            {"U8", at::kByte},
                                            {"BOOL", at::kBool}}};

[[noreturn]] void damaged(const std::filesystem::path& file, const std::string& what) {
  throw UserError(fmt::format("{}: {}", file.string(), what),
                  "the file is damaged or not a safetensors file: copy or download it again");
}

// A file mapped copy-on-write; it is unmapped when the last tensor that refers to it is gone.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
      throw UserError(fmt::format("{}: cannot be opened: {}", file.string(), std::strerror(errno)),
                      "a model folder needs config.json, model.safetensors and tokenizer.json");
    }
    struct stat status {};
    ::fstat(descriptor, &status);
    size = static_cast<std::uint64_t>(status.st_size);
    if (size > 0) {
      void* address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
      if (address != MAP_FAILED) data = static_cast<char*>(address);
    }
    ::close(descriptor);
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
  std::vector<std::set<std::string>> keys;
  const auto reject_duplicates = [&](int, json::parse_event_t event, json& value) {
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
  if (found == header.end()) return metadata;
  if (!found->is_object()) damaged(file, "__metadata__ is not an object");
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string()) damaged(file, fmt::format("__metadata__.{} is not a string", key));
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

struct Entry {
  std::string name;
  at::ScalarType type;
  std::vector<std::int64_t> shape;
  std::uint64_t begin, end;
};

Entry parse_entry(const std::filesystem::path& file, const std::string& name, const json& value) {
  try {
    Entry entry{name, at::kFloat, {}, 0, 0};
    const auto dtype = value.at("dtype").get<std::string>();
    const auto found =
        std::find_if(kDtypes.begin(), kDtypes.end(), [&](const Dtype& known) { return dtype == known.name; });
    if (found == kDtypes.end()) damaged(file, fmt::format("tensor {} has the unknown dtype {}", name, dtype));
    entry.type = found->type;
    std::uint64_t bytes = at::elementSize(entry.type);
    for (const auto& size : value.at("shape")) {
      if (!size.is_number_unsigned())
        damaged(file, fmt::format("tensor {}: its shape is {}", name, value["shape"].dump()));
      const auto extent = size.get<std::uint64_t>();
      if (__builtin_mul_overflow(bytes, extent, &bytes) || extent > INT64_MAX) {
        damaged(file, fmt::format("tensor {}: its shape overflows", name));
      }
      entry.shape.push_back(static_cast<std::int64_t>(extent));
    }
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
    auto tensor = at::from_blob(
        data + entry.begin, entry.shape, [mapped](void*) {}, at::TensorOptions(entry.type));
    const bool aligned =
        reinterpret_cast<std::uintptr_t>(data + entry.begin) % at::elementSize(entry.type) == 0;
    if (!aligned) {
      auto copy = at::empty(entry.shape, entry.type);
      std::memcpy(copy.data_ptr(), data + entry.begin, entry.end - entry.begin);
      tensor = copy;
    }
    content.tensors[entry.name] = tensor;
  }
  return content;
}

std::map<std::string, std::string> read_safetensors_metadata(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  return metadata_of(file, parse_header(file, header_text(file, mapped.data, mapped.size)));
}

void write_safetensors(const std::filesystem::path& file, const Safetensors& content) {
  nlohmann::ordered_json header;
  if (!content.metadata.empty()) header["__metadata__"] = content.metadata;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : content.tensors) {
    const auto found = std::find_if(kDtypes.begin(), kDtypes.end(),
                                    [&](const Dtype& known) { return tensor.scalar_type() == known.type; });
    if (found == kDtypes.end())
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
