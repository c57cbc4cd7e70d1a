import type { Json } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { textAt } from '#schemas/json.ts'
import { answerRating, leaveRating } from './after-agent.ts'
import { nearest } from './answer/choice-answer.ts'
import { runtimeOf } from './blocks/registry.ts'
import type { Steps, Understood } from './effect.ts'
import { isStalePress, pressedWords, type TurnInput, textOfInput } from './message.ts'
import { blockAt, resumeWaiting, runStack, runStep } from './move.ts'
import { groupAt, itemsAt } from './question.ts'
import type { CompiledBlock, MappingSetting } from './release.ts'
import { type Frame, isFirstWord, NOTHING_SAID, type Said, stillUnheard, type Wait } from './state.ts'
import {
  answerFromBrain,
  type CalledFrame,
  perform,
  pushFrame,
  type Reading,
  recordProblem,
  sayMessage,
  sayText,
  type Turn,
  taskFrame,
  topFrame,
  type Unrecognized,
} from './turn.ts'

/** Interpretation of a text by a model, and its likeliest intent; absent if no model answered. */
interface Meaning extends Understood {
  readonly likeliest?: Unrecognized
}

const NOTHING: Meaning = { intents: [], entities: [] }

/**
 * Interprets a text with a model: empty if the model may not be asked or fails. Excludes results below the
 * bot's confidence, or below the model's threshold if the bot sets none. The best intent and all entities stay readable
 * for the flow.
 */
export function* understand(turn: Turn, text: string, isPrompting: boolean): Steps<Meaning> {
  const { nlu } = turn.settings
  if (!nlu.enabled || text.trim() === '' || (isPrompting && nlu.offOnPrompts)) return NOTHING
  const { id: session, locale } = turn.state
  const answer = yield* perform(turn, { kind: 'nlu', text, locale, session })
  if (!answer.ok) {
    recordProblem(turn, 'nlu.failed', answer.code)
    return NOTHING
  }
  const intents = answer.intents
    .filter(({ confidence }) => confidence >= (nlu.intentConfidence ?? answer.threshold ?? 0))
    .toSorted((a, b) => b.confidence - a.confidence)
  const entities = answer.entities.filter(({ confidence }) => confidence >= (nlu.entityConfidence ?? 0))
  const [best] = intents
  turn.state = {
    ...turn.state,
    intent: best === undefined ? {} : { name: best.name, confidence: best.confidence },
    entities: Object.fromEntries(entities.map(({ name, value }) => [name, value])),
  }
  const [first] = answer.intents.toSorted((a, b) => b.confidence - a.confidence)
  const likeliest = { intent: first?.name ?? null, confidence: first?.confidence ?? 0 }
  return { intents, entities, likeliest }
}

/** A question that takes only what is valid for it; anything else may mean something else. */
const isClosed = (block: CompiledBlock, wait: Wait): boolean => {
  if (wait.kind !== 'text') return wait.kind !== 'card' && wait.kind !== 'bot'
  const validation = textAt(groupAt(block.properties, 'data'), 'validationType')
  return block.type === 'prompt' && validation !== '' && validation !== 'none'
}

const saidBy = (input: TurnInput): Said => {
  const text = textOfInput(input)
  switch (input.kind) {
    case 'choice':
      return {
        ...NOTHING_SAID,
        ...{ text: pressedWords(input.action), value: input.action.value, type: 'choice' },
        ...(input.action.system === undefined ? {} : { system: input.action.system }),
      }
    case 'location':
      return { ...NOTHING_SAID, location: input.location, value: input.location, type: 'location' }
    case 'attachment':
      return { ...NOTHING_SAID, text, value: text, attachments: input.attachments, type: 'attachment' }
    case 'order':
    case 'submit':
      return { ...NOTHING_SAID, text, value: input.data, type: input.kind }
    default:
      return { ...NOTHING_SAID, text, value: text }
  }
}

/** Keeps what was said for the flow to read; a masked answer is not kept. */
const hear = (turn: Turn, input: TurnInput, wait: Wait | undefined): void => {
  const { choices } = turn.state
  turn.state = {
    ...turn.state,
    said: wait?.masked === true ? NOTHING_SAID : saidBy(input),
    ...(choices ? { choices: { ...choices, heard: choices.heard + 1 } } : {}),
  }
}

const isWithin = (turn: Turn, { level, within }: MappingSetting): boolean => {
  if (level === 'bot') return true
  const frame = topFrame(turn.state)
  return within !== null && (level === 'task' ? frame?.task === within : frame?.dialog === within)
}

const LEVELS = ['dialog', 'task', 'bot'] as const

/** The innermost mapping that applies here, of those that `matches` finds. */
const innermost = (turn: Turn, matches: (mapping: MappingSetting) => boolean): MappingSetting | undefined => {
  const isWaiting = topFrame(turn.state)?.wait !== undefined
  const found = turn.settings.mappings.filter(
    mapping => matches(mapping) && isWithin(turn, mapping) && !(isWaiting && mapping.offOnPrompts),
  )
  for (const level of LEVELS) {
    const mapping = found.find(each => each.level === level)
    if (mapping !== undefined) return mapping
  }
  return undefined
}

/** A mapping by what a channel sends along, or by the very words. */
const mappingOfInput = (turn: Turn, input: TurnInput): MappingSetting | undefined => {
  const payload =
    input.kind === 'open' || input.kind === 'text'
      ? input.payload
      : input.kind === 'choice'
        ? input.action.value
        : undefined
  const byPayload =
    payload === undefined
      ? undefined
      : innermost(turn, ({ type, of }) => type === 'channelpayload' && of.includes(payload))
  const text = folded(textOfInput(input)).trim()
  if (byPayload !== undefined || text === '') return byPayload
  const said = turn.settings.mappings.filter(({ type }) => type === 'usermessage').flatMap(({ of }) => of)
  const near = nearest(text, said, turn.settings.nlu.fuzzy)
  return near === undefined
    ? undefined
    : innermost(turn, ({ type, of }) => type === 'usermessage' && of.some(each => folded(each) === folded(near)))
}

const mappingOfIntent = (turn: Turn, intent: string): MappingSetting | undefined =>
  innermost(turn, ({ type, of }) => (type === 'intent' || type === 'intentgroup') && of.includes(intent))

/** The task that says a text, or an intent of that name, among its utterances. */
const taskOf = (turn: Turn, text: string, intents: readonly string[]): string | undefined => {
  const tasks = [...turn.settings.tasks.values()]
  const utterances = tasks.flatMap(task => task.utterances)
  const near = nearest(text, utterances, turn.settings.nlu.fuzzy)
  const names = [...(near === undefined ? [] : [near]), ...intents].map(folded)
  return tasks.find(task => task.utterances.some(each => names.includes(folded(each))))?.id
}

/** A dialog that interrupts what waits, or begins where nothing does; false where it is running as an interruption already. */
const begin = (turn: Turn, called: CalledFrame): boolean => {
  const { frames } = turn.state
  if (frames.some(({ kind, dialog }) => kind === 'interrupt' && dialog === called.dialog)) return false
  pushFrame(turn, { ...called, kind: frames.length === 0 ? 'root' : 'interrupt' }, null)
  return true
}

/** Result of routing an input: the turn stops, or the stack must run. */
type Routed = 'stop' | 'run'

/** Asks the waiting question again, without counting a try; if none waits, the bot has finished. */
function* backToWaiting(turn: Turn): Steps<Routed> {
  const frame = topFrame(turn.state)
  if (frame?.wait === undefined) {
    turn.state = { ...turn.state, status: frame === undefined ? 'idle' : turn.state.status }
    return frame === undefined ? 'stop' : 'run'
  }
  return (yield* resumeWaiting(turn, frame)) ? 'stop' : 'run'
}

/** Carries out what a mapping is for; undefined where it cannot be. */
function* follow(turn: Turn, { target }: MappingSetting): Steps<Routed | undefined> {
  switch (target.action) {
    case 'calltask': {
      const frame = taskFrame(turn, target.task, '', 'interrupt')
      return frame !== undefined && begin(turn, frame) ? 'run' : undefined
    }
    case 'calldialog': {
      const task = topFrame(turn.state)?.task ?? null
      if (!turn.release.dialogs.has(target.dialog)) return undefined
      return begin(turn, { kind: 'interrupt', task, dialog: target.dialog }) ? 'run' : undefined
    }
    case 'callhandler': {
      const handler = turn.release.handlers.get(target.handler)
      if (handler === undefined) return undefined
      const answer = yield* perform(turn, {
        kind: 'script',
        source: handler.source,
        parameters: [],
        slow: handler.slow,
      })
      if (!answer.ok) recordProblem(turn, 'handler.failed')
      const told = answer.ok ? { result: answer.value } : { error: { message: answer.message } }
      turn.state = { ...turn.state, handler: told }
      return yield* backToWaiting(turn)
    }
    case 'randomresponses': {
      const text = target.responses[Math.floor(turn.chance() * target.responses.length)]
      if (text !== undefined) sayText(turn, text)
      return yield* backToWaiting(turn)
    }
    default:
      return target satisfies never
  }
}

/** Which intents may take over from the question that waits. */
const mayTakeOver = (block: CompiledBlock | undefined, intent: string): boolean =>
  block?.properties.overrideIntentHandler !== true || itemsAt(block.properties, 'overrideIntents').includes(intent)

/** Drops everything that runs. */
const cancel = (turn: Turn): Routed => {
  turn.state = { ...turn.state, frames: [], status: 'idle' }
  sayMessage(turn, 'conversation.cancelled')
  return 'stop'
}

/** Follows an intent from any place in the conversation; undefined if none applies. */
function* followIntents(
  turn: Turn,
  text: string,
  { intents }: Understood,
  block: CompiledBlock | undefined,
): Steps<Routed | undefined> {
  const { settings } = turn
  for (const { name } of intents) {
    if (!mayTakeOver(block, name)) continue
    if (name === settings.cancel && turn.state.frames.length > 0) return cancel(turn)
    if (name === settings.goback && turn.state.frames.length > 0) return yield* goBackFrom(turn)
    const mapping = mappingOfIntent(turn, name)
    const followed = mapping === undefined ? undefined : yield* follow(turn, mapping)
    if (followed !== undefined) return followed
  }
  const allowed = intents.map(({ name }) => name).filter(name => mayTakeOver(block, name))
  if (allowed.length === 0) return undefined
  return beginTask(turn, taskOf(turn, text, allowed))
}

const beginTask = (turn: Turn, task: string | undefined): Routed | undefined => {
  const frame = task === undefined ? undefined : taskFrame(turn, task, '', 'interrupt')
  return frame !== undefined && begin(turn, frame) ? 'run' : undefined
}

/** Asks the last answered question again, else the waiting one. */
function* goBackFrom(turn: Turn): Steps<Routed> {
  const { frames, asked } = turn.state
  const frame = topFrame(turn.state)
  const block = frame === undefined ? undefined : blockAt(turn, frame)
  if (frame === undefined || block === undefined || !asked.some(each => frames.some(({ id }) => id === each.frame))) {
    return yield* backToWaiting(turn)
  }
  return (yield* runStep(turn, frame, block, () => ({ kind: 'back' }), frame.wait)) ? 'stop' : 'run'
}

/** The value that a model found for the question: an entity named like its variable, or like its kind. */
const entityFor = (block: CompiledBlock, wait: Wait, { entities }: Understood): Json | undefined => {
  const wanted = typeof block.properties.entityconfidence === 'number' ? block.properties.entityconfidence / 100 : 0
  const names = [textAt(block.properties, 'varname'), wait.kind].map(folded).filter(name => name !== '')
  return entities.find(({ name, confidence }) => names.includes(folded(name)) && confidence >= wanted)?.value
}

function* take(turn: Turn, frame: Frame, block: CompiledBlock, wait: Wait, reading: Reading): Steps<Routed> {
  const taken = runtimeOf(block.type)?.take
  if (taken === undefined) return 'run'
  return (yield* runStep(turn, frame, block, () => taken(turn, block, wait, reading), wait)) ? 'stop' : 'run'
}

const isOffered = (wait: Wait, input: TurnInput): boolean =>
  input.kind === 'choice' &&
  wait.offered.some(
    ({ id, type, value }) => id === input.action.id && type === input.action.type && value === input.action.value,
  )

/**
 * Routes an input that ended a rating. First the flow continues behind the rating. A question that the flow asks then
 * does not take the input as its answer, and an end of the conversation is ignored.
 */
function* passOn(turn: Turn, left: Routed, input: TurnInput): Steps<Routed> {
  if (left === 'run') yield* runStack(turn)
  if (turn.state.status === 'agent') return 'stop'
  const frame = topFrame(turn.state)
  if (isUnfetched(input)) {
    sayMessage(turn, 'attachment.failed')
    turn.state = { ...turn.state, status: frame?.wait === undefined ? 'idle' : 'waiting' }
    return 'stop'
  }
  turn.state = { ...turn.state, status: 'active' }
  if (frame?.wait === undefined) return yield* routeIdle(turn, input)
  const mapping = mappingOfInput(turn, input)
  const followed = mapping === undefined ? undefined : yield* follow(turn, mapping)
  if (followed !== undefined) return followed
  const text = textOfInput(input)
  const understood = yield* understand(turn, text, true)
  const intended = yield* followIntents(turn, text, understood, blockAt(turn, frame))
  turn.state = { ...turn.state, status: intended === undefined ? 'waiting' : turn.state.status }
  return intended ?? 'stop'
}

/** An input while a block waits. */
function* routeWaiting(turn: Turn, frame: Frame, wait: Wait, input: TurnInput): Steps<Routed> {
  const block = blockAt(turn, frame)
  const runtime = block === undefined ? undefined : runtimeOf(block.type)
  if (block === undefined || runtime?.read === undefined) return 'run'
  const reading = runtime.read(turn, block, wait, input)
  if (reading.kind === 'passed') {
    const left = yield* take(turn, frame, block, wait, reading)
    return yield* passOn(turn, left, input)
  }
  if (isOffered(wait, input)) return yield* take(turn, frame, block, wait, reading)
  const mapping = wait.masked ? undefined : mappingOfInput(turn, input)
  const followed = mapping === undefined ? undefined : yield* follow(turn, mapping)
  if (followed !== undefined) return followed
  // A link that opened the chat again answers nothing.
  if (input.kind === 'open') return yield* backToWaiting(turn)
  const isButton = reading.kind === 'valid' && reading.out !== undefined
  if (wait.masked || isButton || (isClosed(block, wait) && reading.kind !== 'invalid')) {
    return yield* take(turn, frame, block, wait, reading)
  }
  const text = textOfInput(input)
  const understood = yield* understand(turn, text, true)
  const [best] = understood.intents
  const { affirm, deny } = turn.settings
  const isYesOrNo = wait.kind === 'confirm' || wait.confirming === true
  if (isYesOrNo && best !== undefined && (best.name === affirm || best.name === deny)) {
    return yield* take(turn, frame, block, wait, { kind: 'valid', value: best.name === affirm })
  }
  const intended = yield* followIntents(turn, text, understood, block)
  if (intended !== undefined) return intended
  const entity = entityFor(block, wait, understood)
  const isOpen = reading.kind === 'valid' && wait.kind === 'text' && !isClosed(block, wait)
  if (entity === undefined && reading.kind === 'invalid') turn.unrecognized = understood.likeliest
  const better = entity !== undefined && (reading.kind === 'invalid' || isOpen)
  return yield* take(turn, frame, block, wait, better ? { kind: 'valid', value: entity } : reading)
}

/** An input while nothing waits. */
function* routeIdle(turn: Turn, input: TurnInput): Steps<Routed> {
  const isNew = isFirstWord(turn.state)
  if (isNew && turn.state.turns > 1) turn.state = { ...turn.state, unheard: false }
  const mapping = mappingOfInput(turn, input)
  const followed = mapping === undefined ? undefined : yield* follow(turn, mapping)
  if (followed !== undefined) return followed
  const text = textOfInput(input)
  const said = text === '' ? undefined : beginTask(turn, taskOf(turn, text, []))
  if (said !== undefined) return said
  const understood = yield* understand(turn, text, false)
  const intended = yield* followIntents(turn, text, understood, undefined)
  if (intended !== undefined) return intended
  if (yield* answerFromBrain(turn, text)) return 'stop'
  turn.unrecognized = understood.likeliest
  const { defaultTask, fallbackTask } = turn.settings
  const task = isNew || input.kind === 'open' ? (defaultTask ?? fallbackTask) : fallbackTask
  const begun = beginTask(turn, task ?? undefined)
  if (begun !== undefined) return begun
  sayMessage(turn, 'conversation.notunderstood')
  turn.state = { ...turn.state, status: 'idle' }
  return 'stop'
}

/** Files of which none was fetched and taken: they answer nothing. */
const isUnfetched = (input: TurnInput): boolean =>
  input.kind === 'attachment' &&
  (input.text ?? '') === '' &&
  input.attachments.length > 0 &&
  input.attachments.every(({ error }) => error !== undefined)

const isRating = ({ state }: Turn): boolean => state.rating !== undefined && state.rating !== null

/** Finds what a message is for: the first that fits. */
export function* routeMessage(turn: Turn, input: TurnInput): Steps<Routed> {
  if (isStalePress(turn.state, input, turn.settings.newestButtonsOnly)) {
    recordProblem(turn, 'press.stale')
    return 'stop'
  }
  const frame = topFrame(turn.state)
  turn.state = { ...turn.state, heard: turn.state.messages }
  hear(turn, input, frame?.wait)
  const rated = isRating(turn) ? yield* answerRating(turn, input) : 'passed'
  if (rated !== 'passed') return rated
  if (isRating(turn)) return yield* passOn(turn, yield* leaveRating(turn), input)
  if (isUnfetched(input)) {
    sayMessage(turn, 'attachment.failed')
    turn.state = { ...turn.state, ...stillUnheard(turn.state) }
    return yield* backToWaiting(turn)
  }
  if (frame?.wait !== undefined) return yield* routeWaiting(turn, frame, frame.wait, input)
  return yield* routeIdle(turn, input)
}
