#pragma once

#include <cstddef>

#include "law/model.hpp"

/// Evidence about a case as columns beside the input columns.
namespace hiple::law {

/// Evidence about an input column: the same type, unit and values. It is missing where there is none, also of a boolean.
ColumnSchema evidence_of(const ColumnSchema& column);
/// Evidence about a question: a category of its findings.
ColumnSchema evidence_of(const Question& question);

/// The column's number; it is added where the model does not have it yet.
std::size_t add_evidence_column(Law::Model& model, const ColumnSchema& column);

}  // namespace hiple::law
