#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "base/error.hpp"
#include "base/file.hpp"
#include "h5/h5.hpp"
#include "temporary_folder.hpp"

namespace hiple::h5 {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class H5Test : public testing::Test {
 protected:
  /// The message with which `read` is refused.
  template <class Read>
  std::string refusal(Read read) {
    try {
      read();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string open() {
    return refusal([&] { Reader(path_, "test", 1); });
  }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {})); }

  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "f.h5";
};

TEST_F(H5Test, RoundTripOfEveryType) {
  const auto round_trip = [&]<class T>(T high) {
    const std::vector<T> values = {T(0), T(1), high};
    Writer writer(path_, "test", 1);
    writer.write("/deep/er/x", values);
    writer.attribute("/deep", "a", high);
    writer.finish();
    const Reader reader(path_, "test", 1);
    EXPECT_EQ(reader.read<T>("/deep/er/x"), values);
    EXPECT_EQ(reader.read<T>("deep/er/x"), values);
    EXPECT_EQ(reader.attribute<T>("/deep", "a"), high);
  };
  round_trip(std::numeric_limits<std::uint8_t>::max());
  round_trip(std::numeric_limits<std::uint16_t>::max());
  round_trip(std::numeric_limits<std::uint32_t>::max());
  round_trip(std::numeric_limits<std::uint64_t>::max());
  round_trip(std::numeric_limits<std::int8_t>::min());
  round_trip(std::numeric_limits<std::int32_t>::min());
  round_trip(std::numeric_limits<std::int64_t>::min());
  round_trip(std::numeric_limits<float>::infinity());
  round_trip(1e-300);
  EXPECT_EQ(files(), 1U) << "a temporary file was left behind";
}

TEST_F(H5Test, MatricesRowsAndEmptyDataSets) {
  std::vector<float> matrix(6);
  std::iota(matrix.begin(), matrix.end(), 0.0F);
  Writer writer(path_, "test", 1);
  writer.write("m", matrix, 3);
  writer.write("none", std::span<const float>());
  writer.write("no_rows", std::span<const float>(), 4);
  writer.write("no_texts", std::span<const std::string>());
  EXPECT_THROW(writer.write("bad", matrix, 4), Error);
  EXPECT_THROW(writer.write("bad", matrix, 0), Error);
  writer.finish();
  const Reader reader(path_, "test", 1);
  EXPECT_THAT(reader.shape("m"), ElementsAre(2, 3));
  EXPECT_THAT(reader.read<float>("m", 1, 1), ElementsAre(3, 4, 5));
  EXPECT_THAT(reader.read<float>("m", 2, 0), ElementsAre());
  EXPECT_THAT(refusal([&] { return reader.read<float>("m", 1, 2); }), HasSubstr("m: has 2 rows: row 3 was asked for"));
  EXPECT_THAT(refusal([&] { return reader.read<float>("m", 9, SIZE_MAX); }), HasSubstr("has 2 rows"));
  EXPECT_THAT(reader.shape("none"), ElementsAre(0));
  EXPECT_THAT(reader.shape("no_rows"), ElementsAre(0, 4));
  EXPECT_THAT(reader.read<float>("no_rows"), ElementsAre());
  EXPECT_THAT(reader.read_texts("no_texts"), ElementsAre());
  EXPECT_THAT(reader.names("/"), ElementsAre("m", "no_rows", "no_texts", "none"));
}

TEST_F(H5Test, Texts) {
  const std::vector<std::string> texts = {"", "é€😀", "a longer one, with \n a line", " "};
  Writer writer(path_, "test", 1);
  writer.write("t", texts);
  writer.attribute("t", "empty", "");
  writer.attribute("t", "long", std::string(200000, 'x'));
  const std::vector<std::string> bad = {std::string("a\0b", 3)};
  EXPECT_THROW(writer.write("bad", bad), Error);
  EXPECT_THROW(writer.attribute("t", "bad", bad[0]), Error);
  writer.finish();
  const Reader reader(path_, "test", 1);
  EXPECT_EQ(reader.read_texts("t"), texts);
  EXPECT_EQ(reader.attribute_text("t", "empty"), "");
  EXPECT_EQ(reader.attribute_text("t", "long").size(), 200000U);
}

TEST_F(H5Test, AppendedPortionsMakeOneDataSet) {
  for (const std::size_t portions : {0U, 1U, 2U, 5U, 9U}) {
    Writer writer(path_, "test", 1, {.chunk_rows = 4});
    writer.create<std::int32_t>("x", 2);
    writer.create<double>("y");
    writer.attribute("x", "unit", "mm");
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < portions; ++i) {
      const std::vector<std::int32_t> rows(2 * i + 2, static_cast<std::int32_t>(i));
      writer.append<std::int32_t>("x", rows);
      all.insert(all.end(), rows.begin(), rows.end());
    }
    EXPECT_THROW(writer.append<std::int32_t>("x", std::vector<std::int32_t>(3)), Error);
    EXPECT_THROW(writer.append<double>("x", std::vector<double>(2)), Error);
    EXPECT_THROW(writer.append<double>("z", std::vector<double>(2)), Error);
    EXPECT_THROW(writer.create<double>("y"), Error);
    writer.finish();
    const Reader reader(path_, "test", 1);
    EXPECT_THAT(reader.shape("x"), ElementsAre(all.size() / 2, 2));
    EXPECT_EQ(reader.read<std::int32_t>("x"), all);
    EXPECT_EQ(reader.attribute_text("x", "unit"), "mm");
    EXPECT_THAT(reader.shape("y"), ElementsAre(0));
  }
}

TEST_F(H5Test, CompressedIsSmallerAndTheSame) {
  const std::vector<double> values(100000, 1.5);
  Writer writer(path_, "test", 1, {.compress = 5});
  writer.write("x", values);
  writer.finish();
  EXPECT_LT(fs::file_size(path_), 20000U);
  EXPECT_EQ(Reader(path_, "test", 1).read<double>("x"), values);
}

TEST_F(H5Test, SmallFilesStaySmall) {
  const std::vector<double> values(3, 1.5);
  Writer writer(path_, "test", 1);
  writer.write("x", values);
  writer.finish();
  EXPECT_LT(fs::file_size(path_), 20000U);
}

TEST_F(H5Test, NothingAppearsBeforeFinish) {
  {
    Writer writer(path_, "test", 1);
    writer.write("x", std::span<const double>());
    EXPECT_FALSE(fs::exists(path_));
  }
  EXPECT_EQ(files(), 0U) << "a temporary file was left behind";
  EXPECT_THROW(Writer(folder_.path() / "none" / "f.h5", "test", 1), Error);
}

TEST_F(H5Test, RefusesWhatIsNoCompleteFileOfTheFormat) {
  EXPECT_THAT(open(), HasSubstr("no such file"));
  write_file(path_, "");
  EXPECT_THAT(open(), HasSubstr("no HDF5 file"));
  write_file(path_, "a,b\n1,2\n");
  EXPECT_THAT(open(), HasSubstr("no HDF5 file"));
  EXPECT_FALSE(is_hdf5(path_));
  EXPECT_THAT(refusal([&] { Reader(folder_.path(), "test", 1); }), HasSubstr("is no file"));
  Writer(path_, "other", 1).finish();
  EXPECT_TRUE(is_hdf5(path_));
  EXPECT_THAT(open(), HasSubstr("is a \"other\" file"));
  Writer(path_, "test", 2).finish();
  EXPECT_THAT(open(), HasSubstr("has version 2: this program reads versions 1 to 1"));
}

TEST_F(H5Test, RefusesMissingObjectsAndOtherTypes) {
  Writer writer(path_, "test", 1);
  const std::vector<float> values = {1, 2};
  writer.write("g/x", values);
  writer.attribute("/", "n", std::uint32_t{7});
  EXPECT_THROW(writer.write("g/x", values), Error) << "twice";
  EXPECT_THROW(writer.attribute("/none", "n", std::uint32_t{7}), Error);
  writer.link_external("elsewhere", "other.h5", "/");
  writer.finish();
  EXPECT_THROW(writer.finish(), Error);
  const Reader reader(path_, "test", 1);
  EXPECT_TRUE(reader.has("g/x"));
  EXPECT_FALSE(reader.has("g/y/z"));
  EXPECT_TRUE(reader.has_attribute("/", "n"));
  EXPECT_THAT(refusal([&] { return reader.read<float>("g/y"); }), HasSubstr("f.h5: g/y: is missing"));
  EXPECT_THAT(refusal([&] { return reader.read<double>("g/x"); }), HasSubstr("g/x: holds f32: f64 is expected"));
  EXPECT_THAT(refusal([&] { return reader.read<std::int32_t>("g/x"); }), HasSubstr("holds f32"));
  EXPECT_THAT(refusal([&] { return reader.read_texts("g/x"); }), HasSubstr("holds f32: text is expected"));
  EXPECT_THAT(refusal([&] { return reader.read<float>("g"); }), HasSubstr("is no data set"));
  EXPECT_THAT(refusal([&] { return reader.attribute<std::int32_t>("/", "n"); }), HasSubstr("holds u32"));
  EXPECT_THAT(refusal([&] { return reader.attribute_text("/", "m"); }), HasSubstr("/@m: is missing"));
  EXPECT_THAT(refusal([&] { return reader.shape("elsewhere/x"); }), HasSubstr("is a link"));
}

/// A file with one data set x of 5000 numbers, as bytes.
std::string sample_bytes(const fs::path& path, std::uint64_t first) {
  std::vector<std::uint64_t> values(5000);
  std::iota(values.begin(), values.end(), first);
  Writer writer(path, "test", 1);
  writer.write("x", values);
  writer.finish();
  return read_file(path);
}

/// The bytes of a number as they stand in a file.
std::string bytes_of(std::uint64_t number) {
  std::string text(sizeof number, '\0');
  for (char& byte : text) {
    byte = static_cast<char>(number & 0xFFU);
    number >>= 8U;
  }
  return text;
}

TEST_F(H5Test, RefusesTruncatedFiles) {
  const std::string whole = sample_bytes(path_, 0);
  for (std::size_t size = 0; size < whole.size(); size += 4999) {
    write_file(path_, whole.substr(0, size));
    EXPECT_NE(open(), "accepted") << size;
  }
  write_file(path_, whole.substr(0, whole.size() - 1));
  EXPECT_THAT(open(), HasSubstr("f.h5: is damaged: it is truncated: "));
}

TEST_F(H5Test, RefusesEveryDamagedByte) {
  const std::string whole = sample_bytes(path_, 0);
  for (std::size_t at = 512; at < whole.size(); at += 4999) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write_file(path_, damaged);
    EXPECT_THAT(open(), HasSubstr("is damaged: its content does not fit its checksum")) << at;
  }
  std::string damaged = whole;
  damaged[0] = 'H';
  write_file(path_, damaged);
  EXPECT_THAT(open(), HasSubstr("is damaged: the checksum that `hiple` writes is gone"));
  damaged = whole;
  damaged[20] = 'x';
  write_file(path_, damaged);
  EXPECT_THAT(open(), HasSubstr("is damaged"));
}

TEST_F(H5Test, ValuesHaveTheirOwnChecksum) {
  std::string text = sample_bytes(path_, 1'000'000);
  const std::size_t at = text.find(bytes_of(1'002'500));
  ASSERT_NE(at, std::string::npos);
  text[at] = static_cast<char>(text[at] ^ 1);
  write_file(path_, text);
  EXPECT_THAT(refusal([&] { return Reader(path_, "test", 1, Verify::parts).read<std::uint64_t>("x"); }),
              HasSubstr("f.h5: x: cannot be read"));
}

TEST_F(H5Test, RefusesADataSetThatClaimsMoreThanTheFileHolds) {
  std::string text = sample_bytes(path_, 1'000'000);
  std::size_t count = 0;  // the sizes stand twice, as they are and as they may become
  for (std::size_t at = text.find(bytes_of(5000)); at != std::string::npos; at = text.find(bytes_of(5000), at + 8), ++count)
    text.replace(at, 8, bytes_of(std::uint64_t{1} << 60U));
  ASSERT_GE(count, 2U);
  write_file(path_, text);
  EXPECT_THAT(refusal([&] { return Reader(path_, "test", 1, Verify::parts).read<std::uint64_t>("x"); }), HasSubstr("claims"));
}

}  // namespace
}  // namespace hiple::h5
