import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { People } from '#commands/people/authentication.ts'
import { challengeOf, type PasskeyAnswer } from '#commands/people/passkey.ts'
import { type RelyingParty, relyingPartyOf } from '#domain/people/passkey.ts'
import type { PasskeyAssertion, PasskeyAttestation } from '#schemas/api/passkey.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle } from '../http/handle.ts'
import { sourceOf, unmapped } from '../http/rate-limit.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from '../routes/command.ts'
import type { AttemptGuard } from './attempt-guard.ts'
import { type Devices, setDeviceCookie, setSessionCookie, type Tickets } from './session-cookie.ts'

/** Challenges of one address in a minute. Many people share an address. */
const MAX_CHALLENGES = 300

const creationOf = (request: FastifyRequest): string => `create ${sessionOf(request).access.session}`
const requestOf = ({ session }: FastifyRequest): string => `get ${session?.access.session ?? ''}`

/** Challenges for passkeys, each for one purpose and caller, and the party that the passkeys are for. */
export class PasskeyChallenges {
  readonly #tickets: Tickets
  readonly #publicUrl: () => string

  constructor(tickets: Tickets, publicUrl: () => string) {
    this.#tickets = tickets
    this.#publicUrl = publicUrl
  }

  get origin(): string | null {
    return relyingPartyOf(this.#publicUrl())?.origin ?? null
  }

  /** @throws RequestRefused `auth.passkeyoff` without an address for passkeys */
  get party(): RelyingParty {
    const party = relyingPartyOf(this.#publicUrl())
    if (party === undefined) throw new RequestRefused({ code: 'auth.passkeyoff' })
    return party
  }

  async issue(purpose: string): Promise<string> {
    return this.#tickets.issue(purpose)
  }

  async shown<Answer extends PasskeyAssertion | PasskeyAttestation>(
    request: FastifyRequest,
    answer: Answer,
    purpose = requestOf(request),
  ): Promise<PasskeyAnswer<Answer>> {
    const { party } = this
    const challenge = challengeOf(answer)
    const isOwn = (await this.#tickets.redeem(challenge)) === purpose
    return { party, answer, challenge: isOwn ? challenge : undefined }
  }
}

interface PasskeyParts {
  readonly parts: Parts
  readonly people: People
  readonly devices: Devices
  readonly challenges: PasskeyChallenges
  readonly guard: AttemptGuard
}

/** Passkeys of the caller, signing in with one, and the proof that changes of second factors need. */
export const addPasskeyRoutes = (app: FastifyInstance, given: PasskeyParts): void => {
  addSignIn(app, given)
  addOwnPasskeys(app, given)
}

function addSignIn(app: FastifyInstance, { parts, people, devices, challenges, guard }: PasskeyParts): void {
  const config = { open: true, door: {} }
  const asked = parts.rates.add('passkey challenge', MAX_CHALLENGES)

  handle(app, 'POST /auth/passkey/options', config, async (request, reply) => {
    const { party } = challenges
    const wait = asked.take(sourceOf(request.ip))
    if (wait !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter: wait } })
    const challenge = await challenges.issue(requestOf(request))
    return people.passkeys.requestOptions(party, challenge, request.session?.access.user)
  })

  handle(app, 'POST /auth/passkey', { ...config, onRequest: guard.onRequest }, async (request, reply) => {
    const seen = { address: unmapped(request.ip), agent: request.headers['user-agent'] ?? null }
    const shown = await challenges.shown(request, request.body)
    const signed = await guard.run(request, undefined, () => people.signInByPasskey({ ...shown, seen }))
    parts.metrics.signIns.inc({ outcome: signed.ok ? 'accepted' : 'refused' })
    if (!signed.ok) return refuse(reply, signed.refusal)
    const { user = '', token = '', twofactorenabled, enabletwofactor } = signed.value
    setSessionCookie(parts, reply, token)
    setDeviceCookie(parts, reply, await devices.issue(user, await guard.deviceOf(request)))
    return { token: { accessToken: token }, twofactorenabled, enabletwofactor }
  })
}

function addOwnPasskeys(app: FastifyInstance, { parts, people, challenges, guard }: PasskeyParts): void {
  const { passkeys } = people
  const callerOf = (request: FastifyRequest) => {
    const { user, session } = sessionOf(request).access
    return { user, session }
  }
  const requireProof = async (request: FastifyRequest): Promise<void> => {
    if (!(await passkeys.isProven(callerOf(request)))) throw new RequestRefused({ code: 'auth.confirm' })
  }
  const write = async (
    request: FastifyRequest,
    reply: FastifyReply,
    call: () => Promise<Result<unknown>>,
  ): Promise<JsonObject | undefined> =>
    runWrite(parts, request, reply, async () => {
      const done = await call()
      return done.ok ? accepted({}) : done
    })

  handle(app, 'GET /user/passkey', {}, async request => ({
    ...(await passkeys.list(callerOf(request).user)),
    origin: challenges.origin,
  }))

  handle(app, 'POST /user/passkey/options', {}, async (request, reply) => {
    const { party } = challenges
    await requireProof(request)
    const challenge = await challenges.issue(creationOf(request))
    const options = await passkeys.creationOptions(party, challenge, callerOf(request).user)
    return options.ok ? options.value : refuse(reply, options.refusal)
  })

  handle(app, 'POST /user/passkey', {}, async (request, reply) => {
    await requireProof(request)
    const { name, passkey } = request.body
    const done = await write(request, reply, async () =>
      passkeys.add(callerOf(request), name, await challenges.shown(request, passkey, creationOf(request))),
    )
    return done === undefined ? reply : reply.send()
  })

  handle(app, 'PATCH /user/passkey/{id}', {}, async (request, reply) => {
    const { id } = request.params
    const done = await write(request, reply, () => passkeys.rename(callerOf(request), id, request.body.name))
    return done === undefined ? reply : reply.send()
  })

  handle(app, 'DELETE /user/passkey/{id}', {}, async (request, reply) => {
    await requireProof(request)
    const done = await write(request, reply, () => passkeys.remove(callerOf(request), request.params.id))
    return done === undefined ? reply : reply.send()
  })

  handle(app, 'POST /user/confirm', { onRequest: guard.onRequest }, async (request, reply) => {
    const { body } = request
    const done = await write(request, reply, async () => {
      const proof = 'passkey' in body ? await challenges.shown(request, body.passkey) : body
      return guard.run(request, undefined, () => passkeys.confirm(callerOf(request), proof))
    })
    return done === undefined ? reply : reply.send()
  })
}
