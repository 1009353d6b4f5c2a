#include "config/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "base/file.hpp"
#include "base/text.hpp"

namespace hiple::yaml {

namespace {

/// Aliases may make a document this large and no larger ("billion laughs").
constexpr std::size_t most_nodes = 1'000'000;
/// Levels of sequences and maps in one another, those that aliases stand for included: whatever walks a document may call itself
/// for each.
constexpr std::size_t deepest = 100;

struct Extent {
  std::size_t nodes = 1;   ///< keys included
  std::size_t levels = 0;  ///< of sequences and maps
};

Extent extent_of(const Node& node) {
  Extent extent;
  const auto add = [&extent](const Node& inner) {
    const Extent below = extent_of(inner);
    extent.nodes += below.nodes;
    extent.levels = std::max(extent.levels, below.levels);
  };
  for (const Node& item : node.items) add(item);
  for (const Entry& entry : node.entries) {
    ++extent.nodes;
    add(entry.value);
  }
  if (node.is_sequence() || node.is_map()) ++extent.levels;
  return extent;
}

/// Builds nodes from the parser's events. Errors that leave the structure intact are gathered, so that all are seen at once.
class Builder : public YAML::EventHandler {
 public:
  Builder(std::string_view source, std::string file) : file_(std::move(file)), lines_(split(source, '\n')) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      fail(place(mark), "a second document", "one file holds one document", "remove the line \"---\" and what follows");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(make(Node::Kind::null, mark), anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) fail(place(mark), "an alias inside what it stands for", "it would never end", "write it out");
    const auto& [node, extent] = known->second;
    nodes_ += extent.nodes;
    if (nodes_ > most_nodes) too_large(place(mark));
    if (open_.size() + extent.levels > deepest) too_deep(place(mark));
    add(node, YAML::NullAnchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    check_tag(mark, tag);
    if (value.find('\0') != std::string::npos)
      problems_.add(place(mark), "a character of value zero", "names of files and columns end there", "remove it");
    Node node = make(Node::Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!";
    find_text(node);
    add(std::move(node), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open(make(Node::Kind::sequence, mark), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    check_tag(mark, tag);
    open(make(Node::Kind::map, mark), anchor);
  }
  void OnMapEnd() override { close(); }

  [[nodiscard]] Problems& problems() { return problems_; }
  [[nodiscard]] Node& root() { return root_; }

 private:
  /// A sequence or map whose end has not come yet; of a map also the key that waits for its value.
  struct Open {
    Node node;
    YAML::anchor_t anchor;
    std::optional<Node> key;
    std::unordered_map<std::string, std::size_t> keys;  ///< with the line of the first
    bool skip = false;                                  ///< the value that comes belongs to a key that is refused
  };

  [[nodiscard]] Place place(const YAML::Mark& mark) const {
    if (mark.is_null()) return {file_};
    return {file_, static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
  }
  [[noreturn]] void fail(Place where, std::string what, std::string why, std::string remedy) {
    problems_.add(std::move(where), std::move(what), std::move(why), std::move(remedy));
    throw InputError(problems_.list());
  }
  [[noreturn]] void too_large(Place where) {
    fail(std::move(where), "the document is too large",
         "with its aliases it has more than " + std::to_string(most_nodes) + " nodes", "split it, or use fewer aliases");
  }
  [[noreturn]] void too_deep(Place where) {
    fail(std::move(where), "the document is nested too deeply",
         "with its aliases it has more than " + std::to_string(deepest) + " levels", "write it flatter");
  }
  Node make(Node::Kind kind, const YAML::Mark& mark) {
    if (++nodes_ > most_nodes) too_large(place(mark));
    Node node;
    node.kind = kind;
    node.place = place(mark);
    return node;
  }
  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    problems_.add(place(mark), "the tag \"" + tag + "\"", "types follow from where a value stands", "remove the tag");
  }

  /// Where the text itself begins: behind a quote, on the line after | or >.
  void find_text(Node& node) const {
    node.text_place = node.place;
    if (!node.quoted || node.place.line == 0 || node.place.line > lines_.size()) return;
    const std::string& line = lines_[node.place.line - 1];
    const char first = node.place.column <= line.size() ? line[node.place.column - 1] : ' ';
    if (first == '"' || first == '\'') ++node.text_place.column;
    if ((first != '|' && first != '>') || node.place.line >= lines_.size()) return;
    const std::size_t indent = lines_[node.place.line].find_first_not_of(' ');
    node.text_place = {file_, node.place.line + 1, indent == std::string::npos ? 1 : indent + 1};
  }

  void open(Node node, YAML::anchor_t anchor) {
    if (open_.size() == deepest) too_deep(node.place);
    open_.push_back({std::move(node), anchor, {}, {}, {}});
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.node), done.anchor);
  }
  void remember(const Node& node, YAML::anchor_t anchor) {
    const Extent extent = extent_of(node);
    nodes_ += extent.nodes;
    if (nodes_ > most_nodes) too_large(node.place);
    anchors_[anchor] = {node, extent};
  }
  void add(Node node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) remember(node, anchor);
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.is_sequence()) {
      open_.back().node.items.push_back(std::move(node));
    } else if (std::optional<Node> key = std::exchange(open_.back().key, std::nullopt); !key) {
      add_key(std::move(node));
    } else if (Open& map = open_.back(); !map.skip) {
      map.node.entries.push_back({std::move(key->text), std::move(key->place), std::move(node)});
    }
  }
  void add_key(Node key) {
    Open& map = open_.back();
    map.skip = false;
    if (!key.is_scalar()) {
      problems_.add(key.place, "a key that is " + key.description(), "keys are texts",
                    "put it in quotes if it is meant as a text");
      map.skip = true;
    } else if (const auto [first, is_new] = map.keys.try_emplace(key.text, key.place.line); !is_new) {
      problems_.add(key.place, "the key \"" + key.text + "\" a second time",
                    "it already stands in line " + std::to_string(first->second), "keep one of them");
      map.skip = true;
    }
    map.key = std::move(key);
  }

  std::string file_;
  std::vector<std::string> lines_;
  Problems problems_;
  Node root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::pair<Node, Extent>> anchors_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

}  // namespace

std::string Node::description() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::sequence:
      return "a sequence";
    case Kind::map:
      return "a map";
    case Kind::scalar:
      break;
  }
  constexpr std::size_t shown = 40;
  std::string start = text.substr(0, shown);
  std::replace(start.begin(), start.end(), '\n', ' ');
  return (quoted ? "the text \"" : "\"") + start + (text.size() > shown ? "..." : "") + "\"";
}

Place Node::place_of(std::size_t offset) const {
  Place result = text_place.line > 0 ? text_place : place;
  const std::string_view whole = text;
  const std::string_view before = whole.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  if (newline == std::string_view::npos) {
    result.column += before.size();
  } else {
    result.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    result.column += before.size() - newline - 1;
  }
  return result;
}

Node parse(std::string_view text, const std::string& file) {
  if (const auto bad = invalid_utf8(text)) {
    const auto line = static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*bad), '\n'));
    throw InputError(Place{file, line + 1}, "a byte that is no UTF-8 text", {}, "save the file as UTF-8");
  }
  Builder builder(text, file);
  std::istringstream stream{std::string(text)};
  bool found = false;
  try {
    YAML::Parser parser(stream);
    found = parser.HandleNextDocument(builder);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const YAML::Exception& error) {
    builder.problems().add(
        Place{file, static_cast<std::size_t>(error.mark.line + 1), static_cast<std::size_t>(error.mark.column + 1)}, "no YAML",
        error.msg, "check indentation, quotes and brackets");
  }
  builder.problems().throw_if_any();
  if (!found || builder.root().kind == Node::Kind::null) {
    throw InputError(Place{file}, "the file is empty", "it holds no YAML document", "check the path");
  }
  return std::move(builder.root());
}

Node load(const std::filesystem::path& path) { return parse(read_file(path), path.string()); }

}  // namespace hiple::yaml
