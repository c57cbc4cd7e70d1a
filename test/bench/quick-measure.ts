import type { QuickFigure } from './figure.ts'

/**
 * `node quick-measure.ts P3 <folder of the log> <its events>`: one figure's measurements as JSON. Each is imported by
 * itself: in an older state, whose code lacks what it imports, the others still run.
 */
const MEASURES: Readonly<Record<string, () => Promise<readonly QuickFigure[]>>> = {
  P1: async () => (await import('./appends.ts')).quickAppends(),
  P2: async () => (await import('./commands.ts')).quickCommands(),
  P3: async () => (await import('./rebuild-once.ts')).quickRebuild(folder, Number(events)),
  P4: async () => (await import('./room.ts')).quickRoom(),
  P11: async () => (await import('./talk.ts')).quickTurns(),
}

const [id = '', folder = '', events] = process.argv.slice(2)
const figures = await MEASURES[id]?.()
process.stdout.write(`\n${JSON.stringify(figures ?? [])}\n`, () => process.exit(0))
