import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openModel } from '#domain/nlu/model.ts'
import { parseText } from '#domain/nlu/parse-text.ts'
import type { NluData } from '#domain/nlu/project-data.ts'
import { trainModel } from '#domain/nlu/train-model.ts'
import { openPool } from '#runtime/isolation/pool.ts'
import { trainInPool } from '#runtime/nlu/nlu-jobs.ts'
import { corpus } from '#test/fixture/corpus.ts'
import { type Figure, isShort, quantile, rounded } from './figure.ts'
import { type CorpusLine, corpusLines, fewLines, projectOf } from './nlu-data.ts'
import { measureNlu, type NluQuality } from './nlu-quality.ts'

/** Targets for the developers' half of each set, and with ten lines per intent. */
const SETS: readonly {
  readonly name: string
  readonly accuracy: number
  readonly few?: number
  readonly f1?: number
}[] = [
  { name: 'clinc150', accuracy: 90.1, few: 80 },
  { name: 'banking77', accuracy: 88.1, few: 74 },
  { name: 'hwu64', accuracy: 85.5, few: 68, f1: 72 },
  { name: 'snips', accuracy: 97.3, f1: 85 },
]
const MAX_NOISE_LOSS = 5
const MAX_CALIBRATION_ERROR = 0.05
const MAX_MODEL_BYTES = 6 * 2 ** 20
const MAX_TRAINED_S = 5
const MAX_PARSED_MS = 0.3

const figure = (what: string, measured: string, target: string, met: boolean | null, detail = {}): Figure => ({
  id: 'P12',
  what,
  measured,
  target,
  met,
  detail,
})

const qualityFigures = (name: string, q: NluQuality, accuracy: number, f1: number | undefined): readonly Figure[] => [
  figure(`${name}: accuracy`, `${rounded(q.accuracy)} %`, `≥ ${accuracy} %`, q.accuracy >= accuracy, { ...q }),
  figure(
    `${name}: noisy lines`,
    `${rounded(q.noisy)} %`,
    `at most ${MAX_NOISE_LOSS} points less`,
    q.noisy >= q.accuracy - MAX_NOISE_LOSS,
  ),
  figure(
    `${name}: calibration error`,
    q.calibrationError.toFixed(3),
    `≤ ${MAX_CALIBRATION_ERROR}`,
    q.calibrationError <= MAX_CALIBRATION_ERROR,
  ),
  figure(
    `${name}: trained, with cross-validation`,
    `${rounded(q.trainProcessorMs / 1000)} s of a core, ${rounded(q.modelBytes / 2 ** 20)} MiB`,
    `≤ ${MAX_TRAINED_S} s of 7,500 lines, a model ≤ 6 MiB`,
    q.modelBytes <= MAX_MODEL_BYTES && q.trainProcessorMs <= MAX_TRAINED_S * 1000,
  ),
  figure(
    `${name}: parsed`,
    `p95 ${rounded(q.p95Ms, 2)} ms, ${Math.round(q.perSecond)}/s`,
    `p95 ≤ ${MAX_PARSED_MS} ms`,
    q.p95Ms <= MAX_PARSED_MS,
  ),
  ...(f1 === undefined ? [] : [figure(`${name}: entities`, `F1 ${rounded(q.entityF1)}`, `≥ ${f1}`, q.entityF1 >= f1)]),
]

const setFigures = (): readonly Figure[] =>
  SETS.slice(0, isShort ? 1 : SETS.length).flatMap(({ name, accuracy, few, f1 }) => {
    const lines = corpusLines(name)
    const of = (split: CorpusLine['split'], isInScope: boolean) =>
      lines.filter(line => line.split === split && (line.intent !== '') === isInScope)
    const [train, test, outside] = [of('train', true), of('test', true), of('test', false)]
    const whole = measureNlu(train, test, outside)
    const figures = [...qualityFigures(name, whole, accuracy, f1)]
    if (outside.length > 0)
      figures.push(
        figure(
          `${name}: out of scope at its own threshold (${whole.threshold.toFixed(2)})`,
          `${rounded(whole.outOfScope)} % found, ${rounded(whole.inScope)} % in scope`,
          '≥ 70 % at ≥ 88.3 % (90 with both halves)',
          whole.outOfScope >= 70 && whole.inScope >= 88.3,
        ),
      )
    if (few !== undefined && !isShort)
      figures.push(...qualityFigures(`${name}, 10 a intent`, measureNlu(fewLines(train, 10), test), few, undefined))
    return figures
  })

/** 50 lookups of 10,000 values of one to three made-up words. */
const manyLookups = (): NluData['entities'] => {
  const word = (seed: number) => createHash('sha256').update(`${seed}`).digest('hex').replace(/\d/gu, '').slice(0, 8)
  return Array.from({ length: 50 }, (_, entity) => ({
    name: `lookup${entity}`,
    type: 'lookup',
    lookup: Array.from({ length: 10_000 }, (__, place) => {
      const seed = entity * 10_000 + place
      const words = Array.from({ length: 1 + (place % 3) }, (___, at) => word(seed + at * 7919))
      return { value: words.join(' '), synonyms: [] }
    }),
  }))
}

/** A load of 150 intents and half a million values. */
const lookupFigures = (): readonly Figure[] => {
  const lines = corpusLines('clinc150').filter(({ intent }) => intent !== '')
  const entities = manyLookups()
  const data = {
    ...projectOf(
      fewLines(
        lines.filter(({ split }) => split === 'train'),
        20,
      ),
    ),
    entities,
  }
  const result = trainModel(data, () => {})
  if (!result.ok) throw new Error(result.code)
  const opened = performance.now()
  const model = openModel(result.bytes)
  const openMs = performance.now() - opened
  const asked = lines.filter(({ split }) => split === 'test').slice(0, 1000)
  const texts = asked.map(({ text }, place) => `${text} ${entities[place % 50]?.lookup[place]?.value}x`)
  const ask = (text: string) => parseText(model, text, { fuzzy: true, now: 0, regexMatches: [] })
  for (const text of texts.slice(0, 300)) ask(text)
  const times = texts.map(text => {
    const began = performance.now()
    ask(text)
    return performance.now() - began
  })
  const p95 = quantile(times, 0.95)
  return [
    figure(
      '150 intents, 50 lookups of 10,000, fuzzy: parsed',
      `p50 ${rounded(quantile(times, 0.5), 2)} ms, p95 ${rounded(p95, 2)} ms`,
      'p95 ≤ 2 ms',
      p95 <= 2,
    ),
    figure(
      'the same model: opened',
      `${rounded(openMs)} ms, ${rounded(result.bytes.length / 2 ** 20)} MiB`,
      '≤ 200 ms',
      openMs <= 200,
    ),
  ]
}

/** Visible to users: training with 500 lines, and the gateway's longest stall meanwhile. */
const clickFigures = async (): Promise<readonly Figure[]> => {
  const train = corpusLines('hwu64').filter(({ split }) => split === 'train')
  const data = projectOf(train.filter((_, place) => place % 10 === 0).slice(0, 500))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const began = performance.now()
  const pool = openPool()
  const apart = { pool, from: { level: 'l' }, signal: new AbortController().signal }
  const first = await trainInPool(apart, data, () => {})
  const ms = performance.now() - began
  delay.disable()
  const second = await trainInPool(apart, data, () => {})
  pool.close()
  const isSame = first.ok && second.ok && first.hash === second.hash
  return [
    figure('a project of 500 lines: trained in its thread', `${rounded(ms / 1000)} s`, '≤ 2 s', ms <= 2000),
    figure(
      'the event loop meanwhile, p99.9',
      `${rounded(delay.percentile(99.9) / 1e6)} ms`,
      '≤ 10 ms',
      delay.percentile(99.9) / 1e6 <= 10,
    ),
    figure('the same data trained twice', isSame ? 'the same hash' : 'another hash', 'the same hash', isSame),
  ]
}

/** P12: quality and speed of models on the sets of the corpus. */
export const nlu = async (): Promise<readonly Figure[]> => {
  const isThere = SETS.every(({ name }) => existsSync(corpus('nlu', `${name}.jsonl`)))
  if (!isThere) return [figure('intents and entities', 'no large sets', 'PARLEY_CORPUS', null)]
  return [...(await clickFigures()), ...(isShort ? [] : lookupFigures()), ...setFigures()]
}
