import type { OwnPages } from '#web/app/own-pages.ts'

export const pages: OwnPages = {
  '/bot/channel/:bot': async () => (await import('./channels-page.tsx')).ChannelsPage,
  '/channel/search': async () => (await import('./channels-page.tsx')).AllChannelsPage,
  '/channel/:id': async () => (await import('./channel-page.tsx')).ChannelPage,
}
