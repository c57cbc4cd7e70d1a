import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/bot/:id': async () => (await import('./bot-page.tsx')).BotPage,
}
