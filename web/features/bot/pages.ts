import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/bot/settings/botlogs/:id': async () => (await import('./log/log-page.tsx')).LogPage,
  '/bot/:id': async () => (await import('./bot-page.tsx')).BotPage,
}
