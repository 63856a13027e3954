import { createHash } from "node:crypto";
import { dataError, usageError } from "../errors.js";
import { type NetworkDefinition, networkNamed, readNetwork, shippedNetworks } from "../network/index.js";
import { readJsonFile } from "./io.js";

/** The network that options name, and of one in a file what tells it from other contents of that file. */
interface ChosenNetwork {
  readonly network: NetworkDefinition;
  readonly networkFile?: string;
}

/**
 * A shipped network by its name, or the one in a JSON file.
 * @param flags `networkFile` is there where a run is repeated that was begun with a file
 * @throws RatError (usage) for a name of neither, (io, data) for a file that can't be read or holds no network, or
 * another one than when the run was begun
 */
export async function chosenNetwork(flags: { network: string; networkFile?: string }): Promise<ChosenNetwork> {
  const { network: name } = flags;
  if (shippedNetworks.includes(name)) return { network: networkNamed(name) };
  if (!/\.json$|[/\\]/i.test(name)) {
    const names = shippedNetworks.join(", ");
    throw usageError(`unknown network ${JSON.stringify(name)}: there are ${names}, and files such as mine.json`);
  }
  const network = readNetwork(await readJsonFile(name), name);
  const networkFile = createHash("sha256").update(JSON.stringify(network)).digest("hex").slice(0, 16);
  if (flags.networkFile !== undefined && flags.networkFile !== networkFile) {
    throw dataError("this is not the network that the run was begun with", { file: name });
  }
  return { network, networkFile };
}
