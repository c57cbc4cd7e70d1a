import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Threads and processes that the code under test starts read it as TypeScript by themselves: each file is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache', 'compile')

const OUTSIDE = ['**/node_modules/**', 'web/dist/**']

/** The tests beside the code, without a state that outlasts them: their files share a process and what it has loaded. */
const UNIT = ['{commands,domain,gateway,projections,realtime,schemas,web}/**/*.test.{ts,tsx}']

/** These drive browsers, which share the cores with the gateways they look at: one at a time. */
const BROWSER = ['test/e2e/**/!(axe).test.ts', 'test/attack/script.test.ts']

/** Forks, not threads: the code under test starts worker threads of its own, which Node loads as TypeScript by itself. */
export default defineConfig({
  test: {
    exclude: OUTSIDE,
    pool: 'forks',
    // What hangs ends; a machine that is busy with other things may take its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: UNIT, isolate: false, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'program',
          // What axe looks at stands still, so that it may share the machine.
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...OUTSIDE, ...UNIT, ...BROWSER],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'browser', include: BROWSER, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
