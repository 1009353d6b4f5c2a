#include "run/revise_text.hpp"

#include <algorithm>

#include "audit/comments.hpp"
#include "audit/format.hpp"
#include "audit/format_scalar.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple {

namespace {

bool is_comment_or_blank(const std::string& line) {
  const std::string_view rest = trim(line);
  return rest.empty() || rest.front() == '#';
}

const yaml::Entry* entry_of(const yaml::Node& map, const std::string& key) {
  for (const yaml::Entry& entry : map.entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

}  // namespace

LawText::LawText(const std::string& source, std::filesystem::path file) : file_(std::move(file)) { settle(source); }

void LawText::settle(const std::string& text) {
  text_ = audit::format_law(text, file_).text;
  lines_ = split(text_, '\n');
  root_ = yaml::parse(text_, file_.string());
}

std::string LawText::condition(const std::string& text) { return audit::single_quoted(text); }

std::string LawText::text(const std::string& text) {
  yaml::Node node;
  node.kind = yaml::Node::Kind::scalar;
  node.text = text;
  node.quoted = true;
  return audit::scalar_text(node);
}

const yaml::Node& LawText::rule(const std::string& id) const {
  if (const yaml::Entry* rules = entry_of(root_, "rules"))
    for (const yaml::Node& item : rules->value.items)
      if (const yaml::Entry* own = entry_of(item, "id"); own != nullptr && own->value.text == id) return item;
  throw Error(file_.string() + ": there is no rule " + id);
}

const yaml::Node* LawText::find(const std::string& id, const std::string& key) const {
  const yaml::Entry* entry = entry_of(rule(id), key);
  return entry == nullptr ? nullptr : &entry->value;
}

const yaml::Node* LawText::find_top(const std::string& key) const {
  const yaml::Entry* entry = entry_of(root_, key);
  return entry == nullptr ? nullptr : &entry->value;
}

/// Where the next rule begins, or the next key of the law, or the text ends.
std::size_t LawText::end_of(const yaml::Node& wanted) const {
  std::size_t end = lines_.size() + 1;
  const auto note = [&](std::size_t line) {
    if (line > wanted.place.line) end = std::min(end, line);
  };
  for (const yaml::Entry& entry : root_.entries) note(entry.place.line);
  for (const yaml::Node& item : entry_of(root_, "rules")->value.items) note(item.place.line);
  return end;
}

LawText::Lines LawText::lines_of(const yaml::Node& map, std::size_t entry, std::size_t end) const {
  Lines lines{map.entries[entry].place.line, entry + 1 < map.entries.size() ? map.entries[entry + 1].place.line : end};
  while (lines.end > lines.begin + 1 && is_comment_or_blank(lines_[lines.end - 2])) --lines.end;
  return lines;
}

/// What stands behind a value stays behind the next one: whoever wrote it looks at it again.
std::string LawText::comments_in(const Lines& lines) const {
  std::string text;
  for (const audit::Comment& comment : audit::notes_of(text_).comments)
    if (comment.line >= lines.begin && comment.line < lines.end) text += " " + comment.text;
  return text;
}

void LawText::replace(const Lines& lines, const std::string& by) {
  std::string text;
  for (std::size_t line = 1; line <= lines_.size(); ++line) {
    if (line == lines.begin) text += by;
    if ((line < lines.begin || line >= lines.end) && (line < lines_.size() || !lines_[line - 1].empty()))
      text += lines_[line - 1] + "\n";
  }
  if (lines.begin > lines_.size()) text += by;
  settle(text);
}

void LawText::set(const std::string& id, const std::string& key, const std::string& value) {
  const yaml::Node& map = rule(id);
  const std::size_t end = end_of(map);
  for (std::size_t i = 0; i < map.entries.size(); ++i) {
    if (map.entries[i].key != key) continue;
    const Lines lines = lines_of(map, i, end);
    return replace(lines, (i == 0 ? "  - " : "    ") + key + ": " + value + comments_in(lines) + "\n");
  }
  const std::size_t last = lines_of(map, map.entries.size() - 1, end).end;
  replace({last, last}, "    " + key + ": " + value + "\n");
}

void LawText::add_rule(const std::vector<std::pair<std::string, std::string>>& entries) {
  const yaml::Entry* rules = entry_of(root_, "rules");
  if (rules == nullptr || rules->value.items.empty()) throw Error(file_.string() + ": the law has no rules");
  const yaml::Node& last = rules->value.items.back();
  const std::size_t end = lines_of(last, last.entries.size() - 1, end_of(last)).end;
  std::string text;
  for (const auto& [key, value] : entries) text += (text.empty() ? "  - " : "    ") + key + ": " + value + "\n";
  replace({end, end}, text);
}

void LawText::set_top(const std::string& key, const std::string& value) {
  for (std::size_t i = 0; i < root_.entries.size(); ++i)
    if (root_.entries[i].key == key) return replace(lines_of(root_, i, lines_.size() + 1), key + ": " + value + "\n");
  throw Error(file_.string() + ": the law has no key " + key);
}

void LawText::remove_top(const std::string& key) {
  for (std::size_t i = 0; i < root_.entries.size(); ++i)
    if (root_.entries[i].key == key) return replace(lines_of(root_, i, lines_.size() + 1), "");
}

}  // namespace hiple
