import { isObject } from '#domain/flow/document/json.ts'
import { type BlockRuntime, leave } from '../block-runtime.ts'
import { buttonsOf, evaluateFields, mediaOf } from '../card.ts'
import type { CardContent, MediaContent } from '../message.ts'
import { groupAt, itemsAt, textAt } from '../question.ts'
import { say } from '../say.ts'

/** Cards beside each other (RUNTIME 52). */
export const carousel: BlockRuntime = {
  *run(turn, { properties }) {
    const cards: (CardContent & { media?: MediaContent })[] = []
    for (const [place, item] of itemsAt(groupAt(properties, 'cards'), 'items').filter(isObject).entries()) {
      const header = groupAt(groupAt(item, 'header'), 'value')
      const at = `cards.items.${place}`
      const media = yield* mediaOf(turn, header, 'Image', `${at}.header.value`)
      const { title, text } = yield* evaluateFields(turn, header, ['title', 'text'], `${at}.header.value`)
      const actions = yield* buttonsOf(turn, itemsAt(item, 'options'), `${at}.options`, `${place + 1}.`)
      const isPicture = media !== undefined && !/video|audio/iu.test(textAt(header, 'type'))
      cards.push({
        title,
        subtitle: '',
        text,
        image: isPicture ? media.url : '',
        thumbnail: false,
        actions,
        ...(media === undefined || isPicture ? {} : { media }),
      })
    }
    if (cards.length > 0) say(turn, { type: 'carousel', cards })
    return leave()
  },
}
