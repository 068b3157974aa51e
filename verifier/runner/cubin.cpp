#include "verifier/runner/cubin.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

namespace trl::runner {
namespace {

constexpr unsigned short machine_cuda = 190;
constexpr std::uint64_t constants_bytes = 4096, variables_bytes = 16 << 20;

struct Symbol {
  std::string_view name;
  std::uint64_t section = 0, value = 0;
  bool is_object = false;
};

class Elf {
 public:
  explicit Elf(std::span<const std::byte> file) : file_(file), header_(read<Elf64_Ehdr>(0)) {}

  bool is_cuda() const {
    return header_ && std::memcmp(header_->e_ident, ELFMAG, SELFMAG) == 0 &&
           header_->e_machine == machine_cuda && header_->e_shentsize == sizeof(Elf64_Shdr);
  }
  std::uint64_t sections() const { return header_->e_shnum; }
  std::optional<Elf64_Shdr> section(std::uint64_t i) const {
    return read<Elf64_Shdr>(header_->e_shoff + i * sizeof(Elf64_Shdr));
  }
  std::optional<std::string_view> section_name(const Elf64_Shdr& one) const {
    return text(header_->e_shstrndx, one.sh_name);
  }
  /// A text in a string table, which is itself a section.
  std::optional<std::string_view> text(std::uint64_t table, std::uint64_t offset) const {
    const auto texts = section(table);
    if (!texts || texts->sh_offset > file_.size() || file_.size() - texts->sh_offset < texts->sh_size ||
        offset >= texts->sh_size)
      return std::nullopt;
    const std::string_view rest(reinterpret_cast<const char*>(file_.data() + texts->sh_offset + offset),
                                texts->sh_size - offset);
    return rest.substr(0, rest.find('\0'));
  }
  /// The symbols whose names can be read.
  std::vector<Symbol> symbols() const {
    std::vector<Symbol> found;
    for (std::uint64_t i = 0; i < sections(); ++i) {
      const auto table = section(i);
      if (!table || table->sh_type != SHT_SYMTAB) continue;
      for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
        const auto symbol = read<Elf64_Sym>(table->sh_offset + at);
        if (!symbol) break;
        if (const auto name = text(table->sh_link, symbol->st_name))
          found.push_back(
              {*name, symbol->st_shndx, symbol->st_value, ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT});
      }
    }
    return found;
  }
  template <typename T>
  std::optional<T> read(std::uint64_t offset) const {
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, file_.data() + offset, sizeof value);
    return value;
  }

 private:
  std::span<const std::byte> file_;
  std::optional<Elf64_Ehdr> header_;
};

}  // namespace

std::optional<std::string> refusal(std::span<const std::byte> cubin, bool cuda) {
  constexpr std::string_view heap[] = {"malloc", "cnpLaunchDeviceV2", "cudaMalloc"};
  const Elf elf(cubin);
  if (!elf.is_cuda()) return "the cubin is no CUDA object";
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < elf.sections(); ++i) {
    const auto one = elf.section(i);
    const auto name = one ? elf.section_name(*one) : std::nullopt;
    if (!name) return "the cubin is damaged";
    if (!name->starts_with(".nv.global")) continue;
    if (cuda) {
      total += std::min(one->sh_size, variables_bytes + 1);
      if (total > variables_bytes) return "the kernel has more than 16 MiB of global variables";
    } else if (one->sh_size > (*name == ".nv.global.init" ? constants_bytes : 0)) {
      // libdevice's switches and tables are small initialised variables.
      return "the kernel has global variables, in which it could keep something from one launch to the next";
    }
  }
  for (const Symbol& symbol : elf.symbols())
    if (symbol.section == SHN_UNDEF &&
        std::find(std::begin(heap), std::end(heap), symbol.name) != std::end(heap))
      return "the kernel calls " + std::string(symbol.name) + ", whose memory outlasts a launch";
  return std::nullopt;
}

std::vector<GlobalSection> global_sections(std::span<const std::byte> cubin) {
  const Elf elf(cubin);
  std::map<std::uint64_t, GlobalSection> found;
  for (std::uint64_t i = 0; i < elf.sections(); ++i) {
    const auto one = elf.section(i);
    const auto name = one ? elf.section_name(*one) : std::nullopt;
    if (name && name->starts_with(".nv.global") && one->sh_size > 0) found[i].bytes = one->sh_size;
  }
  for (const Symbol& symbol : elf.symbols())
    if (const auto section = found.find(symbol.section); section != found.end() && symbol.is_object)
      section->second.variables.push_back({std::string(symbol.name), symbol.value});
  std::vector<GlobalSection> out;
  for (auto& [number, section] : found) out.push_back(std::move(section));
  return out;
}

}  // namespace trl::runner
