# Models and operations of libraries on PyTorch. `program.py models`: transformers and timm with random
# weights. `program.py fields`: graphs, detection, audio, geometry, Gaussian processes, operations.
# Joined from the two programs that were recorded, which made the same calls; not run in this form.
import sys, torch, torch.nn.functional as F
dev = 'cuda'
torch.manual_seed(0)
torch.backends.cudnn.benchmark = False

def llama():
    from transformers import LlamaConfig, LlamaForCausalLM
    c = LlamaConfig(hidden_size=2048, intermediate_size=5632, num_hidden_layers=2, num_attention_heads=16,
                    num_key_value_heads=4, vocab_size=32000)
    m = LlamaForCausalLM(c).to(dev, torch.bfloat16).eval()
    with torch.no_grad():
        for n in (1536, 512):
            x = torch.randint(0, 32000, (2, n), device=dev)
            o = m(x, use_cache=True)
        p = o.past_key_values
        for _ in range(2):
            o = m(torch.randint(0, 32000, (2, 1), device=dev), past_key_values=p, use_cache=True)

def bert_training():
    from transformers import BertConfig, BertForMaskedLM
    m = BertForMaskedLM(BertConfig(num_hidden_layers=2)).to(dev).train()
    opt = torch.optim.AdamW(m.parameters(), fused=True)
    for _ in range(2):
        x = torch.randint(0, 30000, (16, 256), device=dev)
        with torch.autocast('cuda', torch.float16):
            l = m(x, labels=x).loss
        l.backward(); opt.step(); opt.zero_grad()

def swin():
    import timm
    m = timm.create_model('swin_tiny_patch4_window7_224').to(dev, torch.float16).eval()
    x = torch.randn(24, 3, 224, 224, device=dev, dtype=torch.float16)
    with torch.no_grad():
        for _ in range(2): m(x)

def convnext():
    import timm
    m = timm.create_model('convnext_tiny').to(dev, torch.bfloat16, memory_format=torch.channels_last).eval()
    x = torch.randn(24, 3, 224, 224, device=dev, dtype=torch.bfloat16).to(memory_format=torch.channels_last)
    with torch.no_grad():
        for _ in range(2): m(x)

def graphs():
    from torch_geometric.nn import GCNConv, GATConv, SAGEConv, GINConv
    n, e = 120000, 1400000
    g = torch.Generator().manual_seed(3)
    ei = torch.stack([(torch.rand(e, generator=g)**3 * n).long(), torch.randint(0, n, (e,), generator=g)]).to(dev)
    x = torch.randn(n, 64, device=dev)
    ms = [GCNConv(64, 64).to(dev), GATConv(64, 16, heads=4).to(dev), SAGEConv(64, 64, aggr='max').to(dev)]
    for _ in range(2):
        h = x.clone().requires_grad_()
        for m in ms: h = torch.relu(m(h, ei))
        h.sum().backward()

def detection():
    from torchvision.ops import nms, roi_align, deform_conv2d, sigmoid_focal_loss
    b = torch.rand(9000, 4, device=dev) * 500
    b[:, 2:] += b[:, :2]
    s = torch.rand(9000, device=dev)
    f = torch.randn(4, 96, 120, 160, device=dev, requires_grad=True)
    r = torch.cat([torch.randint(0, 4, (600, 1), device=dev).float(), b[:600] / 8], 1)
    off = torch.randn(4, 18, 120, 160, device=dev)
    w = torch.randn(64, 96, 3, 3, device=dev)
    for _ in range(2):
        nms(b, s, .5)
        y = roi_align(f, r, 7, 1 / 4, 2)
        y.sum().backward()
        with torch.no_grad():
            deform_conv2d(f, off, w, padding=1)
            sigmoid_focal_loss(torch.randn(300000, 8, device=dev), torch.rand(300000, 8, device=dev).round())

def audio():
    import torchaudio
    x = torch.randn(16, 160000, device=dev)
    mel = torchaudio.transforms.MelSpectrogram(16000, n_fft=1024, n_mels=80).to(dev)
    rs = torchaudio.transforms.Resample(16000, 22050).to(dev)
    for _ in range(2):
        y = mel(x)
        rs(x)
        torchaudio.functional.lfilter(x[:4, :4000], torch.tensor([1., -.5], device=dev),
                                      torch.tensor([.2, .1], device=dev))
        (y + 1e-6).log10()
        torch.stft(x, 512, window=torch.hann_window(512, device=dev), return_complex=True).abs()

def equivariant():
    from e3nn import o3
    a = o3.Irreps('16x0e+16x1o+8x2e')
    tp = o3.FullTensorProduct(a, o3.Irreps('1x0e+1x1o')).to(dev)
    x = torch.randn(20000, a.dim, device=dev)
    for _ in range(2):
        y = o3.spherical_harmonics([0, 1], torch.randn(20000, 3, device=dev), True)
        tp(x, y)

def gaussian_process():
    import gpytorch
    x = torch.rand(3000, 4, device=dev, dtype=torch.float64)
    y = torch.sin(x.sum(1) * 6)
    class M(gpytorch.models.ExactGP):
        def __init__(s):
            super().__init__(x, y, gpytorch.likelihoods.GaussianLikelihood())
            s.mean_module = gpytorch.means.ConstantMean()
            s.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(2.5, ard_num_dims=4))
        def forward(s, v):
            return gpytorch.distributions.MultivariateNormal(s.mean_module(v), s.covar_module(v))
    m = M().to(dev).double()
    ml = gpytorch.mlls.ExactMarginalLogLikelihood(m.likelihood, m)
    with gpytorch.settings.fast_computations(False, False, False):
        for _ in range(2): (-ml(m(x), y)).backward()

def operations():
    x = torch.randn(1 << 22, device=dev)
    i = torch.randint(0, 1 << 20, (1 << 22,), device=dev)
    a = torch.randn(8, 64, 128, 128, device=dev)
    gr = torch.rand(8, 96, 96, 2, device=dev) * 2 - 1
    q = torch.randn(512, 24, 24, device=dev)
    emb = torch.nn.EmbeddingBag(200000, 64, mode='sum').to(dev)
    lstm = torch.nn.LSTM(128, 256, 1).to(dev)
    seq = torch.randn(40, 32, 128, device=dev)
    lp = torch.randn(100, 16, 40, device=dev).log_softmax(2).requires_grad_()
    tg = torch.randint(1, 40, (16, 30), device=dev)
    for _ in range(2):
        torch.sort(x); torch.topk(x.view(64, -1), 100); torch.unique(i)
        torch.cumsum(x.view(512, -1), 1); torch.cumprod(x.view(-1, 256), 0)
        torch.zeros(1 << 20, device=dev).index_put_((i,), x, accumulate=True); torch.bincount(i); torch.histc(x, 256)
        F.grid_sample(a, gr, align_corners=False); F.interpolate(a, scale_factor=2, mode='bicubic')
        F.adaptive_avg_pool2d(a, 7); F.max_pool2d(a, 3, 2); F.unfold(a, 3)
        F.instance_norm(a); F.group_norm(a, 8); F.local_response_norm(a, 5); F.pixel_shuffle(a, 2)
        a.median(3); a.kthvalue(9, 3); a.norm(2, 1); torch.logcumsumexp(a, 3)
        torch.linalg.qr(q); torch.linalg.inv(q); torch.matrix_exp(q[:64] * .01)
        torch.cdist(x[:300000].view(3000, 100), x[:300000].view(3000, 100), p=1)
        emb(i[:400000].view(8000, 50) % 200000); lstm(seq)
        l = F.ctc_loss(lp, tg, torch.full((16,), 100), torch.full((16,), 30))
        l.backward()
        torch.multinomial(x.abs()[:1 << 16], 2000); torch.searchsorted(x[:1 << 20].sort()[0], x)
        F.conv_transpose2d(a[:2], torch.randn(64, 32, 4, 4, device=dev), stride=2)
        F.conv1d(x[:1 << 20].view(4, 64, 4096), torch.randn(64, 1, 9, device=dev), groups=64)
        F.conv3d(a[:1].view(1, 8, 8, 128, 128), torch.randn(16, 8, 3, 3, 3, device=dev))
        torch.fft.fft2(a[:, :16]); torch.special.i1(x); torch.igamma(x[:1 << 20].abs(), x[:1 << 20].abs() + 1)
        torch.einsum('bij,bjk->bik', q, q)
        s = torch.sparse_coo_tensor(torch.stack([i[:500000] % 20000, i[500000:1000000] % 20000]), x[:500000],
                                    (20000, 20000))
        torch.sparse.mm(s.to_sparse_csr(), x[:640000].view(20000, 32))

parts = {'models': [llama, bert_training, swin, convnext],
         'fields': [graphs, detection, audio, equivariant, gaussian_process, operations]}
for part in parts[sys.argv[1]]:
    torch.manual_seed(1)
    part()
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
