import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BySession, People } from '#commands/people/authentication.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { handle, type RouteRequest } from '../http/handle.ts'
import { bearerOf } from '../http/headers.ts'
import { type Parts, SESSION_COOKIE } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from '../routes/command.ts'
import { type AttemptGuard, createAttemptGuard, type Origin } from './attempt-guard.ts'
import { addPasskeyRoutes, type PasskeyChallenges } from './passkey-route.ts'
import { type Devices, setDeviceCookie, setSessionCookie } from './session-cookie.ts'

interface AccountParts {
  readonly parts: Parts
  readonly people: People
  readonly devices: Devices
  readonly challenges: PasskeyChallenges
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
export const addAccountRoutes = (app: FastifyInstance, given: AccountParts): void => {
  const { parts, people, devices, challenges } = given
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
  addPasskeyRoutes(app, { parts, people, devices, challenges, guard })
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
