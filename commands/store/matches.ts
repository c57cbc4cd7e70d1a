import type { StoredEvent } from '#schemas/event.ts'
import type { Filter } from './port.ts'

export const matches = (event: StoredEvent, { streamPrefixes = [], types = [] }: Filter): boolean => {
  if (types.length > 0 && !types.includes(event.type)) return false
  return streamPrefixes.length === 0 || streamPrefixes.some(prefix => event.stream.startsWith(prefix))
}
