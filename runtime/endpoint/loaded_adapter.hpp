// An adapter that stays loaded in a server as long as this object exists.
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
  /// The server into which an adapter is loaded, and the ways to call it.
  struct Server {
    contract::ServerKind kind = contract::ServerKind::vllm;
    AskOptions options;          ///< the endpoint, the key, the clock and the draws of pauses
    MakeTransport load, unload;  ///< of these calls
    StopRequested stop;          ///< ends pauses between attempts
  };

  /// Makes the server load the adapter in `folder`, a PEFT folder, under a name. If the endpoint names a
  /// folder for adapters, the adapter's files are first copied into its subfolder `name`, and the server
  /// reads them there. If the server reports that an adapter of this name is already loaded, that counts as
  /// success: names are made from the adapters' bytes, so it is the same adapter, left by a run that was
  /// killed. Throws UserError with advice if the server refuses or can't be reached, DiskError, and Stopped.
  LoadedAdapter(Server server, std::string name, const std::filesystem::path& folder);
  /// Makes the server unload the adapter, and removes the copied files. Failures are ignored: the server may
  /// have ended, and an adapter that stays loaded only takes memory.
  ~LoadedAdapter();
  LoadedAdapter(const LoadedAdapter&) = delete;
  LoadedAdapter& operator=(const LoadedAdapter&) = delete;

 private:
  void load(const std::filesystem::path& folder, std::int64_t rank);
  [[noreturn]] void fail(const std::string& what, const std::string& help) const;
  void remove_copy() noexcept;

  Server server_;
  std::string name_;
  std::filesystem::path copy_;  ///< empty: the server reads the adapter's own folder
};

}  // namespace trl::runtime
