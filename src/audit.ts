/** `rat-engine/audit`: the audits of a judge, of data in memory. Apart from the main entry, since few need their distributions. */
export { agreementOverPrevalence, auditAgreement } from "./audit/agreement.js";
export { alarmLevel } from "./audit/alarm.js";
export { applyCalibration, confidenceOfLogProbabilities } from "./audit/calibration/maps.js";
export { auditCalibration } from "./audit/calibration.js";
export { clustersOf } from "./audit/cluster.js";
export { votesOfRows } from "./audit/latent-class/votes.js";
export { auditLatentClasses } from "./audit/latent-class.js";
export { auditPrevalence, orderSystems, prevalenceInputOf, prevalenceSystemsOf } from "./audit/prevalence.js";
export { auditScoreSwap, auditVerdictSwap } from "./audit/swap.js";
export type * from "./audit/types.js";
export { auditVariance, judgeFloor, planPanel, scoreTable, standardErrorOfMean } from "./audit/variance.js";
export type { SampledPrevalence } from "./judge/prevalence.js";
export { type BayesianPrevalenceOptions, bayesianPrevalence } from "./prevalence.js";
