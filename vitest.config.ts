import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { iconPlugin, languageTextPlugin, placePlugin } from './web/virtual-module-plugin.ts'

// Threads and processes that the code under test starts load TypeScript themselves: each file is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache', 'compile')

const OUTSIDE = ['**/node_modules/**', '{gateway,web}/dist/**']

/** Run by `npm run test:full` only: long forms of what other tests show in a short form. */
const FULL = ['**/*.full.test.ts']

/** Tests beside the code keep no state: their files share a process and its modules. */
const UNIT = ['{commands,domain,gateway,projections,realtime,runtime,schemas,web}/**/*.test.{ts,tsx}']

/** Changes of a file to all files of its process: the registry of entities, another module, the environment. */
const CHANGES_PROCESS = /\bvi\.(?:mock|stubEnv)\(|\bprocess\.env\.\w+ (?:\?\?)?= /

/** Each in its own process: they change it, or kill others and measure them. */
const ALONE = [
  'test/{cli,fault,nodes,start}/**/*.test.ts',
  'test/api/scim-load.full.test.ts',
  ...globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter(file =>
    CHANGES_PROCESS.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  ),
]

/** One at a time, with nothing beside them: they measure times, or count all that a process does. */
const MEASURED = [
  'test/api/{desk-load,on-eventstoredb}.full.test.ts',
  'test/attack/{contact-upload,contacts,isolation}.full.test.ts',
  'test/campaign/figures.full.test.ts',
  'test/conversation/million-figures.full.test.ts',
  'test/e2e/permission-size.full.test.ts',
  'test/fault/{campaign-figure,metrics}.full.test.ts',
  'test/lint/files-on-the-way.full.test.ts',
  'test/nodes/{many-conversations,people,rolling-restart,store-fault}.full.test.ts',
]

/** Begun first, since little would run beside their end. */
const LONG = ['test/conversation/desk-kills.full.test.ts', 'test/api/scim-load.full.test.ts']

/** Longest files first; then those that share a process together, since a process ends when another kind of file is next. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some(name => moduleId.endsWith(name))
    const isShared = ({ project }: TestSpecification) => project.name === 'shared'
    const rank = (file: TestSpecification) => (isLong(file) ? 0 : isShared(file) ? 1 : 2)
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/** These share a process, and with it one browser and one process of gateways (`openBrowser`, `openParley`). */
const SHARED = ['test/**/*.test.ts']

const isFull = process.env.PARLEY_TESTS === 'full'
const exclude = isFull ? OUTSIDE : [...OUTSIDE, ...FULL]

/** Projects with the same number run together, four files at a time: some tests wait more than they work. */
const group = (
  groupOrder: number,
  name: string,
  options: { include: string[]; exclude: string[]; isolate: boolean; maxWorkers?: number },
) => ({
  extends: true as const,
  test: {
    name,
    maxWorkers: 4,
    sequence: { groupOrder },
    setupFiles: [
      'test/fixture/processor-time.ts',
      'test/fixture/patience.ts',
      ...(name === 'shared' ? ['test/e2e/close-windows.ts'] : []),
    ],
    ...options,
  },
})

export default defineConfig({
  // Parts of the console import texts, the places of pages and icons.
  plugins: [
    languageTextPlugin(join(import.meta.dirname, 'schemas', 'locales')),
    placePlugin(join(import.meta.dirname, 'web')),
    iconPlugin(join(import.meta.dirname, 'web')),
  ],
  test: {
    exclude,
    // Forks, not threads: the code under test starts its own worker threads, which Node loads as TypeScript.
    pool: 'forks',
    // Ends hanging tests; leaves time for a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    sequence: { sequencer: LongFirst },
    expect: { poll: { timeout: 20_000 } },
    projects: [
      group(0, 'unit', { include: UNIT, exclude, isolate: false }),
      group(1, 'shared', { include: SHARED, exclude: [...exclude, ...ALONE, ...MEASURED], isolate: false }),
      group(1, 'alone', { include: ALONE, exclude: [...exclude, ...MEASURED], isolate: true }),
      group(2, 'measured', { include: MEASURED, exclude, isolate: true, maxWorkers: 1 }),
    ],
  },
})
