import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SystemText } from '#domain/conversation/effect.ts'
import type { ReadModels } from '#projections/port.ts'
import { openMl } from '#runtime/ml/open-ml.ts'
import { createCall } from '#runtime/outbound/call.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import type { MlFault, MlServer } from '#test/doubles/ml/ml-server.ts'
import { rowOf } from '#test/fixture/row-of.ts'
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
    choose: (text: string, chosen: string) =>
      ml.send(BOT, type, { ...talk(text, 'conversation-1'), chosen }, TIMEOUT_MS),
    understand: (text: string) => ml.understand(BOT, type, talk(text, 'conversation-1'), TIMEOUT_MS),
    check: () => ml.check(type === 'remote' ? 'nlusettings' : 'mlchannel', 'c1'),
  }
}

export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.refusal.code)

/** An adapter and the double that it is tried with. */
export interface MlContract {
  readonly type: string
  readonly start: () => Promise<MlServer>
  readonly fields: (server: MlServer) => JsonObject | Promise<JsonObject>
  /** Fields with a key that the double does not know. */
  readonly wrongKey: (server: MlServer) => JsonObject | Promise<JsonObject>
  /** Hosts of the system that no form names, each led to the double. */
  readonly hosts?: readonly string[]
  /** Answer to "quero o boleto". */
  readonly answer: {
    readonly texts: readonly SystemText[]
    readonly intent: string | null
    readonly entity?: JsonObject
  }
  /** Answer to "xyz". */
  readonly unknown: readonly SystemText[]
  /** Messages of the system that choosing the options of both answers sends, as the system gets them. */
  readonly chosen?: readonly unknown[]
  readonly messageOf?: (body: JsonObject) => unknown
  /** Calls that a first text needs, and one more. */
  readonly calls: { readonly first: number; readonly next: number }
  readonly understands: boolean
  /** Name of the conversation in one of its calls. */
  readonly sessionsOf: (server: MlServer) => readonly string[]
}

export const mlContract = (contract: MlContract): void => {
  describe(`an outside system: ${contract.type} [D-3.3.01] [N-5.18]`, () => {
    let server: MlServer
    let now: number
    beforeEach(async () => {
      server = await contract.start()
      now = 1_000_000
    })
    afterEach(() => server.close())

    const opened = (fields: JsonObject, allowPrivate = true) => {
      const { type, hosts = [] } = contract
      return openedMl({ type, fields, url: server.url, hosts, allowPrivate, now: () => now })
    }
    const ready = async () => opened(await contract.fields(server))
    const TEXT = 'quero o boleto'

    test('answers a text, with what it understood [P-940]', async () => {
      const { texts, intent, entity } = contract.answer
      const reply = await (await ready()).send(TEXT)
      expect(reply).toMatchObject({ ok: true, value: { texts } })
      if (!reply.ok) return
      expect(reply.value.intents[0]?.name ?? null).toBe(intent)
      for (const { confidence } of [...reply.value.intents, ...reply.value.entities]) {
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
      }
      if (entity !== undefined) expect(reply.value.entities[0]).toMatchObject(entity)
      const [first = ''] = texts
      expect(JSON.stringify(reply.value.payload)).toContain(typeof first === 'string' ? first : first.text)
    })

    const { chosen, messageOf } = contract
    if (chosen !== undefined && messageOf !== undefined)
      test('gets the message behind an option that a person chose, unchanged [P-2060]', async () => {
        const ml = await ready()
        const replies = [await ml.send(TEXT), await ml.send('xyz')]
        const options = replies.flatMap(reply =>
          reply.ok ? reply.value.texts.flatMap(each => (typeof each === 'string' ? [] : each.options)) : [],
        )
        const before = server.calls.length
        for (const { title, value, url } of options)
          if (url === undefined) expect(codeOf(await ml.choose(title, value))).toBe('ok')
        const bodies = server.calls.slice(before).map(({ body }) => JSON.parse(body) as JsonObject)
        expect(bodies.map(messageOf).filter(message => message !== undefined)).toEqual(chosen)
      })

    test('understands a text, and says nothing of what it does not know [P-940]', async () => {
      const ml = await ready()
      const meaning = await ml.understand(TEXT)
      if (!contract.understands) return expect(codeOf(meaning)).toBe('ml.unsupported')
      expect(meaning.ok && meaning.value.intents[0]?.name).toBe(contract.answer.intent)
      const unknown = await ml.understand('xyz')
      expect(unknown).toMatchObject({ ok: true, value: { intents: [] } })
      expect(await ml.send('xyz')).toMatchObject({ ok: true, value: { texts: contract.unknown, intents: [] } })
    })

    test('keeps conversations apart, and its tokens and sessions between texts [P-941]', async () => {
      const ml = await ready()
      await ml.send(TEXT, 'conversation-1')
      expect(server.calls).toHaveLength(contract.calls.first)
      await ml.send(TEXT, 'conversation-1')
      expect(server.calls).toHaveLength(contract.calls.first + contract.calls.next)
      await ml.send(TEXT, 'c'.repeat(80))
      const sessions = contract.sessionsOf(server)
      expect(sessions[0]).toBe(sessions[1])
      expect(new Set(sessions).size).toBe(2)
    })

    test.each<[fault: MlFault, expected: string]>([
      ['html', 'ml.answer'],
      ['wrong', 'ml.answer'],
      ['silent', 'outbound.timeout'],
      ['slow', 'ok'],
      ['huge', 'ml.toolarge'],
      ['cut', 'outbound.unreachable'],
      [400, 'ml.refused'],
      [401, 'ml.unauthorized'],
      [403, 'ml.unauthorized'],
      [404, 'ml.notfound'],
      [429, 'ml.toomany'],
      [500, 'ml.failed'],
      [503, 'ml.failed'],
    ])('tells by class what is wrong: %s is %s [P-942]', async (fault, expected) => {
      const ml = await ready()
      await ml.send(TEXT)
      server.fault = fault
      expect(codeOf(await ml.send(TEXT, 'conversation-1', fault === 'silent' ? 80 : 5000))).toBe(expected)
      server.fault = undefined
      expect(codeOf(await ml.send(TEXT))).toBe('ok')
    })

    test('sends once more what was surely not taken [P-942]', async () => {
      const ml = await ready()
      await ml.send(TEXT)
      for (const status of [429, 503]) {
        server.faults.push(status)
        expect(codeOf(await ml.send(TEXT))).toBe('ok')
      }
    })

    test('pauses after five failures in a row, tries with one call and goes on when it answers [P-943]', async () => {
      const ml = await ready()
      await ml.send(TEXT)
      server.fault = 500
      for (let n = 0; n < 6; n += 1) await ml.send(TEXT)
      const before = server.calls.length
      expect(codeOf(await ml.send(TEXT))).toBe('ml.paused')
      expect(server.calls).toHaveLength(before)
      now += 31_000
      server.fault = undefined
      expect(codeOf(await ml.send(TEXT))).toBe('ok')
      expect(codeOf(await ml.send(TEXT))).toBe('ok')
    })

    test('tests its connection, also while calls pause, and tells of a wrong key without the key [P-944]', async () => {
      const ml = await ready()
      const checks = await ml.check()
      expect(checks?.map(({ result }) => codeOf(result))).toEqual(checks?.map(() => 'ok'))
      expect(checks?.length).toBeGreaterThan(0)
      const wrong = await contract.wrongKey(server)
      const found = await opened(wrong).check()
      expect(found?.some(({ result }) => !result.ok)).toBe(true)
      for (const name of ['channel_password', 'channel_authentication_details'])
        if (typeof wrong[name] === 'string') expect(JSON.stringify(found)).not.toContain(wrong[name])
      server.fault = 500
      for (let n = 0; n < 6; n += 1) await ml.send(TEXT)
      server.fault = undefined
      expect((await ml.check())?.every(({ result }) => result.ok)).toBe(true)
    })

    if (contract.hosts === undefined)
      test('is not called at a private address [P-945]', async () => {
        const ml = opened(await contract.fields(server), false)
        expect(codeOf(await ml.send(TEXT))).toBe('outbound.private')
        expect(server.calls).toEqual([])
      })
  })
}
