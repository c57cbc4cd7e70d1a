import type { CompiledBlock, Release } from '#domain/conversation/release.ts'
import type { RecordedMessage } from '#domain/conversation-test/test-file.ts'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, textOf } from '#schemas/json.ts'

/** Examples used in place of hidden answers, by the check of the question. */
const EXAMPLES: Readonly<Record<string, string>> = {
  Email: 'ana@example.com',
  MobilePhone: '+55 11 98765-4321',
  URL: 'https://example.com/',
  Alpha: 'exemplo',
  AlphaNumeric: 'exemplo1',
}

export const MASKED_EXAMPLE = 'exemplo'

export const exampleFor = (block: CompiledBlock | undefined): string => {
  const data = block?.properties.data
  const type = isObject(data) && typeof data.validationType === 'string' ? data.validationType : ''
  return EXAMPLES[type] ?? MASKED_EXAMPLE
}

export const blockIn = ({ dialogs }: Release, block: string | null): CompiledBlock | undefined =>
  [...dialogs.values()].map(({ blocks }) => blocks.get(block ?? '')).find(found => found !== undefined)

/** Whether a type of block hands the person to another bot. */
const isBotBlock = (type: string): boolean => {
  const field = blockOf(type)?.fields.bot
  return field?.kind === 'reference' && field.to === 'bot'
}

/** Whether a message comes from another bot. */
export const isOfLinkedBot = (release: Release, block: string | null): boolean =>
  isBotBlock(blockIn(release, block)?.type ?? '')

/** The words of a message: all that the stub of another bot says of it. */
export const textOnlyMessage = ({ text, title }: RecordedMessage): RecordedMessage => ({
  type: 'text',
  text: text ?? title ?? null,
})

/** Shown in the replay in place of a masked answer. */
const DOTS = '••••••'
/** Limits of a file. */
const MAX_STUBS = 500
const MAX_ANSWERS = 200

interface CalledConversation {
  readonly turns: readonly ReplayTurn[]
  /** Release that the conversation ran. */
  readonly release: Release
  /** Models that the bot asks about a text. */
  readonly nlu: boolean
  readonly brain: boolean
}

type StepOf = ReplayTurn['steps'][number]

/** One call and its answer. `isOne`: a stub of its kind has only one answer. */
interface AnsweredCall {
  readonly kind: string
  readonly name: string
  readonly answer: JsonObject
  readonly isOne?: boolean
}

/** Stops at the next opening braces, so that a row of braces is read once. */
const PLACEHOLDER = /\{\{(?:(?!\{\{).)*?\}\}/gu

/** Filled-in values match any text. */
const textPattern = (template: string): string => template.replaceAll(PLACEHOLDER, '*').trim() || '*'
const addressPattern = (template: string): string => textPattern(template).replaceAll(/\s/gu, '%20')

const problemOf = ({ problem }: StepOf): string | undefined => (typeof problem === 'string' ? problem : undefined)

/** Answer of a service, as far as the bot stored it. */
const restAnswer = (properties: JsonObject, out: string | null, wrote: JsonObject): JsonObject => {
  const isFailed = out === 'output_error'
  const kept = wrote[textOf(isFailed ? properties.errorVariable : properties.resultVariable)] ?? null
  if (!isFailed) return { status: 200, body: kept }
  const { status, code, body } = isObject(kept) ? kept : {}
  if (typeof status === 'number') return { status, ...(body === undefined ? {} : { body }) }
  return { error: textOf(code) || 'failed' }
}

const saidBy = ({ said }: ReplayTurn, block: string) => said.filter(message => message.block === block)
const textsBy = (turn: ReplayTurn, block: string): string[] =>
  saidBy(turn, block).flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []))

/** News as shown on the cards. */
const feedItems = (turn: ReplayTurn, block: string): Json[] =>
  saidBy(turn, block).flatMap(({ cards }) =>
    (Array.isArray(cards) ? cards : []).filter(isObject).map(({ title, text, image, actions }) => {
      const [link] = Array.isArray(actions) ? actions.filter(isObject) : []
      return { title: textOf(title), description: textOf(text), link: textOf(link?.value), image: textOf(image) }
    }),
  )

/** Message of a machine learning system, as the bot stored it. */
const messageStub = ({ text, options }: JsonObject): readonly Json[] => {
  const offered = Array.isArray(options) ? options : []
  if (offered.length > 0) return [{ text: textOf(text), options: offered }]
  return textOf(text) === '' ? [] : [textOf(text)]
}

/** Texts of a block, each with the options below it. */
const offeredBy = (turn: ReplayTurn, block: string): Json[] =>
  saidBy(turn, block).flatMap(({ text, actions }) => {
    const options = (Array.isArray(actions) ? actions : []).filter(isObject).map(({ type, title, value }) => {
      const option = { title: textOf(title), value: textOf(value) }
      return type === 'openUrl' ? { ...option, url: option.value } : option
    })
    return messageStub({ text: textOf(text), options })
  })

/** Answer of a machine learning system: the value that the bot stored, or the texts that it passed on. */
const systemAnswer = (turn: ReplayTurn, block: string, properties: JsonObject): JsonObject => {
  const kept = turn.wrote[textOf(properties.resultVariable)]
  if (!isObject(kept)) return { texts: offeredBy(turn, block) }
  const { text, messages, intent, confidence, entities, payload } = kept
  return {
    texts: Array.isArray(messages)
      ? messages.filter(isObject).flatMap(messageStub)
      : (Array.isArray(text) ? text : []).filter(each => typeof each === 'string' && each !== ''),
    ...(typeof intent === 'string' && intent !== '' ? { intent } : {}),
    ...(typeof confidence === 'number' ? { confidence } : {}),
    ...(Array.isArray(entities) && entities.length > 0 ? { entities } : {}),
    payload: payload ?? null,
  }
}

const isHidden = (value: Json | undefined): boolean => value === undefined || JSON.stringify(value).includes(DOTS)

/** Result of a script; a script with an unknown result is run. */
const scriptAnswer = (turn: ReplayTurn, step: StepOf, properties: JsonObject): JsonObject => {
  const isLast = turn.steps.findLast(({ type }) => type === 'handler') === step
  const { result, error } = isLast && isObject(turn.handler) ? turn.handler : {}
  if (isObject(error)) return { error: textOf(error.message) || 'failed' }
  if (problemOf(step) !== undefined) return { error: problemOf(step) ?? 'failed' }
  if (result !== undefined) return isHidden(result) ? { run: true } : { result }
  const name = textOf(properties.resultVariable)
  const names = name === '' ? step.wrote : [name]
  const values = names.map(each => [each, turn.wrote[each]] as const)
  if (values.length === 0 || values.some(([, value]) => isHidden(value))) return { run: true }
  return { result: name === '' ? (Object.fromEntries(values) as JsonObject) : (turn.wrote[name] ?? null) }
}

/** Text at the start of a turn; undefined if there is none or if it is masked. */
const writtenIn = ({ input: { kind, said } }: ReplayTurn): string | undefined => {
  const text = textOf(said?.text).trim()
  return kind !== 'message' || said?.type !== 'text' || text === '' || text === DOTS ? undefined : text
}

/** The external call of a block. */
const callOf = (turn: ReplayTurn, step: StepOf, release: Release): AnsweredCall | undefined => {
  const block = blockIn(release, step.block)
  if (block === undefined) return undefined
  const { properties, title, id } = block
  const problem = problemOf(step)
  const told = (answer: JsonObject): JsonObject => (problem === undefined ? answer : { error: problem })
  if (blockOf(step.type)?.panel === 'feed') {
    const name = addressPattern(textOf(properties.url))
    return { kind: 'feed', name, answer: told({ items: feedItems(turn, step.block) }) }
  }
  if (isBotBlock(step.type)) {
    const waits = isObject(turn.wait) && turn.wait.block === step.block
    const answer = told({ texts: textsBy(turn, step.block), ...(waits ? { waits } : {}) })
    return { kind: 'bot', name: textOf(properties.bot) || '*', answer }
  }
  switch (step.type) {
    case 'restservice': {
      const name = `${textOf(properties.methodType).toUpperCase() || 'GET'} ${addressPattern(textOf(properties.url))}`
      return { kind: 'rest', name, answer: restAnswer(properties, step.out, turn.wrote) }
    }
    case 'talktomlsystem': {
      const written = textOf(properties.input).trim()
      const name = written === '' ? (writtenIn(turn) ?? '*') : textPattern(written)
      return { kind: 'ml', name, answer: told(systemAnswer(turn, step.block, properties)) }
    }
    case 'handler':
      return { kind: 'handler', name: title || id, answer: scriptAnswer(turn, step, properties) }
    case 'connecttoagent': {
      const name = textPattern(textOf(properties.queue))
      return step.out === null && step.agent !== true
        ? undefined
        : { kind: 'agent', name, answer: { accepts: step.agent === true }, isOne: true }
    }
    default:
      return undefined
  }
}

const understoodAnswer = ({ understood }: ReplayTurn): JsonObject => {
  const { intent = null, confidence = null, entities = {} } = understood ?? {}
  return {
    ...(intent === null ? {} : { intent, confidence: confidence ?? 1 }),
    ...(Object.keys(entities).length === 0 ? {} : { entities }),
  }
}

/** The brain answered if the bot itself says one text and no block ran. */
const brainAnswer = ({ steps, said, understood }: ReplayTurn): JsonObject | undefined => {
  const [first] = said
  const intent = understood?.intent ?? null
  if (steps.length > 0 || said.length !== 1 || first?.block !== null || intent === null) return undefined
  return { intent, confidence: understood?.confidence ?? 1, texts: [textOf(first.text)] }
}

/** Calls outside of blocks: to models, and to agents. */
const askedBeside = (turn: ReplayTurn, { nlu, brain }: Omit<CalledConversation, 'turns'>): readonly AnsweredCall[] => {
  const name = writtenIn(turn)
  const answered = brain ? brainAnswer(turn) : undefined
  const asked: AnsweredCall[] = []
  if (name !== undefined && nlu) {
    asked.push({ kind: 'nlu', name, answer: answered === undefined ? understoodAnswer(turn) : {}, isOne: true })
  }
  if (name !== undefined && brain) asked.push({ kind: 'brain', name, answer: answered ?? {}, isOne: true })
  const isHanded = turn.status === 'agent' && !turn.steps.some(({ agent }) => agent === true)
  if (isHanded) asked.push({ kind: 'agent', name: '*', answer: { accepts: true }, isOne: true })
  const { result } = isObject(turn.handler) ? turn.handler : {}
  // An intent ran the script, not a block.
  if (result !== undefined && !turn.steps.some(({ type }) => type === 'handler'))
    asked.push({ kind: 'handler', name: '*', answer: isHidden(result) ? { run: true } : { result } })
  return asked
}

/** The calls of a turn, each with the block that made it; null: the bot itself. */
export const callsOf = (
  turn: ReplayTurn,
  conversation: Omit<CalledConversation, 'turns'>,
): readonly (AnsweredCall & { readonly block: string | null })[] => [
  ...askedBeside(turn, conversation).map(call => ({ ...call, block: null })),
  ...turn.steps.flatMap(step => {
    const call = callOf(turn, step, conversation.release)
    return call === undefined ? [] : [{ ...call, block: step.block }]
  }),
]

const stubOf = ([first, ...more]: readonly AnsweredCall[]): readonly JsonObject[] => {
  if (first === undefined) return []
  const { kind, name, answer, isOne = false } = first
  const named = { kind, [kind]: name }
  if (isOne) return [{ ...named, ...answer, ...more.findLast(each => 'intent' in each.answer)?.answer }]
  const answers = [first, ...more].slice(0, MAX_ANSWERS).map(each => each.answer)
  if (answers.some(({ run }) => run === true)) return [{ ...named, run: true }]
  return [more.length === 0 ? { ...named, ...answer } : { ...named, answers }]
}

/**
 * Stubs that answer the calls of a conversation when it runs as a test: one for each called target, its answers in
 * order; stubs for any target come after those with a name.
 */
export const replayedStubs = (conversation: CalledConversation): readonly JsonObject[] => {
  const calls = conversation.turns.flatMap(turn => callsOf(turn, conversation))
  const groups = [...Map.groupBy(calls, ({ kind, name }) => `${kind} ${name}`).values()]
  const isOpen = ([first]: readonly AnsweredCall[]): number => Number(first?.name === '*')
  return groups
    .toSorted((one, other) => isOpen(one) - isOpen(other))
    .flatMap(stubOf)
    .slice(0, MAX_STUBS)
}
