#include "tests/interpreter/fake_stages.hpp"

#include <vector>

#include "base/support/digest.hpp"
#include "base/support/feedback.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "interpreter/canonical.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter::testing {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

/// A digest of the files that a stage reads, independent of their paths.
std::string inputs_digest(const WorkerRequest& request) {
  std::string text;
  for (const auto& [name, folder] : request.inputs)
    for (const char* file : {"config.json", "model.safetensors", "adapter_model.safetensors", "samples.jsonl",
                             "tokenizer.json", "tasks.json"})
      if (fs::exists(folder / file)) text += name + file + sha256_of_file(folder / file);
  return sha256_hex(text);
}

json corpus(const WorkerRequest& request) {
  std::vector<json> rows;
  for (int i = 0; i < 4; ++i)
    rows.push_back({{"task", "t" + std::to_string(i)},
                    {"group", "level1"},
                    {"key", "k" + std::to_string(i)},
                    {"prompt", "p"},
                    {"answer", sha256_hex(canonical(request.spec) + std::to_string(i))},
                    {"flaw", nullptr}});
  write_json_lines(request.output / "samples.jsonl", rows);
  write_text(request.output / "manifest.json", "{}");
  return {{"rows", rows.size()}};
}

json finetune(const WorkerRequest& request) {
  write_text(request.output / "adapter_model.safetensors",
             sha256_hex(canonical(request.spec) + inputs_digest(request)));
  write_text(request.output / "adapter_config.json", "{}");
  return {{"loss_first", 0.9}, {"loss_last", 0.3}, {"tokens", 100}, {"steps", 2}, {"seconds", 0.5}};
}

/// An answer of two lines, the second of which attacks HTML pages and terminals.
std::string answer(const std::string& seed) {
  return sha256_hex(seed) + "\n<script>alert('&')</script> \x1b[31mred\x1b[0m\n";
}

/// An answer for each of the last turn's that failed.
json next_turn(const WorkerRequest& request, const json& tasks, const std::string& weights) {
  const auto verdicts = read_json_lines(request.inputs.at("verdicts") / "verdicts.jsonl");
  const auto rows = read_json_lines(request.inputs.at("candidates") / "candidates.jsonl");
  std::vector<json> next;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (verdicts.at(i).at("correct").get<bool>()) continue;
    auto row = rows[i];
    row["prompt"] = filled(request.spec.at("feedback").get<std::string>(),
                           {{"task", row.at("prompt")}, {"answer", row.at("answer")}});
    row["answer"] = answer(weights + canonical(request.spec) +
                           tasks.at(row.at("task").get<std::size_t>()).at("key").get<std::string>() +
                           row.at("answer").get<std::string>());
    row["turn"] = request.spec.at("turn");
    next.push_back(std::move(row));
  }
  write_json_lines(request.output / "candidates.jsonl", next);
  return {{"candidates", next.size()}, {"tokens", 10 * next.size()}, {"seconds", 0.25}};
}

json sample(const WorkerRequest& request) {
  const auto tasks = read_json(request.inputs.at("tasks") / "tasks.json");
  WorkerRequest model = request;
  model.inputs.erase("tasks");
  const std::string weights = inputs_digest(model);
  if (request.spec.value("turn", 1) > 1) return next_turn(request, tasks, weights);
  std::vector<json> rows;
  for (std::size_t task = 0; task < tasks.size(); ++task)
    for (int n = 0; n < request.spec.at("samples").get<int>(); ++n)
      rows.push_back({{"task", task},
                      {"name", tasks[task].at("name")},
                      {"group", tasks[task].at("suite")},
                      {"sample", n},
                      {"prompt", "prompt of " + tasks[task].at("name").get<std::string>()},
                      {"answer", answer(weights + canonical(request.spec) +
                                        tasks[task].at("key").get<std::string>() + std::to_string(n))},
                      {"tokens", 10},
                      {"finish", "stop"}});
  write_json_lines(request.output / "candidates.jsonl", rows);
  json summary = {{"candidates", rows.size()}, {"tokens", 10 * rows.size()}, {"seconds", 0.25}};
  if (request.spec.at("purpose") == "train") summary["entropy"] = 0.5, summary["kl"] = 0.01;
  return summary;
}

/// As `sample`, by the server that the request names.
json ask(const WorkerRequest& request) {
  if (!request.endpoint || !request.checkpoint)
    throw StageFailed("the request names no server, or no place for answers", "");
  json summary = sample(request);
  summary["prompt_tokens"] = 100 * summary.at("candidates").get<int>();
  return summary;
}

json verify(const WorkerRequest& request, const std::string& secret) {
  std::vector<json> rows;
  const bool several = request.spec.at("variations").size() > 1;
  for (const auto& candidate : read_json_lines(request.inputs.at("candidates") / "candidates.jsonl")) {
    RandomStream draw(secret + candidate.at("answer").get<std::string>());
    const bool valid = draw.uniform() < 0.9, compiles = valid && draw.uniform() < 0.9,
               right = draw.uniform() < 0.7, hides = draw.uniform() < 0.3, strays = draw.uniform() < 0.1;
    const double speedup = 0.5 + draw.uniform();
    const bool values = compiles && right && !(several && hides);
    const bool correct = values && !(request.spec.at("memory_checks").get<bool>() && strays);
    rows.push_back({{"task", candidate.at("task")},
                    {"sample", candidate.at("sample")},
                    {"valid", valid},
                    {"compiled", request.spec.at("compile") == "all" || values ? json(compiles) : json()},
                    {"tiny", request.spec.at("tiny").get<bool>() ? json(compiles && right) : json()},
                    {"correct", correct},
                    {"values", values},
                    {"failed", correct     ? json()
                               : !valid    ? json("syntax")
                               : !compiles ? json("compile")
                                           : json("full")},
                    {"reason", correct     ? json()
                               : !valid    ? json("not_python")
                               : !compiles ? json("compile_error")
                               : values    ? json("out_of_bounds")
                                           : json("wrong_values")},
                    {"message", correct ? "" : "<img src=x> \x1b[2J in <module>"},
                    {"line", correct ? json() : json(2)},
                    {"variation", valid && compiles && !correct ? json("resize(150%)") : json()},
                    {"speedup", correct ? speedup : 0.0},
                    {"time_us", nullptr},
                    {"reference_us", 9.5},
                    {"modelled", true},
                    {"launches", 1}});
    if (correct && candidate.at("sample") == 0) rows.back()["masked_without_other"] = 4;
    if (request.spec.value("framework", "none") == "epilogue" && valid)
      rows.back()["kernel_share"] = 0.75 + 0.25 * draw.uniform();
    if (several && candidate.at("task") == 0) rows.back()["no_evidence"] = {"resize(150%)"};
  }
  write_json_lines(request.output / "verdicts.jsonl", rows);
  return {{"candidates", rows.size()}, {"seconds", 0.1}};
}

}  // namespace

json fake_stage(const WorkerRequest& request, const std::string& secret) {
  if (request.stage == "corpus") return corpus(request);
  if (request.stage == "finetune") return finetune(request);
  if (request.stage == "sample") return sample(request);
  if (request.stage == "ask" || request.stage == "rollout") return ask(request);
  if (request.stage == "verify") return verify(request, secret);
  if (request.stage == "tokenizer") {
    write_text(request.output / "tokenizer.json", inputs_digest(request));
    return {{"size", 300}};
  }
  if (request.stage == "pretrain") {
    write_text(request.output / "config.json", "{}");
    write_text(request.output / "tokenizer.json", "{}");
    write_text(request.output / "model.safetensors",
               sha256_hex(canonical(request.spec) + inputs_digest(request)));
    return {{"loss", 1.0}, {"tokens", 1000}, {"seconds", 2.0}};
  }
  if (request.stage == "merge") {
    for (const auto& [name, path] : request.inputs)
      if (!path.is_absolute()) throw StageFailed("the path of `" + name + "` is not absolute", "");
    write_text(request.output / "model.safetensors", inputs_digest(request));
    return {{"matrices", 1}};
  }
  throw StageFailed("there is no stage " + request.stage, "");
}

StageDone FakeClient::run(const WorkerRequest& request, const WorkerEvents& events) {
  ++asked[request.stage];
  if (crashes > 0) {
    --crashes;
    if (!ends.empty()) {
      const auto [cause, done] = ends.front();
      ends.erase(ends.begin());
      events.progress(done, 100, "things");
      throw WorkerCrashed(cause, "");
    }
    throw WorkerCrashed("trl-worker was killed by signal 11 (Segmentation fault)", "last words\n");
  }
  if (before) before(request, events);
  if (events.progress) events.progress(1, 1, "thing");
  return {fake_stage(request, secret_), made_on};
}

}  // namespace trl::interpreter::testing
