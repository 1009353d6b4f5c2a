#include <gmock/gmock.h>

#include "base/file.hpp"
#include "run/add_engine_versions.hpp"
#include "temporary_folder.hpp"

namespace hiple {
namespace {

namespace fs = std::filesystem;

/// A run with two engines, in which every file says which it is.
class VersionsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string& engine : engines_) {
      make_folder(run_.engine(engine));
      write_file(run_.checkpoint(engine), "checkpoint of " + engine);
      write_file(run_.log(engine), "log of " + engine);
      make_folder(run_.all_judgments());
      write_file(run_.judgments(engine), "judgments of " + engine);
    }
    for (const fs::path& file :
         {run_.config(), run_.build(), run_.decisions(), run_.judgment_index(), run_.summary(), run_.status()})
      write_file(file, "old " + file.filename().string());
  }

  /// Makes the version to come, with an engine "c" that is new.
  void make_next(Versions& versions) {
    const RunDirectory next = versions.next();
    versions.share(engines_);
    make_folder(next.engine("c"));
    write_file(next.checkpoint("c"), "checkpoint of c");
    write_file(next.judgments("c"), "judgments of c");
    for (const fs::path& file :
         {next.config(), next.build(), next.decisions(), next.judgment_index(), next.summary(), next.status()})
      write_file(file, "new " + file.filename().string());
  }

  [[nodiscard]] std::string shown() const {
    std::string text;
    for (const fs::path& file :
         {run_.config(), run_.build(), run_.decisions(), run_.judgment_index(), run_.summary(), run_.status()})
      text += read_file(file) + "\n";
    for (const std::string& engine : engines_) text += read_file(run_.checkpoint(engine)) + read_file(run_.judgments(engine));
    return text;
  }

  TemporaryFolder folder_;
  RunDirectory run_{folder_.path() / "run", 2};
  std::vector<std::string> engines_ = {"a", "b"};
};

TEST_F(VersionsTest, KeepingAVersionChangesNothingThatIsShown) {
  const std::string before = shown();
  Versions versions(run_.root(), 2);
  EXPECT_FALSE(versions.current());
  EXPECT_EQ(versions.keep(engines_, {}), 1U);
  EXPECT_EQ(shown(), before);
  EXPECT_TRUE(fs::is_symlink(run_.decisions()));
  EXPECT_EQ(read_file(versions.folder(1) / "engines/a/checkpoint.h5"), "checkpoint of a");
  EXPECT_TRUE(fs::equivalent(versions.folder(1) / "engines/a/checkpoint.h5", run_.checkpoint("a")));
  EXPECT_EQ(versions.keep(engines_, {}), 1U) << "it is one already";
}

TEST_F(VersionsTest, AVersionComesIntoForceAsAWhole) {
  const std::string before = shown();
  Versions versions(run_.root(), 2);
  versions.keep(engines_, {});
  make_next(versions);
  EXPECT_EQ(shown(), before);
  EXPECT_FALSE(fs::exists(run_.engine("c")));
  EXPECT_EQ(versions.put_into_force({"a", "b", "c"}, {"c"}), 2U);
  EXPECT_EQ(read_file(run_.decisions()), "new decisions.h5");
  EXPECT_EQ(read_file(run_.checkpoint("c")), "checkpoint of c");
  EXPECT_EQ(read_file(run_.judgments("c")), "judgments of c");
  EXPECT_EQ(read_file(versions.folder(1) / "decisions.h5"), "old decisions.h5");
  EXPECT_FALSE(fs::exists(versions.folder(1) / "engines/c"));
  EXPECT_FALSE(fs::exists(versions.next().root()));
}

/// What a process leaves that was ended after any step: the directory shows the old version, and it can be done again.
TEST_F(VersionsTest, WhatNeverCameIntoForceIsForgotten) {
  const std::string before = shown();
  Versions versions(run_.root(), 2);
  versions.keep(engines_, {});
  make_next(versions);
  make_folder(run_.root() / "versions/keeping");
  fs::rename(versions.next().root(), versions.folder(2));  // and `current` still names the first
  fs::create_symlink("versions/2", run_.root() / "current.tmp.1.2");
  EXPECT_EQ(shown(), before);
  Versions again(run_.root(), 2);
  EXPECT_EQ(again.keep(engines_, {}), 1U);
  EXPECT_FALSE(fs::exists(again.folder(2)));
  EXPECT_FALSE(fs::exists(run_.root() / "versions/keeping"));
  EXPECT_FALSE(fs::is_symlink(run_.root() / "current.tmp.1.2"));
  make_next(again);
  EXPECT_EQ(again.put_into_force({"a", "b", "c"}, {"c"}), 2U);
  EXPECT_EQ(read_file(run_.status()), "new STATUS");
}

TEST_F(VersionsTest, LinksThatAreHalfMadeAreMadeAgain) {
  const std::string before = shown();
  Versions versions(run_.root(), 2);
  versions.keep(engines_, {});
  // As if it had been ended before this name became a link.
  fs::remove(run_.summary());
  fs::create_hard_link(versions.folder(1) / "summary.txt", run_.summary());
  EXPECT_EQ(versions.keep(engines_, {}), 1U) << "the same file: no version of its own";
  EXPECT_TRUE(fs::is_symlink(run_.summary()));
  EXPECT_EQ(shown(), before);
}

TEST_F(VersionsTest, WhatIsWrittenIntoTheDirectoryLaterIsAVersionOfItsOwn) {
  Versions versions(run_.root(), 2);
  versions.keep(engines_, {});
  fs::remove(run_.status());
  write_file(run_.decisions(), "integrated");
  write_file(run_.status(), "integrated too");
  EXPECT_EQ(versions.keep(engines_, {}), 2U);
  EXPECT_EQ(read_file(run_.decisions()), "integrated");
  EXPECT_EQ(read_file(versions.folder(2) / "decisions.h5"), "integrated");
  EXPECT_EQ(read_file(versions.folder(2) / "run.yaml"), "old run.yaml");
  EXPECT_EQ(read_file(versions.folder(1) / "decisions.h5"), "old decisions.h5");
}

TEST_F(VersionsTest, AnEngineIsMadeAnewBesideItsOldFiles) {
  const std::string before = shown();
  make_folder(run_.engine("a") / "work");
  write_file(run_.engine("a") / "work/scratch", "old scratch");
  Versions versions(run_.root(), 2);
  versions.keep(engines_, {"a"});
  EXPECT_EQ(shown(), before);
  EXPECT_FALSE(fs::is_symlink(run_.engine("a")));
  EXPECT_TRUE(fs::is_symlink(run_.checkpoint("a")));
  const RunDirectory next = versions.next();
  versions.share({"b"});
  make_folder(next.engine("a") / "work");
  write_file(next.checkpoint("a"), "new checkpoint of a");
  write_file(next.result("a"), "a file that there was not");
  write_file(next.engine("a") / "work/scratch", "new scratch");
  write_file(next.judgments("a"), "new judgments of a");
  for (const fs::path& file : {next.config(), next.build(), next.decisions(), next.status()}) write_file(file, "new");
  EXPECT_EQ(shown(), before);
  versions.put_into_force(engines_, {"a"});
  EXPECT_EQ(read_file(run_.checkpoint("a")), "new checkpoint of a");
  EXPECT_EQ(read_file(run_.result("a")), "a file that there was not");
  EXPECT_EQ(read_file(run_.engine("a") / "work/scratch"), "new scratch");
  EXPECT_EQ(read_file(run_.judgments("a")), "new judgments of a");
  EXPECT_FALSE(fs::exists(run_.log("a"))) << "the new version has none";
  EXPECT_EQ(read_file(versions.folder(1) / "engines/a/checkpoint.h5"), "checkpoint of a");
  EXPECT_EQ(read_file(versions.folder(1) / "engines/a/work/scratch"), "old scratch");
  EXPECT_EQ(read_file(run_.checkpoint("b")), "checkpoint of b");
}

TEST_F(VersionsTest, TheDirectoryMayBeMoved) {
  Versions versions(run_.root(), 2);
  versions.keep(engines_, {});
  make_next(versions);
  versions.put_into_force({"a", "b", "c"}, {"c"});
  fs::rename(run_.root(), folder_.path() / "elsewhere");
  const RunDirectory moved(folder_.path() / "elsewhere", 3);
  EXPECT_EQ(read_file(moved.decisions()), "new decisions.h5");
  EXPECT_EQ(read_file(moved.checkpoint("c")), "checkpoint of c");
}

}  // namespace
}  // namespace hiple
