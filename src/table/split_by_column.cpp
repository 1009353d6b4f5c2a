#include <map>
#include <string>
#include <utility>

#include "table/cell_reader.hpp"
#include "table/split_column.hpp"
#include "table/split_way.hpp"

namespace hiple {

namespace {

class ByColumn : public SplitWay {
 public:
  ByColumn(const Schema& schema, const SplitConfig& split)
      : split_(&split),
        index_(find_column(schema, split.column, "column", split.place)),
        empty_(make_column(schema.columns[index_])) {
    list({&schema.columns[index_], &empty_}, split.train, Part::train);
    list({&schema.columns[index_], &empty_}, split.test, Part::test);
    problems_.throw_if_any();
  }

  void look_at(const Table& portion) override {
    for_each_listed(portion, [](std::size_t, Listed& listed) { listed.occurs = true; });
  }
  bool end_pass() override {
    for (const auto& [value, listed] : listed_) {
      if (!listed.occurs) refuse(listed.text, "no row has it", "remove it, or correct it");
    }
    problems_.throw_if_any();
    return false;
  }
  std::vector<Part> divide(const Table& portion) override {
    std::vector<Part> parts(portion.rows(), Part::neither);
    for_each_listed(portion, [&](std::size_t row, const Listed& listed) { parts[row] = listed.part; });
    return parts;
  }

 private:
  struct Listed {
    std::string text;
    Part part;
    bool occurs = false;
  };

  template <class Use>
  void for_each_listed(const Table& portion, Use use) {
    const SplitColumn column = find_column(portion, split_->column, "column", split_->place);
    for (std::size_t row = 0; row < portion.rows(); ++row) {
      if (column.column->cells[row] != Cell::known) continue;
      const auto listed = listed_.find(column.column->number(row));
      if (listed != listed_.end()) use(row, listed->second);
    }
  }

  void list(const SplitColumn& column, const std::vector<std::string>& texts, Part part) {
    for (const std::string& text : texts) {
      const auto value = value_of(column, text);
      if (!value) {
        refuse_value(*split_, *column.schema, text, problems_);
      } else if (!listed_.try_emplace(*value, Listed{text, part}).second) {
        refuse(text, "it is listed twice", "a row is in one part");
      }
    }
  }

  void refuse(const std::string& text, std::string why, std::string remedy) {
    problems_.add(split_->place, "the split's value \"" + text + "\" of column \"" + split_->column + "\"", std::move(why),
                  std::move(remedy));
  }

  const SplitConfig* split_;
  std::size_t index_;
  Column empty_;
  std::map<double, Listed> listed_;
  Problems problems_;
};

}  // namespace

std::unique_ptr<SplitWay> split_by_column(const Schema& schema, const SplitConfig& split) {
  return std::make_unique<ByColumn>(schema, split);
}

}  // namespace hiple
