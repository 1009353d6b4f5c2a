#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hiple::submit {

/// One word for a POSIX shell that stands for the text as it is, whatever it holds: 'it'\''s'. A word that needs no quotes has
/// none.
std::string shell_word(std::string_view text);

/// A command of these words, each as it is.
std::string shell_command(const std::vector<std::string>& words);

/// A path as the value of sbatch's --output, which reads %j and the like; `%` stands for itself. Behind it may follow a pattern.
std::string output_path(std::string_view path);

/// Whether a value may stand in an #SBATCH line without quotes, of which sbatch has rules of its own: letters, digits,
/// _.,:+@=*|&()[]-
bool is_plain(std::string_view text);

}  // namespace hiple::submit
