#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(rollout_setting)
namespace {

void report(Inspection& inspection, const AskedServer& server, const Value& at, const std::string& what,
            const std::string& remedy) {
  inspection.report(found(rules::rollout_setting, at.range, what).helped(remedy), {server.of});
}

/// Returns an argument that the author has written in a server's call; null if it isn't written.
const Value* given(const AskedServer& server, const char* name) {
  const Value* value = server.endpoint->entry(name);
  return value != nullptr && value->given && !value->absent() ? value : nullptr;
}

void examine_server(Inspection& inspection, const AskedServer& server) {
  const std::string whose = " of the server of `" + server.of->name + "` acts on nothing: ";
  if (!server.rollout) {
    for (const char* name : {"server", "adapters"})
      if (const Value* value = given(server, name))
        report(inspection, server, *value,
               "`" + std::string(name) + "`" + whose + "a server of an exam loads no adapter",
               "leave it out; it belongs to `rollout = endpoint(…)` of a way to train");
    return;
  }
  constexpr std::pair<const char*, const char*> idle[] = {
      {"system", "prompts are the tokens that training reads, as the model's `prompt` says"},
      {"parameters", "vLLM and SGLang are told all that `SETTING` says of sampling"},
      {"judge_reasoning", "an answer is all of its tokens"}};
  for (const auto& [name, why] : idle) {
    const Value* value = given(server, name);
    if (value == nullptr || (value->plain.is_boolean() && !value->plain.get<bool>())) continue;
    std::string reason = why;
    if (const auto at = reason.find("SETTING"); at != reason.npos) reason.replace(at, 7, server.of->name);
    report(inspection, server, *value, "`" + std::string(name) + "`" + whose + reason, "leave it out");
  }
}

/// Reports `mismatch = ignore`: a server computes other probabilities than training, if only because it adds
/// in another order. With another `mismatch`, reports a temperature other than 1 of SGLang, whose
/// probabilities then can't be compared.
void examine_mismatch(Inspection& inspection, const AskedServer& server) {
  const Resolved& train = *server.of;
  const Value *mismatch = train.field("mismatch"), *temperature = train.field("temperature");
  if (mismatch == nullptr || !train.sound("mismatch") || is_varied(inspection, train.name + ".mismatch"))
    return;
  const Value* kind = server.endpoint->entry("server");
  if (mismatch->string() != "ignore") {
    if (kind == nullptr || kind->string() != "sglang" || temperature == nullptr ||
        temperature->number() == 1 || is_varied(inspection, train.name + ".temperature"))
      return;
    auto d = found(rules::rollout_setting, temperature->range,
                   "SGLang gives log-probabilities at the temperature that it samples with, and `mismatch` "
                   "compares those at temperature 1");
    d.note("`mismatch` is given here", mismatch->range);
    d.helped(
        "write `temperature = 1`; or start SGLang with SGLANG_RETURN_ORIGINAL_LOGPROB=1 in its environment, "
        "and `allow rollout_setting`");
    return inspection.report(std::move(d), {&train});
  }
  const Resolved* model = inspection.model();
  const Value* quantize = model != nullptr ? model->field("quantize") : nullptr;
  const bool few_bits = quantize != nullptr && quantize->string() != "none";
  auto d = found(rules::rollout_setting, server.endpoint->range,
                 "nothing compares the probabilities with which this server samples with those of training");
  if (few_bits)
    d.note("training has the weights in " + quantize->string() + ", as no server has them", quantize->range);
  else
    d.severity = Severity::note;
  inspection.report(
      std::move(d.helped("write `mismatch = measure`, which reports their ratio, or `truncate`, "
                         "which corrects the loss by it")),
      {&train});
}

void check_rollout_setting(Inspection& inspection) {
  for (const auto& server : asked_servers(inspection)) {
    examine_server(inspection, server);
    if (server.rollout) examine_mismatch(inspection, server);
  }
}

}  // namespace

const Rule rules::rollout_setting{
    "rollout_setting",
    Severity::warning,
    true,
    "What a server isn't told makes readers believe what isn't done, and what it computes otherwise than "
    "training, trains another policy than the one that sampled.",
    R"(import example
train t : grpo {
  tasks = example.easy, temperature = 1, max_tokens = 256, learning_rate = 1e-4, mismatch = measure
  rollout = endpoint("http://localhost:30000/v1", name = "qwen", server = sglang, adapters = path("adapters"))
}
experiment e : example.study { train = t }
)",
    R"(import example
train t : example.reinforce { rollout = endpoint("http://localhost:8000/v1", name = "qwen", system = "Be brief.") }
experiment e : example.study { train = t }
)",
    check_rollout_setting};

}  // namespace trl::language
