import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import QRCode from 'qrcode'
import type { BySession, People } from '#commands/people/open-people.ts'
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
import type { Refusal, Result } from '#schemas/refusal.ts'
import { type Parts, SESSION_COOKIE } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from '../routes/command.ts'
import type { FailureLimit } from './failure-limit.ts'
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
  /** Each refusal of a password or code counts against the address it came from. */
  const guarded = async <T>(
    request: FastifyRequest,
    reply: FastifyReply,
    call: () => Promise<Result<T>>,
  ): Promise<T | undefined> => {
    const before = failures.wait(request.ip)
    const result = before === undefined ? await call() : undefined
    const failed = result !== undefined && !result.ok && isFailure(result.refusal)
    const wait = before ?? (failed ? failures.wait(request.ip) : undefined)
    if (failed) failures.count(request.ip)
    if (result?.ok) return result.value
    const refusal = wait === undefined ? result?.refusal : undefined
    refuse(reply, refusal ?? { code: 'request.toomany', params: { retryAfter: wait ?? 1 } })
    return undefined
  }

  const signIn = async (request: FastifyRequest, reply: FastifyReply, claim: LoginBody) => {
    const signedIn = await guarded(request, reply, () => people.signIn(claim))
    if (signedIn === undefined) return reply
    const { token, twofactorenabled, enabletwofactor } = signedIn
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
      const begun = await guarded(request, reply, () => people.registerTwoFactor(who))
      if (begun === undefined) return reply
      const { otpauth, secret } = begun
      return { otpauth, qr: await QRCode.toDataURL(otpauth, { margin: 1, width: 240 }), secret }
    },
  )

  app.post<{ Body: VerificationBody }>(
    '/user/verify2fa',
    { config, schema: { tags, body: verificationBody, response: { 200: loginAnswerSchema } } },
    async (request, reply): Promise<LoginAnswer | FastifyReply> => {
      const { username, password, token } = request.body
      if (username !== undefined) return signIn(request, reply, { username, password, token })
      const who = bySession(request)
      const verified = await guarded(request, reply, () => people.verifyTwoFactor(who, token))
      if (verified === undefined) return reply
      return { token: { accessToken: tokenOf(request) }, twofactorenabled: true, enabletwofactor: verified.demanded }
    },
  )

  app.post<{ Body: PasswordBody }>(
    '/user/password',
    { config, schema: { tags, body: passwordBody } },
    async (request, reply) => {
      const { username, token, ...change } = request.body
      const who = username === undefined ? bySession(request) : { username, token }
      const changed = await guarded(request, reply, () => people.changePassword(who, change))
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
const isFailure = ({ code }: Refusal) => FAILURES.has(code)
