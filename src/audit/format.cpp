#include "audit/format.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "audit/comments.hpp"
#include "audit/format_scalar.hpp"
#include "base/text.hpp"

namespace hiple::audit {

namespace {

using yaml::Entry;
using yaml::Node;

constexpr std::size_t widest = 120;

using Keys = std::vector<std::string>;
const Keys top = {"law",          "name",   "schema", "precision", "critical", "independence", "questions",
                  "incompatible", "panels", "rules",  "laws",      "links",    "route"};
const Keys of_entry = {"id",       "title",      "name",    "finding",         "from",     "to",      "eager",      "panel",
                       "when",     "then",       "forbid",  "require",         "escalate", "members", "answers",    "findings",
                       "default",  "overrides",  "status",  "suspended_where", "version",  "valid",   "evidence",   "precision",
                       "because",  "covered_by", "suspect", "engines",         "home",     "broaden", "max_rounds", "tests",
                       "critical", "fires",      "silent",  "unknown",         "defeated"};
const std::set<std::string> conditions = {"when", "suspect", "suspended_where"};
/// Lists whose order means nothing, by the key that they are sorted by; empty: by their text.
const std::map<std::string, std::string> sorted_by = {
    {"questions", "name"}, {"panels", "name"}, {"rules", "id"}, {"laws", "id"},  {"links", "id"},   {"incompatible", ""},
    {"independence", ""},  {"overrides", ""},  {"members", ""}, {"answers", ""}, {"covered_by", ""}};
/// Entries that are written one key a line.
const std::set<std::string> in_blocks = {"rules", "laws", "links"};
const std::map<std::string, std::string> defaults = {{"status", "accepted"}, {"panel", "root"}, {"eager", "false"}};

const Node* value_of(const Node& map, const std::string& key) {
  for (const Entry& entry : map.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

std::size_t rank_of(const Keys& order, const std::string& key) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), key) - order.begin());
}

/// Keys in their order, those that are not known by name at the end; lists sorted; defaults left out.
void arrange(Node& node, const std::string& name, bool is_top) {
  if (name == "tests" || name == "evidence") return;
  for (Entry& entry : node.entries) arrange(entry.value, entry.key, false);
  for (Node& item : node.items) arrange(item, name == "incompatible" || name == "independence" ? "members" : name, false);
  std::erase_if(node.entries, [](const Entry& entry) {
    const auto found = defaults.find(entry.key);
    return found != defaults.end() && entry.value.is_scalar() && entry.value.text == found->second;
  });
  const Keys& order = is_top ? top : of_entry;
  std::stable_sort(node.entries.begin(), node.entries.end(), [&](const Entry& a, const Entry& b) {
    const std::size_t rank_a = rank_of(order, a.key), rank_b = rank_of(order, b.key);
    return rank_a != rank_b ? rank_a < rank_b : rank_a == order.size() && a.key < b.key;
  });
  const bool is_finding_list = name == "findings" && !node.items.empty() && node.items.front().is_scalar();
  const auto by = sorted_by.find(name);
  if (!node.is_sequence() || (by == sorted_by.end() && !is_finding_list && name != "findings" && name != "engines")) return;
  const std::string key = name == "findings" && !is_finding_list ? "finding" : by == sorted_by.end() ? "" : by->second;
  std::stable_sort(node.items.begin(), node.items.end(), [&](const Node& a, const Node& b) {
    const Node* left = key.empty() ? nullptr : value_of(a, key);
    const Node* right = key.empty() ? nullptr : value_of(b, key);
    return left != nullptr && right != nullptr ? left->text < right->text : flow_text(a) < flow_text(b);
  });
}

/// Writes the arranged tree, and at each line the comments that stood there.
class Writer {
 public:
  Writer(std::vector<Comment> comments, const Node& original) : comments_(std::move(comments)) {
    note_lines(original, 0);
    std::sort(lines_.begin(), lines_.end());
  }

  std::string run(const Node& root) {
    for (const Entry& entry : root.entries) {
      const bool is_list = entry.value.is_sequence() || entry.key == "route" || entry.value.is_map();
      if (is_list && !text_.empty()) text_ += '\n';
      write_entry(entry, 0, "", is_list);
    }
    for (const Comment& comment : comments_) text_ += comment.text + "\n";  // what stands behind everything
    return text_;
  }

 private:
  /// Where comments can be attached: keys and items of lists, with how deep they stand.
  void note_lines(const Node& node, std::size_t depth) {
    if (depth > 4) return;
    for (const Entry& entry : node.entries) {
      lines_.push_back({entry.place.line, entry.place.column});
      note_lines(entry.value, depth + 1);
    }
    for (const Node& item : node.items) {
      lines_.push_back({item.place.line, item.place.column});
      note_lines(item, depth + 1);
    }
  }

  /// Takes the comments that belong to a place: lines above it that no earlier place follows, and one behind it.
  std::vector<Comment> take(const Place& place, bool trailing) {
    std::vector<Comment> taken, kept;
    for (Comment& comment : comments_) {
      const auto mine = [&] {
        if (comment.trailing != trailing) return false;
        if (!trailing) {
          const auto next = std::upper_bound(lines_.begin(), lines_.end(), std::pair(comment.line, std::size_t{1} << 30U));
          return next != lines_.end() && next->first == place.line;
        }
        const auto after = std::upper_bound(lines_.begin(), lines_.end(), std::pair(comment.line, std::size_t{1} << 30U));
        return after != lines_.begin() && std::prev(after)->first == place.line;
      };
      (mine() ? taken : kept).push_back(std::move(comment));
    }
    comments_ = std::move(kept);
    return taken;
  }

  void write_comments(const Place& place, std::size_t indent, bool trailing) {
    for (const Comment& comment : take(place, trailing)) text_ += std::string(indent, ' ') + comment.text + "\n";
  }

  /// One line with what stood behind it; a comment behind several lines goes above them.
  void write_line(const Place& place, std::size_t indent, const std::string& start, const std::string& line) {
    const auto behind = take(place, true);
    const bool one = line.find('\n') == std::string::npos && behind.size() <= 1;
    if (!one)
      for (const Comment& comment : behind) text_ += std::string(indent, ' ') + comment.text + "\n";
    text_ += start + line + (one && !behind.empty() ? " " + behind[0].text : "") + "\n";
  }

  void write_entry(const Entry& entry, std::size_t indent, const std::string& dash, bool as_block) {
    if (dash.empty()) write_comments(entry.place, indent, false);
    const std::string start = dash.empty() ? std::string(indent, ' ') : dash;
    if (conditions.contains(entry.key) && entry.value.is_scalar())
      return write_line(entry.place, indent, start,
                        entry.key + ": " + wrapped(condition_text(entry.value), indent, entry.key.size()));
    if (!as_block || (entry.value.items.empty() && entry.value.entries.empty()))
      return write_line(entry.place, indent, start, entry.key + ": " + shown(entry.value, entry.key));
    write_line(entry.place, indent, start, entry.key + ":");
    for (const Entry& inner : entry.value.entries) write_entry(inner, indent + 2, "", is_long_list(inner));
    for (const Node& item : entry.value.items) write_item(item, entry.key, indent + 2);
  }

  [[nodiscard]] static bool is_long_list(const Entry& entry) {
    const bool of_maps = !entry.value.items.empty() && entry.value.items.front().is_map();
    return of_maps || entry.key == "tests";
  }

  void write_item(const Node& item, const std::string& list, std::size_t indent) {
    write_comments(item.place, indent, false);
    if (!item.is_map() || !in_blocks.contains(list) || item.entries.empty())
      return write_line(item.place, indent, std::string(indent, ' ') + "- ", shown(item, list));
    std::string dash = std::string(indent, ' ') + "- ";
    for (const Entry& entry : item.entries) {
      write_entry(entry, indent + 2, dash, is_long_list(entry));
      dash.clear();
    }
  }

  /// A value in one line, with the conditions in it in their canonical form.
  static std::string shown(const Node& node, const std::string& name) {
    if (!node.is_map() || name == "fires" || name == "silent" || name == "unknown" || name == "defeated") return flow_text(node);
    std::vector<std::string> parts;
    for (const Entry& entry : node.entries) {
      const bool is_condition = conditions.contains(entry.key) && entry.value.is_scalar();
      parts.push_back(entry.key + ": " + (is_condition ? single_quoted(condition_text(entry.value)) : flow_text(entry.value)));
    }
    return "{" + join(parts, ", ") + "}";
  }

  /// In single quotes; broken before `and` and `or` where the line is too long. YAML reads a line's end as a blank.
  static std::string wrapped(const std::string& condition, std::size_t indent, std::size_t key) {
    const std::string text = single_quoted(condition);
    std::string result, line;
    std::size_t room = widest - std::min(widest - 40, indent + key + 2), begin = 0;
    while (text.size() - begin > room) {
      std::size_t cut = std::string::npos;
      for (const char* word : {" and ", " or "}) {
        std::size_t found = text.rfind(word, begin + room);
        while (found != std::string::npos && found > begin && inside_text(text, found)) found = text.rfind(word, found - 1);
        if (found != std::string::npos && found > begin && (cut == std::string::npos || found > cut)) cut = found;
      }
      if (cut == std::string::npos) break;
      result += text.substr(begin, cut - begin) + "\n" + std::string(indent + 2, ' ');
      begin = cut + 1;
      room = widest - std::min(widest - 40, indent + 2);
    }
    return result + text.substr(begin);
  }

  /// Whether an odd number of double quotes stands before: a blank inside of a text must stay as it is.
  static bool inside_text(const std::string& text, std::size_t offset) {
    return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '"') % 2 != 0;
  }

  std::vector<Comment> comments_;
  std::vector<std::pair<std::size_t, std::size_t>> lines_;
  std::string text_;
};

/// Everything that is said, in one line.
std::string meaning(Node node) {
  const auto settle = [](auto&& self, Node& at, const std::string& key) -> void {
    if (conditions.contains(key) && at.is_scalar()) {
      at.text = condition_text(at);
      at.quoted = true;
    }
    for (Entry& entry : at.entries) self(self, entry.value, entry.key);
    for (Node& item : at.items) self(self, item, "");
  };
  settle(settle, node, "");
  return flow_text(node);
}

std::vector<std::string> lost(const std::string& before, const std::string& after) {
  std::multiset<std::string> there;
  for (const Comment& comment : notes_of(after).comments) there.insert(comment.text);
  std::vector<std::string> missing;
  for (const Comment& comment : notes_of(before).comments) {
    const auto found = there.find(comment.text);
    if (found == there.end())
      missing.push_back(comment.text);
    else
      there.erase(found);
  }
  return missing;
}

}  // namespace

Formatted format_law(std::string_view source, const std::filesystem::path& file) {
  const Node original = yaml::parse(source, file.string());
  if (!original.is_map()) throw InputError(original.place, "the law must be a map", "found " + original.description());
  Node root = original;
  arrange(root, "", true);
  const SourceNotes notes = notes_of(source);
  Formatted formatted;
  formatted.text = Writer(notes.comments, original).run(root);
  formatted.lost_comments = lost(std::string(source), formatted.text);
  formatted.had_aliases = notes.aliases;
  Node again = yaml::parse(formatted.text, file.string());
  arrange(again, "", true);
  if (meaning(again) != meaning(root))
    throw Error(file.string() + ": formatting it would change what it says; nothing is written");
  return formatted;
}

}  // namespace hiple::audit
