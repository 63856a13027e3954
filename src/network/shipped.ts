import { usageError } from "../errors.js";
import { show } from "../values.js";
import type { NetworkDefinition } from "./definition.js";
import { ratJudge, ratJudgeIndependent } from "./judge.js";
import { rat } from "./rat.js";
import { ratTernary } from "./ternary.js";

const networks: Readonly<Record<string, NetworkDefinition>> = {
  rat,
  "rat-judge": ratJudge(),
  "rat-judge-independent": ratJudgeIndependent,
  "rat-ternary": ratTernary,
};

/** Names of the networks that come with the package. */
export const shippedNetworks: readonly string[] = Object.keys(networks);

/** @throws RatError (usage) */
export function networkNamed(name: string): NetworkDefinition {
  if (Object.hasOwn(networks, name)) return networks[name];
  throw usageError(`unknown network ${show(name)}: there are ${shippedNetworks.join(", ")}`);
}
