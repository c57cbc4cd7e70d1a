import { setTimeout as pause } from 'node:timers/promises'
import type { Commands } from '#commands/command-handler.ts'
import type { Span, SpanAttributes, Tracer } from '#commands/tracer.ts'
import type { AnswerOf, CallResult, Effect, EffectAnswer, EffectOf, Evaluated } from '#domain/conversation/effect.ts'
import { expressionJob } from '#domain/conversation/evaluate.ts'
import { TURN_LIMITS } from '#domain/conversation/limits.ts'
import type { Evaluator } from '#domain/expression/interruptible.ts'
import { readToken, tokenRequest } from '#domain/oauth.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { DEEPEST_PROPERTY } from '#schemas/flow/file.ts'
import { isDeeperThan, parseJson, textAt } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import {
  callerOf,
  type HolidaysOf,
  INLINE_HOLIDAYS,
  openEvaluator,
  openHolidays,
  openSandbox,
  readFeedInPool,
  type Sandbox,
} from '../../isolation/pooled-work.ts'
import type { Feed, FeedInput } from '../../isolation/read-feed.ts'
import { askSystemForBot, understandWithMlSystem } from '../../ml/open-ml.ts'
import { askBrainOf, modelOfBot, understandForBot } from '../../nlu/understand-for-bot.ts'
import type { Call, OutboundAnswer, OutboundRequest } from '../../outbound/call.ts'
import { bodyText, feedRequest, numberAt, restRequest } from '../../outbound/rest-request.ts'
import type { RuntimeParts } from '../../parts.ts'
import { secretVariables } from './turn-settings.ts'

const TIMEOUT_MS = 20_000
const MAX_BODY_BYTES = 100_000
/** ms before its expiry from which a token is no longer used. */
const MARGIN_MS = 60_000
/** ms; lifetime of a token whose answer states none. */
const UNSAID_MS = 300_000
const MAX_HELD = 1_000

/** Token of one revision of a configuration; another revision has another token. */
interface AccessToken {
  readonly token: string
  readonly revision: number
  /** ms since 1970 */
  readonly until: number
}

/** Access tokens for the calls of bots: fetched once, cached in memory until shortly before they expire (C-3.55). */
interface AccessTokens {
  /** By id or name of a configuration of the bot. `refusedToken`: a refused token, to be replaced by a new one. */
  of(bot: RowOf<'bot'>, configuration: string, refusedToken?: string): Promise<Result<string>>
}

interface AccessTokenParts {
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'openFields'>
  readonly call: Call
  readonly now?: () => number
}

const openAccessTokens = ({ read, commands, call, now = Date.now }: AccessTokenParts): AccessTokens => {
  const held = new Map<string, AccessToken>()
  const underWay = new Map<string, Promise<Result<string>>>()

  const configurationOf = async (bot: RowOf<'bot'>, wanted: string): Promise<RowOf<'oauth'> | undefined> => {
    const row = await read.detail(SYSTEM_SCOPE, 'oauth', wanted)
    if (row !== undefined) return row.bot === bot.id ? row : undefined
    const filter = { bot: bot.id, name: wanted }
    const { items } = await read.list(SYSTEM_SCOPE, 'oauth', { page: 1, size: 100, filter })
    return items.find(({ name }) => name === wanted)
  }
  const fetchToken = async ({ id, revision }: RowOf<'oauth'>): Promise<Result<string>> => {
    const fields = await commands.openFields('oauth', id)
    if (fields === undefined) return refused('entity.notfound')
    const request = tokenRequest(fields)
    if (!request.ok) return request
    const began = now()
    const answer = await call({ method: 'POST', ...request.value, timeout: TIMEOUT_MS, most: MAX_BODY_BYTES })
    if (!answer.ok) return answer
    const received = readToken(answer.value.status, bodyText(answer.value) ?? '')
    if (!received.ok) return received
    const { token, receipt } = received.value
    const lives = receipt.expires_in === null ? UNSAID_MS : receipt.expires_in * 1000 - MARGIN_MS
    held.delete(id)
    held.set(id, { token, revision, until: began + lives })
    const [oldest] = held.keys()
    if (held.size > MAX_HELD && oldest !== undefined) held.delete(oldest)
    return accepted(token)
  }
  return {
    async of(bot, wanted, refusedToken) {
      const configuration = await configurationOf(bot, wanted)
      if (configuration === undefined) return refused('entity.notfound')
      const { id, revision } = configuration
      const known = held.get(id)
      const isUsable = known !== undefined && known.revision === revision && known.until > now()
      if (isUsable && known.token !== refusedToken) return accepted(known.token)
      const fetching = underWay.get(id) ?? fetchToken(configuration).finally(() => underWay.delete(id))
      underWay.set(id, fetching)
      return fetching
    },
  }
}

/** Services that carry out effects. */
export interface Outside {
  readonly evaluator: Evaluator
  readonly sandbox: Sandbox
  readonly readFeed: (input: FeedInput) => Promise<Feed | undefined>
  /** Default: on this thread. */
  readonly holidays?: HolidaysOf
  readonly call: Call
  /** Secret global variables of the bot, for calls only. */
  readonly secrets: () => Promise<JsonObject>
  /** Classifies a text with the bot's model; without it nothing is recognized. */
  readonly understand?: (effect: EffectOf<'nlu'>) => Promise<AnswerOf<'nlu'>>
  /** Answer of a bot's external system to a text; without it there is none. */
  readonly askSystem?: (effect: EffectOf<'ml'>) => Promise<AnswerOf<'ml'>>
  /** Answer of the bot's brain; without it there is none. */
  readonly askBrain?: (effect: EffectOf<'brain'>) => Promise<AnswerOf<'brain'>>
  /** Finds the channel for a person who asks for an agent; without it there is none. */
  readonly askAgent?: (effect: EffectOf<'agent'>) => Promise<AnswerOf<'agent'>>
  /** Answer of another bot outside stored conversations; without it there is none. */
  readonly askBot?: (effect: EffectOf<'bot'>) => Promise<AnswerOf<'bot'>>
  readonly tracer?: Tracer | undefined
  /** Access token of a configuration of the bot; a new one after `refusedToken` was refused. */
  readonly token: (configuration: string, refusedToken?: string) => Promise<Result<string>>
}

/** Longest body of a failed call that is kept, in characters. */
const MAX_ERROR_BODY = 10_000
const NEWS = 3
const MAX_NEWS = 100

/** ms for one expression, and for one pattern, which is tried with every incoming message. */
const EXPRESSION_LIMIT_MS = 1000
const PATTERN_LIMIT_MS = 100
const LEAST_WAIT_MS = 20

/** Evaluates the jobs of a block as one: after some have used up a turn's time, the rest get none. */
const evaluate = async (
  { jobs, context }: EffectOf<'evaluate'>,
  { evaluator }: Outside,
): Promise<AnswerOf<'evaluate'>> => {
  const timed = jobs.map(job => ({
    job: expressionJob(job, context),
    ms: job.kind === 'pattern' ? PATTERN_LIMIT_MS : EXPRESSION_LIMIT_MS,
  }))
  const { outcomes, ms, waited = 0 } = await evaluator.evaluateAll(timed, TURN_LIMITS.evaluationTime)
  const values = outcomes.map(
    (outcome): Evaluated =>
      outcome.ok ? { ok: true, value: plain(outcome.value) } : { ok: false, fault: outcome.fault.code },
  )
  return { kind: 'evaluate', ms: Math.round(ms), ...waitedFor(waited), values }
}

/** Short times in the queue are not recorded. */
const waitedFor = (waited: number): { readonly waited?: number } =>
  waited < LEAST_WAIT_MS ? {} : { waited: Math.round(waited) }

/** Converts a value to its JSON form. */
const plain = (value: unknown): Json => {
  const written = JSON.stringify(value)
  return written === undefined ? null : (JSON.parse(written) as Json)
}

const script = async (effect: EffectOf<'script'>, { sandbox }: Outside): Promise<AnswerOf<'script'>> => {
  const { source, parameters, slow } = effect
  const run = await sandbox.run({ source, parameters }, slow)
  const failed = run.error?.message ?? run.ended
  return failed === undefined
    ? { kind: 'script', ms: run.time, ...waitedFor(run.waited), ok: true, value: run.value ?? null }
    : { kind: 'script', ms: run.time, ...waitedFor(run.waited), ok: false, message: failed }
}

const TOO_DEEP = { code: 'depth', message: 'nested too deeply' }
const TOO_LARGE = { code: 'size', message: 'larger than a variable may be' }

/** JSON if it parses, else text; the reason why no variable can hold it. */
const bodyOf = (text: string): { readonly body: Json } | { readonly fault: typeof TOO_DEEP } => {
  if (isDeeperThan(text, DEEPEST_PROPERTY)) return { fault: TOO_DEEP }
  const parsed = parseJson(text)
  const body = parsed === undefined ? text : parsed
  return JSON.stringify(body).length > TURN_LIMITS.variable ? { fault: TOO_LARGE } : { body }
}

/** `isKept`: whether a variable takes the body of a successful call; otherwise its size does not matter. */
const resultOf = (answer: OutboundAnswer, isKept: boolean): CallResult => {
  const { status, truncated } = answer
  const text = bodyText(answer) ?? ''
  const read = truncated ? { fault: TOO_LARGE } : bodyOf(text)
  if (status >= 200 && status < 300) {
    if ('body' in read) return { ok: true, status, body: read.body }
    if (isKept || read.fault === TOO_DEEP) return { ok: false, error: { ...read.fault, status } }
    return { ok: true, status, body: null }
  }
  const long = text.length > MAX_ERROR_BODY ? { body: text.slice(0, MAX_ERROR_BODY).toWellFormed() } : undefined
  return {
    ok: false,
    error: { code: 'http', message: `HTTP ${status}`, status, ...(long ?? ('body' in read ? read : {})) },
  }
}

/** Methods that may be retried after any failure; POST and PATCH only if they were surely not taken. */
const REPEATABLE = new Set(['GET', 'PUT', 'DELETE'])
const UNTAKEN = new Set(['outbound.unknown'])
const MAX_RETRIES = 20
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 10_000

const isWorthAnother = (method: string, result: CallResult): boolean => {
  if (result.ok) return false
  const { code, status } = result.error
  if (status === undefined) return REPEATABLE.has(method) || UNTAKEN.has(code)
  if (status === 429 || status === 503) return true
  return REPEATABLE.has(method) && (status === 408 || status >= 500)
}

interface Attempts {
  /** At most. */
  readonly count: number
  readonly isKept: boolean
  /** Gets the host of the call, never more of its address. */
  readonly span: Span | undefined
}

const called = ({ method, url }: OutboundRequest, result: CallResult, tries: number): SpanAttributes => ({
  'http.request.method': method,
  'http.response.status_code': result.ok ? result.status : result.error.status,
  'server.address': URL.parse(url)?.hostname,
  'parley.tries': tries,
})

const attempted = async (
  request: OutboundRequest,
  { count, isKept, span }: Attempts,
  call: Outside['call'],
): Promise<CallResult> => {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call(request)
    const result: CallResult = answer.ok
      ? resultOf(answer.value, isKept)
      : { ok: false, error: { code: answer.refusal.code, message: answer.refusal.code } }
    span?.set(called(request, result, attempt))
    if (attempt >= count || !isWorthAnother(request.method, result)) return result
    const told = answer.ok
      ? Number(answer.value.headers.find(([name]) => name === 'retry-after')?.[1]) * 1000
      : Number.NaN
    const wait = Number.isFinite(told) ? told : FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
    await pause(Math.min(wait, LONGEST_PAUSE_MS))
  }
}

const UNAUTHORIZED = 401

/** Calls with the access token of a configuration and renews the token once when it is refused. */
const authorized = async (
  request: OutboundRequest,
  attempts: Attempts,
  configuration: string,
  { call, token }: Pick<Outside, 'call' | 'token'>,
): Promise<CallResult> => {
  const own = request.headers.filter(([name]) => name.toLowerCase() !== 'authorization')
  const calledWith = (given: string) =>
    attempted({ ...request, headers: [...own, ['authorization', `Bearer ${given}`]] }, attempts, call)
  const failed = ({ code }: { readonly code: string }): CallResult => ({
    ok: false,
    error: { code: 'oauth', message: code },
  })
  const first = await token(configuration)
  if (!first.ok) return failed(first.refusal)
  const result = await calledWith(first.value)
  if (result.ok || result.error.status !== UNAUTHORIZED) return result
  const second = await token(configuration, first.value)
  return second.ok ? calledWith(second.value) : failed(second.refusal)
}

const rest = async (effect: EffectOf<'rest'>, outside: Outside): Promise<AnswerOf<'rest'>> => {
  const { evaluator, call, secrets, tracer } = outside
  const began = performance.now()
  const ended = (result: CallResult): AnswerOf<'rest'> => ({
    kind: 'rest',
    ms: Math.round(performance.now() - began),
    ...result,
  })
  const values = { ...effect.context, ...(await secrets()) }
  const made = await restRequest(effect.properties, { evaluator, parser: effect.parser, values })
  if (!made.ok) return ended({ ok: false, error: { code: 'expression', message: made.refusal.code } })
  const headers = [...made.value.headers, ['Idempotency-Key', effect.key] as const]
  const count = 1 + Math.min(numberAt(effect.properties, 'retries', 0), MAX_RETRIES)
  const isKept = textAt(effect.properties, 'resultVariable') !== ''
  const attempts = { count, isKept, span: tracer?.current() }
  const request = { ...made.value, headers }
  const configuration = textAt(effect.properties, 'oauthConfigName')
  if (configuration === '') return ended(await attempted(request, attempts, call))
  return ended(await authorized(request, attempts, configuration, outside))
}

const feed = async (
  effect: EffectOf<'feed'>,
  { evaluator, call, secrets, readFeed, tracer }: Outside,
): Promise<AnswerOf<'feed'>> => {
  const began = performance.now()
  const failed = (code: string): AnswerOf<'feed'> => ({
    kind: 'feed',
    ms: Math.round(performance.now() - began),
    ok: false,
    code,
  })
  const values = { ...effect.context, ...(await secrets()) }
  const made = await feedRequest(effect.properties, { evaluator, parser: effect.parser, values })
  if (!made.ok) return failed(made.refusal.code)
  const answer = await call(made.value)
  const host = URL.parse(made.value.url)?.hostname
  const status = answer.ok ? answer.value.status : undefined
  tracer?.current().set({ 'http.request.method': 'GET', 'server.address': host, 'http.response.status_code': status })
  if (!answer.ok) return failed(answer.refusal.code)
  const most = Math.min(numberAt(effect.properties, 'numberOfNews', NEWS), MAX_NEWS)
  const read = await readFeed({ xml: bodyText(answer.value) ?? '', most, address: answer.value.url })
  if (read === undefined) return failed('feed.format')
  return { kind: 'feed', ms: Math.round(performance.now() - began), ok: true, items: read.items }
}

const holiday = async (
  { country, state, kinds, years }: EffectOf<'holiday'>,
  { holidays = INLINE_HOLIDAYS }: Outside,
): Promise<AnswerOf<'holiday'>> => {
  const found = await Promise.all(years.map(year => holidays({ country, state }, year)))
  const days = found.flat().flatMap(({ day, type }) => (kinds.includes(type) ? [day] : []))
  return { kind: 'holiday', ms: 0, days }
}

/** Carries out an effect of the interpreter. A service that is not set up answers as unavailable. */
export const performEffect = async (effect: Effect, outside: Outside): Promise<EffectAnswer> => {
  switch (effect.kind) {
    case 'evaluate':
      return evaluate(effect, outside)
    case 'script':
      return script(effect, outside)
    case 'rest':
      return rest(effect, outside)
    case 'feed':
      return feed(effect, outside)
    case 'holiday':
      return holiday(effect, outside)
    case 'pause':
      return { kind: 'pause', ms: 0 }
    case 'nlu':
      return (await outside.understand?.(effect)) ?? { kind: 'nlu', ms: 0, ok: false, code: 'unavailable' }
    case 'brain':
      return (await outside.askBrain?.(effect)) ?? { kind: 'brain', ms: 0, ok: false, code: 'unavailable' }
    case 'ml':
      return (await outside.askSystem?.(effect)) ?? { kind: 'ml', ms: 0, ok: false, code: 'unavailable' }
    case 'agent':
      return (await outside.askAgent?.(effect)) ?? { kind: 'agent', ms: 0, ok: false, code: 'unavailable' }
    case 'bot':
      return (await outside.askBot?.(effect)) ?? { kind: 'bot', ms: 0, ok: false, code: 'unavailable' }
    default:
      return effect satisfies never
  }
}

/** Opens the services that carry out effects of conversations. `stopped`: aborts when a bot is stopped. */
export const openExternalServices = (
  parts: Pick<RuntimeParts, 'read' | 'commands' | 'call' | 'nlu' | 'ml' | 'work' | 'tracer'>,
  stopped: (bot: RowOf<'bot'>) => AbortSignal | undefined = () => undefined,
) => {
  const { read, commands, call, work, tracer } = parts
  const holidays = openHolidays(work)
  const tokens = openAccessTokens({ read, commands, call })
  return {
    /** `model`: hash of a release's NLU model; default: the model that the bot names, or its project's. */
    of: (bot: RowOf<'bot'>, model?: string | null): Outside => {
      const from = callerOf(bot, bot.id)
      const signal = stopped(bot)
      return {
        evaluator: openEvaluator(work, from, signal),
        sandbox: openSandbox(work, from, signal === undefined ? {} : { signal }),
        readFeed: input => readFeedInPool({ pool: work, from }, input),
        ...{ holidays, call, tracer },
        secrets: () => secretVariables(read, commands, bot),
        understand: effect => {
          const system = understandWithMlSystem(parts, bot)
          const used = model === undefined ? modelOfBot(bot) : model
          if (system === undefined)
            tracer?.current().set({ 'parley.engine': 'parley', 'parley.model': used ?? 'production' })
          else tracer?.current().set({ 'parley.engine': bot.default_nlu_system?.trim().toLowerCase() })
          return (system ?? understandForBot(parts, bot, used))(effect)
        },
        askSystem: effect => askSystemForBot(parts, bot)(effect),
        askBrain: effect => askBrainOf(parts, bot)(effect),
        token: (configuration, refusedToken) => tokens.of(bot, configuration, refusedToken),
      }
    },
  }
}
