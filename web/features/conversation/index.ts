export { conversationQuery, type Replay, replayQuery, type Turn } from './conversation-query.ts'
export { StatusChip, visitorCode } from './status-chip.tsx'
export { RedactedValue, Transcript } from './transcript.tsx'
export { isIntegrationBlock } from './transcript-items.ts'
