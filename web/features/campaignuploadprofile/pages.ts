import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/campaignuploadprofile/:id': async () => (await import('./upload-profile-page.tsx')).UploadProfilePage,
}
