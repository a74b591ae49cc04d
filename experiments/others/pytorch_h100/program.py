# Products, convolutions, attention and recurrent layers of shapes not used before; plain operations beside them.
import math, os, torch, torch.nn.functional as F
torch.manual_seed(15)
d = 'cuda'
H, B, S = torch.float16, torch.bfloat16, torch.float32
def r(*s, t=B): return (torch.randn(*s, device=d) * 0.1).to(t)
ops = []
def op(f): ops.append(f); return f
def mm(m, n, k, t, tn=False):
    a, b = r(m, k, t=t), (r(n, k, t=t).t() if tn else r(k, n, t=t))
    ops.append(lambda: a @ b)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
# products
for m, n, k, t, tn in [(1536, 2560, 640, B, True), (4608, 1152, 1152, H, False), (896, 6144, 2048, B, False),
                       (320, 320, 16384, H, True), (64, 11008, 4096, B, True), (24, 5120, 5120, H, True),
                       (3072, 768, 768, S, True), (1280, 1280, 5120, S, False), (2816, 2816, 2816, B, True),
                       (200, 1000, 3000, H, False), (7168, 512, 256, B, False), (130, 4096, 1024, S, True)]:
    mm(m, n, k, t, tn)
for n, m, k, t in [(96, 196, 64, H), (24, 512, 96, B), (40, 300, 300, S), (384, 64, 32, B)]:
    a, b = r(n, m, k, t=t), r(n, k, m, t=t)
    ops.append(lambda a=a, b=b: torch.bmm(a, b))
i8 = torch.randint(-9, 9, (1088, 1536), device=d, dtype=torch.int8)
j8 = torch.randint(-9, 9, (2048, 1536), device=d, dtype=torch.int8)
op(lambda: torch._int_mm(i8, j8.t()))
one = torch.ones((), device=d)
f8 = r(1792, 1024, t=S).to(torch.float8_e4m3fn); g8 = r(2304, 1024, t=S).to(torch.float8_e4m3fn)
op(lambda: torch._scaled_mm(f8, g8.t(), scale_a=one, scale_b=one, out_dtype=B))
d64a, d64b = torch.randn(768, 640, device=d, dtype=torch.float64), torch.randn(640, 896, device=d, dtype=torch.float64)
op(lambda: d64a @ d64b)
w, x, bias = r(3584, 896), r(1920, 896), r(3584)
op(lambda: F.gelu(F.linear(x, w, bias)))
op(lambda: torch.addmm(bias, x, w.t()))
op(lambda: torch.einsum('bhid,bhjd->bhij', qe, ke))
qe, ke = r(6, 10, 384, 80, t=H), r(6, 10, 384, 80, t=H)
# forward and backward of a layer
lin = torch.nn.Linear(1408, 2816, device=d, dtype=H); xl = r(1664, 1408, t=H).requires_grad_()
def linear_step():
    lin.zero_grad(); F.silu(lin(xl)).sum().backward()
op(linear_step)
# convolutions, forward and backward
def conv(ci, co, hw, n, k, s, t, groups=1, cl=True, back=True):
    c = torch.nn.Conv2d(ci, co, k, s, k // 2, groups=groups, device=d, dtype=t)
    y = r(n, ci, hw, hw, t=t)
    if cl: c, y = c.to(memory_format=torch.channels_last), y.contiguous(memory_format=torch.channels_last)
    y.requires_grad_(back)
    def go():
        z = c(y)
        if back: z.sum().backward(); c.zero_grad(); y.grad = None
    ops.append(go)
for a in [(96, 192, 28, 16, 3, 1, H), (192, 384, 14, 24, 3, 2, B), (320, 320, 20, 12, 1, 1, B), (48, 96, 56, 8, 5, 1, H),
          (80, 80, 40, 10, 3, 1, S), (128, 256, 24, 12, 3, 1, S)]:
    conv(*a)
conv(144, 144, 28, 12, 3, 1, H, groups=6)
conv(96, 160, 36, 8, 3, 1, H, cl=False)
c3 = torch.nn.Conv3d(24, 48, 3, padding=1, device=d, dtype=H); x3 = r(2, 24, 12, 28, 28, t=H)
op(lambda: c3(x3))
ct = torch.nn.ConvTranspose2d(160, 80, 4, 2, 1, device=d, dtype=B).to(memory_format=torch.channels_last)
xt = r(10, 160, 20, 20).contiguous(memory_format=torch.channels_last)
op(lambda: ct(xt))
# attention
from torch.nn.attention import sdpa_kernel, SDPBackend as SB
def attn(b, h, hk, n, m, e, t, causal, backend, back):
    q, k, v = (r(b, h, n, e, t=t).requires_grad_(back), r(b, hk, m, e, t=t).requires_grad_(back), r(b, hk, m, e, t=t).requires_grad_(back))
    def go():
        with sdpa_kernel(backend):
            o = F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=h != hk)
        if back: o.sum().backward(); q.grad = k.grad = v.grad = None
    ops.append(go)
for a in [(3, 10, 10, 768, 768, 64, H, False, SB.FLASH_ATTENTION, True), (2, 14, 2, 1536, 1536, 128, B, True, SB.FLASH_ATTENTION, False),
          (4, 8, 8, 640, 640, 96, B, True, SB.FLASH_ATTENTION, True), (2, 12, 12, 896, 896, 64, H, False, SB.EFFICIENT_ATTENTION, True),
          (1, 20, 20, 1280, 1280, 128, B, True, SB.CUDNN_ATTENTION, True), (3, 16, 16, 512, 512, 64, H, False, SB.CUDNN_ATTENTION, True),
          (6, 6, 6, 320, 1024, 32, S, False, SB.EFFICIENT_ATTENTION, False), (12, 16, 16, 1, 2560, 128, B, False, SB.FLASH_ATTENTION, False)]:
    attn(*a)
# recurrent layers
lstm = torch.nn.LSTM(384, 512, 1, device=d, dtype=H); xr = r(12, 48, 384, t=H)
op(lambda: lstm(xr))
gru = torch.nn.GRU(256, 320, 1, device=d); xg = r(8, 32, 256, t=S)
op(lambda: gru(xg))
# plain operations
xa = r(2304, 3072); xb = r(1500, 40, 70, t=S); xi = torch.randint(0, 9000, (6000,), device=d)
tab = r(9000, 448, t=S); img = r(12, 40, 61, 61, t=S)
for f in [lambda: F.rms_norm(xa, (3072,)), lambda: torch.softmax(xa, -1), lambda: xb.permute(2, 0, 1).contiguous(),
          lambda: tab[xi], lambda: xb.std(dim=(0, 2)), lambda: torch.cumsum(xb, 1), lambda: xa.float().topk(7, -1),
          lambda: F.interpolate(img, scale_factor=1.7, mode='bicubic'), lambda: F.avg_pool2d(img, 3, 2), lambda: F.group_norm(img, 8),
          lambda: torch.where(xb > 0, xb, xb.exp()), lambda: F.unfold(img, 3), lambda: torch.sort(xb[:, 0], dim=0),
          lambda: xb.new_zeros(9000, 448).index_add_(0, xi, tab[:6000]), lambda: F.cross_entropy(xa.float(), xi[:2304] % 3072),
          lambda: torch.linalg.vector_norm(xb), lambda: F.grid_sample(img, torch.tanh(r(12, 70, 50, 2, t=S)))]:
    op(f)
for f in ops:
    for _ in range(3):
        try: f()
        except Exception as e:
            if _ == 0: print('left out:', str(e).split('\n')[0][:120])
    torch.cuda.synchronize()
