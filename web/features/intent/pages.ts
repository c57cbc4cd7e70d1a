import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/intent/statementdesigner/:id': async () => (await import('#web/features/statement/index.ts')).IntentDesignerPage,
}
