import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileFlow } from '#domain/conversation/compile-flow.ts'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import { driveSteps, evaluated, settingsWith } from '#domain/conversation/fixture/talk.ts'
import type { TurnInput } from '#domain/conversation/input.ts'
import type { BotMessage } from '#domain/conversation/message.ts'
import type { CompiledFlow } from '#domain/conversation/release.ts'
import { runTurn } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation } from '#domain/conversation/state.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import { openSandbox } from '#gateway/script/open-sandbox.ts'
import type { Json } from '#schemas/event.ts'
import { type Client, discard, type Parley, startParley } from '#test/api/harness.ts'

const FLOWS = join(process.env.PARLEY_CORPUS ?? '', 'flows')
/** Nobody answers there, and no name has to be looked up. */
const NOWHERE = 'http://127.0.0.1:1/'
/** Messages that one conversation may take within ten seconds. */
const MAX_MESSAGES = 19
/** Conversations held at one time. */
const TOGETHER = 8

const sandbox = openSandbox()

/** Something that a person sends: words, or an action of a message. */
type Sent = { readonly text: string } | { readonly of: number; readonly action: BotMessage['actions'][number] }

/** A way of talking that came to an output first. */
interface Path {
  readonly sent: readonly Sent[]
  readonly state: ConversationState
  readonly said: readonly BotMessage[]
}

/** Blocks behind a question in which its condition is looked for. */
const NEAR = 6

const SAMPLES = ['Ana', '42', '12345678909', 'ana@example.org', '25/12/2026', 'sim', 'não', '???']

const textsIn = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return value.length > 0 && value.length < 80 ? [value] : []
  return typeof value !== 'object' || value === null ? [] : Object.values(value).flatMap(textsIn)
}

/** The same script with the same parameters gives the same. */
const runs = new Map<string, ReturnType<typeof sandbox.run>>()
const runOnce = ({ source, parameters, slow }: Extract<Effect, { kind: 'script' }>) => {
  const key = JSON.stringify([source, parameters])
  const run = runs.get(key) ?? sandbox.run({ source, parameters }, slow)
  runs.set(key, run)
  return run
}

/** As a gateway answers that reaches nothing outside. */
const answer = async (effect: Effect): Promise<EffectAnswer> => {
  if (effect.kind === 'evaluate') {
    return {
      kind: 'evaluate',
      ms: 0,
      values: await Promise.all(effect.jobs.map(job => evaluated(job, effect.context))),
    }
  }
  if (effect.kind === 'rest') {
    return { kind: 'rest', ms: 0, ok: false, error: { code: 'outbound.forbidden', message: 'outbound.forbidden' } }
  }
  if (effect.kind !== 'script') throw new Error(`nobody answers ${effect.kind}`)
  const run = await runOnce(effect)
  const failed = run.error?.message ?? run.ended
  return failed === undefined
    ? { kind: 'script', ms: 0, ok: true, value: run.value ?? null }
    : { kind: 'script', ms: 0, ok: false, message: failed }
}

/** Tries at each place what its buttons say, what conditions compare with, and samples, until nothing new is found. */
class Explorer {
  readonly taken = new Set<string>()
  readonly paths: Path[] = []
  readonly #flow: CompiledFlow

  constructor(flow: CompiledFlow) {
    this.#flow = flow
  }

  async explore(): Promise<void> {
    const state = newConversation({
      id: 'walk',
      started: Date.now(),
      channel: { id: 'web', type: 'webchat' },
      user: { id: 'walker' },
      locale: 'pt',
    })
    const open = [await this.#take({ sent: [], state, said: [] }, { kind: 'open' }, [])]
    for (let path = open.shift(); path !== undefined; path = open.shift()) {
      if (path.state.status !== 'waiting' || path.sent.length >= MAX_MESSAGES) continue
      for (const sent of this.#offers(path)) {
        const input: TurnInput =
          'text' in sent ? { kind: 'text', text: sent.text } : { kind: 'choice', message: sent.of, action: sent.action }
        const before = this.taken.size
        const next = await this.#take(path, input, [...path.sent, sent])
        if (this.taken.size > before) open.push(next)
      }
    }
  }

  #offers(path: Path): readonly Sent[] {
    const pressed = path.said.flatMap(({ id, actions }) => actions.map(action => ({ of: id, action })))
    return [...pressed, ...[...new Set([...this.#awaited(path), ...SAMPLES])].map(text => ({ text }))]
  }

  /** What the first condition behind the waiting block compares with. */
  #awaited({ state }: Path): readonly string[] {
    const { blocks } = this.#flow
    let block = blocks.get(state.frames.at(-1)?.block ?? '')
    for (let at = 0; block !== undefined && at < NEAR; at += 1) {
      if (block.type === 'condition') return textsIn(block.properties.conditions)
      block = blocks.get(block.next.get('output_1') ?? '')
    }
    return []
  }

  async #take(from: Path, input: TurnInput, sent: readonly Sent[]): Promise<Path> {
    const release = { dialogs: new Map([['main', this.#flow]]), handlers: new Map() }
    const environment = { release, settings: settingsWith(), now: Date.now(), seed: 1 }
    const result = await driveSteps(runTurn(environment, from.state, input), answer)
    const before = this.taken.size
    for (const { block, out } of result.steps) if (out !== null) this.taken.add(`${block} ${out}`)
    const path = { sent, state: result.state, said: result.said }
    if (this.taken.size > before) this.paths.push(path)
    return path
  }
}

const read = (name: string) => {
  const file = JSON.parse(readFileSync(join(FLOWS, `${name}.flow.json`), 'utf8'))
  const operators = (file.operators ?? file.flow?.operators) as Record<string, { type: string; properties: object }>
  for (const operator of Object.values(operators))
    if (operator.type === 'restservice') operator.properties = { ...operator.properties, url: NOWHERE, retries: 0 }
  const parsed = parseFlowFile(file)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed))
  return { file, flow: compileFlow('main', 1, readFlow(importFlow(parsed.file))) }
}

const isBeginning = (path: Path, of: Path): boolean =>
  path !== of && path.sent.length < of.sent.length && path.sent.every((sent, place) => sent === of.sent[place])

describe.skipIf(!existsSync(FLOWS) && process.env.CI === undefined)(
  'a flow that people use, published and started',
  () => {
    let parley: Parley
    let admin: Client
    beforeAll(async () => {
      parley = await startParley()
      admin = await parley.signIn()
    })
    afterAll(() => discard(parley))

    const started = async (name: string, file: object): Promise<string> => {
      const made = async (entity: string, fields: object) => (await admin.post(`/${entity}`, fields)).body.id
      const bot = await made('bot', { name })
      const task = await made('dialogtask', { name, bot })
      const dialog = await made('dialog', { name, dialogtask: task })
      expect((await admin.put(`/dialog/${dialog}/flow`, file)).status).toBe(200)
      expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
      await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
      await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1)
      const channel = await made('channel', { bot, type: 'webchat', channel_verify_token: 'walk' })
      expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
      return channel
    }

    const send = async (path: string, token: string, body?: object) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const answered = await fetch(parley.origin + path, { headers, ...init })
      const text = await answered.text()
      if (!answered.ok) throw new Error(`${answered.status} ${text} to ${JSON.stringify(body)}`)
      return JSON.parse(text)
    }

    /** The outputs that a conversation takes in which this is sent. */
    const outputsOf = async (channel: string, { sent }: Path): Promise<readonly string[]> => {
      const { conversation, token } = await send(`/chat/${channel}/conversations`, '', { token: 'walk', locale: 'pt' })
      const messages = `/chat/conversations/${conversation}/messages`
      const settle = async () => {
        while ((await send(`${messages}?after=~`, token)).state === 'active')
          await new Promise(done => setTimeout(done, 5))
      }
      await settle()
      for (const one of sent) {
        const said = 'text' in one ? { text: one.text } : { type: 'choice', of: String(one.of), value: one.action.id }
        await send(messages, token, { id: crypto.randomUUID(), ...said })
        await settle()
      }
      const { turns } = (await admin.get(`/conversation/${conversation}/replay`)).body as unknown as {
        turns: { steps: { block: string; out: string | null }[] }[]
      }
      return turns.flatMap(({ steps }) => steps.flatMap(({ block, out }) => (out === null ? [] : [`${block} ${out}`])))
    }

    test.each([
      ['event', 10],
      ['hotel-chain', 300],
      ['printer', 100],
    ])(
      '%s takes over its chat every output that can be taken without the outside [R-26] [P-988]',
      async (name, least) => {
        const { file, flow } = read(name)
        const explorer = new Explorer(flow)
        await explorer.explore()
        const { taken, paths } = explorer
        expect(taken.size).toBeGreaterThanOrEqual(least)
        const whole = paths.filter(path => !paths.some(other => isBeginning(path, other)))
        const channel = await started(name, file)
        const reached = new Set<string>()
        const left = [...whole]
        await Promise.all(
          Array.from({ length: TOGETHER }, async () => {
            for (let path = left.pop(); path !== undefined; path = left.pop())
              for (const output of await outputsOf(channel, path)) reached.add(output)
          }),
        )
        expect([...taken].filter(output => !reached.has(output))).toEqual([])
      },
    )
  },
)
