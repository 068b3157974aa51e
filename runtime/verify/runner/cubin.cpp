#include "runtime/verify/runner/cubin.hpp"

#include <elf.h>

#include <cstring>
#include <string_view>

namespace trl::runner {
namespace {

constexpr unsigned short machine_cuda = 190;
constexpr std::uint64_t constants_bytes = 4096;

template <typename T>
std::optional<T> read_at(std::span<const std::byte> file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

}  // namespace

std::optional<std::string> refusal(std::span<const std::byte> cubin) {
  const auto header = read_at<Elf64_Ehdr>(cubin, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_machine != machine_cuda)
    return "the cubin is no CUDA object";
  if (header->e_shentsize != sizeof(Elf64_Shdr)) return "the cubin is damaged";
  const auto section = [&](std::uint64_t i) {
    return read_at<Elf64_Shdr>(cubin, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  const auto names = section(header->e_shstrndx);
  if (!names || names->sh_offset > cubin.size() || cubin.size() - names->sh_offset < names->sh_size)
    return "the cubin is damaged";
  const std::string_view texts(reinterpret_cast<const char*>(cubin.data() + names->sh_offset),
                               names->sh_size);
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto one = section(i);
    if (!one || one->sh_name >= texts.size()) return "the cubin is damaged";
    const std::string_view name = texts.substr(one->sh_name, texts.find('\0', one->sh_name) - one->sh_name);
    // Initialised data of a few bytes is what libdevice's switches and tables come to.
    const std::uint64_t most = name == ".nv.global.init" ? constants_bytes : 0;
    if (name.starts_with(".nv.global") && one->sh_size > most)
      return "the kernel has global variables, in which it could keep something from one launch to the next";
  }
  return std::nullopt;
}

}  // namespace trl::runner
