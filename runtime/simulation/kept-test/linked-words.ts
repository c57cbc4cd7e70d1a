import type { Release } from '#domain/conversation/release.ts'
import type { RecordedMessage } from '#domain/conversation-test/test-file.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { blockIn } from './masked-example.ts'

/** Whether a type of block hands the person to another bot. */
export const isBotBlock = (type: string): boolean => {
  const field = blockOf(type)?.fields.bot
  return field?.kind === 'reference' && field.to === 'bot'
}

/** Whether a message comes from another bot. */
export const isOfLinkedBot = (release: Release, block: string | null): boolean =>
  isBotBlock(blockIn(release, block)?.type ?? '')

/** The words of a message: all that the stub of another bot says of it. */
export const wordsAlone = ({ text, title }: RecordedMessage): RecordedMessage => ({
  type: 'text',
  text: text ?? title ?? null,
})
