#include <fmt/format.h>

#include "interpreter/serve/routes.hpp"

namespace trl::interpreter {
using nlohmann::json;

namespace {

json text(const char* meaning) { return {{"type", "string"}, {"description", meaning}}; }
json number(const char* meaning) { return {{"type", "number"}, {"description", meaning}}; }
json boolean(const char* meaning) { return {{"type", "boolean"}, {"description", meaning}}; }
json nullable(json schema) {
  schema["nullable"] = true;
  return schema;
}
json reference(const std::string& name) { return {{"$ref", "#/components/schemas/" + name}}; }
json list(json of) { return {{"type", "array"}, {"items", std::move(of)}}; }
json object(json properties, const std::vector<std::string>& required, bool closed) {
  json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = required;
  if (closed) schema["additionalProperties"] = false;
  return schema;
}

json answer_fields() {
  return {
      {"task", text("The task's ID, level1/7, or its suite and name, level1/relu.")},
      {"answer",
       text("The model's answer: a program in Python or CUDA, or a text with a fenced code block.")},
      {"prompt",
       nullable(text("The prompt that the answer is to, which is stored with it. By default the task's."))},
      {"tokens",
       nullable({{"type", "integer"},
                 {"minimum", 0},
                 {"description",
                  "The number of tokens of the answer, for formulas of rewards with `c.tokens`."}})}};
}

json with(json fields, const json& more) {
  fields.update(more);
  return fields;
}

json verdict_schema() {
  json verdict = object(
      {{"task", text("The task's ID.")},
       {"protocol", text("The protocol by which the answer was judged.")},
       {"id", text("The ID under which the verdict is stored, for trl candidate, verify and audit.")},
       {"index",
        {{"type", "integer"},
         {"description", "Only in a batch: the answer's place in the request, from 0."}}},
       {"valid", boolean("Whether running the answer gave a launch plan.")},
       {"correct", boolean("Whether the answer passed all steps.")},
       {"failed",
        nullable(text("The stage that it failed: syntax, compile, tiny, full or timed. Null if it passed."))},
       {"reason", nullable(text("Why, in a word that `trl explain` explains. Null if it passed."))},
       {"message", nullable(text("Why, in a sentence."))},
       {"line", nullable({{"type", "integer"}, {"description", "The answer's line that is to blame."}})},
       {"speedup", number("The reference's time over the answer's; 0 for a wrong answer.")},
       {"time_us", nullable(number("Microseconds of the answer's kernels."))},
       {"reference_us", nullable(number("Microseconds of the reference."))},
       {"modelled", boolean("Whether the times are modelled and not measured.")},
       {"launches", {{"type", "integer"}, {"description", "How many kernels the answer launches."}}},
       {"stages", list({{"type", "object"}})}},
      {"task", "protocol", "valid", "failed", "correct", "reason", "speedup", "message"}, false);
  verdict["description"] = "A row of `trl verify --json`; docs/interfaces.md has all fields.";
  return verdict;
}

json schemas() {
  const json deadline = {
      {"type", "number"},
      {"nullable", true},
      {"exclusiveMinimum", true},
      {"minimum", 0},
      {"description",
       "The seconds within which the request is answered; at most the server's own deadline."}};
  const json protocol =
      text("The name of a protocol: exam, training or another of /v1/protocols. By default exam.");
  const json reward =
      nullable(text("The name of a reward of /v1/protocols. It may be left out if there is one alone."));
  const std::vector<std::string> of_answer = {"task", "answer"};
  json all;
  all["Error"] =
      object({{"error", object({{"code", text("A word for programs.")},
                                {"message", text("What is wrong.")},
                                {"help", text("How to mend it; empty if nothing is known.")}},
                               {"code", "message", "help"}, true)},
              {"index", {{"type", "integer"}, {"description", "Only in a batch: the answer's place."}}}},
             {"error"}, true);
  for (const ErrorCode& code : error_codes())
    all["Error"]["properties"]["error"]["properties"]["code"]["enum"].push_back(code.code);
  all["Answer"] = object(answer_fields(), of_answer, true);
  all["VerifyOne"] =
      object(with(answer_fields(), {{"protocol", protocol}, {"deadline_s", deadline}}), of_answer, true);
  all["VerifyMany"] =
      object({{"answers", list(reference("Answer"))}, {"protocol", protocol}, {"deadline_s", deadline}},
             {"answers"}, true);
  all["RewardOne"] =
      object(with(answer_fields(), {{"reward", reward}, {"deadline_s", deadline}}), of_answer, true);
  all["RewardMany"] =
      object({{"answers", list(reference("Answer"))}, {"reward", reward}, {"deadline_s", deadline}},
             {"answers"}, true);
  all["Verdict"] = verdict_schema();
  all["Reward"] = object(
      {{"reward", nullable(number("The value of the formula; null if the answer couldn't be judged."))},
       {"parts",
        {{"type", "object"},
         {"additionalProperties", {{"type", "number"}}},
         {"description", "The terms whose sum is the reward, by their text in the formula."}}},
       {"feedback",
        nullable(text("The prompt of the next turn, if the file trains with turns and the answer failed."))},
       {"verdict", reference("Verdict")},
       {"id", text("The ID of the stored verdict.")},
       {"index",
        {{"type", "integer"},
         {"description", "Only in a batch: the answer's place in the request, from 0."}}}},
      {"reward", "parts", "feedback", "verdict"}, true);
  all["Task"] = object({{"id", text("SUITE/ID")},
                        {"suite", text("The suite.")},
                        {"name", text("The task's name.")},
                        {"prompt", text("The prompt, as a model gets it.")},
                        {"can_be_judged", boolean("Whether answers can be judged here.")},
                        {"why", text("Why they can't be.")}},
                       {"id", "suite", "name", "prompt", "can_be_judged"}, true);
  all["Tasks"] = object(
      {{"tasks", list(reference("Task"))},
       {"next", nullable(text("The value of `after` for the tasks that follow; null if there are none."))}},
      {"tasks", "next"}, true);
  all["Protocols"] =
      object({{"protocols", {{"type", "object"}, {"additionalProperties", {{"type", "object"}}}}},
              {"rewards", {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}}},
              {"deadline_s", number("The server's own deadline in seconds.")}},
             {"protocols", "rewards", "deadline_s"}, true);
  all["Status"] = object({{"status", text("alive, ready, starting or draining")},
                          {"slots", {{"type", "integer"}, {"description", "The number of worker slots."}}},
                          {"ready", {{"type", "integer"}, {"description", "How many of them are warm."}}}},
                         {"status"}, true);
  return all;
}

json content(const char* type, json schema) { return {{type, {{"schema", std::move(schema)}}}}; }

json query(const char* name, const char* type, const char* meaning) {
  return {{"name", name},
          {"in", "query"},
          {"required", false},
          {"description", meaning},
          {"schema", {{"type", type}}}};
}

/// The request and the reply of an operation.
void describe(Operation operation, json& about) {
  const auto replies = [&](json found, const char* meaning) {
    about["responses"]["200"] = {{"description", meaning}, {"content", std::move(found)}};
  };
  const auto judging = [&](const char* one, const char* many, const char* row) {
    about["requestBody"] = {
        {"required", true},
        {"content",
         content("application/json", {{"oneOf", json::array({reference(one), reference(many)})}})}};
    about["parameters"].push_back(
        {{"name", "Idempotency-Key"},
         {"in", "header"},
         {"required", false},
         {"schema", {{"type", "string"}, {"maxLength", 256}}},
         {"description", "A request that repeats a key and its body gets the first one's verdict."}});
    json found = content("application/json", reference(row));
    found.update(
        content("application/x-ndjson", {{"oneOf", json::array({reference(row), reference("Error")})}}));
    replies(std::move(found),
            "Of one answer its object; of a batch a line of JSON for each answer as it comes, with `index`.");
  };
  switch (operation) {
    case Operation::verify:
      return judging("VerifyOne", "VerifyMany", "Verdict");
    case Operation::reward:
      return judging("RewardOne", "RewardMany", "Reward");
    case Operation::tasks:
      about["parameters"] = {query("suite", "string", "Only tasks of this suite."),
                             query("after", "string", "Only tasks behind this one."),
                             query("limit", "integer", "At most so many tasks.")};
      return replies(content("application/json", reference("Tasks")), "The tasks.");
    case Operation::task:
      return replies(content("application/json", reference("Task")), "The task.");
    case Operation::protocols:
      return replies(content("application/json", reference("Protocols")), "Protocols and rewards.");
    case Operation::readiness:
      about["responses"]["503"] = {{"description", "No slot is warm yet, or the server is about to end."},
                                   {"content", content("application/json", reference("Status"))}};
      [[fallthrough]];
    case Operation::health:
      return replies(content("application/json", reference("Status")), "Yes.");
    case Operation::metrics:
      return replies(content("text/plain", {{"type", "string"}}), "The metrics.");
    case Operation::openapi:
      return replies(content("application/json", {{"type", "object"}}), "An OpenAPI document.");
  }
}

}  // namespace

json openapi() {
  json document = {{"openapi", "3.0.3"},
                   {"info",
                    {{"title", "trl serve"},
                     {"version", "1"},
                     {"description", "Verdicts and rewards for kernels that models write."}}},
                   {"paths", json::object()}};
  for (const Route& route : routes()) {
    json about = {{"summary", route.summary}, {"parameters", json::array()}};
    for (std::size_t at = route.path.find('{'); at != std::string_view::npos;
         at = route.path.find('{', at + 1)) {
      const auto end = route.path.find('}', at);
      about["parameters"].push_back({{"name", route.path.substr(at + 1, end - at - 1)},
                                     {"in", "path"},
                                     {"required", true},
                                     {"schema", {{"type", "string"}}}});
    }
    const json in_path = about["parameters"];
    describe(route.operation, about);
    for (const json& one : in_path)
      if (std::find(about["parameters"].begin(), about["parameters"].end(), one) == about["parameters"].end())
        about["parameters"].push_back(one);
    if (route.open) about["security"] = json::array();
    about["responses"]["default"] = {{"description", "An error."},
                                     {"content", content("application/json", reference("Error"))}};
    std::string method(route.method);
    for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
    document["paths"][std::string(route.path)][method] = std::move(about);
  }
  document["components"]["schemas"] = schemas();
  document["components"]["securitySchemes"]["token"] = {{"type", "http"}, {"scheme", "bearer"}};
  document["security"] = json::array({json{{"token", json::array()}}});
  std::string errors;
  for (const ErrorCode& code : error_codes())
    errors += fmt::format("{} {}: {}\n", code.status, code.code, code.meaning);
  document["components"]["schemas"]["Error"]["description"] = errors;
  return document;
}

}  // namespace trl::interpreter
