import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/usergroup/:id': async () => (await import('./group-page.tsx')).GroupPage,
}
