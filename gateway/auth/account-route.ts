import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import QRCode from 'qrcode'
import type { BySession, People } from '#commands/people/open-people.ts'
import { nothingSchema } from '#schemas/api/write.ts'
import {
  type LoginAnswer,
  type LoginBody,
  loginAnswerSchema,
  loginBody,
  type PasswordBody,
  passwordBody,
  type RegistrationBody,
  registrationAnswerSchema,
  registrationBody,
  type VerificationBody,
  verificationBody,
} from '#schemas/auth.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { type Parts, SESSION_COOKIE } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from '../routes/command.ts'
import { type FailureLimit, sourceOf } from './failure-limit.ts'
import { setSessionCookie } from './session-cookie.ts'

interface AccountParts {
  readonly parts: Parts
  readonly people: People
  readonly failures: FailureLimit
}

const config = { open: true }
const tags = ['auth']

/** Calls that people make with a password or a code, with or without a session. */
export const addAccountRoutes = (app: FastifyInstance, { parts, people, failures }: AccountParts): void => {
  /** Each refusal of a password or code counts against the network it came from and the user whose session asked. */
  const guarded = async <T>(request: FastifyRequest, call: () => Promise<Result<T>>): Promise<Result<T>> => {
    const user = request.session?.access.user
    const sources = [sourceOf(request.ip), ...(user === undefined ? [] : [`user ${user}`])]
    const wait = () => sources.map(source => failures.wait(source)).find(seconds => seconds !== undefined)
    const before = wait()
    if (before !== undefined) return tooMany(before)
    const result = await call()
    if (result.ok || !isFailure(result.refusal)) return result
    const meanwhile = wait()
    for (const source of sources) failures.count(source)
    return meanwhile === undefined ? result : tooMany(meanwhile)
  }

  /**
   * Answers what the call answered. An idempotency key counts only with a session: without one there is nobody whose
   * it could be, and an answer may hold an access token, which is kept nowhere.
   */
  const told = async (
    request: FastifyRequest,
    reply: FastifyReply,
    who: { readonly username?: string | undefined },
    call: () => Promise<Result<JsonObject>>,
  ): Promise<JsonObject | undefined> => {
    if (who.username === undefined && request.session !== undefined)
      return runWrite(parts, request, reply, async () => {
        const result = await guarded(request, call)
        return result.ok ? accepted({ result: result.value }) : result
      })
    const result = await guarded(request, call)
    if (result.ok) return result.value
    refuse(reply, result.refusal)
    return undefined
  }

  const signIn = async (request: FastifyRequest, reply: FastifyReply, claim: LoginBody) => {
    const signedIn = await guarded(request, () => people.signIn(claim))
    if (!signedIn.ok) return refuse(reply, signedIn.refusal)
    const { token, twofactorenabled, enabletwofactor } = signedIn.value
    if (token !== undefined) setSessionCookie(parts, reply, token)
    return { token: token === undefined ? {} : { accessToken: token }, twofactorenabled, enabletwofactor }
  }

  app.post<{ Body: LoginBody }>(
    '/auth/login',
    { config, schema: { tags, body: loginBody, response: { 200: loginAnswerSchema } } },
    (request, reply) => signIn(request, reply, request.body),
  )

  app.post<{ Body: RegistrationBody }>(
    '/user/register2fa',
    { config, schema: { tags, body: registrationBody, response: { 200: registrationAnswerSchema } } },
    async (request, reply) => {
      const { username, password } = request.body
      const who = username === undefined ? bySession(request) : { username, password }
      const begun = await told(request, reply, request.body, async () => {
        const registration = await people.registerTwoFactor(who)
        return registration.ok ? accepted({ ...registration.value }) : registration
      })
      if (begun === undefined) return reply
      return { ...begun, qr: await QRCode.toDataURL(String(begun.otpauth), { margin: 1, width: 240 }) }
    },
  )

  app.post<{ Body: VerificationBody }>(
    '/user/verify2fa',
    { config, schema: { tags, body: verificationBody, response: { 200: loginAnswerSchema } } },
    async (request, reply): Promise<LoginAnswer | FastifyReply> => {
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
    },
  )

  app.post<{ Body: PasswordBody }>(
    '/user/password',
    { config, schema: { tags, body: passwordBody, response: { 204: nothingSchema } } },
    async (request, reply) => {
      const { username, token, ...change } = request.body
      const who = username === undefined ? bySession(request) : { username, token }
      const changed = await told(request, reply, request.body, async () => {
        const result = await people.changePassword(who, change)
        return result.ok ? accepted({}) : result
      })
      return changed === undefined ? reply : reply.code(204).send()
    },
  )
}

const bySession = (request: FastifyRequest): BySession => {
  const { user, session } = sessionOf(request).access
  return { user, session }
}

/** The token that the request itself came with. */
const tokenOf = (request: FastifyRequest): string =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? request.cookies[SESSION_COOKIE] ?? ''

const FAILURES: ReadonlySet<string> = new Set([
  'auth.invalid',
  'auth.locked',
  'auth.twofactor',
  'user.password.original',
])
const tooMany = (retryAfter: number) => refused('request.toomany', { params: { retryAfter } })
const isFailure = ({ code }: Refusal) => FAILURES.has(code)
