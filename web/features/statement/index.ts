export { MarkedText } from './marked-text.tsx'
export { IntentDesignerPage, IntentsPage, QuestionDesignerPage, QuestionsPage } from './statements-page.tsx'
export {
  hueOf,
  type Intent,
  newLineId,
  OWNERS,
  type StatementOwner,
  useEntityNames,
  useIntents,
  useSaveLines,
} from './use-intents.ts'
