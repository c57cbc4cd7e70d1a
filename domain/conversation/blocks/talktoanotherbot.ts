import { own, record } from '../../flow/document/json.ts'
import { type BlockRuntime, leave, type Move } from '../block-runtime.ts'
import type { Steps } from '../effect.ts'
import { blockText, evaluateWords } from '../evaluate.ts'
import { textOfInput } from '../input.ts'
import { textAt, waitFrom } from '../question.ts'
import type { CompiledBlock } from '../release.ts'
import { say, sayMessage, sayText } from '../say.ts'
import { perform, recordProblem, type Turn } from '../turn.ts'

function* tell(turn: Turn, block: CompiledBlock, text: string): Steps<Move> {
  const bot = textAt(block.properties, 'bot')
  const { id, turns, linked = {} } = turn.state
  const key = `${id}.${turns}.${turn.spent.effects}`
  const answer = yield* perform(turn, { kind: 'bot', bot, text, key, linked: own(linked, bot) ?? null })
  if (!answer.ok) {
    recordProblem(turn, 'bot.failed', answer.code)
    return leave()
  }
  if (answer.linked !== undefined)
    turn.state = { ...turn.state, linked: record([...Object.entries(linked), [bot, answer.linked]]) }
  for (const each of answer.texts) sayText(turn, each)
  for (const { content, ...shown } of answer.messages ?? []) say(turn, content, shown)
  if (!answer.waits) return leave()
  // A press on what the other bot offered is an answer to it, and what it masks is masked here.
  const { actions: offered = [], asks } = answer.messages?.at(-1) ?? {}
  return { kind: 'wait', wait: waitFrom(turn, block, { kind: 'bot', offered, masked: asks?.mask === true }) }
}

/** Hands the person to another bot until that one has nothing more to ask (RUNTIME 50). */
export const talktoanotherbot: BlockRuntime = {
  *run(turn, block) {
    const [written = ''] = yield* evaluateWords(turn, [blockText('input', block.properties.input)])
    return yield* tell(turn, block, written.trim() === '' ? turn.state.said.text : written)
  },

  read(_turn, _block, _wait, input) {
    return { kind: 'valid', value: textOfInput(input) }
  },

  *take(turn, block, _wait, reading) {
    return yield* tell(turn, block, reading.kind === 'valid' && typeof reading.value === 'string' ? reading.value : '')
  },

  again(turn, _block, wait, why) {
    if (why === 'reminder') sayMessage(turn, 'conversation.stillthere')
    return { kind: 'wait', wait }
  },
}
