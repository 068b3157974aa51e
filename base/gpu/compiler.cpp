#include "base/gpu/compiler.hpp"

#include <dlfcn.h>
#include <nvrtc.h>

#include <mutex>
#include <stdexcept>

namespace trl::gpu {
namespace {

// clang-format off
#define TRL_NVRTC_FUNCTIONS(F) \
  F(nvrtcCreateProgram) F(nvrtcCompileProgram) F(nvrtcDestroyProgram) F(nvrtcGetErrorString) \
  F(nvrtcGetProgramLogSize) F(nvrtcGetProgramLog) F(nvrtcGetCUBINSize) F(nvrtcGetCUBIN)
// clang-format on

struct Compiler {
#define TRL_DECLARE(name) decltype(&::name) name = nullptr;
  TRL_NVRTC_FUNCTIONS(TRL_DECLARE)
#undef TRL_DECLARE
};

Compiler& compiler() {
  static Compiler loaded;
  return loaded;
}

void* open_library(const std::filesystem::path& folder) {
  constexpr const char* kName = "libnvrtc.so.13";
  if (void* library = ::dlopen(kName, RTLD_NOW | RTLD_NOLOAD)) return library;
  // libnvrtc opens this library by its name without a folder, so it is loaded here first.
  ::dlopen((folder / "libnvrtc-builtins.so.13.0").c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (void* library = ::dlopen((folder / kName).c_str(), RTLD_NOW)) return library;
  if (void* library = ::dlopen(kName, RTLD_NOW)) return library;
  throw std::runtime_error(std::string("CUDA's compiler (") + kName + ") is neither in " + folder.string() +
                           " nor in the system's folders: it comes with torch for CUDA 13");
}

void check(nvrtcResult result, const char* what) {
  if (result != NVRTC_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + compiler().nvrtcGetErrorString(result));
}

// Frees a program when its compilation ends.
struct Program {
  nvrtcProgram handle = nullptr;
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (handle) compiler().nvrtcDestroyProgram(&handle);
  }
};

}  // namespace

void load_compiler(const std::filesystem::path& torch) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (compiler().nvrtcCreateProgram) return;
  void* const library = open_library((torch / "../nvidia/cu13/lib").lexically_normal());
  Compiler found;
#define TRL_LOAD(name)                                                          \
  found.name = reinterpret_cast<decltype(found.name)>(::dlsym(library, #name)); \
  if (!found.name) throw std::runtime_error("CUDA's compiler has no function " #name);
  TRL_NVRTC_FUNCTIONS(TRL_LOAD)
#undef TRL_LOAD
  compiler() = found;
}

Compiled compile(const std::string& name, const std::string& text,
                 const std::map<std::string, std::string>& headers, const std::string& architecture,
                 const std::vector<std::string>& options) {
  const auto& nvrtc = compiler();
  std::vector<const char*> header_texts, header_names, words;
  for (const auto& [header, content] : headers) {
    header_names.push_back(header.c_str());
    header_texts.push_back(content.c_str());
  }
  const std::string target = "--gpu-architecture=" + architecture;
  words.push_back(target.c_str());
  for (const auto& option : options) words.push_back(option.c_str());
  Program program;
  check(nvrtc.nvrtcCreateProgram(&program.handle, text.c_str(), name.c_str(),
                                 static_cast<int>(headers.size()), header_texts.data(), header_names.data()),
        "CUDA's compiler takes no program");
  const auto result = nvrtc.nvrtcCompileProgram(program.handle, static_cast<int>(words.size()), words.data());
  Compiled out;
  std::size_t size = 0;
  if (nvrtc.nvrtcGetProgramLogSize(program.handle, &size) == NVRTC_SUCCESS && size > 1) {
    out.log.resize(size);
    nvrtc.nvrtcGetProgramLog(program.handle, out.log.data());
    out.log.resize(size - 1);
  }
  if (result != NVRTC_SUCCESS)
    throw std::runtime_error(name + " doesn't compile: " + nvrtc.nvrtcGetErrorString(result) + "\n" +
                             out.log);
  check(nvrtc.nvrtcGetCUBINSize(program.handle, &size), "the size of machine code");
  out.cubin.resize(size);
  check(nvrtc.nvrtcGetCUBIN(program.handle, out.cubin.data()), "machine code");
  return out;
}

}  // namespace trl::gpu
