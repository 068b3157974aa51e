#include "base/support/reading.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "tests/support/scratch.hpp"

using namespace trl;
namespace fs = std::filesystem;

namespace {

template <typename Act>
std::string message_of(const Act& act) {
  try {
    act();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Ends the test program if reading waits.
class ReadingTest : public ::testing::Test {
 protected:
  ReadingTest() { ::alarm(60); }
  ~ReadingTest() override { ::alarm(0); }
  std::string refusal(const fs::path& file, const Reading& how = {}) const {
    return message_of([&] { read_text(file, how); });
  }
  test::Scratch scratch_;
};

}  // namespace

TEST_F(ReadingTest, APipeADeviceAndASocketAreRefusedAtOnce) {
  const auto pipe = scratch_.path / "pipe", link = scratch_.path / "link", socket = scratch_.path / "socket";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink(pipe, link);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
  const int listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_TRUE(has(refusal(pipe), "is a named pipe")) << refusal(pipe);
  EXPECT_TRUE(has(refusal(link), "is a named pipe"));
  EXPECT_TRUE(has(refusal("/dev/zero"), "is a device"));
  EXPECT_TRUE(has(refusal(socket), "is a socket"));
  EXPECT_TRUE(has(message_of([&] { read_text(pipe); }), "is a named pipe")) << "without options as well";
  EXPECT_TRUE(has(message_of([&] { read_blocks("/dev/zero", [](std::string_view) {}); }), "is a device"));
  EXPECT_TRUE(has(refusal(pipe, {.argument = true}), "is a named pipe")) << "only /dev/fd/N may be one";
  ::close(listening);
}

TEST_F(ReadingTest, AFolderAndAMissingFileAreErrorsOfTheSystem) {
  EXPECT_THROW(read_text(scratch_.path, Reading()), ReadError);
  EXPECT_THROW(read_text(scratch_.path / "none", Reading()), ReadError);
  EXPECT_EQ(text_if_there(scratch_.path / "none", {}), std::nullopt);
  EXPECT_EQ(text_if_there(scratch_.path / "none/deeper", {}), std::nullopt);
}

TEST_F(ReadingTest, NoLinkLeadsOutOfAFolder) {
  const auto folder = scratch_.path / "given", beside = scratch_.path / "given too";
  fs::create_directories(folder / "in"), fs::create_directories(beside);
  write_text(scratch_.path / "secret", "secret"), write_text(beside / "secret", "secret");
  write_text(folder / "in/file", "own");
  fs::create_symlink("../secret", folder / "out");
  fs::create_symlink(beside, folder / "folder");
  fs::create_symlink("in/file", folder / "inside");
  fs::create_symlink(folder, scratch_.path / "link to given");
  const Reading within{.within = folder};
  for (const char* name : {"out", "folder/secret", "../secret", "../given too/secret"})
    EXPECT_TRUE(has(refusal(folder / name, within), "leads out of the folder")) << name;
  EXPECT_TRUE(has(refusal(folder / "out", within), (scratch_.path / "secret").string()))
      << "the target is named";
  EXPECT_EQ(read_text(folder / "inside", within), "own");
  EXPECT_EQ(read_text(folder / "in/file", within), "own");
  EXPECT_EQ(read_text(folder / "out", {}), "secret") << "a file that the user named";
  EXPECT_EQ(read_text(scratch_.path / "link to given/in/file", {.within = scratch_.path / "link to given"}),
            "own")
      << "the folder itself may be a link";
}

TEST_F(ReadingTest, SnapshotsOfHuggingFacesCacheAreReadThroughTheirLinks) {
  const auto repository = scratch_.path / "hub/models--owner--name", snapshot = repository / "snapshots/abc";
  fs::create_directories(snapshot), fs::create_directories(repository / "blobs");
  write_text(repository / "blobs/0123", "weights"), write_text(repository / "token", "secret");
  fs::create_symlink("../../blobs/0123", snapshot / "model.safetensors");
  fs::create_symlink("../../token", snapshot / "config.json");
  EXPECT_EQ(read_text(snapshot / "model.safetensors", {.within = snapshot}), "weights");
  EXPECT_TRUE(has(refusal(snapshot / "config.json", {.within = snapshot}), "leads out"));
  // `hf download --local-dir` of older versions left links to the cache in any folder.
  fs::create_directories(scratch_.path / "local");
  fs::create_symlink(repository / "blobs/0123", scratch_.path / "local/model.safetensors");
  EXPECT_EQ(read_text(scratch_.path / "local/model.safetensors", {.within = scratch_.path / "local"}),
            "weights");
}

TEST_F(ReadingTest, NoMoreIsReadThanIsAllowed) {
  const auto file = scratch_.path / "file";
  write_text(file, "12345");
  EXPECT_EQ(read_text(file, {.most = 5}), "12345");
  EXPECT_TRUE(has(refusal(file, {.most = 4}), "has 5 bytes, and at most 4 bytes are read"));
  fs::resize_file(file, std::uint64_t{1} << 40);  // a sparse file, which takes no space
  EXPECT_TRUE(has(message_of([&] { read_text(file); }), "has 1.0 TiB"));
}

TEST_F(ReadingTest, AnArgumentMayBeAnOpenDescriptor) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "one\ntwo", 7), 7);
  ::close(ends[1]);
  const auto name = "/dev/fd/" + std::to_string(ends[0]);
  EXPECT_TRUE(has(refusal(name), "is a named pipe")) << "a file of others may not";
  std::vector<std::string> lines;
  for_each_line(name, {.argument = true}, [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
  ::close(ends[0]);
}
