/** Names of files for sources: such as every system takes, each different in any case. */
export function fileNames(): (source: string) => string {
  const taken = new Set<string>();
  return (source) => {
    const plain = source.replace(/[^\w.-]+/g, "_").replace(/^_+|_+$/g, "") || "source";
    let name = plain;
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${plain}-${i}`;
    taken.add(name.toLowerCase());
    return name;
  };
}
