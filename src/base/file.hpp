#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hiple {

/// The whole content of a file. Throws InputError with the path where it is missing, no regular file, or unreadable.
std::string read_file(const std::filesystem::path& path);

/// A name in the same folder that no other process uses: for writing before a rename.
std::filesystem::path temporary_name(const std::filesystem::path& path);

/// Puts `tag` in every temporary name that this process makes from now on: the attempt that it is. For the begin of a program.
void name_temporaries(const std::string& tag);

/// Removes what processes that were killed left of their work on `path`. Only for those who know that nobody else writes it.
void remove_temporaries(const std::filesystem::path& path);

/// Makes `temporary` durable and gives it its final name: fsync, rename, fsync of the folder. A reader sees the old file or
/// the new one, whole. Throws Error with the path and the system's reason; the temporary file is removed then.
void publish_file(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// Writes a file whole or not at all (temporary name, write, publish_file).
void write_file(const std::filesystem::path& path, std::string_view content);

/// Creates a folder and its parents; fine if it is there. Throws Error with the path and the system's reason.
void make_folder(const std::filesystem::path& path);

}  // namespace hiple
