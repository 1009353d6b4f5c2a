#include <fmt/format.h>

#include "base/error.hpp"
#include "h5/h5.hpp"
#include "judgment/judgment.hpp"

namespace hiple {

namespace {

constexpr const char* format = "hiple judgment index";
constexpr std::uint32_t version = 1;

bool is_status(const std::string& status) { return status == "complete" || status == "failed"; }

/// An index points at files beside it and below, never elsewhere.
bool stays_below(const std::filesystem::path& file) {
  return file.is_relative() && file.lexically_normal().begin()->string() != "..";
}

std::string fault(const IndexEntry& entry) {
  if (!is_status(entry.status)) return "its status is \"" + entry.status + "\", neither complete nor failed";
  if (entry.file.empty() != (entry.status == "failed")) return "it has a file and failed, or none and is complete";
  if (!entry.file.empty() && !stays_below(entry.file)) return "its file " + entry.file.string() + " is not below the index";
  return {};
}

}  // namespace

void write_judgment_index(const std::filesystem::path& path, const std::vector<IndexEntry>& entries) {
  h5::Writer file(path, format, version);
  file.group("/engines");
  for (const IndexEntry& entry : entries) {
    if (const std::string what = fault(entry); !what.empty())
      throw Error(path.string() + ": engine " + entry.engine + ": " + what);
    const std::string group = "/engines/" + entry.engine;
    file.group(group);
    file.attribute(group, "status", entry.status);
    file.attribute(group, "sha256", entry.sha256);
    file.attribute(group, "file", entry.file.generic_string());
    file.write(group + "/classes", entry.classes);
    if (!entry.file.empty()) file.link_external(group + "/judgments", entry.file, "/");
  }
  file.finish();
}

std::vector<IndexEntry> read_judgment_index(const std::filesystem::path& path) {
  const h5::Reader file(path, format, version);
  std::vector<IndexEntry> entries;
  for (const std::string& name : file.names("/engines")) {
    const std::string group = "/engines/" + name;
    IndexEntry entry;
    entry.engine = name;
    entry.status = file.attribute_text(group, "status");
    entry.sha256 = file.attribute_text(group, "sha256");
    entry.file = file.attribute_text(group, "file");
    entry.classes = file.read_texts(group + "/classes");
    if (const std::string what = fault(entry); !what.empty())
      throw InputError(Place{path.string()}, fmt::format("engine {}: {}", name, what), "the index is damaged");
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace hiple
