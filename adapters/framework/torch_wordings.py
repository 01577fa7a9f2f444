"""PyTorch's error messages. Engines with its names often use its wordings too."""

from __future__ import annotations

from .classify import Pattern, pattern

_RUNTIME = "RuntimeError"

# One row for each kind, in the order in which they are tried. PyTorch raises RuntimeError for
# nearly everything, so its kinds are distinguished by typical words of the message.
WORDINGS: tuple[Pattern, ...] = (
    pattern("gradcheck", "", "GradcheckError"),
    pattern("gradcheck", r"inputs are perturbed", "AssertionError"),
    pattern("invalid-state", r"backward outside of the", "AssertionError"),
    pattern("wrong-value", r"at least one of check_|requires check_", "AssertionError"),
    pattern("does-not-require-grad", r"expected gradient function to be set", "AssertionError"),
    pattern("singular-matrix", "", "_LinAlgError"),
    pattern("checkpoint", "", "CheckpointError"),
    pattern("checkpoint", r"torch\.utils\.checkpoint is incompatible|this checkpoint\(\) is not necessary|"
            r"GraphExecGroup contexts", _RUNTIME),
    pattern("within-transform", r"inside a functorch transform|inside of a function being transformed|"
            r"would mutate a captured tensor|vmap: (called random|it looks like you're)|"
            r"is not possible because there exists a Tensor .* in extra_args", _RUNTIME),
    pattern("unused-input", r"output \d+ of the user-provided function|is independent of (the )?input", _RUNTIME),
    pattern("gradient-mismatch", r"v has invalid size", _RUNTIME),
    pattern("gradient-count", r"v is a tuple of invalid length|v should contain a single Tensor", _RUNTIME),
    pattern("wrong-shape", r"1D tensors expected|to return a scalar Tensor|should contain a single element|"
            r"should return a single Tensor", _RUNTIME),
    pattern("wrong-value", r"strict=True.* not supported together", _RUNTIME),
    pattern("wrong-type", r"f\(\*args\) to return a Tensor, got|argnums must be int|return only tensors, got|"
            r"expected tensors, got unsupported|expected primals to be a tuple", _RUNTIME),
    pattern("wrong-value", r"a tuple: \(output, aux\)|pytree structure|same (python structure|argspec)|"
            r"argnums elements must be unique|in reparametrizing|allowed values for randomness|"
            r"(missing|unexpected) key\(s\) in state_dict", _RUNTIME),
    pattern("wrong-value", r"stack_module_state: Expected|each model to have the same", _RUNTIME),
    pattern("wrong-index", r"got argnum=", _RUNTIME),
    pattern("wrong-type", r"only contain Tensors, got|argnum must be int|expected torch.Tensor or Tensor-like",
            _RUNTIME),
    pattern("wrong-value", r"argnums must be non-empty|at least one Tensor|has non-empty output", _RUNTIME),
    pattern("wrong-value", r"strategy to be either", "AssertionError"),
    pattern("wrong-value", r"only implemented for `vectorize=True`", "NotImplementedError"),
    pattern("wrong-value", r"name can|already exists", "KeyError"),
    pattern("wrong-value", r"has no attribute `|is not (an nn.(Module|Parameter)|a buffer)", "AttributeError"),
    pattern("custom-function", r"expected Variable or None|jvp is not returning|Function is not modifying", _RUNTIME),
    pattern("wrong-type", r"the given input is a GradientEdge", _RUNTIME),
    pattern("not-differentiable", r"because it is an out= function", "NotImplementedError"),
    pattern("wrong-index", r"padding_idx must be within", "AssertionError"),
    pattern("wrong-dtype", r"could not set tensor of type", _RUNTIME),
    pattern("wrong-dtype", r"expects a real input tensor|only supported for complex tensors|"
            r"expected both inputs to be half|unresolved conjugated|cannot be converted to type", _RUNTIME),
    pattern("wrong-dtype", r"support(ed)? (for )?complex", "NotImplementedError"),
    pattern("wrong-dtype", r"not (yet )?implemented for complex|not support complex", _RUNTIME),
    pattern("gradient-mismatch", r"input_is_complex == grad_is_complex", _RUNTIME),
    pattern("not-differentiable", r"specified up to multiplication|automatic differentiation for outputs", _RUNTIME),
    pattern("wrong-value", r"multi_dot\(\): expected at least|unrecognized mode|linalg.*: Order .* not supported|"
            r"invalid normalization mode|invalid number of data points|expected 0 < n_fft", _RUNTIME),
    pattern("wrong-value", r"non-empty TensorList|lower bound should be|offsets\[0\] has to be 0|dims must be unique|"
            r"must transform at least one axis|legacy constructor expects device type",
            _RUNTIME),
    pattern("wrong-shape", r"contain the same number of dims|dilation should be|interpolation only supports", _RUNTIME),
    pattern("wrong-index", r"tensor has no dimensions|cannot be applied to a 0-dim tensor", ""),
    pattern("wrong-shape", r"Index (to scalar can|has to be a vector)|dim is not specified but ord is|"
            r"tensordot expects dims|total rotation dims|tensor_split expected|expected a 1D or 2D tensor|"
            r"required rank \d tensor", _RUNTIME),
    pattern("wrong-dtype", r"only supports floating-point dtypes|Float did not match|bool is not supported|"
            r"only supported for half, float|only supports boolean masks", _RUNTIME),
    pattern("wrong-value", r"slice step must be|should be one of \(|strictly positive integer|"
            r"requires the return_complex|"
            r"'from' to be less than|but found std|Poisson rate|p_in >= 0|expects p to be in|return a \[from, to\)|"
            r"unsupported range|step must be nonzero|step sign|with negative limits|defined in evaluation mode|"
            r"lengths to have value at most|^Invalid [a-z_ ]+ value: ", _RUNTIME),
    pattern("leaf-in-place", r"leaf variable.*(in-place|moved into the graph)", _RUNTIME),
    pattern("saved-modified", r"modified by an inplace operation|"
            r"saved tensor that has been detached in-place", _RUNTIME),
    pattern("view-in-place", r"is a view and (is|its base|was|has).*modified inplace|is being modified inplace|"
            r"can't detach views", _RUNTIME),
    pattern("graph-freed", r"backward through the graph a second time|"
            r"after they have already been freed", _RUNTIME),
    pattern("needs-gradient", r"can be implicitly created only for", _RUNTIME),
    pattern("no-graph", r"does not require grad and does not have a grad_fn", _RUNTIME),
    pattern("unused-input", r"appears to not have been used in the graph", _RUNTIME),
    pattern("does-not-require-grad", r"one of the differentiated tensors does not require grad", _RUNTIME),
    pattern("gradient-itself", r"can't assign Variable as its own grad", _RUNTIME),
    pattern("wrong-type", r"requires_grad must be a bool", _RUNTIME),
    pattern("gradient-mismatch", r"attempting to assign a gradient|there is already a gradient with dtype|"
            r"mismatch in shape: grad_output|mismatch in dtype: grad_output|assigned grad has|"
            r"which is different from tensor of type|expects.*grad.*got|invalid gradient at index|"
            r"grad_output.*(complex|real)|mismatch was detected: grad_output|"
            r"cannot assign .* to `?grad|grad must be", ""),
    pattern("device-mismatch", r"found at least two devices|is not on the expected device|"
            r"indices should be either on|cross-device copies are not allowed|"
            r"expected to be (in|on) the same device|is not a lazy tensor|mutating a non-functional tensor", _RUNTIME),
    pattern("no-values", r"copy out of meta tensor|cannot be called on meta tensors|"
            r"for torch\.nonzero\(\) raises unimplemented|with Meta tensors", "RuntimeError"),
    pattern("wrong-value", r"device type at start of device string|invalid device string|"
            r"device string must not", _RUNTIME),
    pattern("wrong-value", r"not compiled with cuda|no cuda gpus|no nvidia driver|invalid device ordinal", ""),
    pattern("invalid-state", r"forward AD.*no level|dual level|nested forward mode AD|"
            r"exit a forward AD level|already has a forward gradient|itself has a forward gradient", _RUNTIME),
    pattern("invalid-state", r"before Module\.__init__", "AttributeError"),
    pattern("gradient-count", r"(got|expected) \d+ (tensors|gradients|grad)|grad requires non-empty inputs|"
            r"inputs.*cannot be empty|grad_tensors.*number", ""),
    pattern("not-differentiable-dtype", r"data set to a tensor that requires gradients|"
            r"only (tensors|variables) of floating point|only floating.*can require|"
            r"only support.*floating point.*require", _RUNTIME),
    pattern("not-a-leaf", r"you can only change requires_grad flags of leaf|"
            r"only (leaf )?(tensors|variables) created explicitly by the user|"
            r"can only (register|be registered).*leaf|"
            r"only defined for leaf|can only be (accessed|set) on leaf|on (a )?non-leaf", _RUNTIME),
    pattern("does-not-require-grad", r"(can't|cannot) retain_grad on|that doesn't require gradient|"
            r"doesn't require grad|does not require gradients", _RUNTIME),
    pattern("requires-grad", r"cannot resize variables that require grad|"
            r"can't call numpy\(\) on tensor that requires grad|"
            r"don't support automatic differentiation, but one of the arguments requires grad", _RUNTIME),
    pattern("inference-tensor", r"inference tensor|inference mode", _RUNTIME),
    pattern("read-only", r"not writable|no setter|can't set attribute|can't delete", "AttributeError"),
    pattern("storage", r"set_data|resize storage|not resizable", _RUNTIME),
    pattern("hook", r"hook|replace a none gradient", _RUNTIME),
    pattern("anomaly", r"returned nan values", _RUNTIME),
    pattern("custom-function", r"returned an incorrect number of gradients|legacy autograd function|"
            r"save_for_backward|mark_dirty|marked as dirty|once_differentiable|can't be marked|"
            r"function cannot return more than one|expected at least|returned a|can only be accessed once",
            _RUNTIME),
    pattern("custom-function", r"must implement (the forward|either the backward)", "NotImplementedError"),
    pattern("custom-function", r"you tried to vmap over", _RUNTIME),
    pattern("not-differentiable", r"derivative for .* is not implemented|not differentiable|must implement the jvp|"
            r"trying to differentiate twice", ""),
    pattern("overlapping-memory", r"refers? to a single memory location", _RUNTIME),
    pattern("wrong-shape", r"(expected|same) reduction dim|more than one value|expected \dd or \dd tensor|"
            r"expected \dd (or \dd )?input|padding length|number of channels must be divisible|"
            r"wrapping around more than once|length must be non-negative|expected a matrix|"
            r"one `x` value for each|the same numel|must be non-empty", ""),
    pattern("wrong-index", r"out of range|out of bounds", "IndexError"),
    pattern("wrong-index", r"\b(dim(ension)?|axis|index)\b.* out of (range|bounds)", "ValueError"),
    pattern("wrong-index", r"index .* out of (range|bounds)|indices should be|dimension out of range|"
            r"which is not in the valid range|number k out of range|out of DATA bounds", _RUNTIME),
    pattern("wrong-value", r"(negative padding|non-positive stride) is not supported|"
            r"not supported for strided convolutions|divisor must be not zero|ZeroDivisionError|"
            r"class values must be|should not be set when", _RUNTIME),
    pattern("wrong-dtype", r"result type .* can't be cast|(weight|bias) type .* should be the same|"
            r"only applicable to index tensor of type|"
            r"expected .* dtype|same dtype|not implemented for '|"
            r"expected .*scalar type|could not infer output dtype|must have the same dtype|"
            r"floating point|(on|with) a bool tensor|two bool tensors?|expected BoolTensor|float or double dtype|"
            r"expected a long tensor|is not supported for complex tensors|"
            r"integers to negative integer powers", _RUNTIME),
    pattern("wrong-value", r"must not be None|does not support negative|"
            r"(missing|unexpected) key|is non-finite|"
            r"has to be (greater|at least)|to be one of|must be in the range", _RUNTIME),
    pattern("wrong-shape", r"elements cannot be converted to scalar|size of tensor|shape|sizes? |equal size|must match|"
            r"expand|dimension|stride", _RUNTIME),
    pattern("not-a-leaf", r"non-leaf", "ValueError"),
    pattern("wrong-value", "", "ValueError"),
    pattern("wrong-type", "", "TypeError"),
    pattern("wrong-type", r"expected .* to be a torch\.Tensor|save_for_forward expects", "AssertionError"),
    pattern("wrong-type", r"inputs have to be Tensors|conjugate bit set", _RUNTIME),
    pattern("wrong-shape", r"must be a (matrix|\dD tensor)|batches of square matrices|vector expected|"
            r"same number of columns|at least \dD|\d-D argument", _RUNTIME),
    pattern("wrong-value", r"einsum\(\)", _RUNTIME),
    pattern("wrong-value", r"arguments both passed to|appears multiple times|duplicate dims", _RUNTIME),
    pattern("wrong-shape", r"only supports (at least )?\dD tensors|same number of columns", _RUNTIME),
    pattern("wrong-value", r"must be (either|between|in label range)|target out of range|only supports non-negative|"
            r"does not support (negative|non-positive)", _RUNTIME),
    pattern("wrong-shape", r"only supported on matrices|supports 1D or 2D|0D or 1D", _RUNTIME),
    pattern("wrong-value", r"must be (larger|greater|non-negative|>)|to be (greater|different)|invalid args|"
            r"repeated dim|must be (one of|either)", _RUNTIME),
)  # fmt: skip

SPECIFIC: tuple[Pattern, ...] = tuple(rule for rule in WORDINGS if rule.message)
"""Those that look at the message, for engines of which nothing is known."""
