#include <algorithm>
#include <cctype>
#include <regex>

#include "base/support/feedback.hpp"
#include "language/check/prompt_text.hpp"

namespace trl::language {
DECLARE_RULE(prompt_language)
namespace {

/// Whether a prompt requests kernels in CUDA. It may mention CUDA's devices and tensors for other reasons.
bool asks_for_cuda(const std::string& text) {
  static const std::regex asked(
      R"re(\bcuda( c(\+\+)?)? (kernels?|code|programs?|extensions?|implementations?|c(\+\+)?)\b|\b(in|using) cuda\b|\bload_inline\b|__global__)re",
      std::regex::icase);
  return std::regex_search(text, asked);
}

bool speaks_of_triton(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.find("triton") != text.npos;
}

void check_prompt_language(Inspection& inspection) {
  const Value* language = inspection.experiment.field("language");
  const auto text = prompt_text(inspection);
  if (!text || language == nullptr || !inspection.experiment.sound("language") || mentions(*text, "language"))
    return;
  const bool cuda = language->string() == "cuda", asks_cuda = asks_for_cuda(*text),
             asks_triton = speaks_of_triton(*text);
  if (asks_cuda == asks_triton || asks_cuda == cuda) return;
  const Value& prompt = *inspection.model()->field("prompt");
  const std::string asked = asks_cuda ? "CUDA" : "Triton", judged = cuda ? "CUDA" : "Triton";
  auto d = found(rules::prompt_language, prompt.range,
                 "the prompt asks for " + asked + ", and answers of `" + inspection.experiment.name +
                     "` are judged as " + judged + ": none will be valid");
  if (language->given) d.note("the language of the answers", language->range);
  d.helped("write {language} in the prompt, for which the experiment's is put, or `language = " +
           std::string(asks_cuda ? "cuda" : "triton") + "` in the experiment");
  inspection.report(std::move(d), {inspection.model()});
}

}  // namespace

const Rule rules::prompt_language{
    "prompt_language",
    Severity::warning,
    true,
    "Answers are judged in the experiment's language, whatever language the prompt asks for.",
    R"(import example
model asked : example.base { prompt = "Write a {language} kernel that computes this module:\n{task}" }
experiment e : example.study { model = asked }
)",
    R"(import example
model asked : example.base { prompt = "Write a CUDA kernel that computes this module:\n{task}" }
experiment e : example.study { model = asked }
)",
    check_prompt_language};

}  // namespace trl::language
