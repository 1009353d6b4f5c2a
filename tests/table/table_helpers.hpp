#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/file.hpp"
#include "table/table.hpp"
#include "temporary_folder.hpp"

namespace hiple {

/// A folder with a schema and a table in it.
class TableTest : public testing::Test {
 protected:
  Schema schema(std::string_view columns, std::string_view head = "schema: 1\n") {
    write_file(folder_.path() / "schema.yaml", std::string(head) + "columns:\n" + std::string(columns));
    return load_schema(folder_.path() / "schema.yaml");
  }
  std::filesystem::path file(std::string_view content, const std::string& name = "cases.csv") {
    write_file(folder_.path() / name, content);
    return folder_.path() / name;
  }
  /// The message of the InputError that `call` throws, without the folder's name; a failure if it throws none.
  template <class Call>
  std::string message_of(Call call) {
    try {
      call();
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string prefix = folder_.path().string() + "/";
      for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) text.erase(at, prefix.size());
      return text;
    }
    ADD_FAILURE() << "no InputError";
    return {};
  }

  TemporaryFolder folder_;
};

}  // namespace hiple
