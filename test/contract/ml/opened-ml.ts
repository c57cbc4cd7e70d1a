import type { ReadModels } from '#projections/port.ts'
import { openMl } from '#runtime/ml/open-ml.ts'
import { createCall } from '#runtime/outbound/call.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import { rowOf } from '../../fixture/row-of.ts'
import { leading } from '../leading-call.ts'

const BOT = rowOf('bot', 'b1')
const CHANNEL = rowOf('mlchannel', 'c1')
const TIMEOUT_MS = 5_000

interface Given {
  readonly type: string
  readonly fields: JsonObject
  readonly url: string
  readonly hosts?: readonly string[]
  readonly allowPrivate?: boolean
  readonly now?: () => number
}

/** Outside systems with one channel, whose calls go over the network to a double. */
export const openedMl = ({ type, fields, url, hosts = [], allowPrivate = true, now = Date.now }: Given) => {
  const read = { list: async () => ({ items: [CHANNEL] }), detail: async () => CHANNEL } as unknown as ReadModels
  const commands = { openFields: async () => ({ type, enable: true, ...fields }) }
  const ml = openMl({ read, commands, call: leading(createCall({ allowPrivate }), hosts, url), now })
  const talk = (text: string, session: string) => ({ text, session, locale: 'pt' })
  return {
    send: (text: string, session = 'conversation-1', timeout = TIMEOUT_MS) =>
      ml.send(BOT, type, talk(text, session), timeout),
    understand: (text: string) => ml.understand(BOT, type, talk(text, 'conversation-1'), TIMEOUT_MS),
    check: () => ml.check(type === 'remote' ? 'nlusettings' : 'mlchannel', 'c1'),
  }
}

export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.refusal.code)
