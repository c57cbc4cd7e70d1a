import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/tools/uploadfiletocloud': async () => (await import('./cloud-file-page.tsx')).CloudFilePage,
  '/cloudfile/new': async () => (await import('./cloud-file-page.tsx')).CloudFilePage,
  '/cloudfile/:id': async () => (await import('./cloud-file-detail.tsx')).CloudFileDetail,
}
