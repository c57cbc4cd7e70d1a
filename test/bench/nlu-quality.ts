import type { NluModel } from '#domain/nlu/model.ts'
import { openModel } from '#domain/nlu/model.ts'
import { parseText, type Understanding } from '#domain/nlu/parse-text.ts'
import { trainModel } from '#domain/nlu/train-model.ts'
import { type CorpusLine, noisyText, projectOf } from './nlu-data.ts'

export interface NluQuality {
  /** Per cent, of the best intent without a threshold. */
  readonly accuracy: number
  readonly noisy: number
  /** Mean distance of shown confidence and truth over ten bins, weighted. */
  readonly calibrationError: number
  readonly threshold: number
  /** Per cent right at or above the threshold, and of lines out of scope below it. */
  readonly inScope: number
  readonly outOfScope: number
  readonly entityF1: number
  readonly trainMs: number
  /** Processor time of this thread. */
  readonly trainProcessorMs: number
  readonly modelBytes: number
  readonly p95Ms: number
  readonly perSecond: number
}

const ask = (model: NluModel, text: string): Understanding =>
  parseText(model, text, { fuzzy: true, now: 0, regexMatches: [] })

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole)

const calibrationError = (answers: readonly { readonly confidence: number; readonly isRight: boolean }[]): number => {
  const bins = Map.groupBy(answers, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)))
  const errors = [...bins.values()].map(bin =>
    Math.abs(bin.reduce((sum, { confidence, isRight }) => sum + confidence - (isRight ? 1 : 0), 0)),
  )
  return errors.reduce((sum, error) => sum + error, 0) / answers.length
}

const spanKeys = (spans: readonly { start: number; end: number; entity: string }[]): readonly string[] =>
  spans.map(({ start, end, entity }) => `${start} ${end} ${entity}`)

const entityF1 = (model: NluModel, lines: readonly CorpusLine[]): number => {
  let [found, wanted, both] = [0, 0, 0]
  for (const { text, entities = [] } of lines) {
    const right = new Set(spanKeys(entities))
    const answered = spanKeys(ask(model, text).entities)
    found += answered.length
    wanted += right.size
    both += answered.filter(key => right.has(key)).length
  }
  return percent(2 * both, found + wanted)
}

/** Trains on some lines, asks the others. */
export const measureNlu = (
  train: readonly CorpusLine[],
  test: readonly CorpusLine[],
  outside: readonly CorpusLine[] = [],
): NluQuality => {
  const began = performance.now()
  const processor = process.cpuUsage()
  const result = trainModel(projectOf(train), () => {})
  const { user } = process.cpuUsage(processor)
  const trainMs = performance.now() - began
  if (!result.ok) throw new Error(result.code)
  const model = openModel(result.bytes)
  const { threshold } = model.header
  for (const { text } of test.slice(0, 200)) ask(model, text)
  const times: number[] = []
  const answers = test.map(({ text, intent }) => {
    const asked = performance.now()
    const { ranking, confidence } = ask(model, text)
    times.push(performance.now() - asked)
    return { confidence, isRight: ranking[0]?.name === intent }
  })
  const noisy = test.filter(
    ({ text, intent }, place) => ask(model, noisyText(text, place + 1)).ranking[0]?.name === intent,
  )
  const sorted = times.toSorted((a, b) => a - b)
  return {
    accuracy: percent(answers.filter(({ isRight }) => isRight).length, test.length),
    noisy: percent(noisy.length, test.length),
    calibrationError: calibrationError(answers),
    threshold,
    inScope: percent(
      answers.filter(({ isRight, confidence }) => isRight && confidence >= threshold).length,
      test.length,
    ),
    outOfScope: percent(outside.filter(({ text }) => ask(model, text).intent === null).length, outside.length),
    entityF1: entityF1(model, test),
    trainMs,
    trainProcessorMs: user / 1000,
    modelBytes: result.bytes.length,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    perSecond: (1000 * times.length) / times.reduce((sum, time) => sum + time, 0),
  }
}
