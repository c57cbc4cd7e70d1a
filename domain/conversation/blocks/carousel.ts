import type { JsonObject } from '#schemas/event.ts'
import { isObject, textAt } from '#schemas/json.ts'
import { buttonsOf, cardRuntime, evaluateFields, mediaOf } from '../card.ts'
import type { Steps } from '../effect.ts'
import { evaluateTogether } from '../evaluate.ts'
import type { CardContent, MediaContent } from '../message.ts'
import { groupAt, itemsAt } from '../question.ts'
import type { OfferedAction } from '../state.ts'
import { say, type Turn } from '../turn.ts'

type ShownCard = CardContent & { media?: MediaContent }

function* cardOf(turn: Turn, item: JsonObject, place: number): Steps<ShownCard> {
  const header = groupAt(groupAt(item, 'header'), 'value')
  const at = `cards.items.${place}`
  const [media, { title, text }, actions] = yield* evaluateTogether<
    [MediaContent | undefined, Record<'title' | 'text', string>, readonly OfferedAction[]]
  >(
    mediaOf(turn, header, 'Image', `${at}.header.value`),
    evaluateFields(turn, header, ['title', 'text'], `${at}.header.value`),
    buttonsOf(turn, itemsAt(item, 'options'), `${at}.options`, `${place + 1}.`),
  )
  const isPicture = media !== undefined && !/video|audio/iu.test(textAt(header, 'type'))
  return {
    title,
    subtitle: '',
    text,
    image: isPicture ? media.url : '',
    thumbnail: false,
    actions,
    ...(media === undefined || isPicture ? {} : { media }),
  }
}

const showsSomething = ({ title, text, image, media, actions }: ShownCard): boolean =>
  [title, text, image].some(part => part.trim() !== '') || media !== undefined || actions.length > 0

/** Cards beside each other; one whose values are all empty is left out. */
export const carousel = cardRuntime(function* (turn, { properties }, skip) {
  const items = itemsAt(groupAt(properties, 'cards'), 'items').filter(isObject)
  const cards = yield* evaluateTogether<readonly ShownCard[]>(...items.map((item, place) => cardOf(turn, item, place)))
  const shown = cards.filter(showsSomething)
  if (shown.length === 0) return []
  say(turn, { type: 'carousel', cards: shown }, { actions: skip })
  return [...shown.flatMap(card => card.actions), ...skip]
})
