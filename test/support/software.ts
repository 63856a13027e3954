import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/*
 * WebGPU without a GPU, and without anything from the operating system: inside its npm package, @sparticuz/chromium ships
 * SwiftShader (a Vulkan driver that runs on the CPU), a Vulkan loader and a headless Chromium, for Linux on x64.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));
const shipped = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../..");
const { version } = JSON.parse(readFileSync(join(shipped, "package.json"), "utf8"));
const folder = join(root, ".cache", `chromium-${version}`);

/** Unpacks the browser, its libraries and SwiftShader once, 200 MB; returns the folder. */
export function unpack(): string {
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const growing = mkdtempSync(`${folder}-`);
  try {
    for (const name of ["swiftshader.tar.br", "al2023.tar.br", "fonts.tar.br"]) {
      const tar = ["--no-same-owner", "-xf", "-", "-C", growing];
      const { status, error } = spawnSync("tar", tar, {
        input: decompressed(name),
        stdio: ["pipe", "ignore", "inherit"],
      });
      if (status !== 0) throw new Error(`tar failed on ${name}: ${error?.message ?? `status ${status}`}`);
    }
    writeFileSync(join(growing, "chromium"), decompressed("chromium.br"), { mode: 0o755 });
    // Its own file names folders of other machines; and where there is no font, text takes no room on a page at all.
    const folders = `<dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/fonts-cache</cachedir>`;
    const head = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">`;
    writeFileSync(join(growing, "fonts.conf"), `${head}<fontconfig>${folders}</fontconfig>\n`);
    renameSync(growing, folder);
  } catch (error) {
    rmSync(growing, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // else another process was quicker
  }
  return folder;
}

const decompressed = (name: string): Buffer => brotliDecompressSync(readFileSync(join(shipped, "bin", name)));

/** The driver that the Vulkan loader takes, and no other. */
const driver = (): string => join(unpack(), "vk_swiftshader_icd.json");

/** glibc's own flag, which Node doesn't name: a library stays loaded. */
const keepLoaded = 0x1000;

let isReady = false;

/**
 * Makes SwiftShader the only adapter that WebGPU finds in this process. To be called before it is opened first, and in the
 * main thread, since the environment of other threads is a copy.
 */
export function useSoftwareAdapter(): void {
  if (isReady) return;
  process.env.VK_ICD_FILENAMES = driver();
  try {
    // The loader is in the process from now on, so that Dawn gets this one when it asks for libvulkan.so.1: too late for
    // LD_LIBRARY_PATH, which is read when a process starts.
    process.dlopen({ exports: {} }, join(unpack(), "libvulkan.so.1"), constants.dlopen.RTLD_NOW | keepLoaded);
  } catch (error) {
    // It isn't an addon of Node's, which is found out only once it is loaded.
    if (!(error instanceof Error && error.message.includes("did not self-register"))) throw error;
  }
  isReady = true;
}

/** Variables that make SwiftShader the only adapter that WebGPU finds in a process started with them. */
export function softwareEnvironment(): { LD_LIBRARY_PATH: string; VK_ICD_FILENAMES: string } {
  const others = (process.env.LD_LIBRARY_PATH ?? "").split(":").filter((path) => path !== "" && path !== unpack());
  return { LD_LIBRARY_PATH: [unpack(), ...others].join(":"), VK_ICD_FILENAMES: driver() };
}

/** What playwright-core's `chromium.launch` needs for a headless Chromium with WebGPU on SwiftShader. */
export function launchOptions(): { executablePath: string; args: string[]; env: Record<string, string> } {
  const from = unpack();
  const own = { LD_LIBRARY_PATH: join(from, "lib"), FONTCONFIG_FILE: join(from, "fonts.conf") };
  return {
    executablePath: join(from, "chromium"),
    args: ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
    env: { ...(process.env as Record<string, string>), ...own },
  };
}
