export * from "./compile.js";
export type * from "./compiled.js";
export type * from "./definition.js";
export { type Evidence, evidence } from "./evidence.js";
export { type Folded, fold, isAmbiguous } from "./fold.js";
export { ratJudge, ratJudgeIndependent } from "./judge.js";
export { patternIndex } from "./patterns.js";
export { rat } from "./rat.js";
export { networkNamed, shippedNetworks } from "./shipped.js";
