import { compileNetwork, rat } from "../../src/network/index.ts";
import { basePlans, calibrate, logLikelihood } from "../support/calibration.ts";
import { plant } from "./plant.ts";

const faults: Record<string, any> = {
  none: undefined,
  jac: {
    file: "density.ts",
    right: "  const success = broadcast<V>(fixed);\n  const failure = broadcast<V>(fixed + 8);",
    wrong:
      "  const success = sub<V>(broadcast<V>(fixed), constant<V>(1.0));\n  const failure = sub<V>(broadcast<V>(fixed + 8), constant<V>(1.0));",
  },
  acc: {
    file: "hmc.ts",
    right: "const gain = sub<v128>(after, before);",
    wrong: "const gain = sub<v128>(before, after);",
  },
  weight: { file: "nuts.ts", right: "const weight = exp<f64>(gain);", wrong: "const weight = exp<f64>(-gain);" },
  chain: { file: "run.ts", right: "this.firstChain + chain", wrong: "this.firstChain" },
  refit: { file: "run.ts", right: "stream.start(seed, refit, ", wrong: "stream.start(seed, 0 * refit, " },
  grad: {
    file: "generated/rat.ts",
    right: "store<V>(g, sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 0), e2), rest0)",
    wrong: "store<V>(g, sub<V>(mul<V>(mul<V>(constant<V>(0.7), add<V>(broadcast<V>(fixed + 0), e2)), rest0)",
  },
};
faults.grad = {
  file: "generated/rat.ts",
  right:
    "store<V>(g, sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 0), e2), rest0), mul<V>(add<V>(broadcast<V>(fixed + 8), e1), theta0)), 0 * sizeof<V>());",
  wrong:
    "store<V>(g, mul<V>(constant<V>(0.7), sub<V>(mul<V>(add<V>(broadcast<V>(fixed + 0), e2), rest0), mul<V>(add<V>(broadcast<V>(fixed + 8), e1), theta0))), 0 * sizeof<V>());",
};
export function main() {
  const show = (label: string, cal: any, fault: any) => {
    const t = performance.now();
    const r = calibrate(cal, fault);
    console.log(
      label,
      cal.sampler,
      ((performance.now() - t) | 0) + "ms",
      r.map((x: any) => `${x.quantity} ${x.shape.toFixed(1)}/${x.shift.toFixed(1)}`).join(" | "),
    );
  };
  const base = (sampler: string, refits = 1000) => ({
    name: "base",
    sampler,
    definition: rat,
    plans: basePlans,
    refits,
  });
  for (const [n, f] of Object.entries(faults)) {
    const t = performance.now();
    const kernel = plant(f);
    console.log(n, "compile", (performance.now() - t) | 0);
    for (const s of ["nuts", "hmc"]) show(n, base(s), { kernel });
  }
  const off = (rows: number[]) => ({
    network: (n: any) => ({
      ...n,
      priorSuccess: n.priorSuccess.map((x: number, k: number) => (rows.includes(k) ? x + 1 : x)),
    }),
  });
  for (const s of ["nuts", "hmc"]) {
    show("prior all", base(s), off([0, 1, 2, 3, 4]));
    for (const k of [0, 1, 2, 3, 4]) show("prior " + k, base(s), off([k]));
    show("lose first", base(s), {
      counts: (c: any) => {
        const d = c.slice();
        d[d.findIndex((x: number) => x > 0)]--;
        return d;
      },
    });
    const small = [{ seen: ["R", "A", "T"], records: 3 }];
    show("small right", { ...base(s), plans: small }, {});
    let i = 0;
    show(
      "lose any",
      { ...base(s), plans: small },
      {
        counts: (c: any) => {
          const d = c.slice();
          const list = [...d].flatMap((x: number, m: number) => Array(x).fill(m));
          d[list[(i = (i * 1103515245 + 12345) % 2147483648) >> (8 % list.length)] ?? list[i % list.length]]--;
          return d;
        },
      },
    );
  }
}
