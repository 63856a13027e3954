import type { RankedSystem } from "../documents.js";
import { quantiles } from "../statistics/index.js";

/** Who is best at a quantity. @param draws of each system, joint: draw i of all belongs together */
export function rankSystems(names: readonly string[], draws: readonly Float64Array[], level: number): RankedSystem[] {
  const count = draws[0].length;
  const ranks = draws.map(() => new Float64Array(count));
  for (let i = 0; i < count; i++) {
    draws.forEach((own, s) => {
      ranks[s][i] = 1 + draws.filter((other, o) => other[i] > own[i] || (other[i] === own[i] && o < s)).length;
    });
  }
  return names
    .map((system, s) => {
      const [lower, upper] = quantiles(ranks[s], [(1 - level) / 2, (1 + level) / 2]);
      return {
        system,
        mean: draws[s].reduce((sum, value) => sum + value, 0) / count,
        pBest: ranks[s].filter((rank) => rank === 1).length / count,
        rankLower: Math.floor(lower ?? 1),
        rankUpper: Math.ceil(upper ?? names.length),
      };
    })
    .sort((a, b) => b.mean - a.mean);
}
