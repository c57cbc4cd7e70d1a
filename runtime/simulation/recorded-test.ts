import type { EffectAnswer, LinkedMessage, Understood } from '#domain/conversation/effect.ts'
import { type TurnInput, textOfInput } from '#domain/conversation/message.ts'
import { type RecordedEvent, type RecordedMessage, writeTestFile } from '#domain/conversation-test/test-file.ts'
import type { TestStub } from '#domain/conversation-test/test-schema.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { restRequest } from '../outbound/rest-request.ts'
import { blockIn, exampleFor, isOfLinkedBot, MASKED_EXAMPLE, textOnlyMessage } from './kept-test/replayed-stubs.ts'
import type { ActiveSimulation } from './open-simulations.ts'
import type { PlayedTurn } from './simulation.ts'

const inputEvents = (
  input: TurnInput,
  time: number,
  tasks: ReadonlyMap<string, { readonly name: string }>,
): readonly RecordedEvent[] => {
  switch (input.kind) {
    case 'text':
      return [{ kind: 'text', text: input.text, time }]
    case 'choice':
      return [{ kind: 'choice', title: input.action.title, time }]
    case 'attachment':
      return [{ kind: 'attachment', attachments: input.attachments, time }]
    case 'location':
      return [{ kind: 'location', location: input.location, time }]
    case 'order':
    case 'submit':
      return [{ kind: input.kind, data: input.data, time }]
    case 'menu':
      return [
        {
          kind: 'menu',
          command: input.command === 'task' ? (tasks.get(input.task)?.name ?? input.task) : input.command,
          time,
        },
      ]
    case 'agentleft':
      return [{ kind: 'agentleft', reason: input.reason, time }]
    case 'reminder':
    case 'timeout':
    case 'schedule':
      return [{ kind: 'clock', time }]
    case 'leave':
      return [{ kind: 'leave', time }]
    case 'open':
    case 'resume':
    case 'moved':
    case 'takeover':
      return []
    default:
      return input satisfies never
  }
}

const shown = ({ content, actions, asks }: LinkedMessage): RecordedMessage => ({
  type: content.type,
  ...('text' in content ? { text: content.text } : {}),
  ...('title' in content ? { title: content.title } : {}),
  ...('cards' in content ? { cards: content.cards } : {}),
  actions,
  ...(asks === undefined ? {} : { wait: { kind: asks.kind } }),
})

const understood = ({ intents, entities }: Understood) => {
  const [first] = intents
  return {
    ...(first === undefined ? {} : { intent: first.name, confidence: first.confidence }),
    ...(entities.length === 0 ? {} : { entities: entities.map(each => ({ ...each })) }),
  }
}

/** An answer in the form of a stub. */
const answerOf = (answer: EffectAnswer): JsonObject => {
  switch (answer.kind) {
    case 'rest': {
      if (answer.ok) return { status: answer.status, body: answer.body }
      const { status, body, code } = answer.error
      return status === undefined ? { error: code } : { status, ...(body === undefined ? {} : { body }) }
    }
    case 'script':
      return answer.ok ? { result: answer.value } : { error: answer.message }
    case 'feed':
      return answer.ok ? { items: answer.items as unknown as Json } : { error: answer.code }
    case 'nlu':
      return answer.ok ? understood(answer) : { error: answer.code }
    case 'brain': {
      if (!answer.ok) return { error: answer.code }
      const { intent, confidence, answers } = answer
      return intent === null ? {} : { intent, confidence, texts: [...answers] }
    }
    case 'ml':
      return answer.ok
        ? { texts: answer.texts as unknown as Json, payload: answer.payload, ...understood(answer) }
        : { error: answer.code }
    case 'bot':
      return answer.ok
        ? {
            texts: [
              ...answer.texts,
              ...(answer.messages ?? []).map(message => textOnlyMessage(shown(message)).text ?? ''),
            ],
            waits: answer.waits,
          }
        : { error: answer.code }
    case 'agent':
      return answer.ok ? { accepts: true } : { error: answer.code }
    default:
      return {}
  }
}

/** Kinds whose stubs hold one answer alone. */
const SINGLE: ReadonlySet<string> = new Set(['nlu', 'brain', 'agent'])

/** Kind and name of a call in a stub. */
const calledBy = async (
  { effect, block }: PlayedTurn['calls'][number],
  held: ActiveSimulation,
): Promise<readonly [kind: string, name: string]> => {
  const { release } = held.simulation
  switch (effect.kind) {
    case 'rest': {
      const made = await restRequest(effect.properties, {
        evaluator: held.outside.evaluator,
        parser: effect.parser,
        values: effect.context,
      })
      return ['rest', made.ok ? `${made.value.method} ${made.value.url.replaceAll(/\s/gu, '%20')}` : '*']
    }
    case 'script': {
      const handler = [...release.handlers.values()].find(({ source }) => source === effect.source)
      return ['handler', handler?.name || blockIn(release, block)?.title || block || '*']
    }
    case 'nlu':
    case 'brain':
    case 'ml':
      return [effect.kind, effect.text]
    case 'bot':
      return ['bot', effect.bot]
    case 'agent':
      return ['agent', effect.queue === '' ? '*' : effect.queue]
    default:
      return ['feed', '*']
  }
}

/** Groups calls by name; answers keep their order. */
const stubsOf = async (held: ActiveSimulation): Promise<readonly JsonObject[]> => {
  const stubs = new Map<string, { readonly kind: string; readonly name: string; readonly answers: JsonObject[] }>()
  for (const call of held.simulation.played.flatMap(({ calls }) => calls)) {
    const [kind, name] = await calledBy(call, held)
    const stub = stubs.get(`${kind} ${name}`) ?? { kind, name, answers: [] }
    stub.answers.push(answerOf(call.answer))
    stubs.set(`${kind} ${name}`, stub)
  }
  return [...stubs.values()].map(({ kind, name, answers }) => {
    const [first = {}] = answers
    const isOne = SINGLE.has(kind) || answers.length === 1
    return { kind, [kind]: name === '' ? '*' : name, ...(isOne ? first : { answers }) }
  })
}

/** Values of masked answers, at any place. */
const maskedValues = ({ simulation }: ActiveSimulation): readonly string[] =>
  simulation.played.flatMap(({ before, input }) =>
    before.frames.at(-1)?.wait?.masked === true && input.kind === 'text' && input.text.trim() !== ''
      ? [input.text.trim()]
      : [],
  )

/** Replaces masked answers in a value; in the name of a call, by a wildcard. */
const withoutMasked = (value: Json, masked: readonly string[], by: string): Json => {
  if (typeof value === 'string')
    return masked.reduce((text, word) => text.replaceAll(word, by).replaceAll(encodeURIComponent(word), by), value)
  if (Array.isArray(value)) return value.map((item: Json) => withoutMasked(item, masked, by))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutMasked(member, masked, by)]))
}

/** Creates a test file from a simulation: stubs replace calls, examples replace masked answers. */
export const recordedTest = async (held: ActiveSimulation, name: string): Promise<string> => {
  const { simulation, given } = held
  const { played, settings, release, state } = simulation
  const masked = maskedValues(held)
  const events = played.flatMap(({ before, input, now, said }): readonly RecordedEvent[] => {
    const frame = before.frames.at(-1)
    const isForLinked = frame?.wait?.linked !== undefined && input.kind === 'choice'
    const isMasked = frame?.wait?.masked === true && input.kind === 'text'
    const example = exampleFor(blockIn(release, frame?.block ?? null))
    const inputs = isMasked
      ? [{ kind: 'masked', example, time: now } as const]
      : inputEvents(isForLinked ? { kind: 'text', text: textOfInput(input) } : input, now, settings.tasks)
    const messages = said.map(message =>
      isOfLinkedBot(release, message.block) ? textOnlyMessage(shown(message)) : shown(message),
    )
    return [...inputs, ...messages.map(message => ({ kind: 'bot', message }) as const)]
  })
  const stubs = (await stubsOf(held)).map(stub => {
    const [kind = ''] = [stub.kind as string]
    const clean = withoutMasked(stub, masked, MASKED_EXAMPLE) as JsonObject
    return { ...clean, [kind]: withoutMasked(stub[kind] ?? '*', masked, '*') }
  })
  const at = blockIn(release, state.frames.at(-1)?.block ?? null)
  const end = at === undefined ? {} : { at: at.title === '' ? at.id : at.title }
  return writeTestFile({
    name,
    began: played[0]?.now ?? simulation.now,
    given: withoutMasked(given as JsonObject, masked, MASKED_EXAMPLE) as typeof given,
    stubs: stubs as unknown as readonly TestStub[],
    events: events.map(event =>
      event.kind === 'bot'
        ? {
            ...event,
            message: withoutMasked(
              event.message as unknown as Json,
              masked,
              MASKED_EXAMPLE,
            ) as unknown as RecordedMessage,
          }
        : event,
    ),
    end: state.status === 'ended' ? { ended: true } : end,
  })
}
