// Reads a table and writes it in another format: change_table SCHEMA TABLE OUTPUT, by the output's ending .csv or .h5.
#include <cstdio>
#include <exception>

#include "table/table_writer.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  try {
    const hiple::Schema schema = hiple::load_schema(argv[1]);
    const hiple::Table table = hiple::read_table(argv[2], schema);
    const std::filesystem::path output = argv[3];
    const auto writer = output.extension() == ".csv" ? write_csv_table(output, schema) : write_h5_table(output, schema);
    writer->append(table);
    writer->finish();
    return 0;
  } catch (const hiple::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.status());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
