// trl-executor with injected faults: kernels with certain names make it crash, hang, send wrong answers or
// attempt forbidden calls. Otherwise it is the real program.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "verifier/executor_server/server.hpp"

namespace {

using nlohmann::json;
using trl::ByteChannel;

void write_to_nowhere() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

[[noreturn]] void hang() {
  for (volatile bool going = true; going;) {
  }
  std::abort();
}

void reached(bool good, const char* what) {
  if (good) throw std::runtime_error(what);
}

// Each of these attempts must fail.
void try_to_get_out() {
  reached(open("/etc/passwd", O_RDONLY) >= 0, "a file");
  reached(open("/tmp/left", O_CREAT | O_WRONLY, 0600) >= 0, "a new file");
  reached(socket(AF_INET, SOCK_STREAM, 0) >= 0, "the network");
  reached(dup(3) >= 0, "a descriptor");
  reached(kill(getppid(), 0) == 0, "its parent");
  reached(ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0, "its parent's memory");
  reached(mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
              MAP_FAILED,
          "executable memory");
  char* const nothing[] = {nullptr};
  reached(execve("/bin/true", nothing, nothing) == 0, "another program");
  const pid_t child = fork();
  if (child == 0) _exit(0);
  reached(child > 0, "a process");
}

// A well-formed answer, except for the changes of a test.
void answer(const json& request, ByteChannel& channel, const json& changes, unsigned char writer) {
  json head = {
      {"id", request["id"]}, {"findings", json::array()}, {"origin", json::array()}, {"launches", 0}};
  head.update(changes);
  channel.send_line(head.dump());
  std::size_t elements = 1;
  for (const json& extent : request["plan"]["output"]["shape"]) elements *= extent.get<std::size_t>();
  const std::string values(8 * elements, '\0'), writers(elements, static_cast<char>(writer)),
      counters(4096, '\0');
  for (const std::string* part : {&values, &writers, &counters})
    channel.send(std::as_bytes(std::span(*part)));
  hang();
}

void plant(const json& request, const std::vector<std::string>& kernels, ByteChannel& channel) {
  const auto asked = [&](const std::string& name) {
    for (const std::string& text : kernels)
      if (text.find("@" + name + "(") != std::string::npos) return true;
    return false;
  };
  if (!request.contains("plan")) {
    if (asked("crash_in_parse")) write_to_nowhere();
    if (asked("hang_in_parse")) hang();
    if (asked("nonsense_in_parse")) channel.send_line("{\"id\": ");
    return;
  }
  if (asked("crash")) write_to_nowhere();
  if (asked("abort")) std::abort();
  if (asked("leave")) _exit(0);
  if (asked("hang")) hang();
  if (asked("nonsense")) channel.send_line("no json");
  if (asked("other_id")) channel.send_line(json{{"id", 7777}}.dump());
  if (asked("long_line"))
    for (const std::string text(1 << 20, 'x'); channel.send(std::as_bytes(std::span(text)));) {
    }
  if (asked("nested")) channel.send_line(std::string(3 << 20, '['));
  if (asked("strange_writer")) answer(request, channel, json::object(), 9);
  if (asked("strange_kind"))
    answer(request, channel,
           {{"findings", {{{"kind", "correct"}, {"message", ""}, {"line", 0}, {"memory", true}}}}}, 1);
  if (asked("strange_line"))
    answer(request, channel,
           {{"findings", {{{"kind", "race"}, {"message", ""}, {"line", -3}, {"memory", true}}}}}, 1);
  if (asked("many_launches")) answer(request, channel, {{"launches", 1'000'000'000}}, 1);
  if (asked("huge_launches")) answer(request, channel, {{"launches", 18'000'000'000'000'000'000u}}, 1);
  if (asked("cut")) {
    channel.send_line(json{
        {"id", request["id"]},
        {"findings", json::array()},
        {"origin", json::array()},
        {"launches", 0}}.dump());
    _exit(0);
  }
  if (asked("lingers")) {
    // Stays behind and writes to any descriptor that it finds, as if it were the next child.
    for (int round = 0;; ++round)
      for (int descriptor = 0; descriptor < 16; ++descriptor) {
        const std::string forged = "{\"id\":" + std::to_string(round % 64) + ",\"ok\":true}\n";
        if (descriptor != 3 && write(descriptor, forged.data(), forged.size()) > 0) std::abort();
      }
  }
  if (asked("takes_memory")) {
    for (std::size_t taken = 0;; ++taken) static_cast<void>(new std::string(std::size_t{64} << 20, 'x'));
  }
  if (asked("escapes")) try_to_get_out();
}

}  // namespace

int main(int count, char** words) { return trl::runtime::serve_candidates(count, words, plant); }
