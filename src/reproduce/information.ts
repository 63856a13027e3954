import { binaryEntropy, InformationGain } from "../experiments/gain.js";
import { parseStrategies } from "../experiments/purchase.js";
import { compileOnce, rat } from "../network/index.js";

/** The base model's five probabilities. */
export interface Theta {
  readonly r: number;
  readonly am: number;
  readonly ap: number;
  readonly tm: number;
  readonly tp: number;
}

const network = compileOnce(rat);
const adherence = network.quantities.find(({ name }) => name === "P(G=1)")!.probability!.event;
const information = new InformationGain(network, adherence);
export const strategies = ["all-joint", "half-joint-R", "all-R", "half-joint-T", "all-T"] as const;
const purchases = parseStrategies(strategies.join(","));

export type Strategy = (typeof strategies)[number];

/** Probabilities of the network's cells. */
function cellsOf({ r, am, ap, tm, tp }: Theta): number[] {
  return network.cells.map(({ levels: [R, A, T] }) => {
    const [a, t] = R === 1 ? [ap, tp] : [am, tm];
    return (R === 1 ? r : 1 - r) * (A === 1 ? a : 1 - a) * (A === 1 ? 1 : T === 1 ? t : 1 - t);
  });
}

/** Bits on G that a record brings by each strategy. */
export function gainsOf(theta: Theta): Record<Strategy, number> {
  const cells = cellsOf(theta);
  return Object.fromEntries(purchases.map((purchase) => [purchase.name, information.of(purchase, cells)])) as Record<
    Strategy,
    number
  >;
}

/** Every number that appendix F works out on its way, under the names of the printed ones. */
export function appendixNumbers(theta: Theta): Record<string, number> {
  const { r, am, ap, tm, tp } = theta;
  const [abstainedWithout, abstainedWith] = [(1 - r) * am, r * ap];
  const [answeredWithout, answeredWith] = [(1 - r) * (1 - am), r * (1 - ap)];
  const abstained = abstainedWithout + abstainedWith;
  const right = answeredWithout * tm + answeredWith * tp;
  const adherentAnswers = (answeredWith * tp) / (1 - abstained);
  const supported = (answeredWith * tp) / right;
  const gains = gainsOf(theta);
  return {
    P_R0A1: abstainedWithout,
    P_A1: abstained,
    P_R0_given_A1: abstainedWithout / abstained,
    h_A1: binaryEntropy(abstainedWithout / abstained),
    P_G1_given_A0: adherentAnswers,
    h_A0: binaryEntropy(adherentAnswers),
    mass_A0_percent: 100 * (1 - abstained),
    H_G_given_A: gains["all-joint"],
    P_R1A0: answeredWith,
    theta_T_plus: tp,
    h_theta_T_plus: binaryEntropy(tp),
    H_G_given_RA: answeredWith * binaryEntropy(tp),
    I_R: gains["all-R"],
    P_R1_given_A0T1: supported,
    H_G_given_AT: abstained * binaryEntropy(abstainedWithout / abstained) + right * binaryEntropy(supported),
    I_T: gains["all-T"],
    half_joint_R: gains["half-joint-R"],
    half_joint_T: gains["half-joint-T"],
    share_all_R_of_joint_percent: (100 * gains["all-R"]) / gains["all-joint"],
    share_all_T_of_joint_percent: (100 * gains["all-T"]) / gains["all-joint"],
  };
}
