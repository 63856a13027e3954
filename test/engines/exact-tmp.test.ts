import { readFileSync } from "node:fs";
import { test } from "vitest";
import { buildMixture } from "/work/main/src/engines/exact/mixture.js";
import { MomentProgram } from "/work/main/src/engines/exact/moment-program.js";
import { mixtureMoments } from "/work/main/src/engines/exact/moments.js";
import { Pace } from "/work/main/src/engines/exact/pace.js";
import { quantityPolynomials } from "/work/main/src/engines/exact/symbolic.js";
import { compileNetwork } from "/work/main/src/network/compile.js";
import { patternIndex } from "/work/main/src/network/patterns.js";
import { rat } from "/work/main/src/network/rat.js";

test("v1", async () => {
  const ref = JSON.parse(readFileSync("/work/shared/paper/exact-reference.json", "utf8")).datasets.V1_runlog;
  const net = compileNetwork(rat);
  const counts = new Float64Array(net.patterns.length);
  const at = patternIndex(net);
  const put = (k: string, n: number) => {
    const l = ["R", "A", "T"].map((v) => {
      const m = new RegExp(v + "(\\d)").exec(k);
      return m ? Number(m[1]) : -1;
    });
    counts[at(l)] += n;
  };
  for (const g of ["joint", "rOnly", "tOnly"]) for (const [k, n] of Object.entries(ref.counts[g])) put(k, n as number);
  for (let rep = 0; rep < 3; rep++) {
    const t0 = performance.now();
    const polys = quantityPolynomials(net);
    const program = new MomentProgram(polys as any);
    const t1 = performance.now();
    const pace = new Pace();
    const mix = await buildMixture(net, counts, pace);
    const t2 = performance.now();
    const m = await mixtureMoments(mix, program, pace);
    const t3 = performance.now();
    let kept = 0;
    for (const w of mix.logWeights) if (w - mix.greatestLogWeight > Math.log(1e-24)) kept++;
    console.log("kept", kept);
    console.log(mix.terms, t1 - t0, t2 - t1, t3 - t2, (program as any).code.length);
    if (rep == 2)
      net.quantities.forEach((q, i) => {
        const r =
          ref.exact[
            q.name
              .replace("-", "_minus")
              .replace("+", "_plus")
              .replace("P(A=1)", "P_A")
              .replace("P(T=1)", "P_T")
              .replace("P(G=1)", "P_G")
          ];
        if (r) console.log(q.name, m.mean[i] - r.mean, Math.sqrt(m.variance[i]) - r.sd);
      });
  }
});
