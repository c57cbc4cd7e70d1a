import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/bot/dialogtask/:bot?': async () => (await import('./task-list-page.tsx')).TaskListPage,
  '/dialogtask/:id': async () => (await import('./task-page.tsx')).TaskPage,
}
