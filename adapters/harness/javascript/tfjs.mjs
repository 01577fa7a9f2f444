// TensorFlow.js (https://www.tensorflow.org/js): derivatives are functions of functions, on its backend "cpu".
//
//     npm install @tensorflow/tfjs@4.22.0 --ignore-scripts
//     gradspec run --impl="exec:node tfjs.mjs FOLDER"              # the folder that has node_modules
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

process.env.TF_CPP_MIN_LOG_LEVEL = "2";
for (const told of ["log", "warn", "info"]) console[told] = () => {}; // it advertises a faster backend
const found = packaged("@tensorflow/tfjs");
if (found) {
  await found.engine.setBackend("cpu");
  start(found.engine, found.version);
}

function start(tf, version) {
  let open = false;
  const isTensor = value => value instanceof tf.Tensor;
  const DTYPES = {float32: "float32", float64: "float32", int32: "int32", bool: "bool"}; // there is no float64
  const dtypes = Object.fromEntries(
    Object.values(DTYPES).map(name => [name, new Thing({plain: {dtype: name}})]),
  );
  const nameOf = dtype => Object.keys(dtypes).find(name => dtypes[name] === dtype) || lacking("this dtype");
  const lacking = what => {
    throw new Unsupported(what);
  };
  const stretches = (x, y) =>
    [...Array(Math.max(x.rank, y.rank)).keys()].every(n => {
      const [one, other] = [x.shape.at(-1 - n) ?? 1, y.shape.at(-1 - n) ?? 1];
      return one === other || one === 1 || other === 1;
    });
  // A target of the same shape, which losses ask for; one that cannot be stretched is theirs to reject.
  const alike = (target, x) =>
    String(target.shape) !== String(x.shape) && stretches(target, x)
      ? lacking("a target that is stretched")
      : target;

  function describe(x) {
    if (x.dtype === "complex64") lacking("complex numbers");
    const values = x.dtype === "bool" ? Array.from(x.dataSync(), Boolean) : x.dataSync();
    return {dtype: x.dtype, shape: x.shape, values};
  }

  // A tensor's numbers as the program knows them.
  const listed = (x, value) => {
    if (Array.isArray(value)) return value.map(each => listed(x, each));
    return x.dtype === "bool" ? Boolean(value) : x.dtype === "int32" ? new Integer(value) : value;
  };

  const tensor = taking(
    ["data", "dtype"],
    raw((data, dtype = null) => {
      if (isTensor(data)) lacking("tensors of tensors");
      const items = [data].flat(Infinity).flatMap(item => (item instanceof Tuple ? [...item] : [item]));
      const all = kind => items.length > 0 && items.every(kind);
      const guessed = all(item => typeof item === "boolean")
        ? "bool"
        : all(item => item instanceof Integer)
          ? "int32"
          : "float32";
      const kind = dtype === null ? guessed : nameOf(dtype);
      return tf.tensor(plain(data), undefined, kind);
    }),
  );

  // A number beside a tensor: an integer leaves the dtype of integers as it is.
  const operand = (value, other) => {
    if (value instanceof Integer && isTensor(other))
      return tf.scalar(value.value, other.dtype === "float32" ? "float32" : "int32");
    return value instanceof Integer ? value.value : value;
  };
  const binary = operation =>
    taking(
      ["input", "other"],
      raw((x, y) => operation(operand(x, y), operand(y, x))),
    );
  const named = (names, operation) => Object.fromEntries(names.map(name => [name, operation]));
  const over = operation =>
    taking(["input", "dim", "keepdim"], (x, dim = null, keep = false) =>
      operation(x, dim ?? undefined, keep),
    );
  const tuple = items => new Tuple(items);
  const rank = x => x.shape.length;
  const placed = (dim, size) => (dim < 0 && dim + size >= 0 ? dim + size : dim); // what is out of range stays so

  function transposed(x, first, second) {
    const order = x.shape.map((_, index) => index);
    [order[placed(first, rank(x))], order[placed(second, rank(x))]] = [
      placed(second, rank(x)),
      placed(first, rank(x)),
    ];
    return tf.transpose(x, order);
  }

  function sizes(x, size, dim) {
    // of the parts of at most `size` along a dimension
    const all = x.shape[placed(dim, rank(x))];
    if (!(size > 0 && size < Infinity)) lacking("parts of no size");
    return Array.from({length: Math.ceil(all / size)}, (_, index) => Math.min(size, all - index * size));
  }

  function tiled(x, repeats) {
    const counts = [...Array(Math.max(0, rank(x) - repeats.length)).fill(1), ...repeats];
    return tf.tile(tf.reshape(x, [...Array(counts.length - rank(x)).fill(1), ...x.shape]), counts);
  }

  function expanded(x, shape) {
    const missing = shape.length - rank(x);
    return tf.broadcastTo(
      x,
      shape.map((size, index) => (size === -1 ? x.shape[index - missing] : size)),
    );
  }

  function getItem(x, at) {
    const entries = normalized(at, x.shape);
    const kept = entries.filter(entry => !entry.added);
    const lists = kept.filter(entry => entry.by);
    if (lists.length) {
      const whole = kept.every(
        (entry, index) => entry.by || (entry.length === x.shape[index] && entry.step === 1),
      );
      const [{by}] = lists;
      if (lists.length > 1 || !whole || kept.length < entries.length)
        lacking("an index of several lists or tensors");
      if (isTensor(by) && by.dtype === "bool") lacking("an index by a mask");
      if (!isTensor(by) && !plain(by).every(Number.isInteger)) lacking("an index by this");
      const places = isTensor(by) ? by : tf.tensor(plain(by), undefined, "int32");
      if (places.dataSync().some(place => place < 0)) lacking("negative indices in a list or tensor");
      return tf.gather(
        x,
        places,
        kept.findIndex(entry => entry.by),
      );
    }
    const begin = kept.map(entry => entry.at ?? entry.start),
      length = kept.map(entry => (entry.at === undefined ? entry.length : 1));
    const strides = kept.map(entry => entry.step ?? 1);
    const part = strides.every(step => step === 1)
      ? tf.slice(x, begin, length)
      : tf.stridedSlice(
          x,
          begin,
          begin.map((from, index) => from + (length[index] - 1) * strides[index] + 1),
          strides,
        );
    return tf.reshape(
      part,
      entries.flatMap(entry => (entry.added ? [1] : entry.at === undefined ? [entry.length] : [])),
    );
  }

  // The gradients of one result at a time, as `tf.grads` gives them: it raises an error if there is an input on which no
  // result depends. An input that is given twice is two inputs.
  const vjp = taking(
    ["func", "inputs", "cotangents"],
    raw((func, given, cotangents) => {
      const inputs = [...given].map(input => tf.clone(input));
      const pull = (pick, seed) =>
        tf.engine().gradients(() => pick(func(...inputs)), inputs, seed, true).grads;
      const several = cotangents instanceof Tuple || Array.isArray(cotangents);
      const each = several
        ? [...cotangents].map((seed, index) => pull(result => [...result][index], seed))
        : [pull(result => result, cotangents)];
      return tuple(
        inputs.map((_, index) => {
          const parts = each.map(grads => grads[index]).filter(Boolean);
          if (!parts.length)
            throw new Unsupported("the gradient of an input on which no result depends", "missing-gradient");
          return parts.reduce((sum, part) => tf.add(sum, part));
        }),
      );
    }),
  );

  // Images have their channels last there.
  const batched = (x, wanted) => (rank(x) === wanted ? x : lacking("images without a batch"));
  const last = x => tf.transpose(batched(x, 4), [0, 2, 3, 1]),
    first = x => tf.transpose(x, [0, 3, 1, 2]);
  const conv2d = taking(
    ["input", "weight", "bias", "stride", "padding", "dilation"],
    (x, weight, bias = null, stride = 1, padding = 0, dilation = 1) => {
      if (bias !== null) lacking("a bias of a convolution");
      if (typeof padding !== "number") lacking("padding that differs by dimension");
      const kernel = tf.transpose(weight, [2, 3, 1, 0]);
      return first(tf.conv2d(last(x), kernel, stride, padding || "valid", "NHWC", dilation));
    },
  );
  const conv1d = taking(
    ["input", "weight", "bias", "stride", "padding", "dilation"],
    (x, weight, bias = null, stride = 1, padding = 0, dilation = 1) => {
      const [step, pad, apart] = [stride, padding, dilation].flat();
      if (bias !== null) lacking("a bias of a convolution");
      if (typeof pad !== "number") lacking(`padding ${pad}`);
      const signals = tf.transpose(batched(x, 3), [0, 2, 1]);
      const kernel = tf.transpose(weight, [2, 1, 0]);
      return tf.transpose(tf.conv1d(signals, kernel, step, pad || "valid", "NWC", apart), [0, 2, 1]);
    },
  );
  const pooled = operation =>
    taking(["input", "kernel_size", "stride"], (x, size, stride = null) =>
      first(operation(last(x), size, stride ?? size, "valid")),
    );
  const padded = taking(["input", "pad", "mode", "value"], (x, pad, mode = "constant", value = 0) => {
    if (pad.length % 2 || pad.length > 2 * rank(x)) lacking("sizes that fit no dimensions");
    if (mode !== "constant" || pad.some(size => size < 0))
      lacking(`padding by ${mode}, or by less than nothing`);
    const pairs = x.shape.map((_, index) => {
      const from = 2 * (rank(x) - 1 - index);
      return [pad[from] ?? 0, pad[from + 1] ?? 0];
    });
    return tf.pad(x, pairs, value);
  });
  const lastOnly = operation => taking(["input", "dim"], (x, dim) => operation(x, placed(dim, rank(x))));

  // A word that takes operands of these ranks only, by a function that takes more.
  const ranked = (ranks, operation) => (x, y) =>
    rank(x) === ranks[0] && rank(y) === ranks[1] ? operation(x, y) : lacking("operands of other ranks");
  const same = [
    "abs", "neg", "sign", "square", "sqrt", "rsqrt", "reciprocal", "exp", "expm1", "log", "log1p", "sin",
    "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf",
    "floor", "ceil", "round", "sigmoid", "relu", "clone",
  ];
  const unary = Object.fromEntries(same.map(name => [name, taking(["input"], x => tf[name](x))]));
  // Of tensors only, where the engine takes numbers as well.
  const ofTensors = operation =>
    taking(["input", "other"], (x, y) =>
      isTensor(x) && isTensor(y) ? operation(x, y) : lacking("a number for a tensor"),
    );
  const maximum = ofTensors(tf.maximum),
    minimum = ofTensors(tf.minimum);
  const extreme = (all, pair) =>
    taking(
      ["input", "other"],
      raw((x, y = null) =>
        y === null ? all(x) : isTensor(y) ? pair(x, y) : lacking("the places of extremes"),
      ),
    );
  const operations = {
    ...unary,
    add: binary(tf.add),
    sub: binary(tf.sub),
    ...named(["mul", "multiply"], binary(tf.mul)),
    ...named(["div", "true_divide"], binary(tf.div)),
    pow: taking(
      ["input", "exponent"],
      raw((x, y) => tf.pow(operand(x, y), operand(y, x))),
    ),
    maximum,
    minimum,
    atan2: ofTensors(tf.atan2),
    remainder: binary(tf.mod),
    floor_divide: binary(tf.floorDiv),
    ...named(["eq"], binary(tf.equal)),
    ne: binary(tf.notEqual),
    lt: binary(tf.less),
    le: binary(tf.lessEqual),
    gt: binary(tf.greater),
    ge: binary(tf.greaterEqual),
    max: extreme(tf.max, maximum),
    min: extreme(tf.min, minimum),
    where: taking(
      ["condition", "input", "other"],
      raw((condition, x, y) =>
        y === undefined ? lacking("where of a condition alone") : tf.where(condition, operand(x, y), operand(y, x)),
      ),
    ),
    clamp: taking(["input", "min", "max"], (x, low, high) =>
      typeof low === "number" && typeof high === "number"
        ? tf.clipByValue(x, low, high)
        : lacking("one bound, or bounds that are tensors"),
    ),
    matmul: binary((x, y) =>
      Math.min(rank(x), rank(y)) > 1
        ? tf.matMul(x, y)
        : rank(x) > 2 || rank(y) > 2
          ? lacking("a batch and a vector")
          : tf.dot(x, y),
    ),
    mm: taking(["input", "mat2"], ranked([2, 2], tf.matMul)),
    bmm: taking(
      ["input", "mat2"],
      ranked([3, 3], (x, y) =>
        x.shape[0] === y.shape[0] ? tf.matMul(x, y) : lacking("batches that differ"),
      ),
    ),
    mv: taking(["input", "vec"], ranked([2, 1], tf.dot)),
    dot: taking(["input", "tensor"], ranked([1, 1], tf.dot)),
    outer: taking(["input", "vec2"], (x, y) => tf.outerProduct(x, y)),
    einsum: taking(["equation", "*operands"], (equation, operands) =>
      (typeof equation === "string" ? tf.einsum : () => lacking("subscripts as numbers"))(
        equation,
        ...operands.flat(),
      ),
    ),
    sum: over(tf.sum),
    mean: over(tf.mean),
    prod: over(tf.prod),
    amax: over(tf.max),
    amin: over(tf.min),
    all: over((x, ...how) => tf.all(tf.cast(x, "bool"), ...how)),
    any: over((x, ...how) => tf.any(tf.cast(x, "bool"), ...how)),
    logsumexp: over(tf.logSumExp),
    argmax: taking(["input", "dim"], (x, dim = null) =>
      dim === null ? tf.argMax(tf.reshape(x, [-1])) : tf.argMax(x, dim),
    ),
    argmin: taking(["input", "dim"], (x, dim = null) =>
      dim === null ? tf.argMin(tf.reshape(x, [-1])) : tf.argMin(x, dim),
    ),
    cumsum: taking(["input", "dim"], (x, dim) => tf.cumsum(x, dim)),
    cumprod: taking(["input", "dim"], (x, dim) => tf.cumprod(x, dim)),
    reshape: taking(["input", "*shape"], (x, shape) => tf.reshape(x, shape.flat())),
    ravel: taking(["input"], x => tf.reshape(x, [-1])),
    flatten: taking(["input"], x => tf.reshape(x, [-1])),
    permute: taking(["input", "*dims"], (x, dims) =>
      tf.transpose(
        x,
        dims.flat().map(dim => placed(dim, rank(x))),
      ),
    ),
    transpose: taking(["input", "dim0", "dim1"], transposed),
    t: taking(["input"], x => (rank(x) > 2 ? lacking("t of this") : tf.transpose(x))),
    squeeze: taking(["input", "dim"], (x, dim = null) => {
      const dims = [dim ?? []].flat().filter(each => (x.shape[placed(each, rank(x))] ?? 1) === 1);
      return dim !== null && !dims.length ? tf.clone(x) : tf.squeeze(x, dim === null ? undefined : dims);
    }),
    unsqueeze: taking(["input", "dim"], (x, dim) => tf.expandDims(x, dim)),
    cat: taking(["tensors", "dim"], (tensors, dim = 0) => tf.concat(tensors, dim)),
    stack: taking(["tensors", "dim"], (tensors, dim = 0) => tf.stack(tensors, dim)),
    split: taking(["tensor", "split_size_or_sections", "dim"], (x, size, dim = 0) =>
      tuple(tf.split(x, Array.isArray(size) ? size : sizes(x, size, dim), dim)),
    ),
    chunk: taking(["input", "chunks", "dim"], (x, count, dim = 0) =>
      tuple(tf.split(x, sizes(x, Math.ceil(x.shape[placed(dim, rank(x))] / count), dim), dim)),
    ),
    unbind: taking(["input", "dim"], (x, dim = 0) => tuple(tf.unstack(x, placed(dim, rank(x))))),
    tile: taking(["input", "*dims"], (x, dims) => tiled(x, dims.flat())),
    repeat: taking(["input", "*dims"], (x, dims) =>
      dims.flat().length < rank(x) ? lacking("fewer counts than dimensions") : tiled(x, dims.flat()),
    ),
    flip: taking(["input", "*dims"], (x, dims) =>
      dims.length ? tf.reverse(x, dims.flat()) : lacking("flip without dims"),
    ),
    broadcast_to: taking(["input", "size"], expanded),
    expand: taking(["input", "*size"], (x, size) => expanded(x, size.flat())),
    index_select: taking(["input", "dim", "index"], (x, dim, index) =>
      rank(index) === 1
        ? tf.gather(x, index, placed(dim, rank(x)))
        : lacking("an index of several dimensions"),
    ),
    zeros_like: taking(["input"], x => tf.zerosLike(x)),
    ones_like: taking(["input"], x => tf.onesLike(x)),
    "linalg.vector_norm": taking(["x", "ord", "dim", "keepdim"], (x, order = 2, dim = null, keep = false) =>
      tf.norm(dim === null ? tf.reshape(x, [-1]) : x, order, dim, keep),
    ),
    ...named(["softmax", "nn.functional.softmax"], lastOnly(tf.softmax)),
    ...named(["log_softmax", "nn.functional.log_softmax"], lastOnly(tf.logSoftmax)),
    "nn.functional.relu": unary.relu,
    "nn.functional.relu6": taking(["input"], x => tf.relu6(x)),
    "nn.functional.selu": taking(["input"], x => tf.selu(x)),
    "nn.functional.elu": taking(["input"], x => tf.elu(x)),
    "nn.functional.softplus": taking(["input"], x => tf.softplus(x)),
    "nn.functional.logsigmoid": taking(["input"], x => tf.logSigmoid(x)),
    "nn.functional.leaky_relu": taking(["input", "negative_slope"], (x, slope = 0.01) =>
      tf.leakyRelu(x, slope),
    ),
    "nn.functional.mse_loss": taking(["input", "target"], (x, target) =>
      tf.losses.meanSquaredError(alike(target, x), x),
    ),
    "nn.functional.l1_loss": taking(["input", "target"], (x, target) =>
      tf.losses.absoluteDifference(alike(target, x), x),
    ),
    "nn.functional.huber_loss": taking(
      ["input", "target", "reduction", "delta"],
      (x, target, kind = "mean", delta = 1) =>
        kind === "mean"
          ? tf.losses.huberLoss(target, x, undefined, delta)
          : lacking("other reductions than mean"),
    ),
    "nn.functional.conv1d": conv1d,
    "nn.functional.conv2d": conv2d,
    "nn.functional.max_pool2d": pooled(tf.maxPool),
    "nn.functional.avg_pool2d": pooled(tf.avgPool),
    "nn.functional.pad": padded,
    isnan: taking(["input"], x => tf.isNaN(x)),
    isinf: taking(["input"], x => tf.isInf(x)),
    isfinite: taking(["input"], x => tf.isFinite(x)),
  };
  const sized = make =>
    taking(["*size", "dtype"], (size, dtype = null) =>
      (size.length ? make : () => lacking("a tensor of no size"))(size.flat(), dtype === null ? "float32" : nameOf(dtype)),
    );

  serve({
    name: "tfjs",
    version,
    widestFloat: "float32",
    isTensor,
    describe,
    // What it computes is kept until the scope of the program ends.
    reset() {
      if (open) tf.engine().endScope();
      open = true;
      tf.engine().startScope();
    },
    kinds: [
      [/must be float32 tensor, but got/, "unsupported"],
      [/gradient function not found for|Cannot compute gradient/, "missing-gradient"],
      [
        /not (yet )?(supported|implemented)|only supported|Unknown dtype|not found for backend|invalid ord value/i,
        "unsupported",
      ],
    ],
    words: {
      ...Object.fromEntries(Object.entries(DTYPES).map(([word, name]) => [word, dtypes[name]])),
      ...operations,
      tensor,
      vjp,
      is_tensor: raw(isTensor),
      zeros: sized((shape, dtype) => tf.zeros(shape, dtype)),
      ones: sized((shape, dtype) => tf.ones(shape, dtype)),
      full: taking(
        ["size", "fill_value", "dtype"],
        raw((size, value, dtype = null) => {
          if (dtype === null && typeof value !== "number")
            lacking("full without a dtype, of what is no float");
          return tf.fill(plain(size), plain(value), dtype === null ? "float32" : nameOf(dtype));
        }),
      ),
      eye: taking(["n", "m"], (n, m) => tf.eye(n, m)),
      linspace: taking(["start", "end", "steps"], (from, to, count) => tf.linspace(from, to, count)),
    },
    methods: {
      ...operations,
      where: taking(
        ["self", "condition", "other"],
        raw((x, condition, y) => operations.where(condition, x, y)),
      ),
      item: taking(["self"], x =>
        x.size === 1 ? listed(x, x.dataSync()[0]) : lacking("item of several elements"),
      ),
      tolist: taking(["self"], x => listed(x, x.arraySync())),
      dim: taking(["self"], x => new Integer(rank(x))),
      numel: taking(["self"], x => new Integer(x.size)),
      to: taking(["self", "dtype"], (x, dtype) => tf.cast(x, nameOf(dtype))),
      float: taking(["self"], x => tf.cast(x, "float32")),
    },
    attributes: {
      shape: x => integers(x.shape),
      ndim: x => new Integer(rank(x)),
      dtype: x => (x.dtype === "int32" ? lacking("int64") : (dtypes[x.dtype] ?? lacking(x.dtype))),
      T: x => tf.transpose(x),
      mT: x => transposed(x, -2, -1),
    },
    operators: {
      ...operatorsOf(operations),
      "binary &": binary(tf.logicalAnd),
      "binary |": binary(tf.logicalOr),
      "binary ^": binary(tf.logicalXor),
      "unary ~": taking(["input"], x => tf.logicalNot(x)),
    },
    getItem,
  });
}
