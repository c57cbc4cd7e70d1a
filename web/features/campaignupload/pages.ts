import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/campaignupload/:id': async () => (await import('./upload-page.tsx')).UploadPage,
}
