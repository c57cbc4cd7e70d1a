import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BySession, People } from '#commands/people/authentication.ts'
import type { Claim } from '#commands/people/credential.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { JsonObject } from '#schemas/event.ts'
import { OPTIONAL_MAIL_KINDS } from '#schemas/events/mail.ts'
import { stringsOf, textOf } from '#schemas/json.ts'
import { accepted, type Refusal, type Result } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle, type RouteRequest } from '../http/handle.ts'
import { bearerOf } from '../http/headers.ts'
import { type RateLimit, type RateLimits, sourceOf, unmapped } from '../http/rate-limit.ts'
import { type Parts, SESSION_COOKIE } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from '../routes/command.ts'
import { DEVICE_COOKIE, type Device, type Devices, setDeviceCookie, setSessionCookie } from './session-cookie.ts'

/** Failures a minute from one address, or from one device of the person who is named, before it has to wait. */
const MAX_ADDRESS_FAILURES = 60
const MAX_DEVICE_FAILURES = 20
/** Calls of one source that are checked at one time. */
const MAX_RUNNING = 300
/** Seconds until one of them is done, about. */
const RUNNING_WAIT_S = 1

/** From where a name is tried, for the check of credentials. */
type Origin = Pick<Claim, 'device' | 'source' | 'seen'>

/**
 * Limits failed passwords and codes per address. A device from which the named user signed in before has its own limit,
 * so that others' failures at the same address do not lock them out.
 */
interface AttemptGuard {
  /** Refuses before the body is read. */
  readonly onRequest: (request: FastifyRequest) => Promise<void>
  /** @param name undefined: the person of the session */
  run<T>(
    request: FastifyRequest,
    name: string | undefined,
    call: (origin: Origin) => Promise<Result<T>>,
  ): Promise<Result<T>>
  deviceOf(request: FastifyRequest): Promise<Device | undefined>
}

/** Failures of each source, and its calls that run on this node. */
class Attempts {
  readonly #failures: RateLimit
  readonly #running = new Map<string, number>()

  constructor(failures: RateLimit) {
    this.#failures = failures
  }

  /** Seconds until this source may try again; undefined when it may now. */
  wait(source: string): number | undefined {
    return (this.#running.get(source) ?? 0) >= MAX_RUNNING ? RUNNING_WAIT_S : this.#failures.wait(source)
  }

  fail(source: string): void {
    this.#failures.count(source)
  }

  /** Counts a call that runs; returns the function that counts its end. */
  start(source: string): () => void {
    this.#running.set(source, (this.#running.get(source) ?? 0) + 1)
    return () => {
      const left = (this.#running.get(source) ?? 1) - 1
      if (left === 0) this.#running.delete(source)
      else this.#running.set(source, left)
    }
  }
}

interface GuardParts {
  readonly people: Pick<People, 'isNameOf'>
  readonly devices: Devices
  readonly rates: RateLimits
}

export const createAttemptGuard = ({ people, devices, rates }: GuardParts): AttemptGuard => {
  const byAddress = new Attempts(rates.add('sign-in address', MAX_ADDRESS_FAILURES))
  const byDevice = new Attempts(rates.add('sign-in device', MAX_DEVICE_FAILURES))
  const deviceOf = (request: FastifyRequest) => devices.read(request.cookies[DEVICE_COOKIE])

  const linesOf = (request: FastifyRequest, device: Device | undefined) => {
    const user = request.session?.access.user
    const address = { limit: byAddress, source: sourceOf(request.ip) }
    return [
      device === undefined ? address : { limit: byDevice, source: device.id },
      ...(user === undefined ? [] : [{ limit: byAddress, source: `user ${user}` }]),
    ]
  }
  const waitOf = (lines: ReturnType<typeof linesOf>) =>
    lines.map(({ limit, source }) => limit.wait(source)).find(seconds => seconds !== undefined)

  const isOwn = async (request: FastifyRequest, { user }: Device, name: string | undefined) =>
    name === undefined ? request.session?.access.user === user : people.isNameOf(user, name)

  return {
    deviceOf,
    async onRequest(request) {
      const seconds = waitOf(linesOf(request, await deviceOf(request)))
      if (seconds !== undefined) throw new RequestRefused(tooMany(seconds))
    },
    async run(request, name, call) {
      const shown = await deviceOf(request)
      const device = shown !== undefined && (await isOwn(request, shown, name)) ? shown : undefined
      const lines = linesOf(request, device)
      const before = waitOf(lines)
      if (before !== undefined) return { ok: false, refusal: tooMany(before) }
      const ends = lines.map(({ limit, source }) => limit.start(source))
      const seen = { address: unmapped(request.ip), agent: request.headers['user-agent'] ?? null }
      const result = await call({ device: device?.id, source: sourceOf(request.ip), seen }).finally(() => {
        for (const end of ends) end()
      })
      if (result.ok || !isFailure(result.refusal)) return result
      const meanwhile = waitOf(lines)
      for (const { limit, source } of lines) limit.fail(source)
      return meanwhile === undefined ? result : { ok: false, refusal: tooMany(meanwhile) }
    },
  }
}

const FAILURES: ReadonlySet<string> = new Set([
  'auth.invalid',
  'auth.locked',
  'auth.twofactor',
  'user.password.original',
  'auth.reset',
])
const tooMany = (retryAfter: number): Refusal => ({ code: 'request.toomany', params: { retryAfter } })
const isFailure = ({ code }: Refusal) => FAILURES.has(code)

interface AccountParts {
  readonly parts: Parts
  readonly people: People
  readonly devices: Devices
}

type AccountCall = (
  request: FastifyRequest,
  reply: FastifyReply,
  who: { readonly username?: string | undefined },
  call: (origin: Origin) => Promise<Result<JsonObject>>,
) => Promise<JsonObject | undefined>

type LoginBody = RouteRequest<'POST /auth/login'>['body']
type LoginAnswer = AnswerOf<'POST /auth/login'>
type SignIn = (request: FastifyRequest, reply: FastifyReply, claim: LoginBody) => Promise<LoginAnswer | FastifyReply>

interface AccountContext {
  readonly people: People
  readonly onRequest: AttemptGuard['onRequest']
  readonly told: AccountCall
  readonly signIn: SignIn
}

/** Failures are counted per person and device, by `createAttemptGuard`. */
const config = { open: true, door: {} }

/** Calls that people make with a password or a code, with or without a session. */
export const addAccountRoutes = (app: FastifyInstance, { parts, people, devices }: AccountParts): void => {
  const guard = createAttemptGuard({ people, devices, rates: parts.rates })
  const { onRequest } = guard
  const told = accountCall(parts, guard)

  const signIn: SignIn = async (request, reply, claim) => {
    const signedIn = await guard.run(request, claim.username, origin => people.signIn({ ...claim, ...origin }))
    if (!signedIn.ok) return refuse(reply, signedIn.refusal)
    const { user, token, twofactorenabled, enabletwofactor } = signedIn.value
    if (user !== undefined && token !== undefined) {
      setSessionCookie(parts, reply, token)
      setDeviceCookie(parts, reply, await devices.issue(user, await guard.deviceOf(request)))
    }
    return { token: token === undefined ? {} : { accessToken: token }, twofactorenabled, enabletwofactor }
  }

  handle(app, 'POST /auth/login', { ...config, onRequest }, (request, reply) => signIn(request, reply, request.body))

  const context = { people, onRequest, told, signIn }
  addTwoFactor(app, context)
  addRecovery(app, people, told)
  addPassword(app, context)
  addReset(app, { parts, people, guard })
  addMailChoice(app, { parts, people })
}

/**
 * Answers what the call answered. An idempotency key counts only with a session: without one there is nobody whose
 * it could be, and an answer may hold an access token, which is kept nowhere.
 */
const accountCall =
  (parts: Parts, guard: AttemptGuard): AccountCall =>
  async (request, reply, who, call) => {
    if (who.username === undefined && request.session !== undefined)
      return runWrite(parts, request, reply, async () => {
        const result = await guard.run(request, who.username, call)
        return result.ok ? accepted({ result: result.value }) : result
      })
    const result = await guard.run(request, who.username, call)
    if (result.ok) return result.value
    refuse(reply, result.refusal)
    return undefined
  }

function addTwoFactor(app: FastifyInstance, { people, onRequest, told, signIn }: AccountContext): void {
  handle(app, 'POST /user/register2fa', { ...config, onRequest }, async (request, reply) => {
    const { username, password } = request.body
    const begun = await told(request, reply, request.body, async origin => {
      const who = username === undefined ? bySession(request) : { username, password, ...origin }
      const registration = await people.registerTwoFactor(who)
      return registration.ok ? accepted({ ...registration.value }) : registration
    })
    if (begun === undefined) return reply
    const { default: QRCode } = await import('qrcode')
    return reply.send({ ...begun, qr: await QRCode.toDataURL(String(begun.otpauth), { margin: 1, width: 240 }) })
  })

  handle(app, 'POST /user/verify2fa', { ...config, onRequest }, async (request, reply) => {
    const { username, password, token } = request.body
    if (username !== undefined) return signIn(request, reply, { username, password, token })
    const who = bySession(request)
    const verified = await told(request, reply, request.body, async () => {
      const result = await people.verifyTwoFactor(who, token)
      return result.ok ? accepted({ demanded: result.value.demanded }) : result
    })
    if (verified === undefined) return reply
    const enabletwofactor = verified.demanded === true
    return { token: { accessToken: tokenOf(request) }, twofactorenabled: true, enabletwofactor }
  })
}

function addPassword(app: FastifyInstance, { people, onRequest, told }: AccountContext): void {
  handle(app, 'POST /user/password', { ...config, onRequest }, async (request, reply) => {
    const { username, token, ...change } = request.body
    const changed = await told(request, reply, request.body, async origin => {
      const who = username === undefined ? bySession(request) : { username, token, ...origin }
      const result = await people.changePassword(who, change)
      return result.ok ? accepted({}) : result
    })
    return changed === undefined ? reply : reply.send()
  })
}

interface ResetParts {
  readonly parts: Parts
  readonly people: People
  readonly guard: AttemptGuard
}

/** Wishes for a new password within an hour from one address. Further ones are not kept. */
const MAX_ADDRESS_WISHES = 10
const HOUR_MS = 3_600_000

/** A new password without the old one: a wish, answered alike for every name, and the link that a mail brought. */
const addReset = (app: FastifyInstance, { parts, people, guard }: ResetParts): void => {
  const wishes = parts.rates.add('reset address', MAX_ADDRESS_WISHES, HOUR_MS)
  const isOff = parts.settings.MAIL_URL === undefined

  handle(app, 'POST /user/password/forgot', config, async (request, reply) => {
    if (isOff) return refuse(reply, { code: 'mail.off' })
    if (wishes.take(sourceOf(request.ip)) === undefined) await people.askReset(request.body.username)
    return reply.send()
  })

  handle(app, 'POST /user/password/reset', { ...config, onRequest: guard.onRequest }, async (request, reply) => {
    const done = await guard.run(request, undefined, ({ seen }) => people.useReset(request.body, seen))
    return done.ok ? reply.send() : refuse(reply, done.refusal)
  })
}

/** Kinds of mail that a person gets. */
const addMailChoice = (app: FastifyInstance, { parts, people }: Omit<ResetParts, 'guard'>): void => {
  handle(app, 'GET /user/mail', {}, async request => {
    const { user } = sessionOf(request).access
    const { email = null, mailoff } = (await parts.commands.openFields('user', user)) ?? {}
    const off = stringsOf(mailoff)
    return {
      email: textOf(email) || null,
      kinds: OPTIONAL_MAIL_KINDS.map(kind => ({ kind, on: !off.includes(kind) })),
    }
  })
  handle(app, 'POST /user/mail', {}, async (request, reply) => {
    const done = await runWrite(parts, request, reply, () => people.chooseMail(bySession(request), request.body.off))
    return done === undefined ? reply : reply.send()
  })
}

const addRecovery = (app: FastifyInstance, people: People, told: AccountCall): void => {
  handle(app, 'GET /user/recoverycodes', {}, request => people.recoveryState(bySession(request)))
  handle(app, 'POST /user/recoverycodes', {}, async (request, reply) => {
    const made = await told(request, reply, {}, async () => {
      const result = await people.makeRecoveryCodes(bySession(request), request.body.password)
      return result.ok ? accepted({ codes: [...result.value.codes] }) : result
    })
    return made === undefined ? reply : reply.send(made)
  })
}

const bySession = (request: FastifyRequest): BySession => {
  const { user, session } = sessionOf(request).access
  return { user, session }
}

/** The token that the request itself came with. */
const tokenOf = (request: FastifyRequest): string => bearerOf(request.headers) ?? request.cookies[SESSION_COOKIE] ?? ''
