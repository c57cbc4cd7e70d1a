import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, type QuickFigure } from './figure.ts'
import { writeMixedStore } from './mixed-store.ts'

const ROOT = join(import.meta.dirname, '../..')
/** P4 includes P5. */
const IDS = ['P1', 'P2', 'P3', 'P4', 'P11']
const ROUNDS = 3
/** Of the log that P3 rebuilds from. */
const EVENTS = 100_000

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
process.once('SIGINT', () => process.exit(130))

let log: string | undefined

/** Written once, by this state: all states rebuild from the same events. */
const mixedLog = async (): Promise<string> => {
  if (log === undefined) {
    log = temporary()
    await writeMixedStore(log, EVENTS)
  }
  return log
}

/** One figure of a state, measured in a process of that state. Without figures where the state cannot run it. */
const measure = async (root: string, id: string): Promise<readonly QuickFigure[]> => {
  const script = join(root, 'test/bench/quick-measure.ts')
  const arguments_ = id === 'P3' ? [await mixedLog(), String(EVENTS)] : []
  const child = spawn(process.execPath, [script, id, ...arguments_], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const code = await new Promise(resolve => child.once('close', resolve))
  return code === 0 ? (JSON.parse(output.trim().split('\n').at(-1) ?? '[]') as QuickFigure[]) : []
}

/** The files of a commit in a temporary folder, with these benchmarks and this installation's packages. */
const checkOut = (commit: string): string => {
  const folder = join(temporary(), 'state')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 2] })
  git('worktree', 'add', '--detach', folder, commit)
  process.once('exit', () => git('worktree', 'remove', '--force', folder))
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(folder, 'node_modules'))
  rmSync(join(folder, 'test/bench'), { recursive: true, force: true })
  cpSync(join(ROOT, 'test/bench'), join(folder, 'test/bench'), { recursive: true })
  mkdirSync(join(folder, '.cache'))
  for (const shared of ['.cache/rival', 'web/dist'])
    if (existsSync(join(ROOT, shared))) symlinkSync(join(ROOT, shared), join(folder, shared))
  return folder
}

const print = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
const shown = (value: number | undefined) => (value === undefined ? '–' : String(Number(value.toPrecision(3))))

/** `npm run bench -- --quick [P1 …]`: processor time and ratios, in less than three minutes. */
export const quick = async (wanted: readonly string[]): Promise<void> => {
  print(['', 'what', 'measured'])
  print(['---', '---', '---'])
  for (const id of IDS.filter(id => wanted.length === 0 || wanted.includes(id)))
    for (const { what, value } of await measure(ROOT, id)) print([id, what, shown(value)])
}

/** `npm run bench -- --compare <commit> [P1 …]`: the same of a commit and of this state, in turns; medians. */
export const compare = async (commit: string, wanted: readonly string[]): Promise<void> => {
  const states = [checkOut(commit), ROOT]
  print(['', 'what', commit, 'now', 'now / then'])
  print(['---', '---', '---', '---', '---'])
  for (const id of IDS.filter(id => wanted.length === 0 || wanted.includes(id))) {
    const measured = states.map(() => new Map<string, number[]>())
    for (let round = 0; round < ROUNDS; round++)
      for (const [n, state] of states.entries())
        for (const { what, value } of await measure(state, id))
          measured[n]?.set(what, [...(measured[n].get(what) ?? []), value])
    for (const what of new Set(measured.flatMap(figures => [...figures.keys()]))) {
      const [then, now] = measured.map(figures => figures.get(what)).map(values => values && median(values))
      print([id, what, shown(then), shown(now), shown(then && now && now / then)])
    }
  }
}
