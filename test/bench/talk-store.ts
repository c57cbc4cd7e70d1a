import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import { compileFlow, type Release } from '#domain/conversation/release.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import type { OpenedConversations } from '#runtime/conversation/conversation-port.ts'
import { performEffect } from '#runtime/conversation/effect/perform-effect.ts'
import { openPool } from '#runtime/isolation/pool.ts'
import { openEvaluator, openSandbox } from '#runtime/isolation/pooled-work.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { openWorld } from '../conversation/world.ts'
import { quantile } from './figure.ts'

const WORDS = ['Ana', '42', 'sim', 'não', '12345678909', 'ana@example.org', '25/12/2026', 'ajuda', '1', '2'] as const
const CALLS: Readonly<Record<string, EffectAnswer>> = {
  rest: { kind: 'rest', ms: 0, ok: true, status: 200, body: { result: 'ok', status: 'ok' } },
  script: { kind: 'script', ms: 0, ok: true, value: null },
}

/** A real flow as a release of one dialog. */
export const corpusRelease = (name: string): Release => {
  const parsed = parseFlowFile(corpusJson('flows', `${name}.flow.json`))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed))
  return {
    dialogs: new Map([['main', compileFlow('main', 1, readFlow(importFlow(parsed.file)))]]),
    handlers: new Map(),
  }
}

/** Conversations over an embedded store, with the evaluator of a gateway; calls and scripts are answered at once. */
export const openTalkStore = async (release: Release) => {
  const pool = openPool()
  const evaluator = openEvaluator(pool, { level: 'l' })
  const sandbox = openSandbox(pool, { level: 'l' })
  const call = () => Promise.reject(new Error('nothing is called'))
  const perform = async (effect: Effect): Promise<EffectAnswer> =>
    CALLS[effect.kind] ??
    performEffect(effect, {
      ...{ evaluator, sandbox, call },
      readFeed: async () => undefined,
      secrets: async () => ({}),
      token: async () => ({ ok: false, refusal: { code: 'entity.notfound' } }),
    })
  const world = await openWorld({}, {}, release)
  const node = await world.node({ perform })
  return {
    world,
    node,
    async close() {
      await world.close()
      pool.close()
    },
  }
}

/** A user who presses or says any available option, and starts over at the end. */
export class Talker {
  readonly #node: OpenedConversations
  readonly #times: number[]
  readonly #user: string
  #conversation: string | undefined
  #said = 0

  constructor(node: OpenedConversations, user: string, times: number[]) {
    this.#node = node
    this.#user = user
    this.#times = times
  }

  /** One turn, timed from message to answer. */
  async take(): Promise<void> {
    const began = performance.now()
    const id = this.#conversation
    this.#conversation = id === undefined ? await this.#begin() : await this.#say(id)
    this.#times.push(performance.now() - began)
  }

  async #begin(): Promise<string> {
    const opened = await this.#node.open({ channel: 'web', user: { id: this.#user }, begins: true })
    if (!opened.ok) throw new Error(opened.refusal.code)
    await this.#node.settled(opened.value.conversation, 60_000)
    return opened.value.conversation
  }

  async #say(id: string): Promise<string | undefined> {
    this.#said += 1
    const page = await this.#node.newest(id, 1)
    const [message] = page?.messages ?? []
    const actions = (message?.actions ?? []) as unknown as readonly { readonly id: string }[]
    const action = actions[this.#said % Math.max(1, actions.length)]
    const sent = { id: `${id} ${this.#said}` }
    const text = WORDS[this.#said % WORDS.length] ?? ''
    const taken = await this.#node.accept(
      id,
      action === undefined || message === undefined
        ? { ...sent, type: 'text', text }
        : { ...sent, type: 'choice', of: message.id, value: action.id },
    )
    await this.#node.settled(id, 60_000)
    return taken.ok && (await this.#node.load(id))?.ended === undefined ? id : undefined
  }
}

/**
 * Turns of each second while so many talk without pause, ms of a turn, and ms of processor time of one: that of all
 * threads, without the evaluator.
 */
export const talkHard = async (node: OpenedConversations, talkers: number, seconds: number) => {
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: talkers }, async (_, n) => {
      const talker = new Talker(node, `p${n}`, times)
      while (performance.now() < until) await talker.take()
    }),
  )
  const { user, system } = process.cpuUsage(before)
  const processor = (user + system) / 1000 / times.length
  return { rate: times.length / seconds, p95: quantile(times, 0.95), processor }
}

/** Starts turns at a steady rate, without waiting for earlier ones; ms per turn. */
export const talkSteadily = async (node: OpenedConversations, rate: number, seconds: number) => {
  const times: number[] = []
  const free = Array.from({ length: rate * 4 }, (_, n) => new Talker(node, `s${n}`, times))
  const running: Promise<void>[] = []
  const began = performance.now()
  for (let n = 0; n < rate * seconds; ) {
    for (; n < ((performance.now() - began) / 1000) * rate; n += 1) {
      const talker = free.shift()
      if (talker === undefined) continue
      running.push(talker.take().then(() => void free.push(talker)))
    }
    await new Promise(done => setTimeout(done, 2))
  }
  await Promise.all(running)
  return { p95: quantile(times, 0.95), p50: quantile(times, 0.5), turns: times.length }
}
