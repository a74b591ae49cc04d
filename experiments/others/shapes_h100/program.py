# Products, convolutions and attention of other shapes, recurrent and transposed layers. All inputs are parts of one pool, so hardly a kernel fills them.
import torch, torch.nn.functional as F
from torch.nn.attention import sdpa_kernel, SDPBackend as SB
torch.manual_seed(21)
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
for a in [(1280, 3072, 768, B, 0, 1), (5120, 1024, 1024, H, 0, 1), (896, 896, 8192, B, 1, 0), (320, 192, 16384, H, 1, 0), (24, 6144, 4096, B, 0, 1), (1, 11008, 2048, H, 0, 1),
          (3000, 500, 1100, S, 0, 1), (768, 3072, 1536, S, 0, 0), (1600, 6400, 1600, H, 0, 1), (8192, 2048, 512, B, 0, 1), (1023, 511, 255, H, 0, 0), (512, 512, 128, B, 0, 1),
          (32768, 96, 160, H, 0, 0), (144, 200, 9000, S, 1, 0), (1100, 5000, 400, B, 0, 0), (2560, 2560, 2560, H, 1, 1), (200, 12000, 768, B, 0, 1), (6000, 64, 3000, H, 0, 0)]: mm(*a)
for n, m, l, k, t in [(48, 256, 384, 96, B), (10, 900, 128, 900, H), (128, 128, 128, 256, S), (500, 49, 49, 32, B), (7, 1500, 640, 768, H)]:
    a, b = r(n, m, k, t=t), r(n, k, l, t=t); ops.append(lambda a=a, b=b: torch.bmm(a, b))
i8 = torch.randint(-9, 9, (2048, 768), device=d, dtype=torch.int8); j8 = torch.randint(-9, 9, (3072, 768), device=d, dtype=torch.int8)
ops.append(lambda: torch._int_mm(i8, j8.t()))
one = torch.ones((), device=d); f8 = r(2048, 2048, t=S).to(torch.float8_e4m3fn); g8 = r(2560, 2048, t=S).to(torch.float8_e4m3fn)
ops.append(lambda: torch._scaled_mm(f8, g8.t(), scale_a=one, scale_b=one, out_dtype=B))
def layer(m, i, o, t):
    w, b, x, g = leaf(r(o, i, t=t)), leaf(r(o, t=t)), leaf(r(m, i, t=t)), r(m, o, t=t)
    def go(): F.linear(x, w, b).backward(g); w.grad = b.grad = x.grad = None
    ops.append(go)
layer(2400, 1536, 1536, B); layer(1400, 512, 2304, H); layer(4000, 384, 384, S)
def conv(ci, co, hw, n, k, s, t, groups=1, cl=True, back=True):
    w, y = r(co, ci // groups, k, k, t=t), r(n, ci, hw, hw, t=t)
    if cl: w, y = w.contiguous(memory_format=torch.channels_last), y.contiguous(memory_format=torch.channels_last)
    w, y = leaf(w), leaf(y)
    def go():
        z = F.conv2d(y, w, stride=s, padding=k // 2, groups=groups)
        if back: z.backward(torch.empty_like(z)); w.grad = y.grad = None
    ops.append(go)
for a in [(192, 192, 20, 20, 3, 1, B), (256, 512, 14, 32, 1, 1, H), (128, 64, 40, 10, 1, 1, B), (64, 128, 64, 6, 3, 2, H), (320, 320, 12, 24, 3, 1, H), (32, 64, 80, 4, 5, 1, B),
          (128, 128, 24, 16, 3, 1, S), (256, 768, 9, 40, 1, 1, S)]: conv(*a)
wt, yt = r(128, 96, 4, 4, t=H), r(8, 128, 24, 24, t=H); ops.append(lambda: F.conv_transpose2d(yt, wt, stride=2, padding=1))
w3, y3 = r(64, 32, 3, 3, 3, t=H), r(2, 32, 12, 40, 40, t=H); ops.append(lambda: F.conv3d(y3, w3, padding=1))
cell = torch.nn.GRU(384, 512).to(d, B); xs = r(12, 48, 384, t=B); ops.append(lambda: cell(xs))
block = torch.nn.TransformerEncoderLayer(640, 10, 2560, dropout=0.0, batch_first=True, norm_first=True).to(d, H); xb = r(4, 600, 640, t=H)
def encoder(): block(xb).backward(xb); block.zero_grad(set_to_none=True)
ops.append(encoder)
def attn(b, h, hk, n, m, e, t, causal, backend, back):
    q, k, v, g = leaf(r(b, h, n, e, t=t)), leaf(r(b, hk, m, e, t=t)), leaf(r(b, hk, m, e, t=t)), r(b, h, n, e, t=t)
    def go():
        with sdpa_kernel(backend): o = F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=h != hk)
        if back: o.backward(g); q.grad = k.grad = v.grad = None
    ops.append(go)
for a in [(3, 10, 10, 1200, 1200, 64, B, True, SB.FLASH_ATTENTION, True), (2, 12, 12, 512, 2048, 128, H, False, SB.FLASH_ATTENTION, True), (1, 32, 4, 2048, 2048, 128, B, True, SB.FLASH_ATTENTION, False),
          (4, 8, 8, 800, 800, 64, H, False, SB.EFFICIENT_ATTENTION, True), (3, 16, 16, 768, 768, 64, B, False, SB.CUDNN_ATTENTION, True), (1, 16, 16, 2048, 2048, 128, B, True, SB.CUDNN_ATTENTION, True),
          (2, 12, 12, 700, 700, 64, S, True, SB.EFFICIENT_ATTENTION, True), (24, 16, 4, 1, 2600, 128, B, False, SB.FLASH_ATTENTION, False)]: attn(*a)
for f in ops:
    for _ in range(3):
        try: f()
        except Exception as e:
            if _ == 0: print('left out:', str(e).split('\n')[0][:120])
    torch.cuda.synchronize()
