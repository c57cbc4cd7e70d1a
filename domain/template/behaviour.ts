import { z } from 'zod'
import { template } from '#schemas/entities/template.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual, objectsOf } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DomainEvent, Live, NamedCommand } from '../behaviour.ts'
import { eventOf } from '../entity.ts'
import { lintTemplate } from './lint.ts'
import { editableStatus, isAtProvider, isFixedField, isUnderReview, META, providerOf, templateOf } from './template.ts'

type Fields = Live['fields']

/** Facts about the channel of a template. */
export interface TemplateFacts {
  /** Type of its channel; null: it has none, or not one that exists. */
  readonly channelType: string | null
  /** Whether that channel sends templates. */
  readonly isSending: boolean
}

type Command = NamedCommand<TemplateFacts>

const wrong = (path: string, rule: string): FieldError => ({ path, code: 'format', params: { rule } })

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

/** One place where it is registered, and the provider there. */
const registered = (fields: Fields, { channelType, isSending }: TemplateFacts): Result<Fields> => {
  const isOfChannel = !isEmpty(fields.channel)
  const errors = [
    ...(isEmpty(fields.metaaccount) !== isOfChannel ? [wrong('metaaccount', 'oneplace')] : []),
    ...(isOfChannel && !isSending ? [wrong('channel', 'templatechannel')] : []),
  ]
  if (errors.length > 0) return refused('validation.failed', { errors })
  return accepted({ ...fields, provider: isOfChannel ? channelType : META })
}

/** Errors of a template before it is submitted; without warnings. */
const templateErrors = (fields: Fields): readonly FieldError[] =>
  lintTemplate(templateOf(fields))
    .filter(({ level }) => level !== 'warning')
    .map(({ path, rule, max }) => ({ path, code: 'template', params: { rule, ...(max === undefined ? {} : { max }) } }))

/** Changes of fields that are fixed while the provider has the template. */
const fixedErrors = (fields: Fields, changes: Fields): readonly FieldError[] =>
  Object.keys(changes)
    .filter(name => isFixedField(fields, name) && !jsonEqual(changes[name] ?? null, fields[name] ?? null))
    .map(path => ({ path, code: 'readonly' }))

/** Examples alone: what campaigns fill variables with is nothing of the provider's. */
const examplesOf = (params: Json | undefined): Json =>
  objectsOf(params).map(({ name = null, example = null }) => [name, example])

/** Whether changes leave what the provider has. */
const isOwnChange = (fields: Fields, changes: Fields): boolean =>
  Object.entries(changes).every(([name, value]) =>
    name === 'params'
      ? jsonEqual(examplesOf(value), examplesOf(fields.params))
      : jsonEqual(value ?? null, fields[name] ?? null),
  )

const submit: Command = {
  decide({ fields }, _input, { time }): Result<readonly DomainEvent[]> {
    if (fields.submission === 'submitting') return accepted([])
    // Templates at a channel of Meta are reviewed at the account that its number belongs to.
    const isAtChannelOfMeta = fields.provider === 'whatsapp_meta' && isEmpty(fields.metaaccount)
    if (providerOf(fields)?.review !== 'submit' || isAtChannelOfMeta) return refused('template.unsubmittable')
    const { status } = fields
    if (isUnderReview(status)) return refused('template.review')
    if (isAtProvider(fields) && !editableStatus(status))
      return refused('template.edit', { params: { status: status ?? '' } })
    const errors = templateErrors(fields)
    if (errors.length > 0) return refused('validation.failed', { errors })
    const started = { submission: 'submitting', submitted_at: time, submission_error: null }
    return accepted([eventOf(template, 'Submitted', { fields: started })])
  },
}

/** The id by which messages name the template, where the provider wants one. */
const idFields = (fields: Fields, id: Json | undefined): JsonObject =>
  providerOf(fields)?.key === 'id' && typeof id === 'string' ? { provider_id: id } : {}

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
const endSubmission: Command = {
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
            ...idFields(fields, input.external_id),
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
  /** Names of its variables, where the provider has them. */
  provider_fields: z
    .array(z.strictObject({ variable: z.string().max(120), name: z.string().max(2000) }))
    .max(100)
    .optional(),
  /** Fields as the provider has them, where it alone changes a template. */
  content: z.record(z.string(), z.json()).optional(),
  /** Whether Meta has what is here. */
  same: z.boolean().optional(),
})

const isOlder = (time: Json | undefined, known: Json | undefined): boolean =>
  typeof time === 'string' && typeof known === 'string' && time < known

/** Meta's review status, from a webhook or a request. */
const review: Command = {
  input: reviewed,
  decide({ fields }, input): Result<readonly DomainEvent[]> {
    const isStale = isOlder(input.time, fields.reviewed_at)
    const found: JsonObject = {
      ...(input.external_id === undefined ? {} : { external_id: input.external_id }),
      ...(input.quality === undefined ? {} : { quality: input.quality }),
      ...(input.content === undefined ? {} : (input.content as JsonObject)),
      ...idFields(fields, input.external_id),
      ...(input.provider_fields === undefined ? {} : { provider_fields: input.provider_fields }),
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
  onCreate: (fields, { facts }) => registered(fields, facts),
  onChange({ fields }, changes): Result<Fields> {
    if (fields.submission === 'submitting' || isUnderReview(fields.status)) return refused('template.review')
    const errors = fixedErrors(fields, changes)
    if (errors.length > 0) return refused('validation.failed', { errors })
    const isResubmitted =
      isAtProvider(fields) && providerOf(fields)?.review === 'submit' && !isOwnChange(fields, changes)
    return accepted(isResubmitted ? { ...changes, modified_since: true } : changes)
  },
} satisfies Behaviour<TemplateFacts>
