import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/oauth/:id': async () => (await import('./oauth-page.tsx')).OAuthPage,
}
