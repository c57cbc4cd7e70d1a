import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/bot/botservice/:id': async () => (await import('./services-page.tsx')).ServicesPage,
}
