import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AgentEvent, AgentLink, AgentRequest, AgentStep, AgentSystem } from '#runtime/agent/agent-port.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { MemoryDesk } from '#test/doubles/agent/memory-desk.ts'
import type { MlServer } from '#test/doubles/ml/ml-server.ts'
import { chat, codeOf, KEY, openedAgents, systemOf } from './opened-agents.ts'

/** Events that a test triggers in the double, in the system's format. */
export interface Happenings {
  readonly joined: () => void
  readonly message: (text: string) => void
  readonly closed: () => void
  /** The system returns the person's message, as some do. */
  readonly echo: () => void
}

/** The other end of an adapter; one without `calls` is in this process, without a network. */
type Double = MlServer | MemoryDesk

/** An adapter and the double that it is tried with. */
export interface AgentContract<S extends Double> {
  readonly type: string
  readonly start: () => Promise<S>
  readonly fields: (server: S) => JsonObject
  /** A field that a wrong key is put into; without it, the system has no key. */
  readonly secret?: string
  /** Hosts of the system that no form names, each led to the double. */
  readonly hosts?: readonly string[]
  /** Messages that agents received, in order. */
  readonly said: (server: S) => readonly string[]
  readonly isClosed: (server: S) => boolean
  /** Requests of the system to the webhook. Without it, it is polled or has a socket. */
  readonly requests?: (server: S, happens: keyof Happenings, text: string) => readonly AgentRequest[]
  /** Events of the next poll. */
  readonly happens?: (server: S) => Happenings
  /** Events that the double hands to the listener of the chat, in this process. */
  readonly pushed?: (server: S) => Happenings
  /** Frames of its socket, and an error that it answers to the next message. */
  readonly socket?: (server: S) => Happenings & { readonly fail: (code: string | undefined) => void }
  /** It knows a message that it is sent again. */
  readonly recognizes: boolean
  /** Sets whether an agent is available. */
  readonly setAvailable?: (server: S, isThere: boolean) => void
}

/** Address of a double, or its link in this process. */
const place = (server: Double) => ('calls' in server ? { url: server.url } : { url: '', desk: server.link })

export const kinds = (events: readonly AgentEvent[]): readonly string[] => events.map(({ kind }) => kind)

/** Listens to the socket of a chat. */
const listenTo = (system: AgentSystem, link: AgentLink) => {
  const steps: AgentStep[] = []
  const socket = system.connect?.(link, { step: step => void steps.push(step), ended: () => undefined })
  return { steps, close: () => socket?.close() }
}

export const agentContract = <S extends Double>(contract: AgentContract<S>): void => {
  describe(`an agent system: ${contract.type} [D-3.2.17] [D-3.2.18]`, () => {
    let server: S
    let system: AgentSystem
    let listener: ReturnType<typeof listenTo> | undefined
    const opened = (change: JsonObject = {}, allowPrivate = true) =>
      systemOf({
        type: contract.type,
        fields: { ...contract.fields(server), ...change },
        ...place(server),
        hosts: contract.hosts ?? [],
        allowPrivate,
      })
    beforeEach(async () => {
      server = await contract.start()
      system = await opened()
    })
    afterEach(() => {
      listener?.close()
      listener = undefined
      return 'calls' in server ? server.close() : undefined
    })

    const open = async (isAgain = false): Promise<AgentLink> => {
      const result = await system.open(chat(), { isAgain })
      expect(codeOf(result)).toBe('ok')
      return result.ok ? result.value.link : {}
    }
    const say = async (link: AgentLink, text: string, { id = `${KEY}-${text}`, isAgain = false } = {}) => {
      const result = await system.say(link, { id, text, files: [] }, { isAgain })
      return { code: codeOf(result), link: (result.ok ? result.value.link : undefined) ?? link }
    }
    /** Events that the system reports afterwards. */
    const heard = async (link: AgentLink, happens: keyof Happenings, text = '') => {
      const { requests, happens: make, pushed, socket } = contract
      if (socket !== undefined) {
        listener ??= listenTo(system, link)
        const { steps } = listener
        steps.splice(0)
        socket(server)[happens](text)
        if (happens === 'echo') await pause(50)
        else await vi.waitFor(() => expect(steps.length).toBeGreaterThan(0))
        return { events: steps.flatMap(({ events = [] }) => events), link: steps.at(-1)?.link ?? link }
      }
      if (pushed !== undefined && 'listeners' in server) {
        const events: AgentEvent[] = []
        const listener = (told: readonly AgentEvent[]) => void events.push(...told)
        server.listeners.add(listener)
        pushed(server)[happens](text)
        server.listeners.delete(listener)
        return { events, link }
      }
      if (requests !== undefined) {
        const events: AgentEvent[] = []
        for (const request of requests(server, happens, text)) {
          const received = await system.receive?.(request)
          expect(received).toMatchObject({ ok: true })
          if (received?.ok)
            for (const { key, events: told } of received.value) {
              expect(key).toBe(KEY)
              events.push(...told)
            }
        }
        return { events, link }
      }
      make?.(server)[happens](text)
      const polled = await system.poll?.(link)
      expect(polled).toMatchObject({ ok: true })
      return {
        events: polled?.ok ? (polled.value.events ?? []) : [],
        link: (polled?.ok ? polled.value.link : undefined) ?? link,
      }
    }

    test('opens a chat, hands on what the person says, in order, and closes it [P-1191]', async () => {
      let link = await open()
      for (const text of ['oi', 'tudo bem?']) ({ link } = await say(link, text))
      expect(contract.said(server).slice(-2)).toEqual(['oi', 'tudo bem?'])
      const again = await system.say(
        link,
        { id: 'f', text: '', files: [{ name: 'a.pdf', type: 'application/pdf', url: 'https://f.example/a' }] },
        { isAgain: false },
      )
      expect(codeOf(again)).toBe('ok')
      expect(contract.said(server).at(-1)).toContain('https://f.example/a')
      expect(codeOf(await system.close(link))).toBe('ok')
      expect(contract.isClosed(server)).toBe(true)
    })

    test('opens and says nothing twice when it is not known whether it was done [P-1191]', async () => {
      const link = await open()
      const { link: next } = await say(link, 'uma vez')
      await say(next, 'uma vez', { isAgain: true })
      expect(contract.said(server).filter(text => text === 'uma vez')).toHaveLength(1)
      // A message that never arrived is sent if the system can detect that.
      await say(next, 'nunca chegou', { isAgain: true })
      expect(contract.said(server).includes('nunca chegou')).toBe(contract.recognizes)
    })

    test('tells that an agent came, what they say and that they closed the chat, and not what the person said [P-1192]', async () => {
      let link = await open()
      ;({ link } = await say(link, 'oi'))
      let told = await heard(link, 'joined')
      expect(kinds(told.events)).toContain('joined')
      told = await heard(told.link, 'message', 'Pois não?')
      const [message] = told.events.filter(({ kind }) => kind === 'message')
      expect(message).toMatchObject({ from: 'agent', text: 'Pois não?' })
      told = await heard(told.link, 'echo')
      expect(kinds(told.events)).not.toContain('message')
      told = await heard(told.link, 'closed')
      expect(kinds(told.events)).toContain('closed')
    })

    test('gives what happens the same id each time it is told [P-1192]', async () => {
      const { requests, pushed, socket } = contract
      if (requests === undefined && pushed === undefined && socket === undefined) return
      const link = await open()
      const [first, second] = [await heard(link, 'message', 'Oi'), await heard(link, 'message', 'Oi')]
      expect(first.events).toEqual(second.events)
    })

    if (contract.requests !== undefined)
      test('believes nobody who cannot prove to be the system [P-1193]', async () => {
        await open()
        const [request] = contract.requests?.(server, 'message', 'Oi') ?? []
        if (request === undefined) throw new Error('no request')
        expect(
          codeOf(
            (await system.receive?.({ ...request, headers: {}, path: '', query: new URLSearchParams() })) ?? {
              ok: true,
              value: [],
            },
          ),
        ).toBe('agent.signature')
        const open_ = await opened({ verifytoken: null })
        expect(codeOf((await open_.receive?.(request)) ?? { ok: true, value: [] })).toBe('agent.signature')
      })

    test('says by class what is wrong [P-1194]', async () => {
      const link = await open()
      if (!('calls' in server)) {
        server.goDown()
        expect((await say(link, 'sem mesa')).code).toBe('agent.failed')
        return
      }
      const socket = contract.socket?.(server)
      if (socket !== undefined) {
        socket.fail('500')
        expect((await say(link, 'com 500')).code).toBe('agent.failed')
        socket.fail(undefined)
        expect((await say(link, 'agora sim')).code).toBe('ok')
        return
      }
      for (const [fault, expected] of [
        [401, /unauthorized|ok/u],
        [403, /unauthorized/u],
        [429, /toomany/u],
        [500, /failed/u],
        ['html', /answer/u],
        ['cut', /unreachable/u],
      ] as const) {
        server.fault = fault
        expect((await say(link, `com ${fault}`)).code, String(fault)).toMatch(expected)
      }
      server.fault = undefined
      expect((await say(link, 'agora sim')).code).toBe('ok')
    })

    test('tests its connection part by part, and tells of a wrong key without the key [P-1181]', async () => {
      const checks = await system.check()
      expect(checks.map(({ part, result }) => `${part} ${codeOf(result)}`)).toEqual(
        checks.map(({ part }) => `${part} ok`),
      )
      expect(checks.length).toBeGreaterThan(0)
      if (contract.secret === undefined) return
      const wrong = await (await opened({ [contract.secret]: 'planted-wrong' })).check()
      expect(wrong.some(({ result }) => !result.ok)).toBe(true)
      expect(JSON.stringify(wrong)).not.toContain('planted-wrong')
    })

    if (contract.setAvailable !== undefined)
      test('tells whether an agent is there [D-3.2.05]', async () => {
        for (const isThere of [true, false]) {
          contract.setAvailable?.(server, isThere)
          expect(await system.available?.('sac')).toEqual({ ok: true, value: isThere })
        }
      })

    if (contract.hosts === undefined && contract.pushed === undefined)
      test('is not called at a private address [P-1194]', async () => {
        const closed = await opened({}, false)
        expect(codeOf(await closed.open(chat(), { isAgain: false }))).toBe('outbound.private')
        expect('calls' in server && server.calls).toEqual([])
      })

    test('is found for a bot by its kind [P-1191]', async () => {
      const agents = openedAgents({ type: contract.type, fields: contract.fields(server), ...place(server) })
      const bot = { id: 'b1', defaultagentsystem: null } as never
      expect(await agents.channelOf(bot, contract.type)).toBe('c1')
      expect(await agents.channelOf(bot, '')).toBe('c1')
      expect(await agents.channelOf(bot, 'another')).toBeUndefined()
    })

    test('is found as the default of a bot by its kind or name, with white space around it [P-2180]', async () => {
      const agents = openedAgents({ type: contract.type, fields: contract.fields(server), ...place(server) })
      const foundBy = (defaultagentsystem: string) => agents.channelOf({ id: 'b1', defaultagentsystem } as never, '')
      expect(await foundBy(` ${contract.type.toUpperCase()} `)).toBe('c1')
      expect(await foundBy(' SUPORTE')).toBe('c1')
      expect(await foundBy('another')).toBeUndefined()
    })
  })
}
