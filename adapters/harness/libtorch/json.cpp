#include "json.hpp"

#include <charconv>
#include <cmath>
#include <limits>

namespace harness {

namespace {

constexpr int kMaxDepth = 400;  // deeper than any program; keeps a hostile line from ending the stack

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Json document() {
    Json value = this->value(0);
    skip_space();
    if (at_ != text_.size()) fail("something follows the value");
    return value;
  }

 private:
  [[noreturn]] void fail(const char* why) const {
    throw MalformedJson("this is not JSON: " + std::string(why) + " at " + std::to_string(at_));
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  char peek() {
    skip_space();
    if (at_ >= text_.size()) fail("the text ends too early");
    return text_[at_];
  }

  void expect(char wanted) {
    if (peek() != wanted) fail("an unexpected character");
    ++at_;
  }

  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  Json word(std::string_view spelled, Json value) {
    if (text_.substr(at_, spelled.size()) != spelled) fail("an unknown word");
    at_ += spelled.size();
    return value;
  }

  Json value(int depth) {
    if (depth > kMaxDepth) fail("nested too deeply");
    switch (peek()) {
      case '{': return object(depth);
      case '[': return array(depth);
      case '"': return Json(string());
      case 't': return word("true", Json(true));
      case 'f': return word("false", Json(false));
      case 'n': return word("null", Json());
      default: return number();
    }
  }

  Json object(int depth) {
    Json::Object found;
    expect('{');
    if (accept('}')) return Json(std::move(found));
    do {
      if (peek() != '"') fail("a key must be text");
      std::string key = string();
      expect(':');
      found.emplace_back(std::move(key), value(depth + 1));
    } while (accept(','));
    expect('}');
    return Json(std::move(found));
  }

  Json array(int depth) {
    Json::Array found;
    expect('[');
    if (accept(']')) return Json(std::move(found));
    do found.push_back(value(depth + 1));
    while (accept(','));
    expect(']');
    return Json(std::move(found));
  }

  Json number() {
    size_t end = text_.find_first_not_of("+-0123456789.eE", at_);
    if (end == std::string_view::npos) end = text_.size();
    const char* first = text_.data() + at_;
    const char* last = text_.data() + end;
    int64_t whole = 0;
    if (auto [stop, error] = std::from_chars(first, last, whole); error == std::errc() && stop == last && first != last) {
      at_ = end;
      return Json(whole);
    }
    double real = 0;
    auto [stop, error] = std::from_chars(first, last, real);
    if (stop != last || first == last) fail("a number is malformed");
    if (error == std::errc::result_out_of_range) real = std::numeric_limits<double>::infinity();
    at_ = end;
    return Json(real);
  }

  uint32_t four_digits() {
    uint32_t code = 0;
    const char* first = text_.data() + at_;
    if (at_ + 4 > text_.size()) fail("an escape is cut short");
    auto [stop, error] = std::from_chars(first, first + 4, code, 16);
    if (error != std::errc() || stop != first + 4) fail("an escape is malformed");
    at_ += 4;
    return code;
  }

  void append_utf8(std::string& out, uint32_t code) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | (code >> 12));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      out += static_cast<char>(0xF0 | (code >> 18));
      out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    }
  }

  void escape(std::string& out) {
    if (at_ >= text_.size()) fail("an escape is cut short");
    char letter = text_[at_++];
    switch (letter) {
      case 'n': out += '\n'; return;
      case 't': out += '\t'; return;
      case 'r': out += '\r'; return;
      case 'b': out += '\b'; return;
      case 'f': out += '\f'; return;
      case '"':
      case '\\':
      case '/': out += letter; return;
      case 'u': break;
      default: fail("an unknown escape");
    }
    uint32_t code = four_digits();
    bool high = code >= 0xD800 && code < 0xDC00;
    if (high && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      uint32_t low = four_digits();
      if (low < 0xDC00 || low > 0xDFFF) fail("half of a character");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    bool half = code >= 0xD800 && code < 0xE000;
    append_utf8(out, half ? 0xFFFD : code);
  }

  std::string string() {
    std::string out;
    ++at_;  // the opening quote
    while (true) {
      if (at_ >= text_.size()) fail("text is not closed");
      char letter = text_[at_++];
      if (letter == '"') return out;
      if (letter == '\\') escape(out);
      else out += letter;
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

void write_text(std::string& out, std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  out += '"';
  for (char letter : text) {
    switch (letter) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(letter) < 0x20) {
          out += "\\u00";
          out += digits[letter >> 4];
          out += digits[letter & 15];
        } else {
          out += letter;
        }
    }
  }
  out += '"';
}

void write_double(std::string& out, double value) {
  char buffer[40];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string_view shown(buffer, static_cast<size_t>(end - buffer));
  out += shown;
  // "2" would be read back as an integer.
  if (shown.find_first_of(".e") == std::string_view::npos) out += ".0";
}

}  // namespace

const Json& Json::operator[](std::string_view key) const {
  static const Json null;
  for (const auto& [name, value] : object())
    if (name == key) return value;
  return null;
}

double Json::number() const {
  if (const auto* whole = std::get_if<int64_t>(&content_)) return static_cast<double>(*whole);
  if (is_object()) {
    const std::string& name = (*this)["number"].text();
    if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (name == "inf") return std::numeric_limits<double>::infinity();
    if (name == "-inf") return -std::numeric_limits<double>::infinity();
  }
  return as<double>("a number");
}

std::string Json::write() const {
  std::string out;
  write_to(out);
  return out;
}

void Json::write_to(std::string& out) const {
  if (is_null()) {
    out += "null";
  } else if (const auto* truth = std::get_if<bool>(&content_)) {
    out += *truth ? "true" : "false";
  } else if (const auto* whole = std::get_if<int64_t>(&content_)) {
    out += std::to_string(*whole);
  } else if (const auto* real = std::get_if<double>(&content_)) {
    write_double(out, *real);
  } else if (const auto* text = std::get_if<std::string>(&content_)) {
    write_text(out, *text);
  } else if (const auto* array = std::get_if<Array>(&content_)) {
    out += '[';
    for (size_t i = 0; i < array->size(); ++i) {
      if (i > 0) out += ", ";
      (*array)[i].write_to(out);
    }
    out += ']';
  } else {
    out += '{';
    bool first = true;
    for (const auto& [key, value] : object()) {
      if (!first) out += ", ";
      first = false;
      write_text(out, key);
      out += ": ";
      value.write_to(out);
    }
    out += '}';
  }
}

Json parse_json(std::string_view text) { return JsonParser(text).document(); }

Json number_json(double value) {
  if (std::isfinite(value)) return Json(value);
  return Json(Json::Object{{"number", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"}});
}

}  // namespace harness
