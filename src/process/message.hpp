#pragma once

#include <optional>
#include <string>
#include <vector>

#include "process/descriptor.hpp"

/// What a spawner and its owner say to each other, over a SOCK_SEQPACKET socket: one message a packet.
namespace hiple::process {

struct Message {
  /// start: fields are a program and its arguments, descriptors pulse and output; signal: its number;
  /// started: process; refused: error number; ended: status of wait(2).
  enum class Kind : char { start = 's', signal = 'k', started = 'p', refused = 'x', ended = 'e' };
  Kind kind = Kind::start;
  std::vector<std::string> fields;
  std::vector<Descriptor> descriptors;  ///< of a message that was received
};

/// False where the other side is gone. Throws Error where the message is too long.
bool send(int socket, Message::Kind kind, const std::vector<std::string>& fields, const std::vector<int>& descriptors = {});

/// Blocks. Nothing where the other side is gone.
std::optional<Message> receive(int socket);

/// A field that is a number.
int number_in(const Message& message);

}  // namespace hiple::process
