"""nn.Bilinear, cosine similarity, pairwise distances, cdist."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
bil = nn.Bilinear(2, 3, 1)
out = bil(torch.ones(4, 2), torch.arange(12.0).view(4, 3))
out.sum().backward()
print(bil, out, bil.weight.grad, bil.bias.grad)
a, b = torch.tensor([[1.0, 0.0], [1.0, 1.0]], requires_grad=True), torch.tensor([[0.0, 1.0], [2.0, 2.0]])
print(F.cosine_similarity(a, b), nn.CosineSimilarity(dim=0)(a, b), F.pairwise_distance(a, b), nn.PairwiseDistance(p=1)(a, b), torch.cdist(a, b), F.normalize(a, dim=1), torch.dist(a, b))
F.cosine_similarity(a, b).sum().backward()
print(a.grad)
print(nn.TripletMarginLoss()(a, b, b + 1), nn.MarginRankingLoss(margin=0.5)(a[:, 0], b[:, 0], torch.tensor([1.0, -1.0])), nn.CosineEmbeddingLoss()(a, b, torch.tensor([1.0, -1.0])), nn.KLDivLoss(reduction="batchmean")(a.log_softmax(1), b.softmax(1)))
