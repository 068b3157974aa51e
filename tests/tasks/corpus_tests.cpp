#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "base/operators/operator_ids.hpp"
#include "base/operators/overlap.hpp"
#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "runtime/worker/stages.hpp"
#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/chain.hpp"
#include "verifier/corpus/probe.hpp"
#include "verifier/corpus/suites.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<Task> all_tasks() {
  static const std::vector<Task> tasks = every_suite();
  return tasks;
}

int operators_in(const Task& task) {
  int total = 0;
  for (const auto& [op, count] : count_operators(task.value)) total += count;
  return total;
}

TEST(Suites, AreSixtyOperatorsAndAHundredChains) {
  EXPECT_EQ(operators_alone().size(), 60u);
  EXPECT_EQ(chain_suite().size(), 100u);
  std::set<std::string> alone;
  for (const Task& task : operators_alone()) {
    EXPECT_EQ(operators_in(task), 1) << task.name;
    alone.insert(name_of(task.value.op));
  }
  EXPECT_GE(alone.size(), 45u);
  for (const Task& task : chain_suite()) {
    EXPECT_GE(operators_in(task), 2) << task.name;
    EXPECT_LE(operators_in(task), 8) << task.name;
  }
}

TEST(Suites, UseSixtyOperators) {
  std::map<std::string, int> used;
  for (const Task& task : all_tasks())
    for (const auto& [op, count] : count_operators(task.value)) used[op] += count;
  EXPECT_GE(used.size(), 60u);
}

std::string text(const std::pair<Operator, Operator>& pair) {
  return name_of(pair.first) + " > " + name_of(pair.second);
}

TEST(Suites, KeepTheirPairsApart) {
  OperatorPairs kept;
  EXPECT_EQ(pair_suite().size(), 40u);
  for (const Task& task : pair_suite()) {
    const OperatorPairs own = neighbours(task.value);
    EXPECT_FALSE(own.empty()) << task.name;
    for (const auto& pair : own) EXPECT_TRUE(kept.insert(pair).second) << text(pair);
  }
  for (const auto& suite : {operators_alone(), chain_suite()})
    for (const Task& task : suite)
      for (const auto& pair : neighbours(task.value))
        EXPECT_FALSE(kept.contains(pair)) << task.name << ": " << text(pair);
}

TEST(Suites, AreUnknownToTheEmbeddedModel) {
  std::ifstream file(TRL_SOURCE "/stdlib/windtunnel/manifest.json");
  const json manifest = json::parse(file);
  const std::set<std::string> keys = manifest.at("keys"), pairs = manifest.at("pairs");
  for (const Task& task : all_tasks()) EXPECT_FALSE(keys.contains(task.key)) << task.name;
  // The experiments' exams are of these, which it hasn't seen in any spelling either.
  operators::Functions held_out;
  std::size_t count = 0;
  for (const Task& task : all_tasks())
    if (task.suite != "level1" || task.id > 40) held_out.add(task.key), ++count;
  EXPECT_EQ(count, 160u);
  for (const std::string& key : keys) EXPECT_FALSE(held_out.find(key)) << key;
  for (const Task& task : pair_suite())
    for (const auto& pair : neighbours(task.value)) EXPECT_FALSE(pairs.contains(text(pair))) << task.name;
}

TEST(Suites, HoldNoTaskTwice) {
  std::set<std::string> keys, names;
  for (const Task& task : all_tasks()) {
    EXPECT_TRUE(keys.insert(operators::overlap_key(task.key)).second) << task.name << " in some spelling";
    EXPECT_TRUE(names.insert(task.suite + task.name).second) << task.name;
  }
}

TEST(Suites, AreWhatTheStandardLibraryHolds) {
  std::ifstream file(TRL_SOURCE "/stdlib/windtunnel.trl");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text, windtunnel_source()) << "build/…/windtunnel-suites > stdlib/windtunnel.trl refreshes it";
}

TEST(Suites, AndRandomChainsAreReadAsTheyAreWritten) {
  std::vector<Task> tasks = all_tasks();
  RandomStream random("keys");
  for (int i = 0; i < 500; ++i) tasks.push_back(random_chain(random, {2, 8}));
  for (const Task& task : tasks) {
    const json object = task.to_json();
    EXPECT_EQ(task_key(task), task.key);
    EXPECT_EQ(Task::parse(object), task) << object.dump(1);
    EXPECT_EQ(Task::parse(object).to_json(), object);
  }
}

/// x, y: [64, 256]
Task task_of(Operator op) {
  Task task;
  task.dims = {{"M", 64}, {"N", 256}};
  for (const char* name : {"x", "y"}) task.inputs.push_back({name, "f32", parse_shape({"M", "N"})});
  task.dtype = "f32";
  task.value.kind = Expression::Kind::Operator;
  task.value.op = op;
  const Form form = form_of(op);
  for (std::size_t i = 0; i < (form == Form::Binary ? 2u : 1u); ++i) {
    Expression input;
    input.kind = Expression::Kind::Input;
    input.input = i;
    task.value.args.push_back(input);
  }
  if (form == Form::Reduction || form == Form::Along) task.value.axis = 1;
  if (op == Operator::celu) task.value.attributes["alpha"] = 2;  // of 1 it is elu
  infer_shapes(task);
  return task;
}

TEST(Probe, ComputesEveryOperatorThatTheGeneratorWritesAndRefusesOthers) {
  std::map<std::string, std::string> seen;
  for (const operators::Row& row : operators::table()) {
    if (row.form == Form::Matmul || row.form == Form::Transpose) continue;
    if (!row.written_answers) {
      Task task = task_of(Operator::relu);
      task.value.op = row.id;
      EXPECT_THROW(probe(task, 1), std::invalid_argument) << row.name;
      continue;
    }
    const auto [other, fresh] =
        seen.emplace(fmt::format("{}", fmt::join(probe(task_of(row.id), 4).exact, " ")), row.name);
    EXPECT_TRUE(fresh) << row.name << " has the values of " << other->second;
  }
}

TEST(Chains, AreSaneAndWithinLength) {
  RandomStream random("chains");
  for (int i = 0; i < 500; ++i) {
    const Task task = random_chain(random, {2, 5});
    EXPECT_GE(operators_in(task), 2);
    EXPECT_LE(operators_in(task), 5);
    EXPECT_TRUE(is_sane(task)) << task_source(task);
  }
}

TEST(Chains, RepeatFromTheirSeed) {
  RandomStream one("same"), other("same");
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(random_chain(one, {2, 8}).to_json(), random_chain(other, {2, 8}).to_json());
}

Task task_called(const std::string& name) {
  for (const Task& task : all_tasks())
    if (task.name == name) return task;
  throw std::out_of_range(name);
}

/// A softmax over rows of x[M, N].
Task softmax_rows() {
  json task = task_called("log_softmax_rows").to_json();
  task["value"]["op"] = "softmax";
  task["key"] = "softmax[axis=1](x0:f32[d0,d1])";
  return Task::parse(task);
}

TEST(Answers, AreOneKernelAndItsLaunch) {
  EXPECT_EQ(answer(softmax_rows(), Style{}, Flaw::None),
            R"(import torch
import triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    offs = row * N + cols
    x = tl.load(x_ptr + offs, mask=mask, other=-float("inf")).to(tl.float32)
    x = tl.exp(x - tl.max(x, axis=0))
    x = x / tl.sum(x, axis=0)
    tl.store(out_ptr + offs, x, mask=mask)

class ModelNew(torch.nn.Module):
    def forward(self, x):
        M, N = x.shape
        out = torch.empty_like(x)
        kernel[(M,)](x, out, N, BLOCK=triton.next_power_of_2(N))
        return out
)");
}

TEST(Answers, VaryWithStyle) {
  std::set<std::string> texts;
  RandomStream random("styles");
  for (int i = 0; i < 50; ++i) texts.insert(answer(task_called("add"), Style::draw(random), Flaw::None));
  EXPECT_GT(texts.size(), 15u);
}

TEST(Answers, ExistForEveryTaskStyleAndFlaw) {
  RandomStream random("all");
  for (const Task& task : all_tasks())
    for (int style = 0; style < 4; ++style) {
      const Style drawn = Style::draw(random);
      const std::string honest = answer(task, drawn, Flaw::None);
      for (const FlawKind& kind : flaw_kinds())
        if (applies(task, kind.flaw)) {
          EXPECT_TRUE(answer(task, drawn, kind.flaw) != honest) << task.name << " " << kind.name;
        }
    }
}

TEST(CudaAnswers, AreAnExtensionAndItsCall) {
  EXPECT_EQ(cuda_answer(task_called("gelu"), Style{}, Flaw::None),
            R"(import torch
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <typename T>
__global__ void kernel(const T* x_ptr, T* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float x = static_cast<float>(x_ptr[i]);
        x = 0.5f * x * (1.0f + erff(x * 0.70710678f));
        out[i] = static_cast<T>(x);
    }
}

torch::Tensor forward(torch::Tensor x) {
    int n = x.numel();
    auto out = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "forward", [&] {
        kernel<scalar_t><<<std::min((n + 255) / 256, 1056), 256>>>(x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n);
        C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
    return out;
}
"""
ext = load_inline(name="ext", cpp_sources="torch::Tensor forward(torch::Tensor x);", cuda_sources=source, functions=["forward"])

class ModelNew(torch.nn.Module):
    def forward(self, x):
        return ext.forward(x)
)");
}

TEST(CudaAnswers, ExistForEveryTaskStyleAndFlaw) {
  RandomStream random("all");
  for (const Task& task : all_tasks())
    for (int style = 0; style < 4; ++style) {
      const Style drawn = Style::draw(random);
      const std::string honest = cuda_answer(task, drawn, Flaw::None);
      EXPECT_PRED2(contains, honest, "load_inline");
      for (const FlawKind& kind : flaw_kinds(KernelLanguage::cuda))
        if (applies(task, kind.flaw)) {
          EXPECT_TRUE(cuda_answer(task, drawn, kind.flaw) != honest) << task.name << " " << kind.name;
        }
    }
}

TEST(CudaAnswers, VaryWithStyle) {
  std::set<std::string> texts;
  RandomStream random("styles");
  for (int i = 0; i < 50; ++i) texts.insert(cuda_answer(task_called("add"), Style::draw(random), Flaw::None));
  EXPECT_GT(texts.size(), 30u);
}

TEST(Answers, ExistForTheOperatorsThatTheTableSaysAreWritten) {
  for (const operators::Row& row : operators::table()) {
    if (row.form == Form::Matmul) continue;  // a task of the suites
    Task task = task_of(row.written_answers ? row.id : Operator::relu);
    task.value.op = row.id;
    if (row.id == Operator::clamp) task.value.attributes["max"] = 1;  // without bounds it is none
    for (const KernelLanguage language : {KernelLanguage::triton, KernelLanguage::cuda}) {
      if (row.written_answers) {
        EXPECT_PRED2(contains, answer(task, Style{}, Flaw::None, language), "out") << row.name;
      } else {
        EXPECT_THROW(answer(task, Style{}, Flaw::None, language), UserError) << row.name;
      }
    }
  }
}

TEST(Answers, ToTasksBeyondTheGeneratorAreRefused) {
  json task = task_called("relu").to_json();
  task["dims"] = json::parse(R"([["M", 64], ["K", 256], ["N", 256]])");
  task["inputs"] = json::array({{{"name", "x"}, {"dtype", "f32"}, {"shape", {"M", "K"}}},
                                {{"name", "w"}, {"dtype", "f32"}, {"shape", {"K", "N"}}}});
  task["value"] = {{"op", "matmul"},
                   {"args", {{{"op", "relu"}, {"args", {{{"input", "x"}}}}}, {{"input", "w"}}}}};
  task["key"] = "matmul(relu(x0:f32[d0,d1]),x1:f32[d1,d2])";
  EXPECT_THROW(answer(Task::parse(task), Style{}, Flaw::None), UserError);

  task = task_called("relu").to_json();
  task["value"] = {{"op", "round"}, {"args", {{{"input", "x"}}}}, {"shape", {"M", "N"}}};
  task["key"] = "round(x0:f32[d0,d1])";
  try {
    answer(Task::parse(task), Style{}, Flaw::None);
    FAIL() << "answered";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "the corpus can't write an answer to this task: round");
  }
}

TEST(Mix, HasAHabitThatIsCommonerThanTheRightAnswer) {
  RandomStream random("mix");
  int habit = 0, total = 0;
  for (const Task& task : all_tasks())
    for (int i = 0; i < 20; ++i, ++total) habit += draw_flaw(task, random) == Flaw::MissingMask;
  // At 82 % flawed, 18 % are right, and some 12 % only slow.
  EXPECT_GT(0.82 * habit / total, 0.35);
}

class FakeStage : public Stage {
 public:
  explicit FakeStage(json wanted) {
    spec = std::move(wanted);
    output = testing::TempDir() + "/corpus-" + testing::UnitTest::GetInstance()->current_test_info()->name() +
             std::to_string(made++);
    std::filesystem::create_directories(output);
  }
  ~FakeStage() override { std::filesystem::remove_all(output); }
  void progress(std::int64_t done, std::int64_t total, const std::string&) override { last = {done, total}; }
  void send_metric(const std::string&, std::int64_t, double) override {}
  void check_cancelled() override {}

  std::string read(const char* name) const {
    std::ifstream file(output / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<json> rows() const {
    std::ifstream file(output / "samples.jsonl");
    std::vector<json> all;
    for (std::string line; std::getline(file, line);) all.push_back(json::parse(line));
    return all;
  }

  std::pair<std::int64_t, std::int64_t> last;
  static inline int made = 0;
};

json suites_spec() {
  json spec = {
      {"source", "suites"}, {"samples", {{"level1", 100}, {"level2", 50}}}, {"flawed", 0.5}, {"seed", 1}};
  for (const Task& task : all_tasks())
    if (task.id <= 40 && task.suite != "pairs") spec["tasks"].push_back(task.to_json());
  return spec;
}

TEST(CorpusStage, CyclesOverTheTasksOfEachGroup) {
  FakeStage stage(suites_spec());
  EXPECT_EQ(run_corpus(stage), (json{{"rows", 150}}));
  EXPECT_EQ(stage.last, (std::pair<std::int64_t, std::int64_t>{150, 150}));
  std::map<std::string, int> tasks, groups;
  int flawed = 0;
  for (const json& row : stage.rows()) {
    ++tasks[row["group"].get<std::string>() + "/" + row["task"].get<std::string>()];
    ++groups[row["group"]];
    flawed += !row["flaw"].is_null();
  }
  EXPECT_EQ(groups["level1"], 100);
  EXPECT_EQ(groups["level2"], 50);
  EXPECT_EQ(tasks.size(), 80u);
  for (const auto& [name, count] : tasks) EXPECT_LE(count, 3) << name;
  EXPECT_NEAR(flawed, 75, 25);
}

TEST(CorpusStage, WritesTheSameFilesAgain) {
  FakeStage one(suites_spec()), other(suites_spec());
  run_corpus(one);
  run_corpus(other);
  EXPECT_EQ(one.read("samples.jsonl"), other.read("samples.jsonl"));
  EXPECT_EQ(one.read("manifest.json"), other.read("manifest.json"));
}

TEST(CorpusStage, DrawsChainsThatAreNotExcluded) {
  FakeStage all({{"source", "chains"},
                 {"samples", 300},
                 {"longest", 3},
                 {"exclude_keys", json::array()},
                 {"flawed", 0.7},
                 {"seed", 1}});
  run_corpus(all);
  const json manifest = json::parse(all.read("manifest.json"));
  EXPECT_EQ(manifest["rows"], 300);
  EXPECT_TRUE(std::is_sorted(manifest["keys"].begin(), manifest["keys"].end()));
  json excluded = json::array();
  for (std::size_t i = 0; i < manifest["keys"].size(); i += 2) excluded.push_back(manifest["keys"][i]);
  FakeStage rest({{"source", "chains"},
                  {"samples", 300},
                  {"longest", 3},
                  {"exclude_keys", excluded},
                  {"flawed", 0.7},
                  {"seed", 1}});
  run_corpus(rest);
  for (const json& row : rest.rows())
    EXPECT_EQ(std::find(excluded.begin(), excluded.end(), row["key"]), excluded.end());
}

TEST(CorpusStage, DrawsNoOtherSpellingOfWhatIsExcluded) {
  json spec = {{"source", "chains"}, {"samples", 300}, {"longest", 3}, {"exclude_keys", json::array()},
               {"flawed", 0.7},      {"seed", 1}};
  const auto keys_of = [](const FakeStage& stage) {
    std::set<std::string> keys;
    for (const json& row : stage.rows()) keys.insert(row["key"]);
    return keys;
  };
  FakeStage all(spec);
  run_corpus(all);
  // One spelling of each function that the corpus has in several.
  std::map<std::string, std::string> first;
  std::set<std::string> several;
  for (const std::string& key : keys_of(all)) {
    const auto [place, fresh] = first.emplace(operators::overlap_key(key), key);
    if (!fresh) several.insert(place->first);
  }
  ASSERT_FALSE(several.empty());
  for (const std::string& function : several) spec["exclude_keys"].push_back(first.at(function));
  const auto others = [&](const FakeStage& stage) {
    int spellings = 0;
    for (const std::string& key : keys_of(stage)) spellings += several.contains(operators::overlap_key(key));
    return spellings;
  };
  FakeStage before(spec);
  run_corpus(before);
  EXPECT_GT(others(before), 0);
  spec["exclude_spellings"] = true;
  FakeStage after(spec);
  run_corpus(after);
  EXPECT_EQ(others(after), 0);
}

TEST(CorpusStage, LeavesOutPairsThatAreToStayUnseen) {
  const json unseen = std::vector<std::vector<std::string>>{{"relu", "add"}, {"add", "mul"}, {"mul", "add"}};
  FakeStage stage({{"source", "chains"},
                   {"samples", 300},
                   {"longest", 4},
                   {"unseen_pairs", unseen},
                   {"flawed", 0.7},
                   {"seed", 1}});
  run_corpus(stage);
  const json seen = json::parse(stage.read("manifest.json")).at("pairs");
  EXPECT_GT(seen.size(), 100u);
  for (const json& pair : unseen)
    EXPECT_EQ(
        std::count(seen.begin(), seen.end(), pair[0].get<std::string>() + " > " + pair[1].get<std::string>()),
        0);
}

TEST(CorpusStage, AnswersInTheLanguageThatItsSpecSays) {
  json spec = suites_spec();
  spec["language"] = "cuda";
  FakeStage stage(spec);
  EXPECT_EQ(run_corpus(stage), (json{{"rows", 150}}));
  for (const json& row : stage.rows()) {
    EXPECT_PRED2(contains, row["answer"], "from torch.utils.cpp_extension import load_inline");
    EXPECT_PRED2(contains, row["prompt"], "CUDA");
  }
  spec["language"] = "triton";
  FakeStage triton(spec), unsaid(suites_spec());
  run_corpus(triton);
  run_corpus(unsaid);
  EXPECT_EQ(triton.read("samples.jsonl"), unsaid.read("samples.jsonl"));
}

TEST(CorpusStage, SaysWhatIsWrongWithItsSpec) {
  const auto message = [](const json& spec) -> std::string {
    FakeStage stage(spec);
    try {
      run_corpus(stage);
    } catch (const UserError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_PRED2(contains, message({{"source", "books"}, {"flawed", 0}, {"seed", 1}}),
               "no corpus source is called \"books\"");
  EXPECT_PRED2(contains, message({{"source", "chains"}}), "malformed");
  EXPECT_PRED2(contains, message({{"source", "chains"}, {"flawed", 1.5}, {"seed", 1}}), "between 0 and 1");
  EXPECT_PRED2(contains, message({{"source", "chains"}, {"flawed", 0}, {"seed", 1}, {"language", "hip"}}),
               "triton or cuda, not in \"hip\"");
  json none = suites_spec();
  none["samples"] = {{"level3", 5}};
  EXPECT_PRED2(contains, message(none), "wants samples of level3");
}

}  // namespace
}  // namespace trl::runtime
