export * from "./compile.js";
export type * from "./compiled.js";
export type * from "./definition.js";
export {
  describeNetwork,
  type NetworkDocument,
  type NetworkPatterns,
  type NetworkRow,
  type NetworkVariable,
} from "./describe.js";
export { emitStan, stanData } from "./emit-stan.js";
export { type Evidence, evidence } from "./evidence.js";
export { readNetwork } from "./file.js";
export { type Folded, fold, isAmbiguous } from "./fold.js";
export { judgeOf, ratJudge, ratJudgeIndependent, withConcentration } from "./judge.js";
export { type PartialPolicy, partialPolicies, withPartialPolicy } from "./partial.js";
export { patternIndex } from "./patterns.js";
export { type PolicyOptions, policyOf, policyText, withPolicy, withPolicyOptions } from "./policy.js";
export { type QuantitySet, quantitiesIn, quantitySets } from "./quantity-set.js";
export { rat } from "./rat.js";
export { networkNamed, shippedNetworks } from "./shipped.js";
export { ratTernary } from "./ternary.js";
export type { PriorOverrides } from "./tree.js";
