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

void report(Inspection& inspection, const Value& at, const std::string& what, const std::string& remedy) {
  inspection.report(found(rules::endpoint_request, at.range, what).helped(remedy), {inspection.model()});
}

void examine_body(Inspection& inspection, const Value& endpoint) {
  const Value* body = endpoint.entry("body");
  if (body == nullptr) return;
  std::vector<std::string> before;
  for (const Value& field : body->items) {
    if (field.items.size() != 2) continue;
    const Value& written = field.items.front();
    const std::string name = written.string(), first = name.substr(0, name.find('.'));
    if (name.empty() || name.front() == '.' || name.back() == '.' || name.find("..") != std::string::npos)
      report(inspection, written, "a field's name has an empty part",
             "write a name, or several with dots between them: \"chat_template_kwargs.enable_thinking\"");
    else if (first == "model" || first == "messages" || first == "stream")
      report(inspection, written, "`" + first + "` of a request is written by trl",
             "leave it out: `name`, `system` and the model's `prompt` say what is asked");
    else if (first == "n" || first == "best_of")
      report(inspection, written, "each answer is asked for by a request of its own",
             "leave it out: `samples` of the evaluation says how many answers there are");
    else if (std::any_of(std::begin(contract::Words<contract::Parameter>::list),
                         std::end(contract::Words<contract::Parameter>::list),
                         [&](const auto& one) { return first == one.second; }))
      report(inspection, written, "`" + first + "` is the evaluation's to say",
             first == "seed" || first == "max_completion_tokens"
                 ? "leave it out, and name it in `parameters` of endpoint(…)"
                 : "write `" + first + "` in the evaluation, and name it in `parameters` of endpoint(…)");
    for (const std::string& other : before)
      if (other == name || name.starts_with(other + ".") || other.starts_with(name + "."))
        report(inspection, written, "`" + name + "` and `" + other + "` are values of one field",
               "leave one out");
    before.push_back(name);
  }
}

void examine_headers(Inspection& inspection, const Value& endpoint) {
  const Value* key_header = endpoint.entry("key_header");
  const std::string carries = key_header != nullptr ? lower(key_header->string()) : "authorization";
  if (key_header != nullptr && (!is_header(carries) || lists(own_headers, carries)))
    report(inspection, *key_header, "`key_header` can't carry a key",
           "write a header's name, such as \"api-key\"");
  const Value* headers = endpoint.entry("headers");
  if (headers == nullptr) return;
  std::set<std::string> seen;
  for (const Value& header : headers->items) {
    if (header.items.size() != 2) continue;
    const Value &written = header.items[0], &value = header.items[1];
    const std::string name = lower(written.string()), text = value.string();
    if (!is_header(name))
      report(inspection, written, "this isn't a header's name",
             "write letters, digits and hyphens: \"X-Title\"");
    else if (lists(secret_headers, name))
      report(inspection, value, "a key doesn't belong in a file, which others read",
             "write `key_env = \"API_KEY\"`, the variable that holds it, and `key_header = \"" +
                 written.string() + "\"`; if this is a key, have another made");
    else if (lists(own_headers, name) || name == carries)
      report(inspection, written, "`" + written.string() + "` of a request is written by trl",
             "leave it out");
    else if (!seen.insert(name).second)
      report(inspection, written, "`" + written.string() + "` is given twice", "leave one out");
    if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c >= 127; }))
      report(inspection, value, "a header's value has letters that none can have",
             "write printable letters of ASCII");
  }
}

void examine_context(Inspection& inspection, const Value& endpoint) {
  const Value* context = endpoint.entry("context");
  if (context == nullptr || context->absent()) return;
  for (const Resolved* evaluation : inspection.evaluations()) {
    const Value* longest = evaluation->field("max_tokens");
    if (longest == nullptr || longest->absent() || longest->number() < context->number()) continue;
    auto d = found(rules::endpoint_request, longest->range,
                   "`max_tokens` of `" + evaluation->name + "` leaves a prompt no room in the context of `" +
                       inspection.model()->name + "`");
    d.note("this is the context", context->range);
    inspection.report(std::move(d.helped("lower `max_tokens`, or correct `context`")),
                      {evaluation, inspection.model()});
  }
}

void check_endpoint_request(Inspection& inspection) {
  const Value* endpoint = weights_called(inspection, "endpoint");
  if (endpoint == nullptr) return;
  examine_body(inspection, *endpoint);
  examine_headers(inspection, *endpoint);
  examine_context(inspection, *endpoint);
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
