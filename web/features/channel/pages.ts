import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/channel/:id': async () => (await import('./channel-page.tsx')).ChannelPage,
}
