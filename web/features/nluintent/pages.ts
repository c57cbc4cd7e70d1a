import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/nluintent/statementdesigner/:id': async () =>
    (await import('#web/features/statement/index.ts')).QuestionDesignerPage,
}
