#include <fmt/format.h>

#include <algorithm>

#include "language/check/inspection.hpp"
#include "language/check/memory_question.hpp"

namespace trl::language {
DECLARE_RULE(memory_exceeded)
namespace {

void check_memory_exceeded(Inspection& inspection) {
  const Resolved* machine = inspection.machine();
  const Value* memory = machine == nullptr ? nullptr : machine->field("memory");
  const auto& architecture = inspection.architecture();
  if (memory == nullptr || !architecture || !architecture->complete()) return;
  // The rule model_above_gpu reports this case, which no setting of training can solve.
  if (const auto least = least_need(inspection, declared_storage(inspection));
      least && least->memory.all() > memory->number())
    return;
  double worst = memory->number();
  std::optional<Diagnostic> largest;  // the finding for the stage that needs most memory
  const Resolved* of = nullptr;
  for (const auto& stage : inspection.stages()) {
    if (!memory_known(inspection, stage)) continue;
    const MemoryQuestion q = memory_question(inspection, stage);
    const Memory m = modelled_memory(q);
    const double peak = std::max(m.least_training(), m.sampling());
    if (peak <= worst) continue;
    worst = peak;
    const bool training = m.least_training() >= m.sampling();
    const Value* micro = stage.train->field("micro_batch");
    auto d = found(rules::memory_exceeded, inspection.experiment.range,
                   fmt::format("`{}` needs {} on each GPU for {} (modelled), and a GPU of `{}` has {}",
                               stage.train->name, bytes_text(peak), training ? "training" : "sampling",
                               machine->name, bytes_text(memory->number())));
    d.note(
        training
            ? fmt::format(
                  "weights {} + adapter and optimiser {} + logits of {} × {} tokens {} + activations {}, "
                  "recomputed layer by layer ({} if they are kept)",
                  bytes_text(m.weights), bytes_text(m.optimiser), q.micro_batch, q.sequence,
                  bytes_text(m.logits), bytes_text(m.recomputed), bytes_text(m.activations))
            : fmt::format(
                  "weights {} + adapter and optimiser {} + keys and values of {} candidates × {} tokens {}",
                  bytes_text(m.weights), bytes_text(m.optimiser), q.candidates, q.sequence,
                  bytes_text(m.cache)));
    d.note("the memory of a GPU", memory->range);
    if (training && q.micro_batch > 1)
      d.helped(fmt::format("with micro_batch = 1 it needs {}",
                           bytes_text(m.weights + m.optimiser + (m.recomputed + m.logits) / q.micro_batch)));
    else if (q.quantize == "none" && q.adapter)
      d.helped("quantize the weights: `quantize = int8` or `nf4`");
    else
      d.helped(training ? "shorten the sequences" : "sample fewer candidates, or shorten `max_tokens`");
    if (training && q.micro_batch > 1 && micro != nullptr && micro->given)
      d.suggest("write `1`", micro->range, "1");
    largest = std::move(d);
    of = stage.train;
  }
  if (largest) inspection.report(std::move(*largest), {of, machine});
}

}  // namespace

const Rule rules::memory_exceeded{
    "memory_exceeded",
    Severity::warning,
    true,
    "A run that does not fit the GPU's memory fails only after the GPU time for loading weights is paid.",
    R"(import example
machine node { memory = 80 GiB }
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-7B-Instruct") }
experiment e : example.study { model = coder, machine = node }
)",
    R"(import example
machine laptop { memory = 16 GiB }
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-7B-Instruct") }
train t : example.reinforce { micro_batch = 8 }
experiment e : example.study { model = coder, train = t, machine = laptop }
)",
    check_memory_exceeded};

}  // namespace trl::language
