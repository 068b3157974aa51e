// The calls of vLLM and SGLang: what is sent, what replies hold, and adapters that are loaded and unloaded.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "runtime/endpoint/loaded_adapter.hpp"
#include "runtime/endpoint/reply.hpp"
#include "runtime/endpoint/rollout_api.hpp"
#include "tests/has.hpp"
#include "tests/support/scratch.hpp"

namespace trl::runtime {
namespace {

using contract::ServerKind;
using nlohmann::json;
using test::Scratch;

contract::RolloutSpec spec_of(ServerKind server) {
  contract::RolloutSpec spec;
  spec.model.server = server, spec.model.name = "base";
  spec.sampling.temperature = 0.8, spec.sampling.max_tokens = 50;
  return spec;
}

TEST(RolloutApi, PathsFollowFromTheAddress) {
  EXPECT_EQ(path_of(ServerKind::vllm, ServerCall::sample, "/v1"), "/v1/completions");
  EXPECT_EQ(path_of(ServerKind::vllm, ServerCall::load, "/a/v1"), "/a/v1/load_lora_adapter");
  EXPECT_EQ(path_of(ServerKind::vllm, ServerCall::unload, "/v1"), "/v1/unload_lora_adapter");
  EXPECT_EQ(path_of(ServerKind::sglang, ServerCall::sample, "/v1"), "/generate");
  EXPECT_EQ(path_of(ServerKind::sglang, ServerCall::load, ""), "/load_lora_adapter");
  EXPECT_EQ(path_of(ServerKind::sglang, ServerCall::unload, "/a/v1"), "/a/unload_lora_adapter");
}

TEST(RolloutApi, RequestsSayAllThatAServerWouldElseDecide) {
  auto spec = spec_of(ServerKind::vllm);
  EXPECT_EQ(rollout_request(spec, {{1, 2}, "", 50, 7}, {9}),
            json::parse(R"({"model": "base", "prompt": [1, 2], "temperature": 0.8, "top_p": 1.0, "top_k": -1,
                            "min_p": 0, "repetition_penalty": 1, "stop_token_ids": [9], "max_tokens": 50,
                            "seed": 7, "stream": false, "return_token_ids": true, "logprobs": 0,
                            "return_tokens_as_token_ids": true})"));
  spec.sampling.top_k = 20, spec.sampling.top_p = 0.9, spec.sampling.stop = {"\n```"};
  spec.model.body = {{"min_p", 0.1}};
  const auto body = rollout_request(spec, {{1}, "trl-1", 3, 7}, {9});
  EXPECT_EQ(body["model"], "trl-1");
  EXPECT_EQ(body["top_k"], 20);
  EXPECT_EQ(body["stop"], json({"\n```"}));
  EXPECT_EQ(body["max_tokens"], 3);
  EXPECT_EQ(body["min_p"], 0.1);

  spec = spec_of(ServerKind::sglang);
  spec.model.body = {{"sampling_params", {{"min_p", 0.1}}}};
  EXPECT_EQ(
      rollout_request(spec, {{1, 2}, "trl-1", 50, 7}, {9}),
      json::parse(R"({"input_ids": [1, 2], "lora_path": "trl-1", "stream": false, "return_logprob": true,
                            "sampling_params": {"temperature": 0.8, "top_p": 1.0, "top_k": -1, "min_p": 0.1,
                            "repetition_penalty": 1, "stop_token_ids": [9], "max_new_tokens": 50}})"));
  EXPECT_FALSE(rollout_request(spec, {{1}, "", 5, 7}, {9}).contains("lora_path")) << "the base model's own";
}

TEST(RolloutApi, AnAnswerOfVllmHasTokensAndScores) {
  const auto answer =
      rollout_answer(ServerKind::vllm, R"({"id": "c", "model": "trl-1", "choices": [{"text": "ab",
    "finish_reason": "stop", "token_ids": [5, 6, 9], "logprobs": {"token_logprobs": [-0.5, -1, 0]}}],
    "usage": {"prompt_tokens": 2, "completion_tokens": 3}})");
  EXPECT_EQ(answer.answer, "ab");
  EXPECT_EQ(answer.finish, "stop");
  EXPECT_EQ(answer.drawn->tokens, (std::vector<std::int64_t>{5, 6, 9}));
  EXPECT_EQ(answer.drawn->scores, (std::vector<double>{-0.5, -1, 0}));
  EXPECT_EQ(answer.prompt_tokens, 2);
  EXPECT_EQ(answer.model, "trl-1");
  // Of versions that tell tokens beside log-probabilities alone.
  const auto older = rollout_answer(ServerKind::vllm, R"({"choices": [{"text": "", "finish_reason": "length",
    "logprobs": {"tokens": ["token_id:5"], "token_logprobs": [-0.5]}}]})");
  EXPECT_EQ(older.drawn->tokens, (std::vector<std::int64_t>{5}));
  EXPECT_EQ(older.drawn->scores, (std::vector<double>{-0.5}));
  EXPECT_FALSE(older.no_text) << "a blank answer is one, too";
}

TEST(RolloutApi, AnAnswerOfSglangHasTokensAndScores) {
  const auto answer =
      rollout_answer(ServerKind::sglang, R"({"text": "ab", "output_ids": [5, 6], "meta_info": {"id": "x",
    "finish_reason": {"type": "length", "length": 2}, "prompt_tokens": 2, "completion_tokens": 2,
    "output_token_logprobs": [[-0.5, 5, null], [-1, 6, "b"]]}})");
  EXPECT_EQ(answer.finish, "length");
  EXPECT_EQ(answer.drawn->tokens, (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(answer.drawn->scores, (std::vector<double>{-0.5, -1}));
  const auto bare =
      rollout_answer(ServerKind::sglang, R"({"text": "ab", "output_ids": [5, 6], "meta_info": {}})");
  EXPECT_EQ(bare.drawn->tokens.size(), 2u);
  EXPECT_TRUE(bare.drawn->scores.empty());
  EXPECT_FALSE(rollout_answer(ServerKind::sglang, R"({"text": "ab"})").drawn);
}

TEST(RolloutApi, ScoresCountOnlyIfEachTokenHasOne) {
  for (const char* scores : {"null", "[-1]", "[-1, null]", "[-1, \"x\"]", "[-1, NaN]", "{}", "7"}) {
    const auto answer = rollout_answer(
        ServerKind::vllm,
        std::string(R"({"choices": [{"text": "a", "token_ids": [1, 2], "logprobs": {"token_logprobs": )") +
            scores + "}}]}");
    EXPECT_EQ(answer.drawn->tokens.size(), 2u) << scores;
    EXPECT_TRUE(answer.drawn->scores.empty()) << scores;
  }
  for (const char* tokens :
       {"null", "[-1]", "[1.5]", "[\"1\"]", "[4294967296]", "[18446744073709551615]", "{}"})
    EXPECT_FALSE(rollout_answer(ServerKind::vllm,
                                std::string(R"({"choices": [{"text": "a", "token_ids": )") + tokens + "}]}")
                     .drawn)
        << tokens;
}

TEST(RolloutApi, WhatIsNoAnswerIsSaid) {
  for (const char* body :
       {"", "[1]", "<html>", "{}", R"({"choices": []})", R"({"choices": [{"message": {}}]})",
        R"({"choices": [{"text": 5}]})", R"({"choices": [{"text": "a", "finish_reason": "abort"}]})"})
    EXPECT_THROW(rollout_answer(ServerKind::vllm, body), BadReply) << body;
  for (const char* body : {"{}", R"({"text": null})", R"({"choices": [{"text": "a"}]})",
                           R"({"text": "a", "meta_info": {"finish_reason": {"type": "abort"}}})"})
    EXPECT_THROW(rollout_answer(ServerKind::sglang, body), BadReply) << body;
}

/// A server whose replies are given, and which keeps what it was sent.
struct Peer {
  struct Line : Transport {
    Peer& peer;
    std::string call;
    Line(Peer& of, std::string what) : peer(of), call(std::move(what)) {}
    Reply post(const std::string& body) override {
      peer.sent.push_back(call + " " + body);
      if (peer.replies.empty()) return {200, "", "", "Success"};
      const auto reply = peer.replies.front();
      peer.replies.erase(peer.replies.begin());
      if (reply.status == 0) throw TransportError(TransportError::Kind::unreachable, reply.body);
      return reply;
    }
  };
  /// Time passes when somebody waits for it.
  struct Clock : AskClock {
    double now = 0;
    double seconds() override { return now; }
    std::int64_t date() override { return 0; }
    void wait_until(double time, const StopRequested&) override { now = std::max(now, time); }
  };

  Peer() {
    write_text(folder.path / "adapter_config.json", R"({"r": 24})");
    write_text(folder.path / "adapter_model.safetensors", "weights");
  }
  LoadedAdapter::Server server(ServerKind kind = ServerKind::vllm) {
    LoadedAdapter::Server made;
    made.kind = kind;
    made.options.endpoint.address = "http://h/v1", made.options.endpoint.place = "study.trl:3:9";
    made.options.endpoint.adapters = shared;
    made.options.key = "sk-secret", made.options.clock = &clock, made.options.draw = [] { return 0.0; };
    made.load = [this] { return std::make_unique<Line>(*this, "load"); };
    made.unload = [this] { return std::make_unique<Line>(*this, "unload"); };
    made.stop = [this] { return stop; };
    return made;
  }
  /// The error of loading with such replies, with its remedy.
  std::string refused(std::vector<Reply> with, ServerKind kind = ServerKind::vllm) {
    replies = std::move(with);
    sent.clear();
    try {
      const LoadedAdapter loaded(server(kind), "trl-1", folder.path);
    } catch (const UserError& error) {
      return std::string(error.what()) + "\n" + error.help;
    }
    return "nothing was refused";
  }

  Scratch folder;
  std::string shared;
  Clock clock;
  bool stop = false;
  std::vector<Reply> replies;
  std::vector<std::string> sent;
};

Reply says(int status, const std::string& message) {
  return {status, "", "", json{{"error", {{"message", message}}}}.dump()};
}

TEST(LoadedAdapter, IsLoadedAndUnloaded) {
  Peer peer;
  {
    const LoadedAdapter loaded(peer.server(), "trl-1", peer.folder.path);
    ASSERT_EQ(peer.sent.size(), 1u);
  }
  EXPECT_EQ(peer.sent[0], "load " + load_request("trl-1", peer.folder.path.string()).dump());
  EXPECT_EQ(peer.sent[1], R"(unload {"lora_name":"trl-1"})");
}

TEST(LoadedAdapter, IsCopiedWhereTheServerSeesIt) {
  Peer peer;
  const Scratch shared;
  peer.shared = (shared.path / "deeper").string();
  const auto copy = shared.path / "deeper" / "trl-1";
  {
    const LoadedAdapter loaded(peer.server(), "trl-1", peer.folder.path);
    EXPECT_EQ(read_text(copy / "adapter_model.safetensors"), "weights");
    EXPECT_TRUE(has(peer.sent[0], copy.string()));
  }
  EXPECT_FALSE(std::filesystem::exists(copy));
  EXPECT_TRUE(has(peer.refused({says(400, "no")}), "no"));
  EXPECT_FALSE(std::filesystem::exists(copy)) << "nothing is left of what was refused";
}

TEST(LoadedAdapter, OneThatIsThereFromBeforeIsTaken) {
  Peer peer;
  EXPECT_EQ(peer.refused({says(400, "The lora adapter 'trl-1' has already been loaded.")}),
            "nothing was refused");
  EXPECT_EQ(peer.sent.size(), 2u) << "and unloaded at the end";
  // SGLang's form.
  EXPECT_EQ(
      peer.refused(
          {{400, "", "", R"({"success": false, "error_message": "LoRA adapter trl-1 is already loaded."})"}},
          ServerKind::sglang),
      "nothing was refused");
}

TEST(LoadedAdapter, ARefusalIsPassedOnWithItsRemedy) {
  Peer peer;
  auto text = peer.refused({{404, "", "", R"({"detail": "Not Found"})"}});
  for (const char* part :
       {"study.trl:3:9: the server http://h/v1 doesn't load the adapter: it says 404: Not Found",
        "VLLM_ALLOW_RUNTIME_LORA_UPDATING=True", "--max-lora-rank 24"})
    EXPECT_TRUE(has(text, part)) << text;
  EXPECT_EQ(peer.sent.size(), 1u) << "nothing was loaded, so nothing is unloaded";
  text = peer.refused({{404, "", "", "{}"}}, ServerKind::sglang);
  EXPECT_TRUE(has(text, "--lora-target-modules all")) << text;
  text = peer.refused({says(400, "LoRA rank 24 is greater than max_lora_rank 16.")});
  EXPECT_TRUE(has(text, "Start it with --max-lora-rank 24 or more.")) << text;
  text = peer.refused(
      {says(500, "Call to add_lora method failed: LoRA rank 24 is greater than max_lora_rank 16.")});
  EXPECT_TRUE(has(text, "Start it with --max-lora-rank 24 or more.")) << text;
  text = peer.refused({says(404, "Loading lora trl-1 failed: No adapter found for /x")});
  EXPECT_TRUE(has(text, "adapters = path(")) << text;
  text = peer.refused({says(401, "bad key sk-secret")});
  EXPECT_TRUE(has(text, "key_env")) << text;
  EXPECT_FALSE(has(text, "sk-secret")) << text;
  text = peer.refused({{200, "", "", R"({"success": false, "error": {"message": "cannot"}})"}});
  EXPECT_TRUE(has(text, "cannot")) << "an error of status 200";
}

TEST(LoadedAdapter, ABusyServerIsWaitedFor) {
  Peer peer;
  EXPECT_EQ(peer.refused({says(503, "starting"), {0, "", "", "nobody"}}), "nothing was refused");
  EXPECT_EQ(peer.sent.size(), 4u);
  EXPECT_GT(peer.clock.now, 1);
  const auto text = peer.refused({{0, "", "", "nobody"}, {0, "", "", "nobody"}, {0, "", "", "nobody"}});
  EXPECT_TRUE(has(text, "isn't there to load the adapter: nobody")) << text;
  peer.stop = true;
  EXPECT_THROW(peer.refused({says(503, "starting")}), Stopped);
}

TEST(LoadedAdapter, AServerThatIsGoneIsNoTroubleAtTheEnd) {
  Peer peer;
  EXPECT_EQ(peer.refused({{200, "", "", "Success"}, {0, "", "", "nobody"}}), "nothing was refused");
  EXPECT_EQ(peer.sent.size(), 2u);
}

}  // namespace
}  // namespace trl::runtime
