import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/hierarchy': async () => (await import('./hierarchy-page.tsx')).HierarchyPage,
}
