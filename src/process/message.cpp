#include "process/message.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple::process {

namespace {

constexpr std::size_t longest = 128 * 1024;
constexpr std::size_t most_descriptors = 4;

/// Room for the control message that carries descriptors, aligned as it must be.
struct Control {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(most_descriptors * sizeof(int))> bytes{};
};

}  // namespace

bool send(int socket, Message::Kind kind, const std::vector<std::string>& fields, const std::vector<int>& descriptors) {
  std::string text(1, static_cast<char>(kind));
  for (const std::string& field : fields) text += field + '\0';
  if (text.size() > longest) throw Error("a request to the spawner is too long: " + std::to_string(text.size()) + " bytes");
  iovec part{text.data(), text.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  Control control;
  if (!descriptors.empty()) {
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size() * sizeof(int));
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0 && errno != EPIPE && errno != ECONNRESET && errno != ENOTCONN) checked(-1, "the spawner's socket");
  return sent >= 0;
}

std::optional<Message> receive(int socket) {
  std::string text(longest, '\0');
  iovec part{text.data(), text.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  Control control;
  header.msg_control = control.bytes.data();
  header.msg_controllen = control.bytes.size();
  ssize_t size = 0;
  do {
    size = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  if (size <= 0) return std::nullopt;
  Message message;
  for (cmsghdr* rights = CMSG_FIRSTHDR(&header); rights != nullptr; rights = CMSG_NXTHDR(&header, rights)) {
    if (rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    std::array<int, most_descriptors> values{};
    std::memcpy(values.data(), CMSG_DATA(rights), count * sizeof(int));
    for (std::size_t i = 0; i < count; ++i) message.descriptors.emplace_back(values.at(i));
  }
  message.kind = static_cast<Message::Kind>(text[0]);
  text.resize(static_cast<std::size_t>(size));
  text.erase(0, 1);
  if (!text.empty()) {
    text.pop_back();
    message.fields = split(text, '\0');
  }
  return message;
}

int number_in(const Message& message) {
  const auto value = message.fields.size() == 1 ? parse_integer(message.fields[0]) : std::nullopt;
  if (!value) throw Error("the spawner said something that is no message");
  return static_cast<int>(*value);
}

}  // namespace hiple::process
