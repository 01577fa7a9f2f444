"""What a script of `gradspec repro` needs beside the engine: short functions, each written out only
where the script uses it. ENGINE is replaced by the name under which the script imports the engine."""

from __future__ import annotations

RENAMED = {
    "weak": "weakref.ref",
    "collect": "gc.collect",
    "deepcopy": "copy.deepcopy",
    "text_of": "str",
    "inf": "math.inf",
    "nan": "math.nan",
    "pi": "math.pi",
}
"""Words that Python has under another name."""

IMPORTS = (
    "contextlib", "copy", "gc", "io", "itertools", "math", "re", "threading", "types", "warnings", "weakref", "numpy",
)  # fmt: skip
"""Modules that a script imports where it names them."""

WRITTEN = frozenset({
    "AssertionError", "Exception", "adapter", "any", "caught", "cmath", "engine", "error", "found", "isinstance",
    "notes", "print", "re", "repr", "str", "tuple", "type", "unreached", "ThreadPoolExecutor",
    "get_attribute", "set_attribute", "get_method", "delete_attribute", "text_of", "open_engine",
})  # fmt: skip
"""The names that scripts use outside of these functions."""

SAME = '''
def same(found, wanted):
    """Whether two values are equal, in nested lists too. True is not 1, and nan is nan."""
    SHAPES
    found, wanted = (x.tolist() if hasattr(x, "tolist") else x for x in (found, wanted))
    if isinstance(wanted, dict):
        alike = isinstance(found, dict) and found.keys() == wanted.keys()
        return alike and all(same(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, (list, tuple)):
        alike = isinstance(found, (list, tuple)) and len(found) == len(wanted)
        return alike and all(map(same, found, wanted))
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    return found == wanted or (found != found and wanted != wanted)
'''
ONE_NUMBER = """    while isinstance(found, (int, float)) and isinstance(wanted, list) and len(wanted) == 1:
        (wanted,) = wanted  # the engine has no shapes
"""
SHAPES = """    if 0 in getattr(found, "shape", ()) or 0 in getattr(wanted, "shape", ()):
        return shape_of(found) == shape_of(wanted)
"""
SHAPE_OF = '''
def shape_of(value):
    """The shape of a tensor, or of nested lists."""
    if isinstance(value, (list, tuple)):
        return (len(value), *(shape_of(value[0]) if value else ()))
    return tuple(getattr(value, "shape", ()))
'''
READ = '(x.tolist() if hasattr(x, "tolist") else x for x in (found, wanted))'
READ_COPIES = (
    '(x.clone() if hasattr(x, "clone") else x for x in (found, wanted))  # zeros may have no memory\n'
    f"    found, wanted = {READ}"
)
"""PyTorch gives some gradients that are zero everywhere as tensors of which only a copy can be read."""
NUMBER = '''
def number(found):
    """A number, or the only element of a tensor without dimensions; True is none."""
    found = found.tolist() if hasattr(found, "tolist") else found
    assert isinstance(found, (int, float)) and not isinstance(found, bool), found
    return found
'''
TELLS = '''
UNTOLD = {"TypeError", "IndexError", "AttributeError", "RecursionError", "NotImplementedError",
          "NameError", "SystemError", "MemoryError", "AssertionError", "LookupError"}


def tells(error, *rules):
    """Whether an error is of the type of a rule, and its message says what the rule does, or it
    carries the kind that the rule names."""
    names = {base.__name__ for base in type(error).__mro__}
    for name, words in rules:
        fits = not names & UNTOLD if name == "ordinary" else not name or name in names
        if "Stopped" in names:
            fits = name == "Stopped"
        if name == "kind":
            if getattr(error, "kind", None) == words:
                return True
            continue
        if fits and re.search(words, str(error), re.IGNORECASE | re.DOTALL):
            return True
    return False
'''
VALUES = '''
def numbers_of(found):
    """Tensors, alone or in lists and tuples, as nested lists of numbers."""
    if isinstance(found, (list, tuple)):
        return [numbers_of(item) for item in found]
    return found.tolist() if hasattr(found, "tolist") else found
'''
VALUES_OF_DICTS = '''
def numbers_of(found):
    """Tensors, alone or in lists, tuples and dicts, as nested lists of numbers."""
    if isinstance(found, dict):
        return {key: numbers_of(item) for key, item in found.items()}
    if isinstance(found, (list, tuple)):
        return [numbers_of(item) for item in found]
    return found.tolist() if hasattr(found, "tolist") else found
'''
VALUES_WITHOUT_TOLIST = '''
def numbers_of(found):
    """Tensors, alone or in lists and tuples, as nested lists of numbers."""
    if isinstance(found, (list, tuple)):
        return [numbers_of(item) for item in found]
    found = getattr(found, "data", found)
    if hasattr(found, "tolist"):
        return found if 0 in getattr(found, "shape", ()) else found.tolist()
    return found.item() if hasattr(found, "item") else found
'''
VALUES_BY_ADAPTER = '''
def numbers_of(found):
    """What the adapter reads from an object of the engine, as numbers in nested lists."""
    return read_plain(adapter.describe(found))


def read_plain(described):
    if not isinstance(described, dict):
        return described
    ((kind, content),) = described.items()
    if kind == "tensor":
        flat = [complex(*map(float, x)) if isinstance(x, list) else read_plain(x) for x in content["values"]]
        return nested(flat, content["shape"])
    if kind in ("list", "tuple"):
        return [read_plain(item) for item in content]
    if kind == "dict":
        return {read_plain(key): read_plain(item) for key, item in content}
    if kind == "number":
        return float(content)
    return complex(*map(float, content)) if kind == "complex" else content


def nested(flat, shape):
    if not shape:
        return flat[0]
    if 0 in shape:
        return types.SimpleNamespace(shape=shape, tolist=list)
    step = len(flat) // shape[0] if shape[0] else 0
    return [nested(flat[at * step : (at + 1) * step], shape[1:]) for at in range(shape[0])]
'''
CLOSE = '''
def close(found, wanted, rel, abs):
    """Whether values agree within rounding, in nested lists too. True is not 1, and nan is nan."""
    SHAPES
    found, wanted = (x.tolist() if hasattr(x, "tolist") else x for x in (found, wanted))
    if isinstance(wanted, dict):
        alike = isinstance(found, dict) and found.keys() == wanted.keys()
        return alike and all(close(found[key], wanted[key], rel, abs) for key in wanted)
    if isinstance(wanted, (list, tuple)):
        alike = isinstance(found, (list, tuple)) and len(found) == len(wanted)
        return alike and all(close(x, y, rel, abs) for x, y in zip(found, wanted))
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(wanted, (float, complex)) and isinstance(found, (int, float, complex)):
        same = cmath.isclose(found, wanted, rel_tol=rel, abs_tol=abs)
        return same or (found != found and wanted != wanted)
    return found == wanted
'''
TRACE = """
notes = []


def trace(label, *seen):
    notes.append([label, *map(numbers_of, seen)] if seen else label)
"""
THREAD = """
def run_in_thread(block):
    with ThreadPoolExecutor(1) as pool:
        pool.submit(block).result()
"""
CONCURRENCY = '''
numbers = itertools.count(1)


class Meeting:
    """Where the functions of one `concurrently` wait for each other."""

    def __init__(self, expected):
        self.expected, self.waiting, self.rounds = expected, 0, 0
        self.changed = threading.Condition()

    def wait(self):
        with self.changed:
            self.waiting += 1
            this = self.rounds
            self.open_if_all_are_here()
            assert self.changed.wait_for(lambda: self.rounds != this, 5), "nobody came to meet()"

    def leave(self):
        with self.changed:
            self.expected -= 1
            self.open_if_all_are_here()

    def open_if_all_are_here(self):
        if self.waiting and self.waiting >= self.expected:
            self.waiting = 0
            self.rounds += 1
            self.changed.notify_all()


class Run(threading.Thread):
    """One function in a thread of its own."""

    def __init__(self, function, meeting):
        super().__init__()
        self.function, self.meeting, self.number, self.failed = function, meeting, next(numbers), None

    def run(self):
        try:
            self.result = self.function()
        except BaseException as error:
            self.failed = error
        finally:
            self.meeting.leave()


def concurrently(*functions):
    """Call functions at the same time, each in a thread of its own; what they return."""
    meeting = Meeting(len(functions))
    runs = [Run(function, meeting) for function in functions]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    for run in runs:
        if run.failed is not None:
            raise run.failed
    return [run.result for run in runs]
'''
RUN_IN_THREAD = """
def run_in_thread(block):
    concurrently(block)
"""
VJP = '''
def vjp(function, inputs, cotangents):
    """Gradients of `function` at `inputs`; zeros for an input that was not used."""
    inputs = [x.detach().requires_grad_() for x in inputs]
    outputs = function(*inputs)
    if not isinstance(outputs, (tuple, list)):
        outputs, cotangents = [outputs], [cotangents]
    found = ENGINE.autograd.grad(outputs, inputs, cotangents, allow_unused=True)
    return tuple(ENGINE.zeros_like(x) if g is None else g for g, x in zip(found, inputs))
'''
VJP_BY_BACKWARD = '''
def vjp(function, inputs, cotangents):
    """Gradients of `function` at `inputs`, by one backward pass into fresh leaves."""
    leaves = [ENGINE.tensor(numbers_of(x)KEYWORDS, requires_grad=True) for x in inputs]
    outputs = function(*leaves)
    if not isinstance(outputs, (tuple, list)):
        outputs, cotangents = [outputs], [cotangents]
    for output, cotangent in zip(outputs, cotangents):
        output.backward(cotangent)
    return tuple(x * 0 if leaf.grad is None else leaf.grad for leaf, x in zip(leaves, inputs))
'''
WITHOUT_GRADIENT = (
    "output.backward(cotangent)",
    "(output * cotangent).sum().backward()  # which takes no gradient",
)
"""What replaces the backward pass of an engine whose `backward` takes no gradient."""
WITHOUT_VIEW_AS = (
    "x.view_as(x)",
    '(x.view_as(x) if hasattr(x, "view_as") else x.reshape(x.shape))',
)
"""What replaces a view of an input for an engine that may have no `view_as`."""
DEPTH = '''
depth = 0


def within(function, arguments):
    """Call a function that is being differentiated, maybe within another."""
    global depth
    depth += 1
    try:
        return function(*arguments)
    finally:
        depth -= 1
'''
NESTED_VJP = '''
def vjp(function, inputs, cotangents):
    """Gradients of `function` at `inputs`, which can be differentiated again within another vjp;
    zeros for an input that was not used."""
    nested = depth > 0 or any(x.requires_grad for x in inputs)
    inputs = [x.view_as(x) if nested else x.detach() for x in inputs]
    inputs = [x if x.requires_grad else x.requires_grad_() for x in inputs]
    outputs = within(function, inputs)
    if not isinstance(outputs, (tuple, list)):
        outputs, cotangents = [outputs], [cotangents]
    kept = [(y, v) for y, v in zip(outputs, cotangents) if y.requires_grad]
    if not kept:
        return tuple(ENGINE.zeros_like(x) for x in inputs)
    outputs, cotangents = zip(*kept)
    found = ENGINE.autograd.grad(outputs, inputs, cotangents, create_graph=nested, allow_unused=True)
    return tuple(ENGINE.zeros_like(x) if g is None else g for g, x in zip(found, inputs))
'''
JVP = '''
def jvp(function, inputs, tangents):
    """The tangent of `function` at `inputs`, by forward mode."""
    forward = ENGINE.autograd.forward_ad
    with forward.dual_level():
        outputs = CALLED
        several = isinstance(outputs, (tuple, list))
        found = [forward.unpack_dual(y) for y in (outputs if several else [outputs])]
        found = [ENGINE.zeros_like(part.primal) if part.tangent is None else part.tangent for part in found]
    return tuple(found) if several else found[0]
'''
WITHOUT_LEVELS = """\
    if not hasattr(getattr(ENGINE.autograd, "forward_ad", None), "dual_level"):
        return ENGINE.func.jvp(function, tuple(inputs), tuple(tangents))[1]
"""
NESTED_JVP = '''
def jvp(function, inputs, tangents):
    """The tangent of `function` at `inputs`, by the transform, which can be nested."""
    return ENGINE.func.jvp(function, tuple(inputs), tuple(tangents))[1]
'''
DUALS = "[forward.make_dual(x, t) for x, t in zip(inputs, tangents)]"

STOPPED = '''
class Stopped(Exception):
    """Raised by the program itself."""
'''
WORDS = {
    "stop": STOPPED + '\n\ndef stop(text="stopped"):\n    raise Stopped(text)\n',
    "alive": "\ndef alive(reference):\n    return reference() is not None\n",
    "throw_into": "\ndef throw_into(generator, text):\n    return generator.throw(Stopped(text))\n",
    "afterwards": """
@contextlib.contextmanager
def afterwards(function):
    try:
        yield
    finally:
        function()
""",
    "without_collector": """
@contextlib.contextmanager
def without_collector():
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
""",
    "messages": """
@contextlib.contextmanager
def messages():
    texts = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield texts
    except Exception as error:
        texts.append(str(error))
        raise
    finally:
        texts[:0] = [str(item.message) for item in caught]
        for item in caught:
            warnings.warn_explicit(item.message, item.category, item.filename, item.lineno)
""",
    "concurrently": CONCURRENCY,
    "meet": """
def meet():
    threading.current_thread().meeting.wait()
""",
    "this_thread": '''
def this_thread():
    """0 for the first thread, then in the order in which they started; None for the engine's own."""
    here = threading.current_thread()
    return 0 if here is threading.main_thread() else getattr(here, "number", None)
''',
    "saved_and_loaded": """
def saved_and_loaded(value):
    file = io.BytesIO()
    ENGINE.save(value, file)
    file.seek(0)
    return ENGINE.load(file)
""",
    "other_device": '\ndef other_device():\n    return ENGINE.device("meta")\n',
    "meta_device": '\ndef meta_device():\n    return ENGINE.device("meta")\n',
    "accelerator": """
def accelerator():
    for kind in ("cuda", "strict"):
        try:
            return ENGINE.zeros(1, device=kind).device
        except Exception:
            continue
    raise RuntimeError("there is no device beside the CPU")
""",
    "call": "\ndef call(function, *arguments, **keywords):\n    return function(*arguments, **keywords)\n",
    "is_tensor": "\ndef is_tensor(value):\n    return isinstance(value, ENGINE.Tensor)\n",
    "is_variable": "\ndef is_variable(value):\n    return isinstance(value, ENGINE.autograd.Variable)\n",
    "is_node": '\ndef is_node(value):\n    return hasattr(value, "next_functions")\n',
    "to_numpy": "\ndef to_numpy(tensor):\n    return tensor.detach().numpy()\n",
    "numpy_array": '\ndef numpy_array(values):\n    return numpy.array(values, dtype="float32")\n',
    "shares_storage": """
def shares_storage(first, second):
    return numpy.shares_memory(memory(first), memory(second))


def memory(tensor):
    try:
        return tensor.numpy()
    except Exception:
        return tensor.detach().numpy()
""",
}
"""The words that need a few lines of their own."""
