import { z } from 'zod'
import { HEALTH_STATES } from '../channel-type.ts'
import { json, named } from './common.ts'

/** Result of a connection test: no key and no token, only names, numbers and versions from answers. */
const testAnswer = <const P extends readonly [string, ...string[]]>(name: string, parts: P) =>
  named(
    name,
    z.object({
      /** Whether all parts work. */
      ok: z.boolean(),
      /** ms of all of it. */
      time: z.int(),
      checks: z.array(
        z.object({
          part: z.enum(parts),
          ok: z.boolean(),
          /** A version, name or number; why it does not work, in the caller's language. */
          detail: z.string(),
          /** Of what does not work. */
          code: z.string().optional(),
        }),
      ),
    }),
  )

export const agentTestAnswer = testAnswer('AgentTestAnswer', ['system', 'credentials', 'queue', 'agents', 'profile'])

/** Waiting people of an agent channel, longest first, and people talking to agents (D-3.2.02). */
export const agentQueueAnswer = named(
  'AgentQueue',
  z.object({
    /** Whether the channel's queue is shown at all. */
    enabled: z.boolean(),
    /** Whether those who wait may be taken out. */
    clearing: z.boolean(),
    /** From so many waiting people on, the page warns; null: never. */
    alert: z.int().nullable(),
    waiting: z.int(),
    talking: z.int(),
    /** Chats requested today (America/Sao_Paulo). Without `readconversation` counts are rounded, and null from 1 to 4. */
    today: z.object({
      /** Waits that ended: an agent came, or the person left. */
      waited: z.int().nullable(),
      /** Their mean, ms; null without any. */
      mean: z.int().nullable(),
      /** The person left, or waited for as long as they may. */
      givenup: z.int().nullable(),
    }),
    /** Agents who are there, and chats that they take at a time; null: an outside system, which does not say. */
    places: z.object({ agents: z.int(), all: z.int() }).nullable(),
    /** Text that people read while they wait, with its placeholders; `queue`: name of a queue of the desk. */
    reads: z.array(z.object({ id: z.string(), queue: z.string().nullable(), text: z.string() })),
    items: z.array(
      z.object({
        conversation: z.string(),
        channeltype: z.string(),
        /** ISO 8601 UTC. */
        requested: z.string(),
        /** Since when they wait; null: an agent is there. */
        waiting: z.string().nullable(),
        /** Place in the queue, as the agent system says it; null: it says none. */
        place: z.int().nullable(),
      }),
    ),
  }),
)

/** One who waits, or all of them. */
export const clearQueueBody = z.strictObject({ conversation: z.string().max(100).optional() })

export const clearQueueAnswer = named('ClearedQueue', z.object({ cleared: z.int() }))

/** Result of a channel's connection test: no secret. */
export const channelTestAnswer = named(
  'ChannelTestAnswer',
  z.object({
    /** Whether all parts work. */
    ok: z.boolean(),
    /** ms of all of it. */
    time: z.int(),
    checks: z.array(
      z.object({
        part: z.enum(['settings', 'address', 'provider']),
        ok: z.boolean(),
        /** The provider's account details, or the fault in the caller's language. */
        detail: z.string(),
        /** Of what does not work. */
        code: z.string().optional(),
        /** Names of fields that are missing. */
        missing: z.array(z.string()),
        /** ms of the calls to the provider; null: nothing was called. */
        time: z.int().nullable(),
      }),
    ),
  }),
)

export const testMessageBody = z.strictObject({
  /** Number or id of a person who wrote within the window, or a verified test number. */
  to: z.string().trim().min(1).max(200),
  text: z.string().trim().min(1).max(500),
})

/** Words that were sent to see that a channel works. */
export const testMessageAnswer = named(
  'ChannelTestMessage',
  z.object({
    /** Null: the provider did not take it. */
    id: z.string().nullable(),
    /** `refused`: for good; `unauthorized`: the credentials; `waiting`: not now; `unknown`: it may have arrived. */
    state: z.enum(['sent', 'delivered', 'read', 'failed', 'refused', 'unauthorized', 'waiting', 'unknown']),
    /** ms of the call. */
    time: z.int(),
    /** ms from the send to the newest receipt; null before one. */
    after: z.int().nullable(),
    /** The provider's code with its title; empty where there is none. */
    detail: z.string(),
  }),
)

export const channelActivityQuery = z.strictObject({
  /** Begin of the first hour, at most 25 hours ago. */
  from: z.iso.datetime(),
})

const hour = z.object({ in: z.int(), out: z.int(), failed: z.int() })

/** Messages of people and of the bot, and failed attempts: by hours from a moment on, the last one as far as it is. */
export const channelActivityAnswer = named(
  'ChannelActivity',
  z.object({ in: z.int(), out: z.int(), failed: z.int(), hours: z.array(hour) }),
)

/** Health of a channel of a provider (docs/channels.md). */
export const channelHealthAnswer = named(
  'ChannelHealth',
  z.object({
    id: z.string(),
    state: z.enum(HEALTH_STATES),
    /** Cause; empty: none. */
    code: z.string(),
    /** Detail of the cause: the provider's code, the name of a field, a number. */
    detail: z.string(),
    /** Title of the provider's code; empty when it is not known. */
    title: z.string(),
    /** Begin of an error; null for other states. */
    since: z.string().nullable(),
    /** The last 24 hours, the newest last. */
    hours: z.array(hour),
    lastin: z.string().nullable(),
    lastout: z.string().nullable(),
    /** Conversations whose messages wait for the provider. */
    waiting: z.int(),
    /** End of the token; null: it has none, or the provider does not say. */
    tokenends: z.string().nullable(),
    /** The account of Meta with its number; null: none. */
    account: z.string().nullable(),
  }),
)

/** The last message that people wrote to the number of an account of Meta, by any address; null: none in 8 days. */
export const numberSeenAnswer = named('NumberSeenAnswer', z.object({ last: z.string().nullable() }))

export const channelHealthList = named('ChannelHealthList', z.object({ items: z.array(channelHealthAnswer) }))

/** An alert on its way to the address of a level, or there. */
const levelAlert = z.object({
  id: z.string(),
  /** Of its notice, ISO 8601 UTC. */
  time: z.string(),
  kind: z.enum(['alert', 'warn', 'info']),
  message: z.string(),
  /** In the caller's language. */
  text: z.string(),
  entity: z.string(),
  entityid: z.string(),
  test: z.boolean(),
  /** Number of joined notices. */
  times: z.int(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  tries: z.int(),
  /** HTTP status of the last answer. */
  status: z.int().nullable(),
  /** Why there was no answer, in the caller's language. */
  reason: z.string().nullable(),
  /** Next attempt, ISO 8601 UTC. */
  next: z.string().nullable(),
})

/** The newest alerts of a level's address, newest first. */
export const levelAlertsAnswer = named(
  'LevelAlerts',
  z.object({
    /** The level whose address gets the alerts; null: none, or one that the caller does not see. */
    from: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** Whether alerts of the level leave at all. */
    sent: z.boolean(),
    items: z.array(levelAlert),
  }),
)

export const alertTestAnswer = named(
  'AlertTestAnswer',
  z.object({
    ok: z.boolean(),
    /** ms of the call. */
    time: z.int(),
    status: z.int().nullable(),
    /** Why there was no answer, in the caller's language. */
    reason: z.string().nullable(),
  }),
)

export const accountTestAnswer = testAnswer('MetaAccountTestAnswer', ['token', 'account', 'number', 'webhook'])

export const emptyBody = z.strictObject({})
/** Delivery of the code that verifies a number. */
export const requestCodeBody = z.strictObject({
  code_method: z.enum(['SMS', 'VOICE']),
  language: z.enum(['pt_BR', 'pt_PT', 'en', 'en_US', 'es']).default('pt_BR'),
})
export const verifyCodeBody = z.strictObject({ code: z.string().regex(/^\d{3}-?\d{3}$/u) })
/** The PIN of two-step verification: it is set where the number has none. */
export const registerNumberBody = z.strictObject({ pin: z.string().regex(/^\d{6}$/u) })
/** Meta took it. */
export const metaDoneAnswer = z.object({ success: z.literal(true) })
/**
 * Result of reading an account's templates from Meta; `skipped`: name and language of those that cannot be stored here.
 */
export const syncAnswer = named(
  'TemplateSync',
  z.object({ added: z.int(), changed: z.int(), skipped: z.array(z.string()) }),
)
/** A template as providers keep it: `containerMeta` and `meta` are JSON text. */
export const templateRecordAnswer = named('TemplateRecord', z.record(z.string(), json))

export const mlTestAnswer = testAnswer('MlTestAnswer', ['system', 'credentials', 'understanding', 'actions', 'models'])

/** Result of the test of an identity provider. */
export const identityProviderTestAnswer = named(
  'IdentityProviderTestAnswer',
  z.object({
    /** Whether all parts work. */
    ok: z.boolean(),
    /** ms of all of it. */
    time: z.int(),
    /** Address that the provider must know. */
    callback: z.string(),
    checks: z.array(
      z.object({
        part: z.enum(['discovery', 'keys', 'pkce']),
        ok: z.boolean(),
        /** The issuer, the number of keys, the method; or the fault in the caller's language. */
        detail: z.string(),
        code: z.string().optional(),
      }),
    ),
  }),
)

/** Address at the provider where a test with the caller's account begins. */
export const providerTestBegun = named('IdentityProviderTestBegun', z.object({ url: z.string() }))

/** Query with which the provider has answered at the callback. */
export const providerTestBody = named(
  'IdentityProviderTestAnswerQuery',
  z.strictObject({ query: z.string().max(6_000) }),
)

const CLAIM_USES = ['account', 'username', 'name', 'email', 'language', 'groups', 'secondfactor'] as const

/** Claims of the caller's account at a provider, and the result that a sign-in with them would have. Nothing is written. */
export const providerClaimsAnswer = named(
  'IdentityProviderClaims',
  z.object({
    /** Why a sign-in would be refused; null: it would succeed. */
    refusal: z.object({ code: z.string(), detail: z.string() }).nullable(),
    /** `known`: of earlier sign-ins; `linked`: made by SCIM, or found by its verified address; `new`: an account is made. */
    account: z.enum(['known', 'linked', 'new']),
    /** Username here, before the sign-in. */
    username: z.string().nullable(),
    /** Name of the home level afterwards. */
    level: z.string().nullable(),
    /** Names of the user groups afterwards, and of those that are taken away. */
    usergroups: z.array(z.string()),
    lost: z.array(z.string()),
    /** As they are read from the claims. */
    person: z.object({
      username: z.string(),
      firstname: z.string().nullable(),
      lastname: z.string().nullable(),
      email: z.string().nullable(),
      language: z.string().nullable(),
      /** Whether the provider has asked for a second factor. */
      secondfactor: z.boolean(),
    }),
    /** Values of the claim with the groups, each with the user groups that it gives; null: there is no such claim. */
    groups: z
      .array(
        z.object({
          value: z.string(),
          usergroups: z.array(
            z.object({ id: z.string(), name: z.string(), level: z.string(), roles: z.array(z.string()) }),
          ),
        }),
      )
      .nullable(),
    claims: z.array(
      z.object({
        name: z.string(),
        /** Text, or JSON. */
        value: z.string(),
        /** Part of a sign-in that it is read for; null: none. */
        use: z.enum(CLAIM_USES).nullable(),
      }),
    ),
  }),
)

/** Result of a token request, without the token. */
export const oauthTestAnswer = named(
  'OAuthTestAnswer',
  z.object({
    ok: z.boolean(),
    /** ms until the answer was read. */
    time: z.int(),
    token_type: z.string().nullable().optional(),
    /** Seconds. */
    expires_in: z.number().nullable().optional(),
    scope: z.string().nullable().optional(),
    /** Why there is no token, its text in the caller's language. */
    failure: z.object({ code: z.string(), detail: z.string() }).optional(),
  }),
)
