import { type AgreementScene, agreementScene } from "./demo/agreement.js";
import { type CalibrationScene, calibrationScene, calibrationSets } from "./demo/calibration.js";
import { type LatentClassScene, latentClassScene, latentSets } from "./demo/latent-class.js";
import { type PrevalenceScene, prevalenceScene } from "./demo/prevalence.js";
import { type SwapScene, swapScene } from "./demo/swap.js";
import { type VarianceScene, varianceScene } from "./demo/variance.js";

export type { ArticleFigure } from "./demo/article.js";
export { agreementRule, type DemoFinding, type DemoPanel, demoLevel } from "./demo/finding.js";

/** The article's panels, simulated, with the data that each finding is from. */
export interface DemoScenes {
  readonly prevalence: PrevalenceScene;
  readonly agreement: AgreementScene;
  readonly calibration: CalibrationScene;
  readonly variance: VarianceScene;
  readonly swap: SwapScene;
  readonly latentClass: LatentClassScene;
}

/** Sets that are simulated over and over. */
export const demoSets = calibrationSets + 2 * latentSets;

/**
 * Simulates the panels of an article on LLM judges as measuring instruments, each with a planted truth of which its printed
 * numbers follow, and audits them.
 * @param onSet called demoSets times
 */
export function auditDemo(seed: number, onSet: () => void = () => {}): DemoScenes {
  return {
    prevalence: prevalenceScene(seed),
    agreement: agreementScene(seed),
    calibration: calibrationScene(seed, onSet),
    variance: varianceScene(seed),
    swap: swapScene(seed),
    latentClass: latentClassScene(seed, onSet),
  };
}
