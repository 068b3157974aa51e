// trl-worker for tests: `fake-worker --protocol-fd N`. Misbehaves as its environment says:
//   FAKE_CRASH_ONCE=FILE   crashes at the first stage, if FILE doesn't exist yet, and creates it
//   FAKE_CRASH=KIND        crashes at every stage of the kind, after a line on stderr
//   FAKE_HANG=KIND         never answers, not even to a cancel
//   FAKE_STOP_ONCE=FILE    stops itself (SIGSTOP) in the first stage, if FILE doesn't exist yet, and creates
//   it FAKE_WAIT=KIND         reports progress, then works until it is cancelled FAKE_GARBAGE=KIND answers
//   with something that isn't JSON FAKE_ERROR=KIND        answers with an error event FAKE_RESUME=KIND notes
//   where the stage's checkpoint is, if it has one, and says that it goes on from it FAKE_MADE_ON=JSON says
//   of every stage that it was made on this; by default it says nothing FAKE_LOG=FILE          adds a line
//   for each stage: its kind, rank, size of the group, CUDA_VISIBLE_DEVICES FAKE_CRASH_RANK=R,
//   FAKE_ERROR_RANK=R, FAKE_STOP_RANK=R
//                          rank R of a group crashes, answers with an error, or stops itself (SIGSTOP)
//   FAKE_LOST_RANK=R       the other ranks of a group say that the process of rank R, which crashes, has
//   ended
// The workers of a group wait for each other in their meeting folder, and say meanwhile that they are alive.
// A request `generate` is answered by the prompt backwards, in two pieces, of all samples in turn; one of the
// prompt "slow" by a piece, and then by nothing until it is cancelled.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "base/contract/endpoint.hpp"
#include "base/support/error.hpp"
#include "tests/interpreter/fake_stages.hpp"

namespace {

int descriptor = -1;
std::string buffer;

bool read_line(std::string& line) {
  while (buffer.find('\n') == std::string::npos) {
    char block[4096];
    const auto n = ::read(descriptor, block, sizeof block);
    if (n <= 0) return false;
    buffer.append(block, static_cast<std::size_t>(n));
  }
  line = buffer.substr(0, buffer.find('\n'));
  buffer.erase(0, line.size() + 1);
  return true;
}

void write_raw(const std::string& text) {
  [[maybe_unused]] const auto written = ::write(descriptor, text.data(), text.size());
}

/// Waits until all ranks of a group have come to the meeting.
void meet(const std::filesystem::path& meeting, int rank, int size, const std::function<void()>& alive) {
  std::ofstream{meeting / std::to_string(rank)};
  for (int other = 0; other < size; ++other)
    while (!std::filesystem::exists(meeting / std::to_string(other))) {
      alive();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

bool told(const char* variable, const std::string& kind) {
  const char* value = std::getenv(variable);
  return value && kind == value;
}

}  // namespace

int main(int count, char** values) {
  using nlohmann::json;
  using namespace trl::interpreter;
  if (count != 3 || std::string(values[1]) != "--protocol-fd") return 2;
  descriptor = std::atoi(values[2]);
  std::string line;
  while (read_line(line)) {
    const json message = json::parse(line);
    if (message.contains("shutdown")) return 0;
    if (!message.contains("stage")) continue;
    const auto kind = message.at("stage").get<std::string>();
    const auto send = [&](json event) {
      event["id"] = message.at("id");
      write_raw(event.dump() + "\n");
    };
    const json group = message.value("group", json{{"rank", 0}, {"size", 1}, {"meeting", ""}});
    const int rank = group.at("rank"), size = group.at("size");
    if (const char* log = std::getenv("FAKE_LOG")) {
      const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
      std::ofstream(log, std::ios::app) << kind + " " + std::to_string(rank) + " " + std::to_string(size) +
                                               " " + (visible ? visible : "-") + "\n";
    }
    if (size > 1) {
      const auto alive = [&] { send({{"event", "alive"}}); };
      const auto number = std::to_string(rank);
      alive();
      if (told("FAKE_CRASH_RANK", number) || told("FAKE_LOST_RANK", number)) std::raise(SIGSEGV);
      if (const char* lost = std::getenv("FAKE_LOST_RANK")) {
        send({{"event", "error"}, {"message", "lost"}, {"help", ""}, {"lost", std::atoi(lost)}});
        continue;
      }
      if (told("FAKE_STOP_RANK", number)) std::raise(SIGSTOP);
      if (told("FAKE_ERROR_RANK", number)) {
        send({{"event", "error"}, {"message", "no memory"}, {"help", "buy some"}});
        continue;
      }
      meet(group.at("meeting").get<std::string>(), rank, size, alive);
    }
    if (const char* marker = std::getenv("FAKE_CRASH_ONCE"); marker && !std::filesystem::exists(marker)) {
      std::ofstream{marker};
      std::raise(SIGSEGV);
    }
    if (const char* marker = std::getenv("FAKE_STOP_ONCE"); marker && !std::filesystem::exists(marker)) {
      std::ofstream{marker};
      send({{"event", "alive"}});
      std::raise(SIGSTOP);
    }
    if (told("FAKE_CRASH", kind)) {
      std::cerr << "out of luck" << std::endl;
      std::raise(SIGSEGV);
    }
    if (told("FAKE_HANG", kind)) {
      send({{"event", "progress"}, {"done", 0}, {"total", 10}, {"unit", "things"}});
      while (true) ::pause();
    }
    if (told("FAKE_WAIT", kind)) {
      send({{"event", "progress"}, {"done", 1}, {"total", 10}, {"unit", "things"}});
      while (read_line(line))
        if (json::parse(line).contains("cancel")) {
          send({{"event", "error"}, {"message", "cancelled"}, {"cancelled", true}});
          break;
        }
      continue;
    }
    if (told("FAKE_GARBAGE", kind)) {
      write_raw("!!! printf from a kernel\n");
      continue;
    }
    if (told("FAKE_ERROR", kind)) {
      send({{"event", "error"}, {"message", "no GPU here"}, {"help", "buy one"}});
      continue;
    }
    if (told("FAKE_RESUME", kind) && message.contains("checkpoint")) {
      send({{"event", "note"}, {"message", message.at("checkpoint").dump()}});
      send({{"event", "resumed"}, {"done", 3}, {"total", 10}});
    }
    if (kind == "generate") {
      const auto& spec = message.at("spec");
      const auto answer = [&](std::size_t prompt, std::int64_t sample, const std::string& text,
                              const char* finish) {
        json event = {{"event", "answer"}, {"prompt", prompt}, {"sample", sample}, {"text", text}};
        if (*finish) event["finish"] = finish;
        send(std::move(event));
      };
      const auto prompts = spec.at("prompts").get<std::vector<std::string>>();
      if (prompts.front() == "slow") {
        answer(0, 0, "begun", "");
        while (read_line(line) && !json::parse(line).contains("cancel")) {
        }
        send({{"event", "error"}, {"message", "cancelled"}, {"cancelled", true}});
        continue;
      }
      for (const bool last : {false, true})
        for (std::size_t p = 0; p < prompts.size(); ++p)
          for (std::int64_t s = spec.at("samples"); s-- > 0;) {
            const std::string text(prompts[p].rbegin(), prompts[p].rend());
            const auto half = text.size() / 2;
            answer(p, s, last ? text.substr(half) + "\x1b[31m" + std::to_string(s) : text.substr(0, half),
                   last ? s == 0 ? "stop" : "length" : "");
          }
      send({{"event", "done"}, {"summary", {{"tokens", 1}}}});
      continue;
    }
    std::map<std::string, std::filesystem::path> inputs;
    for (const auto& [name, path] : message.at("inputs").items()) inputs[name] = path.get<std::string>();
    if (rank == 0) send({{"event", "progress"}, {"done", 1}, {"total", 1}, {"unit", "stage"}});
    if (rank == 0) send({{"event", "metric"}, {"name", "loss"}, {"step", 1}, {"value", 0.5}});
    try {
      WorkerRequest request{kind, message.at("spec"), inputs, message.at("output").get<std::string>()};
      if (const auto place = message.find("checkpoint"); place != message.end())
        request.checkpoint = {place->at("folder").get<std::string>(), place->at("key")};
      if (const auto server = message.find("endpoint"); server != message.end())
        request.endpoint = trl::contract::Endpoint::read(*server);
      const auto summary = testing::fake_stage(request, message.at("secret"));
      json done = {{"event", "done"}, {"summary", summary}};
      if (const char* made_on = std::getenv("FAKE_MADE_ON")) done["made_on"] = json::parse(made_on);
      send(std::move(done));
    } catch (const StageFailed& failure) {
      send({{"event", "error"}, {"message", failure.what()}, {"help", failure.help}});
    } catch (const trl::UserError& error) {
      send({{"event", "error"}, {"message", error.what()}, {"help", error.help}});
    }
  }
  return 0;
}
