"""Checks the suite itself: that faulty engines are noticed, that engines which compute nothing pass
nothing, what PyTorch's documentation says, and harnesses against the protocol.
"""
