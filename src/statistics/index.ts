export { stuckChains } from "./chains.js";
export { essBasic, essBulk, essMean, essQuantile, essSd, essTail } from "./ess.js";
export { mcseMean, mcseQuantile, mcseSd } from "./mcse.js";
export { normalQuantile } from "./normal-quantile.js";
export { quantileOfSorted, quantiles } from "./quantile.js";
export { ranks } from "./rank.js";
export { rhat, rhatBasic, rhatSplit } from "./rhat.js";
export { type Summary, summarise } from "./summary.js";
