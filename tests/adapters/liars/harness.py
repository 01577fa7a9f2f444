"""A process that speaks the protocol: it replays honest answers, and misbehaves on one case.

python harness.py ANSWERS.json LIE
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

VICTIM = "tiny.victim/the-case-to-misbehave-on"


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def main(answers: dict[str, Any], lie: str) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if request["ask"] == "bye":
            return
        if request["ask"] == "hello":
            say(json.dumps({
                "answer": "hello", "gradspec": 1, "name": "harness", "version": "1",
                "language": "none", "device": "cpu", "features": None, "exact_kinds": False,
            }) + "\n")  # fmt: skip
            continue
        if lie == "counts":
            with open(os.environ["LIARS_COUNT"], "a", encoding="utf-8") as file:
                file.write(request["program"]["id"] + "\n")
        answer = {"answer": "run", "number": request["number"], "seconds": 0.001}
        answer.update(answers[request["program"]["id"]])
        if lie == "exits_after_each_answer":
            say(json.dumps(answer) + "\n")
            time.sleep(0.002 * (request["number"] % 4))  # now at once, now a moment later
            os._exit(0)
        if request["program"]["id"] == VICTIM:
            misbehave(lie, answer)
        else:
            say(json.dumps(answer) + "\n")


def misbehave(lie: str, answer: dict[str, Any]) -> None:
    """Answer the one case, in one way or another."""
    honest = json.dumps(answer) + "\n"
    number = answer["number"]
    gradient = answer["observed"][0][1]["tensor"]
    if lie == "exits":
        os._exit(0)
    elif lie == "exits_with_3":
        os._exit(3)
    elif lie == "dies":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif lie == "dies_and_leaves_a_child":
        subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(5)"], start_new_session=True
        )
        os._exit(1)
    elif lie == "stops":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif lie == "hangs":
        time.sleep(60)
    elif lie == "answers_late":
        time.sleep(2)
        say(honest)
    elif lie == "answers_then_exits":
        say(honest)
        os._exit(0)
    elif lie == "answers_then_talks":
        say(honest)
        time.sleep(0.02)
        say("by the way\n")
    elif lie == "prints_junk":
        say("junk\n" + honest)
    elif lie == "prints_junk_after":
        say(honest + "junk\n")
    elif lie == "half_a_line":
        say(honest[:20])
        time.sleep(60)
    elif lie == "half_a_line_and_exits":
        say(honest[:20])
        os._exit(0)
    elif lie == "closes_its_output":
        os.close(1)
        time.sleep(60)
    elif lie == "answers_twice":
        say(honest + honest)
    elif lie == "answers_another_number":
        say(json.dumps({**answer, "number": number + 1}) + "\n")
    elif lie == "answers_an_older_number":
        say(json.dumps({**answer, "number": number - 1}) + "\n")
    elif lie == "answers_no_number":
        say(json.dumps({**answer, "number": None}) + "\n")
    elif lie == "says_nan":
        gradient["values"] = [float("nan")]
        say(json.dumps(answer) + "\n")
    elif lie == "says_infinity":
        say(honest.replace("[2.0]", "[1e999]"))
    elif lie == "says_a_long_integer":
        say(honest.replace("[2.0]", "[" + "9" * 4000 + "]"))
    elif lie == "says_bytes":
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.flush()
    elif lie == "says_a_list":
        say("[1, 2]\n")
    elif lie == "says_nothing_else":
        say("{}\n")
    elif lie == "says_half_a_character":
        end = {"how": "error", "kind": "refused", "type": "E", "message": "\ud800 \x1b[31m"}
        say(json.dumps({**answer, "observed": [], "end": end}) + "\n")
    elif lie == "says_very_much":
        for _ in range(70):
            sys.stdout.write(" " * (1 << 20))
        say("\n")
    elif lie == "says_nested_lists":
        nested = "[" * 90_000 + "]" * 90_000
        say(f'{{"answer": "run", "number": {number}, "observed": [[0, {nested}]]}}\n')
    elif lie == "nests_values":
        deep: Any = 1
        for _ in range(100):
            deep = {"list": [deep]}
        answer["observed"][0][1] = deep
        say(json.dumps(answer) + "\n")
    elif lie == "lies_about_the_shape":
        gradient["shape"] = [7]
        say(json.dumps(answer) + "\n")
    elif lie == "says_a_negative_shape":
        gradient["shape"] = [-1, -1]
        say(json.dumps(answer) + "\n")
    elif lie == "says_another_dtype":
        answer["observed"][1][1] = {"dtype": "int64"}
        say(json.dumps(answer) + "\n")
    elif lie == "observes_what_is_not_there":
        answer["observed"].append([99, True])
        say(json.dumps(answer) + "\n")
    elif lie == "observes_before_the_first":
        answer["observed"].append([-1, True])
        say(json.dumps(answer) + "\n")
    elif lie == "observes_in_words":
        answer["observed"].append(["x", True])
        say(json.dumps(answer) + "\n")
    elif lie == "says_no_end":
        del answer["end"]
        say(json.dumps(answer) + "\n")
    elif lie == "says_an_unknown_end":
        answer["end"] = {"how": "gloriously"}
        say(json.dumps(answer) + "\n")
    elif lie == "says_strange_seconds":
        say(json.dumps({**answer, "seconds": "soon"}) + "\n")
    elif lie == "says_it_was_refused":
        answer["observed"][0][1] = {"ended": {"how": "refused"}}
        say(json.dumps(answer) + "\n")
    elif lie == "says_an_end_in_a_list":
        say(json.dumps({**answer, "end": {"how": ["finished"]}}) + "\n")
    elif lie == "says_an_endless_integer":
        say(honest.replace("[2.0]", "[" + "9" * 9000 + "]"))
    elif lie == "says_a_key_twice":
        say(honest.replace('{"answer"', '{"answer": "hello", "answer"', 1))
    elif lie == "says_a_tensor_of_tensors":
        gradient["values"] = [dict(gradient)]
        say(json.dumps(answer) + "\n")
    elif lie == "says_a_shape_of_booleans":
        gradient["shape"] = [True]
        say(json.dumps(answer) + "\n")
    elif lie == "says_a_pair_of_one":
        answer["observed"][0][1] = {"pair": [1]}
        say(json.dumps(answer) + "\n")
    elif lie == "says_null_characters":
        end = {"how": "error", "kind": "refused", "type": "E\0", "message": "\0" * 50, "line": "x"}
        say(json.dumps({**answer, "observed": [], "end": end}) + "\n")
    elif lie == "says_it_in_utf_16":
        sys.stdout.buffer.write(honest.encode("utf-16"))
        sys.stdout.flush()
    elif lie == "drips":
        for letter in honest * 100:
            say(letter.replace("\n", " "))
            time.sleep(0.05)
    elif lie == "says_56_megabytes":
        answer["end"]["message"] = "x" * (56 << 20)
        say(json.dumps(answer) + "\n")
    elif lie == "floods_standard_error":
        for _ in range(200):
            os.write(2, b"never mind\n" * 10_000)
        say(honest)
    elif lie == "closes_its_input":
        say(honest)
        os.close(0)
        time.sleep(60)
    elif lie == "leaves_a_daemon":
        code = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\n"
        subprocess.run([sys.executable, "-S", "-c", code], check=True, stdout=subprocess.DEVNULL)
        say(honest)
    elif lie == "kills_its_parent":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    elif lie == "stops_its_parent":
        os.kill(os.getppid(), signal.SIGSTOP)
        say(honest)
    elif lie == "ignores_every_signal":
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        say(honest)
    else:
        say(honest)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        main(json.load(file), sys.argv[2])
