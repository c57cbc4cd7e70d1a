import { z } from 'zod'
import { template } from '#schemas/entities/template.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DomainEvent, Live, NamedCommand } from '../behaviour.ts'
import { eventOf } from '../entity.ts'
import { lintTemplate } from './lint.ts'
import { editableStatus, isUnderReview, templateOf } from './template.ts'

type Fields = Live['fields']

/** Errors of a template before it is submitted; without warnings. */
const templateErrors = (fields: Fields): readonly FieldError[] =>
  lintTemplate(templateOf(fields))
    .filter(({ level }) => level !== 'warning')
    .map(({ path, rule, max }) => ({ path, code: 'template', params: { rule, ...(max === undefined ? {} : { max }) } }))

const isAtMeta = ({ external_id: id }: Fields): boolean => typeof id === 'string' && id !== ''

/** Identifying fields at Meta: fixed once it is there. The category of an approved one stays. */
const fixedErrors = (fields: Fields, changes: Fields): readonly FieldError[] =>
  ['templateName', 'language', ...(fields.status === 'APPROVED' ? ['category'] : [])]
    .filter(name => name in changes && !jsonEqual(changes[name] ?? null, fields[name] ?? null))
    .map(path => ({ path, code: 'readonly' }))

const submit: NamedCommand = {
  decide({ fields }, _input, { time }): Result<readonly DomainEvent[]> {
    if (fields.submission === 'submitting') return accepted([])
    const { status } = fields
    if (isUnderReview(status)) return refused('template.review')
    if (isAtMeta(fields) && !editableStatus(status))
      return refused('template.edit', { params: { status: status ?? '' } })
    const errors = templateErrors(fields)
    if (errors.length > 0) return refused('validation.failed', { errors })
    const started = { submission: 'submitting', submitted_at: time, submission_error: null }
    return accepted([eventOf(template, 'Submitted', { fields: started })])
  },
}

const ended = z.strictObject({
  /** `submitted_at` of the submission that this is the end of. */
  started: z.string(),
  submission: z.enum(['submitted', 'failed', 'unknown']),
  error: z.string().max(1000).optional(),
  external_id: z.string().max(64).optional(),
  status: z.string().max(64).optional(),
  category: z.string().max(64).optional(),
})

const CATEGORIES: ReadonlySet<string> = new Set(['marketing', 'utility', 'authentication'])

/** The category that Meta gives; the one before is kept, because the price follows it. */
const categoryFields = (fields: Fields, given: Json | undefined): JsonObject => {
  const next = typeof given === 'string' ? given.toLowerCase() : ''
  if (!CATEGORIES.has(next) || next === fields.category) return {}
  return { category: next, old_category: fields.category ?? null }
}

/** Sent by the node that asked Meta. Ignored if the submission no longer runs. */
const endSubmission: NamedCommand = {
  input: ended,
  decide({ fields }, input, { time }): Result<readonly DomainEvent[]> {
    if (fields.submission !== 'submitting' || fields.submitted_at !== input.started) return accepted([])
    const isIn = input.submission === 'submitted'
    const next: JsonObject = {
      submission: input.submission ?? null,
      submission_error: input.error ?? null,
      ...(isIn
        ? {
            external_id: input.external_id ?? fields.external_id ?? null,
            status: input.status ?? 'PENDING',
            reason: null,
            reviewed_at: time,
            quality: fields.quality ?? 'UNKNOWN',
            modified_since: false,
            ...categoryFields(fields, input.category),
          }
        : {}),
    }
    return accepted([eventOf(template, isIn ? 'SubmissionTaken' : 'SubmissionFailed', { fields: next })])
  },
}

const reviewed = z.strictObject({
  /** Time of Meta's statement: older ones than the known change nothing. */
  time: z.iso.datetime(),
  external_id: z.string().max(64).optional(),
  status: z.string().max(64).optional(),
  reason: z.string().max(1000).nullable().optional(),
  quality: z.string().max(64).optional(),
  category: z.string().max(64).optional(),
  /** Whether Meta has what is here. */
  same: z.boolean().optional(),
})

const isOlder = (time: Json | undefined, known: Json | undefined): boolean =>
  typeof time === 'string' && typeof known === 'string' && time < known

/** Meta's review status, from a webhook or a request. */
const review: NamedCommand = {
  input: reviewed,
  decide({ fields }, input): Result<readonly DomainEvent[]> {
    const isStale = isOlder(input.time, fields.reviewed_at)
    const found: JsonObject = {
      ...(input.external_id === undefined ? {} : { external_id: input.external_id }),
      ...(input.quality === undefined ? {} : { quality: input.quality }),
      ...(input.status === undefined || isStale ? {} : { status: input.status, reason: input.reason ?? null }),
      ...categoryFields(fields, input.category),
      // Meta knows it, so it was submitted, even without an answer.
      ...(fields.submission !== 'submitting' && input.external_id !== undefined
        ? { submission: 'submitted', submission_error: null }
        : {}),
      ...(input.same === undefined ? {} : { modified_since: input.same === false }),
    }
    const changed = Object.entries(found).filter(([name, value]) => !jsonEqual(value, fields[name] ?? null))
    if (changed.length === 0) return accepted([])
    const time = isStale ? {} : { reviewed_at: input.time ?? null }
    return accepted([eventOf(template, 'Reviewed', { fields: { ...Object.fromEntries(changed), ...time } })])
  },
}

/** Rules of a template beyond its declaration. */
export const templateBehaviour = {
  commands: { submit, endsubmission: endSubmission, review },
  onChange({ fields }, changes): Result<Fields> {
    if (fields.submission === 'submitting' || isUnderReview(fields.status)) return refused('template.review')
    const errors = isAtMeta(fields) ? fixedErrors(fields, changes) : []
    if (errors.length > 0) return refused('validation.failed', { errors })
    return accepted(isAtMeta(fields) ? { ...changes, modified_since: true } : changes)
  },
} satisfies Behaviour
