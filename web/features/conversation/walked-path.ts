import type { Replay } from './conversation-query.ts'

/** A part of a conversation: from a marker, or from where another dialog began to run, up to the next one. */
export interface PathPart {
  readonly dialog: string
  /** The marker that it begins with; undefined: the dialog itself. */
  readonly marker: string | undefined
  /** The turn that it began in. */
  readonly turn: number
  /** When it began and ended, ms since 1970. */
  readonly start: number
  readonly end: number
  /** Problems of its blocks, and answers that were not understood. */
  readonly errors: number
}

const isUnanswered = ({ tries, out }: Replay['turns'][number]['steps'][number]): boolean =>
  typeof tries === 'number' && tries > 0 && out === null

/** The way that a conversation took, in its order. */
export const pathOf = (turns: Replay['turns']): readonly PathPart[] => {
  const parts: { -readonly [name in keyof PathPart]: PathPart[name] }[] = []
  for (const { turn, time, steps } of turns) {
    let now = Date.parse(time) - steps.reduce((sum, { ms }) => sum + ms, 0)
    for (const step of steps) {
      const last = parts.at(-1)
      if (last !== undefined) last.end = now
      if (last?.dialog !== step.dialog || step.type === 'marker') {
        const marker = step.type === 'marker' ? step.block : undefined
        parts.push({ dialog: step.dialog, marker, turn, start: now, end: now, errors: 0 })
      }
      now += step.ms
      const part = parts.at(-1)
      if (part === undefined) continue
      part.end = now
      if (step.problem !== undefined || isUnanswered(step)) part.errors += 1
    }
  }
  // A dialog that begins with a marker is that marker.
  return parts.filter((part, place) => {
    const next = parts[place + 1]
    const isEmpty = part.marker === undefined && next?.marker !== undefined && next.dialog === part.dialog
    return !(isEmpty && next.turn === part.turn && part.errors === 0)
  })
}
