import { type BlockRuntime, leave } from '../block-runtime.ts'
import type { CardContent } from '../message.ts'
import { itemsAt } from '../question.ts'
import { say } from '../say.ts'
import { messageText, perform, recordProblem } from '../turn.ts'
import { contextOf } from '../variables.ts'

/** The newest of a feed, as a carousel (RUNTIME 46). */
export const rssfeed: BlockRuntime = {
  *run(turn, { properties }) {
    const answer = yield* perform(turn, {
      kind: 'feed',
      properties,
      parser: turn.settings.parser,
      context: contextOf(turn, { masked: true }),
    })
    if (!answer.ok || answer.items.length === 0) {
      recordProblem(turn, 'feed.failed', answer.ok ? 'empty' : answer.code)
      return leave()
    }
    const parts = new Set(itemsAt(properties, 'rssItems'))
    const cards = answer.items.map(
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
