import { z } from 'zod'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { Json } from '#schemas/event.ts'
import { stringsOf } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext, DomainEvent, Live } from '../behaviour.ts'
import { decideRemove, eventOf } from '../entity.ts'
import { PERMISSIONS } from './permission.ts'

const DAY_MS = 86_400_000
/** Longest life of a token of a service account, and of a personal one, in days. */
const MAX_SERVICE_DAYS = 365
const MAX_PERSONAL_DAYS = 90

/** Days before the end of a token at which its owner is notified, longest first. */
const NOTICE_DAYS = [14, 3, 0] as const

/** The stage of notices that a token has reached: 14, 3 or 0 days; undefined before the first. */
export const expiryStage = (expires: string, now: number): number | undefined => {
  const left = Date.parse(expires) - now
  return NOTICE_DAYS.findLast(days => left <= days * DAY_MS)
}

export interface ApiTokenFacts {
  /** Permissions that the token would give and its maker lacks. */
  readonly lacking: readonly string[]
  /** A caller without a user, or a service account, has no personal tokens. */
  readonly isPerson: boolean
  /** Level of its service account, or where its maker works: the default. */
  readonly home: string | null
  /** Whether the given level is at or below the account's. */
  readonly isBelow: boolean
  readonly prefix: string
}

const MAX_NAMED = 20

const checkCreate = (fields: Live['fields'], context: DecisionContext<ApiTokenFacts>): Result<Live['fields']> => {
  const { facts, time, actor } = context
  const isPersonal = fields.serviceaccount === null || fields.serviceaccount === undefined
  const days = isPersonal ? MAX_PERSONAL_DAYS : MAX_SERVICE_DAYS
  const latest = new Date(Date.parse(time) + days * DAY_MS).toISOString()
  const expires = Date.parse(String(fields.expires))
  const errors: FieldError[] = [
    ...unknownScopes(fields.scopes),
    ...(isPersonal && !facts.isPerson ? [{ path: 'serviceaccount', code: 'required' as const }] : []),
    ...(facts.isBelow ? [] : [{ path: 'level', code: 'reference' as const }]),
    ...(expires <= Date.parse(time) ? [{ path: 'expires', code: 'toosmall' as const, params: { min: time } }] : []),
    ...(expires > Date.parse(latest) ? [{ path: 'expires', code: 'toolarge' as const, params: { max: latest } }] : []),
  ]
  if (errors.length > 0) return refused('validation.failed', { errors })
  if (facts.lacking.length > 0)
    return refused('access.grant', { params: { permissions: facts.lacking.slice(0, MAX_NAMED) } })
  return accepted({
    ...fields,
    level: fields.level ?? facts.home,
    user: isPersonal ? actor : null,
    prefix: facts.prefix,
  })
}

const unknownScopes = (scopes: Json | undefined): FieldError[] =>
  stringsOf(scopes).flatMap((name, index) =>
    PERMISSIONS.has(name) ? [] : [{ path: `scopes.${index}`, code: 'option' as const }],
  )

const event = (verb: string, fields: Live['fields']): DomainEvent => eventOf(ENTITIES.apitoken, verb, { fields })
const revoked = (): DomainEvent => event('Revoked', { revoked: true })

export const apiTokenBehaviour = {
  commands: {
    revoke: { decide: ({ fields }) => accepted(fields.revoked === true ? [] : [revoked()]) },
    /** The system records the end of its life. */
    expire: {
      input: z.strictObject({}),
      decide: ({ fields }) => accepted(fields.expired === true ? [] : [event('Expired', { expired: true })]),
    },
  },
  onCreate: checkCreate,
  /** A token that is brought back stays revoked. */
  onRemove: ({ fields }) => accepted(fields.revoked === true ? null : [revoked(), ...decideRemove(ENTITIES.apitoken)]),
} satisfies Behaviour<ApiTokenFacts>

export interface ServiceAccountFacts {
  /** Permissions that the account would get and its maker lacks. */
  readonly lacking: readonly string[]
}

const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

const checkAccount = (
  fields: Live['fields'],
  { facts: { lacking } }: DecisionContext<ServiceAccountFacts>,
): Result<Live['fields']> => {
  const errors = stringsOf(fields.addresses).flatMap((text, index) =>
    address.safeParse(text).success ? [] : [{ path: `addresses.${index}`, code: 'format' as const }],
  )
  if (errors.length > 0) return refused('validation.failed', { errors })
  return lacking.length === 0
    ? accepted(fields)
    : refused('access.grant', { params: { permissions: lacking.slice(0, MAX_NAMED) } })
}

export const serviceAccountBehaviour = {
  commands: {},
  onCreate: checkAccount,
  onChange: (_state, changes, context) => checkAccount(changes, context),
} satisfies Behaviour<ServiceAccountFacts>
