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
  spec.model.body = {{"chat_template_kwargs", {{"enable_thinking", false}}}, {"min_p", 0.1}};
  EXPECT_EQ(chat_request(spec, "p", 7)["chat_template_kwargs"]["enable_thinking"], false);
  EXPECT_EQ(chat_request(spec, "p", 7)["min_p"], 0.1);
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
        std::string(R"({"choices": [{"message": {"content": "x"}, "finish_reason": "abort"}]})"), deep,
        "{\"a\": " + deep})
    EXPECT_THROW(chat_answer(body), BadReply) << body.substr(0, 60);
}

std::string reply_with(const std::string& message, const std::string& finish = "stop") {
  return R"({"choices": [{"message": )" + message + R"(, "finish_reason": ")" + finish + R"("}]})";
}

// What servers give in the place of a text, and where they have the reasoning.
TEST(Chat, WhyAReplyHasNoText) {
  using enum contract::NoText;
  struct Case {
    const char *message, *finish;
    std::optional<contract::NoText> cause;
    const char* reasoning;
  };
  const Case cases[] = {
      {R"({"content": null, "reasoning_content": "hm"})", "stop", reasoning, "hm"},
      {R"({"content": "", "reasoning": "hm"})", "stop", reasoning, "hm"},
      {R"({"content": " \n ", "reasoning_content": "hm"})", "stop", reasoning, "hm"},
      {R"({"content": null, "reasoning_details": [{"type": "reasoning.text", "text": "h"}, {"text": "m"}]})",
       "stop", reasoning, "hm"},
      {R"({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]})", "stop",
       reasoning, "hm"},
      {R"({"content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "answer"}]})", "stop",
       std::nullopt, "hm"},
      {R"({"content": "answer", "reasoning_content": "hm"})", "stop", std::nullopt, "hm"},
      {R"({"content": ["answer"]})", "stop", std::nullopt, ""},
      {R"({"content": null, "reasoning_content": "hm"})", "length", cut_off, "hm"},
      {R"({"content": ""})", "length", cut_off, ""},
      {R"({"content": "half an answ"})", "length", std::nullopt, ""},
      {R"({"content": null, "tool_calls": [{"id": "1", "function": {"name": "run", "arguments": "{}"}}]})",
       "tool_calls", tool_call, ""},
      {R"({"content": null, "function_call": {"name": "run"}})", "function_call", tool_call, ""},
      {R"({"content": null, "tool_calls": []})", "stop", empty, ""},
      {R"({"content": null, "refusal": "I can't help with that."})", "stop", refusal, ""},
      {R"({"content": [{"type": "refusal", "refusal": "No."}]})", "stop", refusal, ""},
      {R"({"content": null})", "content_filter", filtered, ""},
      {R"({"content": null})", "stop", empty, ""},
      {R"({})", "stop", empty, ""},
  };
  for (const auto& one : cases) {
    const auto answer = chat_answer(reply_with(one.message, one.finish));
    EXPECT_EQ(answer.no_text, one.cause) << one.message << one.finish;
    EXPECT_EQ(answer.reasoning, one.reasoning) << one.message;
    EXPECT_EQ(contract::Asked::read([&] {
                auto row = answer.write();
                row["asked"] = "", row["body"] = json();
                return row;
              }())
                  .no_text,
              one.cause);
  }
  EXPECT_EQ(chat_answer(reply_with(R"({"content": null, "refusal": "No."})")).refusal, "No.");
  EXPECT_EQ(contract::counted_causes({{reasoning, 2}, {refusal, 1}, {tool_call, 3}}),
            "2 only reasoning, 3 tool calls, 1 refusal");
}

// One character that no text can hold is replaced; all that is beside it stays.
TEST(Chat, BrokenCharactersAreReplaced) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(a \ud83d b)", "a \uFFFD b"},
      {R"(a \ude00 b)", "a \uFFFD b"},
      {R"(a \ud83d\n b)", "a \uFFFD\n b"},
      {R"(a \ud83d\ud83d\ude00 b)", "a \uFFFD\U0001F600 b"},
      {R"(\ud83d)", "\uFFFD"},
      {R"(a \\ud83d \ud83d b)", "a \\ud83d \uFFFD b"},
      {R"(\ud83d\ude00 \ud83d)", "\U0001F600 \uFFFD"},
      {"a \xff b", "a \uFFFD b"},
      {"a \xe2\x82", "a \uFFFD"},
      {"a\nb\tc\x01", "a\nb\tc\x01"},
      {R"(NaN \ud83d Infinity)", "NaN \uFFFD Infinity"},
  };
  for (const auto& [written, read] : cases)
    EXPECT_EQ(chat_answer(reply_with(std::string(R"({"content": ")") + written + R"("})")).answer, read)
        << written;
  const auto answer = chat_answer(
      R"({"choices": [{"message": {"content": "x"}, "logprobs": [NaN, -Infinity, Infinity]}], "usage": {"completion_tokens": NaN, "prompt_tokens": 3}})");
  EXPECT_EQ(answer.answer, "x");
  EXPECT_FALSE(answer.answer_tokens);
  EXPECT_EQ(answer.prompt_tokens, 3);
  EXPECT_EQ(chat_answer("\xEF\xBB\xBF" + reply_with(R"({"content": "x"})")).answer, "x");
}

TEST(Chat, WhatCameIsSaid) {
  const auto said = [](const std::string& body) -> std::string {
    try {
      chat_answer(body);
    } catch (const BadReply& bad) {
      return bad.what();
    }
    return "it was an answer";
  };
  const std::pair<std::string, const char*> cases[] = {
      {"", "an empty reply"},
      {" \r\n", "an empty reply"},
      {"data: {\"id\": 1}\n\ndata: [DONE]\n",
       "a stream of events, though `stream` is false: `data: {\\\"id\\\""},
      {": keep-alive\n\n", "a stream of events"},
      {"<!DOCTYPE html><title>x", "a page of HTML or XML: `<!DOCTYPE html>"},
      {"{\"choices\": [{\"message\": {\"content\": \"class Mod", "JSON that is broken or cut off"},
      {"upstream error\x1b[31m\xff", "no JSON: `upstream error\\u001b[31m\\ufffd`"},
      {"[1, 2]", "JSON that isn't an object: `[1, 2]`"},
      {"\"text\"", "JSON that isn't an object"},
      {"{\"id\": 1}", "no `choices`: `{\\\"id\\\": 1}`"},
      {R"({"choices": {"message": 1}})", "no `choices`"},
      {R"({"choices": [{"text": "x"}]})", "no `message`: `{\\\"text\\\":\\\"x\\\"}`"},
      {R"({"choices": [{"message": {"content": 5}}]})", "neither text nor a list of parts, but number"},
      {R"({"choices": [{"message": {"content": {"text": "x"}}}]})", "but object"},
  };
  for (const auto& [body, part] : cases)
    EXPECT_NE(said(body).find(part), std::string::npos) << body << ": " << said(body);
  EXPECT_LE(said(std::string(100000, 'x')).size(), 120u);
}

TEST(Chat, ErrorsThatAreListsKeepTheirText) {
  const auto message = [](const char* body) { return server_error(body).message; };
  EXPECT_EQ(message(R"({"detail": [{"loc": ["body", "top_k"], "msg": "must be positive"},
                                   {"loc": ["body", "messages", 0], "msg": "field required"}]})"),
            "body.top_k: must be positive; body.messages.0: field required");
  EXPECT_EQ(message(R"([{"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT"}}])"), "no");
  EXPECT_EQ(server_error(R"([{"error": {"code": 400, "message": "no"}}])").status, 400);
  EXPECT_EQ(message(R"({"errors": ["one", "two"]})"), "one; two");
  EXPECT_EQ(message(R"({"error": [{"message": "one"}, {"error": {"message": "two"}}]})"), "one; two");
  EXPECT_EQ(message(R"({"detail": [{"type": "missing"}]})"), R"({"type":"missing"})");
  EXPECT_EQ(
      message(
          R"({"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": "prompt is too long"}}})"),
      "Provider returned error: prompt is too long");
  EXPECT_EQ(message("{\"error\": {\"message\": \"a \\ud83d b\"}}"), "a \uFFFD b");
}

TEST(Chat, ErrorsOfEveryForm) {
  const auto message = [](const char* body) { return server_error(body).message; };
  EXPECT_EQ(message(R"({"error": {"message": "no", "type": "t", "code": "c"}})"), "no");
  EXPECT_EQ(server_error(R"({"error": {"message": "no", "type": "t", "code": "c"}})").code, "c");
  EXPECT_EQ(server_error(R"({"error": {"message": "no", "type": "t", "code": null}})").code, "t");
  EXPECT_EQ(message(R"({"error": "no"})"), "no");
  EXPECT_EQ(message(R"({"object": "error", "message": "no", "code": 400})"), "no") << "vLLM before 0.10";
  EXPECT_EQ(server_error(R"({"error": {"message": "no", "code": 429}})").status, 429) << "OpenRouter";
  EXPECT_EQ(message(R"({"detail": [{"loc": ["body"], "msg": "field required"}]})"), "body: field required")
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

// The texts of servers' sources and of their users' reports.
TEST(Chat, AFullContextIsKnownByTheWordsOfEveryServer) {
  for (const char* message :
       {"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        "The decoder prompt (length 9214) is longer than the maximum model length of 8192. Make sure that "
        "`max_model_len` is no smaller",
        "max_tokens must be at least 1, got -17.",
        "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
        "Requested token count exceeds the model's maximum context length of 8192 tokens.",
        "the request exceeds the available context size, try increasing it",
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` "
        "tokens and 512 `max_new_tokens`",
        "prompt is too long: 9214 tokens > 8192 maximum",
        "input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000",
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens",
        "Input is too long for requested model.",
        "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        "Please reduce the length of the messages or completion.",
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        "Range of input length should be [1, 30720]",
        "Invalid request: Your request exceeded model token limit: 8192",
        "invalid params, context window exceeds limit (2013)",
        "prompt token count of 200000 exceeds the limit of 128000",
        "the input length exceeds the context length",
        "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 "
        "tokens."})
    EXPECT_TRUE(server_error(json{{"error", {{"message", message}}}}.dump()).context_exceeded()) << message;
  for (const char* code :
       {"context_length_exceeded", "exceed_context_size_error", "model_context_window_exceeded"}) {
    EXPECT_TRUE(server_error(json{{"error", {{"message", "m"}, {"code", code}}}}.dump()).context_exceeded())
        << code;
    EXPECT_TRUE(server_error(json{{"error", {{"message", "m"}, {"code", "x"}, {"type", code}}}}.dump())
                    .context_exceeded());
  }
  for (const char* other :
       {"Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000, please "
        "reduce your message size",
        "Rate limit reached: your context window of requests per day is used up", "no such model",
        "Unsupported parameter: top_k", "The API key is too long", "max_tokens is too small"})
    EXPECT_FALSE(server_error(json{{"error", {{"message", other}}}}.dump()).context_exceeded()) << other;
  EXPECT_FALSE(
      server_error(
          R"({"error": {"message": "Please reduce the length of the messages", "code": "rate_limit_exceeded"}})")
          .context_exceeded());
}

TEST(Chat, AFilteredPromptIsKnown) {
  EXPECT_TRUE(
      server_error(R"({"error": {"message": "m", "code": "content_filter", "status": 400}})").filtered());
  EXPECT_TRUE(
      server_error(
          R"({"error": {"message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", "code": null}})")
          .filtered());
  EXPECT_FALSE(server_error(R"({"error": {"message": "no such model"}})").filtered());
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
