import type { OwnPages } from '#web/app/own-pages.ts'

const versions = async () => (await import('./version-page.tsx')).VersionPage

export const pages: OwnPages = {
  '/version/search': versions,
  '/version': versions,
  '/version/:id': versions,
}
