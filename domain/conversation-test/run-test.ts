import type { EffectAnswer, Steps } from '#domain/conversation/effect.ts'
import { actionsOf, pressOf, type TurnInput } from '#domain/conversation/message.ts'
import type { CompiledBlock } from '#domain/conversation/release.ts'
import { runTurn, type TurnResult } from '#domain/conversation/run-turn.ts'
import { type ConversationState, NOTHING_SAID } from '#domain/conversation/state.ts'
import type { Step } from '#domain/conversation/step.ts'
import { openTurn } from '#domain/conversation/turn.ts'
import { contextOf, holderOf, valueNamed } from '#domain/conversation/variables.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, jsonEqual, record } from '#schemas/json.ts'
import { answerCall, callOf, type InnerSteps, type MadeCall, timesCalled } from './answer-call.ts'
import { beginningOf, newTestConversation, type TestBot, taskCalled } from './begin-test.ts'
import { isCalled } from './check-names.ts'
import { describeExpectation, describeMessage, matchesExpectation, type ReceivedMessage } from './match-message.ts'
import { type BlockPlace, type PathStep, TestFailure, type TestResult } from './test-result.ts'
import { readDuration, type StateExpectation, type TestFile, type TestStep, type TestStub } from './test-schema.ts'

/** Context of a step. */
interface Around {
  readonly bot: TestBot
  readonly state: ConversationState
  readonly messages: readonly ReceivedMessage[]
}

const attachmentOf = (file: string | JsonObject): JsonObject =>
  typeof file === 'string'
    ? { name: file.split('/').at(-1) ?? file, contentUrl: file, contentType: typeByName(file) }
    : file

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  txt: 'text/plain',
}
const typeByName = (file: string): string =>
  TYPES[file.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'

const pressed = (kind: 'choose' | 'press', title: string, { messages }: Around): TurnInput => {
  const offered = messages
    .toReversed()
    .flatMap(({ message }) => actionsOf(message).map(action => ({ message, action })))
  const wanted = offered.find(({ action }) => isCalled({ id: action.value, name: action.title }, title))
  if (wanted === undefined) {
    const last = messages.findLast(({ message }) => actionsOf(message).length > 0)
    const titles = last === undefined ? [] : actionsOf(last.message).map(action => action.title)
    throw new TestFailure('action', { [kind]: title }, titles)
  }
  return pressOf(wanted.message, wanted.action)
}

const menuOf = (command: string, { bot }: Around): TurnInput => {
  if (command === 'restart' || command === 'agent') return { kind: 'menu', command }
  const task = taskCalled(bot.settings, command)
  if (task === undefined) throw new TestFailure('begin', command, null)
  return { kind: 'menu', command: 'task', task: task.id }
}

const eventOf = (event: Extract<TestStep, { kind: 'event' }>['value'], { bot, state }: Around): TurnInput => {
  if (typeof event === 'string') {
    if (event === 'open') return { kind: 'open' }
    return event === 'agent' ? { kind: 'agentleft', reason: 'closed' } : { kind: event }
  }
  if ('open' in event) return { kind: 'open', payload: event.open }
  if ('agent' in event) return { kind: 'agentleft', reason: event.agent }
  if ('submit' in event) return { kind: 'submit', data: event.submit }
  if ('order' in event) return { kind: 'order', data: event.order }
  const planned = state.schedules.find(({ id }) => {
    const blocks = [...bot.release.dialogs.values()].map(({ blocks: held }) => held.get(id))
    const block = blocks.find(each => each !== undefined)
    return block !== undefined && isCalled({ id, name: block.title }, event.schedule)
  })
  if (planned === undefined) throw new TestFailure('state', { schedule: event.schedule }, { schedule: null })
  return { kind: 'schedule', id: planned.id }
}

/** Converts a step to an interpreter input. */
const inputOf = (step: Exclude<TestStep, { kind: 'bot' | 'expect' | 'wait' }>, around: Around): TurnInput => {
  switch (step.kind) {
    case 'user':
      return { kind: 'text', text: step.value }
    case 'choose':
    case 'press':
      return pressed(step.kind, step.value, around)
    case 'attach': {
      const files: readonly (string | JsonObject)[] = Array.isArray(step.value) ? step.value : [step.value]
      return { kind: 'attachment', attachments: files.map(attachmentOf) }
    }
    case 'locate':
      return {
        kind: 'location',
        location: typeof step.value === 'string' ? { address: step.value } : (step.value as JsonObject),
      }
    case 'menu':
      return menuOf(step.value, around)
    case 'event':
      return eventOf(step.value, around)
    default:
      return step satisfies never
  }
}

/** Times that the clock may bring something within one wait. */
const MAX_DUE = 1000

/** Values that a result tells, and characters of each. */
const MAX_VALUES = 200
const MAX_VALUE = 500
/** Shown in place of a masked answer. */
const DOTS = '••••••'

/** A test while it runs. */
class RunningTest {
  readonly path: PathStep[] = []
  /** From 1. */
  step = 0
  readonly #bot: TestBot
  readonly #file: TestFile
  readonly #times = new Map<TestStub, number>()
  readonly #calls: MadeCall[] = []
  readonly #queue: ReceivedMessage[] = []
  readonly #messages: ReceivedMessage[] = []
  #state: ConversationState
  #now: number
  #isOpen = false
  #turns = 0
  #idleEnd: number | undefined
  /** The block that runs, while a turn runs. */
  #running: BlockPlace | undefined
  #ended: string | undefined
  #endedLocals: JsonObject = {}

  constructor(file: TestFile, bot: TestBot) {
    this.#file = file
    this.#bot = bot
    this.#now = beginningOf(file.given)
    this.#state = newTestConversation(this.#file.given, this.#bot, this.#now)
  }

  /** Values of the conversation and its running dialog; after the end of the dialog those that it had then. */
  get values(): JsonObject {
    const { variables, frames, masked } = this.#state
    const top = frames.at(-1)
    const locals = top === undefined ? this.#endedLocals : holderOf(this.#state, top).locals
    const shown = Object.entries({ ...variables, ...locals }).map(([name, value]) => {
      if (masked.includes(name) && value !== null) return [name, DOTS] as const
      const written = JSON.stringify(value)
      return [name, written.length > MAX_VALUE ? `${written.slice(0, MAX_VALUE)}…` : value] as const
    })
    return record(shown.slice(0, MAX_VALUES))
  }

  /** The block where the conversation is: the one that runs or waits, or else the last one that ran. */
  get at(): BlockPlace | undefined {
    const frame = this.#state.frames.at(-1)
    const last = this.path.at(-1)
    return this.#running ?? this.#placeOf(frame?.dialog, frame?.block) ?? this.#placeOf(last?.dialog, last?.block)
  }

  /** Ids of the dialogs and handlers that ran. */
  get flows(): readonly string[] {
    const { handlers } = this.#bot.release
    const scripts = this.#calls.flatMap(({ kind, names }) =>
      kind === 'handler' ? names.filter(name => handlers.has(name)) : [],
    )
    return [...new Set([...this.path.map(({ dialog }) => dialog), ...scripts])]
  }

  *run(): InnerSteps<void> {
    for (const step of this.#file.steps) {
      const isInput = step.kind !== 'bot' && step.kind !== 'expect'
      // Unexpected messages are reported at the step before them.
      if (isInput) this.#expectNothingMore()
      this.step += 1
      yield* this.#take(step)
    }
    this.#expectNothingMore()
  }

  *#take(step: TestStep): InnerSteps<void> {
    if (!this.#isOpen && !(yield* this.#open(step))) return
    switch (step.kind) {
      case 'bot':
        return this.#expectMessage(step.value)
      case 'expect':
        return expectState(step.value, this.#situation())
      case 'wait':
        return yield* this.#wait(readDuration(step.value) ?? 0)
      default:
        return yield* this.#turn(inputOf(step, { bot: this.#bot, state: this.#state, messages: this.#messages }))
    }
  }

  /** The first turn; false where the step itself is it. */
  *#open(step: TestStep): InnerSteps<boolean> {
    this.#isOpen = true
    const isPlaced = this.#state.frames.length > 0
    if (step.kind === 'user' && isPlaced) {
      const said = { ...NOTHING_SAID, text: step.value, value: step.value }
      this.#state = { ...this.#state, said }
      yield* this.#turn({ kind: 'resume' })
      return false
    }
    if (step.kind === 'user' || (step.kind === 'menu' && !isPlaced)) return true
    const payload = step.kind === 'event' && isObject(step.value) && 'open' in step.value ? step.value.open : undefined
    yield* this.#turn(isPlaced ? { kind: 'resume' } : { kind: 'open', ...(payload === undefined ? {} : { payload }) })
    return step.kind !== 'event' || !(step.value === 'open' || payload !== undefined)
  }

  #situation() {
    const { release, settings } = this.#bot
    const state = this.#state
    const turn = openTurn({ release, settings, now: this.#now, seed: 1 }, state)
    const { at } = this
    return {
      state,
      values: contextOf(turn, { masked: true }),
      path: this.path,
      at: at === undefined ? undefined : { id: at.block, name: at.title },
      calls: this.#calls,
      ended: this.#ended,
    }
  }

  #blockAt(dialog: string | undefined, block: string | null | undefined): CompiledBlock | undefined {
    if (dialog === undefined || !block) return undefined
    return this.#bot.release.dialogs.get(dialog)?.blocks.get(block)
  }

  #placeOf(dialog: string | undefined, block: string | null | undefined): BlockPlace | undefined {
    const found = this.#blockAt(dialog, block)
    return dialog === undefined || found === undefined ? undefined : { dialog, block: found.id, title: found.title }
  }

  /** Earliest clock event until a moment, with its time. */
  #due(until: number): { readonly at: number; readonly input: TurnInput } | undefined {
    const { schedules, status, frames } = this.#state
    const wait = status === 'waiting' ? frames.at(-1)?.wait : undefined
    const moments: { readonly at: number | undefined; readonly input: TurnInput }[] = [
      ...schedules.map(({ at, id }) => ({ at, input: { kind: 'schedule', id } as const })),
      { at: wait?.endAt, input: { kind: 'timeout' } },
      { at: status === 'idle' ? this.#idleEnd : undefined, input: { kind: 'timeout' } },
      { at: wait?.remindAt, input: { kind: 'reminder' } },
    ]
    const due = moments.flatMap(({ at, input }) => (at === undefined || at > until ? [] : [{ at, input }]))
    return due.toSorted((one, other) => one.at - other.at)[0]
  }

  *#wait(ms: number): InnerSteps<void> {
    const until = this.#now + ms
    for (let count = 0; count < MAX_DUE; count += 1) {
      const due = this.#due(until)
      if (due === undefined) break
      this.#now = Math.max(this.#now, due.at)
      yield* this.#turn(due.input)
    }
    this.#now = until
  }

  *#turn(input: TurnInput): InnerSteps<void> {
    // A message to an ended conversation begins another one of the same person.
    if (this.#state.status === 'ended') {
      this.#state = {
        ...newTestConversation(this.#file.given, this.#bot, this.#now),
        frames: [],
        variables: {},
        userdata: this.#state.userdata,
      }
      this.#ended = undefined
    }
    this.#turns += 1
    const { release, settings } = this.#bot
    const before = this.path.length
    const environment = { release, settings, now: this.#now, seed: this.#turns, pausing: true }
    const result = yield* this.#answered(runTurn(environment, this.#state, input), before)
    this.#running = undefined
    this.#walked(result.steps, before)
    this.#state = result.state
    if (result.endedLocals !== undefined)
      this.#endedLocals = record(result.endedLocals.flatMap(values => Object.entries(values)))
    this.#ended = result.ended ?? this.#ended
    this.#idleEnd =
      result.state.status === 'idle' && settings.endTimeout > 0 ? this.#now + settings.endTimeout : undefined
    this.#hear(result)
  }

  *#answered(turn: Steps<TurnResult>, before: number): InnerSteps<TurnResult> {
    this.#running = this.#placeOf(this.#state.frames.at(-1)?.dialog, this.#state.frames.at(-1)?.block)
    for (let asked = turn.next(); ; ) {
      if (asked.done) return asked.value
      const effect = asked.value
      let answer: EffectAnswer
      if (effect.kind === 'pause') {
        this.#running = this.#placeOf(effect.dialog, effect.block)
        this.#walked(effect.steps, before)
        answer = { kind: 'pause', ms: 0 }
      } else if (effect.kind === 'evaluate' || effect.kind === 'holiday') {
        // The limits of a turn are of the machine that it runs on: a test does not fail for a slow one.
        answer = { ...(yield effect), ms: 0 }
      } else {
        const block = this.#blockAt(this.#running?.dialog, this.#running?.block)
        const call = yield* callOf(effect, { release: this.#bot.release, block })
        if (call === undefined) throw new Error(`${effect.kind} calls nothing`)
        this.#calls.push(call)
        answer = yield* answerCall(effect, call, this.#file.stubs, this.#times)
      }
      asked = turn.next(answer)
    }
  }

  #walked(steps: readonly Step[], before: number): void {
    const made = steps.map(({ dialog, block, out, calls }) => ({
      step: this.step,
      dialog,
      block,
      title: this.#blockAt(dialog, block)?.title ?? block,
      out: out ?? calls ?? null,
    }))
    this.path.splice(before, this.path.length, ...made)
  }

  #hear({ said, state, steps }: TurnResult): void {
    const waiting = state.status === 'waiting' ? state.frames.at(-1)?.wait?.kind : undefined
    // Messages and steps have the same order: the same block may run in two dialogs.
    let from = 0
    const seen = said.map((message, place): ReceivedMessage => {
      const isLast = place === said.length - 1
      const isBy = (step: Step) => step.block === message.block
      const found = steps.findIndex((step, index) => index >= from && isBy(step))
      if (found !== -1) from = found
      const step = steps[found] ?? steps.findLast(isBy)
      const by = this.#placeOf(step?.dialog, step?.block)
      return { message, wait: message.asks?.kind ?? (isLast ? waiting : undefined), by }
    })
    this.#queue.push(...seen)
    this.#messages.push(...seen)
  }

  #expectMessage(expected: Extract<TestStep, { kind: 'bot' }>['value']): void {
    const [first] = this.#queue
    if (first === undefined) throw new TestFailure('silent', describeExpectation(expected), null)
    const place = this.#file.loose ? this.#queue.findIndex(seen => matchesExpectation(expected, seen)) : 0
    const seen = this.#queue[place]
    if (seen === undefined || !matchesExpectation(expected, seen)) {
      const failure = new TestFailure('message', describeExpectation(expected), describeMessage(first), this.#unnamed())
      failure.at = first.by
      throw failure
    }
    this.#queue.splice(0, place + 1)
  }

  /** Messages of this turn for which the steps that follow have no place. */
  #unnamed(): readonly Json[] {
    if (this.#file.loose) return []
    const later = this.#file.steps.slice(this.step)
    const next = later.findIndex(({ kind }) => kind !== 'bot' && kind !== 'expect')
    const named = later.slice(0, next === -1 ? later.length : next).filter(({ kind }) => kind === 'bot')
    return this.#queue.slice(1 + named.length).map(describeMessage)
  }

  /** Every message has to be named, unless the test is loose. */
  #expectNothingMore(): void {
    const [first] = this.#queue
    if (first !== undefined && !this.#file.loose) {
      const failure = new TestFailure('extra', null, this.#queue.map(describeMessage))
      failure.at = first.by
      throw failure
    }
    this.#queue.length = 0
  }
}

const resultOf = (
  file: TestFile,
  running: RunningTest | undefined,
  failed?: { step: number; failure: TestFailure },
): TestResult => {
  const path = running?.path ?? []
  const values = running?.values ?? {}
  const flows = running?.flows ?? []
  const taken = path.flatMap(({ dialog, block, out }) => (out === null ? [] : [{ dialog, block, out }]))
  const coverage = [...new Map(taken.map(each => [`${each.dialog} ${each.block} ${each.out}`, each])).values()]
  if (failed === undefined) return { passed: true, values, path, flows, coverage }
  const { step, failure } = failed
  const { kind, expected, got, more } = failure
  const line = file.steps[step - 1]?.line
  const at = failure.at ?? running?.at
  return {
    passed: false,
    step,
    ...(line === undefined ? {} : { line }),
    kind,
    ...(at === undefined ? {} : { at }),
    expected,
    got,
    ...(more.length === 0 ? {} : { more }),
    values,
    path,
    flows,
    coverage,
  }
}

/** Runs a test with a simulated clock. Requests expressions, holidays and scripts from the caller. */
export function* runTest(file: TestFile, bot: TestBot): InnerSteps<TestResult> {
  let running: RunningTest | undefined
  try {
    running = new RunningTest(file, bot)
    yield* running.run()
    return resultOf(file, running)
  } catch (error) {
    if (!(error instanceof TestFailure)) throw error
    return resultOf(file, running, { step: Math.max(1, running?.step ?? 1), failure: error })
  }
}

/** State of a conversation that steps can check. */
interface TestSituation {
  readonly state: ConversationState
  /** Values by name, masked ones included. */
  readonly values: JsonObject
  readonly path: readonly PathStep[]
  /** Title of the block at which it stands, or stood last. */
  readonly at: { readonly id: string; readonly name: string } | undefined
  readonly calls: readonly MadeCall[]
  readonly ended: string | undefined
}

/** Shown in place of a masked answer. */
const fail = (name: string, expected: Json, got: Json): never => {
  throw new TestFailure('state', { [name]: expected }, { [name]: got })
}

const expectVariables = (wanted: JsonObject, { state, values }: TestSituation): void => {
  const held = Object.keys(wanted).map(name => [name, valueNamed(values, name) ?? null] as const)
  if (held.every(([name, value]) => jsonEqual(value, wanted[name]))) return
  const shown = held.map(
    ([name, value]) => [name, state.masked.includes(name) && value !== null ? DOTS : value] as const,
  )
  const asked = Object.entries(wanted).map(
    ([name, value]) => [name, state.masked.includes(name) ? DOTS : value] as const,
  )
  fail('variables', record(asked), record(shown))
}

const expectPath = ({ at, visited, notvisited }: StateExpectation, situation: TestSituation): void => {
  const { path } = situation
  if (at !== undefined && (situation.at === undefined || !isCalled(situation.at, at)))
    fail('at', at, situation.at?.name ?? null)
  const isVisited = (name: string) => path.some(({ block, title }) => isCalled({ id: block, name: title }, name))
  const titles = [...new Set(path.map(({ title }) => title))]
  const missed = (visited ?? []).filter(name => !isVisited(name))
  if (missed.length > 0) fail('visited', missed, titles)
  const met = (notvisited ?? []).filter(isVisited)
  if (met.length > 0) fail('notvisited', met, titles)
}

/** Compares a conversation with what a step expects of it; throws at the first thing that does not hold. */
const expectState = (expected: StateExpectation, situation: TestSituation): void => {
  const { state, calls, ended } = situation
  expectPath(expected, situation)
  if (expected.variables !== undefined) expectVariables(expected.variables, situation)
  const missing = (expected.tags ?? []).filter(tag => !state.tags.includes(tag))
  if (missing.length > 0) fail('tags', [...(expected.tags ?? [])], [...state.tags])
  for (const called of expected.called ?? []) {
    const times = timesCalled(called, calls)
    if (called.times === undefined ? times === 0 : times !== called.times)
      fail('called', called as JsonObject, { ...(called as JsonObject), times })
  }
  if (typeof expected.ended === 'boolean' && expected.ended !== (ended !== undefined))
    fail('ended', expected.ended, ended ?? false)
  if (typeof expected.ended === 'string' && expected.ended !== ended) fail('ended', expected.ended, ended ?? false)
  if (expected.idle !== undefined && expected.idle !== (state.status === 'idle'))
    fail('idle', expected.idle, state.status)
  if (expected.status !== undefined && expected.status !== state.status) fail('status', expected.status, state.status)
  if (expected.retained !== undefined && expected.retained !== state.retained)
    fail('retained', expected.retained, state.retained)
}
