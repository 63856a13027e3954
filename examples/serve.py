"""Policy adherence of one system from Python: python3 examples/serve.py [command that starts rat serve]."""

import json
import subprocess
import sys

command = sys.argv[1:] or ["npx", "rat", "serve"]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(identifier, method, **params):
    print(json.dumps({"id": identifier, "method": method, "params": params}), file=server.stdin, flush=True)
    answer = json.loads(server.stdout.readline())
    if "error" in answer:
        raise RuntimeError(answer["error"]["message"])
    return answer["result"]


records = [{"R": 1, "A": 0, "T": 1}] * 30 + [{"R": 0, "A": 1}] * 15 + [{"R": 0, "A": 0, "T": 0}] * 20 + [{"A": 0, "T": 1}] * 40
fit = ask(1, "fit", records=records, seed=1)
adherence = next(quantity for quantity in fit["quantities"] if quantity["name"] == "P(G=1)")
print("P(G=1) {mean:.3f} [{lower:.3f}, {upper:.3f}]".format(**adherence))

refits = ask(
    2,
    "refits",
    observations=[{"R": 1, "A": 0, "T": 1}, {"R": 0, "A": 1}, {"R": 0, "A": 0, "T": 0}],
    counts=[[30, 15, 20], [60, 30, 40], [120, 60, 80]],
    quantities=["P(G=1)"],
    seed=1,
)
for (lower,), (upper,) in zip(refits["lower"], refits["upper"]):
    print(f"width {upper - lower:.3f}")

server.stdin.close()
sys.exit(server.wait())
