import { unpack } from "./software.js";

/** Before all tests, so that none pays for it in its time. */
export default function setup(): void {
  unpack();
}
