import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/bot/conversationtest/:id': async () => (await import('./tests-page.tsx')).TestsPage,
}
