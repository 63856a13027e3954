// Step size by Nesterov's dual averaging (Hoffman and Gelman 2014, section 3.2), towards a mean acceptance.
const GAMMA: f64 = 0.05;
const T0: f64 = 10.0;
const KAPPA: f64 = 0.75;

@unmanaged
@final
export class DualAveraging {
  target: f64 = 0.8;
  private anchor: f64 = 0; // mu: log step sizes are drawn towards it
  private count: f64 = 0;
  private shortfall: f64 = 0; // running mean of target - acceptance
  private logMean: f64 = 0; // weighted mean of the log step sizes tried

  /** Starts anew from a step size, drawn towards `boldness` times it. */
  restart(stepSize: f64, target: f64, boldness: f64): void {
    this.target = target;
    this.anchor = Math.log(boldness * stepSize);
    this.count = 0;
    this.shortfall = 0;
    this.logMean = Math.log(stepSize);
  }

  /** The next step size to try, after a transition with this acceptance in [0, 1]. */
  update(acceptance: f64): f64 {
    this.count += 1.0;
    const eta = 1.0 / (this.count + T0);
    this.shortfall += eta * (this.target - acceptance - this.shortfall);
    const logStep = this.anchor - (this.shortfall * Math.sqrt(this.count)) / GAMMA;
    this.logMean += this.count ** -KAPPA * (logStep - this.logMean);
    return Math.exp(logStep);
  }

  /** The step size to keep. */
  get settled(): f64 {
    return Math.exp(this.logMean);
  }
}

/**
 * Step size by stochastic approximation (Robbins and Monro 1951) with averaged iterates (Polyak and Juditsky 1992): for
 * warmups too short for dual averaging, whose early steps swing widely.
 */
@unmanaged
@final
export class StochasticApproximation {
  private target: f64 = 0;
  private count: f64 = 0;
  private logStep: f64 = 0;
  private logMean: f64 = 0;

  restart(stepSize: f64, target: f64): void {
    this.target = target;
    this.count = 0;
    this.logStep = Math.log(stepSize);
    this.logMean = this.logStep;
  }

  /** The next step size to try, after a transition with this acceptance in [0, 1]. */
  update(acceptance: f64): f64 {
    this.count += 1.0;
    this.logStep += this.count ** -0.6 * (acceptance - this.target);
    this.logMean += this.count ** -KAPPA * (this.logStep - this.logMean);
    return Math.exp(this.logStep);
  }

  /** The step size to keep. */
  get settled(): f64 {
    return Math.exp(this.logMean);
  }
}
