# Matrix products, convolutions and attention in the shapes of vision and language models.
import torch, torch.nn.functional as F
from torch.nn.attention import sdpa_kernel, SDPBackend as SB
torch.manual_seed(16)
d = 'cuda'
H, B, S = torch.float16, torch.bfloat16, torch.float32
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
def r(*s, t=B): return (torch.randn(*s, device=d) * 0.1).to(t)
ops = []
def mm(m, n, k, t, ta=False, tb=False):
    a = r(k, m, t=t).t() if ta else r(m, k, t=t)
    b = r(n, k, t=t).t() if tb else r(k, n, t=t)
    ops.append(lambda: a @ b)
for m, n, k, t, ta, tb in [(2048, 2048, 512, H, 0, 1), (5120, 1280, 1280, B, 0, 1), (1280, 5120, 2304, B, 1, 0), (640, 640, 8192, H, 1, 0),
                           (16, 8192, 3072, B, 0, 1), (100, 2048, 1500, H, 0, 0), (8192, 256, 1024, S, 0, 1), (768, 3072, 768, S, 0, 0),
                           (3328, 3328, 1664, H, 0, 1), (2560, 10240, 2560, B, 0, 1), (500, 700, 900, S, 1, 0), (384, 384, 384, H, 0, 0),
                           (12288, 384, 96, B, 0, 0), (72, 72, 30000, S, 1, 0)]:
    mm(m, n, k, t, ta, tb)
for n, m, l, k, t in [(48, 256, 256, 80, H), (16, 1024, 64, 1024, B), (100, 128, 128, 256, S), (512, 49, 49, 32, H)]:
    a, b = r(n, m, k, t=t), r(n, k, l, t=t)
    ops.append(lambda a=a, b=b: torch.bmm(a, b))
i8 = torch.randint(-9, 9, (640, 2048), device=d, dtype=torch.int8); j8 = torch.randint(-9, 9, (3072, 2048), device=d, dtype=torch.int8)
ops.append(lambda: torch._int_mm(i8, j8.t()))
one = torch.ones((), device=d)
f8 = r(2560, 2048, t=S).to(torch.float8_e4m3fn); g8 = r(1536, 2048, t=S).to(torch.float8_e4m3fn)
ops.append(lambda: torch._scaled_mm(f8, g8.t(), scale_a=one, scale_b=one, out_dtype=B))
d64a, d64b = torch.randn(1024, 1024, device=d, dtype=torch.float64), torch.randn(1024, 512, device=d, dtype=torch.float64)
ops.append(lambda: d64a @ d64b)
def layer(m, i, o, t, f):
    l = torch.nn.Linear(i, o, device=d, dtype=t); x = r(m, i, t=t).requires_grad_()
    def go(): l.zero_grad(); f(l(x)).sum().backward(); x.grad = None
    ops.append(go)
layer(2688, 768, 2304, B, F.gelu); layer(1200, 2048, 512, H, torch.relu); layer(4000, 320, 320, S, torch.tanh)
def conv(ci, co, hw, n, k, s, t, groups=1, cl=True, back=True):
    c = torch.nn.Conv2d(ci, co, k, s, k // 2, groups=groups, device=d, dtype=t); y = r(n, ci, hw, hw, t=t)
    if cl: c, y = c.to(memory_format=torch.channels_last), y.contiguous(memory_format=torch.channels_last)
    y.requires_grad_(back)
    def go():
        z = c(y)
        if back: z.sum().backward(); c.zero_grad(); y.grad = None
    ops.append(go)
for a in [(64, 64, 56, 20, 3, 1, H), (256, 512, 28, 16, 1, 2, B), (512, 512, 7, 32, 3, 1, H), (32, 64, 112, 6, 3, 2, B),
          (3, 64, 224, 8, 7, 2, H), (128, 128, 32, 16, 3, 1, S), (240, 40, 28, 24, 1, 1, H), (160, 160, 16, 20, 5, 1, B)]: conv(*a)
conv(192, 192, 14, 32, 3, 1, H, groups=192); conv(64, 128, 48, 8, 3, 1, B, cl=False)
def attn(b, h, hk, n, m, e, t, causal, backend, back):
    q, k, v = (r(b, h, n, e, t=t).requires_grad_(back), r(b, hk, m, e, t=t).requires_grad_(back), r(b, hk, m, e, t=t).requires_grad_(back))
    def go():
        with sdpa_kernel(backend): o = F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=h != hk)
        if back: o.sum().backward(); q.grad = k.grad = v.grad = None
    ops.append(go)
for a in [(4, 12, 12, 1024, 1024, 64, B, True, SB.FLASH_ATTENTION, True), (1, 32, 8, 2048, 2048, 128, H, True, SB.FLASH_ATTENTION, False),
          (16, 8, 8, 196, 196, 64, H, False, SB.FLASH_ATTENTION, True), (2, 16, 16, 1280, 1280, 80, B, False, SB.EFFICIENT_ATTENTION, True),
          (2, 16, 16, 1536, 1536, 128, H, False, SB.CUDNN_ATTENTION, True), (4, 12, 12, 768, 768, 64, B, True, SB.CUDNN_ATTENTION, True),
          (4, 8, 8, 512, 512, 64, S, True, SB.EFFICIENT_ATTENTION, False), (8, 32, 8, 1, 4096, 128, H, False, SB.FLASH_ATTENTION, False)]: attn(*a)
for f in ops:
    for _ in range(3):
        try: f()
        except Exception as e:
            if _ == 0: print('left out:', str(e).split('\n')[0][:120])
    torch.cuda.synchronize()
