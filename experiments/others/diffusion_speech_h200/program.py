"""`program.py diffusion`: a block of a diffusion network, windowed attention, a mobile network.
`program.py speech`: features and a recurrent network for speech, boxes of a detector, a recommender.

Joined from the two programs that were recorded, which made the same calls; not run in this form.
"""
import math
import sys

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = "cuda"


class ResBlock(nn.Module):
    def __init__(self, channels, time_channels):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(32, channels), nn.GroupNorm(32, channels)
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.time = nn.Linear(time_channels, 2 * channels)

    def forward(self, x, t):
        scale, shift = self.time(F.silu(t))[:, :, None, None].chunk(2, dim=1)
        h = self.conv1(F.silu(self.norm1(x)))
        h = self.norm2(h) * (1 + scale) + shift
        return x + self.conv2(F.silu(h))


def time_embedding(t, width):
    rates = torch.exp(-math.log(10000) * torch.arange(width // 2, device=DEVICE) / (width // 2))
    angles = t[:, None].float() * rates[None]
    return torch.cat([angles.cos(), angles.sin()], dim=-1)


def diffusion():
    block = ResBlock(96, 256).to(DEVICE)
    x = torch.randn(6, 96, 40, 40, device=DEVICE, requires_grad=True)
    t = time_embedding(torch.randint(0, 1000, (6,), device=DEVICE), 256)
    h = block(x, t)
    h = F.interpolate(h, scale_factor=2, mode="nearest")
    h = F.avg_pool2d(h, 2)
    noise = torch.randn_like(h)
    F.mse_loss(h, noise).backward()


def windows():
    size, heads, width = 7, 4, 128
    x = torch.randn(8, 56, 56, width, device=DEVICE, dtype=torch.bfloat16)
    qkv = nn.Linear(width, 3 * width).to(DEVICE, torch.bfloat16)
    bias = torch.randn(heads, size * size, size * size, device=DEVICE, dtype=torch.bfloat16)
    shifted = torch.roll(x, shifts=(-3, -3), dims=(1, 2))
    w = shifted.view(8, 8, size, 8, size, width).permute(0, 1, 3, 2, 4, 5)
    w = w.reshape(-1, size * size, width)
    q, k, v = qkv(w).view(-1, size * size, 3, heads, 32).permute(2, 0, 3, 1, 4).unbind(0)
    scores = (q * 32**-0.5) @ k.transpose(-2, -1) + bias
    out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(-1, size * size, width)
    out = out.view(8, 8, 8, size, size, width).permute(0, 1, 3, 2, 4, 5).reshape(8, 56, 56, width)
    return F.gelu(torch.roll(out, shifts=(3, 3), dims=(1, 2)) + x)


def mobile():
    x = torch.randn(16, 64, 48, 48, device=DEVICE, requires_grad=True)
    expand = nn.Sequential(nn.Conv2d(64, 192, 1, bias=False), nn.BatchNorm2d(192), nn.Hardswish())
    depth = nn.Sequential(
        nn.Conv2d(192, 192, 5, padding=2, groups=192, bias=False), nn.BatchNorm2d(192)
    )
    squeeze = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(192, 48, 1), nn.ReLU())
    excite = nn.Sequential(nn.Conv2d(48, 192, 1), nn.Hardsigmoid())
    for part in (expand, depth, squeeze, excite):
        part.to(DEVICE)
    h = depth(expand(x))
    h = F.hardswish(h * excite(squeeze(h)))
    h = F.dropout2d(F.max_pool2d(h, 3, 2, 1), 0.2)
    h.flatten(2).mean(-1).log_softmax(-1)[:, 7].mean().backward()


def speech():
    wave = torch.randn(12, 48000, device=DEVICE)
    spectrum = torch.stft(
        wave, 512, 160, window=torch.hann_window(512, device=DEVICE), return_complex=True
    )
    power = spectrum.abs().square()
    bands = torch.rand(80, 257, device=DEVICE)
    mel = torch.log10(torch.clamp(bands @ power, min=1e-8))
    mel = (mel - mel.mean(-1, keepdim=True)) / (mel.std(-1, keepdim=True) + 1e-5)
    conv = nn.Conv1d(80, 192, 5, stride=2).to(DEVICE)
    rnn = nn.GRU(192, 160, batch_first=True, bidirectional=True).to(DEVICE)
    head = nn.Linear(320, 41).to(DEVICE)
    h, _ = rnn(F.leaky_relu(conv(mel)).transpose(1, 2))
    log_probs = head(h).log_softmax(-1).transpose(0, 1)
    steps = log_probs.shape[0]
    targets = torch.randint(1, 41, (12, 20), device=DEVICE)
    F.ctc_loss(
        log_probs,
        targets,
        torch.full((12,), steps, device=DEVICE),
        torch.full((12,), 20, device=DEVICE),
    ).backward()


def boxes():
    corners = torch.rand(4000, 2, device=DEVICE) * 800
    box = torch.cat([corners, corners + torch.rand(4000, 2, device=DEVICE) * 90], dim=1)
    scores = torch.rand(4000, 90, device=DEVICE)
    best, label = scores.max(1)
    best, order = best.sort(descending=True)
    box, label = box[order], label[order]
    left_top = torch.maximum(box[:1500, None, :2], box[None, :1500, :2])
    right_bottom = torch.minimum(box[:1500, None, 2:], box[None, :1500, 2:])
    inter = (right_bottom - left_top).clamp(min=0).prod(-1)
    area = (box[:, 2:] - box[:, :2]).prod(-1)
    overlap = inter / (area[:1500, None] + area[None, :1500] - inter)
    keep = (overlap.triu(1) > 0.5).any(0).logical_not()
    features = torch.randn(2, 64, 50, 50, device=DEVICE)
    grid = torch.rand(2, 300, 49, 2, device=DEVICE) * 2 - 1
    pooled = F.grid_sample(features, grid, align_corners=False)
    counts = torch.zeros(90, device=DEVICE).scatter_add_(0, label[:1500], keep.float())
    return pooled.amax(-1), counts, torch.topk(overlap.flatten(), 100)


def recommend():
    tables = [nn.EmbeddingBag(60000, 64, mode="sum").to(DEVICE) for _ in range(3)]
    dense = nn.Sequential(nn.Linear(13, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU()).to(DEVICE)
    top = nn.Sequential(nn.Linear(70, 128), nn.ReLU(), nn.Linear(128, 1)).to(DEVICE)
    params = [p for m in (*tables, dense, top) for p in m.parameters()]
    step = torch.optim.Adam(params, lr=1e-3)
    index = torch.randint(0, 60000, (4096, 12), device=DEVICE)
    parts = [t(index.roll(i, 0)) for i, t in enumerate(tables)]
    parts.append(dense(torch.randn(4096, 13, device=DEVICE)))
    stacked = torch.stack(parts, dim=1)
    pairs = torch.bmm(stacked, stacked.transpose(1, 2))
    upper = torch.triu_indices(4, 4, 1, device=DEVICE)
    x = torch.cat([parts[-1], pairs[:, upper[0], upper[1]]], dim=1)
    label = (torch.rand(4096, 1, device=DEVICE) > 0.7).float()
    F.binary_cross_entropy_with_logits(top(x), label).backward()
    step.step()


SEEDS = {"diffusion": 5, "speech": 9}
PARTS = {"diffusion": (diffusion, windows, mobile), "speech": (speech, boxes, recommend)}
torch.manual_seed(SEEDS[sys.argv[1]])
for _ in range(2):
    for part in PARTS[sys.argv[1]]:
        part()
torch.cuda.synchronize()
