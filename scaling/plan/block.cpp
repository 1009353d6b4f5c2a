#include "scaling/plan/block.hpp"

#include <set>

#include "base/text.hpp"

namespace hiple::scaling {

namespace {

using yaml::MapReader;
using yaml::Node;

/// A list of scalars, each once; a single scalar counts as a list of one.
std::vector<Choice> read_choices(MapReader& map, const std::string& key, const char* fallback, Problems& problems) {
  const Node* node = fallback == nullptr ? map.require(key) : map.find(key);
  if (node == nullptr) return {Choice{fallback == nullptr ? "" : fallback, map.place()}};
  const std::string what = "\"" + key + "\" of " + map.what();
  const std::vector<Node> items = node->is_sequence() ? node->items : std::vector<Node>{*node};
  if (items.empty()) problems.add(node->place, what + " is empty", {}, "name one value or more");
  std::vector<Choice> choices;
  std::set<std::string> seen;
  for (const Node& item : items) {
    const auto text = yaml::as_text(item, "an entry of " + what, problems);
    if (!text) continue;
    if (!seen.insert(*text).second) problems.add(item.place, "\"" + *text + "\" stands twice in " + what);
    choices.push_back({*text, item.place});
  }
  return choices;
}

void check_each(const std::vector<Choice>& choices, const std::string& what, const std::vector<std::string>& allowed,
                Problems& problems) {
  for (const Choice& choice : choices) {
    if (std::find(allowed.begin(), allowed.end(), choice.text) == allowed.end())
      problems.add(choice.place, "\"" + choice.text + "\" is no " + what, {}, suggestion(choice.text, allowed));
  }
}

void check_ranks(const std::vector<Choice>& ranks, Problems& problems) {
  constexpr std::int64_t most = 1 << 20;
  for (const Choice& choice : ranks) {
    const auto value = parse_integer(choice.text);
    if (!value || *value < 1 || *value > most)
      problems.add(choice.place, "\"" + choice.text + "\" is no number of ranks", {}, "write a whole number from 1 to 1048576");
  }
}

bool is_rate(const std::string& text) {
  for (const char* unit : {"kbit", "mbit", "gbit"}) {
    if (!text.ends_with(unit)) continue;
    const auto number = parse_integer(text.substr(0, text.size() - 4));
    return number && *number > 0 && *number <= 1000;
  }
  return false;
}

void check_links(const Block& block, Problems& problems) {
  constexpr std::int64_t most_hosts = 250;
  for (const Choice& link : block.links) {
    if (link.text == "none") continue;
    if (!is_rate(link.text))
      problems.add(link.place, "\"" + link.text + "\" is no link", "none means one host; else it is the rate between hosts",
                   "write none, or a rate such as 10mbit, 100mbit or 1gbit");
    for (const Choice& ranks : block.ranks) {
      const auto hosts = parse_integer(ranks.text).value_or(1);
      if (hosts > most_hosts)
        problems.add(ranks.place, ranks.text + " ranks over links", "each is a host of its own, and there are 250 at most");
    }
  }
}

std::uint64_t read_count(MapReader& map, const std::string& key, std::int64_t low, std::int64_t high, std::int64_t fallback) {
  return static_cast<std::uint64_t>(map.integer(key, low, high, fallback));
}

}  // namespace

Repetitions read_repetitions(MapReader& map, const Repetitions& fallback, Problems& problems) {
  const Node* node = map.find("repetitions");
  if (node == nullptr) return fallback;
  MapReader reader(*node, "\"repetitions\" of " + map.what(), problems);
  Repetitions result;
  result.least = reader.integer("least", 1, 100'000, fallback.least);
  result.most = reader.integer("most", 1, 100'000, std::max(result.least, fallback.most));
  result.width = reader.real("width", 1e-6, 1, fallback.width);
  if (result.most < result.least)
    problems.add(reader.find("most")->place,
                 "at most " + std::to_string(result.most) + " repetitions, and at least " + std::to_string(result.least), {},
                 "let \"most\" be no less than \"least\"");
  reader.finish();
  return result;
}

Block read_block(const Node& node, const Repetitions& repetitions, Problems& problems) {
  MapReader map(node, "a block", problems);
  const MeasureOptions defaults;
  constexpr std::int64_t many = 1'000'000'000;
  Block block;
  block.place = node.place;
  block.name = map.text("name");
  block.strategies = read_choices(map, "strategies", nullptr, problems);
  block.networks = read_choices(map, "networks", nullptr, problems);
  block.ranks = read_choices(map, "ranks", nullptr, problems);
  block.scaling = read_choices(map, "scaling", "strong", problems);
  block.links = read_choices(map, "links", "none", problems);
  block.stragglers = read_choices(map, "stragglers", "none", problems);
  block.jitter = read_choices(map, "jitter", "0", problems);
  block.batch = read_count(map, "batch", 1, 1 << 24, static_cast<std::int64_t>(defaults.batch));
  const Node* batch = map.find("batch");
  block.batch_place = batch == nullptr ? node.place : batch->place;
  block.steps = read_count(map, "steps", 1, many, static_cast<std::int64_t>(defaults.steps));
  block.warmup = read_count(map, "warmup", 0, many, static_cast<std::int64_t>(defaults.warmup));
  block.engines = read_count(map, "engines", 0, 1 << 20, 0);
  block.bucket = read_count(map, "bucket", 0, 1 << 30, 0);
  block.micro_batches = read_count(map, "micro_batches", 1, 1 << 24, static_cast<std::int64_t>(defaults.micro_batches));
  block.experts = read_count(map, "experts", 1, 1 << 16, static_cast<std::int64_t>(defaults.experts));
  block.chosen = read_count(map, "chosen", 1, 1 << 16, static_cast<std::int64_t>(defaults.chosen));
  block.period = read_count(map, "period", 1, many, static_cast<std::int64_t>(defaults.period));
  block.capacity = map.text("capacity", defaults.capacity);
  block.spread = map.text("spread", "1");
  block.repetitions = read_repetitions(map, repetitions, problems);
  map.finish();
  check_each(block.scaling, "kind of scaling", {"weak", "strong"}, problems);
  check_ranks(block.ranks, problems);
  check_links(block, problems);
  return block;
}

}  // namespace hiple::scaling
