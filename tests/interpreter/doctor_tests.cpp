// `trl doctor` on machines that the tests make up.
#include <gtest/gtest.h>

#include <cerrno>
#include <map>

#include "interpreter/doctor/needs.hpp"
#include "interpreter/doctor/probes.hpp"
#include "tests/has.hpp"

using namespace trl;
using namespace trl::interpreter;
namespace fs = std::filesystem;
using Outcome = Finding::Outcome;

namespace {

/// A machine on which all is well: a wheel in a virtual environment, a GPU.
class MadeUp : public Machine {
 public:
  std::map<std::string, Filtered> answers;  ///< by the program's file name
  std::map<std::string, std::string> files, variables;
  std::map<std::string, std::string> links;
  std::set<std::string> programs;
  std::optional<std::uintmax_t> free = std::uintmax_t{100} << 30;
  fs::path trl_home = "/venv/lib/python3.12/site-packages/trl_kernels";

  MadeUp() {
    for (const char* name :
         {"trl-worker", "trl-verify", "trl-sandbox", "trl-executor", "trl-runner", "trl-kernel-check"})
      programs.insert((trl_home / "bin" / name).string());
    variables = {{"TRL_PYTHON", "/venv/bin/python"}, {"PATH", "/usr/bin:/venv/bin"}};
    answers["trl-worker"] = {0, 0, "trl-worker 0.1.0\n", ""};
    answers["trl-sandbox"] = {0, 0, "", ""};
    answers["python"] = {
        0, 0,
        R"({"python": "3.12.1", "torch": "2.11.0+cu130", "triton": "3.6.0", "numpy": "2.4", "packaging": "26.4"})",
        ""};
    answers["python import torch"] = {0, 0, "13.0 True\n", ""};
    answers["nvidia-smi"] = {0, 0, "NVIDIA H100 80GB HBM3, 81559, 570.86.15\n", ""};
    programs.insert("/venv/bin/trl");
    files["/venv/bin/trl"] = "#!/bin/sh\nexport TRL_HOME\n";
  }

  Filtered run(const std::vector<std::string>& command) const override {
    std::string name = fs::path(command[0]).filename();
    if (command.size() > 1 && command[1] == "--stage") name += " --stage";
    if (command.back().starts_with("import torch")) name += " import torch";
    if (command.back().starts_with("import ctypes")) name += " nccl";
    if (command.back().starts_with("import datetime")) name += " all-reduce";
    if (name == "nvidia-smi" && !command[1].starts_with("--query"))
      for (std::size_t i = 1; i < command.size(); ++i) name += " " + command[i];
    const auto answer = answers.find(name);
    return answer == answers.end() ? Filtered{-1, ENOENT, "", ""} : answer->second;
  }
  std::optional<std::string> read(const fs::path& file) const override {
    const auto found = files.find(file.string());
    return found == files.end() ? std::nullopt : std::optional(found->second);
  }
  bool executable(const fs::path& file) const override { return programs.contains(file.string()); }
  fs::path real(const fs::path& file) const override {
    const auto found = links.find(file.string());
    return found == links.end() ? file : fs::path(found->second);
  }
  std::optional<std::uintmax_t> free_bytes(const fs::path&) const override { return free; }
  std::string variable(const std::string& name) const override {
    const auto found = variables.find(name);
    return found == variables.end() ? "" : found->second;
  }
  fs::path program() const override { return trl_home / "bin/trl"; }
  fs::path home() const override { return trl_home; }
};

/// The one finding about something; a failure of the test where there is none.
Finding about(const std::vector<Finding>& findings, const std::string& what) {
  for (const Finding& finding : findings)
    if (finding.what == what) return finding;
  ADD_FAILURE() << "nothing about " << what;
  return {};
}

Finding about(const Machine& machine, const Needs& needs, const std::string& what) {
  return about(examine(machine, needs), what);
}

TEST(Doctor, FindsNothingToMendWhereAllIsWell) {
  Needs needs;
  needs.gpu = needs.timed = needs.cuda_kernels = true;
  needs.gpu_bytes = 60.0 * (1 << 30);
  for (const Finding& finding : examine(MadeUp(), needs)) {
    EXPECT_EQ(finding.outcome, Outcome::fine) << finding.what << ": " << finding.found;
    EXPECT_EQ(finding.remedy, "") << finding.what;
  }
}

/// Two GPUs of one kind, linked by NVSwitches.
class WithTwoGpus : public MadeUp {
 public:
  WithTwoGpus() {
    answers["nvidia-smi"].out =
        "NVIDIA H200, 143771, 570.86.15\nNVIDIA H200, 143771, 570.86.15\nNVIDIA H200, 143771, 570.86.15\n";
    answers["nvidia-smi topo -m"].out =
        "\t\x1b[4mGPU0\tGPU1\tGPU2\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
        "GPU0\t X \tNV18\tNV18\tPIX\t0-47\t0\t\tN/A\n"
        "GPU1\tNV18\t X \tNV18\tNODE\t0-47\t0\t\tN/A\n"
        "GPU2\tNV18\tNV18\t X \tSYS\t48-95\t1\t\tN/A\n"
        "NIC0\tPIX\tNODE\tSYS\t X \t\t\t\t\n\n"
        "Legend:\n\n  X    = Self\n  SYS  = Connection traversing PCIe as well as the SMP interconnect "
        "between "
        "NUMA nodes (e.g., QPI/UPI)\n  NV#  = Connection traversing a bonded set of # NVLinks\n";
    answers["nvidia-smi topo -p2p r"].out =
        " \tGPU0\tGPU1\tGPU2\t\n GPU0\tX\tOK\tOK\t\n GPU1\tOK\tX\tOK\t\n GPU2\tOK\tOK\tX\t\n\nLegend:\n\n"
        "  X    = Self\n  OK   = Status Ok\n  CNS  = Chipset not supported\n";
    answers["nvidia-smi -q"].out =
        "==============NVSMI LOG==============\n\nDriver Version                            : 570.86.15\n"
        "Attached GPUs                             : 3\nGPU 00000000:19:00.0\n    Product Name               "
        "   "
        "        : NVIDIA H200\n    Performance State                     : P0\n    Fabric\n        State    "
        "     "
        "                    : Completed\n        Status                            : Success\n        "
        "CliqueId  "
        "                        : 0\n    Processes                             : None\n";
    answers["python nccl"] = {0, 0,
                              "2.28.9 /venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2\n", ""};
    answers["python all-reduce"] = {0, 0, "3 381.25\n", ""};
  }
};

Needs on_gpus() {
  Needs needs;
  needs.gpu = true;
  return needs;
}

TEST(Doctor, SaysOfSeveralGpusHowTheyWorkTogether) {
  const WithTwoGpus machine;
  EXPECT_TRUE(has(about(machine, on_gpus(), "GPUs").found, "all of one kind: 3 × NVIDIA H200"));
  EXPECT_TRUE(
      has(about(machine, on_gpus(), "links of GPUs").found, "NVLink between any two, at least 18 links"));
  EXPECT_EQ(about(machine, on_gpus(), "NCCL").found, "2.28.9");
  EXPECT_TRUE(has(about(machine, on_gpus(), "all-reduce").found, "381 GB/s among 3 GPUs; about 315 GB/s"));
  for (const Finding& finding : examine(machine, on_gpus()))
    EXPECT_EQ(finding.outcome, Outcome::fine) << finding.what << ": " << finding.found;
  for (const Finding& finding : examine(MadeUp(), on_gpus()))
    EXPECT_NE(finding.what, "all-reduce") << "one GPU has nobody to talk to";
}

TEST(Doctor, SaysWhatSlowsSeveralGpusDown) {
  WithTwoGpus machine;
  machine.answers["nvidia-smi"].out = "NVIDIA L40S, 46068, 570.86.15\nNVIDIA A40, 46068, 570.86.15\n";
  machine.answers["nvidia-smi topo -m"].out =
      "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tSYS\t0-31\nGPU1\tSYS\t X \t32-63\n";
  machine.answers["nvidia-smi topo -p2p r"].out = " \tGPU0\tGPU1\n GPU0\tX\tCNS\n GPU1\tCNS\tX\n";
  machine.answers["nvidia-smi -q"].out = "    Fabric\n        State                             : N/A\n";
  machine.answers["python all-reduce"].out = "2 1.5\n";
  EXPECT_TRUE(has(about(machine, on_gpus(), "GPUs").found, "1 × NVIDIA A40, 1 × NVIDIA L40S"));
  EXPECT_TRUE(has(about(machine, on_gpus(), "links of GPUs").found, "between CPU sockets"));
  EXPECT_TRUE(has(about(machine, on_gpus(), "peer access").found, "the chipset doesn't support it"));
  EXPECT_TRUE(has(about(machine, on_gpus(), "all-reduce").found, "2 GB/s among 2 GPUs"));
  std::size_t notes = 0;
  for (const Finding& finding : examine(machine, on_gpus())) {
    EXPECT_NE(finding.outcome, Outcome::lacking) << finding.what;
    EXPECT_NE(finding.what, "fabric manager") << "there are no NVSwitches";
    notes += finding.outcome == Outcome::note;
    EXPECT_EQ(finding.outcome == Outcome::fine, finding.remedy.empty()) << finding.what;
  }
  EXPECT_EQ(notes, 4u);
}

TEST(Doctor, GpusThatArentJoinedToTheirSwitchesAreALack) {
  WithTwoGpus machine;
  machine.answers["nvidia-smi -q"].out =
      "    Fabric\n        State                             : In Progress\n        Status                   "
      "    "
      "     : N/A\n    Fabric\n        State                             : Completed\n";
  const auto fabric = about(machine, on_gpus(), "fabric manager");
  EXPECT_EQ(fabric.outcome, Outcome::lacking);
  EXPECT_TRUE(has(fabric.remedy, "nvidia-fabricmanager"));
  for (const Finding& finding : examine(machine, on_gpus()))
    EXPECT_NE(finding.what, "all-reduce") << "it would only fail";
}

TEST(Doctor, WithoutNcclOneGpuIsLeft) {
  WithTwoGpus machine;
  machine.answers["python nccl"] = {1, 0, "",
                                    "Traceback…\nAttributeError: 'NoneType' object has no attribute"};
  machine.answers["python all-reduce"] = {1, 0, "", "RuntimeError: Distributed package doesn't have NCCL\n"};
  for (const char* what : {"NCCL", "all-reduce"}) {
    EXPECT_EQ(about(machine, on_gpus(), what).outcome, Outcome::lacking) << what;
    EXPECT_TRUE(has(about(machine, on_gpus(), what).needed, "--gpus 1 does without")) << what;
    EXPECT_EQ(about(machine, Needs(), what).outcome, Outcome::note) << what;
  }
}

TEST(Doctor, EveryLackHasARemedyAndSaysWhatItIsNeededFor) {
  MadeUp machine;
  machine.answers.clear();
  machine.programs.clear();
  machine.files.clear();
  machine.free = 1000;
  Needs needs;
  needs.gpu = needs.timed = needs.cuda_kernels = true;
  std::size_t lacks = 0;
  for (const Finding& finding : examine(machine, needs)) {
    if (finding.outcome == Outcome::fine)
      ADD_FAILURE() << finding.what << " is fine on a machine that has nothing";
    lacks += finding.outcome == Outcome::lacking;
    EXPECT_NE(finding.remedy, "") << finding.what;
    EXPECT_TRUE(finding.outcome == Outcome::note || !finding.needed.empty()) << finding.what;
  }
  EXPECT_GE(lacks, 6u);
}

TEST(Doctor, MissingTorchIsALackForRunningAndANoteForChecking) {
  MadeUp machine;
  machine.answers["python"].out = R"({"python": "3.12.1"})";
  machine.answers["trl-worker"] = {
      127, 0, "", "trl-worker: error while loading shared libraries: libtorch_cpu.so: cannot open"};
  Needs needs;
  EXPECT_EQ(about(machine, needs, "torch").outcome, Outcome::lacking);
  EXPECT_TRUE(has(about(machine, needs, "torch").remedy, "/venv/bin/python -m pip install torch=="));
  EXPECT_EQ(about(machine, needs, "libtorch").found, "libtorch_cpu.so isn't found");
  needs.running = false;
  EXPECT_EQ(about(machine, needs, "torch").outcome, Outcome::note);
  EXPECT_EQ(about(machine, needs, "libtorch").outcome, Outcome::note);
}

TEST(Doctor, AnotherTorchIsRefusedAndALocalBuildOfTheSameIsNot) {
  MadeUp machine;
  machine.answers["python"].out =
      R"({"python": "3.9.2", "torch": "2.9.1", "triton": "3.5", "numpy": "1.26"})";
  EXPECT_EQ(about(machine, {}, "torch").outcome, Outcome::lacking);
  EXPECT_EQ(about(machine, {}, "torch").found, "2.9.1");
  EXPECT_EQ(about(machine, {}, "Python").outcome, Outcome::lacking);
}

TEST(Doctor, AGpuIsNeededOnlyByWhatWasAskedFor) {
  MadeUp machine;
  machine.answers.erase("nvidia-smi");
  EXPECT_EQ(about(machine, {}, "GPU").outcome, Outcome::note);
  for (bool Needs::*need : {&Needs::gpu, &Needs::timed, &Needs::cuda_kernels}) {
    Needs needs;
    needs.*need = true;
    EXPECT_EQ(about(machine, needs, "GPU").outcome, Outcome::lacking);
  }
}

TEST(Doctor, TheLargestGpuIsComparedWithWhatTheExperimentNeeds) {
  MadeUp machine;
  machine.answers["nvidia-smi"].out = "NVIDIA T4, 15360, 550.1\nNVIDIA A100-SXM4-40GB, 40960, 550.1\n";
  Needs needs;
  needs.gpu = true;
  needs.gpu_bytes = 39.0 * (1 << 30);
  EXPECT_EQ(about(machine, needs, "GPU").outcome, Outcome::fine);
  EXPECT_EQ(about(machine, needs, "GPU").found,
            "2 × NVIDIA A100-SXM4-40GB, 40.0 GiB (needed: 39.0 GiB, modelled)");
  needs.gpu_bytes = 41.0 * (1 << 30);
  EXPECT_EQ(about(machine, needs, "GPU").outcome, Outcome::lacking);
  needs.gpu = false;
  EXPECT_EQ(about(machine, needs, "GPU").outcome, Outcome::note) << "models run on the CPU";
}

TEST(Doctor, AModelAboveTheLargestGpuIsToldWhatFits) {
  MadeUp machine;
  machine.answers["nvidia-smi"].out = "NVIDIA A100-SXM4-40GB, 40960, 550.1\n";
  Needs needs;
  needs.gpu = true;
  needs.gpu_bytes = 70.0 * (1 << 30), needs.least_gpu_bytes = 62.0 * (1 << 30);
  const auto none = about(machine, needs, "GPU");
  EXPECT_EQ(none.outcome, Outcome::lacking);
  EXPECT_TRUE(has(none.needed, "at least 62.0 GiB on one GPU")) << none.needed;
  EXPECT_TRUE(has(none.remedy, "a GPU with more memory")) << none.remedy;
  needs.least_gpu_bytes_stored = {{"int8", 41.0 * (1 << 30)}, {"nf4", 20.0 * (1 << 30)}};
  const auto some = about(machine, needs, "GPU");
  EXPECT_TRUE(has(some.remedy, "quantize = nf4 (20.0 GiB)")) << some.remedy;
  EXPECT_FALSE(has(some.remedy, "int8")) << some.remedy;
}

TEST(Doctor, TasksThatTheGpuCantHoldAreALackWhereItJudgesThem) {
  constexpr double gib = 1 << 30;
  MadeUp machine;
  machine.answers["nvidia-smi"].out = "NVIDIA A100-SXM4-40GB, 40960, 550.1\n";
  const auto of = [&](const Needs& needs) { return about(machine, needs, "memory for tasks"); };
  Needs needs;
  needs.tasks.footprints.add("s/1 (small)", {1000, 1000, 4000});
  for (const Finding& finding : examine(machine, needs)) EXPECT_NE(finding.what, "memory for tasks");
  needs.tasks.footprints.add("s/2 (large)", {8 * gib, 4 * gib, 16 * gib});
  EXPECT_EQ(of(needs).outcome, Outcome::note) << "a sample of programs is judged without a GPU";
  EXPECT_EQ(of(needs).found,
            "1 of 2 tasks are judged at smaller sizes, and by a sample of programs at their own");
  EXPECT_TRUE(of(needs).remedy.starts_with("Add --kernel-times measured")) << of(needs).remedy;
  needs.tasks.timed = true;
  EXPECT_EQ(of(needs).outcome, Outcome::fine);
  needs.tasks.footprints.add("s/3 (larger)", {16 * gib, 8 * gib, 32 * gib});
  EXPECT_EQ(of(needs).outcome, Outcome::lacking);
  EXPECT_EQ(of(needs).found, "too little to judge answers to 1 of 3 tasks");
  EXPECT_EQ(of(needs).needed, "a GPU of at least 72.0 GiB");
  machine.answers.erase("nvidia-smi");
  EXPECT_EQ(of(needs).found, "too little to judge answers to 2 of 3 tasks");
  needs.tasks.timed = false;
  EXPECT_TRUE(of(needs).remedy.starts_with("Run it on such a GPU")) << of(needs).remedy;
}

TEST(Doctor, ATorchThatCantUseTheGpuSaysWhy) {
  MadeUp machine;
  machine.answers["python import torch"] = {
      1, 0, "", "Traceback\nRuntimeError: The NVIDIA driver on your system is too old\n"};
  Needs needs;
  needs.gpu = true;
  const auto cuda = about(machine, needs, "CUDA");
  EXPECT_EQ(cuda.outcome, Outcome::lacking);
  EXPECT_TRUE(has(cuda.found, "RuntimeError: The NVIDIA driver on your system is too old")) << cuda.found;
}

TEST(Doctor, TheRemedyForUserNamespacesIsThatOfTheSettingThatRefusesThem) {
  MadeUp machine;
  machine.answers["trl-sandbox"] = {
      125, 0, "",
      "trl-sandbox: this machine does not allow the isolation of candidates: unshare: "
      "Operation not permitted. Allow user namespaces (as root: …)"};
  const auto remedy = [&] { return about(machine, {}, "user namespaces").remedy; };
  EXPECT_EQ(about(machine, {}, "user namespaces").found, "refused: unshare: Operation not permitted");
  EXPECT_TRUE(has(remedy(), "chroot"));
  machine.files["/.dockerenv"] = "";
  EXPECT_TRUE(has(remedy(), "seccomp=unconfined"));
  machine.files["/proc/sys/kernel/apparmor_restrict_unprivileged_userns"] = "1\n";
  EXPECT_TRUE(has(remedy(), "kernel.apparmor_restrict_unprivileged_userns=0"));
  machine.files["/proc/sys/user/max_user_namespaces"] = "0\n";
  EXPECT_TRUE(has(remedy(), "user.max_user_namespaces=15000"));
  Needs needs;
  needs.verification = false;
  EXPECT_EQ(about(machine, needs, "user namespaces").outcome, Outcome::note);
}

TEST(Doctor, AFullDiskIsALack) {
  MadeUp machine;
  Needs needs;
  needs.store_bytes = 200.0 * (1 << 30);
  EXPECT_EQ(about(machine, needs, "disk").outcome, Outcome::lacking);
  machine.free = std::uintmax_t{300} << 30;
  EXPECT_EQ(about(machine, needs, "disk").found,
            "300.0 GiB free at runs/.store (needed: 200.0 GiB, modelled)");
}

TEST(Doctor, AServersKeyThatIsntSetIsALack) {
  MadeUp machine;
  Needs needs;
  needs.keys = {{"MODELS_KEY", "https://models.example/v1"}};
  EXPECT_EQ(about(machine, needs, "MODELS_KEY").outcome, Outcome::lacking);
  EXPECT_TRUE(has(about(machine, needs, "MODELS_KEY").remedy, "export MODELS_KEY="));
  machine.variables["MODELS_KEY"] = "sk-secret";
  const auto found = about(machine, needs, "MODELS_KEY");
  EXPECT_EQ(found.outcome, Outcome::fine);
  EXPECT_FALSE(has(to_json(found).dump(), "sk-secret"));
}

TEST(Doctor, AServerThatSamplesInTrainingIsAsked) {
  MadeUp machine;
  Needs needs;
  needs.servers = {{"http://localhost:8000/v1", {{"stage", "serves"}}}};
  const auto findings = [&](const std::string& events) {
    machine.answers["trl-worker --stage"] = {0, 0, events, ""};
    std::vector<Finding> found;
    for (const auto& one : examine(machine, needs))
      if (one.what == "http://localhost:8000/v1") found.push_back(one);
    return found;
  };
  const auto done = [](const char* model, const char* adapters) {
    return std::string(R"({"event": "note"})") + "\n" +
           nlohmann::json{{"event", "done"},
                          {"summary",
                           {{"model", {{"trouble", model}, {"remedy", "first"}}},
                            {"adapters", {{"trouble", adapters}, {"remedy", "second"}}}}}}
               .dump() +
           "\n";
  };
  auto found = findings(done("", ""));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].found, "serves the model");
  EXPECT_EQ(found[1].found, "takes adapters");
  EXPECT_EQ(found[1].outcome, Outcome::fine);
  found = findings(done("", "it says 404: Not Found"));
  EXPECT_EQ(found[0].outcome, Outcome::fine);
  EXPECT_EQ(found[1].outcome, Outcome::lacking);
  EXPECT_EQ(found[1].found, "it says 404: Not Found");
  EXPECT_EQ(found[1].remedy, "second");
  found = findings(R"({"event": "error", "message": "no key", "help": "set it"})");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].found, "no key");
  EXPECT_EQ(found[0].remedy, "set it");
  EXPECT_EQ(findings("").at(0).outcome, Outcome::lacking);
}

TEST(Doctor, HuggingFacesTrlIsNoticedWhicheverComesFirst) {
  MadeUp machine;
  machine.programs.insert("/usr/bin/trl");
  machine.files["/usr/bin/trl"] = "#!/usr/bin/python3\nimport sys\nfrom trl.cli import main\n";
  auto found = about(machine, {}, "command trl");
  EXPECT_EQ(found.outcome, Outcome::note);
  EXPECT_EQ(found.found, "/usr/bin/trl is Hugging Face's TRL");
  EXPECT_TRUE(has(found.remedy, "trl-lang"));
  machine.variables["PATH"] = "/venv/bin:/usr/bin";
  found = about(machine, {}, "command trl");
  EXPECT_EQ(found.found, "/usr/bin/trl is Hugging Face's TRL; /venv/bin/trl comes before it");
  machine.programs.erase("/usr/bin/trl");
  EXPECT_EQ(about(machine, {}, "command trl").outcome, Outcome::fine);
  machine.programs.erase("/venv/bin/trl");
  EXPECT_EQ(about(machine, {}, "command trl").found, "none in PATH");
}

TEST(Doctor, WhatTheExperimentLacksComesFirst) {
  Needs needs;
  needs.experiment = "study";
  needs.missing = {{"there is no model at coder/", "Copy it."}};
  needs.inert = {"clock"};
  const auto findings = examine(MadeUp(), needs);
  EXPECT_EQ(findings[0], (Finding{"study", Outcome::lacking, "there is no model at coder/", "", "Copy it."}));
  EXPECT_TRUE(has(findings[1].found, "clock")) << findings[1].found;
}

}  // namespace
