import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { TestRunner } from '#commands/conversation-test/conversation-test-port.ts'
import type { LogIntegrity } from '#commands/integrity/log-integrity.ts'
import type { People } from '#commands/people/authentication.ts'
import type { Caller } from '#commands/port.ts'
import type { Lookup } from '#domain/lookup.ts'
import type { Access, Scope } from '#projections/port.ts'
import type { Questions } from '#realtime/cluster/node-requests.ts'
import type { Record } from '#runtime/audit-recorder.ts'
import type { RuntimeParts } from '#runtime/parts.ts'
import type { Language } from '#schemas/language.ts'
import type { TokenUses } from './auth/token-use.ts'
import type { RateLimits } from './http/rate-limit.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

/** Session of a request: set on `request.session` by `gateway/http/guard.ts` before a route's body is read. */
export interface Session {
  readonly access: Access
  readonly caller: Caller
  readonly scope: Scope
  /** A write that came by cookie needs a same-origin `Origin`. */
  readonly via: 'cookie' | 'bearer'
  /** The user's own, else the default. */
  readonly language: Language
}

/** Dependencies of every part of the gateway. */
export interface Parts extends RuntimeParts {
  readonly log: FastifyBaseLogger
  readonly lookup: Lookup
  readonly readiness: Readiness
  readonly record: Record
  readonly trust: LogIntegrity
  readonly metrics: Metrics
  /** Limits of calls and failures, which all nodes count together. */
  readonly rates: RateLimits
  readonly tokenUses: Pick<TokenUses, 'used'>
  /** Questions to the other nodes. */
  readonly questions: Pick<Questions, 'node' | 'answer' | 'askNode'>
  /** Runs conversation tests. */
  readonly tests: TestRunner
}

/** Services of `gateway/auth/` for the rest of the gateway. */
export interface Authentication {
  /** The live session of an access token; undefined when there is none or it has ended. Samples its last action. */
  session(token: string): Promise<Access | undefined>
  /**
   * Access of an API token that is sent from an address; undefined where it is not accepted. A refusal of a token with the
   * right checksum takes one read of the store, for the first 60 a minute from an address.
   */
  token(text: string, address: string): Promise<Access | undefined>
  /** The session of a realtime ticket, which is used up by asking. */
  ticket(ticket: string): Promise<Access | undefined>
  /** People for mails: links for a new password. */
  readonly people: Pick<People, 'issueReset'>
  /** Registers /auth/…, /user/register2fa …, /userdetails, /changehierarchylevel …, under the API's base. */
  routes(app: FastifyInstance): Promise<void>
  /** Registers the pages of a sign-in at an identity provider, outside of the API. */
  pages(app: FastifyInstance): void
}

/** Effect of a route. `calls out`: it calls systems outside with what the caller may use, and stores nothing. */
type Effect = 'reads' | 'writes' | 'calls out'

export type OpenAuthentication = (parts: Parts) => Promise<Authentication>

/** Name of the cookie that holds the access token. */
export const SESSION_COOKIE = 'parley'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined only on routes with `config: { open: true }`. */
    session: Session | undefined
    /** Accept-Language; without it the user's own; else the default. Each read parses the header. */
    readonly language: Language
  }
  interface FastifyContextConfig {
    /** Needs no session. */
    open?: boolean
    /** Needs a session of a sign-in: refused for an API token. */
    sessionOnly?: boolean
    /** Permission that the caller must hold, checked before the body is read. */
    permission?: string
    /** One of these is enough; which one it must be depends on the body, and is checked with it. */
    anyPermission?: readonly string[]
    /**
     * Default: `reads` for GET, `writes` for all other methods. Only `reads` works while the console is shown as
     * another person; everything but `writes` works while the store refuses writes.
     */
    effect?: Effect
    /** A write of the looker's own session, done also while the console is shown as another person. */
    whileViewing?: boolean
  }
}
