import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, textAt } from '#schemas/json.ts'
import { readAnswer } from './answer/read-answer.ts'
import { hasLinkedChoice, outputOfKept, readButton, withOutputs } from './choice.ts'
import type { Steps } from './effect.ts'
import {
  type BlockText,
  blockText,
  evaluateTexts,
  evaluateTogether,
  evaluateWords,
  richText,
  shownText,
} from './evaluate.ts'
import { answerInputOf, type MediaContent, type TurnInput } from './message.ts'
import { confirmKept, isOptional, itemsAt, skipAction, takeAnswer, waitFrom } from './question.ts'
import type { CompiledBlock } from './release.ts'
import type { OfferedAction, Wait } from './state.ts'
import { type BlockRuntime, type Move, sayMessage, sayText, type Turn } from './turn.ts'
import { readVariable } from './variables.ts'

const ACTION_TYPES = ['openUrl', 'imBack', 'postBack'] as const

/** The texts of fields, evaluated at once, by name. */
export function* evaluateFields<Name extends string>(
  turn: Turn,
  properties: JsonObject,
  names: readonly Name[],
  at = '',
): Steps<Readonly<Record<Name, string>>> {
  const texts = names.map((name): BlockText => {
    const where = at === '' ? name : `${at}.${name}`
    return name === 'text' || name === 'bodyContent'
      ? richText(where, properties[name])
      : blockText(where, properties[name], 'attribute')
  })
  const values = yield* evaluateTexts(turn, texts)
  const made: Partial<Record<Name, string>> = {}
  for (const [place, name] of names.entries()) made[name] = shownText(values[place])
  return made as Record<Name, string>
}

/** The buttons of a card; one without words is left out. Their ids begin with `prefix`. */
export function* buttonsOf(
  turn: Turn,
  buttons: readonly Json[],
  at: string,
  prefix = '',
): Steps<readonly OfferedAction[]> {
  const held = buttons.filter(isObject)
  const texts = held.flatMap((button, place) => [
    blockText(`${at}.${place}.title`, button.title, 'attribute'),
    blockText(`${at}.${place}.value`, button.value, 'attribute'),
  ])
  const words = yield* evaluateWords(turn, texts)
  return held.flatMap((button, place): readonly OfferedAction[] => {
    const [title = '', value = ''] = [words[place * 2], words[place * 2 + 1]]
    const type = ACTION_TYPES.find(each => each === button.type) ?? 'imBack'
    if (title.trim() === '') return []
    return [{ id: `${prefix}${place + 1}`, type, title, value: value === '' ? title : value }]
  })
}

/** A picture, sound or film of a card; undefined where it has no address. */
export function* mediaOf(turn: Turn, media: JsonObject, kind: string, at: string): Steps<MediaContent | undefined> {
  const { title, text, uri } = yield* evaluateFields(turn, media, ['title', 'text', 'uri'], at)
  if (uri.trim() === '') return undefined
  return {
    title,
    text,
    url: uri.trim(),
    kind: textAt(media, 'type') || kind,
    aspectRatio: textAt(media, 'aspectRatio'),
  }
}

const valueSaid = (input: TurnInput): Json | undefined => {
  switch (input.kind) {
    case 'order':
    case 'submit':
      return input.data
    case 'choice':
      return input.action.value
    case 'text':
      return input.text.trim() === '' ? undefined : input.text.trim()
    case 'location':
      return input.location
    case 'attachment':
      return input.attachments.length === 1 ? (input.attachments[0] ?? null) : [...input.attachments]
    default:
      return undefined
  }
}

const hasOutput = ({ out }: OfferedAction): boolean => out !== undefined

/** Whether a card takes nothing but its buttons: other answers are not kept and lead nowhere. */
const isClosed = ({ properties, next }: CompiledBlock, { offered }: Wait): boolean =>
  textAt(properties, 'varname') === '' && offered.some(hasOutput) && !next.has('output_1')

/**
 * A card that waits for an answer if it has a variable for one or a button with a linked output, else continues. `show`
 * sends it and returns the possible actions.
 */
export const cardRuntime = (
  show: (turn: Turn, block: CompiledBlock, skip: readonly OfferedAction[]) => Steps<readonly OfferedAction[]>,
): BlockRuntime => {
  function* ask(turn: Turn, block: CompiledBlock, tries: number, text?: string): Steps<Move> {
    const isKept = textAt(block.properties, 'varname') !== ''
    if (text !== undefined) sayText(turn, text)
    const skip = (isKept || hasLinkedChoice(block)) && isOptional(block) ? [skipAction(turn)] : []
    const offered = withOutputs(block, yield* show(turn, block, skip))
    if (!isKept && !offered.some(hasOutput)) return { kind: 'leave', out: 'output_1' }
    return { kind: 'wait', wait: waitFrom(turn, block, { kind: 'card', offered, tries }) }
  }
  return {
    *run(turn, block) {
      return (yield* confirmKept(turn, block, 'card')) ?? (yield* ask(turn, block, 0))
    },
    read(turn, block, wait, input) {
      if (input.kind === 'choice' && input.action.type === 'skip') return { kind: 'skipped' }
      if (wait.confirming === true) {
        const at = { locale: turn.state.locale, now: turn.now, timezone: turn.settings.timezone }
        const confirmed = readAnswer(answerInputOf(input), { kind: 'confirm' }, at)
        if (confirmed.ok) return { kind: 'valid', value: confirmed.value }
      }
      const button = readButton(wait, input)
      if (button !== undefined) return button
      const value = isClosed(block, wait) ? undefined : valueSaid(input)
      return value === undefined ? { kind: 'invalid' } : { kind: 'valid', value }
    },
    *take(turn, block, wait, reading) {
      if (wait.confirming === true && reading.kind === 'valid' && typeof reading.value === 'boolean') {
        const kept = readVariable(turn, textAt(block.properties, 'varname')) ?? null
        return reading.value ? { kind: 'leave', out: outputOfKept(block, kept) } : yield* ask(turn, block, 0)
      }
      return yield* takeAnswer(turn, block, wait, reading, {
        invalid: isClosed(block, wait) ? 'prompt.invalid.choice' : 'prompt.invalid.card',
        ask: (tries, text) => ask(turn, block, tries, text),
      })
    },
    *again(turn, block, wait, why) {
      if (why === 'resumed') return yield* ask(turn, block, wait.tries)
      const retry = richText('retryPrompt', block.properties.retryPrompt)
      if (retry.text.trim() === '') sayMessage(turn, 'conversation.stillthere')
      else for (const text of yield* evaluateWords(turn, [retry])) sayText(turn, text)
      return { kind: 'wait', wait }
    },
  }
}

/** The card of the cards that have a title, a picture and buttons. */
export function* showCard(
  turn: Turn,
  { properties }: CompiledBlock,
): Steps<{
  readonly card: { title: string; subtitle: string; text: string; image: string; thumbnail: boolean }
  readonly actions: readonly OfferedAction[]
}> {
  const names = ['title', 'subtitle', 'text', 'image', 'thumbnailimage'] as const
  const [{ title, subtitle, text, image, thumbnailimage }, actions] = yield* evaluateTogether<
    [Record<(typeof names)[number], string>, readonly OfferedAction[]]
  >(evaluateFields(turn, properties, names), buttonsOf(turn, itemsAt(properties, 'buttons'), 'buttons'))
  const isThumbnail = properties.heroCardType === 'ThumbnailCard'
  return {
    card: { title, subtitle, text, image: image || thumbnailimage, thumbnail: isThumbnail || image === '' },
    actions,
  }
}
