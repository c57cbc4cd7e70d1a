import { DELIVERY_PREFIX, INBOX_PREFIX } from '#schemas/events/channel.ts'
import { CONVERSATION_DAY_PREFIX, CONVERSATION_PREFIX } from '#schemas/events/conversation.ts'
import type { Filter } from '../port.ts'

/**
 * Streams of conversations, most events of a busy server. A live subscription costs a node some four times as much for
 * an event as a read of many (docs/adr/0032), and the other nodes do not need these events at once.
 */
const PREFIXES = [
  CONVERSATION_PREFIX,
  CONVERSATION_DAY_PREFIX,
  INBOX_PREFIX,
  DELIVERY_PREFIX,
  'botuser-',
  'chatperson-',
] as const

const PATTERN = new RegExp(`^(${PREFIXES.join('|')})`)

/** Regular expression of the server (.NET): names of all other streams, without the server's own. */
export const NOT_BATCHED = `^(?!${PREFIXES.join('|')})[^$]`

export const isBatched = (stream: string): boolean => PATTERN.test(stream)

/** Whether a filter lets any event of these streams pass. */
export const mayBeBatched = ({ streamPrefixes = [] }: Filter): boolean =>
  streamPrefixes.length === 0 ||
  streamPrefixes.some(one => PREFIXES.some(prefix => one.startsWith(prefix) || prefix.startsWith(one)))
