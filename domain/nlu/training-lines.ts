import { type EntitySpan, type NluData, parseStatement } from './project-data.ts'
import { isReadable } from './read-text.ts'

/** A line of an intent, without its marks. */
export interface TrainingLine {
  readonly text: string
  readonly spans: readonly EntitySpan[]
  /** Place in `intents`. */
  readonly intent: number
  /** Of the statement. */
  readonly id: string
  /** With its marks. */
  readonly marked: string
}

export interface TrainingLines {
  readonly intents: readonly string[]
  readonly lines: readonly TrainingLine[]
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * All lines in an order that does not depend on the order of the data: by intent, then by text. A line that an intent has
 * twice counts once; intents without lines are left out.
 */
export const trainingLines = ({ intents }: NluData): TrainingLines => {
  const byName = new Map<string, Map<string, Omit<TrainingLine, 'intent'>>>()
  for (const { name, statements } of intents) {
    const own = byName.get(name) ?? new Map<string, Omit<TrainingLine, 'intent'>>()
    byName.set(name, own)
    for (const { id, text: marked } of statements.toSorted((a, b) => byCodeUnits(a.id, b.id))) {
      const { text, spans } = parseStatement(marked)
      if (isReadable(text) && !own.has(marked)) own.set(marked, { id, text, spans, marked })
    }
  }
  const names = [...byName]
    .filter(([, own]) => own.size > 0)
    .map(([name]) => name)
    .toSorted(byCodeUnits)
  return {
    intents: names,
    lines: names.flatMap((name, intent) =>
      [...(byName.get(name) ?? [])].toSorted(([a], [b]) => byCodeUnits(a, b)).map(([, line]) => ({ ...line, intent })),
    ),
  }
}
