import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/nluproject/intent/:id': async () => (await import('#web/features/statement/index.ts')).IntentsPage,
}
