#pragma once

#include <array>
#include <string_view>

/// Readers, each fed with inputs that nobody wrote: by libFuzzer (fuzzer.cpp, run.sh) and, with those that are kept in inputs/,
/// by test_inputs.cpp. A reader may take an input or refuse it with an InputError that has a place. Everything else is a fault of
/// the reader: another exception, a crash, a report of a sanitizer, and what feed() promises of an input that was taken.
namespace hiple::fuzz {

void feed_run(std::string_view input);         ///< run.yaml; what is written of it reads back as the same
void feed_schema(std::string_view input);      ///< schema.yaml; names are found again
void feed_law(std::string_view input);         ///< law.yaml of the thyroid study; reading it again gives the same law
void feed_condition(std::string_view input);   ///< the canonical text means the same, and is its own canonical text
void feed_table(std::string_view input);       ///< CSV; with every field in quotes it is the same records
void feed_import(std::string_view input);      ///< CSV of evidence
void feed_checkpoint(std::string_view input);  ///< changes to a checkpoint; one that is read judges cases
void feed_judgments(std::string_view input);   ///< changes to judgments of ours, of other programs, to an index or a request
void feed_evidence(std::string_view input);    ///< changes to an evidence.h5; what is read can be looked up

struct Target {
  const char* name;
  void (*feed)(std::string_view input);
};

inline constexpr std::array<Target, 9> targets = {{{"run", feed_run},
                                                   {"schema", feed_schema},
                                                   {"law", feed_law},
                                                   {"condition", feed_condition},
                                                   {"table", feed_table},
                                                   {"import", feed_import},
                                                   {"checkpoint", feed_checkpoint},
                                                   {"judgments", feed_judgments},
                                                   {"evidence", feed_evidence}}};

}  // namespace hiple::fuzz
