import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Keys } from '#commands/keys/secret.ts'

/** Name of the cookie that marks a browser with an earlier sign-in. It grants no access. */
export const DEVICE_COOKIE = 'parley_device'
/** It lasts this long after the last sign-in. */
export const DEVICE_SECONDS = 180 * 86_400
const MAX_COOKIE = 400

/** A browser in which this user signed in before. */
export interface Device {
  readonly id: string
  readonly user: string
}

/** Devices are not stored: a cookie is believed for its HMAC, on every node. */
export interface Devices {
  issue(user: string, before: Device | undefined): Promise<string>
  read(cookie: string | undefined): Promise<Device | undefined>
}

export const createDevices = (keys: Pick<Keys, 'index'>, now: () => number = Date.now): Devices => {
  const hmac = async (content: string) => keys.index.hmac(JSON.stringify(['device', content]))
  return {
    async issue(user, before) {
      const id = before?.user === user ? before.id : randomUUID()
      const until = Math.floor(now() / 1000) + DEVICE_SECONDS
      const content = Buffer.from(JSON.stringify([id, user, until])).toString('base64url')
      return `${content}.${await hmac(content)}`
    },
    async read(cookie) {
      if (cookie === undefined || cookie.length > MAX_COOKIE) return undefined
      const [content = '', given = ''] = cookie.split('.')
      if (!isSame(given, await hmac(content))) return undefined
      const [id, user, until] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [string, string, number]
      return until > now() / 1000 ? { id, user } : undefined
    },
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
