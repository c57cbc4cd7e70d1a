import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
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
import { million } from './million.ts'
import { nlu } from './nlu.ts'
import { onDouble } from './on-double.ts'
import { rebuild } from './rebuild.ts'
import { hasRivals } from './rival.ts'
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
    seconds: { type: 'string' },
    commands: { type: 'string' },
    edits: { type: 'string' },
    /** Of P11. */
    timers: { type: 'string' },
    chats: { type: 'string', default: '10000' },
    /** Of P13. */
    people: { type: 'string', default: '30000' },
    /** Of P16. */
    conversations: { type: 'string', default: '1000000' },
    /** Interpreter, turns, timers or chats alone. */
    part: { type: 'string' },
    /** P1 to P5 and P11's turns in three minutes. */
    quick: { type: 'boolean', default: false },
    /** P1 to P14 in twenty minutes: fewer rounds, shorter loads. */
    month: { type: 'boolean', default: false },
    /** A commit that is measured in turns with this state. */
    compare: { type: 'string' },
  },
})
if (values.quick || values.compare !== undefined) {
  const { compare, quick } = await import('./quick.ts')
  await (values.compare === undefined ? quick(wanted) : compare(values.compare, wanted))
  process.exit(0)
}

const isMonth = values.month
const [seconds, commandRate, editRate, timers] = isMonth ? ['20', '120', '60', '4000'] : ['600', '300', '100', '20000']

/** In the order in which they are measured. */
const BENCHMARKS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  P1: async () => [...(await appends()), ...(await sealing())],
  P2: async () => [await commands()],
  P3: rebuild,
  P4: room,
  P8: start,
  P11: () => talk({ timers: Number(values.timers ?? timers), chats: Number(values.chats), part: values.part }),
  P13: () => campaigns({ people: Number(values.people) }),
  P10: lists,
  P14: onDouble,
  P9: () =>
    cluster({
      seconds: Number(values.seconds ?? seconds),
      commands: Number(values.commands ?? commandRate),
      edits: Number(values.edits ?? editRate),
    }),
  P12: nlu,
  P7: async () => [bundle()],
  P6: designer,
  /** P3 and P8 on a log that takes a minute to write. */
  million,
  P15: scale,
  P16: () => metrics({ conversations: Number(values.conversations) }),
  P17: async () => [await commandsBesideWebhooks()],
  P18: tracing,
}
const NOT_IN_MONTH = ['P15', 'P16', 'P17', 'P18']

const MINUTE_MS = 60_000
/** Of all of `--month`: what has not begun by then is left out. */
const MONTH_MS = 20 * MINUTE_MS
/** Of one benchmark, which is ended then. */
const LIMIT_MS = isMonth ? 5 * MINUTE_MS : 60 * MINUTE_MS
/** Between the two signals that end a benchmark: it closes its gateways and its browser. */
const END_MS = 3_000

/** Load average of the last minute: shows other work where it exceeds the benchmark's own. */
const load = () => rounded(loadavg()[0] ?? Number.NaN)

let running: ChildProcess | undefined

/** A benchmark, its gateways and its browser are one group of processes. */
const end = async (): Promise<void> => {
  const { pid } = running ?? {}
  running = undefined
  if (pid === undefined) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(-pid, signal)
    } catch {
      return
    }
    await pause(END_MS)
  }
}

/** Figures of one benchmark, or why there are none. Each has its own process: one that fails does not end the others. */
const measure = (id: string, limit: number): Promise<readonly Figure[] | string> =>
  new Promise(resolve => {
    const child = fork(import.meta.filename, [...process.argv.slice(2).filter(each => each !== id), id], {
      env: { ...process.env, PARLEY_BENCH: id, PARLEY_BENCH_SHORT: isMonth ? '1' : '' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    })
    running = child
    const late = setTimeout(() => {
      resolve(`not done after ${Math.round(limit / 1000)} s`)
      void end()
    }, limit)
    child.once('message', figures => resolve(figures as Figure[]))
    child.once('exit', code => {
      clearTimeout(late)
      resolve(`ended with ${code}, see above`)
    })
  })

const verdict = (met: boolean | null) => (met === null ? '' : met ? 'met' : 'missed')
const print = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)

const measureAll = async (): Promise<void> => {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.version}`
  process.stdout.write(`${new Date().toISOString().slice(0, 10)} · ${machine}\n\n`)
  print(['', 'what', 'measured', 'target', '', 'load'])
  print(['---', '---', '---', '---', '---', '---'])
  const ids = Object.keys(BENCHMARKS).filter(id =>
    wanted.length > 0 ? wanted.includes(id) : !isMonth || !NOT_IN_MONTH.includes(id),
  )
  // Their first installation compiles for minutes: before the clock starts.
  if (ids.includes('P1') || ids.includes('P4')) hasRivals()
  const until = performance.now() + (isMonth ? MONTH_MS : Number.POSITIVE_INFINITY)
  const all: (Figure & { readonly load: string })[] = []
  for (const id of ids) {
    const [before, began] = [load(), performance.now()]
    const measured = began > until ? 'no time left' : await measure(id, Math.min(LIMIT_MS, until - began))
    await end()
    const loads = `${before} → ${load()}`
    process.stderr.write(`${id}: ${rounded((performance.now() - began) / 1000)} s\n`)
    if (typeof measured === 'string') {
      print([id, 'not measured', measured, '–', '', loads])
      continue
    }
    for (const figure of measured)
      print([figure.id, figure.what, figure.measured, figure.target, verdict(figure.met), loads])
    all.push(...measured.map(figure => ({ ...figure, load: loads })))
  }
  const cache = join(import.meta.dirname, '../../.cache')
  mkdirSync(cache, { recursive: true })
  const results = { date: new Date().toISOString(), machine, figures: all }
  writeFileSync(join(cache, 'bench.json'), JSON.stringify(results, null, 2))
}

const alone = process.env.PARLEY_BENCH
if (alone !== undefined) {
  const figures = await BENCHMARKS[alone]?.()
  process.send?.(figures ?? [], () => process.exit(0))
} else {
  // Ctrl-C reaches this process from the terminal and from `npm run bench`.
  let isEnding = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (isEnding) return
      isEnding = true
      void end().then(() => process.exit(130))
    })
  await measureAll()
  process.exit(0)
}
