#include "verifier/examination/verify.hpp"

#include <algorithm>
#include <utility>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "verifier/examination/examination.hpp"

namespace trl::runtime {

using nlohmann::json;

Verifier::Verifier(const Installation& installation, bool sandbox, std::shared_ptr<CompiledKernels> compiled)
    : recorder_(installation, sandbox),
      executor_(installation, sandbox),
      compiler_(installation, sandbox, std::move(compiled)),
      references_(ModuleReferences::shared(installation)),
      sandbox_(sandbox) {}

void Verifier::launch() {
  recorder_.launch();
  compiler_.launch();
  executor_.launch();
}

void Verifier::ready(const std::function<bool()>& cancelled) {
  launch();
  recorder_.ready(cancelled);
  executor_.ready(cancelled);
  compiler_.ready(cancelled);
  if (gpu_) gpu_->ready(cancelled);
}

void Verifier::require_gpu(const Protocol& protocol) const {
  if (protocol.timing && !gpu_)
    throw UserError("this verifier has no GPU to time candidates on", "run it where there is one");
}

Services Verifier::services() {
  return {recorder_, executor_, compiler_, gpu_.get(), *references_, sandbox_, threads_};
}

Verdict Verifier::verify(const Task& task, const std::string& answer, const Protocol& protocol,
                         const std::string& secret, const std::function<bool()>& cancelled) {
  return examine(task, answer, protocol, secret, cancelled).verdict;
}

Examined Verifier::examine(const Task& task, const std::string& answer, const Protocol& protocol,
                           const std::string& secret, const std::function<bool()>& cancelled) {
  require_gpu(protocol);
  return Examination({task, protocol, secret, own_modules_}, services(), cancelled).run(answer);
}

Examined Verifier::examine_by(std::chrono::steady_clock::time_point deadline, const Task& task,
                              const std::string& answer, const Protocol& protocol, const std::string& secret,
                              const std::function<bool()>& cancelled) {
  require_gpu(protocol);
  const auto begun = std::chrono::steady_clock::now();
  const std::chrono::duration<double> left = deadline - begun;
  Protocol limited = protocol;
  // The candidate's processes may sleep for at most 0.8 of the time until the deadline, and its Python may
  // compute for at most 0.9 of it, in CPU seconds, so that both end before the deadline.
  constexpr double most_of_it = 0.8;
  limited.budget.asleep_seconds =
      std::min(limited.budget.asleep_seconds, std::max(0.1, most_of_it * left.count()));
  limited.recording_seconds = std::max<std::int64_t>(1, static_cast<std::int64_t>(0.9 * left.count()));
  bool late = false;
  const std::function<bool()> stop = [&] {
    late = late || std::chrono::steady_clock::now() >= deadline;
    return late || (cancelled && cancelled());
  };
  Examination examination({task, limited, secret, own_modules_}, services(), stop);
  try {
    return examination.run(answer);
  } catch (const Cancelled&) {
    if (!late) throw;
    return examination.timed_out(left.count());
  }
}

Examined Verifier::examine_recorded(const Task& task, const json& recorded, const Protocol& protocol,
                                    const std::string& secret, const std::function<bool()>& cancelled) {
  require_gpu(protocol);
  return Examination({task, protocol, secret, own_modules_}, services(), cancelled).run_recorded(recorded);
}

}  // namespace trl::runtime
