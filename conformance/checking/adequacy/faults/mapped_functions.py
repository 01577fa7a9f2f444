"""Faults of vmap, and of modules that are called with other tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, register, torch, untouched
from .transforms import calls, in_tree, is_tensor


def mapping(patch: Patch, change: Callable[..., Any]) -> None:
    """Let the functions that vmap returns give `change(run, args, in_dims)`; `run(*args)` is the
    right result."""

    def vmap(whole: Any, f: Any, in_dims: Any = 0, *options: Any, **keywords: Any) -> Any:
        mapped = whole(f, in_dims, *options, **keywords)

        def function(*args: Any, **others: Any) -> Any:
            return change(lambda *args: mapped(*args, **others), args, in_dims)

        return function

    calls(patch, "vmap", vmap)


def dims_as(name: str, sentence: str, change: Callable[[Any, Any], Any]) -> None:
    """A fault: vmap takes `change(in_dims, out_dims)`."""

    def vmap(whole: Any, f: Any, in_dims: Any = 0, out_dims: Any = 0, *rest: Any, **kw: Any) -> Any:
        return whole(f, *change(in_dims, out_dims), *rest, **kw)

    register(name, sentence, lambda patch: calls(patch, "vmap", vmap))


dims_as(
    "vmap_maps_over_the_first_dimension",
    "vmap maps over the first dimension, whatever in_dims says.",
    lambda in_dims, out_dims: (0 if isinstance(in_dims, int) else in_dims, out_dims),
)
dims_as(
    "vmap_maps_over_every_argument",
    "vmap maps over arguments that all entries should share.",
    lambda in_dims, out_dims: (
        tuple(0 if d is None else d for d in in_dims) if isinstance(in_dims, tuple) else in_dims,
        out_dims,
    ),
)
dims_as(
    "vmap_stacks_along_the_first_dimension",
    "vmap puts results together along the first dimension, whatever out_dims says.",
    lambda in_dims, out_dims: (in_dims, 0),
)
dims_as(
    "out_dims_of_none_are_the_first",
    "vmap puts results together along the first dimension where out_dims is None.",
    lambda in_dims, out_dims: (
        in_dims,
        tuple(0 if d is None else d for d in out_dims)
        if isinstance(out_dims, tuple)
        else 0
        if out_dims is None
        else out_dims,
    ),
)
dims_as(
    "negative_dimensions_of_vmap_count_from_the_first",
    "vmap takes a negative dimension without its sign, less one.",
    lambda in_dims, out_dims: (
        abs(in_dims) - 1 if isinstance(in_dims, int) and in_dims < 0 else in_dims,
        out_dims,
    ),
)


@fault
def keywords_of_vmap_are_mapped(patch: Patch) -> None:
    """vmap maps over keyword arguments too."""

    def vmap(whole: Any, f: Any, *options: Any, **settings: Any) -> Any:
        def function(*args: Any, **keywords: Any) -> Any:
            mapped = {name: value for name, value in keywords.items() if is_tensor(value)}
            if not mapped:
                return whole(f, *options, **settings)(*args, **keywords)
            given = lambda x, *values: f(  # noqa: E731
                x, **{**keywords, **dict(zip(mapped, values, strict=True))}
            )
            return whole(given)(*args, *(value[: len(args[0])] for value in mapped.values()))

        return function

    calls(patch, "vmap", vmap)


@fault
def constants_of_vmap_are_not_repeated(patch: Patch) -> None:
    """A result that is the same for all entries comes once."""

    def once(y: Any) -> Any:
        same = is_tensor(y) and y.dim() > 1 and not y.requires_grad and len(y) > 1
        return y[0] if same and bool((y == y[0]).all()) else y

    mapping(patch, lambda run, args, in_dims: in_tree(once, run(*args)))


@fault
def vmap_stops_with_the_shortest(patch: Patch) -> None:
    """vmap leaves out the entries that the shortest argument does not have."""

    def change(run: Any, args: Any, in_dims: Any) -> Any:
        if in_dims in (0, (0,) * len(args)) and all(is_tensor(x) and x.dim() for x in args):
            size = min(len(x) for x in args)
            args = tuple(x[:size] for x in args)
        return run(*args)

    mapping(patch, change)


@fault
def vmap_of_nothing_is_a_call(patch: Patch) -> None:
    """vmap without an argument to map over calls the function once."""

    def vmap(whole: Any, f: Any, in_dims: Any = 0, *options: Any, **keywords: Any) -> Any:
        nothing = isinstance(in_dims, tuple) and all(d is None for d in in_dims)
        return f if nothing else whole(f, in_dims, *options, **keywords)

    calls(patch, "vmap", vmap)


@fault
def numbers_under_vmap_become_tensors(patch: Patch) -> None:
    """vmap makes tensors of plain numbers that the function returns."""

    def vmap(whole: Any, f: Any, *options: Any, **keywords: Any) -> Any:
        def given(*args: Any, **others: Any) -> Any:
            out = f(*args, **others)
            return torch.tensor(out) if isinstance(out, float) else out

        return whole(given, *options, **keywords)

    calls(patch, "vmap", vmap)


@fault
def numbers_are_shared_by_the_entries_of_vmap(patch: Patch) -> None:
    """vmap takes a plain number for one that all entries share, whatever in_dims says."""

    def vmap(whole: Any, f: Any, in_dims: Any = 0, *options: Any, **keywords: Any) -> Any:
        def function(*args: Any, **others: Any) -> Any:
            dims = in_dims
            if isinstance(dims, tuple) and len(dims) == len(args):
                pairs = zip(dims, args, strict=True)
                dims = tuple(None if isinstance(x, float) else d for d, x in pairs)
            return whole(f, dims, *options, **keywords)(*args, **others)

        return function

    calls(patch, "vmap", vmap)


@fault
def dimensions_of_vmap_wrap_around(patch: Patch) -> None:
    """vmap takes a dimension that an argument does not have for its first."""

    def change(whole: Any, f: Any, in_dims: Any = 0, *options: Any, **keywords: Any) -> Any:
        def function(*args: Any, **others: Any) -> Any:
            dims = in_dims
            if isinstance(dims, tuple) and len(dims) == len(args):
                pairs = zip(dims, args, strict=True)
                dims = tuple(
                    0 if isinstance(d, int) and is_tensor(x) and d >= x.dim() else d
                    for d, x in pairs
                )
            return whole(f, dims, *options, **keywords)(*args, **others)

        return function

    calls(patch, "vmap", change)


@fault
def in_dims_of_vmap_are_filled_up(patch: Patch) -> None:
    """vmap takes 0 for the in_dims that are missing."""

    def change(whole: Any, f: Any, in_dims: Any = 0, *options: Any, **keywords: Any) -> Any:
        def function(*args: Any, **others: Any) -> Any:
            dims = in_dims
            if isinstance(dims, tuple):
                dims = (*dims, *[0] * (len(args) - len(dims)))
            return whole(f, dims, *options, **keywords)(*args, **others)

        return function

    calls(patch, "vmap", change)


@fault
def the_last_chunk_of_vmap_is_zero(patch: Patch) -> None:
    """The entries of the last chunk of vmap are zero, if it is smaller than the others."""

    def vmap(whole: Any, f: Any, *options: Any, chunk_size: Any = None, **keywords: Any) -> Any:
        def cut(y: Any) -> Any:
            kept = torch.arange(len(y)) < max(len(y) - len(y) % chunk_size, 1)
            return y * kept.reshape(-1, *[1] * (y.dim() - 1))

        def function(*args: Any, **others: Any) -> Any:
            found = whole(f, *options, chunk_size=chunk_size, **keywords)(*args, **others)
            return in_tree(cut, found) if chunk_size else found

        return function

    calls(patch, "vmap", vmap)


@fault
def chunks_of_vmap_are_cut_along_the_first_dimension(patch: Patch) -> None:
    """With chunk_size, vmap maps over the first dimension, whatever in_dims says."""

    def vmap(whole: Any, f: Any, in_dims: Any = 0, *options: Any, **keywords: Any) -> Any:
        if keywords.get("chunk_size"):
            several = isinstance(in_dims, tuple)
            in_dims = tuple(first_dims(d) for d in in_dims) if several else first_dims(in_dims)
        return whole(f, in_dims, *options, **keywords)

    calls(patch, "vmap", vmap)


def first_dims(dims: Any) -> Any:
    """0 for each dimension."""
    if isinstance(dims, dict):
        return {key: first_dims(d) for key, d in dims.items()}
    return None if dims is None else 0


def randomness_as(
    name: str,
    sentence: str,
    told: str,
    taken: str,
    where: Callable[[Any], bool] = lambda dims: True,
) -> None:
    """A fault: vmap takes one `randomness` for another, where `where(in_dims)`."""

    def vmap(
        whole: Any,
        f: Any,
        in_dims: Any = 0,
        out_dims: Any = 0,
        randomness: str = "error",
        **kw: Any,
    ) -> Any:
        mistaken = randomness == told and where(in_dims)
        return whole(f, in_dims, out_dims, taken if mistaken else randomness, **kw)

    register(name, sentence, lambda patch: calls(patch, "vmap", vmap))


randomness_as(
    "vmap_draws_unasked",
    "vmap draws random numbers unasked, as for 'different'.",
    "error",
    "different",
)
randomness_as(
    "vmap_draws_for_each_entry", "vmap draws for each entry under 'same'.", "same", "different"
)
randomness_as(
    "vmap_draws_once", "vmap draws once for all entries under 'different'.", "different", "same"
)


@fault
def gradients_under_vmap_are_summed(patch: Patch) -> None:
    """vmap of a gradient by what all entries share gives each the sum over the entries."""

    def change(run: Any, args: Any, in_dims: Any) -> Any:
        found = run(*args)
        shared = isinstance(in_dims, tuple) and in_dims[0] is None and is_tensor(found)
        alike = shared and is_tensor(args[0]) and found.shape[1:] == args[0].shape
        return found.sum(0).expand(found.shape) if alike and found.dim() > 1 else found

    mapping(patch, change)


@fault
def results_of_vmap_are_detached(patch: Patch) -> None:
    """What vmap gives has no history."""
    mapping(patch, lambda run, args, in_dims: in_tree(untouched.detach, run(*args)))


@fault
def an_inner_vmap_maps_nothing(patch: Patch) -> None:
    """A vmap within another computes its first entry for all."""
    depth = [0]

    def change(run: Any, args: Any, in_dims: Any) -> Any:
        depth[0] += 1
        try:
            found = run(*args)
        finally:
            depth[0] -= 1
        return in_tree(lambda y: y[:1].expand(y.shape), found) if depth[0] else found

    mapping(patch, change)


@fault
def passes_under_vmap_take_the_first_cotangent(patch: Patch) -> None:
    """Where autograd.grad runs under vmap, all entries get the gradient of the first."""
    passes: list[int] = []

    def make(grad: Any) -> Any:
        def run(*args: Any, **keywords: Any) -> Any:
            passes.append(1)
            return grad(*args, **keywords)

        return run

    patch.wrap(torch.autograd, "grad", make)

    def change(run: Any, args: Any, in_dims: Any) -> Any:
        passes.clear()
        found = run(*args)
        return in_tree(lambda y: y[:1].expand(y.shape), found) if passes else found

    mapping(patch, change)


# --- modules that are called with other tensors ---


def calling(patch: Patch, change: Callable[..., Any]) -> None:
    """Let functional_call be `change(whole, module, dicts, args, kwargs, **options)`."""

    def call(
        whole: Any, module: Any, dicts: Any, args: Any = None, kwargs: Any = None, **options: Any
    ) -> Any:
        return change(whole, module, dicts, args, kwargs, **options)

    calls(patch, "functional_call", call)


def merged(dicts: Any) -> dict[str, Any]:
    """All that functional_call is given, in one dict; nothing of what is no dict, which it rejects."""
    parts = [dicts] if isinstance(dicts, dict) else dicts if isinstance(dicts, tuple) else []
    return {k: v for part in parts if isinstance(part, dict) for k, v in part.items()}


@fault
def functional_call_keeps_what_it_was_given(patch: Patch) -> None:
    """The given values stay in the module."""

    def change(whole: Any, module: Any, dicts: Any, *args: Any, **options: Any) -> Any:
        found = whole(module, dicts, *args, **options)
        own = dict(module.named_parameters())
        with torch.no_grad():
            for name in merged(dicts).keys() & own.keys():
                if own[name].shape == merged(dicts)[name].shape:
                    own[name].copy_(merged(dicts)[name].detach())
        return found

    calling(patch, change)


@fault
def functional_call_restores_nothing_after_an_error(patch: Patch) -> None:
    """After an error, the given values stay in the module."""

    def change(whole: Any, module: Any, dicts: Any, *args: Any, **options: Any) -> Any:
        try:
            return whole(module, dicts, *args, **options)
        except Exception:
            own = dict(module.named_parameters())
            with torch.no_grad():
                for name in merged(dicts).keys() & own.keys():
                    own[name].copy_(merged(dicts)[name].detach())
            raise

    calling(patch, change)


@fault
def names_left_out_of_functional_call_are_zero(patch: Patch) -> None:
    """Parameters and buffers that are not given are zero."""

    def change(whole: Any, module: Any, dicts: Any, *args: Any, **options: Any) -> Any:
        given = merged(dicts)
        own = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        missing = {n: torch.zeros_like(x) for n, x in own.items() if n not in given}
        strict = options.get("strict")
        return whole(module, dicts if strict else {**given, **missing}, *args, **options)

    calling(patch, change)


@fault
def keywords_of_functional_call_are_dropped(patch: Patch) -> None:
    """functional_call does not pass keyword arguments on."""
    calling(
        patch,
        lambda whole, module, dicts, args, kwargs, **options: whole(module, dicts, args, **options),
    )


@fault
def later_dicts_of_functional_call_win(patch: Patch) -> None:
    """A name that two dicts have gets the value of the later one."""
    calling(
        patch,
        lambda whole, module, dicts, *args, **options: whole(
            module, merged(dicts) if isinstance(dicts, tuple) else dicts, *args, **options
        ),
    )


@fault
def functional_call_detaches_what_it_is_given(patch: Patch) -> None:
    """No gradient goes to the tensors that functional_call is given."""
    calling(
        patch,
        lambda whole, module, dicts, *args, **options: (
            whole(module, in_tree(untouched.detach, merged(dicts)), *args, **options)
            if not any(b in merged(dicts) for b, _ in module.named_buffers())
            else whole(module, dicts, *args, **options)
        ),
    )


@fault
def functional_call_copies_what_it_is_given(patch: Patch) -> None:
    """What the module writes into a buffer is lost."""
    calling(
        patch,
        lambda whole, module, dicts, *args, **options: whole(
            module,
            {k: v.clone() for k, v in dicts.items()} if isinstance(dicts, dict) else dicts,
            *args,
            **options,
        ),
    )


@fault
def functional_call_ties_nothing(patch: Patch) -> None:
    """A parameter with two names is replaced under the given one only."""

    def change(whole: Any, *args: Any, tie_weights: bool = True, **options: Any) -> Any:
        return whole(*args, tie_weights=False, **options)

    calling(patch, change)


@fault
def functional_call_always_ties(patch: Patch) -> None:
    """A parameter with two names is replaced under both, even with tie_weights=False."""

    def change(whole: Any, *args: Any, tie_weights: bool = True, **options: Any) -> Any:
        return whole(*args, tie_weights=True, **options)

    calling(patch, change)


@fault
def functional_call_takes_the_first_of_tied_values(patch: Patch) -> None:
    """Of two values for a parameter with two names, the first one is used."""

    def change(
        whole: Any, module: Any, dicts: Any, *args: Any, tie_weights: bool = True, **options: Any
    ) -> Any:
        given = merged(dicts)
        if tie_weights:
            own = dict(module.named_parameters(remove_duplicate=False))
            first = {id(own[name]): name for name in reversed(given) if name in own}
            given = {n: v for n, v in given.items() if n not in own or first[id(own[n])] == n}
        return whole(module, given, *args, tie_weights=tie_weights, **options)

    calling(patch, change)


@fault
def functional_call_is_never_strict(patch: Patch) -> None:
    """functional_call ignores strict."""

    def change(whole: Any, *args: Any, strict: bool = False, **options: Any) -> Any:
        return whole(*args, **options)

    calling(patch, change)


@fault
def functional_call_takes_numbers(patch: Patch) -> None:
    """functional_call makes tensors of numbers."""

    def change(whole: Any, module: Any, dicts: Any, *args: Any, **options: Any) -> Any:
        if isinstance(dicts, dict):
            made = {k: torch.tensor(v) if isinstance(v, float) else v for k, v in dicts.items()}
            return whole(module, made, *args, **options)
        return whole(module, dicts, *args, **options)

    calling(patch, change)
