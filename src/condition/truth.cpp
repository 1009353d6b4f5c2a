#include "condition/truth.hpp"

#include <algorithm>
#include <bit>

namespace hiple::condition {

namespace {

constexpr std::uint32_t bits = 64;

std::string_view prefix_of(CauseKind kind) {
  switch (kind) {
    case CauseKind::division:
      return "division";
    case CauseKind::one_group:
      return "one_group";
    case CauseKind::missing:
      return "missing";
    case CauseKind::invalid:
      return "invalid";
    case CauseKind::inactive:
      return "inactive";
    case CauseKind::unavailable:
      return "unavailable";
    case CauseKind::abstained:
      return "abstained";
    case CauseKind::disagree:
      return "disagree";
    case CauseKind::suspended:
      return "suspended";
    case CauseKind::undecided:
      return "undecided";
    case CauseKind::not_firm:
      return "not_firm";
    case CauseKind::contradictory:
      return "contradictory";
  }
  return {};
}

}  // namespace

std::string_view name_of(Truth value) { return value == Truth::yes ? "TRUE" : value == Truth::no ? "FALSE" : "UNKNOWN"; }

void CauseSet::add(std::uint32_t cause) {
  const std::size_t word = cause / bits;
  const std::uint64_t bit = std::uint64_t{1} << (cause % bits);
  if (word < inline_words) {
    words_[word] |= bit;
    return;
  }
  if (more_.size() <= word - inline_words) more_.resize(word - inline_words + 1);
  more_[word - inline_words] |= bit;
}

void CauseSet::add(const CauseSet& other) {
  for (std::size_t i = 0; i < inline_words; ++i) words_[i] |= other.words_[i];
  if (other.more_.empty()) return;
  if (more_.size() < other.more_.size()) more_.resize(other.more_.size());
  for (std::size_t i = 0; i < other.more_.size(); ++i) more_[i] |= other.more_[i];
}

void CauseSet::clear() {
  words_.fill(0);
  more_.clear();
}

bool CauseSet::empty() const {
  return more_.empty() && std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

bool CauseSet::contains(std::uint32_t cause) const {
  const std::size_t word = cause / bits;
  if (word >= inline_words + more_.size()) return false;
  return ((word < inline_words ? words_[word] : more_[word - inline_words]) >> (cause % bits) & 1U) != 0;
}

std::vector<std::uint32_t> CauseSet::list() const {
  std::vector<std::uint32_t> causes;
  std::uint32_t first = 0;
  const auto append = [&](std::uint64_t word) {
    for (; word != 0; word &= word - 1) causes.push_back(first + static_cast<std::uint32_t>(std::countr_zero(word)));
    first += bits;
  };
  for (const std::uint64_t word : words_) append(word);
  for (const std::uint64_t word : more_) append(word);
  return causes;
}

std::string Cause::text() const {
  const std::string prefix(prefix_of(kind));
  return name.empty() ? prefix : prefix + ":" + name;
}

CauseTable::CauseTable() : causes_{{CauseKind::division, {}}, {CauseKind::one_group, {}}} {}

std::uint32_t CauseTable::column(const std::string& name) { return block('c', name, {CauseKind::missing, CauseKind::invalid}); }

std::uint32_t CauseTable::engine(const std::string& name) {
  return block('e', name,
               {CauseKind::inactive, CauseKind::unavailable, CauseKind::abstained, CauseKind::invalid, CauseKind::disagree});
}

std::uint32_t CauseTable::finding(const std::string& name) {
  return block('f', name, {CauseKind::undecided, CauseKind::not_firm});
}

std::uint32_t CauseTable::evidence(const std::string& name) {
  return block('v', name, {CauseKind::missing, CauseKind::contradictory});
}

std::uint32_t CauseTable::rule(const std::string& id) { return block('r', id, {CauseKind::suspended}); }

std::uint32_t CauseTable::block(char use, const std::string& name, const std::vector<CauseKind>& kinds) {
  const auto [entry, is_new] = first_.try_emplace({use, name}, static_cast<std::uint32_t>(causes_.size()));
  if (is_new)
    for (const CauseKind kind : kinds) causes_.push_back({kind, name});
  return entry->second;
}

std::vector<std::string> CauseTable::texts(const CauseSet& set) const {
  std::vector<std::string> texts;
  for (const std::uint32_t cause : set.list()) texts.push_back(at(cause).text());
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts;
}

}  // namespace hiple::condition
