#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/contract/asked_model.hpp"
#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(endpoint_request)
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Whether a text can be a header's name (RFC 9110, 5.6.2).
bool is_header(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

/// Headers that carry keys, and those that every request has anyway.
constexpr std::array secret_headers = {"authorization", "proxy-authorization", "api-key", "x-api-key",
                                       "cookie",        "x-goog-api-key"};
constexpr std::array own_headers = {"host",       "content-type",    "content-length", "transfer-encoding",
                                    "connection", "accept-encoding", "accept",         "expect",
                                    "te",         "upgrade",         "trailer"};

template <class List>
bool lists(const List& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Reports mistakes in the call that declares a server.
class Reporter {
 public:
  Reporter(Inspection& inspection, const AskedServer& server) : inspection_(inspection), server_(server) {}
  void operator()(const Value& at, const std::string& what, const std::string& remedy) const {
    inspection_.report(found(rules::endpoint_request, at.range, what).helped(remedy), {server_.of});
  }

 private:
  Inspection& inspection_;
  const AskedServer& server_;
};

/// Fields of rollout requests that trl writes itself. The second list has the fields that a way to train
/// sets.
constexpr std::array rollout_fields = {"prompt",          "input_ids",      "text",
                                       "lora_path",       "stop_token_ids", "return_token_ids",
                                       "return_logprob",  "logprobs",       "return_tokens_as_token_ids",
                                       "sampling_params", "echo",           "logprob_start_len"};
constexpr std::array rollout_settings = {"temperature", "top_p",          "top_k", "stop",
                                         "max_tokens",  "max_new_tokens", "seed"};

/// Returns the name of the parameter that a field of a request sets. SGLang's parameters are in
/// `sampling_params`, whose prefix is removed.
std::string parameter_of(const std::string& name) {
  constexpr std::string_view inside = "sampling_params.";
  return name.starts_with(inside) ? name.substr(inside.size()) : name;
}

void examine_body(Inspection& inspection, const AskedServer& server) {
  const Reporter report(inspection, server);
  const Value* body = server.endpoint->entry("body");
  if (body == nullptr) return;
  std::vector<std::string> before;
  for (const Value& field : body->items) {
    if (field.items.size() != 2) continue;
    const Value& written = field.items.front();
    const std::string name = written.string(), first = name.substr(0, name.find('.'));
    if (name.empty() || name.front() == '.' || name.back() == '.' || name.find("..") != std::string::npos)
      report(written, "a field's name has an empty part",
             "write a name, or several with dots between them: \"chat_template_kwargs.enable_thinking\"");
    else if (server.rollout && lists(rollout_settings, parameter_of(name)))
      report(written, "`" + name + "` is the training's to say",
             parameter_of(name) == "seed"
                 ? "leave it out: each answer has a seed of its own"
                 : "write `" + parameter_of(name) + "` in `" + server.of->name + "`");
    else if (server.rollout && lists(rollout_fields, parameter_of(name)))
      report(written, "`" + name + "` of a request is written by trl", "leave it out");
    else if (first == "model" || first == "messages" || first == "stream")
      report(written, "`" + first + "` of a request is written by trl",
             "leave it out: `name`, `system` and the model's `prompt` say what is asked");
    else if (first == "n" || first == "best_of")
      report(written, "each answer is asked for by a request of its own",
             server.rollout
                 ? "leave it out: `candidates` of `" + server.of->name + "` says how many answers there are"
                 : "leave it out: `samples` of the evaluation says how many answers there are");
    else if (std::any_of(std::begin(contract::Words<contract::Parameter>::list),
                         std::end(contract::Words<contract::Parameter>::list),
                         [&](const auto& one) { return first == one.second; }))
      report(written, "`" + first + "` is the evaluation's to say",
             first == "seed" || first == "max_completion_tokens"
                 ? "leave it out, and name it in `parameters` of endpoint(…)"
                 : "write `" + first + "` in the evaluation, and name it in `parameters` of endpoint(…)");
    for (const std::string& other : before)
      if (other == name || name.starts_with(other + ".") || other.starts_with(name + "."))
        report(written, "`" + name + "` and `" + other + "` are values of one field", "leave one out");
    before.push_back(name);
  }
}

void examine_headers(Inspection& inspection, const AskedServer& server) {
  const Reporter report(inspection, server);
  const Value& endpoint = *server.endpoint;
  const Value* key_header = endpoint.entry("key_header");
  const std::string carries = key_header != nullptr ? lower(key_header->string()) : "authorization";
  if (key_header != nullptr && (!is_header(carries) || lists(own_headers, carries)))
    report(*key_header, "`key_header` can't carry a key", "write a header's name, such as \"api-key\"");
  const Value* headers = endpoint.entry("headers");
  if (headers == nullptr) return;
  std::set<std::string> seen;
  for (const Value& header : headers->items) {
    if (header.items.size() != 2) continue;
    const Value &written = header.items[0], &value = header.items[1];
    const std::string name = lower(written.string()), text = value.string();
    if (!is_header(name))
      report(written, "this isn't a header's name", "write letters, digits and hyphens: \"X-Title\"");
    else if (lists(secret_headers, name))
      report(value, "a key doesn't belong in a file, which others read",
             "write `key_env = \"API_KEY\"`, the variable that holds it, and `key_header = \"" +
                 written.string() + "\"`; if this is a key, have another made");
    else if (lists(own_headers, name) || name == carries)
      report(written, "`" + written.string() + "` of a request is written by trl", "leave it out");
    else if (!seen.insert(name).second)
      report(written, "`" + written.string() + "` is given twice", "leave one out");
    if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c >= 127; }))
      report(value, "a header's value has letters that none can have", "write printable letters of ASCII");
  }
}

void examine_context(Inspection& inspection, const AskedServer& server) {
  const Value* context = server.endpoint->entry("context");
  if (context == nullptr || context->absent()) return;
  for (const Resolved* evaluation :
       server.rollout ? std::vector<const Resolved*>{server.of} : inspection.evaluations()) {
    const Value* longest = evaluation->field("max_tokens");
    if (longest == nullptr || longest->absent() || longest->number() < context->number()) continue;
    auto d = found(rules::endpoint_request, longest->range,
                   "`max_tokens` of `" + evaluation->name + "` leaves a prompt no room in the context of " +
                       (server.rollout ? "its server" : "`" + server.of->name + "`"));
    d.note("this is the context", context->range);
    inspection.report(std::move(d.helped("lower `max_tokens`, or correct `context`")),
                      {evaluation, server.of});
  }
}

void check_endpoint_request(Inspection& inspection) {
  for (const auto& server : asked_servers(inspection)) {
    examine_body(inspection, server);
    examine_headers(inspection, server);
    examine_context(inspection, server);
  }
}

}  // namespace

const Rule rules::endpoint_request{"endpoint_request",
                                   Severity::error,
                                   false,
                                   "What a request holds is said in one place, so that a table tells what "
                                   "was asked; and a key is in no file.",
                                   R"(import example
model asked {
  weights = endpoint("https://models.example/v1?api-version=2024-10-21", name = "qwen", key_env = "MODELS_KEY",
                     key_header = "api-key", headers = [header("X-Title", "a study")], context = 32768,
                     body = [field("chat_template_kwargs.enable_thinking", false), field("reasoning_effort", "low")])
}
experiment e { model = asked, evaluate = example.exam }
)",
                                   R"(import example
model asked { weights = endpoint("https://models.example/v1", name = "qwen", body = [field("temperature", 0.2)]) }
experiment e { model = asked, evaluate = example.exam }
)",
                                   check_endpoint_request};

}  // namespace trl::language
