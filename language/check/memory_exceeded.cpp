#include <fmt/format.h>

#include <algorithm>

#include "language/check/inspection.hpp"
#include "language/estimate/memory.hpp"

namespace trl::language {
namespace {

const std::vector<std::string>& all_matrices() {
  static const std::vector<std::string> all = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                               "gate_proj", "up_proj", "down_proj"};
  return all;
}

MemoryQuestion question(Inspection& inspection, const Inspection::Stage& stage, double sequence) {
  MemoryQuestion q;
  q.architecture = *inspection.architecture();
  const auto word = [](const Resolved* of, const char* field, const char* otherwise) {
    const Value* v = of == nullptr ? nullptr : of->field(field);
    return v == nullptr || v->absent() ? std::string(otherwise) : v->string();
  };
  const auto number = [&](const Resolved* of, const char* field, double otherwise) {
    const Value* v = of == nullptr ? nullptr : of->field(field);
    return v == nullptr || v->absent() ? otherwise : v->number(otherwise);
  };
  q.precision = word(inspection.model(), "precision", "bf16");
  q.quantize = word(inspection.model(), "quantize", "none");
  const Resolved* adapter = inspection.adapter();
  q.adapter = adapter != nullptr && !stage.train->is_a("pretrain");
  q.rank = number(adapter, "rank", 16);
  if (const Value* targets = q.adapter ? adapter->field("targets") : nullptr)
    for (const Value& t : targets->items) q.targets.push_back(t.string());
  if (std::find(q.targets.begin(), q.targets.end(), "all_linear") != q.targets.end())
    q.targets = all_matrices();
  q.micro_batch = number(stage.train, "micro_batch", 1);
  q.sequence = number(stage.train, "sequence", number(stage.train, "max_tokens", sequence));
  q.candidates = number(stage.train, "candidates", 0);
  return q;
}

void check(Inspection& inspection) {
  const Resolved* machine = inspection.machine();
  const Value* memory = machine == nullptr ? nullptr : machine->field("memory");
  const auto& architecture = inspection.architecture();
  if (memory == nullptr || !architecture || !architecture->complete()) return;
  double longest = 0;  // of sft, whose data says nothing of its length
  if (const Value* tokens = inspection.evaluation() ? inspection.evaluation()->field("max_tokens") : nullptr)
    longest = tokens->number();
  double worst = memory->number();
  std::optional<Diagnostic> said;  // of the stage that needs most
  const Resolved* of = nullptr;
  for (const auto& stage : inspection.stages()) {
    const MemoryQuestion q = question(inspection, stage, longest);
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
      d.helped(fmt::format("at micro_batch = 1 it is {}",
                           bytes_text(m.weights + m.optimiser + (m.recomputed + m.logits) / q.micro_batch)));
    else if (q.quantize == "none" && q.adapter)
      d.helped("hold the weights in less: `quantize = int8` or `nf4`");
    else
      d.helped(training ? "shorten the sequences" : "draw fewer candidates, or shorten `max_tokens`");
    if (training && q.micro_batch > 1 && micro != nullptr && micro->given)
      d.fix("write `1`", micro->range, "1");
    said = std::move(d);
    of = stage.train;
  }
  if (said) inspection.report(std::move(*said), {of, machine});
}

}  // namespace

const Rule rules::memory_exceeded{
    "memory_exceeded",
    Severity::warning,
    true,
    "A run that does not fit the GPU's memory stops after the weights are loaded and paid for.",
    R"(import example
machine node { memory = 80 GiB }
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-7B-Instruct") }
experiment e : example.study { model = coder, machine = node }
)",
    R"(import example
machine laptop { memory = 12 GiB }
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-7B-Instruct") }
experiment e : example.study { model = coder, machine = laptop }
)",
    check};

}  // namespace trl::language
