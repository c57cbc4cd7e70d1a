import { z } from 'zod'

/**
 * Rules of segments: JSON {all|any: [{field, op, value} | {all|any: …}]}. A rule is data: it is compared in memory and
 * never becomes part of a query.
 */

const FIELDS = Array.from({ length: 16 }, (_, at) => `field${String(at + 1).padStart(2, '0')}`)
/** Texts of a contact; a column of a file is `column:` and its name. */
export const SEGMENT_TEXTS: readonly string[] = ['nome', ...FIELDS]
export const COLUMN_PREFIX = 'column:'

/** Classes of failures that a condition may name. */
export const FAILURE_CLASSES = ['recipient', 'cap', 'optedout', 'template', 'account', 'transient', 'other'] as const
export type FailureClass = (typeof FAILURE_CLASSES)[number]

const TEXT_OPS = [
  ...['is', 'isnot', 'contains', 'notcontains', 'starts', 'empty', 'filled'],
  ...['more', 'less', 'before', 'after'],
] as const
const CHOICE_OPS = ['in', 'notin'] as const
const CONSENT_OPS = ['has', 'hasnot'] as const
const REPLY_OPS = ['within', 'notwithin'] as const
const CAMPAIGN_OPS = ['sent', 'notsent', 'notread', 'read', 'engaged', 'failed'] as const

/** Operators of a field; undefined: there is no such field. */
export const segmentOps = (field: string): readonly string[] | undefined => {
  if (SEGMENT_TEXTS.includes(field) || (field.startsWith(COLUMN_PREFIX) && field.length > COLUMN_PREFIX.length))
    return TEXT_OPS
  switch (field) {
    case 'country':
    case 'ddd':
    case 'list':
      return CHOICE_OPS
    case 'consent':
    case 'tag':
      return CONSENT_OPS
    case 'lastreply':
      return REPLY_OPS
    case 'campaign':
      return CAMPAIGN_OPS
    default:
      return undefined
  }
}

export const MAX_SEGMENT_DEPTH = 3
export const MAX_SEGMENT_CONDITIONS = 20
const MAX_VALUE = 200
const MAX_CHOICES = 100
const MAX_DAYS = 3650

/** A campaign and, of a failure, its class. */
interface CampaignValue {
  readonly campaign: string
  readonly class?: FailureClass | undefined
}

export interface SegmentCondition {
  readonly field: string
  readonly op: string
  readonly value?: string | number | readonly string[] | CampaignValue | undefined
}

/** One of both members is set. */
export interface SegmentGroup {
  readonly all?: readonly SegmentRule[] | undefined
  readonly any?: readonly SegmentRule[] | undefined
}

export type SegmentRule = SegmentCondition | SegmentGroup

export const isSegmentGroup = (rule: SegmentRule): rule is SegmentGroup => !('field' in rule)

const text = z.string().max(MAX_VALUE)
const ids = z.array(text.min(1)).min(1).max(MAX_CHOICES)
const campaignValue = z.strictObject({ campaign: text.min(1), class: z.enum(FAILURE_CLASSES).optional() })

/** Digits and marks of a number as people write it. */
const NUMBER = /^[^\d,.-]{0,5}(-?)(\d[\d.,]*)\s*[^\d]{0,5}$/u

/** A number as people write it: `R$ 1.234,56`, `1,234.56`, `10`. */
export const segmentNumber = (given: string): number | undefined => {
  const [, sign = '', digits] = NUMBER.exec(given.trim()) ?? []
  if (digits === undefined) return undefined
  const mark = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'))
  const isThousands = mark >= 0 && /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/u.test(digits)
  const plain =
    mark < 0 || isThousands
      ? digits.replace(/[.,]/gu, '')
      : `${digits.slice(0, mark).replace(/[.,]/gu, '')}.${digits.slice(mark + 1)}`
  const value = Number(sign + plain)
  return Number.isFinite(value) ? value : undefined
}

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:\D|$)/u
const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:\D|$)/u

/** A day as people write it, in Brazilian or ISO order, as YYYYMMDD. */
export const segmentDay = (given: string): number | undefined => {
  const iso = ISO.exec(given.trim())
  const other = iso === null ? DAY_FIRST.exec(given.trim()) : null
  const [year, month, day] = iso !== null ? [iso[1], iso[2], iso[3]] : [other?.[3], other?.[2], other?.[1]]
  if (year === undefined || month === undefined || day === undefined) return undefined
  const [y, m, d] = [Number(year.length === 2 ? `20${year}` : year), Number(month), Number(day)]
  const date = new Date(Date.UTC(y, m - 1, d))
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return undefined
  return y * 10_000 + m * 100 + d
}

const hasValue: Readonly<Record<string, (value: unknown) => boolean>> = {
  empty: value => value === undefined || value === '',
  filled: value => value === undefined || value === '',
  more: value => typeof value === 'string' && segmentNumber(value) !== undefined,
  less: value => typeof value === 'string' && segmentNumber(value) !== undefined,
  before: value => typeof value === 'string' && segmentDay(value) !== undefined,
  after: value => typeof value === 'string' && segmentDay(value) !== undefined,
}

const isValue = ({ field, op, value }: SegmentCondition): boolean => {
  switch (field) {
    case 'country':
      return ids.safeParse(value).success && (value as readonly string[]).every(one => /^[A-Z]{2}$/u.test(one))
    case 'ddd':
      return ids.safeParse(value).success && (value as readonly string[]).every(one => /^[1-9]\d$/u.test(one))
    case 'list':
      return ids.safeParse(value).success
    case 'consent':
      return value === undefined || value === ''
    case 'tag':
      return text.min(1).safeParse(value).success
    case 'lastreply':
      return z.int().min(1).max(MAX_DAYS).safeParse(value).success
    case 'campaign':
      return campaignValue.safeParse(value).success && (op === 'failed' || (value as CampaignValue).class === undefined)
    default:
      return (hasValue[op] ?? (one => text.min(1).safeParse(one).success))(value)
  }
}

interface SegmentFault {
  /** Path of the member that is wrong, such as `all.0.value`. */
  readonly path: string
  readonly rule: 'segmentform' | 'segmentfield' | 'segmentop' | 'segmentvalue' | 'segmentdepth' | 'segmentcount'
}

const condition = z.strictObject({
  field: z.string().max(MAX_VALUE),
  op: z.string().max(20),
  value: z.unknown().optional(),
})

const kindOf = (given: object): 'all' | 'any' | undefined => {
  const keys = Object.keys(given)
  return keys.length === 1 && (keys[0] === 'all' || keys[0] === 'any') ? keys[0] : undefined
}

/** Reads a rule that a person or a client gave. Every fault is named; the work is bounded by the number of conditions. */
export const readSegmentRule = (
  given: unknown,
):
  | { readonly ok: true; readonly rule: SegmentGroup }
  | { readonly ok: false; readonly faults: readonly SegmentFault[] } => {
  const faults: SegmentFault[] = []
  const count = { of: 0 }
  const fault = (path: string, rule: SegmentFault['rule']) => faults.push({ path, rule })
  const visit = (one: unknown, path: string, depth: number): unknown => {
    if (count.of > MAX_SEGMENT_CONDITIONS || faults.length > MAX_SEGMENT_CONDITIONS) return undefined
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return fault(path, 'segmentform')
    const kind = kindOf(one)
    if (kind !== undefined) {
      const rules = (one as Readonly<Record<string, unknown>>)[kind]
      if (!Array.isArray(rules) || rules.length === 0) return fault(path, 'segmentform')
      if (depth > MAX_SEGMENT_DEPTH) return fault(path, 'segmentdepth')
      const at = path === '' ? kind : `${path}.${kind}`
      for (const [place, each] of rules.slice(0, MAX_SEGMENT_CONDITIONS + 1).entries())
        visit(each, `${at}.${place}`, depth + 1)
      return undefined
    }
    count.of += 1
    if (count.of > MAX_SEGMENT_CONDITIONS) return fault('', 'segmentcount')
    const parsed = condition.safeParse(one)
    if (!parsed.success || depth === 1) return fault(path, 'segmentform')
    const read = parsed.data as SegmentCondition
    const ops = segmentOps(read.field)
    if (ops === undefined) return fault(`${path}.field`, 'segmentfield')
    if (!ops.includes(read.op)) return fault(`${path}.op`, 'segmentop')
    return isValue(read) ? undefined : fault(`${path}.value`, 'segmentvalue')
  }
  visit(given, '', 1)
  return faults.length > 0 ? { ok: false, faults } : { ok: true, rule: given as SegmentGroup }
}

/** All conditions of a rule, in order. */
export function* segmentConditions(rule: SegmentRule): Generator<SegmentCondition> {
  if (!isSegmentGroup(rule)) yield rule
  else for (const one of rule.all ?? rule.any ?? []) yield* segmentConditions(one)
}
