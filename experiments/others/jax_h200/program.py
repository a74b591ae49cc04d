"""Operations of JAX, compiled by XLA: no kernel is written here. Each runs three times."""
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ["XLA_FLAGS"] = "--xla_gpu_autotune_level=0 --xla_gpu_enable_command_buffer="
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", "/tmp/pnsim_jax_cache")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

rng = np.random.default_rng(7)


def normal(*shape, dtype=np.float32):
    return jnp.asarray(rng.standard_normal(shape).astype(dtype))


def whole(high, *shape):
    return jnp.asarray(rng.integers(0, high, shape).astype(np.int32))


def layer_norm(x, g, b):
    m = x.mean(-1, keepdims=True)
    v = ((x - m) ** 2).mean(-1, keepdims=True)
    return (x - m) * lax.rsqrt(v + 1e-5) * g + b


def attention(q, k, v):
    s = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(q.shape[-1])
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(s, axis=-1), v)


def life(board):
    n = sum(jnp.roll(board, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - board
    return ((n == 3) | ((board == 1) & (n == 2))).astype(jnp.int32)


def forces(p):
    d = p[:, None, :] - p[None, :, :]
    r2 = (d * d).sum(-1) + 1e-3
    return (d / (r2 * jnp.sqrt(r2))[..., None]).sum(1)


def gru(x, h, w, u):
    def step(h, xt):
        z = jax.nn.sigmoid(xt @ w[0] + h @ u[0])
        c = jnp.tanh(xt @ w[1] + h @ u[1])
        h = z * h + (1 - z) * c
        return h, h
    return lax.scan(step, h, x)[0]


def black_scholes(s, k, t):
    d1 = (jnp.log(s / k) + 0.06 * t) / (0.3 * jnp.sqrt(t))
    cdf = jax.scipy.stats.norm.cdf
    return s * cdf(d1) - k * jnp.exp(-0.02 * t) * cdf(d1 - 0.3 * jnp.sqrt(t))


def wave(u, v):
    lap = (jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4 * u)
    return 2 * u - v + 0.2 * lap


def mlp_loss(w1, w2, x, y):
    h = jax.nn.gelu(x @ w1)
    return -(jax.nn.log_softmax(h @ w2) * y).sum(-1).mean()


def conv(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


half = jnp.bfloat16
CASES = [
    (layer_norm, normal(6144, 1536), normal(1536), normal(1536)),
    (lambda x: jax.nn.softmax(x, -1), normal(3000, 5000)),
    (attention, normal(4, 12, 640, 64).astype(half), normal(4, 12, 640, 64).astype(half), normal(4, 12, 640, 64).astype(half)),
    (life, whole(2, 3072, 3072)),
    (forces, normal(5000, 3)),
    (gru, normal(6, 96, 256), normal(96, 512), normal(2, 256, 512), normal(2, 512, 512)),
    (black_scholes, jnp.abs(normal(2_500_000)) + 1, jnp.abs(normal(2_500_000)) + 1, jnp.abs(normal(2_500_000)) + 0.1),
    (wave, normal(2500, 2500), normal(2500, 2500)),
    (jax.grad(mlp_loss, (0, 1)), normal(784, 900), normal(900, 300), normal(2048, 784), jax.nn.one_hot(whole(300, 2048), 300)),
    (conv, normal(8, 48, 48, 64).astype(half), normal(3, 3, 64, 96).astype(half)),
    (lambda x: jnp.cumsum(x, 1), normal(300, 20000)),
    (lambda x: jnp.sort(x, -1), normal(64, 30000)),
    (lambda x, i: jnp.take(x, i, 0), normal(50000, 200), whole(50000, 30000)),
    (lambda x, i: jax.ops.segment_sum(x, i, 4000), normal(200000, 24), whole(4000, 200000)),
    (lambda x, i: jnp.zeros((3000, 200)).at[i].add(x), normal(40000, 200), whole(3000, 40000)),
    (lambda x: jnp.argmax(x, -1), normal(5000, 3200)),
    (lambda x: jnp.transpose(x, (0, 3, 1, 2)) * 1.5, normal(16, 100, 100, 70)),
    (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), normal(16, 112, 112, 64)),
    (lambda x: jnp.fft.rfft2(x), normal(12, 720, 720)),
    (lambda x: jnp.linalg.cholesky(x @ x.T + 300 * jnp.eye(300)), normal(300, 300)),
    (lambda a, b: jnp.einsum("bij,bjk->bik", a, b), normal(40, 130, 270), normal(40, 270, 90)),
    (lambda a, b: a @ b, normal(1100, 900), normal(900, 1300)),
    (lambda a, b: a @ b, normal(3000, 1700).astype(half), normal(1700, 2200).astype(half)),
    (lambda x: jax.image.resize(x, (24, 300, 420, 3), "linear"), normal(24, 200, 200, 3)),
    (lambda x: jnp.histogram(x, bins=100, range=(-3.0, 3.0))[0], normal(600_000)),
    (lambda x: lax.top_k(x, 32)[0], normal(256, 20000)),
    (lambda x: (x.astype(jnp.float64) if False else x).std(0), normal(9000, 1100)),
    (lambda x: jnp.prod(1 + 0.01 * x, axis=1), normal(64, 90000)),
    (lambda k: jax.random.normal(k, (3_000_000,)), jax.random.PRNGKey(3)),
    (lambda x: jnp.convolve(x, jnp.ones(31) / 31, mode="same"), normal(400_000)),
    (lambda x, y: jnp.where(x > y, jnp.exp(-x * x), jnp.sin(y) * x), normal(4_000_000), normal(4_000_000)),
    (lambda x: jnp.linalg.norm(x[:, None] - x[None], axis=-1).min(1), normal(900, 40)),
    (lambda x: jnp.pad(x, ((0, 0), (3, 5), (7, 9)), mode="reflect"), normal(60, 300, 300)),
    (lambda x: lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (x, x))[1], normal(200_000)),
    (lambda x, i: jnp.take_along_axis(x, i, 1), normal(4000, 1500), whole(1500, 4000, 700)),
    (lambda x: jnp.concatenate([x[:, ::2], jnp.flip(x, 1)], 1), normal(2200, 1800)),
]

for case in CASES:
    function, arguments = jax.jit(case[0]), case[1:]
    for _ in range(3):
        jax.block_until_ready(function(*arguments))
