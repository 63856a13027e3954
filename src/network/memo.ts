import type { NetworkDefinition } from "./definition.js";

/** Variants of a definition that are remembered. */
const mostRemembered = 16;

const variants = new WeakMap<NetworkDefinition, Map<string, NetworkDefinition>>();

/** A variant of a definition, made once a key: who knows networks by their identity then knows it again. */
export function memoised(definition: NetworkDefinition, key: string, make: () => NetworkDefinition): NetworkDefinition {
  const known = variants.get(definition) ?? new Map<string, NetworkDefinition>();
  variants.set(definition, known);
  const variant = known.get(key) ?? make();
  known.delete(key);
  known.set(key, variant);
  for (const oldest of known.keys()) if (known.size > mostRemembered) known.delete(oldest);
  return variant;
}
