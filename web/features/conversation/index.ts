export { conversationQuery, type Replay, replayQuery, type Turn } from './conversation-query.ts'
export { StatusChip, signOf } from './status-chip.tsx'
export { HiddenBox, Transcript } from './transcript.tsx'
export { isCalling } from './transcript-items.ts'
