export { IntentDesignerPage, IntentsPage, QuestionDesignerPage, QuestionsPage } from './statements-page.tsx'
