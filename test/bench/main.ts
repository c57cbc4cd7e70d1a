import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { appends } from './appends.ts'
import { bundle } from './bundle.ts'
import { campaigns } from './campaigns.ts'
import { cluster } from './cluster.ts'
import { commands, commandsBesideWebhooks } from './commands.ts'
import { designer } from './designer.ts'
import { type Figure, rounded } from './figure.ts'
import { lists } from './lists.ts'
import { metrics } from './metrics.ts'
import { nlu } from './nlu.ts'
import { rebuild } from './rebuild.ts'
import { room } from './room.ts'
import { scale } from './scale.ts'
import { sealing } from './sealing.ts'
import { start } from './start.ts'
import { talk } from './talk.ts'
import { tracing } from './tracing.ts'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    /** Of P9. */
    seconds: { type: 'string', default: '600' },
    commands: { type: 'string', default: '300' },
    edits: { type: 'string', default: '100' },
    /** Of P11. */
    timers: { type: 'string', default: '20000' },
    chats: { type: 'string', default: '10000' },
    /** Of P13. */
    people: { type: 'string', default: '30000' },
    /** Of P16. */
    conversations: { type: 'string', default: '1000000' },
    /** Interpreter, turns, timers or chats alone. */
    part: { type: 'string' },
    /** P1 to P5 and P11's turns in three minutes. */
    quick: { type: 'boolean', default: false },
    /** A commit that is measured in turns with this state. */
    compare: { type: 'string' },
  },
})
if (values.quick || values.compare !== undefined) {
  const { compare, quick } = await import('./quick.ts')
  await (values.compare === undefined ? quick(wanted) : compare(values.compare, wanted))
  process.exit(0)
}

/** Every benchmark, one after the other: a table on standard output and JSON in .cache/bench.json. */
const BENCHMARKS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  P1: async () => [...(await appends()), ...(await sealing())],
  P2: async () => [await commands()],
  P3: rebuild,
  P4: room,
  P6: designer,
  P7: async () => [bundle()],
  P8: start,
  P9: () =>
    cluster({ seconds: Number(values.seconds), commands: Number(values.commands), edits: Number(values.edits) }),
  P10: lists,
  P12: nlu,
  P13: () => campaigns({ people: Number(values.people) }),
  P15: scale,
  P17: async () => [await commandsBesideWebhooks()],
  P18: tracing,
  P16: () => metrics({ conversations: Number(values.conversations) }),
  P11: () => talk({ timers: Number(values.timers), chats: Number(values.chats), part: values.part }),
}

/** Load average of the last minute: shows other work where it exceeds the benchmark's own. */
const load = () => rounded(loadavg()[0] ?? Number.NaN)

const figures: (Figure & { readonly load: string })[] = []
for (const [id, measure] of Object.entries(BENCHMARKS)) {
  if (wanted.length > 0 && !wanted.includes(id)) continue
  process.stderr.write(`${id} …\n`)
  const before = load()
  const measured = await measure()
  figures.push(...measured.map(figure => ({ ...figure, load: `${before} → ${load()}` })))
}
const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.version}`
process.stdout.write(
  `${new Date().toISOString().slice(0, 10)} · ${machine}\n\n| | what | measured | target | | load |\n|---|---|---|---|---|---|\n`,
)
const verdict = (met: boolean | null) => (met === null ? '' : met ? 'met' : 'missed')
for (const { id, what, measured, target, met, load } of figures) {
  process.stdout.write(`| ${id} | ${what} | ${measured} | ${target} | ${verdict(met)} | ${load} |\n`)
}
const cache = join(import.meta.dirname, '../../.cache')
mkdirSync(cache, { recursive: true })
writeFileSync(join(cache, 'bench.json'), JSON.stringify({ date: new Date().toISOString(), machine, figures }, null, 2))
