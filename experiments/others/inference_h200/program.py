# Models of libraries on PyTorch with random weights. `program.py inference`: speech, translation, state
# spaces, experts, images and text. `program.py training`: images, speech, text, a diffusion network, detection.
import sys, torch, torch.nn as nn, torch.nn.functional as F
dev = 'cuda'
torch.backends.cudnn.benchmark = False

def whisper():
    from transformers import WhisperConfig, WhisperForConditionalGeneration
    c = WhisperConfig(d_model=512, encoder_layers=2, decoder_layers=2, encoder_attention_heads=8,
                      decoder_attention_heads=8, encoder_ffn_dim=2048, decoder_ffn_dim=2048, vocab_size=20000,
                      pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
                      suppress_tokens=None, begin_suppress_tokens=None)
    m = WhisperForConditionalGeneration(c).to(dev, torch.float16).eval()
    x = torch.randn(4, 80, 3000, device=dev, dtype=torch.float16)
    with torch.no_grad():
        for n in (40, 7):
            m(input_features=x, decoder_input_ids=torch.randint(3, 20000, (4, n), device=dev))

def t5():
    from transformers import T5Config, T5ForConditionalGeneration
    m = T5ForConditionalGeneration(T5Config(d_model=640, num_layers=2, num_decoder_layers=2, vocab_size=24000,
                                            decoder_start_token_id=0)).to(dev).eval()
    with torch.no_grad():
        for n in (384, 200):
            m(input_ids=torch.randint(1, 24000, (6, n), device=dev),
              decoder_input_ids=torch.randint(1, 24000, (6, 60), device=dev))

def mamba():
    from transformers import MambaConfig, MambaForCausalLM
    m = MambaForCausalLM(MambaConfig(hidden_size=768, num_hidden_layers=2, vocab_size=16000)).to(dev, torch.bfloat16).eval()
    with torch.no_grad():
        for n in (24, 16): m(torch.randint(0, 16000, (4, n), device=dev), use_cache=False)

def mixtral():
    from transformers import MixtralConfig, MixtralForCausalLM
    m = MixtralForCausalLM(MixtralConfig(hidden_size=1024, intermediate_size=2816, num_hidden_layers=2,
                                         num_attention_heads=16, num_key_value_heads=8, num_local_experts=8,
                                         vocab_size=20000)).to(dev, torch.bfloat16).eval()
    with torch.no_grad():
        for n in (700, 300): m(torch.randint(0, 20000, (2, n), device=dev), use_cache=False)

def clip():
    from transformers import CLIPConfig, CLIPModel
    m = CLIPModel(CLIPConfig()).to(dev, torch.float16).eval()
    m.vision_model.encoder.layers = m.vision_model.encoder.layers[:3]
    m.text_model.encoder.layers = m.text_model.encoder.layers[:3]
    with torch.no_grad():
        for n in (24, 9):
            m(pixel_values=torch.randn(n, 3, 224, 224, device=dev, dtype=torch.float16),
              input_ids=torch.randint(1, 40000, (n, 77), device=dev))

def efficientnet():
    import timm
    m = timm.create_model('efficientnet_b1').to(dev, memory_format=torch.channels_last).train()
    o = torch.optim.RMSprop(m.parameters(), 1e-3, foreach=True)
    for _ in range(2):
        x = torch.randn(12, 3, 240, 240, device=dev).to(memory_format=torch.channels_last)
        with torch.autocast('cuda', torch.float16): l = F.cross_entropy(m(x), torch.randint(0, 1000, (12,), device=dev))
        l.backward(); o.step(); o.zero_grad()

def vit():
    import timm
    m = timm.create_model('vit_small_patch16_224', depth=3, drop_path_rate=.1).to(dev, torch.bfloat16).train()
    o = torch.optim.AdamW(m.parameters(), 1e-3)
    for _ in range(2):
        l = F.cross_entropy(m(torch.randn(40, 3, 224, 224, device=dev, dtype=torch.bfloat16)),
                            torch.randint(0, 1000, (40,), device=dev))
        l.backward(); nn.utils.clip_grad_norm_(m.parameters(), 1.); o.step(); o.zero_grad()

def wav2vec():
    from transformers import Wav2Vec2Config, Wav2Vec2ForCTC
    m = Wav2Vec2ForCTC(Wav2Vec2Config(num_hidden_layers=2, mask_time_prob=0., mask_feature_prob=0.)).to(dev).train()
    o = torch.optim.SGD(m.parameters(), .1)
    for _ in range(2):
        m(torch.randn(4, 48000, device=dev), labels=torch.randint(1, 32, (4, 40), device=dev)).loss.backward()
        o.step(); o.zero_grad()

class Unet(nn.Module):
    def __init__(s, c=64):
        super().__init__()
        s.i = nn.Conv2d(4, c, 3, padding=1); s.a = s.block(c, c); s.d = nn.Conv2d(c, 2 * c, 3, 2, 1)
        s.b = s.block(2 * c, 2 * c); s.q = nn.MultiheadAttention(2 * c, 4, batch_first=True)
        s.u = nn.Conv2d(2 * c, c, 3, padding=1); s.c = s.block(2 * c, c); s.o = nn.Conv2d(c, 4, 3, padding=1)
    def block(s, a, b):
        return nn.Sequential(nn.GroupNorm(16, a), nn.SiLU(), nn.Conv2d(a, b, 3, padding=1), nn.GroupNorm(16, b), nn.SiLU(), nn.Conv2d(b, b, 3, padding=1))
    def forward(s, x):
        h = s.i(x); h = h + s.a(h); k = s.d(h); k = k + s.b(k)
        t = k.flatten(2).transpose(1, 2); t = t + s.q(t, t, t, need_weights=False)[0]
        k = t.transpose(1, 2).reshape(k.shape)
        return s.o(s.c(torch.cat([s.u(F.interpolate(k, scale_factor=2)), h], 1)))

def diffusion():
    m = Unet().to(dev); o = torch.optim.Adam(m.parameters(), fused=True)
    for _ in range(2):
        x = torch.randn(8, 4, 64, 64, device=dev)
        with torch.autocast('cuda', torch.bfloat16): l = F.mse_loss(m(x + .1 * torch.randn_like(x)), x)
        l.backward(); o.step(); o.zero_grad()

def detector():
    from torchvision.models.detection import retinanet_resnet50_fpn
    m = retinanet_resnet50_fpn(weights=None, weights_backbone=None, trainable_backbone_layers=5, min_size=320, max_size=400).to(dev).train()
    for _ in range(2):
        b = torch.rand(5, 4, device=dev) * 100; b[:, 2:] += b[:, :2] + 20
        t = [{'boxes': b, 'labels': torch.randint(1, 90, (5,), device=dev)} for _ in range(2)]
        sum(m([torch.rand(3, 320, 380, device=dev) for _ in range(2)], t).values()).backward()

def recurrent_language():
    e, g, h = nn.Embedding(9000, 320).to(dev), nn.GRU(320, 384, 2, dropout=.2).to(dev), nn.Linear(384, 9000).to(dev)
    for _ in range(2):
        x = torch.randint(0, 9000, (30, 48), device=dev)
        F.cross_entropy(h(g(e(x))[0]).flatten(0, 1), x.flatten()).backward()

parts = {'inference': [whisper, t5, mamba, mixtral, clip],
         'training': [efficientnet, vit, wav2vec, diffusion, detector, recurrent_language]}
for part in parts[sys.argv[1]]:
    torch.manual_seed(1)
    try: part()
    except Exception as e: print('left out', part.__name__, repr(e)[:200])
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
