#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "judgment/judgment.hpp"
#include "law/decision.hpp"
#include "table/table.hpp"

namespace hiple::law {

/// What the law needs to know of an engine before it has judged anything.
struct EngineDescription {
  std::string name;
  std::vector<std::string> classes;  ///< empty for a regression
};

/// A law that was read and checked against schema and engines: immutable.
class Law {
 public:
  /// Reads law.yaml, and critical.yaml if it names one. `as_of`: days since 1970-01-01. Throws InputError with every problem at
  /// its place.
  static Law load(const std::filesystem::path& path, const Schema& schema, const std::vector<EngineDescription>& engines,
                  std::int32_t as_of);
  /// The same from a text; `path` names it in messages, and files beside the law are looked for beside it.
  static Law parse(std::string_view text, const std::filesystem::path& path, const Schema& schema,
                   const std::vector<EngineDescription>& engines, std::int32_t as_of);
  ~Law();
  Law(Law&&) noexcept;
  Law& operator=(Law&&) noexcept;

  /// The canonical text: independent of layout, comments and the order of rules, laws, links, panels and questions.
  [[nodiscard]] const std::string& canonical() const;
  [[nodiscard]] std::string sha256() const;
  /// Columns that a condition reads: the inputs of the law. Evidence is among them, under names "evidence.NAME", and must stand
  /// beside the table's own columns wherever the law decides.
  [[nodiscard]] std::vector<std::string> columns() const;
  /// Those of them that are evidence, as columns.
  [[nodiscard]] std::vector<ColumnSchema> evidence_columns() const;
  [[nodiscard]] const std::vector<std::string>& questions() const;              ///< ascending
  [[nodiscard]] const std::vector<std::vector<std::string>>& findings() const;  ///< of each question, ascending
  [[nodiscard]] std::vector<std::string> critical() const;                      ///< "question.finding", ascending
  /// The findings ("question.finding") that cover a critical one, itself included.
  [[nodiscard]] std::vector<std::string> covered_by(const std::string& critical) const;
  [[nodiscard]] std::string default_of(const std::string& question) const;  ///< or empty

  /// The same law with another choice of engines, for comparisons: the home engines alone, those and what links reach, or every
  /// engine from the start (the flat oracle).
  enum class Activation { home, links, all };
  [[nodiscard]] Law activating(Activation which) const;
  /// The same law with at most so many rounds.
  [[nodiscard]] Law capped(std::size_t rounds) const;
  /// The same law for a partition that is not trusted: every engine is consulted from the start, and what it would abstain from
  /// goes to a person. `report`: sha256 of the earlier gate report that closed it, not empty.
  [[nodiscard]] Law closed(const std::string& report) const;
  [[nodiscard]] const std::string& closed_by() const;  ///< that report, or empty
  /// The same law where evidence about findings is heeded, whether or not a condition reads it: what it contradicts is not
  /// decided. `head`: by which the evidence is known again, not empty. Throws InputError, with `place`: a question has the name
  /// of an input column, so that evidence could mean either.
  [[nodiscard]] Law heeding(const std::string& head, const Place& place) const;
  [[nodiscard]] const std::string& evidence() const;  ///< that head, or empty

  struct Model;
  [[nodiscard]] const Model& model() const { return *model_; }

 private:
  explicit Law(std::unique_ptr<Model> model);
  std::unique_ptr<Model> model_;
};

/// One engine's word, or that it has none.
struct EngineJudgments {
  std::string name;
  const Judgments* judgments = nullptr;  ///< null: not available
  std::string reason;                    ///< why not
  std::string sha256;                    ///< of the content of the judgments file
};

struct DecideOptions {
  int threads = 1;
  std::string inputs_sha256 = {};  ///< of the columns that the law reads, where the caller knows it; else it is computed
};

/// Decides every case of the table. Engines that are not in `engines` count as not available. A case that an engine has no
/// entry for is `absent` there. Throws InputError: judgments of an engine the law does not know, classes that differ.
Decisions decide(const Law& law, const Table& table, const std::vector<EngineJudgments>& engines,
                 const DecideOptions& options = {});

/// The whole derivation of one case, as text for people: values with units, each premise's truth, rules that fired, were
/// blocked and by what, were defeated and by whom, engines consulted by which link in which round. `why_not`: a rule's id, to
/// say what keeps it from carrying the decision; may be empty. Throws InputError: no such case, no such rule.
std::string explain(const Law& law, const Table& table, const std::vector<EngineJudgments>& engines, std::uint64_t case_id,
                    const std::string& why_not = {});

}  // namespace hiple::law
