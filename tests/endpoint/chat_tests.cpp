#include "base/contract/asked.hpp"
#include "base/contract/asked_model.hpp"
#include "base/contract/stages/ask.hpp"
#include "runtime/endpoint/chat.hpp"

#include <gtest/gtest.h>

namespace trl::runtime {
namespace {

using contract::Parameter;
using nlohmann::json;

contract::AskSpec spec_that_sends(std::vector<Parameter> parameters) {
  contract::AskSpec spec;
  spec.model.name = "qwen";
  spec.model.parameters = std::move(parameters);
  spec.sampling.temperature = 0.5, spec.sampling.top_p = 0.9, spec.sampling.top_k = 20;
  spec.sampling.max_tokens = 64, spec.sampling.stop = {"END"};
  return spec;
}

TEST(Chat, ARequestHoldsWhatIsSentAndNothingElse) {
  using enum Parameter;
  EXPECT_EQ(chat_request(spec_that_sends({temperature, top_p, max_tokens, stop, seed}), "p", 7),
            json::parse(R"({"model": "qwen", "messages": [{"role": "user", "content": "p"}], "stream": false,
              "temperature": 0.5, "top_p": 0.9, "max_tokens": 64, "stop": ["END"], "seed": 7})"));
  auto spec = spec_that_sends({max_completion_tokens, top_k});
  spec.model.system = "Write kernels.";
  EXPECT_EQ(chat_request(spec, "p", 7), json::parse(R"({"model": "qwen", "stream": false,
              "messages": [{"role": "system", "content": "Write kernels."}, {"role": "user", "content": "p"}],
              "max_completion_tokens": 64, "top_k": 20})"));
  // What has no effect isn't sent: some servers refuse what they don't know even so.
  spec = spec_that_sends({temperature, top_p, top_k, stop, max_tokens});
  spec.sampling.top_p = 1, spec.sampling.top_k = 0, spec.sampling.stop.clear();
  const auto request = chat_request(spec, "p", 7);
  for (const char* name : {"top_p", "top_k", "stop", "seed"}) EXPECT_FALSE(request.contains(name)) << name;
}

TEST(Chat, AnAnswerIsRead) {
  const auto answer = chat_answer(R"({"id": "i", "model": "qwen-1", "system_fingerprint": "f", "choices": [
    {"index": 0, "message": {"role": "assistant", "content": "text", "reasoning_content": "hm"}, "finish_reason": "stop"},
    {"index": 1, "message": {"role": "assistant", "content": "other"}, "finish_reason": "length"}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}})");
  EXPECT_EQ(answer.answer, "text") << "the first of several";
  EXPECT_EQ(answer.finish, "stop");
  EXPECT_EQ(answer.prompt_tokens, 3);
  EXPECT_EQ(answer.answer_tokens, 5);
  EXPECT_EQ(answer.model, "qwen-1");
  EXPECT_EQ(answer.id, "i");
  EXPECT_EQ(answer.fingerprint, "f");
}

TEST(Chat, WhatServersLeaveOutOrWriteOtherwise) {
  const auto of = [](const std::string& message, const std::string& rest = "") {
    return chat_answer(R"({"choices": [{"message": )" + message + "}]" + rest + "}");
  };
  EXPECT_EQ(of(R"({"content": null})").answer, "");
  EXPECT_EQ(of(R"({"role": "assistant"})").answer, "") << "a model that only calls tools";
  EXPECT_EQ(
      of(R"({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]})")
          .answer,
      "ab");
  EXPECT_EQ(of(R"({"content": "x"})").finish, "");
  EXPECT_FALSE(of(R"({"content": "x"})").answer_tokens);
  for (const char* usage :
       {R"("usage": null)", R"("usage": {})", R"("usage": [])", R"("usage": {"completion_tokens": -1})",
        R"("usage": {"completion_tokens": "5"})", R"("usage": {"completion_tokens": 5.5})",
        R"("usage": {"completion_tokens": 99999999999999999999})",
        R"("usage": {"completion_tokens": 18446744073709551615})"})
    EXPECT_FALSE(of(R"({"content": "x"})", std::string(", ") + usage).answer_tokens) << usage;
}

TEST(Chat, WhatIsNoAnswerIsSaid) {
  const std::string deep(100000, '[');
  for (const std::string& body :
       {std::string(), std::string("null"), std::string("[]"), std::string("{}"),
        std::string("{\"choices\": ["), std::string(R"({"choices": []})"), std::string(R"({"choices": [1]})"),
        std::string(R"({"choices": [{}]})"), std::string(R"({"choices": [{"message": "text"}]})"),
        std::string(R"({"choices": [{"message": {"content": 5}}]})"),
        std::string("{\"choices\": [{\"message\": {\"content\": \"\xff\"}}]}"),
        std::string(R"({"choices": [{"message": {"content": "x"}, "finish_reason": "abort"}]})"), deep,
        "{\"a\": " + deep})
    EXPECT_THROW(chat_answer(body), BadReply) << body.substr(0, 60);
}

TEST(Chat, ErrorsOfEveryForm) {
  const auto message = [](const char* body) { return server_error(body).message; };
  EXPECT_EQ(message(R"({"error": {"message": "no", "type": "t", "code": "c"}})"), "no");
  EXPECT_EQ(server_error(R"({"error": {"message": "no", "type": "t", "code": "c"}})").code, "c");
  EXPECT_EQ(server_error(R"({"error": {"message": "no", "type": "t", "code": null}})").code, "t");
  EXPECT_EQ(message(R"({"error": "no"})"), "no");
  EXPECT_EQ(message(R"({"object": "error", "message": "no", "code": 400})"), "no") << "vLLM before 0.10";
  EXPECT_EQ(server_error(R"({"error": {"message": "no", "code": 429}})").status, 429) << "OpenRouter";
  EXPECT_EQ(message(R"({"detail": [{"loc": ["body"], "msg": "field required"}]})"), "field required")
      << "FastAPI";
  EXPECT_EQ(message(R"({"detail": "Not Found"})"), "Not Found");
  EXPECT_EQ(message("upstream timed out\n"), "upstream timed out");
  EXPECT_EQ(message("<html><body>502</body></html>"), "");
  EXPECT_EQ(message(""), "");
  EXPECT_EQ(message("{}"), "");
  EXPECT_EQ(message("[1]"), "");
  EXPECT_EQ(message(R"({"error": {"message": "a\nb\u001b[31m\u0007c"}})"), "a b [31m c")
      << "a terminal obeys no server";
  EXPECT_LE(message(("{\"error\": \"" + std::string(100000, 'x') + "\"}").c_str()).size(), 400u);
  EXPECT_TRUE(says_error(R"({"error": {"message": "no"}})"));
  EXPECT_FALSE(says_error(R"({"error": null, "choices": []})"));
}

TEST(Chat, WhichErrorsNoWaitingMends) {
  EXPECT_TRUE(
      server_error(R"({"error": {"message": "m", "code": "context_length_exceeded"}})").context_exceeded());
  EXPECT_TRUE(server_error(R"({"error": {"message": "This model's maximum context length is 4096 tokens"}})")
                  .context_exceeded());
  EXPECT_TRUE(server_error(R"({"error": {"code": 400, "message": "m", "type": "exceed_context_size_error"}})")
                  .context_exceeded());
  EXPECT_FALSE(server_error(R"({"error": {"message": "no such model"}})").context_exceeded());
  EXPECT_TRUE(server_error(R"({"error": {"message": "m", "code": "insufficient_quota"}})").quota_exceeded());
  EXPECT_FALSE(
      server_error(R"({"error": {"message": "m", "code": "rate_limit_exceeded"}})").quota_exceeded());
}

TEST(Chat, CountsThatCannotBeRightAreDoubted) {
  contract::Asked answer;
  answer.answer = std::string(3000, 'x');
  EXPECT_EQ(doubt_about_counts(answer, 100), "") << "it says nothing";
  answer.answer_tokens = 100;
  EXPECT_EQ(doubt_about_counts(answer, 100), "");
  answer.answer_tokens = 101;
  EXPECT_EQ(doubt_about_counts(answer, 100), "") << "the end counts as one";
  answer.answer_tokens = 1000;
  EXPECT_NE(doubt_about_counts(answer, 100), "");
  answer.answer_tokens = 1;
  EXPECT_NE(doubt_about_counts(answer, 100), "");
  answer.answer.clear(), answer.answer_tokens = 0;
  EXPECT_EQ(doubt_about_counts(answer, 100), "");
}

}  // namespace
}  // namespace trl::runtime
