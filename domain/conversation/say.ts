import type { Steps } from './effect.ts'
import { BeyondLimit, TURN_LIMITS } from './limits.ts'
import { type AnswerPrompt, type BotMessage, isPressable, type MessageContent } from './message.ts'
import type { OfferedAction } from './state.ts'
import { messageText, perform, recordProblem, type Turn } from './turn.ts'

interface SayOptions {
  readonly actions?: readonly OfferedAction[]
  readonly asks?: AnswerPrompt
  readonly destination?: string
  readonly linked?: number
}

/** Adds a message to the turn. A block with `enableDelay` holds its messages back by the bot's `stepdelay` (RUNTIME 70). */
export const say = (turn: Turn, content: MessageContent, options: SayOptions = {}): void => {
  if (turn.said.length >= TURN_LIMITS.messages) throw new BeyondLimit('messages')
  const block = turn.step?.block
  const id = turn.state.messages + 1
  turn.state = { ...turn.state, messages: id }
  const message: BotMessage = {
    id,
    block: block?.id ?? null,
    delay: block?.properties.enableDelay === true ? turn.settings.stepDelay : 0,
    content,
    actions: options.actions ?? [],
    ...(options.asks === undefined ? {} : { asks: options.asks }),
    ...(options.destination === undefined ? {} : { destination: options.destination }),
    ...(options.linked === undefined ? {} : { linked: options.linked }),
  }
  turn.said.push(message)
  if (message.destination === undefined && isPressable(message)) turn.state = { ...turn.state, buttons: id }
}

const plainAddress = (address: string): string =>
  /^\+?[\d\s()-]{7,25}$/u.test(address) ? address.replace(/\D/gu, '') : address.trim()

/** The address that a block names, if it is another than the person's own on this channel (RUNTIME 36). */
export const addressElsewhere = ({ state }: Turn, written: string): string | undefined => {
  const address = written.trim()
  const { channel, user } = state
  const own = typeof user.id === 'string' ? plainAddress(user.id) : ''
  const [, named = '', rest = ''] = /^([^:]{1,100}):(.+)$/u.exec(address) ?? []
  const isHere =
    [channel.id, channel.type].includes(named.toLowerCase()) || channel.type.startsWith(`${named.toLowerCase()}_`)
  const bare = named !== '' && isHere ? rest : address
  return address === '' || plainAddress(bare) === own || address === user.id ? undefined : address
}

export const sayText = (turn: Turn, text: string, options?: SayOptions): void =>
  say(turn, { type: 'text', text }, options)

/** Says one of the bot's own messages, by its code. */
export const sayMessage = (turn: Turn, code: string): void => sayText(turn, messageText(turn, code))

/** Sends one of the brain's answers to a question that it knows (RUNTIME 15f); false if there is none. */
export function* answerFromBrain(turn: Turn, text: string): Steps<boolean> {
  if (!turn.settings.nlu.brain || text.trim() === '') return false
  const answer = yield* perform(turn, { kind: 'brain', text, locale: turn.state.locale })
  if (!answer.ok) {
    recordProblem(turn, 'brain.failed', answer.code)
    return false
  }
  const { intent, confidence, answers } = answer
  const said = answers[Math.floor(turn.chance() * answers.length)]
  if (intent === null || said === undefined) return false
  turn.state = { ...turn.state, intent: { name: intent, confidence }, status: 'idle' }
  sayText(turn, said)
  return true
}
