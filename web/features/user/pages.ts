import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/user/:id': async () => (await import('./user-page.tsx')).UserPage,
}
