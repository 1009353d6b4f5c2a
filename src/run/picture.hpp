#pragma once

#include "report/picture.hpp"
#include "run/run_directory.hpp"

namespace hiple {

struct PictureRequest {
  std::size_t cases = 40;  ///< to show one by one
};

/// Everything that the files of a run say of it, but for the ledgers of its ranks. Whatever cannot be read, because the run did
/// not come so far or a file is another now, is missing with the reason. Throws InputError where the directory holds no run.
report::Picture take_picture(const RunDirectory& directory, const PictureRequest& request);

}  // namespace hiple
