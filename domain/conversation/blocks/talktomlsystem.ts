import { textAt } from '#schemas/json.ts'
import { nearest, readChoice } from '../answer/choice-answer.ts'
import type { SystemText } from '../effect.ts'
import { blockText, evaluateWords } from '../evaluate.ts'
import type { OfferedAction, SystemOption } from '../state.ts'
import { type BlockRuntime, leave, leaveFailed, perform, recordProblem, sayText, type Turn } from '../turn.ts'
import { assignVariable } from '../variables.ts'

type Said = Exclude<SystemText, string>

const saidOf = (said: SystemText): Said => (typeof said === 'string' ? { text: said, options: [] } : said)

const isAnswer = ({ url }: SystemOption): boolean => url === undefined

/** Value of the option that a text of the person names: by title, number or value. */
const namedOption = ({ state, settings }: Turn, system: string, text: string): string | undefined => {
  const { choices } = state
  if (!choices || choices.system !== system || choices.heard === 0) return undefined
  const { options, last, heard } = choices
  const titles = options.map(({ title }) => title)
  const titled = (isFuzzy: boolean) => {
    const named = nearest(text, titles, isFuzzy)
    return named === undefined ? undefined : options.findLast(({ title }) => title === named)?.value
  }
  // A number is one of the last message, and of the first answer to it.
  const read = heard === 1 ? readChoice(text, options.slice(-last), false) : undefined
  const numbered = read?.ok === true ? read.value : undefined
  const valued = options.find(({ value }) => value === text)?.value
  return titled(false) ?? numbered ?? valued ?? (settings.nlu.fuzzy ? titled(true) : undefined)
}

/** Value of the option of the system that the person chose with a text. */
const chosenValue = (turn: Turn, system: string, written: string): string | undefined => {
  const text = written.trim()
  const { said } = turn.state
  const isPressed = said.system === system && (text === said.text.trim() || text === said.value)
  return isPressed && typeof said.value === 'string' ? said.value : namedOption(turn, system, text)
}

const actionOf =
  (system: string) =>
  ({ title, value, url }: SystemOption, place: number): OfferedAction => {
    const id = String(place + 1)
    return url === undefined ? { id, type: 'reply', title, value, system } : { id, type: 'openUrl', title, value: url }
  }

/** A text with its options, one line each. */
const inLines = ({ text, options }: Said): string =>
  [text, ...options.map(({ title, url }) => (url === undefined ? `- ${title}` : `- ${title}: ${url}`))]
    .filter(line => line !== '')
    .join('\n')

/** Remembers what the person may choose. */
const offer = (turn: Turn, system: string, messages: readonly Said[]): void => {
  const offered = messages.map(({ options }) => options.filter(isAnswer)).filter(options => options.length > 0)
  const choices = { system, options: offered.flat(), last: offered.at(-1)?.length ?? 0, heard: 0 }
  if (offered.length > 0) turn.state = { ...turn.state, choices }
  else if (turn.state.choices) turn.state = { ...turn.state, choices: null }
}

/** Asks an outside system what a text means. */
export const talktomlsystem: BlockRuntime = {
  *run(turn, block) {
    const { properties } = block
    const [written = ''] = yield* evaluateWords(turn, [blockText('input', properties.input)])
    const text = written.trim() === '' ? turn.state.said.text : written
    const system = textAt(properties, 'mlSystem')
    const chosen = chosenValue(turn, system, text)
    const { id: session, locale } = turn.state
    const answer = yield* perform(turn, {
      ...{ kind: 'ml', system, text, session, locale },
      ...(chosen === undefined ? {} : { chosen }),
    })
    const name = textAt(properties, 'resultVariable')
    if (!answer.ok) {
      recordProblem(turn, 'ml.failed', answer.code)
      if (name !== '') assignVariable(turn, name, null)
      const error = textAt(properties, 'errorVariable')
      if (error !== '') assignVariable(turn, error, { code: answer.code })
      return leaveFailed(block)
    }
    const messages = answer.texts.map(saidOf)
    offer(turn, system, messages)
    if (name === '')
      for (const said of messages) sayText(turn, said.text, { actions: said.options.map(actionOf(system)) })
    else {
      const [first] = answer.intents
      assignVariable(turn, name, {
        text: messages.map(inLines),
        messages: messages.map(said => ({ text: said.text, options: said.options.map(one => ({ ...one })) })),
        intent: first?.name ?? null,
        confidence: first?.confidence ?? null,
        entities: answer.entities.map(({ name: entity, value, confidence }) => ({ name: entity, value, confidence })),
        payload: answer.payload,
      })
    }
    return leave()
  },
}
