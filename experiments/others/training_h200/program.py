# Training steps of a language model, a convolutional network and a recommender; sampling, losses and optimisers.
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(17)
d = 'cuda'; H, B, S = torch.float16, torch.bfloat16, torch.float32
def r(*s, t=S): return (torch.randn(*s, device=d) * 0.1).to(t)
class Block(nn.Module):
    def __init__(s, w, h):
        super().__init__(); s.h = h; s.n1 = nn.RMSNorm(w); s.n2 = nn.LayerNorm(w); s.qkv = nn.Linear(w, 3 * w, bias=False); s.o = nn.Linear(w, w)
        s.g = nn.Linear(w, 2 * w); s.u = nn.Linear(w, 2 * w); s.dn = nn.Linear(2 * w, w)
    def forward(s, x):
        b, n, w = x.shape
        q, k, v = s.qkv(s.n1(x)).view(b, n, 3, s.h, w // s.h).permute(2, 0, 3, 1, 4)
        x = x + s.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, n, w))
        y = s.n2(x); return x + F.dropout(s.dn(F.silu(s.g(y)) * s.u(y)), 0.1)
class Language(nn.Module):
    def __init__(s):
        super().__init__(); s.e = nn.Embedding(6000, 576); s.b = nn.ModuleList([Block(576, 9) for _ in range(1)]); s.f = nn.LayerNorm(576); s.h = nn.Linear(576, 6000)
    def forward(s, i):
        x = s.e(i)
        for b in s.b: x = b(x)
        return s.h(s.f(x))
class Bottleneck(nn.Module):
    def __init__(s, c, m, st):
        super().__init__(); s.a = nn.Conv2d(c, m, 1, bias=False); s.b = nn.Conv2d(m, m, 3, st, 1, bias=False); s.c = nn.Conv2d(m, 4 * m, 1, bias=False)
        s.k = nn.Conv2d(c, 4 * m, 1, st, bias=False); s.n = nn.ModuleList([nn.BatchNorm2d(z) for z in (m, m, 4 * m)])
    def forward(s, x):
        y = F.relu(s.n[0](s.a(x))); y = F.relu(s.n[1](s.b(y))); return F.relu(s.n[2](s.c(y)) + s.k(x))
vision = nn.Sequential(nn.Conv2d(3, 48, 5, 2, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1), Bottleneck(48, 40, 1), Bottleneck(160, 64, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 200))
class Recommender(nn.Module):
    def __init__(s):
        super().__init__(); s.t = nn.EmbeddingBag(40000, 72, mode='sum'); s.m = nn.Sequential(nn.Linear(13, 160), nn.ReLU(), nn.Linear(160, 72)); s.o = nn.Sequential(nn.Linear(144, 224), nn.SiLU(), nn.Linear(224, 1))
    def forward(s, x, i): return s.o(torch.cat([s.m(x), s.t(i)], 1))
def train(m, o, f):
    def go():
        o.zero_grad(); f().backward(); nn.utils.clip_grad_norm_(m.parameters(), 1.0); o.step()
    return go
lm = Language().to(d, B); ids = torch.randint(0, 6000, (6, 448), device=d)
vi = vision.to(d).to(memory_format=torch.channels_last); px = r(20, 3, 160, 160).contiguous(memory_format=torch.channels_last); lb = torch.randint(0, 200, (20,), device=d)
re = Recommender().to(d); xs = r(3500, 13); bags = torch.randint(0, 40000, (3500, 18), device=d); click = torch.rand(3500, 1, device=d)
ops = [train(lm, torch.optim.AdamW(lm.parameters(), fused=True), lambda: F.cross_entropy(lm(ids).flatten(0, 1).float(), ids.flatten())),
       train(vi, torch.optim.SGD(vi.parameters(), 0.1, momentum=0.9, nesterov=True), lambda: F.cross_entropy(vi(px), lb, label_smoothing=0.1)),
       train(re, torch.optim.Adagrad(re.parameters()), lambda: F.binary_cross_entropy_with_logits(re(xs, bags), click))]
lg = r(96, 32000); pr = torch.softmax(lg, -1); im = r(10, 24, 90, 90); ix = torch.randint(0, 500, (50000,), device=d); va = r(50000, 60); ma = r(900, 900)
cx = torch.view_as_complex(r(40, 1024, 2)); u8 = torch.randint(0, 255, (16, 3, 240, 240), device=d, dtype=torch.uint8); a3 = r(180, 140, 110)
ops += [lambda: torch.multinomial(pr, 4), lambda: lg.argmax(-1), lambda: torch.sort(lg[:24], -1), lambda: lg.topk(50, -1), lambda: torch.logsumexp(lg, -1),
        lambda: F.conv_transpose2d(im, r(24, 16, 3, 3), stride=2), lambda: F.pad(im, (3, 5, 2, 4), 'reflect'), lambda: F.instance_norm(im), lambda: F.pixel_shuffle(im, 2),
        lambda: torch.zeros(500, 60, device=d).index_add(0, ix, va), lambda: torch.zeros(500, 60, device=d).scatter_reduce(0, ix[:, None].expand(-1, 60), va, 'amax'),
        lambda: torch.bincount(ix, minlength=500), lambda: torch.unique(ix), lambda: torch.fft.fft(cx), lambda: torch.fft.rfft2(im), lambda: torch.linalg.cholesky(ma @ ma.T + 9 * torch.eye(900, device=d)),
        lambda: u8.float().div_(255).sub_(0.4), lambda: F.interpolate(u8.float(), (200, 180), mode='bilinear', antialias=True), lambda: a3.transpose(0, 2).contiguous(), lambda: a3.sum(1),
        lambda: a3.flip(0, 2), lambda: torch.roll(a3, (5, 7), (1, 2)), lambda: a3.cumsum(0), lambda: a3.var(2), lambda: torch.median(a3, 1), lambda: a3.half().mul_(3).add_(1),
        lambda: torch.cdist(va[:1500], va[1500:3500]), lambda: torch.einsum('abc,dbc->ad', a3, a3), lambda: F.kl_div(lg.log_softmax(-1), pr), lambda: torch.histc(a3, 64),
        lambda: torch.tril(ma), lambda: torch.nonzero(a3 > 0.1), lambda: a3[a3 > 0.2], lambda: torch.rand(1200, 1200, device=d), lambda: torch.searchsorted(pr.cumsum(-1), torch.rand(96, 300, device=d)),
        lambda: F.ctc_loss(r(60, 12, 40).log_softmax(-1), torch.randint(1, 40, (12, 20), device=d), torch.full((12,), 60), torch.full((12,), 20)), lambda: F.max_pool2d(im, 3, 1, 1), lambda: F.softplus(a3.double())]
for f in ops:
    for _ in range(2):
        try: f()
        except Exception as e:
            if _ == 0: print('left out:', str(e).split('\n')[0][:120])
    torch.cuda.synchronize()
