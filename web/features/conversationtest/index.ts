export { OutputLink } from './outputs-section.tsx'
export { SaveConversationAsTest, SaveTestForm } from './save-test-form.tsx'
export { type Outcome, runQuery, type TestRun, testAddress } from './test-query.ts'
