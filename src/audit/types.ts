/** Every type that the audits and their JSON documents name; types alone, so that nothing of theirs is loaded. */
export type * from "./agreement.js";
export type * from "./calibration/bins.js";
export type * from "./calibration/fit.js";
export type * from "./calibration/maps.js";
export type * from "./calibration.js";
export type * from "./estimate.js";
export type * from "./latent-class/accuracy.js";
export type * from "./latent-class/em.js";
export type * from "./latent-class/independence.js";
export type * from "./latent-class/information.js";
export type * from "./latent-class/judges.js";
export type * from "./latent-class/votes.js";
export type * from "./latent-class.js";
export type * from "./prevalence.js";
export type * from "./significance.js";
export type * from "./swap.js";
export type * from "./variance.js";
