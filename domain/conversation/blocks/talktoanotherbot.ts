import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, record, textAt } from '#schemas/json.ts'
import type { Steps } from '../effect.ts'
import { blockText, evaluateWords } from '../evaluate.ts'
import { type PersonInput, textOfInput } from '../message.ts'
import { waitFrom } from '../question.ts'
import type { CompiledBlock } from '../release.ts'
import type { Wait } from '../state.ts'
import {
  type BlockRuntime,
  effectKey,
  leave,
  leaveFailed,
  type Move,
  perform,
  recordProblem,
  say,
  sayMessage,
  sayText,
  type Turn,
} from '../turn.ts'

const keptIn = (linked: JsonObject, visit: string, after: Json | undefined): JsonObject => {
  const others = Object.entries(linked).filter(([name]) => name !== visit)
  return record(after === undefined ? others : [...others, [visit, after]])
}

/** `before`: the visit to continue; undefined if the block begins one. */
function* tell(turn: Turn, block: CompiledBlock, input: PersonInput, before: Wait['linked']): Steps<Move> {
  const { linked = {} } = turn.state
  const bot = before?.bot ?? textAt(block.properties, 'bot')
  const key = effectKey(turn)
  const visit = before?.visit ?? key
  const answer = yield* perform(turn, {
    ...{ kind: 'bot', bot, visit, input, text: textOfInput(input), key },
    of: (input.kind === 'choice' ? input.linked : undefined) ?? before?.message ?? null,
    linked: own(linked, visit) ?? null,
  })
  if (!answer.ok) {
    recordProblem(turn, 'bot.failed', answer.code)
    return leaveFailed(block)
  }
  const kept = answer.waits ? answer.linked : undefined
  if (kept !== undefined || own(linked, visit) !== undefined)
    turn.state = { ...turn.state, linked: keptIn(linked, visit, kept) }
  for (const each of answer.texts) sayText(turn, each)
  for (const { id, content, actions, asks } of answer.messages ?? [])
    say(turn, content, { actions, linked: id, ...(asks === undefined ? {} : { asks }) })
  if (!answer.waits) return leave()
  const { id: message = 0, actions: offered = [] } = answer.messages?.at(-1) ?? {}
  // Offers and masks the same as the other bot.
  const wait = { kind: 'bot', offered, masked: answer.masked === true, linked: { bot, visit, message } }
  return { kind: 'wait', wait: waitFrom(turn, block, wait) }
}

const PASSED: ReadonlySet<string> = new Set(['text', 'choice', 'location', 'attachment', 'order', 'submit'])

const isPersonInput = (value: unknown): value is PersonInput => isObject(value) && PASSED.has(String(value.kind))

/** Hands the person to another bot until that one has nothing more to ask. */
export const talktoanotherbot: BlockRuntime = {
  *run(turn, block) {
    const [written = ''] = yield* evaluateWords(turn, [blockText('input', block.properties.input)])
    const text = written.trim() === '' ? turn.state.said.text : written
    return yield* tell(turn, block, { kind: 'text', text }, undefined)
  },

  read(_turn, _block, _wait, input) {
    const passed = isPersonInput(input) ? input : { kind: 'text', text: textOfInput(input) }
    return { kind: 'valid', value: passed as unknown as Json }
  },

  *take(turn, block, wait, reading) {
    const value: unknown = reading.kind === 'valid' ? reading.value : undefined
    const input: PersonInput = isPersonInput(value) ? value : { kind: 'text', text: '' }
    return yield* tell(turn, block, input, wait.linked)
  },

  again(turn, _block, wait, why) {
    if (why === 'reminder') sayMessage(turn, 'conversation.stillthere')
    return { kind: 'wait', wait }
  },
}
