# Points and graphs: neighbours, scatter, spectral filters, small linear algebra, sequences.
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(3)
d='cuda'
pts=torch.rand(4096,3,device=d); feat=torch.randn(4096,64,device=d)
for rep in range(2):
    dist=torch.cdist(pts,pts); nd,ni=dist.topk(16,largest=False)
    nb=feat[ni]; rel=pts[ni]-pts[:,None]
    w=torch.exp(-nd.square()*20); agg=(w[...,None]*nb).sum(1)/w.sum(1,keepdim=True)
    mx=torch.cat([agg,nb.amax(1)],-1)
    src,dst=ni.flatten(),torch.arange(4096,device=d).repeat_interleave(16)
    deg=torch.zeros(4096,device=d).index_add_(0,src,torch.ones(src.numel(),device=d))
    msg=feat[src]*(deg[src]*deg[dst]+1).rsqrt()[:,None]
    out=torch.zeros_like(feat).index_add_(0,dst,msg)
    out2=torch.zeros_like(feat).scatter_reduce_(0,dst[:,None].expand(-1,64),msg,'amax')
    cov=torch.bmm(rel.transpose(1,2),rel)/16
    tr=cov.diagonal(dim1=1,dim2=2).sum(-1); det=(cov[:,0]*torch.cross(cov[:,1],cov[:,2],dim=-1)).sum(-1)
    chol=torch.linalg.cholesky(cov+1e-2*torch.eye(3,device=d))
    sp=torch.fft.rfft2(feat.view(64,64,64)); k=torch.fft.fftfreq(64,device=d).square(); sp=sp*torch.exp(-(k[:,None]+k[None,:33])*30)
    sm=torch.fft.irfft2(sp)
    vox=(pts*32).long(); key=vox[:,0]*1024+vox[:,1]*32+vox[:,2]; u,inv,cnt=torch.unique(key,return_inverse=True,return_counts=True)
    cum=torch.cumsum(feat,0); run=(cum[32:]-cum[:-32])/32
    srt,ix=torch.sort(feat[:,0]); rank=torch.empty_like(ix); rank[ix]=torch.arange(4096,device=d)
    hist=torch.histc(feat,bins=100,min=-4,max=4); mask=feat>1.0; sel=feat[mask]; nz=mask.nonzero()
    conv=F.conv1d(feat.t()[None],torch.ones(64,1,9,device=d)/9,padding=4,groups=64)
    gru=torch.tanh(out@torch.randn(64,64,device=d))*torch.sigmoid(out2@torch.randn(64,64,device=d))
    med=feat.view(64,64,64).median(-1)[0]; lse=torch.logsumexp(feat,1); nrm=F.normalize(feat,dim=1); sim=nrm[:512]@nrm.t()
    s2=torch.searchsorted(srt,feat[:,1].contiguous()); e=torch.erf(feat)*torch.lgamma(feat.abs()+1); pw=torch.pow(feat.abs(),2.5)
    c=torch.complex(feat,feat.roll(1,0)); ang=c.angle()+c.abs(); dbl=feat.double(); dd=(dbl*dbl).sum(1).sqrt()
    i8=(feat*20).to(torch.int8); bits=(i8^3)&15; h=feat.half(); hh=(h*h+h).float(); bf=feat.bfloat16().softmax(-1)
    tri=torch.tril(sim[:, :512]); pad=F.pad(tri,(3,3,3,3),mode='constant'); un=pad.unfold(0,3,2).mean(-1); st=torch.stack([nrm,out,out2]).var(0)
torch.cuda.synchronize()
