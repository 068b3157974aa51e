#include "runtime/group/nccl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "base/support/error.hpp"

namespace trl::runtime {
namespace {

// The part of NCCL's binary interface that all versions 2 have. Including NCCL's header would tie the build
// to torch's wheel with CUDA.
struct Id {
  char bytes[128];
};
using Communicator = void*;
using Stream = void*;
using Result = int;                  // 0: success
constexpr int kBytes = 0;            // ncclInt8
constexpr Stream kStream = nullptr;  // the default stream

struct Functions {
  Result (*ncclGetUniqueId)(Id*) = nullptr;
  Result (*ncclCommInitRank)(Communicator*, int, Id, int) = nullptr;
  Result (*ncclCommAbort)(Communicator) = nullptr;
  Result (*ncclCommGetAsyncError)(Communicator, Result*) = nullptr;
  Result (*ncclGroupStart)() = nullptr;
  Result (*ncclGroupEnd)() = nullptr;
  Result (*ncclSend)(const void*, std::size_t, int, int, Communicator, Stream) = nullptr;
  Result (*ncclRecv)(void*, std::size_t, int, int, Communicator, Stream) = nullptr;
  Result (*ncclAllGather)(const void*, void*, std::size_t, int, Communicator, Stream) = nullptr;
  const char* (*ncclGetErrorString)(Result) = nullptr;
  const char* (*ncclGetLastError)(Communicator) = nullptr;
};

Functions load() {
  // libtorch_cuda has already loaded the NCCL on which its wheel depends.
  void* library = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) library = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw UserError("NCCL isn't there (libnccl.so.2), by which several GPUs work together",
                    "install torch's wheel with CUDA, or use one GPU");
  Functions functions;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, name));
    if (function == nullptr)
      throw UserError(fmt::format("NCCL is too old: it has no {}; 2.13 or later has", name),
                      "install the torch of requirements.txt, or use one GPU");
  };
#define TRL_FIND(name) find(functions.name, #name)
  TRL_FIND(ncclGetUniqueId);
  TRL_FIND(ncclCommInitRank);
  TRL_FIND(ncclCommAbort);
  TRL_FIND(ncclCommGetAsyncError);
  TRL_FIND(ncclGroupStart);
  TRL_FIND(ncclGroupEnd);
  TRL_FIND(ncclSend);
  TRL_FIND(ncclRecv);
  TRL_FIND(ncclAllGather);
  TRL_FIND(ncclGetErrorString);
  TRL_FIND(ncclGetLastError);
#undef TRL_FIND
  return functions;
}

const Functions& nccl() {
  static const Functions loaded = load();
  return loaded;
}

void check(Result result, const char* what, int rank) {
  if (result == 0) return;
  const char* last = nccl().ncclGetLastError(nullptr);
  throw UserError(
      fmt::format("NCCL failed on rank {} in {}: {}{}{}", rank, what, nccl().ncclGetErrorString(result),
                  last != nullptr && *last != '\0' ? ": " : "", last != nullptr ? last : ""),
      "NCCL_DEBUG=INFO shows what NCCL does; one GPU needs no NCCL");
}

}  // namespace

std::string Nccl::new_id() {
  Id id;
  check(nccl().ncclGetUniqueId(&id), "ncclGetUniqueId", 0);
  return {id.bytes, sizeof id.bytes};
}

Nccl::Nccl(int rank, int size, const std::string& id) : rank_(rank), size_(size), id_(id) {
  Id copied;
  if (id.size() != sizeof copied.bytes) throw std::logic_error("an ID of NCCL has 128 bytes");
  std::memcpy(copied.bytes, id.data(), sizeof copied.bytes);
  check(nccl().ncclCommInitRank(&communicator_, size, copied, rank), "ncclCommInitRank", rank);
}

Nccl::~Nccl() {
  // The communicator is aborted, since destroying it would wait for the other processes.
  nccl().ncclCommAbort(communicator_);
}

bool Nccl::healthy() const {
  Result state = 0;
  return nccl().ncclCommGetAsyncError(communicator_, &state) == 0 && state == 0;
}

void Nccl::exchange(const void* from, const std::vector<std::size_t>& sent, void* to,
                    const std::vector<std::size_t>& received) const {
  const char* source = static_cast<const char*>(from);
  char* target = static_cast<char*>(to);
  check(nccl().ncclGroupStart(), "ncclGroupStart", rank_);
  for (std::size_t r = 0; r < sent.size(); ++r) {
    const auto other = static_cast<int>(r);
    if (sent[r] > 0)
      check(nccl().ncclSend(source, sent[r], kBytes, other, communicator_, kStream), "ncclSend", rank_);
    if (received[r] > 0)
      check(nccl().ncclRecv(target, received[r], kBytes, other, communicator_, kStream), "ncclRecv", rank_);
    source += sent[r];
    target += received[r];
  }
  check(nccl().ncclGroupEnd(), "ncclGroupEnd", rank_);
}

void Nccl::gather(const void* from, void* to, std::size_t bytes) const {
  check(nccl().ncclAllGather(from, to, bytes, kBytes, communicator_, kStream), "ncclAllGather", rank_);
}

}  // namespace trl::runtime
