import { z } from 'zod'
import { story } from '#schemas/entities/story.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, textAt } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { DomainEvent, Live, NamedCommand } from './behaviour.ts'
import { eventOf } from './entity.ts'

/** Models of a project that are kept, besides those in production and test. */
const MAX_MODELS = 10
/** Lines that were looked at are remembered, the last ones. */
const MAX_REVIEWED = 1000

/** A trained model as its project lists it. */
export interface ListedModel {
  /** Its hash. */
  readonly id: string
  /** SHA-256 of its bytes, hex. */
  readonly hash: string
  /** Storage path. */
  readonly file: string
  /** ISO 8601 UTC. */
  readonly created_at: string
  readonly production: boolean
  readonly test: boolean
  readonly figures: JsonObject
  /** Counts the models of the project; 0 where it was trained before they were counted. */
  readonly number: number
  /** Storage path of its evaluation; empty without one. */
  readonly evaluation: string
  /** SHA-256 of what it was trained from, hex; empty where that was not kept. */
  readonly data: string
  /** User id of who had it trained. */
  readonly trained_by: string | null
}

/** The models of a project, newest first. */
export const modelsOf = (value: Json | undefined): readonly ListedModel[] =>
  (Array.isArray(value) ? value : []).filter(isObject).map(model => ({
    id: textAt(model, 'id'),
    hash: textAt(model, 'hash'),
    file: textAt(model, 'file'),
    created_at: textAt(model, 'created_at'),
    production: model.production === true,
    test: model.test === true,
    figures: isObject(model.figures) ? model.figures : {},
    number: typeof model.number === 'number' ? model.number : 0,
    evaluation: textAt(model, 'evaluation'),
    data: textAt(model, 'data'),
    trained_by: textAt(model, 'trained_by') || null,
  }))

/** A line that was reviewed and kept, though a model took it for another intent. */
export interface ReviewedLine {
  /** Of the statement. */
  readonly line: string
  /** Name of that intent. */
  readonly as: string
}

export const reviewedOf = (value: Json | undefined): readonly ReviewedLine[] =>
  (Array.isArray(value) ? value : [])
    .filter(isObject)
    .map(item => ({ line: textAt(item, 'line'), as: textAt(item, 'as') }))

const json = (models: readonly ListedModel[]): Json => models.map(model => ({ ...model }))

/** The newest ten, and those that are used. */
const kept = (models: readonly ListedModel[]): readonly ListedModel[] =>
  models.filter(({ production, test }, place) => place < MAX_MODELS || production || test)

const finished = z.strictObject({
  /** `training_started_at` of the training that this is the end of. */
  started: z.string(),
  hash: z.string(),
  file: z.string(),
  evaluation: z.string(),
  data: z.string(),
  figures: z.record(z.string(), z.number()),
})
const failed = z.strictObject({ started: z.string(), code: z.string().max(200) })

const isOf = ({ fields }: Live, started: unknown): boolean =>
  fields.training_status === 'started' && fields.training_started_at === started

/** Gives one model a flag that no other then has. */
const flagged = (entity: EntityDeclaration, flag: 'production' | 'test', verb: string): NamedCommand => ({
  decide({ fields }, input): Result<readonly DomainEvent[]> {
    const models = modelsOf(fields.models)
    const chosen = models.find(({ id }) => id === input.model)
    if (chosen === undefined) return refused('validation.failed', { errors: [{ path: 'model', code: 'option' }] })
    if (chosen[flag]) return accepted([])
    const changed = models.map(model => ({ ...model, [flag]: model === chosen }))
    return accepted([eventOf(entity, verb, { fields: { models: json(kept(changed)) } })])
  },
})

/** Marks a line as reviewed and kept, or removes the mark. */
const reviewed = (entity: EntityDeclaration): NamedCommand => ({
  decide({ fields }, { line, as, done }): Result<readonly DomainEvent[]> {
    const known = reviewedOf(fields.reviewed)
    const others = known.filter(each => each.line !== line || each.as !== as)
    const isDone = done !== false
    if (isDone === others.length < known.length) return accepted([])
    const next = isDone ? [{ line: String(line), as: String(as) }, ...others].slice(0, MAX_REVIEWED) : others
    return accepted([eventOf(entity, 'LineReviewed', { fields: { reviewed: next.map(each => ({ ...each })) } })])
  },
})

/** Given by the node that trained. */
const failedTraining = (entity: EntityDeclaration): NamedCommand => ({
  input: failed,
  decide(state, { started, code }, { time }): Result<readonly DomainEvent[]> {
    if (!isOf(state, started)) return accepted([])
    const fields = { training_status: 'failed', training_finished_at: time, training_error: String(code) }
    return accepted([eventOf(entity, 'TrainingFailed', { fields })])
  },
})

/** Training of a project or brain, and what its models are for. */
export const trainingCommands = (entity: EntityDeclaration) =>
  ({
    train: {
      decide({ fields }, _input, { time, actor }): Result<readonly DomainEvent[]> {
        if (fields.training_status === 'started') return refused('nlu.training')
        const started = {
          training_status: 'started',
          training_started_at: time,
          training_started_by: actor,
          training_finished_at: null,
          training_error: null,
        }
        return accepted([eventOf(entity, 'TrainingStarted', { fields: started })])
      },
    },
    cancel: {
      decide({ fields }, _input, { time }): Result<readonly DomainEvent[]> {
        if (fields.training_status !== 'started') return accepted([])
        const ended = { training_status: 'failed', training_finished_at: time, training_error: 'cancelled' }
        return accepted([eventOf(entity, 'TrainingCancelled', { fields: ended })])
      },
    },
    setproduction: flagged(entity, 'production', 'ModelSetForProduction'),
    settest: flagged(entity, 'test', 'ModelSetForTest'),
    reviewline: reviewed(entity),
    /** Sent by the training node. Ignored if that training no longer runs. */
    finishtraining: {
      input: finished,
      decide(state, input, { time }): Result<readonly DomainEvent[]> {
        if (!isOf(state, input.started)) return accepted([])
        const models = modelsOf(state.fields.models)
        const same = models.find(({ hash }) => hash === input.hash)
        const by = state.fields.training_started_by
        const model: ListedModel = {
          id: textAt(input, 'hash'),
          hash: textAt(input, 'hash'),
          file: textAt(input, 'file'),
          created_at: time,
          production: same?.production ?? false,
          test: same?.test ?? false,
          figures: isObject(input.figures) ? input.figures : {},
          number: same?.number || Math.max(0, ...models.map(({ number }) => number)) + 1,
          evaluation: textAt(input, 'evaluation'),
          data: textAt(input, 'data'),
          trained_by: typeof by === 'string' ? by : null,
        }
        const fields = {
          training_status: 'finished',
          training_finished_at: time,
          training_error: null,
          models: json(kept([model, ...models.filter(each => each !== same)])),
        }
        return accepted([eventOf(entity, 'TrainingFinished', { fields })])
      },
    },
    failtraining: failedTraining(entity),
  }) satisfies Record<string, NamedCommand>

/** Records the state of an upload on its project and on each story of the file. Sent by the server alone. */
export const uploadCommand = (entity: EntityDeclaration): NamedCommand => ({
  input: z.strictObject({ upload_status: z.enum(['started', 'finished', 'failed']) }),
  decide(_state, { upload_status = 'started' }, { time }) {
    const fields = { upload_status, ...(upload_status === 'finished' ? { uploaded_at: time } : {}) }
    return accepted([eventOf(entity, 'Uploaded', { fields })])
  },
})

/** The server alone sends it: its project is trained. `started`: `training_started_at` of that training. */
export const storyTraining: NamedCommand = {
  input: z.strictObject({
    started: z.string(),
    status: z.enum(['started', 'finished', 'failed']),
    /** Why it failed. */
    code: z.string().max(2000).nullable(),
  }),
  decide({ fields }, { started = '', status, code = null }, { time, actor }) {
    const isThis = fields.training_started_at === started
    if (status === 'started') {
      const begun = {
        training_status: 'started',
        training_started_at: started,
        training_started_by: actor,
        training_finished_at: null,
        training_error: null,
      }
      return accepted(isThis ? [] : [eventOf(story, 'TrainingStarted', { fields: begun })])
    }
    if (!isThis || fields.training_status !== 'started') return accepted([])
    const isFinished = status === 'finished'
    const ended = {
      training_status: isFinished ? 'finished' : 'failed',
      training_finished_at: time,
      training_error: isFinished ? null : code,
    }
    return accepted([eventOf(story, isFinished ? 'TrainingFinished' : 'TrainingFailed', { fields: ended })])
  },
}
