import type { Json } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import {
  COLUMN_PREFIX,
  type FailureClass,
  isSegmentGroup,
  readSegmentRule,
  type SegmentCondition,
  type SegmentGroup,
  type SegmentRule,
  segmentConditions,
  segmentDay,
  segmentNumber,
} from '#schemas/segment-rule.ts'
import type { Behaviour } from '../behaviour.ts'
import type { Fields } from '../entity.ts'
import { plainName } from './contact-columns.ts'

/** Outcome of a campaign for a person. */
export interface SegmentResult {
  /** A state of `RecipientState`. */
  readonly state: string
  /** Of a failure. */
  readonly class?: FailureClass
}

/** Facts about a contact that need no decryption. */
export interface OpenFacts {
  /** ISO 3166 of the number. */
  readonly country: string
  /** Lists that the person is in, of those that the rule names. */
  readonly lists: readonly string[]
  /** Folded tags of the person's conversations. */
  readonly tags: readonly string[]
  /** The person's last message, ms since 1970. */
  readonly replied?: number
  /** By campaign. */
  readonly results: Readonly<Record<string, SegmentResult>>
}

/** The decrypted part of a contact. */
export interface SealedFacts {
  /** E.164 with its plus. */
  readonly phone: string
  readonly nome: string
  readonly fields: Readonly<Record<string, string>>
  readonly consent?: unknown
}

/** Facts that a rule needs. */
export interface SegmentNeeds {
  /** Name, fields, number or consent. */
  readonly isSealed: boolean
  readonly lists: readonly string[]
  readonly campaigns: readonly string[]
  readonly hasTags: boolean
  readonly hasReplies: boolean
}

const OPEN_FIELDS = new Set(['country', 'list', 'tag', 'lastreply', 'campaign'])
/** Also in `segmentNeeds`: without a person's number no tag and no reply is found. */
const BY_NUMBER = new Set(['tag', 'lastreply'])

export const segmentNeeds = (rule: SegmentRule): SegmentNeeds => {
  const conditions = [...segmentConditions(rule)]
  const of = (field: string) => conditions.filter(one => one.field === field)
  return {
    isSealed: conditions.some(({ field }) => !OPEN_FIELDS.has(field) || BY_NUMBER.has(field)),
    lists: [...new Set(of('list').flatMap(({ value }) => value as readonly string[]))],
    campaigns: [...new Set(of('campaign').map(({ value }) => (value as { readonly campaign: string }).campaign))],
    hasTags: of('tag').length > 0,
    hasReplies: of('lastreply').length > 0,
  }
}

/** A rule whose named columns are the fields that they were imported into; a column that is missing is empty. */
export const withColumns = (rule: SegmentRule, names: Readonly<Record<string, string>>): SegmentRule => {
  if (isSegmentGroup(rule))
    return rule.all === undefined
      ? { any: (rule.any ?? []).map(one => withColumns(one, names)) }
      : { all: rule.all.map(one => withColumns(one, names)) }
  if (!rule.field.startsWith(COLUMN_PREFIX)) return rule
  const wanted = plainName(rule.field.slice(COLUMN_PREFIX.length))
  const field = Object.entries(names).find(([, name]) => plainName(name) === wanted)?.[0]
  return { ...rule, field: field ?? '' }
}

const isText = (op: string, value: string, given: string): boolean => {
  const [text, wanted] = [folded(value.trim()), folded(given.trim())]
  switch (op) {
    case 'is':
      return text === wanted
    case 'isnot':
      return text !== wanted
    case 'contains':
      return text.includes(wanted)
    case 'notcontains':
      return !text.includes(wanted)
    case 'starts':
      return text.startsWith(wanted)
    case 'empty':
      return text === ''
    case 'filled':
      return text !== ''
    case 'more':
    case 'less':
      return isOrdered(op === 'more', segmentNumber(value), segmentNumber(given))
    default:
      return isOrdered(op === 'after', segmentDay(value), segmentDay(given))
  }
}

/** False where one of both is missing: such a text is neither more nor less. */
const isOrdered = (isAbove: boolean, one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && (isAbove ? one > other : one < other)

const HANDED_OVER = new Set(['accepted', 'sent', 'delivered', 'read', 'engaged'])
const READ = new Set(['read', 'engaged'])

/** Compares an outcome of a campaign with an operator of a rule. */
export const isResult = (op: string, result: SegmentResult | undefined, wanted: FailureClass | undefined): boolean => {
  const state = result?.state ?? ''
  switch (op) {
    case 'sent':
      return HANDED_OVER.has(state)
    case 'notsent':
      return !HANDED_OVER.has(state)
    case 'notread':
      return HANDED_OVER.has(state) && !READ.has(state)
    case 'read':
      return READ.has(state)
    case 'engaged':
      return state === 'engaged'
    default:
      return state === 'failed' && (wanted === undefined || result?.class === wanted)
  }
}

const BRAZIL = '+55'
const DAY_MS = 86_400_000

/** A row as a rule is compared with it. `sealed` is missing only where the rule does not need it. */
interface SegmentRow {
  readonly open: OpenFacts
  readonly sealed: SealedFacts | undefined
  /** ms since 1970 */
  readonly now: number
}

const isCondition = ({ field, op, value }: SegmentCondition, { open, sealed, now }: SegmentRow): boolean => {
  switch (field) {
    case 'country':
      return (value as readonly string[]).includes(open.country) === (op === 'in')
    case 'ddd': {
      const phone = sealed?.phone ?? ''
      const code = phone.startsWith(BRAZIL) ? phone.slice(3, 5) : ''
      return (value as readonly string[]).includes(code) === (op === 'in')
    }
    case 'list':
      return (value as readonly string[]).some(id => open.lists.includes(id)) === (op === 'in')
    case 'consent':
      return (sealed?.consent !== undefined && sealed.consent !== null) === (op === 'has')
    case 'tag':
      return open.tags.includes(folded(String(value).trim())) === (op === 'has')
    case 'lastreply': {
      const isWithin = open.replied !== undefined && open.replied >= now - Number(value) * DAY_MS
      return isWithin === (op === 'within')
    }
    case 'campaign': {
      const { campaign, class: wanted } = value as { readonly campaign: string; readonly class?: FailureClass }
      return isResult(op, open.results[campaign], wanted)
    }
    default:
      return isText(op, field === 'nome' ? (sealed?.nome ?? '') : (sealed?.fields[field] ?? ''), String(value ?? ''))
  }
}

/** Whether a contact is in a segment. Named columns were replaced by `withColumns`. */
export const isInSegment = (rule: SegmentRule, row: SegmentRow): boolean => {
  if (!isSegmentGroup(rule)) return isCondition(rule, row)
  return rule.all === undefined
    ? (rule.any ?? []).some(one => isInSegment(one, row))
    : rule.all.every(one => isInSegment(one, row))
}

/** A stored rule; undefined when it cannot be read. */
export const segmentRuleOf = (value: Json | undefined): SegmentGroup | undefined => {
  const read = readSegmentRule(value)
  return read.ok ? read.rule : undefined
}

/** Rows looked at in runs of neighbours, and how many of them matched. */
export interface SampledRun {
  readonly rows: number
  readonly matches: number
}

/**
 * Estimates a count from runs of neighbours: contacts of one file lie side by side and are alike, so that the error
 * comes from the spread between runs, not between rows. `error`: half of the interval of 95 %.
 */
export const estimateSegment = (
  runs: readonly SampledRun[],
  total: number,
): { readonly count: number; readonly error: number } => {
  const rows = runs.reduce((sum, run) => sum + run.rows, 0)
  const matches = runs.reduce((sum, run) => sum + run.matches, 0)
  if (rows === 0 || rows >= total) return { count: matches, error: 0 }
  const share = matches / rows
  const count = Math.round(share * total)
  // Nothing, or everything, matched: the rule of three.
  if (matches === 0 || matches === rows) return { count, error: Math.ceil((3 * total) / rows) }
  const [many, mean] = [runs.length, rows / runs.length]
  const spread = runs.reduce((sum, run) => sum + (run.matches - share * run.rows) ** 2, 0) / Math.max(1, many - 1)
  const variance = ((1 - rows / total) * spread) / (many * mean ** 2)
  return { count, error: Math.ceil(1.96 * Math.sqrt(variance) * total) }
}

const ruleErrors = (fields: Fields): readonly FieldError[] => {
  if (!Object.hasOwn(fields, 'rule')) return []
  const read = readSegmentRule(fields.rule)
  if (read.ok) return []
  return read.faults.map(({ path, rule }) => ({
    path: path === '' ? 'rule' : `rule.${path}`,
    code: 'format',
    params: { rule },
  }))
}

const checked = (fields: Fields) => {
  const errors = ruleErrors(fields)
  return errors.length > 0 ? refused('validation.failed', { errors }) : accepted(fields)
}

/** Rules of a segment beyond its declaration. */
export const segmentBehaviour = {
  commands: {},
  onCreate: fields => checked(fields),
  onChange: (_state, changes) => checked(changes),
} satisfies Behaviour
