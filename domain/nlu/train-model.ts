import { folded } from '#schemas/fold-text.ts'
import type { Calibration } from './calibrate.ts'
import { quantize, trainClassifier } from './classifier.ts'
import { crossValidate } from './cross-validate.ts'
import {
  belowThreshold,
  type EntityCounts,
  type Evaluation,
  evaluatedLines,
  intentScores,
  likePairs,
  meanF1,
  type TrainingLine,
  type TrainingLines,
  trainingLines,
} from './evaluation.ts'
import { buildExactLines } from './exact-lines.ts'
import { entityFeature } from './feature.ts'
import { findLookups } from './find-lookup.ts'
import { slotsOf } from './hash-table.ts'
import { buildLookupTable, type LookupTable, lookupSections } from './lookup-table.ts'
import { packModel, type Section } from './model-file.ts'
import { patternFault } from './pattern-cost.ts'
import type { NluData } from './project-data.ts'
import { createTokenReader, type TokenReader } from './read-text.ts'
import { SYSTEM_ENTITIES, type SystemEntity } from './system-entity.ts'
import { beginLabel } from './tag-decoder.ts'
import { compactTagger, type TaggerHeader, taggerSections } from './tagger.ts'
import { type LabelledLine, trainTagger } from './train-tagger.ts'
import { vectorize } from './vectorize.ts'

/** Bytes of the weights of intents; with more intents fewer features are kept. */
const MAX_WEIGHTS = 5_200_000
const MAX_INTENTS = 2000
const MAX_LINES = 100_000
/** Marked spans from which on an entity is learned. */
const MIN_SPANS = 10

export interface ModelHeader {
  readonly locale: string
  readonly timezone: string
  readonly intents: readonly string[]
  /** Texts by intent. */
  readonly responses: Readonly<Record<string, readonly string[]>>
  readonly threshold: number
  readonly calibration: Calibration
  readonly unknownIdf: number
  readonly lookupEntities: readonly string[]
  readonly learnedEntities: readonly string[]
  readonly systemEntities: readonly SystemEntity[]
  readonly regexes: readonly { readonly entity: string; readonly pattern: string }[]
  /** Folded text and what is kept for it. */
  readonly synonyms: readonly (readonly [string, string])[]
  readonly tagger: TaggerHeader | null
}

export interface TrainingReport {
  readonly lines: number
  readonly intents: number
  /** Part of the lines whose intent cross-validation found. */
  readonly accuracy: number
  readonly threshold: number
  /** Mean over intents. */
  readonly f1: number
  /** Part of the lines that stay under the threshold. */
  readonly below: number
  readonly evaluation: Evaluation
}

/** Stages of a training: reads and compares the data, validates in parts, then learns intents and entities. */
export type TrainingStage = 'read' | 'validate' | 'intents' | 'entities'
type OnProgress = (part: number, stage: TrainingStage) => void

export type TrainingFault = 'nointents' | 'toolarge' | 'pattern'
type TrainingResult =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly report: TrainingReport }
  | { readonly ok: false; readonly code: TrainingFault; readonly name: string }

/** Which lookup each token of the text that was read belongs to, from 1. */
const lookupMarks = (table: LookupTable, reader: TokenReader): number[] => {
  const marks = new Array<number>(reader.count).fill(0)
  for (const { from, to, entity } of findLookups(table, reader, false)) marks.fill(entity + 1, from, to)
  return marks
}

const labelledLine = (
  reader: TokenReader,
  table: LookupTable,
  { text, spans }: TrainingLine,
  learned: readonly string[],
  intent: number,
): LabelledLine => {
  reader.read(text)
  const labels = new Array<number>(reader.count).fill(0)
  for (const { start, end, entity } of spans) {
    const place = learned.indexOf(entity)
    if (place < 0) continue
    let isBegun = false
    for (let token = 0; token < reader.count; token++) {
      const isCovered = (reader.rawStarts[token] as number) < end && (reader.rawEnds[token] as number) > start
      if (!isCovered) continue
      labels[token] = beginLabel(place) + (isBegun ? 1 : 0)
      isBegun = true
    }
  }
  const lookups = lookupMarks(table, reader)
  return { text, lookups, intent, labels }
}

const learnedEntities = ({ entities }: NluData, lines: readonly TrainingLine[]): readonly string[] => {
  const counts = new Map<string, number>()
  for (const { spans } of lines) for (const { entity } of spans) counts.set(entity, (counts.get(entity) ?? 0) + 1)
  const system = new Set(entities.filter(({ type }) => type === 'system').map(({ name }) => name))
  return [...counts]
    .filter(([name, count]) => count >= MIN_SPANS && !system.has(name))
    .map(([name]) => name)
    .sort()
}

/** Synonyms of the project and those that marks give; the first of two for the same text holds. */
const synonymsOf = ({ synonyms }: NluData, lines: readonly TrainingLine[]): readonly (readonly [string, string])[] => {
  const values = new Map<string, string>()
  const add = (text: string, value: string) => {
    if (!values.has(folded(text))) values.set(folded(text), value)
  }
  for (const { value, synonyms: texts } of synonyms) for (const text of texts) add(text, value)
  for (const { text, spans } of lines)
    for (const { start, end, value } of spans) if (value !== undefined) add(text.slice(start, end), value)
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1))
}

const byName = <T extends { readonly name: string }>(list: readonly T[]): readonly T[] =>
  list.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/** The project in a fixed order, so that the order of the data changes no byte. */
const sortedData = (data: NluData): NluData => ({
  ...data,
  intents: byName(data.intents),
  entities: byName(data.entities).map(entity => ({
    ...entity,
    lookup: entity.lookup.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
  })),
  regexes: byName(data.regexes),
  synonyms: data.synonyms.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
})

const faultOf = ({ regexes }: NluData, intents: number, lines: number): TrainingResult | undefined => {
  if (intents === 0) return { ok: false, code: 'nointents', name: '' }
  if (intents > MAX_INTENTS || lines > MAX_LINES) return { ok: false, code: 'toolarge', name: '' }
  const refused = regexes.find(({ pattern }) => patternFault(pattern) !== undefined)
  return refused === undefined ? undefined : { ok: false, code: 'pattern', name: refused.name }
}

interface TrainedEntities {
  readonly header: TaggerHeader | null
  readonly sections: Readonly<Record<string, Section>>
  readonly counts: readonly EntityCounts[]
}

const trainEntities = (
  reader: TokenReader,
  table: LookupTable,
  lines: readonly TrainingLine[],
  learned: readonly string[],
  found: Int32Array,
  onProgress: (part: number) => void,
): TrainedEntities => {
  if (learned.length === 0) return { header: null, sections: {}, counts: [] }
  const labelled = lines.map((line, place) => labelledLine(reader, table, line, learned, found[place] as number))
  const trained = trainTagger(reader, labelled, learned.length, onProgress)
  const tagger = compactTagger(trained, beginLabel(learned.length))
  const { labels, scale, calibration } = tagger
  const counts = trained.counts.map((count, at) => ({ name: learned[at] ?? '', ...count }))
  return { header: { labels, scale, calibration }, sections: taggerSections(tagger), counts }
}

const trainIntents = (
  reader: TokenReader,
  table: LookupTable,
  { intents, lines }: TrainingLines,
  lookupNames: readonly string[],
  onProgress: OnProgress,
) => {
  const texts = lines.map(({ text }) => text)
  const found = texts.map(text => {
    reader.read(text)
    return findLookups(table, reader, false).map(({ entity }) => entityFeature(lookupNames[entity] ?? ''))
  })
  const most = Math.floor(MAX_WEIGHTS / intents.length)
  const { vocabulary, lines: vectors, columns } = vectorize(reader, texts, line => found[line] ?? [], most)
  const labels = Int32Array.from(lines, ({ intent }) => intent)
  const validation = crossValidate(vectors, labels, intents.length, part => onProgress(part * 0.7, 'validate'))
  const all = Int32Array.from(lines, (_, line) => line)
  const weights = trainClassifier(vectors, labels, intents.length, all, part => onProgress(0.7 + part * 0.3, 'intents'))
  const { rows, scales } = quantize(weights, columns)
  const exact = buildExactLines(reader, texts, labels)
  return {
    validation,
    unknownIdf: vocabulary.unknownIdf,
    sections: {
      rows,
      scales,
      keys: vocabulary.keys,
      slots: slotsOf(vocabulary.keys),
      idf: vocabulary.idf,
      exactKeys: exact.keys,
      exactChecks: exact.checks,
      exactIntents: exact.intents,
      exactSlots: exact.slots,
    },
  }
}

/**
 * Trains the model of a project, as the bytes of its file. The same data, in any order, give the same bytes
 * on every machine that runs the same version of Node: numbers are IEEE 754 doubles rounded in one order, exp and log
 * are ours, texts are folded by the Unicode version of the engine. `onProgress` gets the finished part, from 0 to 1.
 */
export const trainModel = (given: NluData, onProgress: OnProgress): TrainingResult => {
  onProgress(0, 'read')
  const data = sortedData(given)
  const training = trainingLines(data)
  const { intents, lines } = training
  const fault = faultOf(data, intents.length, lines.length)
  if (fault !== undefined) return fault
  const reader = createTokenReader()
  const lookupEntities = data.entities.filter(({ lookup }) => lookup.length > 0)
  const lookupNames = lookupEntities.map(({ name }) => name)
  const table = buildLookupTable(reader, lookupEntities)
  const learned = learnedEntities(data, lines)
  const intentShare = learned.length === 0 ? 1 : 0.6
  const pairs = likePairs(training)
  const classifier = trainIntents(reader, table, training, lookupNames, (part, stage) =>
    onProgress(part * intentShare, stage),
  )
  const tagger = trainEntities(reader, table, lines, learned, classifier.validation.found, part =>
    onProgress(intentShare + part * (1 - intentShare), 'entities'),
  )
  const { threshold, calibration, accuracy } = classifier.validation
  const header: ModelHeader = {
    locale: data.locale,
    timezone: data.timezone,
    intents,
    responses: Object.fromEntries(
      data.intents
        .filter(({ responses }) => responses.length > 0)
        .map(({ name, responses }) => [name, responses.map(({ text }) => text)]),
    ),
    threshold,
    calibration,
    unknownIdf: classifier.unknownIdf,
    lookupEntities: lookupNames,
    learnedEntities: learned,
    systemEntities: SYSTEM_ENTITIES.filter(kind =>
      data.entities.some(({ name, type }) => type === 'system' && name === kind),
    ),
    regexes: data.regexes.map(({ entity, pattern }) => ({ entity, pattern })),
    synonyms: synonymsOf(data, lines),
    tagger: tagger.header,
  }
  const bytes = packModel(header, { ...classifier.sections, ...lookupSections(table), ...tagger.sections })
  const evaluation: Evaluation = {
    intents,
    threshold,
    lines: evaluatedLines(training, classifier.validation),
    entities: tagger.counts,
    pairs,
  }
  const f1 = meanF1(intentScores(evaluation))
  const report = { lines: lines.length, intents: intents.length, accuracy, threshold, f1 }
  return { ok: true, bytes, report: { ...report, below: belowThreshold(evaluation), evaluation } }
}
