# Steps of training and inference of language models with random weights, products of FP8 and INT8,
# and an image segmentation, on PyTorch.
import torch, torch.nn.functional as F
dev, half = 'cuda', torch.bfloat16

def causal(kind, tokens, batch, **sizes):
    import transformers
    config = getattr(transformers, kind + 'Config')(**sizes)
    model = getattr(transformers, kind + 'ForCausalLM')(config).to(dev, half)
    ids = torch.randint(5, 9000, (batch, tokens), device=dev)
    return model, ids

def qwen():
    model, ids = causal('Qwen2', 768, 2, hidden_size=1280, intermediate_size=3456, num_hidden_layers=2,
                        num_attention_heads=20, num_key_value_heads=4, vocab_size=16000)
    step = torch.optim.AdamW(model.parameters(), 1e-4, fused=True)
    for _ in range(2):
        model(ids, labels=ids).loss.backward()
        step.step(); step.zero_grad()

def gemma():
    model, ids = causal('Gemma2', 500, 3, hidden_size=1152, intermediate_size=4608, num_hidden_layers=2,
                        num_attention_heads=8, num_key_value_heads=4, head_dim=128, vocab_size=12000)
    with torch.no_grad():
        for n in (500, 300): model(ids[:, :n], use_cache=False)

def falcon():
    model, ids = causal('Falcon', 640, 2, hidden_size=1024, num_hidden_layers=2, num_attention_heads=16, vocab_size=10000)
    for _ in range(2): model(ids, labels=ids).loss.backward()

def deberta():
    from transformers import DebertaV2Config, DebertaV2Model
    model = DebertaV2Model(DebertaV2Config(hidden_size=768, num_hidden_layers=2, num_attention_heads=12, vocab_size=12000,
        intermediate_size=3072, relative_attention=True, pos_att_type=['p2c', 'c2p'])).to(dev, torch.float16).eval()
    with torch.no_grad():
        for n in (256, 180): model(torch.randint(5, 9000, (8, n), device=dev))

def eight_bits():
    for m, n, k in ((2048, 3072, 1024), (512, 4096, 4096), (4096, 1024, 2048)):
        a = torch.randn(m, k, device=dev).to(torch.float8_e4m3fn)
        b = torch.randn(n, k, device=dev).to(torch.float8_e4m3fn)
        one = torch.ones((), device=dev)
        for _ in range(2): torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=half)

def whole_numbers():
    for m, n, k in ((1024, 2048, 1024), (3072, 1536, 768)):
        a = torch.randint(-9, 9, (m, k), device=dev, dtype=torch.int8)
        b = torch.randint(-9, 9, (n, k), device=dev, dtype=torch.int8)
        for _ in range(2): torch._int_mm(a, b.t())

def segmentation():
    from torchvision.models.segmentation import deeplabv3_resnet50
    model = deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=12)
    model = model.to(dev, half, memory_format=torch.channels_last).train()
    for _ in range(2):
        x = torch.randn(2, 3, 256, 320, device=dev, dtype=half).to(memory_format=torch.channels_last)
        F.cross_entropy(model(x)['out'], torch.randint(0, 12, (2, 256, 320), device=dev)).backward()

for part in (qwen, gemma, falcon, deberta, eight_bits, whole_numbers, segmentation):
    torch.manual_seed(3)
    try: part()
    except Exception as e: print('left out', part.__name__, repr(e)[:300])
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
