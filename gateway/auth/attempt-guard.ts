import type { FastifyRequest } from 'fastify'
import type { People } from '#commands/people/authentication.ts'
import type { Claim } from '#commands/people/credential.ts'
import type { Refusal, Result } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { type RateLimit, type RateLimits, sourceOf, unmapped } from '../http/rate-limit.ts'
import { DEVICE_COOKIE, type Device, type Devices } from './session-cookie.ts'

/** Failures a minute from one address, or from one device of the person who is named, before it has to wait. */
const MAX_ADDRESS_FAILURES = 60
const MAX_DEVICE_FAILURES = 20
/** Calls of one source that are checked at one time. */
const MAX_RUNNING = 300
/** Seconds until one of them is done, about. */
const RUNNING_WAIT_S = 1

/** From where a name is tried, for the check of credentials. */
export type Origin = Pick<Claim, 'device' | 'source' | 'seen'>

/**
 * Limits failed passwords and codes per address. A device from which the named user signed in before has its own limit,
 * so that others' failures at the same address do not lock them out.
 */
export interface AttemptGuard {
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
  'auth.passkey',
  'user.password.original',
])
const tooMany = (retryAfter: number): Refusal => ({ code: 'request.toomany', params: { retryAfter } })
const isFailure = ({ code }: Refusal) => FAILURES.has(code)
