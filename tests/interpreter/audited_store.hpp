// A folder in which trl verifies candidates, and a store with an exam that was judged there.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <functional>

#include "base/support/files.hpp"
#include "interpreter/files.hpp"
#include "interpreter/schedule/worker_process.hpp"
#include "interpreter/stage/stage.hpp"
#include "interpreter/store/store.hpp"
#include "language/program/program.hpp"
#include "tests/interpreter/finished_study.hpp"
#include "tests/interpreter/trl_process.hpp"
#include "tests/secret.hpp"

namespace trl::interpreter::testing {
using nlohmann::json;
namespace fs = std::filesystem;

inline const std::string kernel = R"(import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
)";

/// The kernel with one part replaced by another text.
inline std::string instead(const std::string& old, const std::string& fresh) {
  std::string text = kernel;
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + fresh.size()))
    text.replace(at, old.size(), fresh);
  return text;
}

class VerifyCommand : public ::testing::Test {
 protected:
  VerifyCommand() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl") {
    write_text(folder_.path() / "relu.py", kernel);
  }
  Ended trl(const std::string& arguments) const {
    return folder_.trl(arguments + sandbox_option(), {{"TRL_HOME", SOURCE "/../.."}});
  }
  /// The option that runs candidates without a sandbox, if the machine allows none. The candidates are safe,
  /// since they are the tests' own.
  static std::string sandbox_option() {
    static const bool refused = [] {
      const int status =
          std::system((fs::path(TRL).parent_path() / "trl-sandbox -- /bin/true 2>/dev/null").c_str());
      return WIFEXITED(status) && WEXITSTATUS(status) == 125;
    }();
    return refused ? " --no-sandbox" : "";
  }
  TrlFolder folder_;
};

#ifdef WITH_RUNTIME

/// A store with one exam that the real worker has judged: the same correct candidate twice, one with a
/// missing mask, and one that is not a program.
class Audit : public VerifyCommand {
 protected:
  void SetUp() override {
    static const AuditStore made;
    sampled_ = made.sampled, verified_ = made.verified, whole_ = made.root;
    // The copy has neither candidates nor models.
    fs::copy(made.root, store(), fs::copy_options::recursive);
    fs::remove_all(Store(store()).folder(sampled_));
  }
  fs::path store() const { return folder_.path() / "copy"; }
  fs::path file(const char* name) const { return Store(store()).folder(verified_) / name; }
  void change(const char* name, std::size_t row, const std::function<void(json&)>& edit) const {
    auto rows = read_json_lines(file(name));
    edit(rows.at(row));
    write_json_lines(file(name), rows);
  }

  /// Changes the exam's spec and computes its key again, so that the store looks as if another run had made
  /// it.
  void respecify(const std::function<void(json&)>& edit) {
    const auto before = Store(store()).folder(verified_);
    auto stage = Store(store()).stage(verified_);
    edit(stage["spec"]);
    const auto other = make_stage(stage["kind"], stage["spec"], stage["inputs"], stage["slot"]);
    stage["spec"] = other.spec, stage["key"] = verified_ = other.key;
    const auto now = Store(store()).folder(other.key);
    fs::create_directories(now.parent_path());
    fs::rename(before, now);
    describe_result(now, stage);
  }

  std::string sampled_, verified_;
  fs::path whole_;  ///< the store from which `copy` was made

 private:
  struct AuditStore {
    Scratch scratch;
    fs::path root = scratch.path / "store";
    std::string sampled, verified;

    AuditStore() {
      StoreWriter store(write_secret(root));
      const auto tasks = make_stage("tasks", {{"tasks", json::array({relu()})}}, {}, "exam/tasks");
      commit(store, tasks,
             [&](const fs::path& made) { write_text(made / "tasks.json", tasks.spec.at("tasks").dump()); });
      const auto sample = make_stage(
          "sample", {{"samples", 1}, {"temperature", 0.7}, {"max_tokens", 64}, {"purpose", "exam"}},
          {{"tasks", tasks.key}}, "exam/sample");
      commit(store, sample, [](const fs::path& made) {
        std::vector<json> rows;
        for (const auto& answer : {kernel, instead(", mask=i < n", ""), kernel, instead("ModelNew", "Model")})
          rows.push_back({{"task", 0},
                          {"name", "relu"},
                          {"group", "level1"},
                          {"sample", rows.size()},
                          {"prompt", "relu"},
                          {"answer", answer},
                          {"tokens", 9},
                          {"finish", "stop"}});
        write_json_lines(made / "candidates.jsonl", rows);
      });
      const json spec = {
          {"variations", {"original", {{"call", "resize"}, {"args", {1.5}}, {"named", json::object()}}}},
          {"tiny", true},
          {"compile", "all"},
          {"memory_checks", true},
          {"strict", true},
          {"modelled_for", "H200"}};
      const auto verify =
          make_stage("verify", spec, {{"candidates", sample.key}, {"tasks", tasks.key}}, "exam/verify");
      commit(store, verify, [&](const fs::path& made) {
        ::setenv("TRL_HOME", SOURCE "/../..", 1);
        const Interrupt interrupt;
        const Cancellation cancellation(interrupt);
        WorkerProcess worker({WORKER, scratch.path / "log", store.secret(), sandbox_option().empty()},
                             cancellation);
        worker.run({"verify",
                    verify.spec,
                    {{"candidates", store.folder(sample.key)}, {"tasks", store.folder(tasks.key)}},
                    made},
                   {});
      });
      sampled = sample.key, verified = verify.key;
    }
    static json relu() {
      trl::language::CheckOptions options;
      options.read = [](const std::string& path) -> std::optional<std::string> {
        if (path == "all.trl") return "import windtunnel\n";
        return std::nullopt;
      };
      return trl::language::check_file("all.trl", options).resolved->at("tasks").at("level1/1");
    }
    template <typename Fill>
    static void commit(StoreWriter& store, const Stage& stage, Fill fill) {
      const auto made = store.begin(stage);
      fill(made);
      store.commit(stage, made, json::object(), 1);
    }
  };
};

#endif

}  // namespace trl::interpreter::testing
