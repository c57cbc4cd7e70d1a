import type { FastifyRequest } from 'fastify'
import type { Claim } from '#commands/people/credential.ts'
import type { People } from '#commands/people/open-people.ts'
import type { Refusal, Result } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/request-refused.ts'
import { DEVICE_COOKIE, type Device, type Devices } from './device.ts'
import { createFailureLimit, sourceOf } from './failure-limit.ts'

/** Failures a minute from one address, or from one device of the person who is named, before it has to wait. */
const MAX_ADDRESS_FAILURES = 60
const MAX_DEVICE_FAILURES = 20

/** From where a name is tried, for the check of credentials. */
export type Origin = Pick<Claim, 'device' | 'source'>

/**
 * Bounds failed passwords and codes by where they come from. A device in which the named person signed in before has a
 * limit of its own, so that failures of others behind the same address do not shut them out.
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

export const createAttemptGuard = (people: Pick<People, 'isNameOf'>, devices: Devices): AttemptGuard => {
  const byAddress = createFailureLimit(MAX_ADDRESS_FAILURES)
  const byDevice = createFailureLimit(MAX_DEVICE_FAILURES)
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
      const result = await call({ device: device?.id, source: sourceOf(request.ip) }).finally(() => {
        for (const end of ends) end()
      })
      if (result.ok || !isFailure(result.refusal)) return result
      const meanwhile = waitOf(lines)
      for (const { limit, source } of lines) limit.count(source)
      return meanwhile === undefined ? result : { ok: false, refusal: tooMany(meanwhile) }
    },
  }
}

const FAILURES: ReadonlySet<string> = new Set([
  'auth.invalid',
  'auth.locked',
  'auth.twofactor',
  'user.password.original',
])
const tooMany = (retryAfter: number): Refusal => ({ code: 'request.toomany', params: { retryAfter } })
const isFailure = ({ code }: Refusal) => FAILURES.has(code)
