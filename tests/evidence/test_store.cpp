#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "evidence_sample.hpp"
#include "h5/h5.hpp"
#include "temporary_folder.hpp"

namespace hiple::evidence {
namespace {

using testing::HasSubstr;

Store sample() {
  Store store =
      store_of({says(7, "TSH", "7.2", "north", "2026-01-01", "mU/L", 0.9), says(18446744073709551615U, "state", "", "lee")},
               {{"F-1", 120, 113, "registry, \"2025\"", 20000, 1, 3}});
  append(store, {"2026-03-01T00:00:00Z", "b.csv", std::string(64, '1'), 0, 0, {}},
         {says(7, "TSH", "7.2", "north", "1969-12-31", "mU/L")}, {});
  return store;
}

class StoreFile : public testing::Test {
 protected:
  std::string refusal() const {
    try {
      read_store(path_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  }
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "evidence.h5";
};

TEST_F(StoreFile, ReadsBackWhatItWrote) {
  const Store store = sample();
  write_store(path_, store);
  EXPECT_EQ(read_store(path_), store);
  write_store(path_, Store());
  EXPECT_EQ(read_store(path_), Store());
}

TEST_F(StoreFile, RefusesARecordThatWasChanged) {
  for (int which = 0; which < 6; ++which) {
    Store store = sample();
    if (which == 0) store.cases[0].value = "7.3";
    if (which == 1) store.cases[1].case_id = 8;
    if (which == 2) store.rules[0].held = 120;
    if (which == 3) store.entries[0].recorded = "2026-02-02T00:00:00Z";
    if (which == 4) store.cases[2].line = 3;
    if (which == 5) store.cases[0].reliability = 1;
    EXPECT_THROW(write_store(path_, store), InputError) << which;
  }
}

/// Somebody who rewrites the past of one entry must rewrite all that came after it.
TEST_F(StoreFile, AnEntryCoversWhatWasThereBefore) {
  Store store = sample();
  Store other = store_of({says(7, "TSH", "7.3", "north", "2026-01-01", "mU/L", 0.9)});
  store.entries[0] = other.entries[0];
  store.cases.erase(store.cases.begin() + 1);
  store.cases[0] = other.cases[0];
  store.rules.clear();
  EXPECT_THROW(write_store(path_, store), InputError);
  EXPECT_NE(sample().entries[0].hash, sample().entries[1].hash);
}

TEST_F(StoreFile, RefusesFilesThatAreDamagedOrAreNone) {
  EXPECT_THAT(refusal(), HasSubstr("no such file"));
  write_store(path_, sample());
  std::string bytes = read_file(path_);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_file(path_, bytes);
  EXPECT_THAT(refusal(), HasSubstr("evidence.h5"));
  write_file(path_, "case,about\n");
  EXPECT_THAT(refusal(), HasSubstr("evidence.h5"));
  h5::Writer(path_, "hiple request", 1).finish();
  EXPECT_THAT(refusal(), HasSubstr("hiple request"));
}

TEST_F(StoreFile, RefusesTextsThatAreNotThere) {
  write_store(path_, sample());
  const auto other = folder_.path() / "other.h5";
  h5::Writer file(other, "hiple evidence", 1);
  file.write("texts", std::vector<std::string>{"a"});
  for (const char* name : {"entries/recorded", "entries/file", "entries/file_sha256", "entries/hash"})
    file.write(name, std::vector<std::uint32_t>{1});
  file.write("entries/cases", std::vector<std::uint64_t>{0});
  file.write("entries/rules", std::vector<std::uint64_t>{0});
  file.finish();
  path_ = other;
  EXPECT_THAT(refusal(), HasSubstr("entries/recorded names a text that is not there"));
}

TEST(AsItWas, FindsEveryEarlierState) {
  const Store store = sample();
  EXPECT_EQ(*as_it_was(store, Store().head()), Store());
  EXPECT_EQ(*as_it_was(store, store.head()), store);
  const auto first = as_it_was(store, store.entries[0].hash);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->cases.size(), 2U);
  EXPECT_EQ(first->rules.size(), 1U);
  EXPECT_EQ(first->head(), store.entries[0].hash);
  EXPECT_FALSE(as_it_was(store, std::string(64, 'f')));
  EXPECT_FALSE(as_it_was(store, ""));
}

TEST(Store, KnowsWhereARecordCameFrom) {
  EXPECT_EQ(sample().origin_of_case(0), "some.csv:2");
  EXPECT_EQ(sample().origin_of_case(2), "b.csv:2");
  EXPECT_EQ(sample().origin_of_rule(0), "some.csv:3");
  EXPECT_EQ(sample().entry_of_case(2).recorded, "2026-03-01T00:00:00Z");
}

}  // namespace
}  // namespace hiple::evidence
