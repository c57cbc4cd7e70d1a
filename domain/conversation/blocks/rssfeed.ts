import type { FeedItem } from '../effect.ts'
import type { CardContent } from '../message.ts'
import { itemsAt } from '../question.ts'
import { type BlockRuntime, leave, leaveFailed, messageText, perform, recordProblem, say } from '../turn.ts'
import { contextOf } from '../variables.ts'

/** UTF-16 units of a title that is made from the description. */
const MAX_TITLE = 80

/** The first words of a text. */
const startOf = (text: string): string => {
  if (text.length <= MAX_TITLE) return text
  const words = text.slice(0, MAX_TITLE).toWellFormed()
  const space = words.lastIndexOf(' ')
  return `${words.slice(0, space > 0 ? space : MAX_TITLE)}…`
}

/** Titles are optional in RSS: without one an item is named by its description or its address. */
const named = (item: FeedItem): FeedItem => {
  if (item.title !== '') return item
  const title = startOf(item.description)
  return { ...item, title: title || item.link, description: title === item.description ? '' : item.description }
}

/** The newest of a feed, as a carousel. */
export const rssfeed: BlockRuntime = {
  *run(turn, block) {
    const { properties } = block
    const answer = yield* perform(turn, {
      kind: 'feed',
      properties,
      parser: turn.settings.parser,
      context: contextOf(turn, { masked: true }),
    })
    const items = answer.ok ? answer.items.map(named).filter(({ title, image }) => title !== '' || image !== '') : []
    if (!answer.ok || items.length === 0) {
      recordProblem(turn, 'feed.failed', answer.ok ? 'empty' : answer.code)
      return leaveFailed(block)
    }
    const parts = new Set(itemsAt(properties, 'rssItems'))
    const cards = items.map(
      ({ title, description, link, image }): CardContent => ({
        title,
        subtitle: '',
        text: parts.has('Description') ? description : '',
        image: parts.has('Image') ? image : '',
        thumbnail: false,
        actions:
          parts.has('Link') && link !== ''
            ? [{ id: '1', type: 'openUrl', title: messageText(turn, 'feed.open'), value: link }]
            : [],
      }),
    )
    say(turn, { type: 'carousel', cards })
    return leave()
  },
}
