import type { NodeKeys } from '#commands/keys/secret.ts'
import { TimeSlicer } from '#commands/time-slicer.ts'
import { phoneVariants } from '#domain/audience/phone.ts'
import type { ReadModels } from '#projections/port.ts'
import { allRows } from '#projections/scope.ts'
import { folded } from '#schemas/fold-text.ts'
import type { ConversationsWithExchange } from '../../conversation/compose-conversations.ts'
import { openMessageCipher } from '../../conversation/engine/folded-conversation.ts'
import { levelScope, type PeopleFacts } from './segments.ts'

/** Types of channels on which people are known by their number begin so. */
const BY_NUMBER = /^(?:whatsapp_|blip)/u

/** Replies and tags of people on the WhatsApp channels of a level's bots. */
export const openPeopleFacts = (
  read: Pick<ReadModels, 'list'>,
  keys: Pick<NodeKeys, 'personal' | 'index'>,
  conversations: Pick<ConversationsWithExchange, 'opened' | 'openedExchange'>,
): PeopleFacts => {
  const words = openMessageCipher(keys)
  return {
    async of(level, phones, { hasTags, hasReplies }) {
      const scope = levelScope(level)
      const bots = (await allRows(read, scope, 'bot')).map(({ id }) => id)
      const all = await allRows(read, scope, 'channel')
      const channels = all.filter(({ type }) => BY_NUMBER.test(String(type))).map(({ id }) => id)
      const opened = await conversations.opened()
      const exchange = conversations.openedExchange()
      const tagsOf = hasTags ? (opened?.index.tags.ofPeople(bots) ?? new Map<string, readonly string[]>()) : undefined
      const slices = new TimeSlicer()
      const facts: { readonly replied: number | undefined; readonly tags: readonly string[] }[] = []
      for (const phone of phones) {
        await slices.pause()
        let replied = 0
        const tags = new Set<string>()
        const spellings = phone === '' ? [] : phoneVariants(phone).flatMap(digits => [digits, `+${digits}`])
        for (const channel of channels)
          for (const spelling of spellings) {
            const person = await words.personOf(channel, spelling)
            for (const tag of tagsOf?.get(person) ?? []) tags.add(folded(tag.trim()))
            if (hasReplies) replied = Math.max(replied, exchange?.lastWord(channel, person) ?? 0)
          }
        facts.push({ replied: replied === 0 ? undefined : replied, tags: [...tags] })
      }
      return facts
    },
  }
}
