#include "base/tensors/safetensors.hpp"

#include <gtest/gtest.h>

#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::stage_error;
using testing::TemporaryFolder;

void write_file(const std::filesystem::path& file, const std::string& header, const std::string& data,
                std::uint64_t claimed = UINT64_MAX) {
  std::ofstream out(file, std::ios::binary);
  const std::uint64_t length = claimed == UINT64_MAX ? header.size() : claimed;
  out.write(reinterpret_cast<const char*>(&length), 8);
  out << header << data;
}

TEST(SafetensorsTest, WhatIsWrittenIsReadBack) {
  const TemporaryFolder folder;
  Safetensors content;
  content.metadata = {{"format", "pt"}, {"manifest", "abc \"quoted\""}};
  content.tensors["b"] = at::arange(6, at::kFloat).view({2, 3});
  content.tensors["a"] = at::tensor({1.5, -2.0}).to(at::kBFloat16);
  content.tensors["empty"] = at::empty({0, 4});
  content.tensors["scalar"] = at::scalar_tensor(7, at::kLong);
  write_safetensors(folder / "x.safetensors", content);
  const auto read = read_safetensors(folder / "x.safetensors");
  EXPECT_EQ(read.metadata, content.metadata);
  ASSERT_EQ(read.tensors.size(), content.tensors.size());
  for (const auto& [name, tensor] : content.tensors) {
    EXPECT_EQ(read.tensors.at(name).scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(at::equal(read.tensors.at(name), tensor)) << name;
  }
}

TEST(SafetensorsTest, UnalignedTensorsAreRead) {
  const TemporaryFolder folder;
  const float value = 2.5F;
  write_file(folder / "x", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} )",
             std::string(reinterpret_cast<const char*>(&value), 4));
  EXPECT_EQ(read_safetensors(folder / "x").tensors.at("a").item<float>(), 2.5F);
}

TEST(SafetensorsTest, DtypesThatNothingComputesWithAreNoErrorUntilTheyAreNeeded) {
  const TemporaryFolder folder;
  write_file(folder / "x",
             R"({"scale":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]},)"
             R"("codes":{"dtype":"F4","shape":[3,2],"data_offsets":[2,5]},)"
             R"("w":{"dtype":"I8","shape":[1],"data_offsets":[5,6]},"__metadata__":null})",
             "abcdef");
  const auto content = read_safetensors(folder / "x");
  EXPECT_EQ(content.tensors.size(), 1U);
  EXPECT_EQ(content.tensors.at("w").item<int>(), 'f');
  EXPECT_EQ(content.unusable, (std::map<std::string, std::string>{{"scale", "is stored as F8_E4M3"},
                                                                  {"codes", "is stored as F4"}}));
}

struct Damage {
  const char* name;
  const char* header;
  std::size_t data;
  const char* message;
};

class DamagedSafetensorsTest : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedSafetensorsTest, IsRejectedWithTheFileAndTheReason) {
  const TemporaryFolder folder;
  const auto file = folder / "model.safetensors";
  write_file(file, GetParam().header, std::string(GetParam().data, '\0'));
  const auto message = stage_error([&] { read_safetensors(file); });
  EXPECT_NE(message.find(file.string()), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Headers, DamagedSafetensorsTest,
    ::testing::Values(
        Damage{"not_json", "{\"a\":", 0, "the header is not JSON"},
        Damage{"not_object", "[]", 0, "not a JSON object"},
        Damage{
            "duplicate_tensor",
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
            1, "the key `a` twice"},
        Damage{"duplicate_field", R"({"a":{"dtype":"U8","dtype":"I8","shape":[1],"data_offsets":[0,1]}})", 1,
               "the key `dtype` twice"},
        Damage{"unknown_dtype", R"({"a":{"dtype":"F3","shape":[1],"data_offsets":[0,1]}})", 1,
               "unknown dtype F3"},
        Damage{"half_a_byte", R"({"a":{"dtype":"F4","shape":[1],"data_offsets":[0,1]}})", 1,
               "4 bits are no whole number"},
        Damage{"shape_no_list", R"({"a":{"dtype":"U8","shape":1,"data_offsets":[0,1]}})", 1,
               "its shape is 1"},
        Damage{"negative_shape", R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1,
               "its shape is [-1]"},
        Damage{"overflow", R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0,
               "overflows"},
        Damage{"size_disagrees", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4,
               "need 8 bytes"},
        Damage{"backwards", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", 1,
               "data_offsets are [1,0]"},
        Damage{
            "gap",
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
            3, "leave a gap"},
        Damage{
            "overlap",
            R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
            3, "overlap"},
        Damage{"truncated", R"({"a":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})", 8, "truncated"},
        Damage{"trailing", R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 2,
               "follow the last tensor"},
        Damage{"metadata_not_text", R"({"__metadata__":{"a":1}})", 0, "is not a string"},
        Damage{"missing_field", R"({"a":{"dtype":"U8","shape":[1]}})", 1, "data_offsets"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(SafetensorsTest, HeaderLengthsAreChecked) {
  const TemporaryFolder folder;
  const auto reason = [&](std::uint64_t claimed) {
    write_file(folder / "x", "{}", "", claimed);
    return stage_error([&] { read_safetensors(folder / "x"); });
  };
  EXPECT_NE(reason(100'000'001).find("at most 100000000"), std::string::npos);
  EXPECT_NE(reason(UINT64_MAX - 1).find("at most 100000000"), std::string::npos);
  EXPECT_NE(reason(3).find("truncated after 2"), std::string::npos);
  write_text(folder / "short", "abc");
  EXPECT_NE(stage_error([&] { read_safetensors(folder / "short"); }).find("3 bytes"), std::string::npos);
  EXPECT_NE(stage_error([&] { read_safetensors(folder / "absent"); }).find("cannot read"), std::string::npos);
}

}  // namespace
}  // namespace trl::runtime
