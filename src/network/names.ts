/**
 * Names that readers of draws take: `theta_A-` becomes `theta_A_minus`, `theta_A~` `theta_A_partial`, `P(T=1)` `P_T`,
 * other signs `_`.
 * A quantity whose name would repeat an earlier one gets a number.
 */
export function exportNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name
      .replace(/^P\(([^=()|]+)=1\)$/, "P_$1")
      .replace(/\+$/, "_plus")
      .replace(/-$/, "_minus")
      .replace(/~$/, "_partial")
      .replace(/[^\p{L}\p{N}_]+/gu, "_")
      .replace(/_+$/, "");
    let free = plain;
    for (let i = 2; taken.has(free); i++) free = `${plain}_${i}`;
    taken.add(free);
    return free;
  });
}
