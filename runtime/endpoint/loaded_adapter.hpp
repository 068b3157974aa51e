// An adapter that a server has loaded, as long as this object lives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/contract/rollout_model.hpp"
#include "runtime/endpoint/asker.hpp"

namespace trl::runtime {

class LoadedAdapter {
 public:
  /// What an adapter is loaded into, and by what.
  struct Server {
    contract::ServerKind kind = contract::ServerKind::vllm;
    AskOptions options;          ///< the endpoint, the key, the clock and the draws of pauses
    MakeTransport load, unload;  ///< of these calls
    StopRequested stop;          ///< ends pauses between attempts
  };

  /// Has the server load the adapter in `folder`, a PEFT folder, under a name. If the endpoint names a folder
  /// for adapters, the adapter's files are copied into a new folder below it, which `name` names, and the
  /// server reads them there. A name that the server has loaded already counts as loaded, since names depend
  /// on their adapters' bytes: a run that was killed has left it. Throws UserError, with a remedy, if the
  /// server refuses or isn't there, DiskError, and Stopped.
  LoadedAdapter(Server server, std::string name, const std::filesystem::path& folder);
  /// Has the server unload the adapter, and removes the copied files. Failures are ignored: the server may be
  /// gone, and an adapter that stays loaded takes memory and changes no answer.
  ~LoadedAdapter();
  LoadedAdapter(const LoadedAdapter&) = delete;
  LoadedAdapter& operator=(const LoadedAdapter&) = delete;

 private:
  void load(const std::filesystem::path& folder, std::int64_t rank);
  [[noreturn]] void fail(const std::string& what, const std::string& help) const;
  void remove_copy() noexcept;

  Server server_;
  std::string name_;
  std::filesystem::path copy_;  ///< empty: the server reads the adapter where it is
};

}  // namespace trl::runtime
