export { ExactEngine, posteriorMeans } from "./engine.js";
export { maxTerms, mixtureTerms } from "./mixture.js";
export type { ExactSummary, SummaryOptions } from "./posterior.js";
