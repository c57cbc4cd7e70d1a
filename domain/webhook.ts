import { z } from 'zod'
import { WEBHOOK_STATES, webhook } from '#schemas/entities/webhook.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DomainEvent, Live, NamedCommand } from './behaviour.ts'
import { eventOf, type Fields } from './entity.ts'
import { SEND_PERSONAL } from './people/permission.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Both secrets sign for this long after a rotation. */
export const ROTATION_MS = 24 * HOUR_MS

/** Pauses before the second to the tenth attempt: 75 h 35 min in all. */
const WEBHOOK_PAUSES: readonly number[] = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR_MS),
]
/** Failures alone for so long turn a webhook off. */
export const DEAD_MS = 75 * HOUR_MS
const JITTER = 0.1
/** Longest `Retry-After` that is kept. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/** ms until the attempt after this many; undefined: the event is given up. `chance`: 0 to 1. */
export const nextWebhookPause = (tries: number, retryAfter: number, chance: number): number | undefined => {
  const pause = WEBHOOK_PAUSES[tries - 1]
  if (pause === undefined) return undefined
  return Math.max(Math.round(pause * (1 + JITTER * (2 * chance - 1))), retryAfter)
}

export interface WebhookFacts {
  /** A new secret. */
  readonly secret: string
  /** The address may be called from here. */
  readonly isAllowed: boolean
  /** The caller has `sendpersonal`. */
  readonly maySendPersonal: boolean
}

/** Whether events go out with personal values, if the rights of its owner allow it. */
export const sendsPersonal = ({ values, personal }: Fields): boolean => values === true && personal === true

/** Fields whose change decides what leaves and where to. */
const DECISIVE = ['url', 'enable', 'types', 'bots', 'values', 'personal', 'personal_reason']

const isDecisive = (changes: Fields): boolean => DECISIVE.some(name => name in changes)

/** Turning a webhook off needs no right to personal values. */
const checked = (present: Fields, changes: Fields, { isAllowed, maySendPersonal }: WebhookFacts): Result<Fields> => {
  if ('url' in changes && !isAllowed)
    return refused('validation.failed', { errors: [{ path: 'url', code: 'format', params: { rule: 'privatehost' } }] })
  const next = { ...present, ...changes }
  return sendsPersonal(next) && next.enable !== false && isDecisive(changes) && !maySendPersonal
    ? refused('access.lacking', { params: { permissions: [SEND_PERSONAL] } })
    : accepted(changes)
}

/** Given by the node that sends. */
export const recordWebhook: NamedCommand<WebhookFacts> = {
  input: z.strictObject({ state: z.enum(WEBHOOK_STATES), off_reason: z.string().max(100).nullable() }),
  decide({ fields }: Live, { state = null, off_reason = null }): Result<readonly DomainEvent[]> {
    if (fields.state === state) return accepted([])
    const more = state === 'off' ? { enable: false, off_reason } : { off_reason: null }
    return accepted([eventOf(webhook, 'Changed', { fields: { state, ...more } })])
  },
}

export const webhookBehaviour = {
  commands: {},
  onCreate(fields, { actor, facts }) {
    const allowed = checked({}, fields, facts)
    return allowed.ok ? accepted({ ...fields, owner: actor, secret: facts.secret }) : allowed
  },
  onChange({ fields }, changes, { actor, facts }) {
    const allowed = checked(fields, changes, facts)
    if (!allowed.ok || !isDecisive(changes)) return allowed
    // The rights of the last author count: an editor never gets more than the own rights allow.
    const isBack = changes.enable === true && fields.state === 'off'
    return accepted({ ...changes, owner: actor, ...(isBack ? { state: 'working', off_reason: null } : {}) })
  },
} satisfies Behaviour<WebhookFacts>
