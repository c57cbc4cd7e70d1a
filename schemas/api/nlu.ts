import { z } from 'zod'
import { named } from './common.ts'
import { flag } from './query.ts'

/** A model: by its flag, or by its id. */
const modelName = z.string().regex(/^(?:production|test|[\da-f]{64})$/u)

/** A text to understand, by the model in production, the one in test or any other of the project. */
export const parseBody = named(
  'ParseText',
  z.strictObject({ text: z.string().max(4000), model: modelName.default('production') }),
)

const reasons = z.array(z.object({ text: z.string(), weight: z.number() }))

/** A model's result for a text. Confidences are from 0 to 1, places count UTF-16 units. */
export const understandingSchema = named(
  'Understanding',
  z.object({
    /** Null where the model is not sure enough. */
    intent: z.string().nullable(),
    confidence: z.number(),
    ranking: z.array(z.object({ name: z.string(), confidence: z.number() })),
    entities: z.array(
      z.object({
        entity: z.string(),
        value: z.union([z.string(), z.number()]),
        raw: z.string(),
        start: z.int(),
        end: z.int(),
        confidence: z.number(),
        by: z.enum(['regex', 'lookup', 'learned', 'system']),
      }),
    ),
    /** Main reasons for and against the best intent. */
    reasons: z.object({ for: reasons, against: reasons }),
    threshold: z.number(),
    /** Answers to the intent, as its model has them. */
    responses: z.array(z.string()),
    system: z.string(),
    /** Hash of the model. */
    model: z.string(),
    ms: z.number(),
  }),
)

/**
 * State of a training. `progress` from 0 to 1, started `stages` with their seconds and `waiting`, the trainings before
 * it, are null unless this node trains it. `stale`: the project, or one that it inherits from, has changed since the
 * newest model was trained; `untrained`: lines outside that training. Both are null without such a model.
 */
export const trainingSchema = named(
  'Training',
  z.object({
    status: z.string(),
    started: z.string().nullable(),
    /** User id. */
    by: z.string().nullable(),
    finished: z.string().nullable(),
    error: z.string().nullable(),
    progress: z.number().nullable(),
    stages: z
      .array(z.object({ stage: z.enum(['read', 'validate', 'intents', 'entities']), seconds: z.number() }))
      .nullable(),
    waiting: z.int().nullable(),
    stale: z.boolean().nullable(),
    untrained: z.int().nullable(),
  }),
)

const model = z.string().max(64)
export const evaluationQuery = z.strictObject({ model })

const scores = z.array(
  z.object({ name: z.string(), count: z.int(), precision: z.number(), recall: z.number(), f1: z.number() }),
)
const line = z.object({ id: z.string(), text: z.string(), intent: z.string() })

/**
 * Cross-validation of a model: results for lines outside its training. Texts are marked, figures are from 0 to 1.
 * `wrong` holds the first 2,000 lines assigned to another intent, most confident first.
 */
export const evaluationSchema = named(
  'NluEvaluation',
  z.object({
    model: z.string(),
    threshold: z.number(),
    lines: z.int(),
    right: z.int(),
    f1: z.number(),
    below: z.number(),
    intents: scores,
    entities: scores,
    confusion: z.array(z.object({ intent: z.string(), found: z.string(), count: z.int() })),
    wrong: z.array(line.extend({ found: z.string(), confidence: z.number() })),
    /** Lines of two intents that say the same (score 1) or nearly. */
    pairs: z.array(z.object({ one: line, other: line, score: z.number() })),
  }),
)

/** Two models to compare: on `lines`, else on what they were both tried on when they were trained. */
export const compareBody = named(
  'CompareModels',
  z.strictObject({
    model,
    other: model,
    lines: z
      .array(z.strictObject({ text: z.string().max(4000), intent: z.string().max(200) }))
      .min(1)
      .max(5000)
      .optional(),
  }),
)

const verdict = z.object({ intent: z.string().nullable(), confidence: z.number() })

/** `better`: lines that `model` gets right and `other` does not. `changed` holds the first 1,000, the worse ones first. */
export const comparisonSchema = named(
  'NluComparison',
  z.object({
    lines: z.int(),
    right: z.int(),
    otherRight: z.int(),
    better: z.int(),
    worse: z.int(),
    changed: z.array(line.extend({ model: verdict, other: verdict })),
    total: z.int(),
  }),
)

/** Messages to the bots of a project that no intent matched, newest first; excludes those that are statements now. */
export const unrecognizedSchema = named(
  'Unrecognized',
  z.object({
    items: z.array(
      z.object({
        /** Names it, for `dismissline`. */
        line: z.string(),
        /** A person dismissed it. */
        dismissed: z.boolean(),
        text: z.string(),
        /** Number of messages. */
        count: z.int(),
        /** Last occurrence: UTC time, conversation and bot. */
        time: z.string(),
        conversation: z.string(),
        turn: z.int(),
        bot: z.string(),
        /** The likeliest intent, though not likely enough. */
        intent: z.string().nullable(),
        /** From 0 to 1. */
        confidence: z.number(),
      }),
    ),
    /** Older words were not looked at. */
    more: z.boolean(),
  }),
)

/** A story as it is edited; `story` is its id, null while it is new. */
export const checkStoryBody = named(
  'CheckStory',
  z.strictObject({
    story: z.string().max(64).nullable(),
    steps: z
      .array(
        z.object({
          kind: z.enum(['intent', 'entity', 'action']),
          name: z.string().max(500),
          text: z.string().max(4000).nullish(),
        }),
      )
      .max(500),
  }),
)

/** Faults of a story. `step` counts from 0, null for the whole story. */
export const storyFaultsSchema = named(
  'StoryFaults',
  z.object({
    faults: z.array(
      z.object({
        code: z.enum(['intent', 'entity', 'action', 'unsaid', 'unreachable', 'silent', 'contradiction', 'same']),
        step: z.int().nullable(),
        /** Name in the step. */
        name: z.string(),
        /** Another story, and what the bot does there; empty where it waits. */
        other: z.object({ id: z.string(), name: z.string(), does: z.string() }).optional(),
      }),
    ),
  }),
)

export const nluUploadQuery = z.strictObject({ dryrun: flag.default(false) })
export const nluDownloadQuery = z.strictObject({ format: z.enum(['json', 'yaml']).optional() })

/** A file in the format of Rasa 3. */
export const nluFileAnswer = z.string()

const outcome = z.enum(['added', 'changed', 'unchanged', 'refused'])
const error = z.object({ path: z.string(), code: z.string(), message: z.string() })

/**
 * Result of an upload, or its preview with `dryrun`. `added` and `changed` count things; `rows` holds the first 1,000
 * of them with the new lines, values or patterns of each.
 */
export const nluUploadSchema = named(
  'NluUpload',
  z.object({
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.int(),
    rows: z.array(
      z.object({
        entity: z.string(),
        name: z.string(),
        outcome,
        count: z.int(),
        errors: z.array(error).optional(),
      }),
    ),
    /** Parts of the file without use in a project. */
    notunderstood: z.array(z.object({ path: z.string(), code: z.string(), name: z.string() })),
    process: z.string().optional(),
  }),
)
