export { OutputLink } from './outputs-section.tsx'
export { SaveConversationAsTest } from './save-conversation-as-test.tsx'
export { SaveTestForm } from './save-test-form.tsx'
export { type Outcome, runQuery, type TestRun, testAddress } from './test-query.ts'
