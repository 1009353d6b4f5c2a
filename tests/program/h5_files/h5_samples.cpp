// Writes files that test_h5_files.py reads with h5py, and reads files that h5py wrote.
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "h5/h5.hpp"
#include "judgment/judgment.hpp"

namespace {

void write_samples(const std::filesystem::path& folder) {
  hiple::Judgments judgments;
  judgments.engine = "hypo";
  judgments.domain = "Schilddrüse";
  judgments.classes = {"none", "F"};
  for (std::uint64_t i = 0; i < 70'000; ++i) {
    judgments.case_id.push_back(2 * i + 1);
    judgments.label.push_back(i % 2 == 0 ? 1 : hiple::no_label);
    judgments.status.push_back(i % 2 == 0 ? hiple::JudgmentStatus::judged : hiple::JudgmentStatus::abstained);
    judgments.confidence.push_back(0.75F);
    judgments.probability.insert(judgments.probability.end(), {0.25F, 0.75F});
    judgments.typicality.push_back(0.5F);
  }
  judgments.steps = 9;
  std::filesystem::create_directories(folder / "judgments");
  hiple::write_judgments(folder / "judgments" / "hypo.h5", judgments);
  hiple::write_judgment_index(folder / "judgments.h5", {{"hypo", "judgments/hypo.h5", "ab", judgments.classes, "complete"},
                                                        {"nti", "", "", {}, "failed"}});
  hiple::h5::Writer writer(folder / "sample.h5", "sample", 1, {.chunk_rows = 4, .compress = 6});
  writer.create<std::int64_t>("/g/rows", 2);
  for (std::int64_t i = 0; i < 5; ++i) writer.append<std::int64_t>("/g/rows", std::vector<std::int64_t>{i, -i, i, -i});
  writer.attribute("/g/rows", "unit", "mm");
  writer.write("/g/texts", std::vector<std::string>{"", "é€", "long text"});
  writer.write("/g/empty", std::vector<double>());
  writer.finish();
}

/// What h5py wrote, written again by us.
void copy(const std::filesystem::path& from, const std::filesystem::path& to) {
  const hiple::h5::Reader reader(from, "sample", 1);
  hiple::h5::Writer writer(to, "sample", 1);
  writer.write("texts", reader.read_texts("texts"));
  writer.write("x", reader.read<double>("x"));
  writer.attribute("/", "note", reader.attribute_text("/", "note"));
  writer.finish();
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (words.size() == 2 && words[0] == "write") return write_samples(words[1]), 0;
    if (words.size() == 3 && words[0] == "copy") return copy(words[1], words[2]), 0;
    std::fputs("h5_samples write FOLDER | copy FROM TO\n", stderr);
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
