"""Training in PyTorch: a decoder of a language model, a U-Net, and a recommender, three steps each."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)
torch.backends.cudnn.benchmark = False
device = "cuda"


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.up, self.gate = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, 3 * width, bias=False)
        self.down = nn.Linear(3 * width, width, bias=False)

    def forward(self, x):
        b, t, w = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.heads, w // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(a.transpose(1, 2).reshape(b, t, w))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self, words=11000, width=640, layers=6, heads=10):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.RMSNorm(width)

    def forward(self, tokens):
        x = self.words(tokens)
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.words.weight.T


def stage(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1, bias=False), nn.GroupNorm(8, b), nn.LeakyReLU(0.1),
                         nn.Conv2d(b, b, 3, padding=1, bias=False), nn.GroupNorm(8, b), nn.LeakyReLU(0.1))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = stage(3, 40), stage(40, 80), stage(80, 160)
        self.d, self.e = stage(240, 80), stage(120, 40)
        self.out = nn.Conv2d(40, 5, 1)

    def forward(self, x):
        a = self.a(x)
        b = self.b(F.avg_pool2d(a, 2))
        c = self.c(F.avg_pool2d(b, 2))
        d = self.d(torch.cat([b, F.interpolate(c, scale_factor=2, mode="bilinear")], 1))
        return self.out(self.e(torch.cat([a, F.interpolate(d, scale_factor=2, mode="bilinear")], 1)))


class Recommender(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(60000, 48, mode="mean") for _ in range(8))
        self.dense = nn.Sequential(nn.Linear(13, 200), nn.ELU(), nn.Linear(200, 48), nn.ELU())
        self.top = nn.Sequential(nn.Linear(48 * 9, 300), nn.Dropout(0.1), nn.ELU(), nn.Linear(300, 1))

    def forward(self, dense, bags):
        parts = [self.dense(dense)] + [table(bag) for table, bag in zip(self.tables, bags)]
        return self.top(torch.cat(parts, 1)).squeeze(1)


def train(model, optimizer, loss):
    for _ in range(3):
        optimizer.zero_grad(set_to_none=True)
        loss(model).backward()
        optimizer.step()
    torch.cuda.synchronize()


decoder = Decoder().to(device).to(torch.bfloat16)
tokens = torch.randint(0, 11000, (5, 769), device=device)
train(decoder, torch.optim.AdamW(decoder.parameters(), lr=1e-4, fused=True),
      lambda m: F.cross_entropy(m(tokens[:, :-1]).flatten(0, 1).float(), tokens[:, 1:].flatten()))
unet = UNet().to(device)
images, classes = torch.randn(6, 3, 144, 144, device=device), torch.randint(0, 5, (6, 144, 144), device=device)
train(unet, torch.optim.SGD(unet.parameters(), lr=0.01, momentum=0.9),
      lambda m: F.cross_entropy(m(images), classes))
recommender = Recommender().to(device)
dense, bags = torch.randn(6000, 13, device=device), [torch.randint(0, 60000, (6000, 7), device=device) for _ in range(8)]
clicks = torch.randint(0, 2, (6000,), device=device).float()
train(recommender, torch.optim.Adagrad(recommender.parameters(), lr=0.01),
      lambda m: F.binary_cross_entropy_with_logits(m(dense, bags), clicks))
