"""How modules print."""
import torch
from torch import nn

print(nn.Sequential())
print(nn.Sequential(nn.Linear(1, 2)))
print(nn.ModuleList(), nn.ModuleDict(), nn.ParameterList(), nn.ParameterDict())
print(nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU(), nn.ReLU(inplace=True)]))
print(nn.ModuleDict({"a": nn.ReLU(), "b": nn.Sequential(nn.Tanh(), nn.Sigmoid())}))
print(nn.ParameterDict({"w": nn.Parameter(torch.ones(2, 3))}))
print(nn.ParameterList([nn.Parameter(torch.ones(2, 3)), nn.Parameter(torch.zeros(1, dtype=torch.float64))]))
for m in (nn.Linear(3, 4, bias=False), nn.Bilinear(1, 2, 3), nn.Conv1d(1, 2, 3), nn.Conv2d(1, 2, (3, 5), stride=2, padding=1, bias=False), nn.Conv2d(4, 4, 1, groups=2, dilation=2), nn.ConvTranspose2d(1, 1, 2, output_padding=0), nn.BatchNorm2d(3), nn.BatchNorm1d(2, affine=False), nn.LayerNorm(4), nn.LayerNorm((2, 3), elementwise_affine=False), nn.GroupNorm(2, 4), nn.InstanceNorm2d(3), nn.Dropout(0.2), nn.Dropout(p=0.5, inplace=True), nn.Embedding(10, 3), nn.Embedding(10, 3, padding_idx=0), nn.RNN(2, 3), nn.LSTM(2, 3, num_layers=2, batch_first=True, bidirectional=True), nn.GRU(2, 3, dropout=0.1, num_layers=2), nn.LSTMCell(1, 2), nn.GRUCell(1, 2, bias=False), nn.MaxPool2d(2), nn.MaxPool2d(3, stride=2, padding=1), nn.AvgPool2d(2), nn.AdaptiveAvgPool2d((1, 1)), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Flatten(0, 1), nn.Unflatten(1, (2, 2)), nn.Identity(), nn.ReLU(), nn.ReLU(inplace=True), nn.ReLU6(), nn.LeakyReLU(), nn.LeakyReLU(0.2, inplace=True), nn.PReLU(), nn.ELU(), nn.SELU(), nn.CELU(0.5), nn.GELU(), nn.GELU("tanh"), nn.Sigmoid(), nn.Tanh(), nn.Hardtanh(-2, 2), nn.Softmax(-1), nn.Softmax(), nn.LogSoftmax(dim=1), nn.Softplus(), nn.Softsign(), nn.SiLU(), nn.Mish(), nn.Hardswish(), nn.Threshold(0.1, 20), nn.Upsample(scale_factor=2), nn.Upsample(size=(4, 4), mode="bilinear"), nn.PixelShuffle(2), nn.ZeroPad2d(1), nn.ConstantPad1d(2, 3.5), nn.CosineSimilarity(), nn.PairwiseDistance(), nn.MSELoss(), nn.L1Loss(reduction="sum"), nn.CrossEntropyLoss(), nn.CrossEntropyLoss(label_smoothing=0.1), nn.NLLLoss(), nn.BCELoss(), nn.BCEWithLogitsLoss(), nn.SmoothL1Loss(), nn.HuberLoss(delta=2.0), nn.KLDivLoss(reduction="batchmean"), nn.MarginRankingLoss(), nn.TripletMarginLoss(), nn.GLU()):
    print(m)
class Wrap(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.scale = nn.Parameter(torch.ones(1))
    def extra_repr(self):
        return "scale=1"
print(Wrap(nn.Linear(1, 1)), Wrap(Wrap(nn.ReLU())))
class Multi(nn.Module):
    def extra_repr(self):
        return "first line\nsecond line"
print(Multi(), nn.Sequential(Multi()))
class Named(nn.Module):
    def _get_name(self):
        return "Other"
print(Named())
