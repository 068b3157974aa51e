// Debian's Clang was built with Polly, an optimiser of loops, which this project doesn't use. This function
// stands in for Polly's library.
#include <llvm/Passes/PassPlugin.h>

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "no Polly", "", [](llvm::PassBuilder&) {}};
}
