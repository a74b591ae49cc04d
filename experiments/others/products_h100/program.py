# Products, convolutions and attention of further shapes. All inputs are parts of one pool, so hardly a kernel fills them.
import torch, torch.nn.functional as F
from torch.nn.attention import sdpa_kernel, SDPBackend as SB
torch.manual_seed(19)
d = 'cuda'; H, B, S = torch.float16, torch.bfloat16, torch.float32
torch.backends.cuda.matmul.allow_tf32 = True; torch.backends.cudnn.allow_tf32 = True
base = torch.randn(1 << 26, device=d) * 0.1
pools = {S: base, H: base.to(H), B: base.to(B)}; at = [0]
def r(*s, t=B):
    n = 1
    for x in s: n *= x
    if at[0] + n > (1 << 26): at[0] = 0
    out = pools[t][at[0]:at[0] + n].view(s); at[0] += (n + 255) // 256 * 256; return out
def leaf(x): return x.detach().requires_grad_()
ops = []
def mm(m, n, k, t, ta, tb):
    a = r(k, m, t=t).t() if ta else r(m, k, t=t); b = r(n, k, t=t).t() if tb else r(k, n, t=t); ops.append(lambda: a @ b)
for a in [(1792, 1792, 896, B, 0, 1), (3584, 2048, 512, H, 0, 0), (640, 2560, 5120, B, 1, 0), (128, 128, 20000, H, 1, 0), (48, 14336, 2048, B, 0, 1), (3, 4096, 4096, H, 0, 1),
          (5000, 300, 700, S, 0, 1), (1024, 1024, 3072, S, 0, 0), (2304, 4608, 1152, H, 0, 1), (4096, 4096, 1024, B, 0, 1), (777, 555, 333, H, 0, 0), (256, 256, 256, B, 0, 1),
          (16384, 128, 128, H, 0, 0), (96, 96, 12000, S, 1, 0), (2000, 8000, 200, B, 0, 0), (6144, 1536, 1536, H, 1, 1)]: mm(*a)
for n, m, l, k, t in [(32, 512, 512, 64, B), (20, 700, 96, 700, H), (64, 200, 200, 128, S), (256, 81, 81, 48, B), (12, 1024, 1024, 1024, H)]:
    a, b = r(n, m, k, t=t), r(n, k, l, t=t); ops.append(lambda a=a, b=b: torch.bmm(a, b))
i8 = torch.randint(-9, 9, (1536, 1024), device=d, dtype=torch.int8); j8 = torch.randint(-9, 9, (1280, 1024), device=d, dtype=torch.int8)
ops.append(lambda: torch._int_mm(i8, j8.t()))
one = torch.ones((), device=d); f8 = r(3072, 1536, t=S).to(torch.float8_e4m3fn); g8 = r(1024, 1536, t=S).to(torch.float8_e4m3fn)
ops.append(lambda: torch._scaled_mm(f8, g8.t(), scale_a=one, scale_b=one, out_dtype=B))
def layer(m, i, o, t):
    w, b, x, g = leaf(r(o, i, t=t)), leaf(r(o, t=t)), leaf(r(m, i, t=t)), r(m, o, t=t)
    def go(): F.linear(x, w, b).backward(g); w.grad = b.grad = x.grad = None
    ops.append(go)
layer(3200, 1024, 4096, B); layer(900, 1536, 768, H); layer(6000, 256, 640, S)
def conv(ci, co, hw, n, k, s, t, groups=1, cl=True, back=True):
    w, y = r(co, ci // groups, k, k, t=t), r(n, ci, hw, hw, t=t)
    if cl: w, y = w.contiguous(memory_format=torch.channels_last), y.contiguous(memory_format=torch.channels_last)
    w, y = leaf(w), leaf(y)
    def go():
        z = F.conv2d(y, w, stride=s, padding=k // 2, groups=groups)
        if back: z.backward(torch.empty_like(z)); w.grad = y.grad = None
    ops.append(go)
for a in [(128, 128, 28, 24, 3, 1, H), (384, 192, 14, 40, 1, 1, B), (64, 256, 56, 12, 1, 1, H), (96, 96, 48, 10, 3, 2, B), (256, 256, 16, 30, 3, 1, B), (48, 48, 64, 8, 7, 1, H),
          (160, 320, 20, 16, 3, 1, S), (512, 128, 10, 48, 1, 1, S)]: conv(*a)
def attn(b, h, hk, n, m, e, t, causal, backend, back):
    q, k, v, g = leaf(r(b, h, n, e, t=t)), leaf(r(b, hk, m, e, t=t)), leaf(r(b, hk, m, e, t=t)), r(b, h, n, e, t=t)
    def go():
        with sdpa_kernel(backend): o = F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=h != hk)
        if back: o.backward(g); q.grad = k.grad = v.grad = None
    ops.append(go)
for a in [(2, 8, 8, 1024, 1024, 128, B, True, SB.FLASH_ATTENTION, True), (6, 16, 16, 384, 384, 64, H, False, SB.FLASH_ATTENTION, True), (1, 24, 6, 3072, 3072, 64, B, True, SB.FLASH_ATTENTION, False),
          (3, 12, 12, 640, 640, 64, B, False, SB.EFFICIENT_ATTENTION, True), (2, 20, 20, 1024, 1024, 64, B, True, SB.CUDNN_ATTENTION, True), (4, 8, 8, 768, 768, 128, H, False, SB.CUDNN_ATTENTION, False),
          (2, 16, 16, 900, 900, 32, S, False, SB.EFFICIENT_ATTENTION, True), (16, 24, 8, 1, 1800, 128, B, False, SB.FLASH_ATTENTION, False)]: attn(*a)
for f in ops:
    for _ in range(3):
        try: f()
        except Exception as e:
            if _ == 0: print('left out:', str(e).split('\n')[0][:120])
    torch.cuda.synchronize()
