import type { AnswerOf, Effect, EffectAnswer, EffectOf, SystemText, Understood } from '#domain/conversation/effect.ts'
import type { CompiledBlock, Release } from '#domain/conversation/release.ts'
import type { Json } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { isObject, textAt } from '#schemas/json.ts'
import { isCalled } from './check-names.ts'
import { TestFailure } from './test-result.ts'
import type { CalledExpectation, MlText, StubKind, StubOf, TestStub } from './test-schema.ts'

/** Whether a text matches a pattern with the wildcard `*`; capitals and accents are ignored. */
const matchesWildcard = (pattern: string, text: string): boolean => {
  const source = folded(pattern.trim())
    .split('*')
    .map(part => part.replaceAll(/[\\^$.|?+()[\]{}]/gu, '\\$&'))
    .join('.*')
  return new RegExp(`^${source}$`, 'su').test(folded(text.trim()))
}

/** `GET /clientes/*` or `GET https://…`: a path alone is that of any host; the query counts where the pattern has one. */
const matchesCall = (pattern: string, method: string, address: string): boolean => {
  const [, wanted = '', place = ''] = /^\s*(?:([A-Za-z*]+)\s+)?(\S*)\s*$/u.exec(pattern) ?? []
  if (wanted !== '' && wanted !== '*' && wanted.toUpperCase() !== method.toUpperCase()) return false
  const [, host = '', path = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^#]*)/iu.exec(address.trim()) ?? []
  const [bare = ''] = path.split('?')
  const asked = place.includes('?') ? path : bare
  return matchesWildcard(place, place.startsWith('/') ? asked || '/' : `${host}${asked}`)
}

/** A call that was made, as a stub and an expectation name it. */
export interface MadeCall {
  readonly kind: StubKind
  /** Called target: an address, a text, a name or id. */
  readonly names: readonly string[]
  readonly method: string
}

/** Effects that the test runner's caller performs. */
export type InnerEffect = EffectOf<'evaluate'> | EffectOf<'holiday'> | EffectOf<'script'>
export type InnerSteps<T> = Generator<InnerEffect, T, EffectAnswer>

interface CallPlace {
  readonly release: Release
  readonly block: CompiledBlock | undefined
}

/** The address of a call, its placeholders filled in. */
function* addressOf({ properties, parser, context }: EffectOf<'rest'> | EffectOf<'feed'>): InnerSteps<string> {
  const text = textAt(properties, 'url')
  const answer = yield {
    kind: 'evaluate',
    jobs: [{ kind: 'template', text, template: 'text', parser }],
    context,
  }
  const value = answer.kind === 'evaluate' && answer.values[0]?.ok === true ? answer.values[0].value : ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const scriptNames = ({ source }: EffectOf<'script'>, { release, block }: CallPlace): readonly string[] => {
  const handlers = [...release.handlers.values()].filter(handler => handler.source === source)
  return [...handlers.flatMap(({ id, name }) => [id, name]), ...(block === undefined ? [] : [block.id, block.title])]
}

/** The call that an effect makes; undefined if it makes none. */
export function* callOf(effect: Effect, place: CallPlace): InnerSteps<MadeCall | undefined> {
  switch (effect.kind) {
    case 'rest': {
      const method = textAt(effect.properties, 'methodType').toUpperCase() || 'GET'
      return { kind: 'rest', names: [yield* addressOf(effect)], method }
    }
    case 'feed':
      return { kind: 'feed', names: [yield* addressOf(effect)], method: 'GET' }
    case 'nlu':
    case 'brain':
    case 'ml':
      return { kind: effect.kind, names: [effect.text], method: '' }
    case 'bot':
      return { kind: 'bot', names: [effect.bot], method: '' }
    case 'agent':
      return { kind: 'agent', names: [effect.queue], method: '' }
    case 'script':
      return { kind: 'handler', names: scriptNames(effect, place), method: '' }
    default:
      return undefined
  }
}

/** Whether a pattern of a stub or an expectation means a call. */
const isMeant = (pattern: string, { kind, names, method }: MadeCall): boolean =>
  names.some(name => {
    if (kind === 'rest' || kind === 'feed') return matchesCall(pattern, method, name)
    return matchesWildcard(pattern, name) || isCalled({ id: name, name }, pattern)
  })

const patternOf = (stub: TestStub): string => (stub as unknown as Readonly<Record<string, string>>)[stub.kind] ?? ''

const stubFor = (stubs: readonly TestStub[], call: MadeCall): TestStub | undefined =>
  stubs.find(stub => stub.kind === call.kind && isMeant(patternOf(stub), call))

export const timesCalled = (expected: CalledExpectation, calls: readonly MadeCall[]): number => {
  const { times: _, ...named } = expected
  return calls.filter(call => {
    const pattern = named[call.kind]
    return pattern !== undefined && isMeant(pattern, call)
  }).length
}

const shownCall = ({ kind, names, method }: MadeCall): Json => {
  const [name = ''] = kind === 'handler' ? names.toReversed() : names
  return { [kind]: method === '' ? name : `${method} ${name}` }
}

const understoodOf = ({
  intent,
  confidence = 1,
  entities = {},
}: Pick<StubOf<'nlu'>, 'intent' | 'confidence' | 'entities'>): Understood => ({
  intents: intent === undefined ? [] : [{ name: intent, confidence }],
  entities: isObject(entities)
    ? Object.entries(entities).map(([name, value]) => ({ name, value, confidence: 1 }))
    : (entities as readonly { name: string; value: Json; confidence?: number }[]).map(each => ({
        confidence: 1,
        ...each,
      })),
})

const systemTextOf = (said: MlText): SystemText =>
  typeof said === 'string'
    ? said
    : {
        text: said.text ?? '',
        options: said.options.map(({ title, value = title, url }) =>
          url === undefined ? { title, value } : { title, value, url },
        ),
      }

/** The answer for this time: the last one again and again. */
const nth = <A>(stub: { readonly answers?: readonly A[] | undefined } & A, time: number): A =>
  stub.answers?.[Math.min(time, stub.answers.length - 1)] ?? stub

const restAnswer = (stub: StubOf<'rest'>, time: number): AnswerOf<'rest'> => {
  const { status = 200, body, error, ms = 0 } = nth(stub, time)
  if (error !== undefined) return { kind: 'rest', ms, ok: false, error: { code: error, message: error } }
  if (status >= 200 && status < 300) return { kind: 'rest', ms, ok: true, status, body: body ?? null }
  const told = body === undefined ? {} : { body }
  return { kind: 'rest', ms, ok: false, error: { code: 'http', message: `HTTP ${status}`, status, ...told } }
}

/** The answer of a stub; `time`: how often it was asked before. */
export const stubAnswer = (stub: TestStub, time = 0): EffectAnswer => {
  const failed = (code: string) => ({ ms: 0, ok: false as const, code })
  switch (stub.kind) {
    case 'rest':
      return restAnswer(stub, time)
    case 'feed': {
      const { error, items = [] } = nth(stub, time)
      return error === undefined ? { kind: 'feed', ms: 0, ok: true, items } : { kind: 'feed', ...failed(error) }
    }
    case 'nlu':
      return stub.error === undefined
        ? { kind: 'nlu', ms: 0, ok: true, ...understoodOf(stub) }
        : { kind: 'nlu', ...failed(stub.error) }
    case 'brain': {
      const { error, intent = null, confidence = 1, texts = [] } = stub
      return error === undefined
        ? { kind: 'brain', ms: 0, ok: true, intent, confidence, answers: texts }
        : { kind: 'brain', ...failed(error) }
    }
    case 'ml': {
      const { error, texts = [], payload = null, ...understood } = nth(stub, time)
      if (error !== undefined) return { kind: 'ml', ...failed(error) }
      return { kind: 'ml', ms: 0, ok: true, texts: texts.map(systemTextOf), payload, ...understoodOf(understood) }
    }
    case 'bot': {
      const { error, texts = [], waits = false } = nth(stub, time)
      return error === undefined ? { kind: 'bot', ms: 0, ok: true, texts, waits } : { kind: 'bot', ...failed(error) }
    }
    case 'agent':
      return stub.error === undefined && stub.accepts !== false
        ? { kind: 'agent', ms: 0, ok: true }
        : { kind: 'agent', ...failed(stub.error ?? 'unavailable') }
    case 'handler': {
      const { error, result = null } = nth(stub, time)
      return error === undefined
        ? { kind: 'script', ms: 0, ok: true, value: result }
        : { kind: 'script', ms: 0, ok: false, message: error }
    }
    default:
      return stub satisfies never
  }
}

/** Answers a call by its stub; one without a stub fails the test. */
export function* answerCall(
  effect: Effect,
  call: MadeCall,
  stubs: readonly TestStub[],
  times: Map<TestStub, number>,
): InnerSteps<EffectAnswer> {
  const stub = stubFor(stubs, call)
  if (stub === undefined) throw new TestFailure('call', null, shownCall(call))
  const time = times.get(stub) ?? 0
  times.set(stub, time + 1)
  if (stub.kind === 'handler' && stub.run === true && effect.kind === 'script') return yield effect
  return stubAnswer(stub, time)
}
