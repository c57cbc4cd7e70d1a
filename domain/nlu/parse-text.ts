import { folded } from '#schemas/fold-text.ts'
import { type ClassifyScratch, classify, createClassifyScratch } from './classifier.ts'
import { exactIntent } from './exact-lines.ts'
import { createFeatureList, describeFeatures, entityFeature, listFeatures } from './feature.ts'
import { findLookups, type LookupMatch } from './find-lookup.ts'
import { rowOf } from './hash-table.ts'
import type { NluModel } from './model.ts'
import { NONE_INTENT } from './project-data.ts'
import { createTokenReader, foldedTokens, type TokenReader } from './read-text.ts'
import { findSystemEntities } from './system-entity.ts'
import { tag } from './tagger.ts'

const MAX_RANKED = 5
const MAX_REASONS = 6
/** Learned entities that are less sure than this are left out. */
const MIN_LEARNED_CONFIDENCE = 0.3

/** An entity in a text; `start` and `end` (exclusive) are UTF-16 places. */
interface FoundEntity {
  readonly entity: string
  readonly value: string | number
  readonly raw: string
  readonly start: number
  readonly end: number
  readonly confidence: number
  readonly by: 'regex' | 'lookup' | 'learned' | 'system'
}

export interface Understanding {
  /** Null where the model is not sure enough, and for what belongs nowhere. */
  readonly intent: string | null
  /** Of the best intent, from 0 to 1. */
  readonly confidence: number
  readonly ranking: readonly { readonly name: string; readonly confidence: number }[]
  readonly entities: readonly FoundEntity[]
}

export interface RegexMatch {
  readonly entity: string
  readonly start: number
  readonly end: number
}

interface ParseOptions {
  /** Lookup values may be one edit away. */
  readonly fuzzy: boolean
  /** ms since 1970. */
  readonly now: number
  readonly regexMatches: readonly RegexMatch[]
}

const reader: TokenReader = createTokenReader()
const features = createFeatureList()
const scratch: ClassifyScratch = createClassifyScratch()
let marks = new Int32Array(64)

const rankingOf = (names: readonly string[], best: number, confidence: number): Understanding['ranking'] => {
  const { scores } = scratch
  const rest = 1 - (scores[best] as number)
  const scale = rest > 0 ? (1 - confidence) / rest : 0
  const top: { place: number; confidence: number }[] = []
  for (let place = 0; place < names.length; place++) {
    const sure = place === best ? confidence : Math.min(confidence, (scores[place] as number) * scale)
    if (top.length === MAX_RANKED && sure <= (top.at(-1)?.confidence ?? 0) && place !== best) continue
    top.push({ place, confidence: sure })
    top.sort((a, b) => b.confidence - a.confidence || Number(b.place === best) - Number(a.place === best))
    if (top.length > MAX_RANKED) top.pop()
  }
  return top.map(({ place, confidence: sure }) => ({ name: names[place] ?? '', confidence: sure }))
}

/** The intent of the text that was read; its lookups are features. */
const findIntent = (
  { header, classifier, exact }: NluModel,
  lookups: readonly LookupMatch[],
): Omit<Understanding, 'entities'> & { readonly place: number } => {
  const same = exactIntent(exact, reader)
  listFeatures(features, reader)
  for (const { entity } of lookups)
    features.hashes[features.count++] = entityFeature(header.lookupEntities[entity] ?? '')
  const found = classify(scratch, classifier, features)
  const [best, confidence] = same < 0 ? [found.best, found.confidence] : [same, 1]
  const name = header.intents[best] ?? NONE_INTENT
  const isUnknown = name === NONE_INTENT || confidence < header.threshold || reader.count === 0
  return {
    place: best,
    intent: isUnknown ? null : name,
    confidence,
    ranking: rankingOf(header.intents, best, confidence),
  }
}

const overlaps = (a: FoundEntity, b: FoundEntity): boolean => a.start < b.end && b.start < a.end

const ownEntities = (
  { header, tagger, synonyms }: NluModel,
  text: string,
  lookups: readonly LookupMatch[],
  regexMatches: readonly RegexMatch[],
  intent: number,
): readonly FoundEntity[] => {
  const canonical = (raw: string): string => synonyms.get(folded(raw)) ?? raw
  const place = (from: number, to: number) => {
    const [start, end] = [reader.rawStarts[from] as number, reader.rawEnds[to - 1] as number]
    return { start, end, raw: text.slice(start, end) }
  }
  const found: FoundEntity[] = []
  const add = (entity: FoundEntity) => {
    if (!found.some(other => overlaps(entity, other))) found.push(entity)
  }
  for (const { entity, start, end } of regexMatches) {
    const raw = text.slice(start, end)
    add({ entity, value: canonical(raw), raw, start, end, confidence: 1, by: 'regex' })
  }
  for (const { from, to, entity, value, confidence } of lookups)
    add({ entity: header.lookupEntities[entity] ?? '', value, ...place(from, to), confidence, by: 'lookup' })
  if (tagger === undefined) return found
  if (marks.length < reader.count) marks = new Int32Array(reader.count * 2)
  marks.fill(0, 0, reader.count)
  for (const { from, to, entity } of lookups) marks.fill(entity + 1, from, to)
  for (const { from, to, entity, confidence } of tag(tagger, reader, text, marks, intent)) {
    if (confidence < MIN_LEARNED_CONFIDENCE) continue
    const where = place(from, to)
    const name = header.learnedEntities[entity] ?? ''
    add({ entity: name, value: canonical(where.raw), ...where, confidence, by: 'learned' })
  }
  return found
}

/**
 * Interprets a text with a model. For one thread only: its memory is reused from text to text. Matches of
 * regexes are inputs, because those run elsewhere, within a time limit.
 */
export const parseText = (model: NluModel, text: string, options: ParseOptions): Understanding => {
  const { header } = model
  reader.read(text)
  const lookups = findLookups(model.lookups, reader, options.fuzzy)
  const { place: intentPlace, ...intent } = findIntent(model, lookups)
  const own = ownEntities(model, text, lookups, options.regexMatches, intentPlace)
  const place = { locale: header.locale, timezone: header.timezone, now: options.now }
  const system = findSystemEntities(text, new Set(header.systemEntities), place).map(
    ({ kind, start, end, value }): FoundEntity => ({
      entity: kind,
      value,
      raw: text.slice(start, end),
      start,
      end,
      confidence: 1,
      by: 'system',
    }),
  )
  const entities = [...own, ...system.filter(each => !own.some(other => overlaps(each, other)))]
  return { ...intent, entities: entities.toSorted((a, b) => a.start - b.start || a.end - b.end) }
}

/** A part of a text and how much it weighed for (above 0) or against the intent that was found. */
export interface Reason {
  readonly text: string
  readonly weight: number
}

/** The words and letters that weighed most for and against the best intent, compared with the mean of all intents. */
export const explainIntent = (
  { header, classifier }: NluModel,
  text: string,
  intent: string,
): { readonly for: readonly Reason[]; readonly against: readonly Reason[] } => {
  const { rows, scales, keys, slots, idf } = classifier
  const best = header.intents.indexOf(intent)
  const weights = new Map<string, number>()
  for (const { text: part, hash } of describeFeatures(foldedTokens(reader, text.slice(0, 1000)))) {
    const row = rowOf(slots, keys, hash)
    if (row < 0 || best < 0) continue
    let sum = 0
    const weightOf = (place: number) => (rows[row * scales.length + place] as number) * (scales[place] as number)
    for (let place = 0; place < scales.length; place++) sum += weightOf(place)
    weights.set(part, (weights.get(part) ?? 0) + (idf[row] as number) * (weightOf(best) - sum / scales.length))
  }
  const sorted = [...weights].map(([part, weight]) => ({ text: part, weight })).sort((a, b) => b.weight - a.weight)
  return {
    for: sorted.filter(({ weight }) => weight > 0).slice(0, MAX_REASONS),
    against: sorted
      .filter(({ weight }) => weight < 0)
      .toReversed()
      .slice(0, MAX_REASONS),
  }
}
