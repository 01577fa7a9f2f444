"""A character-level toy with an RNN cell and an LSTM, seeded."""
import torch
from torch import nn

torch.manual_seed(0)
text = "hello"
vocab = sorted(set(text))
idx = torch.tensor([vocab.index(c) for c in text])
print(vocab, idx)
class CharRNN(nn.Module):
    def __init__(self, v, h):
        super().__init__()
        self.emb = nn.Embedding(v, h)
        self.cell = nn.RNNCell(h, h)
        self.out = nn.Linear(h, v)
    def forward(self, ids):
        h = torch.zeros(1, self.cell.hidden_size)
        logits = []
        for i in ids:
            h = self.cell(self.emb(i).unsqueeze(0), h)
            logits.append(self.out(h))
        return torch.cat(logits), h
net = CharRNN(len(vocab), 8)
print(net)
print(sum(p.numel() for p in net.parameters()), [n for n, _ in net.named_parameters()])
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for step in range(25):
    logits, h = net(idx[:-1])
    loss = nn.functional.cross_entropy(logits, idx[1:])
    opt.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    if step % 8 == 0:
        print(step, f"{loss.item():.3f}", f"{norm:.3f}", h.shape, h.grad_fn is not None)
print("".join(vocab[i] for i in net(idx[:-1])[0].argmax(1)))
lstm = nn.LSTM(2, 3, batch_first=True)
with torch.no_grad():
    for p in lstm.parameters():
        p.fill_(0.1)
x = torch.ones(1, 4, 2, requires_grad=True)
out, (h, c) = lstm(x)
print(out, h, c, out.shape, h.shape)
out.sum().backward()
print(x.grad, lstm.weight_ih_l0.grad.shape, lstm.bias_hh_l0.grad[:3])
gru = nn.GRU(2, 3, num_layers=2, bidirectional=True)
o, hn = gru(torch.zeros(5, 2, 2))
print(o.shape, hn.shape, [n for n, _ in gru.named_parameters()][:4])
h0 = torch.zeros(1, 1, 3)
packed = lstm(x.detach(), (h0, h0))[0][:, -1]
print(packed, packed.detach().requires_grad)
for bad in (lambda: lstm(torch.ones(1, 4, 3)), lambda: nn.RNNCell(2, 2)(torch.ones(1, 3)), lambda: lstm(torch.ones(4))):
    try:
        print(bad().shape)
    except Exception as e:
        print(type(e).__name__)
