#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "config/yaml.hpp"

namespace hiple {

/// The text of a law.yaml that is changed rule by rule. It is brought into its canonical form, in which every key of a rule has
/// lines of its own; comments stay where they stand.
class LawText {
 public:
  /// Throws InputError: what audit::format_law refuses.
  LawText(const std::string& source, std::filesystem::path file);

  /// A key of a rule, with its value as YAML; `condition` and `text` write one. Throws Error: there is no such rule.
  void set(const std::string& rule, const std::string& key, const std::string& value);
  /// A new rule, by keys and values.
  void add_rule(const std::vector<std::pair<std::string, std::string>>& entries);
  /// A key of the whole law, which must be there.
  void set_top(const std::string& key, const std::string& value);
  void remove_top(const std::string& key);

  /// The value of a rule's key; null where it has none.
  [[nodiscard]] const yaml::Node* find(const std::string& rule, const std::string& key) const;
  [[nodiscard]] const yaml::Node* find_top(const std::string& key) const;
  [[nodiscard]] const yaml::Node& root() const { return root_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  static std::string condition(const std::string& text);
  static std::string text(const std::string& text);

 private:
  struct Lines {
    std::size_t begin = 0, end = 0;  ///< from 1; behind the last one
  };
  [[nodiscard]] const yaml::Node& rule(const std::string& id) const;
  /// The lines of an entry of a map that ends before line `end`, without the comments above the next one.
  [[nodiscard]] Lines lines_of(const yaml::Node& map, std::size_t entry, std::size_t end) const;
  [[nodiscard]] std::size_t end_of(const yaml::Node& rule) const;
  [[nodiscard]] std::string comments_in(const Lines& lines) const;
  void replace(const Lines& lines, const std::string& by);
  void settle(const std::string& text);

  std::filesystem::path file_;
  std::string text_;
  std::vector<std::string> lines_;
  yaml::Node root_;
};

}  // namespace hiple
