import { isObject, textAt } from '#schemas/json.ts'
import { blockText, evaluateWords, richText } from '../evaluate.ts'
import { itemsAt } from '../question.ts'
import { type BlockRuntime, leave, say } from '../turn.ts'

/** One message: words, attachments, or both. */
export const text: BlockRuntime = {
  *run(turn, { properties }) {
    const held = itemsAt(properties, 'attachments').filter(isObject)
    const addresses = held.map((item, place) => blockText(`attachments.${place}.contentUrl`, item.contentUrl))
    const [words = '', ...urls] = yield* evaluateWords(turn, [richText('text', properties.text), ...addresses])
    const attachments = held.flatMap((item, place) => {
      const contentUrl = urls[place] ?? ''
      if (contentUrl === '') return []
      return [{ contentType: textAt(item, 'contentType'), contentUrl, name: textAt(item, 'name') }]
    })
    if (words.trim() === '' && attachments.length === 0) return leave()
    say(turn, { type: 'text', text: words, ...(attachments.length === 0 ? {} : { attachments }) })
    return leave()
  },
}
