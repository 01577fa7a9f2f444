// Speaks the protocol: one question on each line of standard input, one answer on each of standard output.
#include <cstdio>
#include <iostream>
#include <string>

#include <unistd.h>

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include "errors.hpp"
#include "interpreter.hpp"
#include "json.hpp"

namespace harness {

namespace {

// What libtorch has in C++. Printing as Python prints, NumPy, deep copies, hooks on saved tensors
// and on modules, and the deprecated Variable are Python's, so that they are not declared.
constexpr const char* kFeatures[] = {
    "arrays", "operations", "random", "dtypes", "complex", "vjp", "jvp", "requires-grad", "leaf", "grad-attribute",
    "assign-grad", "backward", "backward-function", "backward-inputs", "retain-graph", "higher-order",
    "grad-function", "unused-inputs", "retain-grad", "detach", "data", "no-grad", "inference-mode", "in-place",
    "views", "version-counter", "graph", "node-names", "hooks", "post-accumulate-hooks", "node-hooks",
    "custom-function", "warnings", "memory", "threads", "view-relations", "devices", "serialization", "nn",
    "optim",
};

Json::Object hello(const Json& question) {
  const std::string& device = question["device"].text();
  if (device != "cpu")
    return {{"answer", "hello"}, {"unavailable", "this harness runs libtorch on the device cpu, not on " + device}};
  if (!question["kinds"].is_null()) learn_rules(question["kinds"]);
  Json::Array features;
  for (const char* feature : kFeatures) features.emplace_back(feature);
  return {{"answer", "hello"},      {"gradspec", 1},   {"name", "libtorch"},
          {"version", TORCH_VERSION}, {"language", "C++"}, {"device", device},
          {"features", Json(std::move(features))}, {"exact_kinds", true}};
}

Json::Object run(const Json& question) {
  Json::Object answer{{"answer", "run"}, {"number", question["number"]}};
  for (auto& part : Session(question["program"]).run()) answer.push_back(std::move(part));
  return answer;
}

int serve(std::FILE* out) {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Json question = parse_json(line);
    const std::string& asked = question["ask"].text();
    if (asked == "bye") return 0;
    if (asked != "hello" && asked != "run") throw MalformedJson("nobody answers to the question " + asked);
    Json::Object answer = asked == "hello" ? hello(question) : run(question);
    std::string written = Json(std::move(answer)).write() + "\n";
    std::fwrite(written.data(), 1, written.size(), out);
    std::fflush(out);
  }
  return 0;
}

}  // namespace

}  // namespace harness

int main() {
  // Only answers may stand on standard output: whatever a library prints there goes to standard error.
  std::FILE* answers = fdopen(dup(STDOUT_FILENO), "w");
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::ios::sync_with_stdio(false);
  at::set_num_threads(1);
  c10::WarningUtils::set_warnAlways(true);  // else a warning would depend on the programs before it
  try {
    return harness::serve(answers);
  } catch (const std::exception& error) {
    std::cerr << "gradspec libtorch harness: " << error.what() << "\n";
    return 1;
  }
}
