#include <limits>

#include "feeding.hpp"
#include "h5_edits.hpp"
#include "judgment/foreign.hpp"
#include "judgment/judgment_check.hpp"
#include "judgment/judgment_stream.hpp"
#include "judgment/request.hpp"
#include "targets.hpp"

namespace hiple::fuzz {

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Judgments three_cases() {
  Judgments judgments;
  judgments.engine = "hypo";
  judgments.domain = "hypothyroid";
  judgments.classes = {"none", "F"};
  judgments.case_id = {3, 5, 99};
  judgments.label = {1, no_label, no_label};
  judgments.confidence = {0.75F, 0.5F, nan};
  judgments.probability = {0.25F, 0.75F, 0.5F, 0.5F, nan, nan};
  judgments.typicality = {1, 0, nan};
  judgments.status = {JudgmentStatus::judged, JudgmentStatus::abstained, JudgmentStatus::invalid};
  return judgments;
}

void feed_ours(const std::filesystem::path& path) {
  JudgmentStream stream(path);
  const Judgments all = read_judgments(path);
  check(fault_of(all).empty(), "judgments that are read are sound");
  check(stream.rows() == all.size(), "a portion after the other is all of them");
  (void)stream.leaves_cases_out();
  if (all.size() == 0) return;
  const Judgments first = stream.up_to(all.case_id.front(), 1), rest = stream.up_to(all.case_id.back(), 1);
  check(first.size() == 1 && first.size() + rest.size() == all.size(), "no judgment is lost between portions");
}

void feed_foreign(const std::filesystem::path& path) {
  const Judgments ours = three_cases();
  const Judgments read = read_foreign_judgments(path, {ours.classes, ours.case_id});
  check(fault_of(read).empty(), "judgments of another program that are taken are sound");
  check(read.case_id == ours.case_id && read.classes == ours.classes, "they are of the table's cases and the target's classes");
}

void feed_index(const std::filesystem::path& path) {
  for (const IndexEntry& entry : read_judgment_index(path)) {
    check(entry.file.is_relative(), "an index names no file by its whole path");
    for (const auto& part : entry.file.lexically_normal()) check(part != "..", "an index names no file elsewhere");
  }
}

void feed_request(const std::filesystem::path& path) {
  const JudgingRequest request = read_request(path, "hypo");
  for (std::size_t i = 1; i < request.case_id.size(); ++i)
    check(request.case_id[i - 1] < request.case_id[i], "the cases of a request ascend");
}

}  // namespace

/// The first line says which file is changed: `ours`, `foreign`, `index` or `request`.
void feed_judgments(std::string_view input) {
  static const EditedFile ours("hypo.h5", [](const auto& path) { write_judgments(path, three_cases()); });
  static const EditedFile index("judgments.h5", [](const auto& path) {
    write_judgment_index(path, {{"hypo", "judgments/hypo.h5", "ab", {"none", "F"}, "complete"}, {"nti", {}, {}, {}, "failed"}});
  });
  static const EditedFile request("request.h5", [](const auto& path) {
    write_request(path, {"hypo", {3, 5}, "a", "b", "c", 0, 1});
  });
  const std::size_t end = input.find('\n');
  const std::string_view which = input.substr(0, end), changes = end == std::string_view::npos ? "" : input.substr(end + 1);
  refusing([&] {
    if (which == "ours") feed_ours(ours.changed(changes));
    if (which == "foreign")
      feed_foreign(ours.changed("number / version u32 1\nremove label\nremove status\nremove confidence\n" +
                                std::string("values probability f32 3 2 0.25 0.75\n") + "values typicality f32 3 0 0.5\n" +
                                std::string(changes)));
    if (which == "index") feed_index(index.changed(changes));
    if (which == "request") feed_request(request.changed(changes));
  });
}

}  // namespace hiple::fuzz
