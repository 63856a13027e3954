import type { Reporter, TestModule } from "vitest/node";

/** Prints 'N passed, N failed' (', N skipped') alone on the last line, after vitest's own summary. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    let failed = errors.length;
    let skipped = 0;
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed++;
        else if (state === "failed") failed++;
        else skipped++;
      }
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`;
    process.on("exit", () => process.stdout.write(line));
  }
}
