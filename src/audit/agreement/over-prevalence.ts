import { usageError } from "../../errors.js";
import { check, fields, list, number, type Shape, show } from "../../values.js";

/** Coefficients of two judges who say yes this often. */
export interface AgreementAt {
  /** Mean of the two judges' shares of yes. */
  readonly prevalence: number;
  readonly raw: number;
  /** null where both judges use one category alone. */
  readonly kappa: number | null;
  readonly pi: number | null;
  readonly ac1: number;
}

/**
 * Cohen's kappa, Scott's pi and AC1 of two judges and two categories over how often they say yes, at fixed raw agreement:
 * kappa falls towards the ends where AC1 does not (Feinstein and Cicchetti 1990, "High agreement but low kappa", J. Clin.
 * Epidemiology 43, 543-549; Gwet 2008). No judges agree as often outside (1 - raw) / 2 to (1 + raw) / 2.
 *
 * @param difference first judge's share of yes minus the second's; at most 1 - raw
 * @param prevalences default: 101, even over all that are possible
 */
export function agreementOverPrevalence(
  raw: number,
  options: { difference?: number | undefined; prevalences?: readonly number[] | undefined } = {},
): AgreementAt[] {
  check(number, raw, "raw");
  check(optionsShape, options, "options");
  const unknown = Object.keys(options).find((name) => !(name in shapes));
  if (unknown !== undefined) {
    throw usageError(`there is no option ${show(unknown)}: options are ${Object.keys(shapes).join(", ")}`);
  }
  const { difference = 0, prevalences } = options;
  if (!(raw >= 0 && raw <= 1)) throw usageError(`raw agreement must be a share from 0 to 1, not ${show(raw)}`);
  if (!(Math.abs(difference) <= 1 - raw + 1e-12)) {
    throw usageError(
      `judges that agree on ${raw} differ by at most ${Number((1 - raw).toPrecision(12))} in their shares, not ${show(difference)}`,
    );
  }
  const [least, most] = [(1 - raw) / 2, (1 + raw) / 2];
  const grid = prevalences ?? Array.from({ length: 101 }, (_, i) => least + ((most - least) * i) / 100);
  return grid
    .filter((prevalence) => prevalence >= least - 1e-12 && prevalence <= most + 1e-12)
    .map((prevalence) => {
      const [first, second] = [prevalence + difference / 2, prevalence - difference / 2];
      const byOwn = first * second + (1 - first) * (1 - second);
      const byCommon = prevalence ** 2 + (1 - prevalence) ** 2;
      const ac1 = (raw - (1 - byCommon)) / byCommon;
      return { prevalence, raw, kappa: beyond(raw, byOwn), pi: beyond(raw, byCommon), ac1 };
    });
}

const share: Shape = (value, place) =>
  typeof value === "number" && value >= 0 && value <= 1
    ? null
    : `${place} must be a share from 0 to 1, not ${show(value)}`;

const shapes = { difference: number, prevalences: list(share, "shares") };
const optionsShape = fields({}, shapes);

const beyond = (raw: number, chance: number): number | null =>
  1 - chance < 1e-12 ? null : (raw - chance) / (1 - chance);
