#include "verifier/examination/made_on.hpp"

namespace trl::runtime {

void note_packages(contract::MadeOn& made_on, const Installation& installation) {
  made_on.versions.insert(installation.versions.begin(), installation.versions.end());
}

void note_gpu(contract::MadeOn& made_on, const RunnerGpu& gpu) {
  made_on.device = gpu.name, made_on.driver = gpu.driver, made_on.cuda = gpu.cuda;
}

}  // namespace trl::runtime
