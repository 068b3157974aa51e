#include <fmt/format.h>

#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(rollout_adapter)
namespace {

/// The largest of vLLM's values of --max-lora-rank, which are 1, 8, 16, 32, 64, 128, 256, 320 and 512.
constexpr double largest_rank_of_vllm = 512;

void report(Inspection& inspection, const AskedServer& server, const Value& at, const std::string& what,
            const std::string& remedy) {
  auto d = found(rules::rollout_adapter, at.range, what);
  d.note("it samples here", server.endpoint->range);
  inspection.report(std::move(d.helped(remedy)), {inspection.adapter(), server.of});
}

void examine_adapter(Inspection& inspection, const AskedServer& server) {
  const Resolved* adapter = inspection.adapter();
  if (adapter == nullptr) return;
  const Value* kind = server.endpoint->entry("server");
  const bool vllm = kind == nullptr || kind->string() == "vllm";
  const std::string whose = "of `" + adapter->name + "`", who = vllm ? "vLLM" : "SGLang";
  const Value *dora = adapter->field("use_dora"), *patterns = adapter->field("patterns"),
              *rank = adapter->field("rank");
  if (dora != nullptr && dora->plain.is_boolean() && dora->plain.get<bool>())
    report(inspection, server, *dora, who + " loads no adapter with `use_dora`, as that " + whose + " is",
           "leave `use_dora` out, or leave `rollout` out");
  if (patterns != nullptr && !patterns->items.empty())
    report(inspection, server, *patterns,
           who + " reads one rank and one alpha of an adapter, and `patterns` " + whose + " has others",
           "leave `patterns` out, or leave `rollout` out");
  if (vllm && rank != nullptr && rank->number() > largest_rank_of_vllm)
    report(inspection, server, *rank,
           fmt::format("vLLM loads adapters of rank {:g} at most", largest_rank_of_vllm),
           fmt::format("write `rank = {:g}` or less", largest_rank_of_vllm));
}

/// Reports a server that samples after `pretrain`: no server has the model that this study makes.
void examine_model(Inspection& inspection, const AskedServer& server) {
  const Resolved* made = nullptr;
  for (const auto& stage : inspection.stages()) {
    if (stage.train->is_a("pretrain")) made = stage.train;
    if (made == nullptr || rollout_of(*stage.train) != server.endpoint) continue;
    auto d = found(rules::rollout_adapter, server.endpoint->range,
                   "no server has the model that `" + made->name + "` makes");
    d.note("it makes a model from nothing", made->range);
    d.helped(
        "leave `rollout` out; or train the model by itself, serve it, and train an adapter on it: "
        "`weights = path(\"…\")`");
    return inspection.report(std::move(d), {server.of});
  }
}

void check_rollout_adapter(Inspection& inspection) {
  for (const auto& server : asked_servers(inspection)) {
    if (!server.rollout) continue;
    examine_adapter(inspection, server);
    examine_model(inspection, server);
  }
}

}  // namespace

const Rule rules::rollout_adapter{"rollout_adapter",
                                  Severity::error,
                                  false,
                                  "A server samples with the adapter of a round only if it can load it, onto "
                                  "the model that it was trained on.",
                                  R"(import example
train t : example.reinforce { rollout = endpoint("http://localhost:8000/v1", name = "qwen") }
experiment e : example.study { train = t }
)",
                                  R"(import example
lora weighted : example.writer { use_dora = true }
train t : example.reinforce { rollout = endpoint("http://localhost:8000/v1", name = "qwen") }
experiment e : example.study { adapter = weighted, train = t }
)",
                                  check_rollout_adapter};

}  // namespace trl::language
