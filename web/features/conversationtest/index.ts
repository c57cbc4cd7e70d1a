export { KeepConversation } from './keep-conversation.tsx'
export { KeepTest } from './keep-test.tsx'
export { OutputLink } from './outputs-section.tsx'
export { type Outcome, runQuery, type TestRun, testAddress } from './test-query.ts'
