import type { Validation } from './cross-validate.ts'
import { type EntitySpan, type NluData, parseStatement } from './project-data.ts'
import { isReadable } from './read-text.ts'
import { createStatementIndex } from './statement-index.ts'

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

/** A line as cross-validation saw it: by a model that had not been trained with it. */
interface EvaluatedLine {
  /** Of the statement. */
  readonly id: string
  /** Marked (`parseStatement`). */
  readonly text: string
  /** Indexes in `intents`: expected and found. */
  readonly intent: number
  readonly found: number
  /** From 0 to 1, calibrated. */
  readonly confidence: number
}

/** Marked spans of an entity: total, found, and correctly found. */
export interface EntityCounts {
  readonly name: string
  readonly spans: number
  readonly found: number
  readonly right: number
}

/** Two lines of different intents that say the same (score 1) or nearly. Places in `lines`. */
interface LinePair {
  readonly one: number
  readonly other: number
  readonly score: number
}

/** Results of a training on its own data, stored beside the model. */
export interface Evaluation {
  readonly intents: readonly string[]
  readonly threshold: number
  readonly lines: readonly EvaluatedLine[]
  /** Of learned entities. */
  readonly entities: readonly EntityCounts[]
  readonly pairs: readonly LinePair[]
}

/** Of an intent or an entity. Figures from 0 to 1; `count`: lines or spans that they come from. */
interface Score {
  readonly name: string
  readonly count: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

const scoreOf = (
  name: string,
  { right, found, count }: Readonly<Record<'right' | 'found' | 'count', number>>,
): Score => {
  const [precision, recall] = [ratio(right, found), ratio(right, count)]
  return { name, count, precision, recall, f1: ratio(2 * precision * recall, precision + recall) }
}

/** Of every intent, in the order of `intents`. */
export const intentScores = ({ intents, lines }: Evaluation): readonly Score[] => {
  const count = new Array<number>(intents.length).fill(0)
  const found = count.slice()
  const right = count.slice()
  const add = (to: number[], at: number) => {
    to[at] = (to[at] ?? 0) + 1
  }
  for (const line of lines) {
    add(count, line.intent)
    add(found, line.found)
    if (line.intent === line.found) add(right, line.intent)
  }
  return intents.map((name, at) =>
    scoreOf(name, { right: right[at] ?? 0, found: found[at] ?? 0, count: count[at] ?? 0 }),
  )
}

export const entityScores = ({ entities }: Evaluation): readonly Score[] =>
  entities.map(({ name, spans, found, right }) => scoreOf(name, { right, found, count: spans }))

/** Mean over intents, each counted alike. */
export const meanF1 = (scores: readonly Score[]): number =>
  ratio(
    scores.reduce((sum, { f1 }) => sum + f1, 0),
    scores.length,
  )

/** Part of the lines that a bot would not take, because the model is not sure enough. */
export const belowThreshold = ({ lines, threshold }: Evaluation): number =>
  ratio(lines.filter(({ confidence }) => confidence < threshold).length, lines.length)

interface ConfusionCell {
  readonly intent: number
  readonly found: number
  readonly count: number
}

/** Lines per actual and found intent; pairs without lines are left out. */
export const confusionOf = ({ intents, lines }: Evaluation): readonly ConfusionCell[] => {
  const counts = new Map<number, number>()
  for (const { intent, found } of lines) {
    const key = intent * intents.length + found
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([key, count]) => ({ intent: Math.floor(key / intents.length), found: key % intents.length, count }))
}

/** Result of one model for a line. `intent` is null below the threshold. */
interface Verdict {
  readonly intent: string | null
  readonly confidence: number
}

/** A line that two models do not understand alike. */
interface ComparedLine {
  readonly id: string
  readonly text: string
  /** Intent of the line. */
  readonly intent: string
  readonly model: Verdict
  readonly other: Verdict
}

interface Comparison {
  /** Lines that both were tried on. */
  readonly lines: number
  /** Of these, found by each. */
  readonly right: number
  readonly otherRight: number
  /** Found by `model` and not by `other`, and the reverse. */
  readonly better: number
  readonly worse: number
  /** Lines with different verdicts: first those that became worse. */
  readonly changed: readonly ComparedLine[]
}

export interface JudgedLine {
  readonly id: string
  readonly text: string
  readonly intent: string
  readonly verdict: Verdict
}

/** Intent of each line for a bot. */
export const judgedLines = ({ intents, threshold, lines }: Evaluation): readonly JudgedLine[] =>
  lines.map(({ id, text, intent, found, confidence }) => ({
    id,
    text,
    intent: intents[intent] ?? '',
    verdict: { intent: confidence < threshold ? null : (intents[found] ?? null), confidence },
  }))

const RANK = { worse: 0, other: 1, better: 2 } as const

/**
 * Two models line by line, on the lines of the same text and intent. A line is right where the bot would take it for its
 * intent.
 */
export const compareLines = (model: readonly JudgedLine[], other: readonly JudgedLine[]): Comparison => {
  const keyOf = ({ intent, text }: JudgedLine) => `${intent}\n${text}`
  const known = new Map(other.map(line => [keyOf(line), line]))
  let [lines, right, otherRight, better, worse] = [0, 0, 0, 0, 0]
  const changed: (ComparedLine & { readonly kind: keyof typeof RANK })[] = []
  for (const line of model) {
    const { id, text, intent, verdict } = line
    const before = known.get(keyOf(line))
    if (before === undefined) continue
    const [isRight, wasRight] = [verdict.intent === intent, before.verdict.intent === intent]
    lines += 1
    right += Number(isRight)
    otherRight += Number(wasRight)
    better += Number(isRight && !wasRight)
    worse += Number(wasRight && !isRight)
    if (verdict.intent === before.verdict.intent) continue
    const kind = isRight ? 'better' : wasRight ? 'worse' : 'other'
    changed.push({ id, text, intent, model: verdict, other: before.verdict, kind })
  }
  changed.sort((a, b) => RANK[a.kind] - RANK[b.kind])
  return { lines, right, otherRight, better, worse, changed: changed.map(({ kind: _kind, ...line }) => line) }
}

/** Of more lines, those are compared that say the same, and no others. */
const MAX_COMPARED = 5000
const MAX_PAIRS = 500

/** Lines of different intents that say the same or nearly, the most alike first. */
export const likePairs = ({ intents, lines }: TrainingLines): readonly LinePair[] => {
  const byIntent = Map.groupBy(lines.keys(), at => (lines[at] as { readonly intent: number }).intent)
  const index = createStatementIndex(
    intents.map((name, intent) => ({
      id: String(intent),
      name,
      statements: (byIntent.get(intent) ?? []).map(at => ({ id: String(at), text: lines[at]?.marked ?? '' })),
    })),
  )
  const pairs = new Map<string, LinePair>()
  for (const [at, { text, intent }] of lines.entries()) {
    const like =
      lines.length > MAX_COMPARED
        ? index.same(text).find(other => other.intent !== String(intent))
        : index.near(text, String(intent))
    if (like === undefined) continue
    const [one, other] = [Math.min(at, Number(like.id)), Math.max(at, Number(like.id))]
    pairs.set(`${one} ${other}`, { one, other, score: like.score })
  }
  return [...pairs.values()].toSorted((a, b) => b.score - a.score).slice(0, MAX_PAIRS)
}

/** Cross-validation result of each line. */
export const evaluatedLines = (
  { lines }: TrainingLines,
  { found, confidences }: Pick<Validation, 'found' | 'confidences'>,
): Evaluation['lines'] =>
  lines.map(({ id, marked, intent }, at) => ({
    id,
    text: marked,
    intent,
    found: found[at] as number,
    confidence: Math.round((confidences[at] as number) * 1000) / 1000,
  }))
