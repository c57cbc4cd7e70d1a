import { isObject, record, textAt } from '#schemas/json.ts'
import { readAnswer } from '../answer/read-answer.ts'
import type { Steps } from '../effect.ts'
import { blockText, evaluateTexts, evaluateWords, richText, shownText } from '../evaluate.ts'
import { answerInputOf } from '../message.ts'
import { askYesOrNo, itemsAt } from '../question.ts'
import type { CompiledBlock } from '../release.ts'
import { askForAgent, type BlockRuntime, leave, type Move, sayMessage, type Turn } from '../turn.ts'

const setStatus = (turn: Turn, status: string): void => {
  turn.state = { ...turn.state, agent: { status } }
}

function* request(turn: Turn, { properties }: CompiledBlock): Steps<Move> {
  if (!turn.settings.agentEnabled) {
    sayMessage(turn, 'agent.unavailable')
    setStatus(turn, 'unavailable')
    return leave()
  }
  const own = itemsAt(properties, 'customFields').filter(isObject)
  const texts = [
    blockText('queue', properties.queue),
    blockText('contactId', properties.contactId),
    blockText('agentId', properties.agentId),
    ...own.map((field, place) => blockText(`customFields.${place}.value`, field.value)),
  ]
  const [queue, contactId, agentId, ...values] = yield* evaluateTexts(turn, texts)
  const fields = record([
    ['contactId', contactId ?? ''] as const,
    ['agentId', agentId ?? ''] as const,
    ...own.map((field, place) => [textAt(field, 'name'), values[place] ?? null] as const),
  ])
  const isAsked = yield* askForAgent(turn, {
    system: textAt(properties, 'agentSystem'),
    queue: shownText(queue),
    fields,
    transcript: properties.transcript === true,
    ...(typeof properties.priority === 'number' && properties.priority > 0 ? { priority: properties.priority } : {}),
  })
  if (isAsked) return { kind: 'agent', returns: 'output_1' }
  sayMessage(turn, 'agent.unavailable')
  return leave()
}

function* confirm(turn: Turn, block: CompiledBlock): Steps<Move> {
  const [text = ''] = yield* evaluateWords(turn, [richText('confirmation', block.properties.confirmation)])
  return askYesOrNo(turn, block, text)
}

/** A person takes over, after a yes where the block asks for one. */
export const connecttoagent: BlockRuntime = {
  *run(turn, block) {
    const asks = textAt(block.properties, 'confirmation').trim() !== ''
    return yield* asks ? confirm(turn, block) : request(turn, block)
  },

  read(turn, _block, _wait, input) {
    const at = { locale: turn.state.locale, now: turn.now, timezone: turn.settings.timezone }
    const answer = readAnswer(answerInputOf(input), { kind: 'confirm' }, at)
    return answer.ok ? { kind: 'valid', value: answer.value } : { kind: 'invalid' }
  },

  *take(turn, block, wait, reading) {
    if (reading.kind !== 'valid') {
      sayMessage(turn, 'prompt.invalid.confirm')
      const again = yield* confirm(turn, block)
      return again.kind === 'wait' ? { kind: 'wait', wait: { ...again.wait, tries: wait.tries + 1 } } : again
    }
    if (reading.value === true) return yield* request(turn, block)
    setStatus(turn, 'declined')
    return leave()
  },

  *again(turn, block, wait, why) {
    if (why === 'resumed') return yield* confirm(turn, block)
    sayMessage(turn, 'conversation.stillthere')
    return { kind: 'wait', wait }
  },
}
