// Output streams that escape control characters, so that text of others (such as answers) can't control the
// terminal.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace trl::interpreter {

/// The control sequences written by trl that a stream doesn't escape.
struct OwnSequences {
  bool colours = false;  ///< `ESC [ … m`
  bool cursor = false;   ///< carriage returns, and sequences that clear a line or the screen
};

/// Passes text on to another stream. Control characters and characters that change the direction of text are
/// written as \u001b or \u202e, which JSON reads as the same characters. Newlines and tabs are kept.
class SafeStream : public std::ostream {
 public:
  SafeStream(std::ostream& out, OwnSequences own) : std::ostream(&buffer_), buffer_(out, own) {}

 private:
  class Buffer : public std::streambuf {
   public:
    Buffer(std::ostream& out, OwnSequences own) : out_(out), own_(own) {}
    ~Buffer() override { Buffer::sync(); }

   protected:
    int overflow(int letter) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

   private:
    /// The length of the sequence of trl (OwnSequences) at the beginning of a text; 0 if there is none.
    std::size_t own_sequence(std::string_view text) const;
    bool pass_on(std::size_t size);

    std::ostream& out_;
    OwnSequences own_;
    std::string pending_;  ///< the beginning of a character or sequence whose rest isn't there yet
  };
  Buffer buffer_;
};

}  // namespace trl::interpreter
