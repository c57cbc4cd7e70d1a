import { channelType } from '#schemas/channel-type.ts'
import type { FoldedConversation } from './folded-conversation.ts'

const HOUR_MS = 3_600_000

/** End of the time in which the channel takes free words, ms since 1970; undefined: at any time (C-9.08). */
export const channelWindow = ({
  channelType: type,
  messages,
}: Pick<FoldedConversation, 'channelType' | 'messages'>): number | undefined => {
  const hours = channelType(type)?.windowHours
  if (hours === undefined) return undefined
  const last = messages.findLast(({ from }) => from === 'user')
  return last === undefined ? 0 : Date.parse(last.time) + hours * HOUR_MS
}
