// jax-js (https://github.com/ekzhang/jax-js): JAX's transforms in JavaScript, on its backend "cpu".
//
//     npm install @jax-js/jax@0.1.25 --ignore-scripts
//     gradspec run --impl="exec:node jax_js.mjs FOLDER"            # the folder that has node_modules
import {
  Integer,
  Thing,
  Tuple,
  Unsupported,
  integers,
  normalized,
  operatorsOf,
  packaged,
  plain,
  raw,
  serve,
  taking,
} from "./gradspec.mjs";

// It needs two things that Node has from versions 22 and 24 on: iterators with `map` and `filter`, and the type of
// float16 data, if only to ask whether data is of it.
const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
iterators.map ??= function* (made) {
  for (const item of this) yield made(item);
};
iterators.filter ??= function* (wanted) {
  for (const item of this) if (wanted(item)) yield item;
};
globalThis.Float16Array ??= class Float16Array {};
const found = packaged("@jax-js/jax");
if (found) {
  await found.engine.init("cpu");
  found.engine.defaultDevice("cpu");
  start(found.engine, found.version);
}

function start(jax, version) {
  const {numpy: np, nn, lax} = jax;
  const Tracer = Object.getPrototypeOf(np.Array); // an array, or what stands for one while a function is traced
  const isTensor = value => value instanceof Tracer;
  const lacking = what => {
    throw new Unsupported(what);
  };
  const rank = x => x.shape.length;
  const placed = (dim, size) => (dim < 0 && dim + size >= 0 ? dim + size : dim); // what is out of range stays so
  const tuple = items => new Tuple(items);

  // Its functions consume their arguments. A program may use a tensor again, so each gets a reference of its own.
  function shared(value) {
    if (isTensor(value)) return value.ref;
    if (Array.isArray(value)) return value.map(shared);
    return value instanceof Tuple ? tuple(value.items.map(shared)) : value;
  }
  const on = (parameters, called) => taking(parameters, (...given) => called(...given.map(shared)));

  const dtypes = Object.fromEntries(
    ["float32", "float64", "int32", "bool"].map(name => [name, new Thing({plain: {dtype: name}})]),
  );
  const nameOf = dtype => Object.keys(dtypes).find(name => dtypes[name] === dtype) || lacking("this dtype");

  const concrete = x => (x instanceof np.Array ? x : lacking("the values of what is being traced"));
  // A tensor's numbers as the program knows them.
  const listed = (dtype, value) => {
    if (Array.isArray(value)) return value.map(each => listed(dtype, each));
    return dtype === "bool" ? Boolean(value) : dtype === "int32" ? new Integer(value) : value;
  };

  // Whether nested lists have this shape everywhere.
  const fits = (values, [size, ...rest]) =>
    Array.isArray(values)
      ? values.length === size && values.every(each => fits(each, rest))
      : size === undefined;
  const tensor = taking(
    ["data", "dtype"],
    raw((data, dtype = null) => {
      if (isTensor(data)) lacking("tensors of tensors");
      const values = plain(data),
        items = [values].flat(Infinity);
      if (!items.every(item => ["number", "boolean"].includes(typeof item))) lacking("data other than numbers");
      const given = [data instanceof Tuple ? data.items : data]
        .flat(Infinity)
        .flatMap(item => (item instanceof Tuple ? item.items : [item]));
      const all = kind => given.length > 0 && given.every(kind);
      const guessed = all(item => typeof item === "boolean")
        ? "bool"
        : all(item => item instanceof Integer)
          ? "int32"
          : "float32";
      const kind = dtype === null ? guessed : nameOf(dtype);
      const shape = [];
      for (let level = values; Array.isArray(level); level = level[0]) shape.push(level.length);
      if (!fits(values, shape)) lacking("lists of several lengths");
      return np.array(
        items.map(item => (kind === "bool" ? Boolean(item) : Number(item))),
        {shape, dtype: kind},
      );
    }),
  );

  const named = (names, operation) => Object.fromEntries(names.map(name => [name, operation]));
  const binary = operation => on(["input", "other"], operation);
  // Of tensors only, where the engine takes numbers as well.
  const ofTensors = operation =>
    binary((x, y) => (isTensor(x) && isTensor(y) ? operation(x, y) : lacking("a number for a tensor")));
  const over = operation =>
    on(["input", "dim", "keepdim"], (x, dim = null, keepdims = false) => operation(x, dim, {keepdims}));
  const spread = operation =>
    on(["input", "dim", "correction", "keepdim"], (x, dim = null, correction = 1, keepdims = false) =>
      typeof dim === "boolean" // the second argument of another form
        ? operation(x, null, {correction: Number(dim), keepdims})
        : operation(x, dim, {correction, keepdims}),
    );
  const extreme = (all, pair) =>
    on(["input", "other"], (x, y = null) =>
      y === null ? all(x) : isTensor(y) ? pair(x, y) : lacking("the places of extremes"),
    );
  const place = operation =>
    on(["input", "dim", "keepdim"], (x, dim = null, keepdims = false) =>
      operation(dim === null ? np.ravel(x) : x, dim ?? 0, {keepdims}),
    );

  function expanded(x, shape) {
    const missing = shape.length - rank(x);
    return np.broadcastTo(
      x,
      shape.map((size, index) => (size === -1 && index >= missing ? x.shape[index - missing] : size)),
    );
  }

  function parts(x, size, dim) {
    // of at most `size` along a dimension
    const all = x.shape[placed(dim, rank(x))];
    if (!(size > 0 && size < Infinity)) lacking("parts of no size");
    return tuple(
      np.split(
        x,
        Array.from({length: Math.ceil(all / size) - 1}, (_, index) => (index + 1) * size),
        dim,
      ),
    );
  }

  function sections(x, sizes, dim) {
    let sum = 0;
    if (sizes.reduce((all, size) => all + size, 0) !== x.shape[placed(dim, rank(x))])
      lacking("sizes that do not add up");
    return tuple(
      np.split(
        x,
        sizes.slice(0, -1).map(size => (sum += size)),
        dim,
      ),
    );
  }

  function getItem(x, at) {
    const given = normalized(at, x.shape).map(entry => {
      if (entry.added) return null;
      if (entry.by) {
        if (isTensor(entry.by) && entry.by.dtype === "bool") lacking("an index by a mask");
        if (!isTensor(entry.by) && !plain(entry.by).every(Number.isInteger)) lacking("an index by this");
        return isTensor(entry.by) ? entry.by.ref : np.array(plain(entry.by), {dtype: "int32"});
      }
      if (entry.step !== undefined && entry.step !== 1) lacking("slices in steps");
      return entry.at ?? [entry.start, entry.start + entry.length];
    });
    return x.ref.slice(...given);
  }

  // --- transforms: programs give tuples, and functions that return them ---

  const traced =
    func =>
    (...inputs) => {
      const outputs = func(...inputs);
      if (
        [outputs].some(each => typeof each === "string") ||
        [...(outputs?.items ?? [])].some(each => typeof each === "string")
      )
        lacking("results that are no tensors");
      return outputs instanceof Tuple || Array.isArray(outputs) ? [...outputs].map(shared) : shared(outputs);
    };
  const back = value => (Array.isArray(value) ? tuple(value.map(back)) : value);
  const vjp = taking(
    ["func", "inputs", "cotangents"],
    raw((func, inputs, cotangents) => {
      const [, pull] = jax.vjp(traced(func), [...inputs].map(shared));
      return back(pull(shared(plain(cotangents))));
    }),
  );
  const jvp = taking(
    ["func", "inputs", "tangents"],
    raw((func, inputs, tangents) =>
      back(jax.jvp(traced(func), [...inputs].map(shared), [...tangents].map(shared))[1]),
    ),
  );
  const tensors = given =>
    given.every(isTensor) ? given.map(shared) : lacking("arguments that are no tensors");
  const transform = made =>
    taking(
      ["func"],
      raw(func => raw((...given) => back(made(traced(func))(...tensors(given))))),
    );
  // Of one array by one array, which is all that the types of `jacfwd`, `jacrev` and `hessian` say.
  const jacobian = (made, scalar = false) =>
    taking(
      ["func"],
      raw(func =>
        raw((...given) => {
          if (given.length !== 1) lacking("a Jacobian of a function of several arguments");
          const checked = x => {
            const output = func(x);
            if (!isTensor(output)) lacking("a Jacobian of several outputs");
            if (scalar && rank(output)) lacking("a Hessian of a function that is not scalar");
            return shared(output);
          };
          return back(made(checked)(...tensors(given)));
        }),
      ),
    );
  const vmap = taking(
    ["func", "in_dims"],
    raw((func, dims = 0) =>
      raw((...given) =>
        back(
          jax.vmap(
            traced(func),
            dims instanceof Tuple ? plain(dims) : given.map(() => plain(dims)),
          )(...tensors(given)),
        ),
      ),
    ),
  );

  const convolved = dimensions =>
    on(
      ["input", "weight", "bias", "stride", "padding", "dilation", "groups"],
      (x, weight, bias = null, stride = 1, padding = 0, dilation = 1, groups = 1) => {
        if (bias !== null) lacking("a bias of a convolution");
        if (rank(x) !== dimensions + 2) lacking("images without a batch");
        const each = value => (Array.isArray(value) ? value : Array(dimensions).fill(value));
        if (typeof padding === "string") lacking(`padding ${padding}`);
        const pads = each(padding).map(size => [size, size]);
        return lax.convGeneralDilated(x, weight, each(stride), pads, {
          rhsDilation: each(dilation),
          featureGroupCount: groups,
        });
      },
    );
  const padded = on(["input", "pad", "mode", "value"], (x, pad, mode = "constant", value = 0) => {
    if (pad.length % 2 || pad.length > 2 * rank(x)) lacking("sizes that fit no dimensions");
    if (mode !== "constant" || value !== 0 || pad.some(size => size < 0))
      lacking(`padding by ${mode} ${value}, or by less than nothing`);
    return np.pad(
      x,
      x.shape.map((_, index) => [0, 1].map(side => pad[2 * (rank(x) - 1 - index) + side] ?? 0)),
    );
  });

  // A word that takes operands of these ranks only, by a function that takes more.
  const ranked = (ranks, operation) => (x, y) =>
    rank(x) === ranks[0] && rank(y) === ranks[1] ? operation(x, y) : lacking("operands of other ranks");

  // The sizes that `tensordot` contracts, in pairs.
  const contracted = (x, y, dims) => {
    const [of, by] = Array.isArray(dims)
      ? dims
      : [Array.from({length: dims}, (_, at) => at - dims), Array.from({length: dims}, (_, at) => at)];
    return of.map((dim, at) => [x.shape[placed(dim, rank(x))], y.shape[placed(by[at], rank(y))]]);
  };

  // Under the same names, with the same arguments.
  const unaries = [
    "abs", "sign", "square", "sqrt", "reciprocal", "exp", "exp2", "expm1", "log", "log1p", "log2",
    "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "sinc", "floor", "ceil", "trunc", "round", "positive", "signbit", "isnan", "isinf",
    "isfinite", "deg2rad", "rad2deg", "ravel",
  ];
  const binaries = ["copysign", "fmod", "remainder", "inner", "matmul"];
  const binariesOfTensors = [
    "maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "logaddexp", "logaddexp2", "ldexp", "heaviside",
  ];
  const activations = {
    relu: "relu",
    relu6: "relu6",
    silu: "silu",
    mish: "mish",
    softsign: "softSign",
    logsigmoid: "logSigmoid",
    hardsigmoid: "hardSigmoid",
    hardswish: "hardSilu",
    hardtanh: "hardTanh",
    selu: "selu",
    softplus: "softplus",
  };
  const pick = (names, from) => Object.fromEntries(names.map(name => [name, from(name)]));
  const operations = {
    ...pick(unaries, name => on(["input"], x => np[name](x))),
    ...pick(binaries, name => binary((x, y) => np[name](x, y))),
    ...pick(binariesOfTensors, name => ofTensors((x, y) => np[name](x, y))),
    ...Object.fromEntries(
      Object.entries(activations).map(([name, theirs]) => [
        `nn.functional.${name}`,
        on(["input"], x => nn[theirs](x)),
      ]),
    ),
    neg: on(["input"], x => np.negative(x)),
    erf: on(["input"], x => lax.erf(x)),
    erfc: on(["input"], x => lax.erfc(x)),
    clone: on(["input"], x => x),
    rsqrt: on(["input"], x => np.reciprocal(np.sqrt(x))),
    logit: on(["input"], x => jax.scipySpecial.logit(x)),
    ...named(
      ["sigmoid", "nn.functional.sigmoid"],
      on(["input"], x => nn.sigmoid(x)),
    ),
    relu: on(["input"], x => nn.relu(x)),
    add: binary(np.add),
    sub: binary(np.subtract),
    ...named(["mul", "multiply"], binary(np.multiply)),
    ...named(["div", "true_divide"], binary(np.trueDivide)),
    pow: on(["input", "exponent"], (x, y) =>
      isTensor(x) || isTensor(y) ? np.power(x, y) : lacking("numbers for tensors"),
    ),
    floor_divide: binary(np.floorDivide),
    eq: binary(np.equal),
    ne: binary(np.notEqual),
    lt: binary(np.less),
    le: binary(np.lessEqual),
    gt: binary(np.greater),
    ge: binary(np.greaterEqual),
    max: extreme(np.max, np.maximum),
    min: extreme(np.min, np.minimum),
    where: on(["condition", "input", "other"], (condition, x, y) =>
      y === undefined ? lacking("where of a condition alone") : np.where(condition, x, y),
    ),
    clamp: on(["input", "min", "max"], (x, low = null, high = null) =>
      (low === null && high === null ? () => lacking("no bound") : np.clip)(
        x,
        low ?? undefined,
        high ?? undefined,
      ),
    ),
    nan_to_num: on(["input", "nan", "posinf", "neginf"], (x, nan = 0, posinf = null, neginf = null) =>
      np.nanToNum(x, {nan, posinf, neginf}),
    ),
    mm: on(["input", "mat2"], ranked([2, 2], np.matmul)),
    bmm: on(
      ["input", "mat2"],
      ranked([3, 3], (x, y) =>
        x.shape[0] === y.shape[0] ? np.matmul(x, y) : lacking("batches that differ"),
      ),
    ),
    mv: on(["input", "vec"], ranked([2, 1], np.matmul)),
    dot: on(["input", "tensor"], ranked([1, 1], np.dot)),
    vdot: on(["input", "other"], ranked([1, 1], np.vdot)),
    outer: on(["input", "vec2"], ranked([1, 1], np.outer)),
    einsum: on(["equation", "*operands"], (equation, operands) =>
      (typeof equation === "string" ? np.einsum : () => lacking("subscripts as numbers"))(
        equation,
        ...operands.flat(),
      ),
    ),
    tensordot: on(["a", "b", "dims"], (x, y, dims = 2) =>
      contracted(x, y, dims).some(([m, n]) => m !== n && (m === 1 || n === 1))
        ? lacking("a size that is stretched in tensordot")
        : np.tensordot(x, y, dims),
    ),
    "linalg.vecdot": on(["x", "y", "dim"], (x, y, axis = -1) => np.vecdot(x, y, {axis})),
    sum: over(np.sum),
    mean: over(np.mean),
    prod: over(np.prod),
    amax: over(np.max),
    amin: over(np.min),
    all: over(np.all),
    any: over(np.any),
    nansum: over(np.nansum),
    nanmean: over(np.nanmean),
    logsumexp: over(nn.logsumexp),
    var: spread(np.var_),
    std: spread(np.std),
    argmax: place(np.argmax),
    argmin: place(np.argmin),
    ...pick(["cumsum", "cumprod"], name =>
      on(["input", "dim"], (x, dim) => {
        if (!rank(x)) lacking(`${name} without dimensions`);
        if (x.size > 10_000) lacking(`${name} of so many elements on the backend cpu, which takes minutes`);
        return np[name](x, dim);
      }),
    ),
    diff: on(["input", "n", "dim"], (x, n = 1, dim = -1) => np.diff(x, n, dim)),
    trapezoid: on(["y", "x", "dx", "dim"], (y, x = null, dx = 1, axis = -1) =>
      x === null || rank(x) === 1 || rank(x) === rank(y)
        ? np.trapezoid(y, x, {dx, axis})
        : lacking("points that broadcast"),
    ),
    reshape: on(["input", "*shape"], (x, shape) => np.reshape(x, shape.flat())),
    flatten: on(["input"], x => np.ravel(x)),
    permute: on(["input", "*dims"], (x, dims) => np.transpose(x, dims.flat())),
    ...named(
      ["transpose", "swapaxes"],
      on(["input", "dim0", "dim1"], (x, a, b) => np.swapaxes(x, a, b)),
    ),
    movedim: on(["input", "source", "destination"], (x, from, to) =>
      Array.isArray(from) ? lacking("moving several dimensions") : np.moveaxis(x, from, to),
    ),
    t: on(["input"], x => (rank(x) > 2 ? lacking("t of this") : np.transpose(x))),
    squeeze: on(["input", "dim"], (x, dim = null) => {
      const dims = [dim ?? []].flat().filter(each => (x.shape[placed(each, rank(x))] ?? 1) === 1);
      return dim !== null && !dims.length ? x : np.squeeze(x, dim === null ? null : dims);
    }),
    unsqueeze: on(["input", "dim"], (x, dim) => np.expandDims(x, dim)),
    ...named(
      ["cat", "concat"],
      on(["tensors", "dim"], (tensors, dim = 0) => np.concatenate(tensors, dim)),
    ),
    stack: on(["tensors", "dim"], (tensors, dim = 0) => np.stack(tensors, dim)),
    ...pick(["hstack", "vstack", "dstack"], name => on(["tensors"], tensors => np[name](tensors))),
    column_stack: on(["tensors"], tensors => np.columnStack(tensors)),
    split: on(["tensor", "split_size_or_sections", "dim"], (x, size, dim = 0) =>
      Array.isArray(size) ? sections(x, size, dim) : parts(x, size, dim),
    ),
    chunk: on(["input", "chunks", "dim"], (x, count, dim = 0) =>
      parts(x, Math.ceil(x.shape[placed(dim, rank(x))] / count), dim),
    ),
    unbind: on(["input", "dim"], (x, dim = 0) => tuple(np.unstack(x, dim))),
    tile: on(["input", "*dims"], (x, dims) => np.tile(x, dims.flat())),
    repeat: on(["input", "*dims"], (x, dims) =>
      dims.flat().length < rank(x) ? lacking("fewer counts than dimensions") : np.tile(x, dims.flat()),
    ),
    flip: on(["input", "*dims"], (x, dims) =>
      dims.length ? np.flip(x, dims.flat()) : lacking("flip without dims"),
    ),
    fliplr: on(["input"], x => np.fliplr(x)),
    flipud: on(["input"], x => np.flipud(x)),
    roll: on(["input", "shifts", "dims"], (x, shifts, dims = null) => np.roll(x, shifts, dims)),
    rot90: on(["input", "k", "dims"], (x, k = 1, dims = [0, 1]) => np.rot90(x, k, dims)),
    broadcast_to: on(["input", "size"], expanded),
    expand: on(["input", "*size"], (x, size) => expanded(x, size.flat())),
    broadcast_tensors: on(["*tensors"], tensors =>
      tensors.flat().every(isTensor)
        ? tuple(np.broadcastArrays(...tensors.flat()))
        : lacking("a number for a tensor"),
    ),
    index_select: on(["input", "dim", "index"], (x, dim, index) =>
      rank(index) === 1 ? np.take(x, index, dim) : lacking("an index of several dimensions"),
    ),
    take: on(["input", "index"], (x, index) => np.take(x, index)),
    take_along_dim: on(["input", "indices", "dim"], (x, index, dim = null) =>
      dim === null ? lacking("no dim") : np.takeAlongAxis(x, index, dim),
    ),
    diagonal: on(["input", "offset", "dim1", "dim2"], (x, offset = 0, first = 0, second = 1) =>
      np.diagonal(x, offset, first, second),
    ),
    diag: on(["input", "diagonal"], (x, k = 0) => np.diag(x, k)),
    trace: on(["input"], x => (rank(x) === 2 ? np.trace(x) : lacking("a trace of this"))),
    tril: on(["input", "diagonal"], (x, k = 0) => np.tril(x, k)),
    triu: on(["input", "diagonal"], (x, k = 0) => np.triu(x, k)),
    zeros_like: on(["input"], x => (isTensor(x) ? np.zerosLike(x) : lacking("a number for a tensor"))),
    ones_like: on(["input"], x => (isTensor(x) ? np.onesLike(x) : lacking("a number for a tensor"))),
    cov: on(["input"], x => np.cov(x)),
    corrcoef: on(["input"], x => np.corrcoef(x)),
    "linalg.det": on(["A"], x => np.linalg.det(x)),
    "linalg.inv": on(["A"], x => np.linalg.inv(x)),
    "linalg.cholesky": on(["A"], x => np.linalg.cholesky(x)),
    "linalg.solve": on(["A", "B"], (a, b) =>
      rank(a) > 2 && rank(b) < rank(a) ? lacking("batches of vectors") : np.linalg.solve(a, b),
    ),
    "linalg.slogdet": on(["A"], x => tuple(np.linalg.slogdet(x))),
    "linalg.eigh": on(["A"], x => tuple(np.linalg.eigh(x, {symmetrizeInput: false}))),
    "linalg.eigvalsh": on(["A"], x => np.linalg.eigvalsh(x, {symmetrizeInput: false})),
    "linalg.svdvals": on(["A"], x => np.linalg.svdvals(x)),
    "linalg.multi_dot": on(["tensors"], xs => np.linalg.multiDot(xs)),
    "linalg.matrix_power": on(["A", "n"], (x, n) => np.linalg.matrixPower(x, n)),
    "linalg.cross": on(["input", "other"], (x, y) => np.linalg.cross(x, y)),
    "linalg.vector_norm": on(["x", "ord", "dim", "keepdim"], (x, ord = 2, axis = null, keepdims = false) =>
      np.linalg.vectorNorm(x, {ord, axis, keepdims}),
    ),
    ...named(
      ["softmax", "nn.functional.softmax"],
      on(["input", "dim"], (x, dim) => nn.softmax(x, dim)),
    ),
    ...named(
      ["log_softmax", "nn.functional.log_softmax"],
      on(["input", "dim"], (x, dim) => nn.logSoftmax(x, dim)),
    ),
    "nn.functional.leaky_relu": on(["input", "negative_slope"], (x, slope = 0.01) => nn.leakyRelu(x, slope)),
    "nn.functional.elu": on(["input", "alpha"], (x, alpha = 1) => nn.elu(x, alpha)),
    "nn.functional.celu": on(["input", "alpha"], (x, alpha = 1) => nn.celu(x, alpha)),
    "nn.functional.gelu": on(["input", "approximate"], (x, form = "none") =>
      ["none", "tanh"].includes(form) ? nn.gelu(x, {approximate: form === "tanh"}) : lacking(form),
    ),
    "nn.functional.glu": on(["input", "dim"], (x, dim = -1) => nn.glu(x, dim)),
    "nn.functional.conv1d": convolved(1),
    "nn.functional.conv2d": convolved(2),
    "nn.functional.conv3d": convolved(3),
    "nn.functional.pad": padded,
  };
  const sized = make =>
    taking(["*size", "dtype"], (size, dtype = null) =>
      (size.length ? make : () => lacking("a tensor of no size"))(size.flat(), {dtype: dtype === null ? "float32" : nameOf(dtype)}),
    );

  serve({
    name: "jax-js",
    version,
    isTensor,
    describe(x) {
      const values = concrete(x).ref.dataSync();
      return {
        dtype: x.dtype,
        shape: x.shape,
        values: x.dtype === "bool" ? Array.from(values, Boolean) : values,
      };
    },
    kinds: [
      [/(not|n't) (yet )?(been )?(supported|implemented)|only supports?|unsupported|TODO/i, "unsupported"],
    ],
    words: {
      ...dtypes,
      ...operations,
      tensor,
      vjp,
      jvp,
      vmap,
      is_tensor: raw(isTensor),
      "func.grad": transform(jax.grad),
      "func.jacrev": jacobian(jax.jacrev),
      "func.jacfwd": jacobian(jax.jacfwd),
      "func.hessian": jacobian(jax.hessian, true),
      zeros: sized(np.zeros),
      ones: sized(np.ones),
      full: taking(
        ["size", "fill_value", "dtype"],
        raw((size, value, dtype = null) => {
          if (dtype === null && typeof value !== "number")
            lacking("full without a dtype, of what is no float");
          return np.full(plain(size), plain(value), {dtype: dtype === null ? "float32" : nameOf(dtype)});
        }),
      ),
      eye: taking(["n", "m"], (n, m) => np.eye(n, m)),
      linspace: taking(["start", "end", "steps"], (from, to, count) => np.linspace(from, to, count)),
    },
    methods: {
      ...operations,
      where: taking(["self", "condition", "other"], (x, condition, y) => operations.where(condition, x, y)),
      detach: on(["self"], x => lax.stopGradient(x)),
      item: on(["self"], x => listed(x.dtype, concrete(x).item())),
      tolist: on(["self"], x => listed(x.dtype, concrete(x).js())),
      dim: taking(["self"], x => new Integer(rank(x))),
      numel: taking(["self"], x => new Integer(x.size)),
      to: on(["self", "dtype"], (x, dtype) => x.astype(nameOf(dtype))),
      float: on(["self"], x => x.astype("float32")),
      double: on(["self"], x => x.astype("float64")),
    },
    attributes: {
      shape: x => integers(x.shape),
      ndim: x => new Integer(rank(x)),
      dtype: x => (x.dtype === "int32" ? lacking("int64") : (dtypes[x.dtype] ?? lacking(x.dtype))),
      T: x => np.transpose(x.ref),
      mT: x => np.matrixTranspose(x.ref),
    },
    operators: {
      ...operatorsOf(operations),
      "binary &": binary(np.logicalAnd),
      "binary |": binary(np.logicalOr),
      "binary ^": binary(np.logicalXor),
      "unary ~": on(["input"], x => np.logicalNot(x)),
    },
    getItem,
  });
}
